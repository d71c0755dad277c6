package ipw

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

// TestHausmanVector: "hausman" of the answers sheet, appendix B, whose plug-in is
// (S + g)/(N + 1) with g = (S_all + ½)/t, and the same with that of [Plugin], (S + ½)/(N + 1),
// by the sheet's program with .5 in the place of g (numpy 2.4).
func TestHausmanVector(t *testing.T) {
	for _, c := range []struct {
		pooled bool
		want   []float64
	}{
		{true, []float64{0.31896565, 2.8250911, 2.67338386}},
		{false, []float64{0.31879026, 2.89372196, 2.58758026}},
	} {
		var sums, parts [3]Hausman
		var scores [3]Mean
		var n, s [3]float64
		all := 0.0
		arm, y, p := reference.AnswersLog()
		for i, k := range arm {
			guess := .5
			if c.pooled {
				guess = (all + .5) / float64(i+1)
			}
			for j := range scores {
				g := (s[j] + guess) / (n[j] + 1)
				if j == k {
					g += (y[i] - g) / p[i][k]
					parts[k].Add(y[i], g, 1/p[i][k])
				}
				scores[j].Add(1, g)
			}
			if i%37 == 36 || i == len(arm)-1 {
				for j := range parts {
					sums[j].Merge(&parts[j])
				}
				parts = [3]Hausman{}
			}
			n[k]++
			s[k] += y[i]
			all += y[i]
		}
		for k, want := range c.want {
			z, least := sums[k].Z(&scores[k], 0)
			if math.Abs(z-want) > 1e-8 || math.Abs(least) > math.Abs(z) || !sums[k].Looked() {
				t.Errorf("arm %d: z = %.8f, least %.8f; want %.8f", k, z, least, want)
			}
			if z, least := sums[k].Z(&scores[k], 1); z != 0 || least != 0 {
				t.Errorf("arm %d: with a slack of 1 z = %g, least %g; want 0", k, z, least)
			}
		}
	}
}

// Pulls that are all alike, or none, show nothing.
func TestHausmanNone(t *testing.T) {
	var h Hausman
	var m Mean
	for range 40 {
		h.Add(1, 1, 2)
		m.Add(1, 1)
	}
	for _, of := range []*Hausman{&h, {}} {
		if z, least := of.Z(&m, 0); z != 0 || least != 0 {
			t.Errorf("z = %g, least %g; want 0", z, least)
		}
	}
}

// A few heavy rounds without a success: half the rounds with p = .01, 25 pulls there and
// none pays, of an arm that pays .02. The first form would reject.
func TestHausmanHeavyRounds(t *testing.T) {
	var h Hausman
	var m Mean
	for i := range 2500 { // p = .99: 50 successes
		y := 0.0
		if i%50 == 0 {
			y = 1
		}
		g := .02 + (y-.02)/.99
		h.Add(y, g, 1/.99)
		m.Add(1, g)
	}
	for i := range 2500 {
		g := .02
		if i%100 == 0 {
			g -= .02 / .01
			h.Add(0, g, 100)
		}
		m.Add(1, g)
	}
	if z, least := h.Z(&m, 0); z > -3 || math.Abs(least) > 1.5 {
		t.Errorf("z = %g, least %g", z, least)
	}
}
