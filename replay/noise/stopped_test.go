package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A rule that watches the noise and stops where a test looks worst is not enough:
// with Stopped, no test is rejected at any length by more than tooMany of its
// level. Without it the test of the scale would be by ten times as many.
func TestStoppingRulesKeepLevels(t *testing.T) {
	const length, level = 300, 0.05
	runs := 2000
	if testing.Short() {
		runs = 300
	}
	src := rand.NewPCG(31, 31)
	var scales, signs, fixed int
	for range runs {
		var sum float64
		var positive int
		var scale, sign, plain bool
		for m := 1; m <= length; m++ {
			v := simulated(src, &Draw{Scale: 1, Count: 1})
			sum += math.Abs(v)
			if v > 0 {
				positive++
			}
			scale = scale || ville(lnScale(float64(m), sum)) <= level
			sign = sign || ville(lnCoins(positive, m)) <= level
			plain = plain || twoSidedGamma(float64(m), sum) <= level
		}
		for at, is := range map[*int]bool{&scales: scale, &signs: sign, &fixed: plain} {
			if is {
				*at++
			}
		}
	}
	if scales >= tooMany(runs, level) || signs >= tooMany(runs, level) {
		t.Errorf("of %d logs, %d are rejected by the scale and %d by signs", runs, scales, signs)
	}
	if fixed < tooMany(runs, level) {
		t.Errorf("the law of a fixed number rejects %d of %d: the rule asks nothing", fixed, runs)
	}
}

// The likelihood ratios have mean 1 under the declared law: for signs as a sum over
// all numbers of heads, for the scale as an integral over gamma sums.
func TestEvidenceHasMeanOne(t *testing.T) {
	const n = 30
	var coins float64
	for x := range n + 1 {
		a, _ := math.Lgamma(n + 1)
		b, _ := math.Lgamma(float64(x) + 1)
		c, _ := math.Lgamma(float64(n-x) + 1)
		coins += math.Exp(a - b - c - n*math.Ln2 + lnCoins(x, n))
	}
	if !near(coins, 1, 1e-9) {
		t.Errorf("signs: %v", coins)
	}
	// The density x^{m−1}e^{−x}/Γ(m) times the ratio falls as x^{−2}: x = u/(1−u).
	const m, steps = 5, 200_000
	var scale float64
	for i := range steps {
		u := (float64(i) + 0.5) / steps
		x := u / (1 - u)
		g, _ := math.Lgamma(m)
		scale += math.Exp(float64((m-1)*math.Log(x))-x-g+lnScale(m, x)) / ((1 - u) * (1 - u)) / steps
	}
	if !near(scale, 1, 1e-6) {
		t.Errorf("scale: %v", scale)
	}
}

// The interval of the ratio inverts the test with Stopped too, and noise that is
// wrong by much is still found.
func TestStoppedLogs(t *testing.T) {
	src := rand.NewPCG(37, 37)
	draws := design(200, 2, 0x1p-20, 1)
	for i := range draws {
		draws[i].Value = simulated(src, &draws[i])
	}
	for _, times := range []float64{0.5, 1, 1.1, 1.25, 2} {
		scaled := append([]Draw{}, draws...)
		for i := range scaled {
			scaled[i].Value = math.RoundToEven(scaled[i].Value*times*0x1p20) * 0x1p-20
		}
		r := Fit(Input{Draws: scaled, Stopped: true})
		if (r.Lo > 1 || r.Hi < 1) != r.Tests[0].Rejected || r.Rejected != (times == 0.5 || times == 2 || r.Tests[0].Rejected) {
			t.Errorf("%v times: %+v", times, r)
		}
		if f := Fit(Input{Draws: scaled}); !(r.Lo < f.Lo && f.Hi < r.Hi && r.Detectable > f.Detectable) {
			t.Errorf("%v times: (%v, %v) is not wider than (%v, %v)", times, r.Lo, r.Hi, f.Lo, f.Hi)
		}
	}
}
