package plan

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/schemas"
)

func literals(texts ...string) []schemas.Rational {
	var out []schemas.Rational
	for _, s := range texts {
		out = append(out, schemas.MustRational(s))
	}
	return out
}

func answer(t *testing.T, q Question) *documents.Plan {
	t.Helper()
	p, err := Run(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// small is a question that is quickly answered.
func small() Question {
	return Question{Rounds: 1000, Arms: 2, Effect: .3, Epsilons: literals("0.001", "2"), Runs: 20, Jobs: 2}
}

func TestSameForAnyJobs(t *testing.T) {
	var first []byte
	for _, jobs := range []int{1, 3} {
		q := small()
		q.Jobs = jobs
		b, err := schemas.Encode(answer(t, q))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		}
		if !bytes.Equal(b, first) {
			t.Errorf("%d jobs give another plan", jobs)
		}
	}
	q := small()
	q.Seed = 1
	if b, err := schemas.Encode(answer(t, q)); err != nil || bytes.Equal(b, first) {
		t.Errorf("another seed gives the same plan (%v)", err)
	}
}

// With ε = .001 the allowance for noise keeps both arms of successive
// elimination to the end: the regret is that of uniform play, in every run, and
// each arm has 500 rows, of which 255 are in epochs that have ended.
func TestUniformPlay(t *testing.T) {
	p := answer(t, small())
	m := p.Frontier[0].Mechanisms[0]
	if m.Policy != "successive-elimination" || math.Abs(m.Regret.Value-150) > 1e-9 || m.Regret.Lo != m.Regret.Value || m.Regret.Hi != m.Regret.Value {
		t.Errorf("regret of %s is %v, want 150 in every run", m.Policy, m.Regret)
	}
	if math.Abs(p.World.UniformRegret-150) > 1e-9 {
		t.Errorf("uniform play has regret %g, want 150", p.World.UniformRegret)
	}
	if want := .001 * math.Sqrt(255) / 2; math.Abs(*m.Sigma-want) > 1e-6*want {
		t.Errorf("σ = %g, want ½·ε·√255 = %g", *m.Sigma, want)
	}
	// An effect of .3 in 500 rows is 13 standard errors.
	if m.Power.Value != 1 || m.Sequence.Value != 1 || m.Found.Value != 1 {
		t.Errorf("power %v, by sequence %v, found %v; want 1", m.Power, m.Sequence, m.Found)
	}
	// Clopper and Pearson, 20 of 20: (.025)^(1/20).
	if want := math.Pow(.025, 1.0/20); math.Abs(m.Power.Lo-want) > 1e-9 || m.Power.Hi != 1 {
		t.Errorf("interval of 20 of 20 is %v, want [%g, 1]", m.Power, want)
	}
}

// All mechanisms meet the same rewards, so that what stands beside does not
// depend on which ε are asked about.
func TestSameWorld(t *testing.T) {
	q, r := small(), small()
	r.Epsilons = literals("0.5")
	a, b := answer(t, q), answer(t, r)
	for i := range a.Exact {
		if a.Exact[i].Regret != b.Exact[i].Regret || *a.Exact[i].FalseAlarms != *b.Exact[i].FalseAlarms {
			t.Errorf("%s: %v and %v", a.Exact[i].Policy, a.Exact[i], b.Exact[i])
		}
		if a.Exact[i].Power != nil || a.Exact[i].Sigma != nil {
			t.Errorf("%s on exact sums has a corrected test", a.Exact[i].Policy)
		}
	}
}

// Regret and bounds are on the scale of the reward, power has none.
func TestScale(t *testing.T) {
	q, r := small(), small()
	r.Range, r.Effect = []float64{-2, 6}, 2.4
	a, b := answer(t, q), answer(t, r)
	for i := range a.Frontier {
		for j := range a.Frontier[i].Mechanisms {
			x, y := a.Frontier[i].Mechanisms[j], b.Frontier[i].Mechanisms[j]
			if math.Abs(8*x.Regret.Value-y.Regret.Value) > 1e-9*y.Regret.Value || x.Found != y.Found || x.Sequence != y.Sequence {
				t.Errorf("ε = %g: %+v and %+v", a.Frontier[i].Epsilon, x, y)
			}
		}
	}
	if a.World.Test != "exact" || b.World.Test != "bets" || b.World.Tested != 2 {
		t.Errorf("tests %s and %s of %g", a.World.Test, b.World.Test, b.World.Tested)
	}
}

// judged is a run that ended with so many rewards of 1 in so many rounds of two
// arms of means .7 and .5, tested at .05 against .5.
func judged(t *testing.T, epsilon string, ones, rounds [2]int, equal bool) run {
	t.Helper()
	q := Question{Rounds: 200, Arms: 2, Effect: .2}
	q.fill()
	s, err := q.newSetting(pair{"successive-elimination", "laplace"}, schemas.MustRational(epsilon), equal)
	if err != nil {
		t.Fatal(err)
	}
	played := s.unplayed()
	for i := range played.arms {
		for j := range rounds[i] {
			y := 0.0
			if j < ones[i] {
				y = 1
			}
			played.add(i, y)
		}
	}
	return s.judge(played, 1)
}

// Of 75 in 100 against ½ the exact p is 5.6e-7, and that of the sequence
// 2·√2·e^(−50²/400) = .0055; of 52 both are above .05.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name         string
		epsilon      string
		ones, rounds [2]int
		want         run
	}{
		{"found and rejected", "0.001", [2]int{75, 30}, [2]int{100, 60}, run{found: true, corrected: true, sequence: true}},
		{"found, on the wrong side", "0.001", [2]int{30, 30}, [2]int{100, 60}, run{found: true}},
		{"another arm pulled most", "0.001", [2]int{60, 70}, [2]int{60, 100}, run{}},
		{"nothing to see", "0.001", [2]int{52, 30}, [2]int{100, 60}, run{found: true}},
	} {
		got := judged(t, c.epsilon, c.ones, c.rounds, false)
		if got.found != c.want.found || got.corrected != c.want.corrected || got.sequence != c.want.sequence || got.falsely {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if want := .2 * float64(c.rounds[1]); math.Abs(got.regret-want) > 1e-12 {
			t.Errorf("%s: regret %g, want %g", c.name, got.regret, want)
		}
	}
	if !judged(t, "0.001", [2]int{50, 10}, [2]int{100, 60}, true).falsely || judged(t, "0.001", [2]int{50, 30}, [2]int{100, 60}, true).falsely {
		t.Error("10 of 60 of the least-pulled arm rejects ½, 30 of 60 does not")
	}
}

