package maxinfo

import (
	"math"
	"testing"

	"banditaudit/testdata/reference"
)

func TestPublishedReference(t *testing.T) {
	for _, r := range reference.Rows(t, "maxinfo.csv", "theorem20") {
		if got := Published(r[1], int64(r[2])).Apply(r[0]); got < r[3] || got > r[3]+1e-12*math.Abs(r[0]) {
			t.Errorf("ε = %g, n = %g: Apply(%g) = %.17g, want %.17g or a little more", r[1], r[2], r[0], got, r[3])
		}
	}
	for _, r := range reference.Rows(t, "maxinfo.csv", "theorem20gamma") {
		if got := Published(r[1], int64(r[2])).Level(r[0]); got > r[3] || got < r[3]-1e-12*math.Abs(r[3]) {
			t.Errorf("ε = %g, n = %g: Level(%g) = %.17g, want %.17g or a little less", r[1], r[2], r[0], got, r[3])
		}
	}
}

// What it was reached with is the theorem's own record.
func TestPublishedAt(t *testing.T) {
	logP, eps, n := math.Log(.01), .05, int64(500)
	if got, want := Published(eps, n).At(logP), Theorem20(logP, eps, n); got != want {
		t.Errorf("best β: %+v, want %+v", got, want)
	}
	fixed := PublishedAt(eps, n, .025)
	if got, want := fixed.At(logP), Theorem20At(logP, eps, n, .025); got != want {
		t.Errorf("β given: %+v, want %+v", got, want)
	}
	if got := math.Exp(fixed.Level(math.Log(.05))); math.Abs(got-.00255730) > 5.01e-9 {
		t.Errorf("γ(.05) at β = .025 is %.9f, printed .00255730", got)
	}
	if fixed.Apply(logP) < Published(eps, n).Apply(logP) {
		t.Error("a given β beats the best one")
	}
}

func TestPublishedSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct {
		c          Theorem
		p, q, a, g float64
	}{
		{Published(0, 10), -5000, -5000, -5000, -5000},
		{Published(1, 0), -5000, -5000, -5000, -5000},
		{Published(inf, 10), -5000, 0, -1, -inf},
		{Published(.1, 10), 0, 0, 0, 0},
		{Published(.1, 10), -inf, -inf, -inf, -inf},
		{Published(-1, 10), -3, nan, -3, nan},
		{Published(.1, -1), -3, nan, -3, nan},
		{Published(nan, 10), -3, nan, 0, nan},
		{Published(.1, 10), nan, nan, nan, nan},
		{Published(.1, 10), 1, nan, 1, nan},
		{PublishedAt(.1, 10, .01), 0, 0, 0, 0},
		{PublishedAt(.1, 10, .5), -5000, math.Log(.5), -1, -inf},
		{PublishedAt(.1, 10, 0), -5000, 0, -3, -inf},
		{PublishedAt(.1, 10, 2), -5000, nan, -3, nan},
		{PublishedAt(.1, 10, nan), -5000, nan, -3, nan},
		{PublishedAt(0, 10, .5), -inf, math.Log(.5), -1, -inf},
	} {
		if got := r.c.Apply(r.p); got != r.q && !closeTo(got, r.q, 1e-12) && !(math.IsNaN(got) && math.IsNaN(r.q)) {
			t.Errorf("%+v: Apply(%g) = %g, want %g", r.c, r.p, got, r.q)
		}
		if got := r.c.Level(r.a); got != r.g && !(math.IsNaN(got) && math.IsNaN(r.g)) {
			t.Errorf("%+v: Level(%g) = %g, want %g", r.c, r.a, got, r.g)
		}
	}
}
