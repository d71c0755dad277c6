package maxinfo

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

func TestInformationReference(t *testing.T) {
	for _, r := range reference.Rows(t, "corrections.csv", "information") {
		c := Information(r[1])
		got := c.Apply(r[0])
		if got < r[2]-1e-15*math.Abs(r[2]) || got > r[2]+1e-9*(1+math.Abs(r[2])) {
			t.Errorf("I = %g: Apply(%g) = %.17g, want %.17g or a little more", r[1], r[0], got, r[2])
		}
		if r[2] < -1e-6 {
			if back := c.Level(r[2]); back > r[0]*(1-1e-9) || back < r[0]*(1+1e-6) {
				t.Errorf("I = %g: Level(%g) = %.17g, want %.17g or a little less", r[1], r[2], back, r[0])
			}
		}
	}
}

func TestInformationPrinted(t *testing.T) {
	for _, r := range []struct{ p, nats, want float64 }{
		{.05, .01, .08364827},
		{.05, .03125, .11297404},
		{.05, .125, .19032515},
		{.01, .01, .02703501},
		{.01, .125, .09171331},
	} {
		if got := math.Exp(Information(r.nats).Apply(math.Log(r.p))); math.Abs(got-r.want) > 5.001e-9 {
			t.Errorf("I = %g, p = %g: %.10f, printed %g", r.nats, r.p, got, r.want)
		}
	}
}

func TestInformationSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct{ nats, p, q, a, g float64 }{
		{0, -5000, -5000, -5000, -5000},
		{inf, -5000, 0, -1, -inf},
		{inf, 0, 0, 0, 0},
		{.1, 0, 0, 0, 0},
		{.1, -inf, -inf, -inf, -inf},
		{5001, -5000, 0, -5000, -inf}, // I/α is no number
		{-1, -3, nan, -3, nan},
		{nan, -3, nan, -3, nan},
		{.1, 1, nan, 1, nan},
	} {
		c := Information(r.nats)
		if got := c.Apply(r.p); got != r.q && !(math.IsNaN(got) && math.IsNaN(r.q)) {
			t.Errorf("I = %g: Apply(%g) = %g, want %g", r.nats, r.p, got, r.q)
		}
		if got := c.Level(r.a); got != r.g && !(math.IsNaN(got) && math.IsNaN(r.g)) {
			t.Errorf("I = %g: Level(%g) = %g, want %g", r.nats, r.a, got, r.g)
		}
	}
}

// Information so small that kl has no digits left must still not be less than p.
func TestInformationRoundsUp(t *testing.T) {
	for _, nats := range []float64{1e-300, 1e-20, 1e-16} {
		for _, logP := range []float64{-1e-9, -.7, -3, -700} {
			p := math.Exp(logP)
			// The first order is p + √(2·I·p·(1−p)).
			step := math.Sqrt(2 * nats * -math.Expm1(logP) / p)
			if logP < -600 {
				step = 0
			}
			want := logP + .99*step
			if got := Information(nats).Apply(logP); got < want || got > 0 {
				t.Errorf("I = %g: Apply(%g) = %.17g, want at least %.17g", nats, logP, got, want)
			}
		}
	}
}
