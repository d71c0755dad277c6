package allocationtest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFixedLogP: twice the smaller tail of scipy 1.17.1's binom, times the
// number of arms that can be played where they are more than two, and the cases
// without a test.
func TestFixedLogP(t *testing.T) {
	for _, c := range []struct {
		pulls []int64
		probs []float64
		want  float64 // p
	}{
		{[]int64{350, 50}, []float64{.5, .5}, 1.5376840279210063e-56},
		{[]int64{13, 87}, []float64{.2, .8}, 0.0938244743215719},
		{[]int64{20, 45, 35}, []float64{.3, .3, .4}, 0.006514476388112537},
		{[]int64{30, 70}, []float64{.3, .7}, 1},
		{[]int64{13, 87, 0}, []float64{.2, .8, 0}, 0.0938244743215719},
		{[]int64{99, 0, 1}, []float64{.5, .5, 0}, 0},
		{[]int64{99, 0}, []float64{1, 0}, 1},
		{[]int64{0, 0}, []float64{.5, .5}, 1},
		{nil, nil, 1},
	} {
		if logP, _ := FixedLogP(c.pulls, c.probs); math.Abs(math.Exp(logP)-c.want) > 1e-10*c.want {
			t.Errorf("%v under %v: p = %.17g, want %.17g", c.pulls, c.probs, math.Exp(logP), c.want)
		}
	}
}

// TestFixedLevel enumerates all outcomes of three arms: at every level the
// rejected ones have at most that probability, also where few pulls of an arm
// are expected.
func TestFixedLevel(t *testing.T) {
	const rounds = 60
	probs := []float64{.02, .38, .6}
	logFactorial := func(n int) float64 {
		v, _ := math.Lgamma(float64(n) + 1)
		return v
	}
	for _, level := range []float64{.05, 1e-3, 1e-6} {
		rejected := 0.0
		for a := range rounds + 1 {
			for b := range rounds - a + 1 {
				c := rounds - a - b
				if logP, _ := FixedLogP([]int64{int64(a), int64(b), int64(c)}, probs); logP <= math.Log(level) {
					rejected += math.Exp(logFactorial(rounds) - logFactorial(a) - logFactorial(b) - logFactorial(c) +
						float64(a)*math.Log(probs[0]) + float64(b)*math.Log(probs[1]) + float64(c)*math.Log(probs[2]))
				}
			}
		}
		if rejected > level || rejected == 0 {
			t.Errorf("level %g: rejects with probability %g", level, rejected)
		}
	}
}

// TestFixedPower: another law is found. Of 200 logs of 400 rounds with 0.6 for
// 0.4 all are rejected at 0.001: one is not with probability below 1e-6, so that
// 200 are with probability above 0.9998; seed fixed.
func TestFixedPower(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		pulls := make([]int64, 2)
		for range 400 {
			arm := 0
			if src.Float64() < .6 {
				arm = 1
			}
			pulls[arm]++
		}
		if logP, _ := FixedLogP(pulls, []float64{.6, .4}); logP > math.Log(.001) {
			t.Errorf("%v under [0.6, 0.4] passes", pulls)
		}
	}
}
