package analyze_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// contextRows are the rows of the private log with two covariates, near 5 and
// near 0, which the policy does not see.
type contextRows struct {
	arm []int
	y   []float64
	x   [][]float64
}

func contextLab(t *testing.T, analysis string) (*lab, *contextRows) {
	t.Helper()
	base := simulated(t, private, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
	c := &contextRows{}
	arms, _ := base.columns(t, 0)
	s := base.tableau.Slice(0)
	next, r := make([]int, len(arms)), rand.New(rand.NewPCG(5, 6))
	var rows []logfile.Row
	for i := range s.Chunks() {
		for _, arm := range s.Chunk(i).Arm {
			y := arms[arm].y[next[arm]]
			next[arm]++
			x := []float64{5 + y/2 + r.NormFloat64(), r.NormFloat64()}
			c.arm, c.y, c.x = append(c.arm, int(arm)), append(c.y, y), append(c.x, x)
			rows = append(rows, logfile.Row{Arm: int(arm), Reward: y, X: x})
		}
	}
	head, _, _ := strings.Cut(private, "  multiplicity: holm\n")
	l := &lab{source: strings.Replace(head, "reward: reward}", "reward: reward, context: [x0, x1]}", 1) + analysis, master: base.master}
	l.parse(t)
	return rewritten(t, l, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, ContextDim: 2}, rows), c
}

// leastSquares solves the normal equations of a design by gonum, with the
// classical covariance.
func leastSquares(x *mat.Dense, y []float64) (b *mat.VecDense, cov *mat.Dense, df float64) {
	n, p := x.Dims()
	var gram, inverse mat.Dense
	gram.Mul(x.T(), x)
	if err := inverse.Inverse(&gram); err != nil {
		panic(err)
	}
	var moments, fitted mat.VecDense
	moments.MulVec(x.T(), mat.NewVecDense(n, y))
	b = mat.NewVecDense(p, nil)
	b.MulVec(&inverse, &moments)
	fitted.MulVec(x, b)
	rss := 0.0
	for i := range n {
		rss += (y[i] - fitted.AtVec(i)) * (y[i] - fitted.AtVec(i))
	}
	df = float64(n - p)
	cov = &inverse
	cov.Scale(rss/df, cov)
	return b, cov, df
}

// design is that of one arm, or of all with indicators of b and c.
func (c *contextRows) design(arm int) (*mat.Dense, []float64) {
	var cells, y []float64
	p := 3
	if arm < 0 {
		p = 5
	}
	for i := range c.arm {
		if arm >= 0 && c.arm[i] != arm {
			continue
		}
		cells = append(cells, 1, c.x[i][0], c.x[i][1])
		if arm < 0 {
			indicator := []float64{0, 0, 0}
			indicator[c.arm[i]] = 1
			cells = append(cells, indicator[1:]...)
		}
		y = append(y, c.y[i])
	}
	return mat.NewDense(len(y), p, cells), y
}

// TestCoefficients recomputes tests of coefficients and joint hypotheses of
// regressions per arm and over all arms, and their corrections.
func TestCoefficients(t *testing.T) {
	l, c := contextLab(t, `  multiplicity: none
  regressions:
    - {name: own, covariance: classical}
    - {name: all, arms: pooled, covariance: classical}
  tests:
    - {id: C, regression: own, arm: each, coefficient: x0, value: 0.1}
    - {id: M, regression: own, arm: most-pulled, coefficient: x0, value: 0}
    - {id: J, regression: own, arm: c, joint: {x0: 0.05, x1: 0}}
    - {id: P, regression: all, coefficient: x0, value: 0.1, alternative: greater}
    - {id: A, regression: all, joint: {"arm[b]": 0, "arm[c]": 0}}
`)
	e := &l.analyse(t, 2).Experiments[0]
	columns, last := l.columns(t, 0)
	for arm := range 3 {
		b, cov, df := leastSquares(c.design(arm))
		test := &e.Tests[arm]
		m := methods(test)
		p := twoSided((b.AtVec(1)-.1)/math.Sqrt(cov.At(1, 1)), df)
		sigma := l.sigmaOf(t, columns, last, arm)
		close9(t, test.ID+": estimate", *test.Estimate, b.AtVec(1))
		close9(t, test.ID+": p", *m[schemas.MethodNaive].P, p)
		close9(t, test.ID+": corrected p", *m[schemas.MethodCorrected].P, correct(p, sigma))
		if test.Kind != schemas.TestCoefficient || test.Regression != "own" || !slices.Equal(test.Coefficients, []string{"x0"}) || !m[schemas.MethodCorrected].Approximate ||
			m[schemas.MethodSequence].Applicable || m[schemas.MethodSequence].Reason == "" || *m[schemas.MethodNaive].DF != df || test.N != int64(df)+3 {
			t.Errorf("%+v", test)
		}
	}
	// The regression's own line is the same test against 0.
	most, fit := &e.Tests[3], &e.Regressions[e.Tests[3].Arm]
	near(t, "p of M", *method(t, most, schemas.MethodNaive).P, *fit.Coefficients[1].P)
	near(t, "corrected p of M", *method(t, most, schemas.MethodCorrected).P, *fit.Coefficients[1].PCorrected)
	near(t, "end of M's corrected interval", method(t, most, schemas.MethodCorrected).CI[0], fit.Coefficients[1].CICorrected[0])
	b, cov, df := leastSquares(c.design(2))
	joint(t, &e.Tests[4], []float64{b.AtVec(1) - .05, b.AtVec(2)}, cov.Slice(1, 3, 1, 3), df, l.sigmaOf(t, columns, last, 2))
	b, cov, df = leastSquares(c.design(-1))
	all := l.sigmaOf(t, columns, last, 0, 1, 2)
	p := distuv.StudentsT{Sigma: 1, Nu: df}.Survival((b.AtVec(1) - .1) / math.Sqrt(cov.At(1, 1)))
	close9(t, "p of P", *method(t, &e.Tests[5], schemas.MethodNaive).P, p)
	close9(t, "corrected p of P", *method(t, &e.Tests[5], schemas.MethodCorrected).P, correct(p, all))
	if e.Tests[5].Arm != -1 || e.Tests[5].Label != "" || e.Tests[5].ID != "P" {
		t.Errorf("%+v", e.Tests[5])
	}
	joint(t, &e.Tests[6], []float64{b.AtVec(3), b.AtVec(4)}, cov.Slice(3, 5, 3, 5), df, all)
}

