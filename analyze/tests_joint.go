package analyze

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/log/corrections"
	"banditaudit/schemas"
)

// jointQuestion asks whether several coefficients of a declared regression have
// given values together.
type jointQuestion struct {
	*declaredTest
	fits *fits
}

var _ question = (*jointQuestion)(nil)

func (q *jointQuestion) describe(t *schemas.Test) {
	q.fits.describeRegression(t, q.spec, q.arm)
	t.Kind, t.Alternative = schemas.TestJoint, ""
	names, values := q.asked()
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = fmt.Sprintf("%s = %g", schemas.Named(name), values[i])
	}
	t.Coefficients = names
	t.Hypothesis = fmt.Sprintf("the coefficients in %s are %s", regressionWords(q.fits.facts.Log, q.spec.Regression, q.arm), strings.Join(words, ", "))
}

// asked are the coefficients asked about, in the order of their names, and the
// values. A categorical column stands for all its levels but the baseline.
func (q *jointQuestion) asked() (names []string, values []float64) {
	protocol := q.fits.protocol
	for _, key := range slices.Sorted(maps.Keys(q.spec.Joint)) {
		for _, name := range protocol.Log.Expand(key) {
			names, values = append(names, name), append(values, q.spec.Joint[key])
		}
	}
	return names, values
}

func (q *jointQuestion) raw(float64) rawTest {
	names, values := q.asked()
	f, against := q.fits.fittedFor(q.spec.Regression, q.arm, names...)
	if against.Stands() {
		return rawTest{noRaw(f.n(), math.NaN()), against}
	}
	r, err := f.table.Joint(names, values)
	if err != nil {
		return rawTest{noRaw(f.n(), math.NaN()), corrections.Against("A3", err.Error())}
	}
	return f.done(r, fmt.Sprintf("F with %d and %g degrees of freedom", len(names), r.DF))
}

// clip gives no interval: several coefficients have none.
func (q *jointQuestion) clip(float64, float64) *schemas.Interval { return nil }

func (q *jointQuestion) sequence() schemas.TestResult { return noSequence("several coefficients") }

// methods lists the methods that can decide it, in the order in which auto takes them.
func (q *jointQuestion) methods() []string { return []string{schemas.MethodCorrected} }
