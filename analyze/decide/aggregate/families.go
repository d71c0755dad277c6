package aggregate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/schemas"
)

// Family is what the declared tests of one experiment bring to the family of all
// experiments of a log.
type Family struct {
	Method   string    // of adjustment
	Alpha    float64   // level
	IDs      []string  // of the tests
	Raw      []float64 // ln of the raw p, NaN where a test is not decided by the corrected one
	Deciding []float64 // ln of the p that decides, NaN where none does
	Evidence []float64 // ln of the e that decides, at the end of the log; NaN where there is none
	Floored  []bool    // the p that decides is the smallest that the runs of the policy could give
	Sigma    float64   // √(2Σρ_BR) over all rows that the tests read, where Method is bh
	Units    bool      // log.unit is declared
	Rejected int64     // within this experiment's own family
}

// families adjusts the tests of all experiments together. It keeps a number or two of every
// test, and the places of experiments.
type families struct {
	method   string
	alpha    float64
	at       []int32 // places in the manifest of experiments that have tests
	alike    []alike
	raw      []float64 // where method is bh
	deciding []float64
	floored  []bool
	evidence []float64 // where method is e-bh
	squares  float64   // Σ σ² over experiments
	units    bool      // log.unit is declared
	alone    int64
}

// alike are experiments behind one another with the same tests; as a rule all are.
type alike struct {
	first int // in families.at
	ids   []string
}

func (f *families) add(place int, o *Family) {
	if o == nil {
		return
	}
	f.method, f.alpha = o.Method, o.Alpha
	if n := len(f.alike); n == 0 || !slices.Equal(f.alike[n-1].ids, o.IDs) {
		f.alike = append(f.alike, alike{len(f.at), o.IDs})
	}
	f.at, f.deciding = append(f.at, int32(place)), append(f.deciding, o.Deciding...) //nolint:gosec // a log has fewer experiments than 2³¹
	f.floored = append(f.floored, o.Floored...)
	switch o.Method {
	case schemas.AdjustBH:
		f.raw = append(f.raw, o.Raw...)
	case schemas.AdjustEBH:
		f.evidence = append(f.evidence, o.Evidence...)
	}
	f.squares += float64(o.Sigma * o.Sigma)
	f.alone += o.Rejected
	f.units = f.units || o.Units
}

// familyMember is a test with its adjusted p.
type familyMember struct {
	place int32 // of the experiment in the manifest
	test  int32 // among its tests
	ids   []string
	logP  float64

	floored bool
}

// dependent reports whether the family of all experiments cannot be decided: bh
// adds the variances of experiments as of independent ones, and the same units
// may have been in several.
func (f *families) dependent() bool { return f.method == schemas.AdjustBH && f.units }

// summary is nil where there are not several experiments with tests. Where the
// family is not applicable none of its tests is decided, and the note says why. names lists
// the names of all experiments.
func (f *families) summary(names []string) *schemas.Family {
	if len(f.at) < 2 {
		return nil
	}
	out := &schemas.Family{
		Method: f.method, Alpha: f.alpha, Experiments: int64(len(f.at)), Tests: int64(len(f.deciding)),
		Alone: f.alone, Rejections: []schemas.FamilyTest{}, Note: f.note(),
	}
	if f.dependent() {
		return out
	}
	members := f.members()
	out.Decided = int64(len(members))
	slices.SortStableFunc(members, func(x, y familyMember) int { return cmp.Compare(x.logP, y.logP) })
	f.caution(out, members)
	out.Combined = f.combined()
	for i, m := range members {
		if i == 0 {
			smallest := m.record(names)
			out.Smallest = &smallest
		}
		if m.logP > math.Log(f.alpha) {
			break
		}
		out.Rejected++
		if len(out.Rejections) < maxRejections {
			out.Rejections = append(out.Rejections, m.record(names))
		}
	}
	return out
}

