package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// asking is the private log under other tests.
func asking(t *testing.T, tests ...string) *lab {
	t.Helper()
	return simulated(t, withTests(private, tests...), 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
}

// withTests replaces the tests of a protocol.
func withTests(source string, tests ...string) string {
	head, _, _ := strings.Cut(source, "  tests:\n")
	return head + "  tests:\n    - {" + strings.Join(tests, "}\n    - {") + "}\n"
}

// moments of an arm by two loops.
func (c column) moments() (n, mean, squares float64) {
	for _, y := range c.y {
		mean += y / float64(len(c.y))
	}
	for _, y := range c.y {
		squares += (y - mean) * (y - mean)
	}
	return float64(len(c.y)), mean, squares
}

// twoSided is P(|T| ≥ |t|) of Student's law, by gonum.
func twoSided(t, df float64) float64 {
	return 2 * distuv.StudentsT{Sigma: 1, Nu: df}.Survival(math.Abs(t))
}

// sigmaOf is σ over the rows of arms, from the costs of single rows.
func (l *lab) sigmaOf(t *testing.T, columns []column, last int, arms ...int) float64 {
	t.Helper()
	sum := 0.0
	for _, arm := range arms {
		for _, cost := range l.costs(t, int64(len(columns[arm].y)), arm == last) {
			sum += 2 * rhoBR(cost)
		}
	}
	return math.Sqrt(sum)
}

// TestDifferences recomputes every raw test of a difference by its definition,
// its correction over the rows of both arms, and its confidence sequence.
func TestDifferences(t *testing.T) {
	const value = -0.15
	tests := []string{"welch", "t", "z, sigma: 0.5", "hoeffding", "bernstein"}
	var lines []string
	for i, name := range tests {
		lines = append(lines, fmt.Sprintf("id: D%d, difference: [a, c], value: %g, test: %s", i, value, name))
	}
	l := asking(t, append(lines, fmt.Sprintf("id: D5, difference: [a, c], value: %g", value))...)
	e := &l.analyse(t, 2).Experiments[0]
	columns, last := l.columns(t, 0)
	n, x, sx := columns[0].moments()
	m, y, sy := columns[2].moments()
	d, va, vb := x-y-value, sx/(n-1)/n, sy/(m-1)/m
	sigma := l.sigmaOf(t, columns, last, 0, 2)
	welch := (va + vb) * (va + vb) / (va*va/(n-1) + vb*vb/(m-1))
	pooled := math.Sqrt((sx + sy) / (n + m - 2) * (1/n + 1/m))
	z := d / (0.5 * math.Sqrt(1/n+1/m))
	// Bernstein: radius at ln(3/δ) by halving for the δ at which it is |d|.
	radius := func(logDelta float64) float64 {
		l := math.Log(3) - logDelta
		u, v := math.Sqrt(sx/(n-1))+math.Sqrt(2*l/(n-1)), math.Sqrt(sy/(m-1))+math.Sqrt(2*l/(m-1))
		return math.Sqrt(2*l*(u*u/n+v*v/m)) + l/3*max(1/n, 1/m)
	}
	lo, hi := -60.0, 0.0
	for range 200 {
		if mid := (lo + hi) / 2; radius(mid) > math.Abs(d) {
			lo = mid
		} else {
			hi = mid
		}
	}
	p := []float64{
		twoSided(d/math.Sqrt(va+vb), welch), twoSided(d/pooled, n+m-2), math.Erfc(math.Abs(z) / math.Sqrt2),
		min(1, 2*math.Exp(-2*d*d/(1/n+1/m))), min(1, 2*math.Exp(hi)),
	}
	p = append(p, boxP(columns[0], columns[2], value)) // the default
	partial := 0
	for i := range e.Tests {
		test := &e.Tests[i]
		if test.Kind != schemas.TestDifference || test.Label != "a" || test.Against != "c" || test.Arm != 0 || test.Test == "" || test.N != int64(n+m) {
			t.Errorf("%+v", test)
		}
		near(t, test.ID+": estimate", *test.Estimate, x-y)
		naive, corrected := method(t, test, schemas.MethodNaive), method(t, test, schemas.MethodCorrected)
		near(t, test.ID+": p", *naive.P, p[i])
		near(t, test.ID+": sigma", float64(*corrected.Sigma), sigma)
		near(t, test.ID+": corrected p", *corrected.P, correct(p[i], sigma))
		if exact := i >= 3; naive.Approximate == exact || corrected.Approximate == exact {
			t.Errorf("%s: approximate %v", test.ID, naive.Approximate)
		}
		if corrected.CI[0] > naive.CI[0] || corrected.CI[1] < naive.CI[1] || corrected.CI[0] < -1 || corrected.CI[1] > 1 {
			t.Errorf("%s: corrected interval %v, raw %v", test.ID, *corrected.CI, *naive.CI)
		}
		if *corrected.P < 1 && *corrected.P > 1.01**naive.P {
			partial++
		}
	}
	if partial < 3 {
		t.Errorf("%d corrected p-values differ from the raw ones and from 1", partial)
	}
	half := sequenceRadius(n, 1, 3, 0.04) + sequenceRadius(m, 1, 3, 0.04)
	s := method(t, &e.Tests[0], schemas.MethodSequence)
	near(t, "confidence sequence [0]", s.CI[0], max(-1, x-y-half))
	near(t, "confidence sequence [1]", s.CI[1], min(1, x-y+half))
	// Welch's intervals hold the values that are not rejected.
	c := method(t, &e.Tests[0], schemas.MethodCorrected)
	near(t, "p at the end of the corrected interval", twoSided((x-y-c.CI[0])/math.Sqrt(va+vb), welch), raise(0.04, sigma))
}

// TestBoundedMeans recomputes Hoeffding's and the empirical Bernstein test of a
// mean, which hold at every number of rows.
func TestBoundedMeans(t *testing.T) {
	l := asking(t, "id: H, arm: c, mean: 0.3, test: hoeffding", "id: B, arm: c, mean: 0.25, test: bernstein, alternative: greater")
	e := &l.analyse(t, 1).Experiments[0]
	columns, _ := l.columns(t, 0)
	n, mean, squares := columns[2].moments()
	near(t, "Hoeffding", *method(t, &e.Tests[0], schemas.MethodNaive).P, min(1, 2*math.Exp(-2*n*(mean-.3)*(mean-.3))))
	b := method(t, &e.Tests[1], schemas.MethodNaive)
	logDelta := math.Log(2 / *b.P)
	near(t, "Bernstein: the radius at its p", math.Sqrt(2*squares/(n-1)*logDelta/n)+7*logDelta/(3*(n-1)), mean-.25)
	for i := range e.Tests {
		if m := method(t, &e.Tests[i], schemas.MethodCorrected); m.Approximate || !m.Applicable {
			t.Errorf("%s: %+v", e.Tests[i].ID, m)
		}
	}
}

// TestDegenerateDifferences: arms without rows, with one and with equal rewards
// have no p and say why, or one that says nothing.
func TestDegenerateDifferences(t *testing.T) {
	source := strings.Replace(plain, "    - {id: H, arm: each, mean: 0.5}\n", `    - {id: W, difference: [a, b], value: 0, test: welch}
    - {id: N, difference: [a, c], value: 0}
    - {id: E, difference: [c, a], value: 0, test: hoeffding}
    - {id: S, difference: [a, b], value: 0, test: bernstein}
    - {id: F, difference: [b, a], value: 0, test: hoeffding}
`, 1)
	e := &plainLab(t, source, logfile.RewardFloat, []int{0, 0, 0, 1, 0}, .5, .5, .5, .25, .5).analyse(t, 1).Experiments[0]
	for i, want := range []string{"the raw test gives no p-value: Welch's t test", "there is no raw p-value: arm c: the arm was never played", "there is no raw p-value: arm c: the arm was never played", "", ""} {
		test := &e.Tests[i]
		m := method(t, test, schemas.MethodCorrected)
		switch {
		case i < 3 && (m.Applicable || !strings.HasPrefix(m.Reason, "A3: "+want) || test.Decision != "not applicable"):
			t.Errorf("%s: %+v", test.ID, m)
		case i >= 3 && (!m.Applicable || *m.P != 1 || *m.CI != (schemas.Interval{-1, 1})):
			t.Errorf("%s: %+v", test.ID, m)
		}
	}
	if s := method(t, &e.Tests[1], schemas.MethodSequence); s.Applicable || s.Reason != "arm c: the arm was never played" {
		t.Errorf("%+v", s)
	}
}

// TestDegenerateArms: with 0, 1 or 2 rows, or equal rewards, no test of a mean
// fails, and each has a p within [0, 1] or says why not.
func TestDegenerateArms(t *testing.T) {
	for _, test := range []string{"t", "z, sigma: 0.25", "hoeffding", "bernstein"} {
		for _, rewards := range [][]float64{{.5}, {0}, {1}, {.25, .75}} {
			source := strings.Replace(plain, "mean: 0.5}", "mean: 0.5, test: "+test+"}", 1)
			e := &plainLab(t, source, logfile.RewardFloat, []int{0, 1, 1}, rewards...).analyse(t, 1).Experiments[0]
			for i := range e.Tests {
				naive := method(t, &e.Tests[i], schemas.MethodNaive)
				if !naive.Applicable && (naive.Reason == "" || naive.P != nil) {
					t.Errorf("%s, %v, arm %d: %+v", test, rewards, i, naive)
				}
				if bounded := test == "hoeffding" || test == "bernstein"; bounded && naive.Applicable != (i < 2) {
					t.Errorf("%s, %v, arm %d: %s", test, rewards, i, naive.Reason)
				}
			}
		}
	}
}

// TestFarTail: a p-value far below the smallest number keeps its logarithm
// through every correction.
func TestFarTail(t *testing.T) {
	arms := rand.New(rand.NewPCG(1, 2)).Perm(6000) // no order, which uniform would not have drawn
	for i := range arms {
		arms[i] %= 3
	}
	source := strings.Replace(plain, "    - {id: H, arm: each, mean: 0.5}\n", "    - {id: H, arm: a, mean: 0.5}\n", 1)
	e := &plainLab(t, source, logfile.RewardBool, arms, 1).analyse(t, 1).Experiments[0]
	for _, name := range []string{schemas.MethodNaive, schemas.MethodCorrected, schemas.MethodMoments, schemas.MethodAnyLaw} {
		m := method(t, &e.Tests[0], name)
		near(t, name+": log2 p", float64(*m.Log2P), -1999)
		if *m.P != math.SmallestNonzeroFloat64 {
			t.Errorf("%s: p %v, want the smallest number above 0", name, *m.P)
		}
	}
	if e.Tests[0].Decision != "rejected" {
		t.Error(e.Tests[0].Decision)
	}
}

// TestUnknownArmOfDifference: where arms come from the log, a difference may
// name one that is not in it.
func TestUnknownArmOfDifference(t *testing.T) {
	source := strings.Replace(withTests(plain, "id: D, difference: [a, zebra], value: 0"), "arms: [a, b, c]\n", "", 1)
	l := plainLab(t, source, logfile.RewardBool, []int{0, 1, 0, 1}, 1, 0)
	_, err := analyze.Run(t.Context(), l.input(0, 1))
	if err == nil || !strings.Contains(err.Error(), `analysis.tests[0].difference[1] is "zebra" (no arm of the log has that label)`) {
		t.Errorf("got %v", err)
	}
}

// TestSelectedByActions: who is most pulled does not depend on which rewards are
// known, and selectors of differences and pooled regressions name their arms.
func TestSelectedByActions(t *testing.T) {
	source := strings.NewReplacer("reward: reward}", "reward: reward, missing_reward: exclude-independent}").Replace(withTests(plain, "id: M, arm: most-pulled, mean: 0.5", "id: L, arm: least-pulled, mean: 0.5"))
	var rows []logfile.Row
	for i := range 90 {
		r := logfile.Row{Arm: []int{0, 0, 0, 0, 1, 1, 1, 2, 2}[i%9], Reward: float64(i % 2)}
		if r.Arm == 0 && i > 5 { // most of the rewards of the most pulled arm
			r.Reward = math.NaN()
		}
		rows = append(rows, r)
	}
	e := &written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, MissingReward: true}, rows).analyse(t, 1).Experiments[0]
	if e.Tests[0].Label != "a" || e.Tests[0].N != 4 || e.Tests[1].Label != "c" {
		t.Errorf("most pulled %s with %d rewards, least %s", e.Tests[0].Label, e.Tests[0].N, e.Tests[1].Label)
	}
}

// TestAlternativeOfRecord: a test says which side it is of; a joint one has none.
func TestAlternativeOfRecord(t *testing.T) {
	source := withTests(plain, "id: A, arm: a, mean: 0.5", "id: B, arm: b, mean: 0.5, alternative: less", "id: D, difference: [a, b], value: 0, alternative: greater",
		"id: J, regression: all, joint: {'arm[b]': 0}")
	source = strings.Replace(source, "  tests:\n", "  regressions: [{name: all, arms: pooled}]\n  tests:\n", 1)
	var got []string
	for _, test := range plainLab(t, source, logfile.RewardBool, []int{0, 1, 2, 0, 1, 2}, 1, 0, 1, 0).analyse(t, 1).Experiments[0].Tests {
		got = append(got, test.ID+" "+test.Alternative)
	}
	if want := "A two-sided, B less, D greater, J "; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}
