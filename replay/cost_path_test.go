package replay

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Pairs that read exact sums and draw: ε of one decision, and of T rounds. The
// logarithms ln 19 = 2.94443897916644046, ln 8 = 2.07944154167983593,
// ln 9 = 2.19722457733621938 and ln 10 = 2.302585092994045684 are those of mpmath 1.3.0 (Python 3.11):
//
//	python3 -c "from mpmath import *; mp.dps=18; print([log(x) for x in (19,8,9,10)])"
func TestPairLawOfDraws(t *testing.T) {
	exact := &schemas.Counter{Name: "exact"}
	hybrid := &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("0.3")}
	width := schemas.Values{"delta": 0.05}
	over := func(eta float64, kind string, value float64) schemas.Policy {
		return schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": eta}, Floor: &schemas.Floor{Kind: kind, Value: value}}
	}
	for _, tt := range []struct {
		name     string
		policy   schemas.Policy
		counter  *schemas.Counter
		eligible string
		arms     int
		want     float64 // ε of 11 rounds
	}{
		{"softmax", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.1}}, exact, "", 2, 1},
		{"softmax, noise", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.1}}, hybrid, "", 2, .3},
		{"softmax, floor that matters", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 3.0}, Floor: schemas.Mix(0.1)}, exact, "", 3, 10 * 2.07944154167983593},
		{"softmax, floor that does not", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 1.5}, Floor: schemas.Mix(0.1)}, exact, "", 3, 15},
		{"ε-greedy", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": .1}}, exact, "", 2, 10 * 2.94443897916644046},
		{"ε-greedy that only explores", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 1.0}}, exact, "", 2, 0},
		{"greedy", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.0}}, exact, "", 2, math.Inf(1)},
		{"greedy, floor", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.0}, Floor: schemas.Mix(0.1)}, exact, "", 3, 10 * 2.07944154167983593},
		{"ε-greedy, noise", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": .1}}, hybrid, "", 2, .3},
		{"ucb", schemas.Policy{Name: "ucb", Own: schemas.Values{"width": width}}, exact, "", 2, math.Inf(1)},
		{"ucb, floor", schemas.Policy{Name: "ucb", Own: schemas.Values{"width": width}, Floor: schemas.Mix(0.1)}, exact, "", 3, 10 * 2.07944154167983593},
		{"ucb, floor, arms that may be missing", schemas.Policy{Name: "ucb", Own: schemas.Values{"width": width}, Floor: schemas.Mix(0.1)}, exact, "e", 3, 10 * 2.19722457733621938},
		{"ucb, a floor that leaves no choice", schemas.Policy{Name: "ucb", Own: schemas.Values{"width": width}, Floor: schemas.Mix(0.25)}, exact, "", 4, 0},
		{"ucb, floor, noise", schemas.Policy{Name: "ucb", Own: schemas.Values{"width": width}, Floor: schemas.Mix(0.1)}, hybrid, "", 3, .3},
		{"softmax, clipped", over(3, "clip", 0.1), exact, "", 3, 10 * 2.302585092994045684},
		{"softmax, clipped, some missing", over(3, "clip", 0.1), exact, "e", 3, 10 * 2.302585092994045684},
		{"softmax, clipped, twice its own", over(0.5, "clip", 0.1), exact, "", 3, 10},
		{"softmax, water", over(0.1, "water", 0.1), exact, "", 3, 10 * 2.07944154167983593},
		{"softmax, water, some missing", over(0.1, "water", 0.1), exact, "e", 3, 10 * 2.19722457733621938},
		{"softmax, rest", over(0.1, "rest", 0.1), exact, "", 3, 10 * 2.07944154167983593},
		{"softmax, rest, some missing", over(0.1, "rest", 0.1), exact, "e", 3, 10 * 2.19722457733621938},
		{"softmax, rest that may leave the best less", over(0.1, "rest", 0.26), exact, "", 3, math.Inf(1)},
		{"softmax, rest that may leave the best less, some missing", over(0.1, "rest", 0.26), exact, "e", 3, math.Inf(1)},
		{"ε-greedy, decaying, clipped", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 5.0}}, Floor: &schemas.Floor{Kind: "clip", Value: 0.1}}, exact, "", 3, 10 * 2.302585092994045684},
		{"softmax over one arm", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 2.0}}, exact, "", 1, 0},
	} {
		p := declare(tt.policy, tt.counter)
		p.Log.Eligible = tt.eligible
		law := build(t, p, tt.arms).LawOver(11)
		if got := law.Epsilon().Up(); got < tt.want*(1-1e-16) || got > tt.want*(1+1e-14) {
			t.Errorf("%s: ε %v, want %v", tt.name, got, tt.want)
		}
		if rho := ledger.Concentrated(law); rho < 0 || rho > ledger.PureRho(law.Epsilon().Up()) || (tt.want == 0) != (rho == 0) {
			t.Errorf("%s: ρ %v of ε %v", tt.name, rho, tt.want)
		}
	}
}

