package analyze

import (
	"fmt"

	"banditaudit/analyze/check"
	"banditaudit/analyze/facts"
	"banditaudit/schemas"
)

// cautions are what makes answers of the experiment weak and contradicts no claim. Each
// kind is one caution, whatever the number of answers.
func (v *verdicts) cautions(estimates []schemas.Estimate) []string {
	out := []string{}
	for _, words := range []string{v.weighed.Thin(), v.weighed.CoarseDecimals(), v.farMean(), v.weighed.OffWeights(), check.Unpadded(v.Manifest.Unpadded()), unsupported(estimates), v.silent()} {
		if words != "" {
			out = append(out, words)
		}
	}
	return out
}

// farMean says that weights do not come to what they should.
func (v *verdicts) farMean() string {
	if !v.weighed.ByLog() {
		return ""
	}
	return v.far
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
	return "no answer to " + facts.Few(of) + ": p is 1, and the interval holds nearly every value"
}