// joint recomputes a joint test of two coefficients. The design here is not
// centred, so that some digits are lost.
func joint(t *testing.T, test *schemas.Test, d []float64, cov mat.Matrix, df, sigma float64) {
	t.Helper()
	v := mat.NewVecDense(2, d)
	var solved mat.VecDense
	if err := solved.SolveVec(cov, v); err != nil {
		t.Fatal(err)
	}
	f := mat.Dot(v, &solved) / 2
	// With two degrees of freedom above, the tail of F is a power.
	p := math.Pow(1+2*f/df, -df/2)
	m := methods(test)
	close9(t, test.ID+": F", *m[schemas.MethodNaive].Statistic, f)
	close9(t, test.ID+": p", *m[schemas.MethodNaive].P, p)
	close9(t, test.ID+": corrected p", *m[schemas.MethodCorrected].P, correct(p, sigma))
	if test.Kind != schemas.TestJoint || test.Estimate != nil || m[schemas.MethodCorrected].CI != nil || len(test.Coefficients) != 2 || test.Value != 0 {
		t.Errorf("%+v", test)
	}
}

// close9 compares what was computed along other lines, to a relative 1e-7.
func close9(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-7*math.Abs(want)) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// TestNoCoefficient: a column that was dropped, an arm without a fit, and more
// columns than rows have no test, and say why.
func TestNoCoefficient(t *testing.T) {
	source := strings.NewReplacer("reward: reward}", "reward: reward, context: [x0, x1]}").Replace(withTests(plain,
		"id: D, regression: r, arm: a, coefficient: x1, value: 0", "id: N, regression: r, arm: c, coefficient: x0, value: 0",
		"id: F, regression: r, arm: b, coefficient: x0, value: 0", "id: J, regression: r, arm: a, joint: {x0: 0, x1: 0}"))
	source = strings.Replace(source, "  tests:\n", "  regressions: [{name: r, covariance: HC3}]\n  tests:\n", 1)
	rows := []logfile.Row{
		{Arm: 0, Reward: .1, X: []float64{1, 2}},
		{Arm: 0, Reward: .2, X: []float64{2, 4}},
		{Arm: 0, Reward: .4, X: []float64{3, 6}},
		{Arm: 0, Reward: .3, X: []float64{4, 8}},
		{Arm: 1, Reward: .3, X: []float64{4, 1}},
		{Arm: 1, Reward: .5, X: []float64{5, 3}},
	}
	e := &written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, ContextDim: 2}, rows).analyse(t, 1).Experiments[0]
	for i, want := range []string{
		"A3: column x1 was dropped: it depends linearly on those before it",
		"A3: there is no fit: regression r of arm c has no rows with a reward",
		"A3: the raw test gives no p-value",
		"A3: column x1 was dropped",
	} {
		m := method(t, &e.Tests[i], schemas.MethodCorrected)
		if m.Applicable || !strings.HasPrefix(m.Reason, want) || e.Tests[i].Decision != "not applicable" {
			t.Errorf("%s: %q, want %q", e.Tests[i].ID, m.Reason, want)
		}
	}
}

