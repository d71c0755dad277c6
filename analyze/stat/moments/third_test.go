package moments

import (
	"math"
	"math/rand/v2"
	"testing"
)

// directly are the moments by two loops.
func directly(y []float64) Third {
	out := Third{N: int64(len(y))}
	for _, v := range y {
		out.Mean += v / float64(len(y))
	}
	for _, v := range y {
		d := v - out.Mean
		out.M2 += d * d
		out.M3 += d * d * d
	}
	return out
}

// Chunks of any length, of three arms, add up to what two loops find.
func TestThirdsByArm(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	y, arm, of := make([]float64, 9000), make([]int32, 9000), make([][]float64, 3)
	for i := range y {
		arm[i], y[i] = int32(r.IntN(4))-1, 1e3+r.ExpFloat64()
		if arm[i] >= 0 {
			of[arm[i]] = append(of[arm[i]], y[i])
		}
	}
	got := make([]Third, 3)
	for from := 0; from < len(y); {
		to := min(len(y), from+1+r.IntN(700))
		if err := AddThirdsByArm(got, arm[from:to], y[from:to]); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	for i := range got {
		want := directly(of[i])
		if got[i].N != want.N || math.Abs(got[i].M2/want.M2-1) > 1e-10 || math.Abs(got[i].M3/want.M3-1) > 1e-7 {
			t.Errorf("arm %d: %+v, want %+v", i, got[i], want)
		}
		// The exponential law has skewness 2.
		if s := got[i].Skewness() * math.Sqrt(float64(want.N)); s < 1.6 || s > 2.4 {
			t.Errorf("arm %d: skewness %g of exponential values", i, s)
		}
	}
	if err := AddThirdsByArm(got[:1], []int32{1}, []float64{1}); err == nil {
		t.Error("an arm that there is not is accepted")
	}
}

// Units of one row are rows; rows that are all of one unit are one value.
func TestThirdOfUnits(t *testing.T) {
	t.Parallel()
	y := []float64{1, 1, 2, 7, 1, 3, 1, 1, 12}
	rows := Units{Shift: 2}
	for _, v := range y {
		rows.Add(1, v-2)
	}
	got, want := rows.Third(), directly(y)
	if math.Abs(got.M2/want.M2-1) > 1e-12 || math.Abs(got.M3/want.M3-1) > 1e-12 || math.Abs(got.Mean-want.Mean) > 1e-12 {
		t.Errorf("%+v, want %+v", got, want)
	}
	// Three units of 2, 1 and 3 rows, by hand: mean 2, deviations −2, 3, −1.
	pairs := Units{Shift: 1}
	pairs.Add(2, 0)
	pairs.Add(1, 4)
	pairs.Add(3, 2)
	if p := pairs.Third(); math.Abs(p.M2-14) > 1e-12 || math.Abs(p.M3-18) > 1e-12 {
		t.Errorf("%+v", p)
	}
}

// The skewness of a difference is that of the one mean where the other has none,
// and vanishes between arms that are alike.
func TestSkewnessOfDifference(t *testing.T) {
	t.Parallel()
	a := directly([]float64{0, 0, 0, 1, 0, 0, 5})
	still := Third{N: 1000, Mean: 1}
	if got := SkewnessOfDifference(a, still); math.Abs(got-a.Skewness()) > 1e-12 {
		t.Errorf("%g and %g", got, a.Skewness())
	}
	if got := SkewnessOfDifference(a, a); got != 0 {
		t.Errorf("%g between arms that are alike", got)
	}
	if !math.IsNaN(SkewnessOfDifference(still, still)) || !math.IsNaN(SkewnessOfDifference(a, Third{})) || !math.IsNaN(still.Skewness()) {
		t.Error("there is a skewness of nothing")
	}
}
