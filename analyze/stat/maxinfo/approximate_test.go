package maxinfo

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

// The bound at given parameters, which pin the formula down.
func TestApproximatePrinted(t *testing.T) {
	for _, r := range []struct {
		eps, delta, rows, wide, d, beta0 float64
		nats, beta                       float64
	}{
		{.05, 1e-8, 500, .06, .1, .01, 5.108507, .02073319},
		{.05, 1e-8, 500, .1, .1, .01, 9.559227, .01214814},
		{.01, 1e-9, 1000, .012, .05, .01, 1.274225, .03089563},
	} {
		a := approximate{r.eps, r.delta, r.rows}
		terms, ok := a.terms(math.Log(r.wide - r.eps))
		nats := terms.drift + r.d + terms.spread*math.Sqrt(-math.Log(r.beta0))
		beta := r.beta0 + math.Exp(terms.logMass)*(1+1/r.d)
		if !ok || math.Abs(nats-r.nats) > 5.001e-7 || math.Abs(beta-r.beta) > 5.001e-9 {
			t.Errorf("%+v: k = %.7f, β = %.9f", r, nats, beta)
		}
		// The search does at least as well as these parameters.
		for _, logP := range []float64{-7, -12, -40} {
			at := logAddExp(math.Log(beta), nats+logP)
			if got := a.Apply(logP); got > min(0, at) {
				t.Errorf("%+v: Apply(%g) = %g, above %g at these parameters", r, logP, got, at)
			}
		}
		logAlpha := math.Log(.2)
		if got, at := a.Level(logAlpha), math.Log(.2-beta)-nats; got < at {
			t.Errorf("%+v: Level(ln .2) = %g, below %g at these parameters", r, got, at)
		}
	}
}

// Against the minimum that scipy finds from sixty starts.
func TestApproximateReference(t *testing.T) {
	for _, r := range reference.Rows(t, "corrections.csv", "approximate") {
		c := ApproximateDP(r[1], r[2], int64(r[3]))
		got := c.Apply(r[0])
		if got < r[4]-1e-9 || got > r[4]+1e-5 {
			t.Errorf("(%g, %g), n = %g: Apply(%g) = %.12g, want %.12g", r[1], r[2], r[3], r[0], got, r[4])
		}
		if back := c.Level(got); math.Abs(back-r[0]) > 1e-3 {
			t.Errorf("(%g, %g), n = %g: Level(%g) = %.12g, want %g", r[1], r[2], r[3], got, back, r[0])
		}
	}
	for _, r := range reference.Rows(t, "corrections.csv", "psi") {
		if got := psi(r[0]); !closeTo(got, r[1], 4e-15) {
			t.Errorf("psi(%g) = %.17g, want %.17g", r[0], got, r[1])
		}
	}
}

func TestApproximateSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct {
		eps, delta float64
		n          int64
		p, q, a, g float64
	}{
		{0, 0, 10, -5000, -5000, -5000, -5000},
		{1, .1, 0, -3, -3, -3, -3},
		{.1, 1e-9, 0, -inf, -inf, -inf, -inf},
		{inf, 0, 10, -5000, 0, -1, -inf},
		{inf, 0, 10, 0, 0, 0, 0},
		{.1, 1e-9, 10, 0, 0, 0, 0},
		{.1, .5, 10, -inf, 0, -1, -inf},
		{.1, .5, 10, -5000, 0, -5000, -inf},
		{.1, 1e-9, 10, nan, nan, nan, nan},
		{.1, 1e-9, 10, 1, nan, 1, nan},
		{-.1, 1e-9, 10, -3, nan, -3, nan},
		{.1, 2, 10, -3, nan, -3, nan},
		{.1, nan, 10, -3, nan, -3, nan},
		{.1, 1e-9, -1, -3, nan, -3, nan},
	} {
		c := ApproximateDP(r.eps, r.delta, r.n)
		if got := c.Apply(r.p); got != r.q && !(math.IsNaN(got) && math.IsNaN(r.q)) {
			t.Errorf("(%g, %g), n = %d: Apply(%g) = %g, want %g", r.eps, r.delta, r.n, r.p, got, r.q)
		}
		if got := c.Level(r.a); got != r.g && !(math.IsNaN(got) && math.IsNaN(r.g)) {
			t.Errorf("(%g, %g), n = %d: Level(%g) = %g, want %g", r.eps, r.delta, r.n, r.a, got, r.g)
		}
	}
	// p = 0 is no proof where δ > 0: an event of no probability may get n·δ.
	c := ApproximateDP(.1, 1e-9, 1000)
	if got := c.Apply(-inf); !closeTo(got, math.Log(1e-6), 1e-13) || c.Apply(-5000) < got {
		t.Errorf("p = 0 is corrected to e^%g, p = e^-5000 to e^%g, want ln 1e-6 and no less", got, c.Apply(-5000))
	}
	if got := c.Level(math.Log(1e-6)); !math.IsInf(got, -1) {
		t.Errorf("no level is left for α = n·δ, got e^%g", got)
	}
}

// δ → 0 leads to δ = 0.
func TestApproximateVanishingDelta(t *testing.T) {
	want := ApproximateDP(.02, 0, 300).Apply(-12)
	if got := ApproximateDP(.02, 1e-40, 300).Apply(-12); math.Abs(got-want) > 1e-6 {
		t.Errorf("δ = 1e-40 gives %.12g, δ = 0 gives %.12g", got, want)
	}
}
