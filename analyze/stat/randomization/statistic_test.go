package randomization

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// fixed plays the same arms whatever it meets, and keeps the orders that it met.
type fixed struct {
	arms []int
	met  [][]int32
}

func (f *fixed) Play(order []int32, _ rand.Source, played func(t, arm int)) error {
	f.met = append(f.met, slices.Clone(order))
	for t, arm := range f.arms {
		played(t, arm)
	}
	return nil
}

func TestStatisticsByHand(t *testing.T) {
	t.Parallel()
	// Arm 0: 3 pulls, sum 3; arm 1: 5 pulls, sum 1; mean .5.
	n, s := []int64{3, 5}, []float64{3, 1}
	if got, want := Spread(n, s, .5), 1.5*1.5/13+1.5*1.5/15; math.Abs(got-want) > 1e-15 {
		t.Errorf("spread %g, want %g", got, want)
	}
	if got, want := Contrast(n, s, .5), 1.5/math.Sqrt(13)+1.5/math.Sqrt(15); math.Abs(got-want) > 1e-15 {
		t.Errorf("contrast %g, want %g", got, want)
	}
}

// Of strata the statistics are added up, each about its own mean; the sides are opposite;
// a reward that is not known is in no sum.
func TestStatisticOfLog(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	l := &Log{Arms: 2, Arm: []int32{0, 1, 0, 1, 0, 1}, Reward: []float64{1, 0, 1, 1, nan, 0}, Strata: []int32{0, 0, 1, 1, 1, 1}}
	at := func(side Side) float64 {
		l.Side = side
		tt := newTest(l, nil, Options{})
		sums := newTally(l)
		for round, arm := range l.Arm {
			sums.add(int(arm), round)
		}
		return tt.statistic(sums)
	}
	// Stratum 0 has mean 1/2, stratum 1 mean 2/3 of three.
	want := .25/11 + .25/11 + 1./9/11 + 1./9/12
	if got := at(Both); math.Abs(got-want) > 1e-15 {
		t.Errorf("spread %g, want %g", got, want)
	}
	if first, second := at(First), at(Second); first != -second || first <= 0 {
		t.Errorf("sides %g and %g", first, second)
	}
}

