package adaptive

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestIPWByHand(t *testing.T) {
	w := NewIPW(3)
	if m, se := w.Mean(0, w.rounds); !math.IsNaN(m) || !math.IsNaN(se) {
		t.Errorf("no rounds: %g ± %g", m, se)
	}
	if err := w.Add([]int32{0}, []float64{1}, []float64{0.5}); err != nil {
		t.Fatal(err)
	}
	if m, se := w.Mean(0, w.rounds); m != 2 || !math.IsNaN(se) {
		t.Errorf("one round: %g ± %g", m, se)
	}
	// Terms of arm 0: 2, 0, 4, 0; the row with arm −1 does not count.
	if err := w.Add([]int32{1, -1, 0, 1}, []float64{1, math.NaN(), 1, 0}, []float64{0.25, math.NaN(), 0.25, 0.5}); err != nil {
		t.Fatal(err)
	}
	if m, se := w.Mean(0, w.rounds); m != 1.5 || !near(se, math.Sqrt(11.0/3/4), 1e-15) {
		t.Errorf("arm 0: %g ± %g, want 1.5 ± %g", m, se, math.Sqrt(11.0/3/4))
	}
	if m, _ := w.Mean(1, w.rounds); m != 1 {
		t.Errorf("arm 1: %g", m)
	}
	if m, se := w.Mean(2, w.rounds); m != 0 || se != 0 {
		t.Errorf("an arm never played: %g ± %g", m, se)
	}
}

func TestIPWRefusals(t *testing.T) {
	for _, p := range []float64{0, -0.1, 1.5, math.NaN(), math.Inf(1)} {
		w := NewIPW(2)
		err := w.Add([]int32{0, 1}, []float64{1, 1}, []float64{0.5, p})
		if err == nil || !strings.Contains(err.Error(), "row 1") || w.rounds != 0 {
			t.Errorf("p = %g: %v, %d rounds", p, err, w.rounds)
		}
	}
	if err := NewIPW(2).Add([]int32{2}, []float64{1}, []float64{0.5}); err == nil {
		t.Error("an arm that does not exist must be refused")
	}
	for name, call := range map[string]func(){
		"add":   func() { _ = NewIPW(1).Add([]int32{0}, []float64{1, 2}, []float64{1}) },
		"arm":   func() { _ = NewIPW(1).Add([]int32{0}, []float64{1, 2}, []float64{1, 1}) },
		"merge": func() { NewIPW(1).Merge(NewIPW(2)) },
	} {
		func() {
			defer func() {
				if recover() != badLength {
					t.Errorf("%s: unequal lengths must panic", name)
				}
			}()
			call()
		}()
	}
}

// The mean is unbiased for an adaptive policy, by enumerating every path of
// three rounds on a fixed table of rewards.
func TestIPWUnbiased(t *testing.T) {
	rewards := [3][2]float64{{0.9, 0.2}, {0.1, 0.7}, {0.4, 0.3}}
	var expected [2]float64
	for path := range 8 {
		arm, y, p := make([]int32, 3), make([]float64, 3), make([]float64, 3)
		probability, last := 1.0, 0.5
		for r := range 3 {
			// The next probabilities depend on the reward just seen.
			arm[r] = int32(path >> r & 1)
			p[r] = 0.2 + 0.6*last
			if arm[r] == 1 {
				p[r] = 1 - p[r]
			}
			y[r] = rewards[r][arm[r]]
			last = y[r]
			probability *= p[r]
		}
		w := NewIPW(2)
		if err := w.Add(arm, y, p); err != nil {
			t.Fatal(err)
		}
		for a := range 2 {
			m, _ := w.Mean(a, w.rounds)
			expected[a] += probability * m
		}
	}
	for a := range 2 {
		if want := (rewards[0][a] + rewards[1][a] + rewards[2][a]) / 3; !near(expected[a], want, 1e-14) {
			t.Errorf("arm %d: expectation %.17g, want %.17g", a, expected[a], want)
		}
	}
}

func TestIPWMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	arm, y, p := make([]int32, 900), make([]float64, 900), make([]float64, 900)
	for i := range arm {
		arm[i], y[i], p[i] = int32(r.IntN(3)), r.Float64(), 0.1+0.9*r.Float64()
	}
	whole, merged, again := NewIPW(3), NewIPW(3), NewIPW(3)
	if err := whole.Add(arm, y, p); err != nil {
		t.Fatal(err)
	}
	for _, total := range []*IPW{merged, again} {
		for i := 0; i < 900; i += 250 {
			part, end := NewIPW(3), min(i+250, 900)
			if err := part.Add(arm[i:end], y[i:end], p[i:end]); err != nil {
				t.Fatal(err)
			}
			total.Merge(part)
		}
	}
	for a := range 3 {
		m, se := whole.Mean(a, whole.rounds)
		mm, mse := merged.Mean(a, merged.rounds)
		am, ase := again.Mean(a, again.rounds)
		if !near(mm, m, 1e-14) || !near(mse, se, 1e-13) || am != mm || ase != mse {
			t.Errorf("arm %d: %g ± %g in one, %g ± %g merged", a, m, se, mm, mse)
		}
	}
}

// TestESS: equal weights count every round, and one heavy weight counts little
// more than itself: (10+1+1)²/(100+1+1) = 144/102.
func TestESS(t *testing.T) {
	w := NewIPW(3)
	if err := w.Add([]int32{0, 0, 0, 1, 1, 1}, make([]float64, 6), []float64{.5, .5, .5, .1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	for arm, want := range []float64{3, 144.0 / 102} {
		if got := w.ESS(arm); math.Abs(got-want) > 1e-12 {
			t.Errorf("arm %d: %v, want %v", arm, got, want)
		}
	}
	if got := w.ESS(2); !math.IsNaN(got) {
		t.Errorf("an arm never played: %v, want NaN", got)
	}
}