// TestNoErrors: a reason says why there is no p, and not what a p would lean on.
func TestNoErrors(t *testing.T) {
	for covariance, want := range map[string]string{
		"{cluster: batch}": "the raw test gives no p-value: CR1: all rows are in one cluster, so there are no standard errors; at least two clusters are needed",
		"classical":        "the raw test gives no p-value: the standard error is 0, with 4 rows and a model of rank 2",
	} {
		source := strings.NewReplacer("reward: reward}", "reward: reward, context: [x0], batch: batch}", "  tests:\n", "  regressions: [{name: r, covariance: "+covariance+"}]\n  tests:\n").Replace(
			withTests(plain, "id: D, regression: r, arm: a, coefficient: x0, value: 0"))
		rows := []logfile.Row{{X: []float64{1}}, {X: []float64{2}, Reward: 0}, {X: []float64{3}, Reward: 0}, {X: []float64{4}, Reward: 0}}
		e := &written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, ContextDim: 1, Batch: true}, rows).analyse(t, 1).Experiments[0]
		if m := method(t, &e.Tests[0], schemas.MethodNaive); m.Applicable || m.Reason != want {
			t.Errorf("%s: %q, want %q", covariance, m.Reason, want)
		}
	}
}

// TestCoefficientsByBatch: with batches as independent, the published route and
// the forms on request have no form, and a family with tests of rows has none by bh.
func TestCoefficientsByBatch(t *testing.T) {
	rows := rolesRows(5, 600)
	spec := rolesSpec()
	spec.Batch = true
	source := strings.NewReplacer(
		columns, columns+", batch: batch", "covariance: HC3", "covariance: {cluster: batch}",
		"{id: H, arm: each, mean: 0.4, test: t}", "{id: C, regression: main, arm: a, coefficient: x0, value: 0}\n    - {id: H, arm: a, mean: 0.4, test: t}",
	).Replace(roles)
	for i := range rows {
		rows[i].Batch = int64(i / 20)
	}
	e := &written(t, t.TempDir(), source, spec, rows).analyse(t, 1).Experiments[0]
	m := methods(&e.Tests[0])
	if m[schemas.MethodPaper].Applicable || !strings.HasPrefix(m[schemas.MethodPaper].Reason, "A4: Theorem 20 is of independent rows or units") ||
		!m[schemas.MethodCorrected].Applicable || e.Tests[0].Units == nil || *e.Tests[0].Units != 30 || *m[schemas.MethodNaive].DF != 29 {
		t.Errorf("%+v\n%+v", e.Tests[0], m[schemas.MethodPaper])
	}
	asked := strings.Replace(source, "  chosen: before\n", "  chosen: before\n  correction: {also: [zcdp, approximate]}\n", 1)
	e = &written(t, t.TempDir(), asked, spec, rows).analyse(t, 1).Experiments[0]
	for _, name := range []string{schemas.MethodZCDP, schemas.MethodDelta} {
		if r := method(t, &e.Tests[0], name); r.Applicable || r.P != nil || r.Reason != "A4: this form is of independent rows, and the regression takes batches as independent" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if !method(t, &e.Tests[1], schemas.MethodZCDP).Applicable {
		t.Error("the test of rows has no form on request")
	}
	// One family over tests by batch and by row has no common blocks for bh.
	l := written(t, t.TempDir(), strings.Replace(source, "  chosen: before\n", "  chosen: before\n  multiplicity: bh\n", 1), spec, rows)
	for _, test := range l.analyse(t, 1).Experiments[0].Tests {
		if m := method(t, &test, schemas.MethodCorrected); m.Applicable || !strings.HasPrefix(m.Reason, "A2: multiplicity bh needs one independent block") || test.Decision != "not applicable" {
			t.Errorf("%s: %+v", test.ID, m)
		}
	}
}

// TestCoefficientsUnchosen: without tests, corrected p-values of coefficients
// need A3 and A5 as tests do, and there are none where nobody declares what
// whoever chose the regressions had seen.
func TestCoefficientsUnchosen(t *testing.T) {
	l, _ := contextLab(t, "  regressions: [{name: main, arms: each, covariance: HC3}]\n")
	for before, want := range map[string]struct {
		chosen, status string
		corrected      bool
	}{
		"before":       {"  chosen: before\n", "declared", true},
		"from-actions": {"  chosen: from-actions\n", "declared", true},
		"after":        {"  chosen: after-rewards\n", "failed", false},
		"nowhere":      {"", "not declared", false},
	} {
		r := l.but(t, changes{"  chosen: before\n": want.chosen}).analyse(t, 1)
		if a5, a3 := r.Assumptions[4].Status, r.Assumptions[2].Status; a5 != want.status || a3 != "declared" {
			t.Errorf("%s: A5 %s, A3 %s", before, a5, a3)
		}
		e := &r.Experiments[0]
		for i := range e.Regressions {
			g := &e.Regressions[i]
			for _, c := range g.Coefficients {
				if (c.PCorrected != nil) != want.corrected || (c.CICorrected != nil) != want.corrected || c.P == nil || c.BiasBound == nil {
					t.Errorf("%s: %+v", before, c)
				}
			}
		}
		if !want.corrected {
			warned(t, e, "regressions: p_corrected and ci_corrected of coefficients are NOT APPLICABLE: A5: ")
			warned(t, e, "(analysis.chosen)")
		}
	}
}