func TestCentred(t *testing.T) {
	t.Parallel()
	got := Centred([]float64{1, 0, math.NaN(), 4, 2}, []int32{0, 0, 0, 1, 1})
	if want := []float64{.5, -.5, math.NaN(), 1, -1}; !slices.EqualFunc(got, want, func(a, b float64) bool { return a == b || a != a && b != b }) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Pieces of several rounds change places as they are, and only within their group.
func TestPiecesMoveTogether(t *testing.T) {
	t.Parallel()
	p := &fixed{arms: make([]int, 12)}
	l := &Log{Arms: 2, Arm: make([]int32, 12), Reward: make([]float64, 12), Groups: []int32{0, 0, 0, 1}, Width: 3}
	if _, err := Test(t.Context(), l, p, Options{Draws: 60, Exceedances: 1000}); err != nil {
		t.Fatal(err)
	}
	seen := map[int32]bool{}
	for _, order := range p.met {
		seen[order[0]] = true
		for i, at := range order {
			if at != order[i/3*3]+int32(i%3) || order[i/3*3]%3 != 0 || i >= 9 && at != int32(i) {
				t.Fatalf("order %v", order)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("first pieces: %v", seen)
	}
}

// Where runs stop early with few values of the statistic, more are made to look for values,
// and p stays what it was.
func TestFewValues(t *testing.T) {
	t.Parallel()
	l := &Log{Arms: 2, Arm: []int32{0, 1, 0, 1}, Reward: []float64{1, 1, 0, 0}, Groups: make([]int32, 4)}
	r, err := Test(t.Context(), l, &fixed{arms: []int{0, 1, 0, 1}}, Options{Draws: 999, Exceedances: 5})
	if err != nil {
		t.Fatal(err)
	}
	if r.Exceedances != 5 || r.Runs >= Look || r.Looked != Look || r.Values >= Few || r.P != 5/float64(r.Runs) || r.Moved != 0 {
		t.Errorf("%+v", r)
	}
	short, err := Test(t.Context(), l, &fixed{arms: []int{0, 1, 0, 1}}, Options{Draws: 30, Exceedances: 5})
	if err != nil {
		t.Fatal(err)
	}
	if short.P != r.P || short.Looked != 30 || short.Runs != r.Runs {
		t.Errorf("of 30 runs at most: %+v, of 999: %+v", short, r)
	}
}

// broken fails in a run; what runs before it found counts where they are enough.
type broken struct{ runs *int }

var errBroken = errors.New("broken")

func (b broken) Play(order []int32, _ rand.Source, played func(t, arm int)) error {
	if *b.runs++; *b.runs > 40 {
		return errBroken
	}
	for t := range order {
		played(t, t%2)
	}
	return nil
}

func TestErrorsInOrder(t *testing.T) {
	t.Parallel()
	l := &Log{Arms: 2, Arm: []int32{0, 1, 0, 1}, Reward: []float64{1, .3, .2, 0}, Groups: make([]int32, 4)}
	if _, err := Test(t.Context(), l, broken{new(int)}, Options{Draws: 999, Exceedances: 999}); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	if _, err := Test(t.Context(), l, broken{new(int)}, Options{Draws: 40, Exceedances: 999}); err != nil {
		t.Errorf("40 runs: %v", err)
	}
}

// The statistic of serial dependence has mean 0, and in blocks of ten a variance of about
// .76, where entries are exchangeable within blocks, whatever their levels, and grows where
// they follow each other: over 2,000 sequences its mean is within .1 of 0 and its variance
// within .12 of that (four standard errors and more).
func TestDependence(t *testing.T) {
	t.Parallel()
	source := rand.New(rand.NewPCG(1, 1))
	blocks := Blocks(400, 10)
	sequence := func(follow float64) []float64 {
		out, last := make([]float64, 400), 0.0
		for i := range out {
			if source.Float64() >= follow {
				last = float64(source.IntN(2))
			}
			out[i] = last + float64(i/10%3)
		}
		return out
	}
	var sum, squares float64
	for range 2000 {
		z := Dependence(sequence(0), blocks)
		sum += z / 2000
		squares += z * z / 2000
	}
	if variance := squares - sum*sum; math.Abs(sum) > .1 || math.Abs(variance-.76) > .12 {
		t.Errorf("mean %g, variance %g", sum, variance)
	}
	if z := Dependence(sequence(.5), blocks); z <= Dependent {
		t.Errorf("each reward is that before it with probability 1/2: %g", z)
	}
	if z := Dependence([]float64{1, math.NaN(), 1, 1}, make([]int32, 4)); z != 0 {
		t.Errorf("nothing varies: %g", z)
	}
	// Two blocks: 0, 2 with s² = 2, and 1, 3, 2 less their mean -1, 1, 0 with s² = 1.
	want := (-1 + 2*1./2 - 1 + 0 + 1*2./3) / math.Sqrt(4*1+1*2)
	if z := Dependence([]float64{0, 2, 1, math.NaN(), 3, 2}, []int32{0, 0, 1, 1, 1, 1}); math.Abs(z-want) > 1e-15 {
		t.Errorf("by hand %g, want %g", z, want)
	}
}

func TestResidualsAndMeans(t *testing.T) {
	t.Parallel()
	l := &Log{Arms: 2, Arm: []int32{0, 0, 1, 1}, Reward: []float64{1, 0, math.NaN(), 3}}
	got := l.Residuals()
	if got[0] != .5 || got[1] != -.5 || got[2] == got[2] || got[3] != 0 {
		t.Errorf("residuals %v", got)
	}
	if m := Means([]float64{1, 0, math.NaN(), 3, math.NaN(), math.NaN()}, 2); m[0] != .5 || m[1] != 3 || m[2] == m[2] {
		t.Errorf("means %v", m)
	}
}
