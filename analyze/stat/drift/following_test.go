package drift

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/moments"
	"banditaudit/testdata/reference"
)

// TestFollowingVector: "z context" of the answers sheet, appendix B, X = ⌊t/7⌋ mod 2.
func TestFollowingVector(t *testing.T) {
	arm, y, _ := reference.AnswersLog()
	var of [3]Following
	for i, k := range arm {
		if i/7%2 == 1 {
			of[k].On.AddOne(y[i])
		} else {
			of[k].Off.AddOne(y[i])
		}
	}
	for k, want := range []float64{-1.32673301, 0.89357878, 0.17566084} {
		z, least := of[k].Z()
		if math.Abs(z-want) > 1e-8 || math.Abs(least) > math.Abs(z) || !of[k].Looked() {
			t.Errorf("arm %d: z = %.8f, least %.8f; want %.8f", k, z, least, want)
		}
	}
}

// A side with a few rewards that are all alike shows nothing, although Z is large.
func TestFollowingFewAlike(t *testing.T) {
	on, off := moments.Scalar{N: 20}, moments.Scalar{N: 980, Mean: .05, M2: 980 * .05 * .95}
	f := Following{On: on, Off: off}
	if z, least := f.Z(); z > -3 || math.Abs(least) > 1.2 {
		t.Errorf("z = %g, least %g", z, least)
	}
	for _, none := range []Following{{}, {On: off}, {On: moments.Scalar{N: 40}, Off: moments.Scalar{N: 40}}} {
		if z, least := none.Z(); z != 0 || least != 0 {
			t.Errorf("%+v: z = %g, least %g; want 0", none, z, least)
		}
	}
	if few := (Following{On: moments.Scalar{N: 1}, Off: moments.Scalar{N: FollowingPulls - 2}}); few.Looked() {
		t.Error("looked at too few rewards")
	}
}

// Where the mean is the same on both sides, |least| exceeds Φ⁻¹(.995) in at most .015 of
// 2,000 samples (nominal .01; standard error .0022), of rewards of mean .5, .05 and .01 and
// of sides with a half and a twentieth of them. Where it is not, it nearly always does.
func TestFollowingLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	limit := Bonferroni(.01, 1)
	fires := func(share, on, off float64, samples int) float64 {
		n := 0
		for range samples {
			var f Following
			for range 600 {
				switch {
				case r.Float64() < share:
					f.On.AddOne(bit(r, on))
				default:
					f.Off.AddOne(bit(r, off))
				}
			}
			if _, z := f.Z(); math.Abs(z) > limit {
				n++
			}
		}
		return float64(n) / float64(samples)
	}
	for _, mean := range []float64{.5, .05, .01} {
		for _, share := range []float64{.5, .05} {
			if got := fires(share, mean, mean, 2000); got > .015 {
				t.Errorf("mean %g, share %g: fires in %.4f", mean, share, got)
			}
		}
	}
	if got := fires(.5, .5, .2, 200); got < .99 {
		t.Errorf("means .5 and .2: fires in %.3f", got)
	}
}

func bit(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// Arms that are drawn whatever the context are found to follow it in at most .003 of 2,000
// logs of 300, 600 and 2,000 rounds (nominal .001; standard error .0007), also where the
// allocation drifts and contexts come in stretches; arms that follow it are found in each.
func TestSteeringLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	limit := Bonferroni(.001, 1)
	z := func(rounds, stretch int, follows float64) float64 {
		s, on := Steering{Block: SteeringBlock(int64(rounds))}, false
		for i := range rounds {
			if i%stretch == 0 {
				on = r.Float64() < .5
			}
			p := .5 + .4*math.Sin(float64(i)/100)
			if on {
				p += follows * (1 - p)
			}
			s.Add(on, r.Float64() < p)
		}
		return s.Z()
	}
	for _, rounds := range []int{300, 600, 2000} {
		for _, stretch := range []int{1, 7} {
			n := 0
			for range 2000 {
				if math.Abs(z(rounds, stretch, 0)) > limit {
					n++
				}
			}
			if n > 6 {
				t.Errorf("%d rounds, contexts in stretches of %d: found in %d of 2,000", rounds, stretch, n)
			}
			if got := z(rounds, stretch, .9); got < limit {
				t.Errorf("%d rounds, contexts in stretches of %d: arms that follow them are not found, z = %g", rounds, stretch, got)
			}
		}
	}
	few := Steering{Block: SteeringBlock(2000)}
	for i := range 9 * few.Block {
		few.Add(i%2 == 0, i%2 == 0)
	}
	if few.Z() != 0 {
		t.Error("nine blocks show something")
	}
}
