package noise

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// tooMany returns a number that a binomial count with mean at most n·p reaches
// with probability below 1e-7 (Bernstein).
func tooMany(n int, p float64) int {
	ln := 7 * math.Ln10
	mean := float64(n) * p
	return int(mean+ln/3+math.Sqrt(ln*ln/9+2*mean*ln)) + 1
}

// The designs are those that could go wrong: few draws, coarse lattices on which
// most draws are 0, sums, and the two ways in which sizes are computed.
// The last is drawn by a policy that follows its noise.
func designs() map[string][]Draw {
	mixed := append(design(6, 2, 0x1p-20, 1), design(6, 30, 0x1p-20, 3)...)
	return map[string][]Draw{
		"one draw of a stream": design(1, 2, 0x1p-20, 1),
		"continuous":           design(12, 2, 0, 1),
		"fine lattice":         design(12, 2, 0x1p-20, 1),
		"lattice of 1/2":       design(12, 2, 0.5, 1),
		"mostly 0":             design(30, 0.3, 1, 1),
		"sums of three":        design(12, 2, 0, 3),
		"sums on a lattice":    design(12, 1, 0.5, 4),
		"two scales":           mixed,
	}
}

// Level in simulation: at 0.05, 0.005 and Share every test rejects at most that
// often over 2,000 logs of each design (a false alarm of the test with
// probability below 1e-7 for each of the 144 numbers), and those with an exact law
// at 0.05 no less often.
func TestLevels(t *testing.T) {
	runs := 2000
	if testing.Short() {
		runs = 200
	}
	exact := map[string]bool{"scale": true, "growth": true}
	all := designs()
	for at, name := range slices.Sorted(maps.Keys(all)) {
		draws, src := all[name], rand.NewPCG(11, uint64(at))
		counts := map[string]*[3]int{}
		for run := range runs {
			for i := range draws {
				draws[i].Value = simulated(src, &draws[i])
			}
			for _, x := range tests(salted(draws, nil, strconv.Itoa(run)), math.NaN()) {
				if counts[x.Name] == nil {
					counts[x.Name] = new([3]int)
				}
				for i, level := range []float64{0.05, 0.005, Share} {
					if x.P <= level {
						counts[x.Name][i]++
					}
				}
			}
		}
		for test, c := range counts {
			for i, level := range []float64{0.05, 0.005, Share} {
				if c[i] >= tooMany(runs, level) {
					t.Errorf("%s: %s rejects %d of %d at level %v", name, test, c[i], runs, level)
				}
			}
			if low := runs/20 - runs/33; exact[test] && runs == 2000 && c[0] < low { // 100 − 6 standard deviations
				t.Errorf("%s: %s rejects %d of %d at level 0.05: its law is not exact", name, test, c[0], runs)
			}
		}
	}
}

// Levels counts what Fit rejects.
func TestLevelsAreCounted(t *testing.T) {
	out := Levels(design(10, 2, 0x1p-20, 1), 300, 1)
	if len(out) != 7 || out[6].Name != "any" {
		t.Fatalf("%+v", out)
	}
	var sum int64
	for i, x := range out {
		if x.Runs != 300 || x.Rejected >= int64(tooMany(300, Level)) {
			t.Errorf("%+v", x)
		}
		if i < 6 {
			sum += x.Rejected
		}
	}
	if out[6].Rejected > sum {
		t.Errorf("%d logs are rejected, by %d tests", out[6].Rejected, sum)
	}
}

// At the factor that is said to be detectable, up and down, the test of the
// scale rejects 0.8 of logs: at least in one direction, no less in the other.
// Over 2,000 logs a share is off by 0.05 with probability below 1e-7.
func TestDetectable(t *testing.T) {
	const runs = 2000
	draws := design(20, 2, 0, 1)
	f := Detectable(len(draws), Share)
	src := rand.NewPCG(13, 13)
	for _, factor := range []float64{f, 1 / f} {
		var rejected int
		for range runs {
			for i := range draws {
				draws[i].Value = factor * simulated(src, &draws[i])
			}
			if s := newSample(draws); scaleTest(s, s.weights(1)).Rejected {
				rejected++
			}
		}
		if share := float64(rejected) / runs; share < 0.75 {
			t.Errorf("a factor of %v is rejected in a share of %v", factor, share)
		}
	}
	if a, b := Detectable(10, Share), Detectable(1000, Share); !(a > b && b > 1) {
		t.Errorf("detectable: %v with 10 draws, %v with 1000", a, b)
	}
}

// The coverage of the interval of the ratio is that of the test: over 2,000 logs
// with 1.3 times the scale it misses 1.3 no more often than tooMany, at level 0.05.
func TestRatioInterval(t *testing.T) {
	const runs = 2000
	src := rand.NewPCG(17, 17)
	for _, count := range []int{1, 4} {
		draws, missed := design(10, 2, 0, count), 0
		for range runs {
			for i := range draws {
				draws[i].Value = 1.3 * simulated(src, &draws[i])
			}
			s := newSample(draws)
			if r := s.between(nil, len(s.vars), 0.05, chiEnds); 1.3 < r.lo || r.hi < 1.3 {
				missed++
			}
		}
		if missed >= tooMany(runs, 0.05) || missed < 40 {
			t.Errorf("sums of %d: %d of %d intervals miss the ratio", count, missed, runs)
		}
	}
}

