package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// methods are the answers of a test by method.
func methods(test *schemas.Test) map[string]*schemas.TestResult {
	out := map[string]*schemas.TestResult{}
	for i := range test.Results {
		out[test.Results[i].Method] = &test.Results[i]
	}
	return out
}

// levelsOf are the costs of an arm's rows, one level for each.
func (l *lab) levelsOf(t *testing.T, columns []column, last, arm int) []maxinfo.Level {
	t.Helper()
	var out []maxinfo.Level
	for _, c := range l.costs(t, int64(len(columns[arm].y)), arm == last) {
		out = append(out, maxinfo.Level{Cost: c, Rows: 1})
	}
	return out
}

// anyLaw is the shift of the odds by the sum of the costs.
func anyLaw(p float64, levels []maxinfo.Level) float64 {
	sum := 0.0
	for _, l := range levels {
		sum += l.Cost
	}
	return math.Exp(sum) * p / (1 + math.Expm1(sum)*p)
}

// byMoments is the least over a grid of α of the bound from the moments.
func byMoments(p float64, levels []maxinfo.Level) float64 {
	k := func(x, c float64) float64 {
		if y := x * c / 2; y > 0 {
			return x * math.Log(math.Sinh(y)/y)
		}
		return 0
	}
	best, rows := 1.0, map[float64]float64{}
	for _, l := range levels {
		rows[l.Cost] += float64(l.Rows)
	}
	for x := -3.0; x < 4; x += 1e-3 {
		alpha, s := 1+math.Exp(x), 0.0
		for c, n := range rows {
			s += n * (k(alpha, c) - k(alpha-1, c) - k(1, c))
		}
		best = min(best, math.Exp((1-1/alpha)*math.Log(p)+s/alpha))
	}
	return best
}

// TestOtherCorrections recomputes the corrections beside the headline, for every
// arm.
func TestOtherCorrections(t *testing.T) {
	l := privateLab(t)
	e := &l.analyse(t, 1).Experiments[0]
	columns, last := l.columns(t, 0)
	for i := range e.Tests {
		test := &e.Tests[i]
		m, levels := methods(test), l.levelsOf(t, columns, last, test.Arm)
		p := *m[schemas.MethodNaive].P
		near(t, test.ID+": any law", *m[schemas.MethodAnyLaw].P, anyLaw(p, levels))
		// A grid step of 1e-3 in ln(α−1) leaves the least by a share of below 1e-6.
		got, want := *m[schemas.MethodMoments].P, byMoments(p, levels)
		if got > want*(1+1e-9) || got < want*(1-1e-6) {
			t.Errorf("%s: moments %v, the least over a grid is %v", test.ID, got, want)
		}
		if *m[schemas.MethodMoments].P > *m[schemas.MethodCorrected].P*(1+1e-12) {
			t.Errorf("%s: moments %v above the headline %v", test.ID, *m[schemas.MethodMoments].P, *m[schemas.MethodCorrected].P)
		}
		for _, name := range []string{schemas.MethodMoments, schemas.MethodAnyLaw} {
			if !m[name].Conditional || m[name].PAdjusted != nil {
				t.Errorf("%s: %s: %+v", test.ID, name, m[name])
			}
		}
		if m[schemas.MethodRecursion] != nil || m[schemas.MethodZCDP] != nil || m[schemas.MethodDelta] != nil {
			t.Errorf("%s: forms that nobody asked for", test.ID)
		}
	}
}

// oneTest is the private log, shorter and under one test, and the same log under
// a method of correction.
func oneTest(t *testing.T, rounds int64) (l *lab, with func(correction string) map[string]*schemas.TestResult) {
	t.Helper()
	l = simulated(t, withTests(private, "id: H, arm: most-pulled, mean: 0.5"), 4, &world.Spec{Means: []float64{.2, .35, .4}, Rounds: rounds})
	return l, func(correction string) map[string]*schemas.TestResult {
		t.Helper()
		e := l.but(t, changes{"multiplicity: holm": "correction: {" + correction + "}"}).analyse(t, 1).Experiments[0]
		return methods(&e.Tests[0])
	}
}

// TestPublished: Theorem 20 as the headline and beside it, at the best β and at
// a given one.
func TestPublished(t *testing.T) {
	_, with := oneTest(t, 300)
	published, given := with("method: theorem20"), with("method: theorem20, beta: 0.001")
	p, k := *published[schemas.MethodNaive].P, 0.1*0.1*300/2+0.1*math.Sqrt(300*math.Log(2/0.001)/2)
	head := published[schemas.MethodCorrected]
	near(t, "headline", *head.P, paperP(p, 0.1, 300))
	if head.Conditional || head.Sigma != nil || published[schemas.MethodConditional].Sigma == nil || !strings.Contains(head.Correction, "averaged over the actions") {
		t.Errorf("%+v", head)
	}
	near(t, "headline at β", *given[schemas.MethodCorrected].P, min(1, 0.001+math.Exp(k)*p))
	near(t, "beside it at the best β", *given[schemas.MethodPaper].P, paperP(p, 0.1, 300))
	// Of no headline, a β is of the published route beside it.
	near(t, "at β beside another headline", *with("beta: 0.001")[schemas.MethodPaper].P, min(1, 0.001+math.Exp(k)*p))
}

