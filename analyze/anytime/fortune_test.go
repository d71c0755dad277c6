package anytime

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPeakStands: bets that lose more than the numbers hold leave the largest average as
// it was, those before the first round included, and what they win back counts again.
func TestPeakStands(t *testing.T) {
	t.Parallel()
	lose := func(p *purse, log float64) {
		for i := range p.bets {
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