// What each test is for, in sizes that leave no doubt (each P is far below
// Share): the others have reason too in some.
func TestEachTestFindsItsFault(t *testing.T) {
	src := rand.NewPCG(19, 19)
	uniform := func() float64 { return (float64(src.Uint64()>>11) + 0.5) * 0x1p-53 }
	find := map[string]func(i int, d *Draw, before float64) float64{
		"scale": func(_ int, d *Draw, _ float64) float64 { return 2 * simulated(src, d) },
		"shape": func(int, *Draw, float64) float64 { return 8 * (uniform() - 0.5) },
		"sign":  func(_ int, d *Draw, _ float64) float64 { return simulated(src, d) + 1 },
		"independence": func(_ int, d *Draw, before float64) float64 {
			return 0.5*before + simulated(src, d)
		},
		"growth": func(i int, d *Draw, _ float64) float64 { return simulated(src, d) * float64(i) / 200 },
	}
	for name, draw := range find {
		draws := design(400, 2, 0, 1)
		last := [2]float64{}
		for i := range draws {
			d := &draws[i]
			d.Value = draw(i, d, last[d.Arm])
			last[d.Arm] = d.Value
		}
		for _, x := range Fit(Input{Draws: draws}).Tests {
			if x.Name == name && !x.Rejected {
				t.Errorf("%+v", x)
			}
		}
	}
}

// Arms that share a part of their noise, and streams that repeat theirs, are
// found by products and by equal draws.
func TestDependenceIsFound(t *testing.T) {
	src := rand.NewPCG(23, 23)
	draws := design(300, 2, 0, 1)
	for i := 0; i < len(draws); i += 2 {
		common := simulated(src, &draws[i])
		draws[i].Value, draws[i+1].Value = common+simulated(src, &draws[i])/2, simulated(src, &draws[i])/2-common
	}
	if r := Fit(Input{Draws: draws}); !r.Tests[5].Rejected || r.Hypotheses[0].Name == "shared-noise" {
		t.Errorf("noise in part common: %+v", r.Tests[5])
	}
	draws = design(40, 2, 0x1p-20, 1)
	for i := range draws {
		draws[i].Value = simulated(src, &draws[i])
		if i >= 40 {
			draws[i].Value = draws[i-40].Value // of the same arm, 20 rows later
		}
	}
	if r := Fit(Input{Draws: draws}); !r.Tests[3].Rejected {
		t.Errorf("noise that comes again: %+v", r.Tests[3])
	}
	draws = design(40, 2, 0x1p-20, 1)
	for i := range draws {
		draws[i].Value = simulated(src, &draws[i])
		if i >= 5 {
			draws[i].Value = draws[i-5].Value // of the other arm, two rows later
		}
	}
	if r := Fit(Input{Draws: draws}); !r.Tests[5].Rejected {
		t.Errorf("noise of the other arm, later: %+v", r.Tests[5])
	}
}

// An arm of many scales has a group for each octave.
func TestGroups(t *testing.T) {
	draws := design(100, 1, 0, 1)
	for i := range draws {
		draws[i].Value = 1
		if draws[i].Arm == 0 {
			draws[i].Scale = 1 + float64(i)/20 // 1 to 10.9
		}
	}
	groups := Fit(Input{Draws: draws}).Groups
	var total int64
	for _, g := range groups {
		total += g.Draws
	}
	if len(groups) != 5 || total != 200 || groups[0].Scale != 1 || groups[3].Scale != 8 || groups[4].Arm != 1 || groups[4].Draws != 100 {
		t.Errorf("%+v", groups)
	}
}

// A policy that goes where the noise is largest decides by it which stream draws
// next, and leaves a stream after noise far below 0: the levels are those of
// TestLevels, with the same false alarms.
func TestLevelsUnderAPolicy(t *testing.T) {
	runs := 3000
	if testing.Short() {
		runs = 200
	}
	src := rand.NewPCG(29, 29)
	for _, grid := range []float64{0x1p-20, 0.5} {
		counts := map[string]*[3]int{}
		for range runs {
			for _, x := range tests(newSample(followed(src, grid)), math.NaN()) {
				if counts[x.Name] == nil {
					counts[x.Name] = new([3]int)
				}
				for i, level := range []float64{0.05, 0.005, Share} {
					if x.P <= level {
						counts[x.Name][i]++
					}
				}
			}
		}
		for test, c := range counts {
			for i, level := range []float64{0.05, 0.005, Share} {
				if c[i] >= tooMany(runs, level) {
					t.Errorf("grid %v: %s rejects %d of %d at level %v", grid, test, c[i], runs, level)
				}
			}
		}
	}
}

// followed is 60 draws of five arms with noisy rows, each of the arm with the
// largest mean so far.
func followed(src rand.Source, grid float64) []Draw {
	var sums [5]float64
	var rows [5]int64
	draws := make([]Draw, 60)
	for i := range draws {
		arm := 0
		for a := range sums {
			switch {
			case rows[a] == 0:
				arm = a
			case rows[arm] > 0 && sums[a]/float64(rows[a]) > sums[arm]/float64(rows[arm]):
				arm = a
			}
		}
		rows[arm]++
		d := Draw{Stream: Stream{Arm: arm}, Row: rows[arm], Rows: rows[arm], Scale: 2, Count: 1, Grid: grid}
		d.Value = simulated(src, &d)
		sums[arm] += d.Value
		draws[i] = d
	}
	return draws
}
