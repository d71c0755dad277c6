package analyze

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// coefficientQuestion asks whether a coefficient of a declared regression is a
// value.
type coefficientQuestion struct {
	*declaredTest
	fits *fits
}

var _ question = (*coefficientQuestion)(nil)

func (q *coefficientQuestion) describe(t *schemas.Test) {
	q.fits.describeRegression(t, q.spec, q.arm)
	t.Kind, t.Coefficients, t.Value = schemas.TestCoefficient, []string{q.spec.Coefficient}, *q.spec.Value
	t.Hypothesis = fmt.Sprintf("the coefficient of %s in %s %s %g", schemas.Named(q.spec.Coefficient), regressionWords(q.fits.facts.Log, q.spec.Regression, q.arm), nullWords(q.alt), t.Value)
}

func (q *coefficientQuestion) raw(logAlpha float64) rawTest {
	f, against := q.fits.fittedFor(q.spec.Regression, q.arm, q.spec.Coefficient)
	if against.Stands() {
		return rawTest{noRaw(f.n(), math.NaN()), against}
	}
	i, _ := f.find(q.spec.Coefficient)
	c := &f.table.Coefficients[i]
	r := c.Test(*q.spec.Value, q.alt, logAlpha)
	r.Warnings = append(r.Warnings, c.Warnings...)
	return f.done(r, "Student's t")
}

func (q *coefficientQuestion) clip(lo, hi float64) *schemas.Interval {
	return schemas.NewInterval(lo, hi)
}

func (q *coefficientQuestion) sequence() schemas.TestResult { return noSequence("a coefficient") }

// methods lists the methods that can decide it, in the order in which auto takes them.
func (q *coefficientQuestion) methods() []string { return []string{schemas.MethodCorrected} }
