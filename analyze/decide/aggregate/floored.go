package aggregate

import (
	"fmt"
	"math"
	"strconv"

	"banditaudit/analyze/stat/tail"
	"banditaudit/schemas"
)

// caution notes the tests that the family does not reject because the policy was run too seldom
// again: members are those that are decided.
func (f *families) caution(out *schemas.Family, members []familyMember) {
	for i := range members {
		if m := &members[i]; m.floored && m.logP > math.Log(f.alpha) {
			out.Floored++
		}
	}
	if out.Floored == 0 {
		return
	}
	verb := "have"
	if out.Floored == 1 {
		verb = "has"
	}
	out.Caution = fmt.Sprintf("%s %s the smallest p that the runs of the policy allow. One family over all experiments cannot reject at that p",
		schemas.Counted(out.Floored, "test"), verb)
	if out.Draws = f.needed(); out.Draws > 0 {
		out.Caution += ". It could with analysis.rerun.draws: " + strconv.FormatInt(out.Draws, 10)
	}
}

// needed returns how many runs a rejection at the least level of the family takes:
//
//	⌈n/α⌉ of n tests by Holm and Bonferroni
//	⌈n·(1 + 1/2 + … + 1/n)/α⌉ by Benjamini and Yekutieli
//
// That is one run more than p = α/n takes, since logarithms are compared. It is 0 where the
// family goes by e-values, by Benjamini and Hochberg, or is not adjusted.
func (f *families) needed() int64 {
	n := float64(len(f.deciding))
	switch f.method {
	case schemas.AdjustEBH, schemas.AdjustNone, schemas.AdjustBH:
		return 0
	case schemas.AdjustBY:
		harmonic := 0.0
		for i := range f.deciding {
			harmonic += 1 / float64(i+1)
		}
		n *= harmonic
	}
	return int64(math.Ceil(n / f.alpha))
}

// mostCombined is how many tests are combined.
const mostCombined = 64

// combined combines the p of every declared test over experiments; nil where experiments
// may share units or do not have the same tests.
func (f *families) combined() []schemas.CombinedTest {
	if f.units || len(f.alike) != 1 {
		return nil
	}
	ids := f.alike[0].ids
	var out []schemas.CombinedTest
	for t, id := range ids[:min(len(ids), mostCombined)] {
		sum, decided := 0.0, false
		for at := t; at < len(f.deciding); at += len(ids) {
			if p := f.deciding[at]; !math.IsNaN(p) {
				sum, decided = sum-p, true
			}
		}
		if !decided {
			continue
		}
		logP := tail.LogChiSquare(2*sum, float64(2*len(f.at)))
		out = append(out, schemas.CombinedTest{Test: id, Experiments: int64(len(f.at)), P: schemas.Probability(logP), Log2P: schemas.Ext(logP / math.Ln2)})
	}
	return out
}
