package noise

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Draws that were rounded to a twentieth of their scale and more are not
// rejected for it, and noise of another scale is still found.
func TestRoundedDraws(t *testing.T) {
	src := rand.NewPCG(17, 1)
	for _, unit := range []float64{1e-4, 0.1, 1, 4} {
		for _, ratio := range []float64{1, 8} {
			draws := design(400, 2, 0x1p-20, 1)
			for i := range draws {
				v := ratio * simulated(src, &draws[i])
				draws[i].Value, draws[i].Error = math.Round(v/unit)*unit, unit/2
			}
			r := Fit(Input{Draws: draws})
			if r.Rejected != (ratio > 1) || r.Blurred != (unit > 0.01) || (r.Lo > 1) != (ratio > 1) {
				t.Errorf("unit %v, ratio %v: %+v", unit, ratio, r)
			}
		}
	}
}

// Words name streams as they are labelled, and tell those of one arm apart.
func TestStreamsThatShareNoise(t *testing.T) {
	in := Input{Labels: []string{"red", "blue"}}
	for words, pair := range map[string][2]Stream{
		`arms "red" and "blue" add`:                                                             {{Arm: 0}, {Arm: 1}},
		`coordinates 0 and 2 of arm "red" add`:                                                  {{Arm: 0}, {Arm: 0, Coordinate: 2}},
		`coordinate 1 of arm "red" and coordinate 0 of arm "blue" add`:                          {{Arm: 0, Coordinate: 1}, {Arm: 1}},
		`coordinate 0 of arm "red" in stratum 1 and coordinate 1 of arm "red" in stratum 3 add`: {{Arm: 0}, {Stratum: 2, Arm: 0, Coordinate: 1}},
	} {
		if got := in.sameNoise(&variable{Stream: pair[0]}, &variable{Stream: pair[1]}); !strings.HasPrefix(got, words) {
			t.Errorf("%q, want %q", got, words)
		}
	}
}

// With Stopped, rounding widens the interval that holds at any length, its test
// rejects no more than without, and draws that come again are told all the same.
func TestRoundedDrawsOfStoppedLogs(t *testing.T) {
	src := rand.NewPCG(19, 1)
	for _, unit := range []float64{1e-4, 0.1, 1} {
		draws := design(400, 2, 0x1p-20, 1)
		for i := range draws {
			draws[i].Value = math.Round(simulated(src, &draws[i])/unit) * unit
		}
		exact := Fit(Input{Draws: draws, Stopped: true})
		for i := range draws {
			draws[i].Error = unit / 2
		}
		fixed, r := Fit(Input{Draws: draws}), Fit(Input{Draws: draws, Stopped: true})
		if r.Rejected || !(r.Lo < exact.Lo && exact.Hi < r.Hi && r.Lo < fixed.Lo && fixed.Hi < r.Hi) || math.IsInf(r.Detectable, 1) != r.Blurred {
			t.Errorf("unit %v: %+v, of a fixed length (%v, %v), unrounded (%v, %v)", unit, r, fixed.Lo, fixed.Hi, exact.Lo, exact.Hi)
		}
	}
}
