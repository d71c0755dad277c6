package noise

import (
	"math"
	"testing"

	vectors "banditaudit/testdata/reference"
)

// cd testdata/reference && python3 noise.py: sums over negative binomials in 40
// digits.
func TestTailOnALattice(t *testing.T) {
	for _, row := range vectors.Rows(t, "noise.csv", "lattice") {
		step, count, x, want := row[0], int(row[1]), row[2], row[3]
		if got := lnTailSum(x, step, count, newRace(step, 20)); !near(got, want, 1e-12) && math.Abs(got-want) > 1e-13 {
			t.Errorf("step %v, %d variables, x = %v: %v, want %v", step, count, x, got, want)
		}
		if count != 1 {
			continue
		}
		if got := lnTailOne(x, step); !near(got, want, 1e-13) {
			t.Errorf("step %v, x = %v: %v, want %v", step, x, got, want)
		}
	}
}

func TestTailOfContinuousSums(t *testing.T) {
	r := newRace(0, 256)
	for _, row := range vectors.Rows(t, "noise.csv", "smooth") {
		if got := lnTailSum(row[1], 0, int(row[0]), r); !near(got, row[2], 1e-10) {
			t.Errorf("%v variables, x = %v: %v, want %v", row[0], row[1], got, row[2])
		}
	}
	for _, row := range vectors.Rows(t, "noise.csv", "many") {
		if got := lnTailMany(row[1], int(row[0])); math.Abs(got-row[2]) > 2e-4 {
			t.Errorf("%v variables, x = %v: %v, want %v", row[0], row[1], got, row[2])
		}
	}
	// Mills's ratio changes its formula at 30.
	if a, b := mills(math.Nextafter(30, 0)), mills(30); !near(a, b, 1e-8) {
		t.Errorf("Mills's ratio jumps from %v to %v", a, b)
	}
}

func TestTailOfMixedScales(t *testing.T) {
	for _, row := range vectors.Rows(t, "noise.csv", "mixed") {
		m := newMixture([]Component{{Scale: row[0], Count: int(row[1])}, {Scale: row[2], Count: int(row[3])}})
		if got := m.lnTail(row[4]); math.Abs(got-row[5]) > 2e-4 {
			t.Errorf("%v, x = %v: %v, want %v", m.parts, row[4], got, row[5])
		}
		if got := m.lnTail(3 * m.reach); got != -deepest {
			t.Errorf("far out: %v", got)
		}
	}
}

// scipy.stats, by testdata/reference/noise.py.
func TestLawsOfTheTests(t *testing.T) {
	for _, row := range vectors.Rows(t, "noise.csv", "kolmogorov") {
		if got := kolmogorov(row[1], int(row[0])); !near(got, row[2], 1e-8) {
			t.Errorf("Kolmogorov, n = %v, d = %v: %v, want %v", row[0], row[1], got, row[2])
		}
	}
	for _, row := range vectors.Rows(t, "noise.csv", "gamma") {
		lo, hi := gammaQuantile(row[0], row[1], false), gammaQuantile(row[0], row[1], true)
		if !near(lo, row[2], 1e-9) || !near(hi, row[3], 1e-9) {
			t.Errorf("gamma %v at %v: %v and %v, want %v and %v", row[0], row[1], lo, hi, row[2], row[3])
		}
		if got := twoSidedGamma(row[0], hi); !near(got, min(1, 2*row[1]), 1e-8) {
			t.Errorf("gamma %v: P is %v, want %v", row[0], got, 2*row[1])
		}
	}
	for _, row := range vectors.Rows(t, "noise.csv", "coins") {
		if got := fairCoins(int(row[0]), int(row[1])); !near(got, row[2], 1e-9) {
			t.Errorf("%v of %v coins: %v, want %v", row[0], row[1], got, row[2])
		}
	}
}

// By scipy.stats.beta, likewise.
func TestLawOfHalves(t *testing.T) {
	for _, row := range vectors.Rows(t, "noise.csv", "beta") {
		if got := twoSidedBeta(row[0], row[1], row[2], 1-row[2]); !near(got, row[3], 1e-8) {
			t.Errorf("%v and %v at %v: %v, want %v", row[0], row[1], row[2], got, row[3])
		}
	}
}

// The bound of Massart takes over where it hardly differs.
func TestKolmogorovOfMany(t *testing.T) {
	for _, z := range []float64{1, 2, 3} {
		d := z / math.Sqrt(exactKolmogorov)
		exact, bound := kolmogorov(d, exactKolmogorov), kolmogorov(d, exactKolmogorov+1)
		if bound < exact || bound > 1.02*exact {
			t.Errorf("z = %v: %v exactly, and the bound is %v", z, exact, bound)
		}
	}
	if kolmogorov(1, 5) != 0 || kolmogorov(0, 5) != 1 {
		t.Error("the ends of the law")
	}
}

// h(a,b) by its definition, a sum over both counts.
func TestRace(t *testing.T) {
	for _, step := range []float64{0.2, 1.5} {
		q, r := math.Exp(-step), newRace(step, 6)
		law := func(c, j int) float64 {
			p := math.Pow(1-q, float64(c))
			for i := range j {
				p *= q * float64(c+i) / float64(i+1)
			}
			return p
		}
		for a := 1; a <= 6; a++ {
			for b := 1; b <= 6; b++ {
				var want, below float64
				for j := range 400 {
					below += law(b, j)
					want += law(a, j) * below
				}
				if got := r.wins(a, b); !near(got, want, 1e-12) {
					t.Errorf("step %v: h(%d,%d) = %v, want %v", step, a, b, got, want)
				}
			}
		}
	}
}
