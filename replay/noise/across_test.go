package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// laplaceSteps draws a discrete Laplace variable with the given step of its
// lattice over its scale: the difference of two geometric ones.
func laplaceSteps(r *rand.Rand, step float64) float64 {
	geometric := func() float64 { return math.Floor(-math.Log1p(-r.Float64()) / step) }
	return geometric() - geometric()
}

// experimentOf draws the noise of an experiment of two arms.
func experimentOf(r *rand.Rand, grid, scale float64, draws int) []Draw {
	var out []Draw
	for i := range draws {
		for arm := range 2 {
			out = append(out, Draw{Stream: Stream{Arm: arm}, Row: int64(i + 1), Rows: int64(i + 1), Scale: scale, Count: 1, Grid: grid, Value: grid * laplaceSteps(r, grid/scale)})
		}
	}
	return out
}

// TestAcross: noise that two experiments share is found in both, with the first
// stream that does, and in no other experiment; noise that is not on its lattice
// for certain, too short, or mostly 0, is not compared.
func TestAcross(t *testing.T) {
	for _, c := range []struct {
		name        string
		grid, scale float64
		draws       int
		found       bool
	}{
		{"a fine lattice", 0x1p-20, 4, 4, true},
		{"a coarse lattice", 1, 4, 30, true},
		{"a coarse lattice and few releases", 1, 4, 6, false},
		{"all 0", 1, 0.05, 400, false},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		const n = 40
		prints := make([][]Print, n)
		for e := range prints {
			prints[e] = Prints(experimentOf(r, c.grid, c.scale, c.draws), n)
		}
		if got := Across(prints); len(got) != 0 {
			t.Errorf("%s: %d honest experiments are accused", c.name, len(got))
		}
		both := experimentOf(r, c.grid, c.scale, c.draws)
		prints[3] = Prints(both, n)
		for i := range both { // of the other experiment the arms are the other way round
			both[i].Arm = 1 - both[i].Arm
		}
		prints[17], prints[20] = Prints(both, n), Prints(both, n)
		got := Across(prints)
		if c.found != (len(got) == 3) || !c.found && len(got) != 0 {
			t.Errorf("%s: %d experiments share noise, want %v", c.name, len(got), c.found)
			continue
		}
		if tw := got[3]; c.found && (tw.Print.Arm != 0 || tw.Other != 17 || tw.With.Arm != 1 || tw.Others != 2) || c.found && got[17].Other != 3 {
			t.Errorf("%s: %+v", c.name, got)
		}
		for i := range both {
			both[i].Error = 0x1p-30
		}
		if got := Prints(both, n); got != nil {
			t.Errorf("%s: rounded draws have prints: %+v", c.name, got)
		}
	}
}

// TestAcrossHonest: of lattices on which every second draw of a scale of 2 steps
// repeats, no two of 3,000 honest experiments are said to share noise. The
// probability that any are is below 1e-6; without the rule for the number of
// draws, at 3 draws as on a fine lattice, hundreds of thousands of pairs agree.
func TestAcrossHonest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 3000
	prints, short, all := make([][]Print, n), map[[3]float64]int{}, 0
	for e := range prints {
		draws := experimentOf(r, 0.5, 1, 60)
		prints[e] = Prints(draws, n)
		all += len(prints[e])
		short[[3]float64{draws[0].Value, draws[2].Value, draws[4].Value}]++
	}
	if got := Across(prints); len(got) != 0 || all < 5900 {
		t.Errorf("%d honest experiments are accused, of %d streams", len(got), all)
	}
	pairs := 0
	for _, k := range short {
		pairs += k * (k - 1) / 2
	}
	if pairs < 1000 {
		t.Errorf("only %d pairs agree in 3 draws: the test shows nothing", pairs)
	}
}