// The exact p of 70 in 100 against ½ is 2·P(X ≥ 70) = 7.85e-5. It is corrected
// to .05 at σ = √(2·ln(1/p)) − √(2·ln 20) = 1.90: below that the test rejects, and
// above it does not.
func TestJudgeSigma(t *testing.T) {
	const p = 7.85e-5
	sigmaAt := math.Sqrt(-2*math.Log(p)) - math.Sqrt(2*math.Log(20))
	last := true
	for _, epsilon := range []string{"0.001", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.4", "0.6", "1", "2"} {
		got := judged(t, epsilon, [2]int{70, 30}, [2]int{100, 60}, false)
		if want := got.sigma <= sigmaAt; got.corrected != want && math.Abs(got.sigma-sigmaAt) > .01 {
			t.Errorf("ε = %s, σ = %g: corrected test rejects %v, want %v", epsilon, got.sigma, got.corrected, want)
		}
		last = got.corrected
	}
	if last {
		t.Error("the test rejects at ε = 2 too, so that nothing was compared")
	}
}

// What the plan ends with is a protocol, of the mechanism that was simulated.
func TestProtocol(t *testing.T) {
	plain, wide, beta, chosen := small(), small(), small(), small()
	plain.Epsilons, wide.Epsilons, beta.Epsilons = literals("0.5"), literals("0.5"), literals("0.5")
	wide.Range, wide.Effect = []float64{-2, 6}, 2
	beta.SD, beta.Alpha = .2, .01
	chosen.Epsilons, chosen.Policy, chosen.On, chosen.Set = literals("1/3"), "softmax", "hybrid", map[string]string{"eta": "0.5"}
	for _, c := range []struct {
		q     Question
		wants []string
	}{
		{plain, []string{"epsilon: 0.5", "range: [0, 1]", "mean: 0.5, test: exact", "alpha: 0.05"}},
		{wide, []string{"range: [-2, 6]", "mean: 2, test: bets"}},
		{beta, []string{"mean: 0.5, test: bets", "alpha: 0.01"}},
		{chosen, []string{"name: softmax", "eta: 0.5", "name: hybrid", "epsilon: 1/3"}},
	} {
		p := answer(t, c.q)
		for _, want := range c.wants {
			if !strings.Contains(p.Protocol, want) {
				t.Errorf("no %q in\n%s", want, p.Protocol)
			}
		}
		doc, err := analyze.Standard().Format().ParseProtocol("plan", []byte(p.Protocol))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = analyze.Standard().New(&doc.Protocol, doc.Protocol.Arms); err != nil {
			t.Error(err)
		}
	}
}

// TestRefused: what makes no sense is named by its flag.
func TestRefused(t *testing.T) {
	for want, q := range map[string]Question{
		"--rounds":    {},
		"--p:":        {Rounds: 10, P: 2},
		"--alpha":     {Rounds: 10, Alpha: math.NaN()},
		"--range":     {Rounds: 10, Range: []float64{1, 1}},
		"--epsilon":   {Rounds: 10, Epsilons: literals("inf")},
		"--bias":      {Rounds: 10, Wishes: Wishes{Bias: new(0.0)}},
		"--inflation": {Rounds: 10, Wishes: Wishes{Inflation: new(1.0)}},
		"--power":     {Rounds: 10, Wishes: Wishes{Power: new(.8)}},
		"--regret":    {Rounds: 10, Arms: 2, Wishes: Wishes{Regret: new(-1.0)}},
		"--arms":      {Rounds: 10, Arms: 1},
		"--means":     {Rounds: 10, Means: []float64{.5, 1.5}},
		"all are eq":  {Rounds: 10, Means: []float64{.5, .5}},
		"--effect":    {Rounds: 10, Means: []float64{.5, .6}, Effect: .1},
		"--sd":        {Rounds: 10, Arms: 2, SD: .6},
		"nearly the":  {Rounds: 10, Arms: 2, SD: .4999},
		"--runs":      {Rounds: 10, Arms: 2, Runs: 1},
		"--policy":    {Rounds: 10, Arms: 2, Policy: "ucb"},
		"--counter":   {Rounds: 10, Arms: 2, Policy: "ucb", On: "exact"},
		"nearest is ": {Rounds: 10, Arms: 2, Policy: "ucbb", On: "hybrid", Epsilons: literals("1")},
		"of the coun": {Rounds: 10, Arms: 2, Policy: "softmax", On: "interval", Epsilons: literals("1")},
		"no rewards":  {Rounds: 10, Arms: 2, Policy: "uniform", On: "hybrid", Epsilons: literals("1")},
		"contexts":    {Rounds: 10, Arms: 2, Policy: "linucb", On: "hybrid", Epsilons: literals("1")},
		"no world is": {Rounds: 10, Runs: 5},
		"more than t": {Rounds: 1 << 39, Arms: 2},
	} {
		if _, err := Run(t.Context(), q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, small()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
