package maxinfo

import (
	"math"
	"testing"
)

// The vectors of a user's own p (sheet 28.1), with costs given directly, to the digits that
// are printed.
func TestOwnPrinted(t *testing.T) {
	t.Parallel()
	const last = 5.001e-9
	for _, r := range []struct {
		levels                               []Level
		sigma, total, p, renyi, any, moments float64
	}{
		{[]Level{{.05, 5}}, .05590073, .25, .003, .00362405, .00384880, .00357679},
		{[]Level{{.05, 5}}, .05590073, .25, .03, .03473240, .03819531, .03453008},
		{[]Level{{.5, 1}, {.25, 2}, {1, 1}}, .58318969, 2, .003, .01847456, .02175028, .01418524},
		{[]Level{{.5, 1}, {.25, 2}, {1, 1}}, .58318969, 2, .03, .11857694, .18601741, .10625580},
		{[]Level{{.1, 25}}, .24998264, 2.5, .003, .00681719, .03536120, .00675199},
		{[]Level{{.02, 400}}, .19999944, 8, .03, .04994097, .98926976, .04992996},
	} {
		for name, c := range map[string]struct{ got, want float64 }{
			"sigma": {Sigma(r.levels), r.sigma}, "total": {Total(r.levels), r.total},
			"Rényi":   {math.Exp(Renyi(r.levels).Apply(math.Log(r.p))), r.renyi},
			"any law": {math.Exp(AnyLaw(r.levels).Apply(math.Log(r.p))), r.any},
			"moments": {math.Exp(Least(Renyi(r.levels), AnyLaw(r.levels), Moments(r.levels)).Apply(math.Log(r.p))), r.moments},
		} {
			if math.Abs(c.got-c.want) > last {
				t.Errorf("costs %v, p = %g: %s is %.9f, printed %g", r.levels, r.p, name, c.got, c.want)
			}
		}
	}
	// By unit, {.1,.2}, {.3}, {.05,.05,.05}; by row it would be wrong.
	if got := Sigma([]Level{{.3, 2}, {.15, 1}}); math.Abs(got-.2248713084) > 5.001e-11 {
		t.Errorf("by unit σ is %.11f, printed .2248713084", got)
	}
	if got := Sigma([]Level{{.1, 1}, {.2, 1}, {.3, 1}, {.05, 3}}); math.Abs(got-.1919400121) > 5.001e-11 {
		t.Errorf("by row σ is %.11f, printed .1919400121", got)
	}
}
