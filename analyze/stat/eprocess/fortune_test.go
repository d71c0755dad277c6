package eprocess

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// multiply lets one bet win a factor, beside others that may win by their logarithms.
func (p *capital) multiply(bet int, by float64) {
	p.factor[bet] *= by
	p.settle(bet/p.block, p.block, min(1, by), max(1, by))
	p.bound = false
}

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

// TestPeakStands: bets that lose more than the numbers hold leave the largest average as
// it was, those before the first round included, and what they win back counts again.
func TestPeakStands(t *testing.T) {
	t.Parallel()
	lose := func(p *capital, log float64) {
		for i := range p.factor {
			p.multiplyLog(i, log)
		}
		p.round()
	}
	p := newPurse(2, 2, []int{0, 1}, []int{0}, []int{1})
	lose(p, -2000)
	for u := range p.unions {
		near(t, "peak after a loss", p.peak(u), 0, 0)
	}
	lose(p, 1999)
	near(t, "peak below the start", p.peak(0), 0, 0)
	lose(p, 6)
	near(t, "peak above it", p.peak(0), 5, 1e-12)
	lose(p, 3000)
	near(t, "peak far above", p.peak(1), 3005, 1e-12)
	lose(p, -3005)
	lose(p, 1)
	near(t, "that peak later", p.peak(1), 3005, 1e-12)
	p.multiplyLog(0, 3100)
	p.round()
	near(t, "a new peak of one block", p.peak(1), 3101-math.Ln2, 1e-12)
	near(t, "the other", p.peak(2), 3005, 1e-12)
}

// TestEqualArmsForLong: all wagers lose e⁷⁰⁰ and more of themselves over long logs of
// equal arms, and nothing is rejected for that.
func TestEqualArmsForLong(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 1))
	a, b := NewAssignment(), NewBatches()
	var table Table
	for round := range 600_000 {
		arm, one := draw.IntN(2), draw.Int64N(2)
		a.Add(arm == 0, Exactly(.5), float64(one))
		table.Plays[arm]++
		table.Ones[arm] += one
		if round%10 == 9 {
			b.Add(table)
			table = Table{}
		}
	}
	for _, e := range []Evidence{a.Evidence(), b.Evidence()} {
		if !(e.Both < -700) {
			t.Errorf("ln e is %g: the log is too short to tell", e.Both)
		}
		if !(e.Largest.Both < math.Log(20)) {
			t.Errorf("the largest ln e is %g", e.Largest.Both)
		}
	}
}

// TestBoundedSumsMissNoPeak: sums that are added up only where a bound says that a peak
// may have moved leave the same peaks, to the bit, as sums of every round.
func TestBoundedSumsMissNoPeak(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		bounded, every := NewEffect(), NewEffect()
		shift := float64(seed%4) / 20
		for range 20_000 {
			p := .02 + .5*r.Float64()
			round := Played{Arm: Neither, P: [2]Span{Exactly(p), Exactly(.9 - p)}}
			switch u := r.Float64(); {
			case u < p:
				round.Arm = 0
				round.Reward = float64(min(1, int(r.Float64()+.4+shift)))
			case u < .9:
				round.Arm = 1
				round.Reward = float64(min(1, int(r.Float64()+.4)))
			}
			bounded.Add(round)
			for b := range every.bets.purse.sums {
				every.bets.purse.sums[b] = math.Inf(1)
			}
			every.Add(round)
		}
		if got, want := bounded.NoDifference(), every.NoDifference(); got != want {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}
