package counter

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/replay/ledger"
	vectors "banditaudit/testdata/reference"
)

func TestIntervalFollowsItsDefinition(t *testing.T) {
	c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(3, 10), Horizon: 100}).(*interval)
	follows(t, c, &c.lattice, 100, func() plain {
		var last, n int64
		return func(rows []int64, noise func(discreteLaplace) int64) (int64, int64) {
			if len(rows)%4 == 0 { // ⌈10/3⌉
				n = int64(len(rows))
				scale, _ := newDiscreteLaplace(new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(1), 56), big.NewInt(exactWeight(n, 11, 20))))
				last = noise(scale)
				for _, y := range rows {
					last += y
				}
			}
			return last, n
		}
	})
}

// exactWeight returns ⌊2^36·n^{−a/b}⌋, the weight at the default grid, by
// bisection.
func exactWeight(n, a, b int64) int64 {
	pow := func(x, k int64) *big.Int { return new(big.Int).Exp(big.NewInt(x), big.NewInt(k), nil) }
	top := new(big.Int).Quo(pow(1<<36, b), pow(n, a))
	lo, hi := int64(0), int64(1)<<36+1
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; pow(mid, b).Cmp(top) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Weights of a second program, with grids, sensitivities and exponents of all
// kinds: cd testdata/reference && python3 counters.py (Python 3.11).
func TestIntervalWeightsEqualTheReferenceProgram(t *testing.T) {
	for _, row := range vectors.Rows(t, "counters.csv", "weight") {
		grid := big.NewRat(1, int64(1)<<int(row[0]))
		n := int64(row[5])
		s := Spec{Name: "interval", Epsilon: big.NewRat(1, n), Horizon: n, Grid: grid, Sensitivity: big.NewRat(int64(row[1]), int64(row[2])), Exponent: big.NewRat(int64(row[3]), int64(row[4]))}
		c, err := New(s)
		if want := int64(row[6]); want < leastWeight {
			if err == nil {
				t.Errorf("%v: a weight of %d was accepted", row, want)
			}
		} else if err != nil || c.(*interval).blocks[0].w != want {
			t.Errorf("%v: weight %v (%v), want %d", row, c, err, want)
		}
	}
}

// Row 1 at a horizon of T: Σ N^{−v/2} and the Σρ of continuous noise, with
// mpmath 1.3.0 (counters.py). Scales are rounded up, so costs never exceed it,
// and fall short of it by what the type's comment says at most.
func TestIntervalTotals(t *testing.T) {
	for _, row := range vectors.Rows(t, "counters.csv", "interval") {
		every, horizon := int64(row[0]), int64(row[2])
		v, _ := new(big.Rat).SetString(map[float64]string{1.1: "1.1", 1.5: "1.5"}[row[1]])
		c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, every), Horizon: horizon, Exponent: v})
		slack := 1e-8
		if horizon > 1<<14 {
			slack = 1e-4
		}
		if got := c.Epsilon().Float(); got > row[3] || got < row[3]*(1-slack) {
			t.Errorf("f = %d, v = %v: ε = %v, want %v rounded down", every, row[1], got, row[3])
		}
		if got := c.Rho(); got < row[4]*(1-slack) || got > row[4]*(1+1e-9) {
			t.Errorf("f = %d, v = %v: ρ = %v, want %v", every, row[1], got, row[4])
		}
	}
	// The same as printed in a second derivation: ε, ρ with ε²/2, ρ, for N = 10^4.
	c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 10), Horizon: 10_000})
	if got := c.Cost(1, 10_000).Float(); math.Abs(got-13.551301) > 1e-6 {
		t.Errorf("row 1 of 10⁴ costs %v, want 13.551301", got)
	}
	if got := c.Rho(); math.Abs(got-.213708) > 1e-6 {
		t.Errorf("ρ = %v, want .213708", got)
	}
}

// Row n is in every release from ⌈n/f⌉ on.
func TestIntervalCostSumsReleases(t *testing.T) {
	c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 3), Horizon: 100}).(*interval)
	var losses [101]*big.Rat // of the release after so many rows
	for rows := int64(3); rows <= 100; rows += 3 {
		losses[rows] = big.NewRat(exactWeight(rows, 11, 20), 1<<36)
	}
	for size := int64(1); size <= 100; size++ {
		for n := int64(1); n <= size; n++ {
			want := new(big.Rat)
			for rows := int64(3); rows <= size; rows += 3 {
				if rows >= n {
					want.Add(want, losses[rows])
				}
			}
			if got := c.Cost(n, size); !got.Equal(ledger.NewLoss(want)) {
				t.Fatalf("row %d of %d costs %s, want %s", n, size, got, want.RatString())
			}
		}
	}
}

