package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// linearState returns the state of k arms before any row, for contexts of
// length d.
func linearState(k, d int) *State {
	s := NewState(k)
	s.X = make([]float64, d)
	for range k {
		s.Vectors = append(s.Vectors, make([]float64, d))
	}
	return s
}

// give adds a row to the exact vector of arm, and lets l learn it and see it.
func give(l Linear, s *State, arm int, y float64, x ...float64) {
	for j, v := range x {
		s.Vectors[arm][j] += v * y
	}
	s.Played[arm]++
	s.Pulls[arm]++
	l.Learn(arm, x, s.Pulls[arm])
	l.Observe(s, arm)
}

func newRidge(k, d int) *ridge {
	r := &ridge{lambda: 0.5, arms: make([]ridgeArm, k)}
	r.size(d)
	return r
}

// V is taken over the rows of the vector that was released last, whatever
// releases it: after every row, after some, or of the last rows alone.
func TestRidgeKnowsTheRowsOfTheRelease(t *testing.T) {
	for _, counter := range []struct {
		name string
		rows func(n int64) (from, to int64) // of the release that stands after n rows
	}{
		{"every row", func(n int64) (from, to int64) { return 0, n }},
		{"every third row", func(n int64) (from, to int64) { return 0, n / 3 * 3 }},
		{"doubling epochs", func(n int64) (from, to int64) {
			size := int64(1)
			for 2*size-1 <= n {
				from, to, size = size-1, 2*size-1, 2*size
			}
			return from, to
		}},
	} {
		const d = 3
		rng := rand.New(rand.NewPCG(1, 2))
		r, s := newRidge(1, d), linearState(1, d)
		var x [][]float64
		for n := int64(1); n <= 40; n++ {
			row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			x = append(x, row)
			from, to := counter.rows(n)
			r.learn(0, row, to-from)
			want := make([]float64, packed(d))
			for j := range d {
				want[packed(j)+j] = 0.5
			}
			for _, row := range x[from:to] {
				addSquare(want, row)
			}
			for i, v := range r.arms[0].known {
				if math.Abs(v-want[i]) > 1e-13*(1+math.Abs(want[i])) {
					t.Fatalf("%s: after %d rows V has %v at %d, want %v", counter.name, n, v, i, want[i])
				}
			}
			prior, _ := counter.rows(n - 1)
			_, before := counter.rows(n - 1)
			s.Pulls[0] = to - from
			if seen := r.observe(s, 0); seen != (from != prior || to != before) {
				t.Fatalf("%s: row %d: new vector %v", counter.name, n, seen)
			}
		}
	}
}

// What an arm has come to does not depend on when it was looked at.
func TestRidgeDoesNotDependOnTheSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 7).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		looks := rapid.SliceOfN(rapid.Bool(), 1, 50).Draw(t, "looks")
		always, now, s := newRidge(1, d), newRidge(1, d), linearState(1, d)
		for n, look := range looks {
			x := make([]float64, d)
			for j := range x {
				x[j] = rng.NormFloat64()
				s.Vectors[0][j] += x[j] * rng.Float64()
			}
			always.learn(0, x, int64(n+1))
			now.learn(0, x, int64(n+1))
			always.observe(s, 0)
			if look {
				now.observe(s, 0)
			}
		}
		now.observe(s, 0)
		a, b := always.arms[0], now.arms[0]
		if a.growth != b.growth {
			t.Fatalf("ln det V is %v and %v", a.growth, b.growth)
		}
		for i := range a.factor {
			if a.factor[i] != b.factor[i] {
				t.Fatal("factors differ")
			}
		}
		for j := range a.theta {
			if a.theta[j] != b.theta[j] {
				t.Fatal("estimates differ")
			}
		}
	})
}

// However badly contexts are scaled, predictions are finite. They mean little
// where λ and the differences between contexts are lost in rounding.
func TestRidgePredictionsAreFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 6).Draw(t, "d")
		number := rapid.SampledFrom([]float64{0, 1, -1, 1e-60, 1e60, -1e60, 1e8, 1e-8, 0.1, 3})
		context := rapid.SliceOfN(number, d, d)
		r, s := newRidge(1, d), linearState(1, d)
		r.lambda = rapid.SampledFrom([]float64{1e-60, 1, 1e60}).Draw(t, "lambda")
		r.size(d)
		for n, x := range rapid.SliceOfN(context, 0, 8).Draw(t, "rows") {
			for j := range x {
				s.Vectors[0][j] += x[j] * 0.5
			}
			r.learn(0, x, int64(n+1))
			r.observe(s, 0)
		}
		x := context.Draw(t, "x")
		mean, norm := r.predict(0, x)
		if mean-mean != 0 || norm-norm != 0 || norm < 0 {
			t.Fatalf("⟨θ̃,x⟩ = %v, ‖x‖² = %v", mean, norm)
		}
	})
}

// Noise that is drawn anew between two updates changes θ̃ and not V: rows that
// came since are not yet seen. And taken back, it leaves no trace.
func TestRidgeSeesAnotherVectorOfTheSameRows(t *testing.T) {
	l := NewLinUCB(1, LinUCBSpec{Lambda: 0.5, NoiseSD: 0.5, ThetaBound: 1, Delta: 0.05}, nil, nil)
	l.Size(2)
	s := linearState(1, 2)
	give(l, s, 0, 1, 1, 0.5)
	give(l, s, 0, 0.5, 0.25, 1)
	a := &l.arms[0]
	before := [][]float64{slices.Clone(a.factor), slices.Clone(a.theta), {a.growth, l.width[0]}}
	l.Learn(0, []float64{3, 4}, 3) // not yet seen
	mine := slices.Clone(s.Vectors[0])
	s.Vectors[0][1] += 2
	l.Observe(s, 0)
	// V = λI + Σ xx' of the two rows.
	v := [2][2]float64{{0.5 + 1 + 0.0625, 0.5 + 0.25}, {0.5 + 0.25, 0.5 + 0.25 + 1}}
	for i, want := range s.Vectors[0] {
		if got := v[i][0]*a.theta[0] + v[i][1]*a.theta[1]; math.Abs(got-want) > 1e-12 {
			t.Errorf("V·θ̃ = %v, want %v", got, want)
		}
	}
	copy(s.Vectors[0], mine)
	l.Observe(s, 0)
	for i, now := range [][]float64{a.factor, a.theta, {a.growth, l.width[0]}} {
		if !slices.Equal(now, before[i]) {
			t.Errorf("%v, was %v", now, before[i])
		}
	}
	s.Pulls[0] = 3
	l.Observe(s, 0)
	if slices.Equal(a.factor, before[0]) {
		t.Error("a row that is seen changes V")
	}
}
