package counter

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// silent is a stream without noise, which keeps what it was given.
type silent struct {
	last, sum, rows int64
	err             error
}

func (s *silent) add(z int64) (sum, rows int64, err error) {
	s.last, s.sum, s.rows = z, s.sum+z, s.rows+1
	return s.sum, s.rows, s.err
}

// silentVectors returns a bank of streams without noise, and the streams.
func silentVectors(l *lattice, arms, d int) (VectorBank, []*silent) {
	var all []*silent
	bank := newLatticeVectors(l, make([]rand.Source, arms), d, func(rand.Source) stream {
		all = append(all, &silent{})
		return all[len(all)-1]
	})
	return bank, all
}

func TestVectorsAddPerArmAndCoordinate(t *testing.T) {
	bank, _ := silentVectors(latticeOf(t, Spec{Grid: big.NewRat(1, 4), Bound: big.NewRat(2, 1)}), 2, 2)
	dst := make([]float64, 2)
	for _, row := range []struct {
		arm  int
		phi  []float64
		y    float64
		want []float64
		rows int64
	}{
		{0, []float64{1, -1}, 1, []float64{1, -1}, 1},
		{1, []float64{0.5, 1.5}, 0.5, []float64{0.25, 0.75}, 1},
		{0, []float64{0.5, 0.49}, 1, []float64{1.5, -0.75}, 2}, // 0.49·4 = 1.96, to 1
		{0, []float64{-0.49, 0}, 1, []float64{1.25, -0.75}, 3}, // towards zero on both sides
		{1, []float64{2, 0}, 0, []float64{0.25, 0.75}, 2},
	} {
		rows, err := bank.Add(row.arm, row.phi, row.y, dst)
		if err != nil || rows != row.rows || dst[0] != row.want[0] || dst[1] != row.want[1] {
			t.Errorf("arm %d, φ = %v, y = %v: %v of %d rows (%v), want %v of %d", row.arm, row.phi, row.y, dst, rows, err, row.want, row.rows)
		}
	}
}

// Whatever features are taken, a change of the reward moves the d sums by at
// most ⌊bound·2^m⌋ in ℓ1 norm; and features that obey the bound are taken.
func TestVectorsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, faults := newLattice(Spec{
			Grid:  big.NewRat(1, int64(1)<<rapid.IntRange(0, 30).Draw(t, "m")),
			Bound: big.NewRat(rapid.Int64Range(1, 3000).Draw(t, "num"), rapid.Int64Range(1, 1000).Draw(t, "den")),
		})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		phi := rapid.SliceOfN(rapid.Float64Range(-4, 4), 1, 6).Draw(t, "phi")
		bank, streams := silentVectors(&l, 1, len(phi))
		move := make([]int64, len(phi))
		for _, name := range []string{"y", "other"} {
			if _, err := bank.Add(0, phi, rapid.Float64Range(0, 1).Draw(t, name), make([]float64, len(phi))); err != nil {
				if !fits(phi, l.bound) {
					return
				}
				t.Fatalf("φ = %v within %s was refused: %v", phi, l.bound, err)
			}
			for j, s := range streams {
				move[j] = s.last - move[j]
			}
		}
		var norm int64
		for _, v := range move {
			norm += max(v, -v)
		}
		if norm > l.limit {
			t.Fatalf("φ = %v moves the sums by %d units, bound %d", phi, norm, l.limit)
		}
	})
}

// fits reports whether ‖φ‖₁ ≤ bound, exactly.
func fits(phi []float64, bound *big.Rat) bool {
	norm := new(big.Rat)
	for _, v := range phi {
		norm.Add(norm, new(big.Rat).SetFloat64(math.Abs(v)))
	}
	return norm.Cmp(bound) <= 0
}

func TestVectorsRefuseLongFeatures(t *testing.T) {
	many := make([]float64, 1<<18)
	for i := range many {
		many[i] = maxBound
	}
	for _, tt := range []struct {
		name string
		s    Spec
		phi  []float64
	}{
		{"one long coordinate", Spec{}, []float64{1.5, 0}},
		{"together", Spec{}, []float64{0.75, -0.75}},
		{"by one unit", Spec{}, []float64{0.5, 0.5 + 1./(1<<20)}},
		{"NaN", Spec{}, []float64{0, math.NaN()}},
		{"infinite", Spec{}, []float64{math.Inf(-1), 0}},
		{"beyond 64 bits in one", Spec{}, []float64{1e300}},
		{"beyond 64 bits together", Spec{Bound: big.NewRat(maxBound, 1), Grid: big.NewRat(1, 1<<30)}, many},
	} {
		bank, streams := silentVectors(latticeOf(t, tt.s), 1, len(tt.phi))
		_, err := bank.Add(0, tt.phi, 1, make([]float64, len(tt.phi)))
		if !errors.Is(err, errFeature) {
			t.Errorf("%s: error %v", tt.name, err)
			continue
		}
		if streams[0].rows != 0 {
			t.Errorf("%s: a refused row was counted", tt.name)
		}
		if strings.Contains(err.Error(), "1.5") || !strings.Contains(err.Error(), "context_l1") {
			t.Errorf("%s: %v prints a context, or does not name the parameter", tt.name, err)
		}
	}
}

func TestVectorsPassOnErrors(t *testing.T) {
	bank, streams := silentVectors(latticeOf(t, Spec{}), 3, 2)
	streams[5].err = errAborted
	if _, err := bank.Add(2, []float64{0.5, 0.5}, 1, make([]float64, 2)); !errors.Is(err, errAborted) || !strings.Contains(err.Error(), "arm 2") {
		t.Errorf("error %v", err)
	}
}

func TestExactVectors(t *testing.T) {
	bank, dst := exact{}.VectorBank(make([]rand.Source, 2), 2), make([]float64, 2)
	for i, y := range []float64{1, 0.5, 0} {
		rows, err := bank.Add(1, []float64{0.1, -7}, y, dst)
		if err != nil || rows != int64(i+1) {
			t.Fatalf("%d rows (%v)", rows, err)
		}
	}
	if dst[0] != 0.15000000000000002 || dst[1] != -10.5 {
		t.Errorf("sums %v", dst)
	}
	if rows, err := bank.Add(0, []float64{1, 2}, 1, dst); err != nil || rows != 1 || dst[0] != 1 || dst[1] != 2 {
		t.Errorf("arms share a sum: %v of %d rows (%v)", dst, rows, err)
	}
	if _, err := bank.Add(0, []float64{1, 2}, 1.5, dst); !errors.Is(err, errReward) {
		t.Errorf("reward 1.5: %v", err)
	}
}

func BenchmarkVectorAdd(b *testing.B) {
	bank := built(b, Spec{Name: "laplace", Epsilon: big.NewRat(1, 4)}).VectorBank([]rand.Source{chacha(1)}, 5)
	phi, dst := []float64{0.2, 0.2, 0.2, 0.2, 0.2}, make([]float64, 5)
	for b.Loop() {
		if _, err := bank.Add(0, phi, 1, dst); err != nil {
			b.Fatal(err)
		}
	}
}
