package noise

import (
	"math"
	"strings"
	"testing"
)

// TestBeatsTheDeclaredLaw: a hypothesis fits only with a smaller BIC than the declared
// law, where both have one.
func TestBeatsTheDeclaredLaw(t *testing.T) {
	for _, c := range []struct {
		bic, declared float64
		fits          bool
	}{{5, 6, true}, {5, 5, false}, {6, 5, false}, {math.NaN(), 5, true}, {5, math.NaN(), true}} {
		h := tried{Hypothesis: Hypothesis{Fits: true, Rows: 9, Explained: 9}, bic: c.bic}
		if h.beats(c.declared); h.Fits != c.fits || (h.Explained == 9) != c.fits {
			t.Errorf("%+v: fits %t, explains %d", c, h.Fits, h.Explained)
		}
	}
}

// TestBareWordsHaveNoNumber: a hypothesis whose words hold a number has others without
// any, for whoever may not say a number of so few draws.
func TestBareWordsHaveNoNumber(t *testing.T) {
	const digits = "0123456789"
	numbers := 0
	for _, scale := range []float64{.2, 3} {
		d := deployed(t, spec("hybrid"), 2, 500)
		d.show = func(_ *deployment, _ int, _ int64, noise float64) float64 { return scale * noise }
		for _, h := range Fit(d.input(t)).Hypotheses {
			if !strings.ContainsAny(h.Words, digits) {
				continue
			}
			if numbers++; h.Bare == "" || strings.ContainsAny(h.Bare, digits) {
				t.Errorf("%s: %q, and without numbers %q", h.Name, h.Words, h.Bare)
			}
		}
	}
	if numbers < 4 {
		t.Errorf("%d hypotheses say a number", numbers)
	}
}