// maxRejections bounds the list of rejections.
const maxRejections = 512

// members are the tests that are decided, in their order.
func (f *families) members() []familyMember {
	adjusted := Adjust(f.method, f.deciding, f.evidence)
	if f.method == schemas.AdjustBH {
		adjusted = FalseDiscovery(f.raw, f.correct)
	}
	var out []familyMember
	next := 0
	for i, same := range f.alike {
		end := len(f.at)
		if i+1 < len(f.alike) {
			end = f.alike[i+1].first
		}
		for _, place := range f.at[same.first:end] {
			for t := range same.ids {
				if !math.IsNaN(f.deciding[next]) {
					out = append(out, familyMember{place, int32(t), same.ids, adjusted[next], f.floored[next]})
				}
				next++
			}
		}
	}
	return out
}

// correct corrects over the rows of all experiments, rounded up.
func (f *families) correct(logP float64) float64 {
	const slack = 1e-13 // of the sum of σ² and of the formula
	logP = maxinfo.Corrected(logP, math.Sqrt(f.squares)*(1+slack))
	return float64(logP * (1 - slack))
}

func (m *familyMember) record(names []string) schemas.FamilyTest {
	return schemas.FamilyTest{
		Experiment: names[m.place], Test: m.ids[m.test],
		PAdjusted: schemas.Probability(m.logP), Log2P: schemas.Ext(float64(m.logP / math.Ln2)),
		Evidence: fmt.Sprintf("/experiments/%d/tests/%d", m.place, m.test),
	}
}

// note says what the adjustment over experiments controls.
func (f *families) note() string {
	switch f.method {
	case schemas.AdjustNone:
		return "not adjusted: with many experiments some tests are rejected by chance alone"
	case schemas.AdjustBY, schemas.AdjustEBH:
		return "the expected share of false rejections among all rejections of the log is at most alpha, under every dependence of the tests"
	case schemas.AdjustBH:
		if f.dependent() {
			return "NOT APPLICABLE over experiments: A4: bh takes the rows of different experiments as independent, and the same unit (log.unit) may have rows in several; the decisions of an experiment are those of its own family; write multiplicity: holm, bonferroni or by"
		}
		return "over raw p-values, then corrected over all rows that the tests of all experiments read, which are taken as independent between experiments: the expected share of false rejections is at most alpha where the raw p-values are independent or positively dependent"
	}
	return "the probability of any false rejection in the whole log is at most alpha, under every dependence of the tests; the decisions of an experiment are those of its own family"
}

// Adjust adjusts the p-values that decide, under every dependence of the tests. e-BH
// is the method of Benjamini and Hochberg on 1/e, e the evidence at the end of the log
// (Wang & Ramdas 2022): it needs no condition on how the tests depend on each other.
func Adjust(method string, deciding, evidence []float64) []float64 {
	switch method {
	case schemas.AdjustNone:
		return deciding
	case schemas.AdjustBonferroni:
		return hypothesis.Bonferroni(deciding)
	case schemas.AdjustBY:
		return hypothesis.BenjaminiYekutieli(deciding)
	case schemas.AdjustEBH:
		inverse := make([]float64, len(evidence))
		for i, logE := range evidence {
			inverse[i] = math.Min(0, -logE)
		}
		return hypothesis.BenjaminiHochberg(inverse)
	}
	return hypothesis.Holm(deciding)
}

// FalseDiscovery adjusts raw p-values by Benjamini & Hochberg and corrects what
// comes out over all rows that the family reads. Rejecting where that is at most
// α is the method at the raw level γ(α), whose false discovery proportion is a
// function of those rows; its expectation given the actions is at most α then.
// The method on corrected p-values is not known to hold.
func FalseDiscovery(raw []float64, correct func(logP float64) float64) []float64 {
	out := hypothesis.BenjaminiHochberg(raw)
	for i := range out {
		out[i] = correct(out[i])
	}
	return out
}
