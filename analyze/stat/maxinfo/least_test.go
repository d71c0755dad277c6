package maxinfo

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The minimum, at each p whatever is least there.
func TestLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := drawLevels(t, 4, 5)
		logP := -rapid.Float64Range(0, 500).Draw(t, "minus ln p")
		of := []Conditional{Renyi(levels), Moments(levels), AnyLaw(levels)}
		q, g := 0.0, math.Inf(-1)
		for _, c := range of {
			q, g = min(q, c.Apply(logP)), max(g, c.Level(logP))
		}
		if l := Least(of...); l.Apply(logP) != q || l.Level(logP) != g {
			t.Fatalf("%v at %g: %g and %g, want %g and %g", levels, logP, l.Apply(logP), l.Level(logP), q, g)
		}
	})
}

// Each of two wins somewhere.
func TestLeastChanges(t *testing.T) {
	levels := []Level{{1, 4}}
	a, b := AnyLaw(levels), Renyi(levels)
	l := Least(a, b)
	if at := -3.0; l.Apply(at) != b.Apply(at) || !(b.Apply(at) < a.Apply(at)) {
		t.Errorf("at p = e^%g: %g", at, l.Apply(at))
	}
	if at := -30.0; l.Apply(at) != a.Apply(at) || !(a.Apply(at) < b.Apply(at)) {
		t.Errorf("at p = e^%g: %g", at, l.Apply(at))
	}
}

func TestLeastOfNone(t *testing.T) {
	l := Least()
	inf := math.Inf(1)
	for _, p := range []float64{-inf, -3, 0} {
		if got := l.Apply(p); got != 0 {
			t.Errorf("Apply(%g) = %g, want 0", p, got)
		}
	}
	if g, one := l.Level(-3), l.Level(0); g != -inf || one != 0 {
		t.Errorf("Level(-3) = %g, Level(0) = %g, want -Inf and 0", g, one)
	}
	if !math.IsNaN(l.Apply(1)) || !math.IsNaN(l.Level(math.NaN())) {
		t.Error("an argument that is no p-value gives a number")
	}
}
