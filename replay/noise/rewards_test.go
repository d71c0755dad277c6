package noise

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// greedy is noise of rows of two arms, each of the arm whose released mean is
// the largest but for every eighth row, with rewards of 0 and 1 of which an
// arm has more, the better its noise makes it look: so much more as follows says.
func greedy(src rand.Source, rows int, scale, follows float64, noise func(r *rand.Rand, d *Draw, reward float64) float64) []Draw {
	r := rand.New(src)
	var released, sums [2]float64
	var n [2]int64
	out := make([]Draw, rows)
	for i := range out {
		arm := i % 2
		if n[1] > 0 && i%8 > 0 && released[0]/float64(n[0]) > released[1]/float64(n[1]) {
			arm = 0
		}
		reward := 0.0
		if r.Float64() < 0.5+float64(follows*math.Tanh(released[arm]/float64(n[arm]+1))) {
			reward = 1
		}
		d := Draw{Stream: Stream{Arm: arm}, Row: n[arm] + 1, Rows: n[arm] + 1, Scale: scale, Count: 1, Grid: 0x1p-20}
		if n[arm] > 0 {
			d.Above = cmp.Compare(reward*float64(n[arm]), sums[arm])
		}
		d.Value = noise(r, &d, reward)
		n[arm]++
		sums[arm] += reward
		released[arm] += reward + d.Value
		out[i] = d
	}
	return out
}

func onGrid(x float64) float64 { return math.RoundToEven(x*0x1p20) * 0x1p-20 }

// Noise whose sign or size is that of the reward has the declared law for
// itself, and follows it all the same; also where it does so in every fifth draw.
// Every sign of the five is found by the test of independence, and no other test
// has a reason. Where the log may have been stopped by what it shows, likewise.
func TestNoiseThatFollowsRewards(t *testing.T) {
	side := func(reward float64) float64 { return 2*reward - 1 }
	laplace := func(r *rand.Rand, d *Draw) float64 { return onGrid(simulated(r, &Draw{Scale: d.Scale, Count: 1})) }
	until := func(r *rand.Rand, d *Draw, large bool) float64 {
		for {
			if x := laplace(r, d); (math.Abs(x) > d.Scale*math.Ln2) == large {
				return x
			}
		}
	}
	worlds := map[string]func(r *rand.Rand, d *Draw, reward float64) float64{
		"signs of":  func(r *rand.Rand, d *Draw, reward float64) float64 { return side(reward) * math.Abs(laplace(r, d)) },
		"signs of ": func(r *rand.Rand, d *Draw, reward float64) float64 { return -side(reward) * math.Abs(laplace(r, d)) },
		"signs  of": func(r *rand.Rand, d *Draw, reward float64) float64 {
			if x := laplace(r, d); r.Float64() >= 0.2 {
				return x
			} else {
				return side(reward) * math.Abs(x)
			}
		},
		// The law of the sizes is as declared where half of the rewards are 1.
		"sizes of":  func(r *rand.Rand, d *Draw, reward float64) float64 { return until(r, d, r.Float64() < 0.2+0.6*reward) },
		"sizes  of": func(r *rand.Rand, d *Draw, reward float64) float64 { return until(r, d, r.Float64() > 0.2+0.6*reward) },
	}
	for words, noise := range worlds {
		for _, stopped := range []bool{false, true} {
			draws := greedy(rand.NewPCG(53, uint64(len(words))), 3000, 1, 0, noise)
			x := Fit(Input{Draws: draws, Stopped: stopped}).Tests[3]
			if want := strings.Join(strings.Fields(words), " "); !x.Rejected || !strings.HasPrefix(x.Detail, want) {
				t.Errorf("%q: %+v", words, x)
			}
			for i := range draws {
				draws[i].Above = 0
			}
			if x := Fit(Input{Draws: draws, Stopped: stopped}).Tests[3]; x.Rejected {
				t.Errorf("%q is found without rewards: %+v", words, x)
			}
		}
	}
}

// Of honest noise that a policy and rewards follow, no more logs are rejected than
// the level allows, at the end of the log and where a rule stops it as soon as
// signs or sizes look bad.
func TestHonestNoiseBesideRewards(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs = 150
	}
	src := rand.NewPCG(59, 59)
	counts, anytime := [3]int{}, 0
	for run := range runs {
		scale := 1.0
		if run%2 > 0 {
			scale = 0x1p-20 // the lattice is coarse: many draws are 0
		}
		s := newSample(greedy(src, 200, scale, 0.3, func(r *rand.Rand, d *Draw, _ float64) float64 { return simulated(r, d) }))
		w := s.weights(1)
		p, _, _ := s.followsRewards(w)
		for i, level := range []float64{0.05, 0.005, Share} {
			if p <= level {
				counts[i]++
			}
		}
		all, least := s.vars, p
		for m := 10; m <= len(all); m++ {
			s.vars = all[:m]
			q, _, _ := s.followsRewards(w[:m])
			least = min(least, q)
		}
		if least <= 0.05 {
			anytime++
		}
	}
	for i, level := range []float64{0.05, 0.005, Share} {
		if counts[i] >= tooMany(runs, level) {
			t.Errorf("%d of %d honest logs are rejected at level %v", counts[i], runs, level)
		}
	}
	if anytime >= tooMany(runs, 0.05) {
		t.Errorf("%d of %d honest logs are rejected at level 0.05 by a rule that stops", anytime, runs)
	}
	if p, _, _ := newSample(design(10, 2, 0, 1)).followsRewards(make([]float64, 20)); p != 1 {
		t.Errorf("without rewards P is %v", p)
	}
}
