package counter

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
)

// latticeOf returns the lattice of a spec without faults.
func latticeOf(tb testing.TB, s Spec) *lattice {
	tb.Helper()
	l, faults := newLattice(s)
	if len(faults) > 0 {
		tb.Fatal(faults)
	}
	return &l
}

func TestLatticeLimits(t *testing.T) {
	for _, tt := range []struct {
		name           string
		grid, bound    *big.Rat
		limit, maxRows int64
	}{
		{"a reward", big.NewRat(1, 1<<20), nil, 1 << 20, 1 << 40},
		{"grid 1", big.NewRat(1, 1), nil, 1, 1 << 60},
		{"finest grid", big.NewRat(1, 1<<30), nil, 1 << 30, 1 << 30},
		{"not a whole number of units", big.NewRat(1, 4), big.NewRat(7, 5), 5, 1 << 57}, // 5.6 units; 2^57·5 < 2^60
		{"just above a power of two", big.NewRat(1, 1<<20), big.NewRat(1<<20+1, 1<<20), 1<<20 + 1, 1 << 39},
		{"less than one unit", big.NewRat(1, 1), big.NewRat(1, 2), 0, 1 << 60},
		{"longest", big.NewRat(1, 1<<30), big.NewRat(maxBound, 1), 1 << 46, 1 << 14},
	} {
		l := latticeOf(t, Spec{Grid: tt.grid, Bound: tt.bound})
		if l.limit != tt.limit || l.maxRows != tt.maxRows {
			t.Errorf("%s: limit %d and %d rows, want %d and %d", tt.name, l.limit, l.maxRows, tt.limit, tt.maxRows)
		}
		if sum := new(big.Int).Mul(big.NewInt(l.limit), big.NewInt(l.maxRows)); sum.BitLen() > 61 || sum.Cmp(new(big.Int).Lsh(big.NewInt(1), 60)) > 0 {
			t.Errorf("%s: a sum can reach %s", tt.name, sum)
		}
	}
}

func TestLatticeDefaults(t *testing.T) {
	s := big.NewRat(7, 5)
	l := latticeOf(t, Spec{Sensitivity: s})
	s.SetInt64(9) // the caller's number is its own
	if l.m != 20 || l.sensitivity.RatString() != "7/5" || l.bound.RatString() != "7/5" {
		t.Errorf("m = %d, sensitivity %s, bound %s", l.m, l.sensitivity.RatString(), l.bound.RatString())
	}
	l = latticeOf(t, Spec{Bound: big.NewRat(2, 1)})
	if l.sensitivity.RatString() != "1" || l.bound.RatString() != "2" {
		t.Errorf("sensitivity %s, bound %s", l.sensitivity.RatString(), l.bound.RatString())
	}
	for _, bad := range []*big.Rat{new(big.Rat), big.NewRat(-1, 2), big.NewRat(maxBound+1, 1)} {
		if _, faults := newLattice(Spec{Sensitivity: bad, Bound: bad}); len(faults) != 2 {
			t.Errorf("sensitivity and bound %s: faults %v", bad, faults)
		}
	}
}

// A node that may spend ℓ of sensitivity Δ has scale Δ/ℓ, in units of the grid
// Δ·2^m/ℓ, and costs a row that moves the sum by the bound ℓ·bound/Δ, which is
// bound/scale.
func TestLatticeScaleAndCost(t *testing.T) {
	l := latticeOf(t, Spec{Grid: big.NewRat(1, 1<<4), Sensitivity: big.NewRat(3, 2), Bound: big.NewRat(5, 2)})
	loss := big.NewRat(1, 3)
	if got := l.scale(loss); got.RatString() != "9/2" {
		t.Errorf("scale %s, want 9/2", got.RatString())
	}
	if law, ok := l.law(loss); !ok || (law != discreteLaplace{72, 1}) {
		t.Errorf("law %v, want 72/1", law)
	}
	if got := l.spent(loss); got.RatString() != "5/9" {
		t.Errorf("spent %s, want 5/9", got.RatString())
	}
	// limit is 40 units, and 40/72 is 5/9: h = 1/72.
	if got, want := l.rho(loss), ledger.LaplaceRho(5./9, 1./72); math.Abs(got-want) > 1e-14 {
		t.Errorf("ρ = %v, want %v", got, want)
	}
}

// The ρ of a row is never below that of the most units that it can move the
// sum by, at the law's own h.
func TestLatticeRhoIsAnUpperBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rat := func(name string, most int64) *big.Rat {
			return big.NewRat(rapid.Int64Range(1, most).Draw(t, name), rapid.Int64Range(1, 100).Draw(t, name+"Den"))
		}
		l, faults := newLattice(Spec{Grid: big.NewRat(1, int64(1)<<rapid.IntRange(0, 20).Draw(t, "m")), Sensitivity: rat("sensitivity", 500), Bound: rat("bound", 500)})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		loss := rat("loss", 100)
		unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), l.m))
		h := unit.Quo(unit, l.scale(loss))
		moved := new(big.Rat).Mul(h, new(big.Rat).SetInt64(l.limit))
		if l.limit > 0 && moved.Cmp(l.spent(loss)) > 0 {
			t.Fatalf("%d units cost %s, charged %s", l.limit, moved, l.spent(loss))
		}
		if got, want := l.rho(loss), ledger.LaplaceRho(nearest(moved), nearest(h)); got < want*(1-2e-12) {
			t.Fatalf("ρ = %v, below %v", got, want)
		}
	})
}
