package anytime

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestPeakOfLosses: bets that lose e^700 and more on all sides leave the largest
// evidence at 1. Its logarithm was +Inf there, and p was 0.
func TestPeakOfLosses(t *testing.T) {
	p := newPurse(2, 2, []int{0, 1}, []int{0}, []int{1})
	for range 3000 {
		for bet := range 4 {
			p.multiply(bet, 0.5)
		}
		p.round()
	}
	for u := range 3 {
		if got := p.peak(u); got != 0 {
			t.Errorf("union %d: the largest is e^%g, want 1", u, got)
		}
	}
	if got, want := evidenceOf(p).Both, 3000*math.Log(.5); math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("ln e at the end is %g, want %g", got, want)
	}
}

// TestLongLogOfEqualArms: over 600,000 rounds of two arms that pay alike every wager on
// the arm loses e^1000, and the largest evidence stays what it was near the start. Until
// 0.1.2 it was e^Inf from some 400,000 rounds on.
func TestLongLogOfEqualArms(t *testing.T) {
	a, r := NewAssignment(), rand.New(rand.NewPCG(3, 4))
	early := Sides{}
	for n := range 600_000 {
		a.Add(r.IntN(2) == 0, Exactly(.5), float64(r.IntN(2)))
		if n == 20_000 {
			early = a.Evidence().Largest
		}
	}
	if got := a.Evidence(); got.Both > -1000 || math.Abs(got.Largest.Both-early.Both) > 1e-9 || got.Largest.Both > math.Log(1000) {
		t.Errorf("evidence %+v; after 20,000 rounds the largest was %+v", got, early)
	}
}

// TestPurseAgainstBigNumbers: the largest averages over rounds in which fortunes rise
// and fall by hundreds of powers of ten are those of exact products.
func TestPurseAgainstBigNumbers(t *testing.T) {
	const blocks, block, rounds = 2, 3, 1200
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(5, seed))
		p := newPurse(blocks, block, []int{0, 1}, []int{1})
		exact := make([]*big.Float, blocks*block)
		for i := range exact {
			exact[i] = big.NewFloat(1).SetPrec(80)
		}
		largest := []*big.Float{big.NewFloat(1), big.NewFloat(1)}
		drift := 4 * (r.Float64() - .5)
		for n := range rounds {
			for i := range exact {
				by := math.Exp(drift + 6*(r.Float64()-.5) + 2*math.Sin(float64(n)/200))
				if i == 4 && n == 300 {
					by = 0
					p.abandon(i)
				}
				exact[i].Mul(exact[i], big.NewFloat(by))
				switch {
				case by == 0:
				case i%2 == 0:
					p.multiply(i, by)
				default:
					p.multiplyLog(i, math.Log(by))
				}
			}
			p.round()
			for u, of := range [][]*big.Float{exact, exact[block:]} {
				sum := new(big.Float).SetPrec(80)
				for _, x := range of {
					sum.Add(sum, x)
				}
				if sum.Quo(sum, big.NewFloat(float64(len(of)))); sum.Cmp(largest[u]) > 0 {
					largest[u] = sum
				}
			}
		}
		for u := range largest {
			mantissa := new(big.Float)
			exponent := largest[u].MantExp(mantissa)
			m, _ := mantissa.Float64()
			want := math.Log(m) + float64(exponent)*math.Ln2
			if got := p.peak(u); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("seed %d, union %d: ln of the largest is %.12g, want %.12g", seed, u, got, want)
			}
		}
	}
}