// TestRecursion: the recursion is the headline where it is asked for, the least
// of the corrections of one p where that is, and the moments where there are too
// many rows for it.
func TestRecursion(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the recursion, which takes a good part of a second for every arm")
	}
	l, with := oneTest(t, 100)
	columns, last := l.columns(t, 0)
	recursion, best := with("method: recursion"), with("method: best")
	p := *recursion[schemas.MethodNaive].P
	own, err := maxinfo.Recursion(l.levelsOf(t, columns, last, l.analyse(t, 1).Experiments[0].Tests[0].Arm))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "recursion", *recursion[schemas.MethodCorrected].P, math.Exp(own.Apply(math.Log(p))))
	near(t, "recursion beside the best", *best[schemas.MethodRecursion].P, *recursion[schemas.MethodCorrected].P)
	if recursion[schemas.MethodRecursion] != nil {
		t.Error("the headline stands twice")
	}
	head := *best[schemas.MethodCorrected].P
	near(t, "best", head, min(*best[schemas.MethodRecursion].P, *best[schemas.MethodMoments].P, *best[schemas.MethodAnyLaw].P, *best[schemas.MethodConditional].P))
	near(t, "conditional beside it", *best[schemas.MethodConditional].P, *recursion[schemas.MethodConditional].P)
	if head > 0.9 || head < 1.01*p {
		t.Errorf("corrected p %v of %v shows nothing", head, p)
	}
}

// TestTooLongForRecursion: with more than 1,000 rows of an arm the moments stand
// in, and say so.
func TestTooLongForRecursion(t *testing.T) {
	source := strings.Replace(withTests(private, "id: H, arm: most-pulled, mean: 0.5"), "multiplicity: holm", "correction: {method: recursion}", 1)
	e := &simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 4000}).analyse(t, 1).Experiments[0]
	m := methods(&e.Tests[0])
	if e.Tests[0].N <= 1000 || m[schemas.MethodRecursion] != nil || m[schemas.MethodMoments] != nil ||
		!strings.Contains(m[schemas.MethodCorrected].Correction, "moments") || m[schemas.MethodConditional] == nil ||
		!strings.Contains(m[schemas.MethodCorrected].Reason, "the recursion is for up to 1,000 rows") {
		t.Errorf("%d rows: %+v", e.Tests[0].N, m[schemas.MethodCorrected])
	}
}

// TestOnRequest: the forms of other notions of privacy are printed where they
// are asked for, with what they are, over all rounds.
func TestOnRequest(t *testing.T) {
	source := strings.NewReplacer(
		"epsilon: 0.1, horizon", "epsilon: 0.01, horizon", "privacy: {epsilon: 0.1}", "privacy: {epsilon: 0.01, definition: approximate, delta: 1e-9}",
		"multiplicity: holm", "correction: {also: [approximate, zcdp]}",
	).Replace(private)
	l := simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 300})
	e := &l.analyse(t, 1).Experiments[0]
	rho := float64(*e.Privacy.RhoMechanism)
	for i := range e.Tests {
		m := methods(&e.Tests[i])
		p := *m[schemas.MethodNaive].P
		for _, name := range []string{schemas.MethodZCDP, schemas.MethodDelta} {
			if m[name] == nil || !m[name].Applicable || m[name].Conditional || !strings.Contains(m[name].Reason, "own proof, internally reviewed; averaged over the actions; loose") {
				t.Fatalf("%s: %+v", name, m[name])
			}
		}
		// The p is where the divergence of the two coins reaches all nats.
		q := *m[schemas.MethodZCDP].P
		if kl := q*math.Log(q/p) + (1-q)*math.Log((1-q)/(1-p)); q < 1 && p < q && math.Abs(kl-300*rho) > 1e-6*300*rho {
			t.Errorf("%s: kl(%v, %v) = %v, want %v", e.Tests[i].ID, q, p, kl, 300*rho)
		}
		// The least over a grid of β and of what it is made of is close above.
		eps, delta, n, least := float64(*e.Privacy.EpsilonMechanism), 1e-9, 300.0, 1.0
		for s := 1.001; s < 3; s *= 1.02 {
			for d := 1e-5; d < 3; d *= 1.2 {
				for b := 1e-8; b < 1; b *= 1.3 {
					z := eps * s
					beta := b + n*(1+math.Exp(-z))*(1+1/d)*delta/-math.Expm1(eps-z)
					k := n*(math.Exp(z)*(z-1)+1) + d + z*math.Sqrt(2*n*math.Log(1/b))
					least = min(least, beta+math.Exp(k)*p)
				}
			}
		}
		if got := *m[schemas.MethodDelta].P; got > least*1.0001 || got < 0.9*least {
			t.Errorf("%s: (ε, δ) %v, the least over a grid is %v", e.Tests[i].ID, got, least)
		}
	}
	for i := range e.Arms {
		near(t, "bias bound of (ε, δ)", *e.Arms[i].BiasBoundDelta, math.Tanh(float64(*e.Privacy.EpsilonMechanism)/4)+3*300*1e-9/4)
	}
	warned(t, e, "bias_bound_approximate is averaged over the actions")
	pure := privateLab(t).but(t, changes{"multiplicity: holm": "correction: {also: [approximate]}"}).analyse(t, 1)
	if m := methods(&pure.Experiments[0].Tests[0])[schemas.MethodDelta]; m.Applicable || !strings.Contains(m.Reason, "A1: this form needs a claim of (ε, δ)") {
		t.Errorf("%+v", m)
	}
}