// Sums of decaying losses over the decisions a…b that do not only explore, here
// from T−m+1 or ⌈c⌉ on; mpmath 1.3.0, Python 3.11:
//
//	from mpmath import *
//	mp.dps = 40
//	S = lambda c, k, a, b: (b-a+1)*log(mpf(k)/c) + loggamma(b+1-mpf(k-1)*c/k) - loggamma(a-mpf(k-1)*c/k)
//	for c, k, m, T in ((5, 3, 10**8-1000, 10**8), (2.5, 2, 1000, 10**6), (100, 50, 4901, 5000), (100, 50, 5000, 5000)):
//	    print(nstr(S(c, k, max(T-m+1, int(ceil(c))), T), 25))
func TestDecayingAgainstReference(t *testing.T) {
	for _, tt := range []struct {
		c         float64
		k         int
		m, rounds int64
		want      float64
	}{
		{5, 3, 1e8 - 1000, 1e8, 1690980082.465050918279061},
		{2.5, 2, 1000, 1e6, 13591.86608952452430409964},
		{100, 50, 4901, 5000, 33360.30108405048046654712},
		{100, 50, 5000, 5000, 33360.30108405048046654712}, // the first 99 decisions only explore
		{100, 50, 50, 80, 0},
	} {
		d := newDecaying(tt.c, tt.k, ledger.Infinite())
		if got := d.Up(tt.m, tt.rounds); got < tt.want || got > tt.want*(1+1e-10) {
			t.Errorf("c = %v, K = %d, last %d of %d: %v, want %v", tt.c, tt.k, tt.m, tt.rounds, got, tt.want)
		}
	}
}

// Sums of decaying losses against their terms, with a floor and without: never
// below, and not far above.
func TestDecayingAgainstTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := math.Exp(rapid.Float64Range(-3, 6).Draw(t, "ln c"))
		k := rapid.IntRange(2, 30).Draw(t, "k")
		rounds := rapid.Int64Range(1, 3000).Draw(t, "rounds")
		m := rapid.Int64Range(0, rounds).Draw(t, "m")
		floor := ledger.Infinite()
		if rapid.Bool().Draw(t, "floor") {
			floor = log1p(param.Literal(rapid.Float64Range(0, 50).Draw(t, "excess")))
		}
		d := newDecaying(c, k, floor)
		want, rho := 0.0, 0.0
		for s := rounds - m + 1; s <= rounds; s++ {
			one := min(floor.Up(), math.Log1p(max(0, float64(k)*(float64(s)-c)/c)))
			want += one
			rho += one * math.Tanh(one/2)
		}
		got := d.Up(m, rounds)
		if got < want*(1-1e-12) || got > want*(1+1e-9)+1e-8 {
			t.Fatalf("last %d of %d: %v, terms sum to %v", m, rounds, got, want)
		}
		if loss := d.Last(m, rounds).Float(); loss != got {
			t.Fatalf("as a loss %v, as a number %v", loss, got)
		}
		// Squares of losses below 1e-150 are subnormal: the terms are rounded there
		// by more than any relative margin.
		if r := d.Rho(m, rounds); r < rho*(1-1e-12)-1e-300 || r > ledger.PureRho(got) {
			t.Fatalf("ρ %v, terms sum to %v", r, rho)
		}
	})
}

