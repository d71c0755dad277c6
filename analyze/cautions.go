package analyze

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/check"
	"banditaudit/analyze/estimate"
	"banditaudit/analyze/facts"
	"banditaudit/schemas"
)

// cautions are what makes answers of the experiment weak and contradicts no claim. Each
// kind is one caution, whatever the number of answers.
func (v *verdicts) cautions(estimates []schemas.Estimate) []string {
	out := []string{}
	for _, words := range []string{v.weighted.thinWeights(v.Log), v.coarseDecimals(), v.farMean(), v.weighted.offWeights(v.Log), check.Unpadded(v.Manifest.Unpadded()), unsupported(estimates), v.silent()} {
		if words != "" {
			out = append(out, words)
		}
	}
	return out
}

// Of weighted answers: the effective sample size below which they are weak, and the part
// of the rounds that have a weight below which it is.
const (
	leastWeights = 30
	leastPart    = 0.05
)

// thin reports whether weights are few for what they weigh.
func thin(weights *estimate.Mean) bool {
	ess := weights.ESS()
	return math.IsNaN(ess) || ess < leastWeights || ess < leastPart*float64(weights.N)
}

// thinWeights names the arms and policies whose estimates rest on few weights.
func (w *weighted) thinWeights(in *facts.Log) string {
	var of []string
	if !w.given() {
		return ""
	}
	for arm := range in.K() {
		if thin(w.arms.SNIPW(arm)) {
			of = append(of, "arm "+in.Name(arm))
		}
	}
	for _, e := range evaluations(in) {
		if v := w.values[e.id]; v != nil && thin(&v.SNIPS) {
			of = append(of, "policy "+schemas.Named(e.id))
		}
	}
	if len(of) == 0 {
		return ""
	}
	return fmt.Sprintf("the weights of %s have an effective sample size below %d, or below %g %% of the rounds that have a weight: what is estimated of them rests on few rounds", few(of), leastWeights, 100*leastPart)
}

// farMean says that weights do not come to what they should.
func (v *verdicts) farMean() string {
	if !v.weighted.byLog() {
		return ""
	}
	return v.far
}

// unsupported says how many rounds weighted answers leave out.
func unsupported(estimates []schemas.Estimate) string {
	most, of := int64(0), ""
	for i := range estimates {
		if e := &estimates[i]; e.Estimate != nil && *e.LeftOut > most {
			most, of = *e.LeftOut, e.Target
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("weighted estimates leave out rounds in which an arm could not be played: the %s leaves out %s", of, plural(most, "round"))
}

// silent names the tests that are decided and have no answer.
func (v *verdicts) silent() string {
	var of []string
	for _, t := range v.tests {
		if t.record.Decision == schemas.DecisionSilent {
			of = append(of, schemas.Named(t.record.ID))
		}
	}
	if len(of) == 0 {
		return ""
	}
	return "no answer to " + few(of) + ": p is 1, and the interval holds nearly every value"
}

// few lists names, the first of many.
func few(names []string) string {
	const most = 5
	if n := len(names) - most; n > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}
