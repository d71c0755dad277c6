package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/schemas/param"
)

// By hand: π = (.7, .25, .05) and f = .1. The sum of (.7, .25, .1) is 1.05; two arms above
// the floor have (.95 − 1 + .1)/2 = .025 too much; what the others leave is .65.
func TestFloorKindsByHand(t *testing.T) {
	for _, tt := range []struct {
		kind     string
		f        float64
		eligible []bool
		pi, want []float64
	}{
		{param.FloorMix, .1, nil, []float64{.7, .25, .05}, []float64{.59, .275, .135}},
		{param.FloorClip, .1, nil, []float64{.7, .25, .05}, []float64{.7 / 1.05, .25 / 1.05, .1 / 1.05}},
		{param.FloorWater, .1, nil, []float64{.7, .25, .05}, []float64{.675, .225, .1}},
		{param.FloorRest, .1, nil, []float64{.7, .25, .05}, []float64{.65, .25, .1}},
		{param.FloorClip, .1, []bool{true, false, true}, []float64{1, 0, 0}, []float64{1 / 1.1, 0, .1 / 1.1}},
		{param.FloorWater, .2, []bool{false, true, true}, []float64{0, .9, .1}, []float64{0, .8, .2}},
		{param.FloorRest, .2, []bool{false, true, true}, []float64{0, .9, .1}, []float64{0, .8, .2}},
		{param.FloorWater, .25, nil, []float64{.4, .35, .15, .1}, []float64{.25, .25, .25, .25}},
		{param.FloorRest, 1. / 3, nil, []float64{.4, .4, .2}, []float64{1 - .4 - 1./3, .4, 1. / 3}},                               // the best is left with less
		{param.FloorRest, .25, nil, []float64{.5, .5, 0, 0}, []float64{0, .5, .25, .25}},                                          // with nothing
		{param.FloorRest, .19, nil, []float64{.34, .33, .33, 0, 0}, []float64{0, .33 / 1.04, .33 / 1.04, .19 / 1.04, .19 / 1.04}}, // and too little for the others
		{param.FloorRest, .1, nil, []float64{.3, .4, .3}, []float64{.3, .4, .3}},
		{param.FloorClip, .1, nil, []float64{1}, []float64{1}},
		{param.FloorWater, .1, nil, []float64{1}, []float64{1}},
		{param.FloorRest, .1, nil, []float64{1}, []float64{1}},
	} {
		FloorOf(tt.kind).Apply(tt.eligible, tt.f, tt.pi)
		for i, v := range tt.want {
			if math.Abs(tt.pi[i]-v) > 1e-15 {
				t.Errorf("%s %v: %v, want %v", tt.kind, tt.f, tt.pi, tt.want)
				break
			}
		}
	}
}

// law draws propensities, of which some may be 0 or all but one.
func law(t *rapid.T, k int, name string) []float64 {
	p, sum := make([]float64, k), 0.0
	for i := range p {
		p[i] = math.Exp(-rapid.Float64Range(0, 12).Draw(t, name)) * float64(rapid.IntRange(0, 3).Draw(t, "some"))
		sum += p[i]
	}
	if sum == 0 {
		p[rapid.IntRange(0, k-1).Draw(t, "one")], sum = 1, 1
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// Every kind keeps what its list claims: propensities add up to 1, none is below Least, and
// none changes by more than Excess allows between any two laws of the policy.
func TestFloorKindsKeepTheirBounds(t *testing.T) {
	for _, kind := range FloorKinds() {
		t.Run(kind.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := rapid.IntRange(2, 7).Draw(t, "k")
				f := rapid.Float64Range(1e-3, 1).Draw(t, "share") / float64(k)
				p, q := law(t, k, "p"), law(t, k, "q")
				kind.Apply(nil, f, p)
				kind.Apply(nil, f, q)
				sum, ratio := 0.0, 1.0
				for i, v := range p {
					sum += v
					if v < kind.Least(f, k)*(1-1e-12) || v < 0 {
						t.Fatalf("arm %d has %v, and at least %v is claimed", i, v, kind.Least(f, k))
					}
					ratio = max(ratio, v/q[i])
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("they add up to %v", sum)
				}
				if x := kind.Excess(param.Literal(f), k, k); x != nil {
					if most, _ := x.Float64(); ratio > (1+most)*(1+1e-9) {
						t.Fatalf("%v and %v are apart by a factor of %v, and at most %v is claimed", p, q, ratio, 1+most)
					}
				}
			})
		})
	}
}