// With many releases rows share a cost: never too little, the largest exact,
// and too much by at most the losses of the group's releases.
func TestIntervalGroupsOfManyReleases(t *testing.T) {
	const horizon = 40_000
	c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 1), Horizon: horizon}).(*interval)
	if got := c.Cost(1, horizon); !got.Equal(c.Epsilon()) {
		t.Errorf("row 1 costs %s, want %s", got, c.Epsilon())
	}
	for _, size := range []int64{1 << 12, 1<<12 + 1, 10_000} {
		var rows []ledger.Level
		for n := int64(1); n <= size; n++ {
			rows = append(rows, ledger.Level{Cost: c.Cost(n, size), Rows: 1})
		}
		if diff := cmp.Diff(ledger.Merge(rows), c.Levels(size)); diff != "" {
			t.Errorf("%d rows (-histogram +Levels):\n%s", size, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, horizon).Draw(t, "size")
		n := rapid.Int64Range(1, size).Draw(t, "n")
		own := c.total(size) - c.total(n-1)
		g := group(size)
		if size <= 1<<12 != (g == 1) || size/g > 1<<12 || g > 1 && size/(g/2) < 1<<12 {
			t.Fatalf("%d releases in groups of %d", size, g)
		}
		first := (n-1)/g*g + 1
		got := c.Cost(n, size)
		if got.Cmp(c.cost(own)) < 0 || got.Cmp(c.cost(own).Add(c.cost(c.blocks[c.block(first)].w).Times(g-1))) > 0 {
			t.Fatalf("row %d of %d costs %s, having spent %s", n, size, got, c.cost(own))
		}
	})
}

// Variance 2N^v: 2·8^{1.1} = 19.698310613518; the rounded scale is above N^{v/2}
// by less than one part in 10⁴, and in 10⁸ here.
func TestIntervalVariance(t *testing.T) {
	c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 4), Horizon: 100})
	for n, want := range map[int64]float64{1: 4, 4: 4, 5: 8, 8: 8, 99: 100, 100: 100} {
		scale := math.Pow(want, 0.55)
		if got := c.Noise(n)[0].Scale; got < scale*(1-1e-15) || got > scale*(1+1e-8) {
			t.Errorf("scale for %d rows %v, want %v", n, got, scale)
		}
	}
	if c.Noise(101) != nil {
		t.Error("a sum of more rows than the horizon has noise")
	}
	if got := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 4), Horizon: 7}).Noise(6); len(got) != 1 {
		t.Error("no noise after the last release before the horizon")
	}
	spread(t, c, 11, 4, 19.698310613518)
}

// ρ is rounded up: it is above the sum of the ρ of all releases, added with
// more digits.
func TestIntervalRhoIsRoundedUp(t *testing.T) {
	c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 1), Horizon: 20_000}).(*interval)
	sum := new(big.Float).SetPrec(200)
	for k := int64(1); k <= 20_000; k++ {
		sum.Add(sum, big.NewFloat(c.rho(c.loss(c.blocks[c.block(k)].w))))
	}
	exact, _ := sum.Float64()
	if got := c.Rho(); got < exact || got > exact*(1+1e-9) {
		t.Errorf("ρ = %.17g, want %.17g rounded up", got, exact)
	}
}

// Families hold all releases, and none of them a larger loss than stated.
func TestIntervalFamilies(t *testing.T) {
	c := built(t, Spec{Name: "interval", Epsilon: big.NewRat(1, 2), Horizon: 3000}).(*interval)
	var count int64
	for _, f := range c.Releases(3000) {
		for k := count + 1; k <= count+f.Count; k++ {
			if loss := c.cost(c.blocks[c.block(k)].w); loss.Cmp(f.Epsilon) > 0 || loss.Times(2).Cmp(f.Epsilon) < 0 {
				t.Errorf("%s: release %d costs %s, stated %s", f.Name, k, loss, f.Epsilon)
			}
		}
		count += f.Count
	}
	if count != 1500 {
		t.Errorf("%d releases, want 1500", count)
	}
}

func TestRoundUp(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		bits int
		want int64
	}{{1, 3, 1}, {7, 3, 7}, {8, 3, 8}, {9, 3, 10}, {15, 3, 16}, {17, 3, 20}, {31, 3, 32}, {1<<40 - 1, 14, 1 << 40}, {1 << 40, 14, 1 << 40}} {
		if got := roundUp(tt.n, tt.bits); got != tt.want {
			t.Errorf("%d to %d bits: %d, want %d", tt.n, tt.bits, got, tt.want)
		}
	}
}

func BenchmarkIntervalAdd(b *testing.B) {
	for _, every := range []int64{1, 10} {
		b.Run("f="+big.NewInt(every).String(), func(b *testing.B) {
			add(b, Spec{Name: "interval", Epsilon: big.NewRat(1, every), Horizon: 1 << 34})
		})
	}
}

func BenchmarkIntervalNew(b *testing.B) {
	for b.Loop() {
		built(b, Spec{Name: "interval", Epsilon: big.NewRat(1, 10), Horizon: 1_000_000})
	}
}

// TestIntervalOfTinySensitivity: where 2^E/(Δ·2^m·n^{v/2}) is far beyond 2^E, as
// beyond 64 bits, w is 2^E, the largest that there is.
func TestIntervalOfTinySensitivity(t *testing.T) {
	for _, sensitivity := range []*big.Rat{big.NewRat(1, 1<<20), big.NewRat(1, 1e15), new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(300), nil))} {
		c, err := New(Spec{Name: "interval", Epsilon: big.NewRat(1, 1), Horizon: 5, Sensitivity: sensitivity})
		if err != nil {
			t.Fatal(err)
		}
		if i := c.(*interval); i.blocks[0].w != 1<<i.bits {
			t.Errorf("sensitivity %s: w is %d, E %d", sensitivity.FloatString(20), i.blocks[0].w, i.bits)
		}
	}
}
