package ipw

import (
	"math"
	"math/rand/v2"
	"testing"
)

// drawn are probabilities of three arms.
func drawn(r *rand.Rand) []float64 {
	p, sum := make([]float64, 3), 0.0
	for i := range p {
		p[i] = r.ExpFloat64()
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// Over the arms of a round, weights that are cut at M make IPS too small by at most B, and
// by B where every arm earns 1; DR is off by at most B. B estimated from the played arms is
// B on average. Uncut weights are on average 1 all the same.
func TestHiddenEnumerated(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 4))
	attained := 0
	for range 500 {
		p, target, reward := drawn(r), drawn(r), []float64{r.Float64(), r.Float64(), r.Float64()}
		clip := 1 + 2*r.Float64()
		before := NewPlugin(3)
		before.Add(r.IntN(3), r.Float64())
		value, ips, full, dr, seen, whole, b := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
		for arm := range p {
			one := func(y float64, blind bool) *Value {
				v := &Value{Clip: clip}
				round := Round{Arm: arm, P: p, Reward: y}
				if blind {
					round.P = []float64{math.NaN(), math.NaN(), math.NaN()}
					round.P[arm] = p[arm]
				}
				v.Add(target, &round, &before)
				return v
			}
			v, blind := one(reward[arm], false), one(reward[arm], true)
			value += target[arm] * reward[arm]
			ips += p[arm] * v.IPS.Value()
			full += p[arm] * one(1, false).IPS.Value()
			dr += p[arm] * v.DR.Value()
			whole += p[arm] * v.MeanWeight()
			hidden, exact := v.Hidden()
			guessed, exactly := blind.Hidden()
			if !exact || exactly {
				t.Fatalf("exact: %v with all propensities, %v with one", exact, exactly)
			}
			b = hidden
			seen += p[arm] * guessed
		}
		const rounding = 1e-12
		if ips > value+rounding || ips < value-b-rounding || math.Abs(dr-value) > b+rounding {
			t.Errorf("the value is %v, IPS %v and DR %v on average, B %v", value, ips, dr, b)
		}
		if math.Abs(full-(1-b)) > rounding || math.Abs(seen-b) > rounding || math.Abs(whole-1) > rounding {
			t.Errorf("where all earn 1: %v, want 1 − %v; seen %v; mean weight %v", full, b, seen, whole)
		}
		if b > .01 {
			attained++
		}
	}
	if attained < 100 {
		t.Errorf("B is above .01 in %d of 500", attained)
	}
}

// Small log, arm 2, M = 4: six rounds at .2 give .2, three at .1 give .6, three at ⅓ none.
func TestHiddenSmallLog(t *testing.T) {
	t.Parallel()
	v, parts := Value{Clip: 4}, [2]Value{{Clip: 4}, {Clip: 4}}
	for i := range 12 {
		q := []float64{1. / 3, .2, .2, .1}[i/3]
		round := Round{Arm: i % 3, P: []float64{(1 - q) / 2, q, (1 - q) / 2}, Reward: 1}
		before := NewPlugin(3)
		v.Add([]float64{0, 1, 0}, &round, &before)
		parts[i%2].Add([]float64{0, 1, 0}, &round, &before)
	}
	parts[0].Merge(&parts[1])
	for _, of := range []*Value{&v, &parts[0]} {
		if b, exact := of.Hidden(); math.Abs(b-.25) > 1e-15 || !exact {
			t.Errorf("B is %v, exact %v", b, exact)
		}
		if of.Largest != 4 {
			t.Errorf("the largest weight is %v", of.Largest)
		}
	}
	if b, exact := (&Value{}).Hidden(); b != 0 || !exact {
		t.Errorf("B of nothing is %v, %v", b, exact)
	}
}