// The bounds are reached: two laws that play two arms for certain.
func TestFloorKindsReachTheirBounds(t *testing.T) {
	for _, kind := range FloorKinds() {
		for k := 2; k < 6; k++ {
			f := 0.3 / float64(k)
			p, q := make([]float64, k), make([]float64, k)
			p[0], q[1] = 1, 1
			kind.Apply(nil, f, p)
			kind.Apply(nil, f, q)
			x := kind.Excess(param.Literal(f), k, k)
			if x == nil {
				continue // not known: rest over many arms
			}
			if most, _ := x.Float64(); math.Abs(p[0]/q[0]/(1+most)-1) > 1e-12 {
				t.Errorf("%s over %d arms: a factor of %v, and %v is claimed", kind.Name, k, p[0]/q[0], 1+most)
			}
		}
	}
}

// Where the policy's own loss is ε, that over a floor is at most Keeps·ε.
func TestFloorKindsKeepThePolicysLoss(t *testing.T) {
	for _, kind := range FloorKinds() {
		if kind.Keeps == 0 {
			continue
		}
		t.Run(kind.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := rapid.IntRange(2, 7).Draw(t, "k")
				f := rapid.Float64Range(1e-3, 1).Draw(t, "share") / float64(k)
				p, q, sum := law(t, k, "p"), make([]float64, k), 0.0
				for i := range p {
					q[i] = p[i] * math.Exp(rapid.Float64Range(-1, 1).Draw(t, "move"))
					sum += q[i]
				}
				own := 0.0
				for i := range q {
					if q[i] /= sum; p[i] > 0 {
						own = max(own, math.Abs(math.Log(q[i]/p[i])))
					}
				}
				kind.Apply(nil, f, p)
				kind.Apply(nil, f, q)
				for i := range p {
					if got := math.Abs(math.Log(p[i] / q[i])); got > float64(kind.Keeps)*own+1e-12 {
						t.Fatalf("arm %d moves by %v, and the policy by %v at most", i, got, own)
					}
				}
			})
		})
	}
}

// Rest is claimed to keep f where ⌊(m+1)²/4⌋·f ≤ 1, and beyond that does not: j arms have
// nothing, and the others are alike.
func TestRestKeepsNoMoreThanItClaims(t *testing.T) {
	for k := 3; k < 9; k++ {
		f := 1.1 / float64((k+1)*(k+1)/4)
		least := 1.0
		for j := range k {
			p := make([]float64, k)
			for i := range k - j {
				p[i] = 1 / float64(k-j)
			}
			FloorOf(param.FloorRest).Apply(nil, f, p)
			least = min(least, p[0])
		}
		if f*float64(k) <= 1 && !(least < f) {
			t.Errorf("%d arms: with f = %v the best has at least %v", k, f, least)
		}
		if restKeeps(param.Literal(f), k) {
			t.Errorf("%d arms: it is claimed that f = %v is kept", k, f)
		}
	}
}

// What is played over a floor of any kind has its propensities.
func TestFrequenciesEqualPropensitiesOverEveryFloor(t *testing.T) {
	for _, kind := range FloorKinds() {
		for i, s := range states() {
			k := len(s.Pulls)
			p := NewSoftmax(k, 0.3, rand.NewPCG(7, 8))
			floor := kind.New(0.11, rand.NewPCG(5, 6))
			probs, counts := make([]float64, k), make([]float64, k)
			p.Propensities(s, probs)
			floor.Propensities(s, probs)
			const n = 20_000
			for range n {
				arm := p.Select(s)
				played := floor.Play(s, arm, p)
				if counts[played]++; played != arm && !floor.Explored() {
					t.Fatalf("%s: arm %d is played for %d, and it was not drawn", kind.Name, played, arm)
				}
			}
			if level := fit(probs, counts, n); level < chance {
				t.Errorf("%s, state %d: counts %v with propensities %v, p-value %v", kind.Name, i, counts, probs, level)
			}
		}
	}
}

// The kinds of the list are those of a protocol.
func TestFloorKindsAreThoseOfProtocols(t *testing.T) {
	words := param.FloorKinds()
	for i, kind := range FloorKinds() {
		if i >= len(words) || words[i] != kind.Name || kind.Doc == "" {
			t.Errorf("kind %d is %s of %v", i, kind.Name, words)
		}
	}
	if len(words) != len(FloorKinds()) {
		t.Errorf("%d kinds of %d words", len(FloorKinds()), len(words))
	}
}