// Where arms are not declared, those at hand may not be all: nothing that
// depends on their number stands. ln 9 = 2.19722457733621938.
func TestPairLawOfArmsNotDeclared(t *testing.T) {
	exact := &schemas.Counter{Name: "exact"}
	hybrid := &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("0.3")}
	beta := schemas.Values{"alpha": 1.0, "beta": 1.0}
	explore := 0.1
	inf := math.Inf(1)
	for _, tt := range []struct {
		name     string
		policy   schemas.Policy
		counter  *schemas.Counter
		arms     int
		want     float64 // ε of 11 rounds
		violates bool    // above a claim it contradicts it
	}{
		{"thompson, one arm seen", schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": beta}}, exact, 1, inf, false},
		{"thompson", schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": beta}}, exact, 3, inf, false},
		{"ε-greedy", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": explore}}, exact, 2, inf, false},
		{"ε-greedy, decaying", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 5.0}}}, exact, 2, inf, false},
		{"ε-greedy, decaying, floor", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 5.0}}, Floor: schemas.Mix(0.1)}, exact, 2, 10 * 2.19722457733621938, false},
		{"softmax, clipped", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 3.0}, Floor: &schemas.Floor{Kind: "clip", Value: 0.1}}, exact, 3, 10 * 2.302585092994045684, false},
		{"softmax, water", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 3.0}, Floor: &schemas.Floor{Kind: "water", Value: 0.1}}, exact, 3, 10 * 2.19722457733621938, false},
		{"softmax, rest", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 3.0}, Floor: &schemas.Floor{Kind: "rest", Value: 0.1}}, exact, 3, inf, false},
		{"ε-greedy, floor", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": explore}, Floor: schemas.Mix(0.1)}, exact, 3, 10 * 2.19722457733621938, false},
		{"ε-greedy that only explores", schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 1.0}}, exact, 2, 0, true},
		{"softmax, one arm seen", schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.1}}, exact, 1, 1, false},
		{"ucb, one arm seen", schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 2.0}}}, exact, 1, inf, false},
		{"ucb", schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 2.0}}}, exact, 2, inf, true},
		{"thompson, noise", schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": beta}}, hybrid, 1, .3, true},
	} {
		m, err := Standard().New(declare(tt.policy, tt.counter), labels(tt.arms))
		if err != nil {
			t.Fatal(err)
		}
		law := m.LawOver(11)
		if got := law.Epsilon().Up(); got < tt.want*(1-1e-16) || got > tt.want*(1+1e-14) {
			t.Errorf("%s: ε %v, want %v", tt.name, got, tt.want)
		}
		if slack := ledger.Slack(law); (slack == "") != tt.violates {
			t.Errorf("%s: slack %q", tt.name, slack)
		}
	}
}

// With an infinite ε only a policy that draws nothing contradicts a claim.
func TestSlackOfExactSums(t *testing.T) {
	exact := &schemas.Counter{Name: "exact"}
	for _, tt := range []struct {
		policy   schemas.Policy
		violates bool
	}{
		{schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 2.0}}, Ties: "seeded"}, true},
		{schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.0}}, true},
		{schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.1}}, false},
		{schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": schemas.Values{"alpha": 1.0, "beta": 1.0}}}, false},
		{schemas.Policy{Name: "uniform"}, true},
	} {
		if slack := ledger.Slack(build(t, declare(tt.policy, exact), 3).LawOver(9)); (slack == "") != tt.violates {
			t.Errorf("%s: slack %q", tt.policy.Name, slack)
		}
	}
}

// The policy learns before rounds 1, n+1, 2n+1, … or before each batch: a reward
// of the first n rounds is used from there on.
func TestLawOverSchedules(t *testing.T) {
	p := declare(schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.1}, Update: &schemas.Update{Every: 50}}, &schemas.Counter{Name: "exact"})
	m := build(t, p, 2)
	for rounds, want := range map[int64]string{1: "0", 50: "0", 51: "1/10", 100: "5"} {
		if got := m.LawOver(rounds).Epsilon().String(); got != want || m.LawBatched(rounds, 7).Epsilon().String() != want {
			t.Errorf("every 50, %d rounds: ε = %s, want %s", rounds, got, want)
		}
	}
	p.Policy.Update = &schemas.Update{Batch: true}
	m = build(t, p, 2)
	for second, want := range map[int64]string{2: "99/10", 31: "7", 101: "0"} {
		if got := m.LawBatched(100, second).Epsilon().String(); got != want {
			t.Errorf("second batch from round %d: ε = %s, want %s", second, got, want)
		}
	}
	if got := m.LawOver(100).Epsilon().String(); got != "99/10" {
		t.Errorf("any batches: ε = %s", got)
	}
}
