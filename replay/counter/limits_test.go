package counter

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Capacity is the number of rows after which Add fails: the horizon or, for a
// long bound on a fine grid, where the integers end.
func TestCapacityIsWhereAddFails(t *testing.T) {
	long, fine := big.NewRat(1<<16, 1), big.NewRat(1, 1<<30)
	for _, tt := range []struct {
		name string
		spec Spec
		want int64
	}{
		{"binary", Spec{Epsilon: big.NewRat(1, 1), Horizon: 5}, 5},
		{"tree", Spec{Epsilon: big.NewRat(1, 1), Horizon: 77}, 77},
		{"interval", Spec{Epsilon: big.NewRat(1, 1), Horizon: 10}, 10},
		{"hybrid", Spec{Epsilon: big.NewRat(1<<16, 1), Sensitivity: long, Grid: fine}, 1<<14 - 1},
		{"epochs", Spec{Epsilon: big.NewRat(1<<16, 1), Sensitivity: long, Grid: fine}, 1 << 14},
		{"laplace", Spec{Epsilon: big.NewRat(1<<16, 1), Sensitivity: long, Grid: fine}, 1 << 14},
		{"laplace", Spec{Epsilon: big.NewRat(1, 1<<24), Grid: big.NewRat(1, 1<<22)}, 1 << 19}, // b = 2^46, 2^111/b²
	} {
		tt.spec.Name = tt.name
		c := built(t, tt.spec)
		if c.Capacity() != tt.want {
			t.Fatalf("%s: capacity %d, want %d", tt.name, c.Capacity(), tt.want)
		}
		bank, dst := c.VectorBank([]rand.Source{chacha(1)}, 1), make([]float64, 1)
		for n := range tt.want {
			if _, err := bank.Add(0, []float64{0}, 0, dst); err != nil {
				t.Fatalf("%s: row %d: %v", tt.name, n+1, err)
			}
		}
		if _, err := bank.Add(0, []float64{0}, 0, dst); err == nil {
			t.Errorf("%s: row %d is taken", tt.name, tt.want+1)
		}
	}
	if c := built(t, Spec{Name: "exact"}); c.Capacity() != math.MaxInt64 || !c.Fits([]float64{1e300}) || c.Share([]float64{1e300}) != 1 {
		t.Errorf("exact: capacity %d", c.Capacity())
	}
}

// Fits is the rule of the vector bank, and the sum of the definition.
func TestFitsIsWhatVectorsTake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grid, bound := rapid.Int64Range(0, 30).Draw(t, "m"), rapid.Int64Range(1, 5).Draw(t, "bound")
		unit := new(big.Rat).SetFrac64(1, 1<<grid)
		c, err := New(Spec{Name: "laplace", Epsilon: big.NewRat(64, 1), Sensitivity: big.NewRat(bound, 1), Grid: unit})
		if err != nil {
			t.Fatal(err)
		}
		phi := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 1e300, -1, 1})), 1, 4).Draw(t, "φ")
		sum := new(big.Int)
		finite := true
		for _, v := range phi {
			r, ok := new(big.Rat), false
			if v-v == 0 {
				r, ok = new(big.Rat).SetFloat64(math.Abs(v)), true
			}
			finite = finite && ok
			r.Quo(r, unit)
			sum.Add(sum, new(big.Int).Quo(r.Num(), r.Denom()))
		}
		want := finite && sum.Cmp(big.NewInt(bound<<grid)) <= 0
		_, err = c.VectorBank([]rand.Source{chacha(1)}, len(phi)).Add(0, phi, 0, make([]float64, len(phi)))
		part, _ := new(big.Rat).SetFrac(sum, big.NewInt(bound<<grid)).Float64()
		if got := c.Share(phi); want && (got < part || got > part*(1+1e-14)) || !want && !math.IsInf(got, 1) {
			t.Fatalf("φ = %v, bound %d: share %v, want %v", phi, bound, got, part)
		}
		if got := c.Fits(phi); got != want || (err == nil) != want {
			t.Fatalf("φ = %v, bound %d: fits %v, bank %v, want %v", phi, bound, got, err, want)
		}
	})
}
