package analyze

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// cautions are what makes answers of the experiment weak and contradicts no claim. Each
// kind is one caution, whatever the number of answers.
func (v *experimentResult) cautions(estimates []schemas.Estimate) []string {
	out := []string{v.notConstant(), v.sample.weighed.Thin(), v.sample.weighed.CoarseDecimals(), v.rounded(), v.checked.far, v.sample.weighed.OffWeights(), check.Unpadded(v.facts.Manifest.Unpadded()), unsupported(estimates), v.silent(), v.fewRuns(), v.missingUnlike(), v.sample.earlier.dependent(), v.sample.earlier.carried}
	return append(slices.DeleteFunc(out, func(words string) bool { return words == "" }), v.ofColumns()...)
}

// notConstant says that a declaration is contradicted on which answers would rest.
func (v *experimentResult) notConstant() string {
	why := v.sample.rewards.DeclaredConstant()
	if why == "" {
		return ""
	}
	return "means are declared constant (analysis.means) and are not: " + why + ". Methods that need constant means are not applied"
}

// rounded says that logged propensities look rounded more coarsely than they are taken to be
// where nothing is declared: to three decimals (formula sheet, second part, 23.0 (d)).
func (v *experimentResult) rounded() string {
	l := &v.protocol.Log
	e := &v.facts.Ends
	switch {
	case l.PropensityResolution != nil || l.PropensityDraws != nil:
		return ""
	case e.Partly > 0 && v.allocation.Propensities != nil && v.allocation.Propensities.Lattice == nil:
		return fmt.Sprintf("a part of the propensities looks rounded to two decimals (those of one arm have %d different values that are multiples of 0.01), and is taken for true to ±0.0005 or better: declare log.propensity_resolution: 0.005, or 1e-9 where they are exact", e.Partly)
	case e.Rounded == 0 || e.Exactly.Action != "":
		return ""
	}
	return fmt.Sprintf("propensities look rounded to two decimals (those of one arm have %d different values, all of them multiples of 0.01), and are taken for true to ±0.0005: declare log.propensity_resolution: 0.005, or 1e-9 where they are exact, or log.propensity_draws where they are shares of draws", v.facts.Ends.Rounded)
}

// unsupported says how many rounds weighted answers leave out.
func unsupported(estimates []schemas.Estimate) string {
	most, of := int64(0), ""
	for i := range estimates {
		if e := &estimates[i]; e.Estimate != nil && e.LeftOut != nil && *e.LeftOut > most {
			most, of = *e.LeftOut, e.Target
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("weighted estimates leave out rounds in which an arm could not be played: the %s leaves out %s", of,
		schemas.Counted(most, "round"))
}

// named are the tests of which something holds.
func (v *experimentResult) named(holds func(*schemas.Test) bool) []string {
	var of []string
	for _, t := range v.answers.tests {
		if holds(&t.record) {
			of = append(of, schemas.Named(t.record.ID))
		}
	}
	return of
}

// missingUnlike says that rewards are missing in some arms more than in others, where answers
// rest on the declaration that none is missing because of its value. It does where the shares
// differ within two quarters of the log at least, at level .001 over all experiments: rewards
// that are missing at some time alone, as the latest ones may be, differ by arm over all rounds
// where the allocation moves.
func (v *experimentResult) missingUnlike() string {
	found := check.Find(v.checked.checks, "H11")
	if v.protocol.Log.MissingReward != schemas.MissingIndependent || found == nil || found.Status != schemas.CheckNote || found.P == nil {
		return ""
	}
	var within []float64
	for quarter, gone := range v.sample.rewards.Gone {
		p, _ := allocationtest.MissingLogP(gone, v.facts.PulledIn(quarter))
		within = append(within, p)
	}
	const least, pairs = 2, 6 // the two smallest of four quarters are one of six pairs
	level := allocationtest.Level / float64(max(1, v.facts.Whole().Experiments)*pairs)
	if slices.Sort(within); len(within) < least || within[least-1] > math.Log(level) {
		return ""
	}
	return "rewards are not missing as often in every arm (" + found.Observed + "), and answers are about the rounds whose reward is known: they hold for all rounds only if none is missing because of its value (log.missing_reward: exclude-independent is declared)"
}

// silent names the tests that are decided and have no answer.
func (v *experimentResult) silent() string {
	of := v.named(func(t *schemas.Test) bool { return t.Decision == schemas.DecisionSilent })
	if len(of) == 0 {
		return ""
	}
	return "no answer to " + schemas.FirstOf(of, publiclog.MostNamed) + ": p is 1, and the interval holds nearly every value"
}

// fewRuns names the tests that are decided by fewer runs of the policy than a rejection
// takes whatever comes out: by M runs p is 1/(M + 1) at the least.
func (v *experimentResult) fewRuns() string {
	a := &v.protocol.Analysis
	tests := len(v.answers.tests)
	if a.Multiplicity == schemas.AdjustNone {
		tests = 1
	}
	needed := int64(math.Ceil(float64(tests)/a.Alpha)) - 1
	if a.Rerun.Draws == 0 || a.Rerun.Draws >= needed {
		return ""
	}
	of := v.named(func(t *schemas.Test) bool { return t.DecidedBy == schemas.MethodRerun })
	if len(of) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of the policy (analysis.rerun.draws) give no p below %.3g, by which %s cannot be rejected at alpha %g among %s, unless others are rejected before: at least %s are needed",
		schemas.Counted(a.Rerun.Draws, "run"), 1/float64(a.Rerun.Draws+1), schemas.FirstOf(of, publiclog.MostNamed), a.Alpha,
		schemas.Counted(tests, "test"), schemas.Grouped(needed))
}
