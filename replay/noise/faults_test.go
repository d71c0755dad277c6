package noise

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Without noise on a lattice of eight scales nothing can be told of 400 draws: no
// factor is detectable, and the interval has no end. On one of two it is found.
func TestNoNoiseOnACoarseLattice(t *testing.T) {
	r := Fit(Input{Draws: design(200, 1.0/8, 1, 1)})
	if r.Rejected || !math.IsInf(r.Detectable, 1) || r.Lo != 0 || math.IsInf(r.Hi, 0) {
		t.Errorf("eight scales: %+v", r)
	}
	// P(all 0) = tanh(1)^400 < 1e-47.
	r = Fit(Input{Draws: design(200, 0.5, 1, 1)})
	if !r.Rejected || len(r.Hypotheses) == 0 || r.Hypotheses[0].Name != "no-noise" || !r.Hypotheses[0].Fits || !math.IsInf(r.Spent.Epsilon, 1) {
		t.Errorf("two scales: %+v", r)
	}
	// The bound of all 0 is its probability, times the number of bounds.
	s := newSample(design(3, 1, 1, 1))
	if p, zero, on := s.zeros(1); zero != 6 || on != 6 || !near(p, min(1, 8*math.Pow(math.Tanh(0.5), 6)), 1e-12) {
		t.Errorf("six draws of 0: %v, %v, %v", p, zero, on)
	}
}

// One draw in twenty without noise is found on a fine lattice.
func TestZerosAreFound(t *testing.T) {
	src := rand.NewPCG(41, 41)
	draws := design(100, 2, 0x1p-20, 1)
	for i := range draws {
		if i%20 > 0 {
			draws[i].Value = simulated(src, &draws[i])
		}
	}
	if r := Fit(Input{Draws: draws}); !r.Tests[1].Rejected || !strings.Contains(r.Tests[1].Detail, "exactly 0") {
		t.Errorf("%+v", r.Tests[1])
	}
}

// Two arms with 0.8 and 1.2 times the scale have the declared one together.
func TestScalesOfArms(t *testing.T) {
	src := rand.NewPCG(43, 43)
	draws := design(2000, 2, 0x1p-20, 1)
	for i := range draws {
		d := draws[i]
		d.Scale = 2 * []float64{0.8, 1.2}[d.Arm]
		draws[i].Value = simulated(src, &d)
	}
	if r := Fit(Input{Draws: draws}); !r.Tests[5].Rejected || r.Tests[0].Rejected || !(r.Groups[0].Hi < 1 && r.Groups[1].Lo > 1) {
		t.Errorf("%+v", r)
	}
}

// Noise that comes again with another sign, 17 rows later, is found; also where
// one value in ten lies on no lattice.
func TestReuseWithAnotherSign(t *testing.T) {
	src := rand.NewPCG(47, 47)
	for _, off := range []bool{false, true} {
		draws := design(50, 2, 0x1p-20, 1)
		for i := range draws {
			d := &draws[i]
			d.Value = simulated(src, d)
			if i >= 34 {
				d.Value = -draws[i-34].Value
			}
			if off {
				d.Grid, d.Lattice = 0, 0x1p-20
				if i%10 == 0 {
					d.Lattice = 0
				}
			}
		}
		if r := Fit(Input{Draws: draws}); !r.Tests[3].Rejected || !strings.Contains(r.Tests[3].Detail, "size") {
			t.Errorf("off the lattice %v: %+v", off, r.Tests[3])
		}
	}
}

// Logs whose draws are all 0 differ by their salt, and by it alone.
func TestSalt(t *testing.T) {
	draws := design(20, 1, 1, 1)
	of := func(salt string) float64 { return Fit(Input{Draws: draws, Salt: salt}).Tests[0].P }
	if of("a") == of("b") || of("a") != of("a") {
		t.Errorf("%v, %v, %v", of("a"), of("b"), of("a"))
	}
}

// Half the scale, of 60 draws, is named so, and not fresh noise; ε is said where
// it alone fits.
func TestFewDrawsOfHalfTheScale(t *testing.T) {
	for _, name := range []string{"laplace", "binary", "hybrid", "tree"} {
		d := deployed(t, spec(name), 2, 30)
		d.show = func(_ *deployment, _ int, _ int64, v float64) float64 { return math.Trunc(v*0.3*0x1p20) * 0x1p-20 }
		r := Fit(d.input(t))
		if !r.Rejected || r.Hypotheses[0].Name != "scale" || !r.Hypotheses[0].Fits {
			t.Fatalf("%s: %+v", name, r)
		}
		others := fittingOf(&r) > 1
		if said := strings.Contains(r.Hypotheses[0].Words, "if that is the law: another explanation"); r.Spent == nil && (!others || !said) {
			t.Errorf("%s: no ε, and %+v", name, r.Hypotheses)
		}
	}
}

func fittingOf(r *Result) (n int) {
	for i := range r.Hypotheses {
		if r.Hypotheses[i].Fits {
			n++
		}
	}
	return n
}

// Laws that are near one that is tried are not named so: fresh Gaussian noise
// with the variance of a fresh Laplace variable, and noise that falls as n^−½.
func TestOtherLawsDoNotFit(t *testing.T) {
	d := deployed(t, spec("binary"), 2, 300)
	gauss := rand.New(rand.NewPCG(53, 53))
	d.show = func(d *deployment, _ int, n int64, _ float64) float64 {
		return math.Round(gauss.NormFloat64()*math.Sqrt2*widest(d.law(n))*0x1p20) * 0x1p-20
	}
	if r := Fit(d.input(t)); !r.Rejected || fittingOf(&r) > 0 || r.Spent != nil {
		t.Errorf("Gaussian: %+v", r.Hypotheses)
	}
	for _, name := range []string{"binary", "laplace"} {
		d = deployed(t, spec(name), 2, 120)
		d.show = func(_ *deployment, _ int, n int64, v float64) float64 {
			return math.Round(v/math.Sqrt(float64(n))*0x1p20) * 0x1p-20
		}
		if r := Fit(d.input(t)); !r.Rejected || fittingOf(&r) > 0 || r.Spent != nil {
			t.Errorf("%s, n^−½: %+v", name, r.Hypotheses)
		}
	}
}

// P of the exponent has its level: over 2,000 samples on either side of 200, by
// simulation and by the normal law.
func TestLevelOfTheExponent(t *testing.T) {
	src := rand.New(rand.NewPCG(59, 59))
	for _, m := range []int{40, 201} {
		runs, low := 2000, 0
		if m < 200 {
			runs = 300 // a table each time
		}
		w := make([]float64, m)
		for range runs {
			for i := range w {
				w[i] = src.ExpFloat64()
			}
			if exponentTest(w).P <= 0.05 {
				low++
			}
		}
		if low >= tooMany(runs, 0.05) || low == 0 {
			t.Errorf("%d draws: %d of %d", m, low, runs)
		}
	}
}
