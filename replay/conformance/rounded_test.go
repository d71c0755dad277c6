package conformance

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"banditaudit/schemas"
)

// Logs that write released values with few decimals, or as float32 from the
// start or from some row on, are not convicted of it.
func TestRoundedReleasesAreNotConvicted(t *testing.T) {
	ways := map[string]func(at int, v float64) float64{
		"float32": func(_ int, v float64) float64 { return float64(float32(v)) },
		"mixed": func(at int, v float64) float64 {
			if at < 800 {
				return v
			}
			return float64(float32(v))
		},
		"0 decimals": func(_ int, v float64) float64 { return math.Round(v) },
		"2 decimals": func(_ int, v float64) float64 { return math.Round(v*100) / 100 },
		"6 digits":   func(_ int, v float64) float64 { return written(v, 6) },
		"4 digits":   func(_ int, v float64) float64 { return written(v, 4) },
	}
	for name, way := range ways {
		for _, p := range []*schemas.Protocol{noisy("ucb", "hybrid"), noisy("thompson", "hybrid"), noisy("epsilon-greedy", "hybrid")} {
			l := show(t, p, 800, 7, false)
			l.ReleasedByArm = slices.Clone(l.ReleasedByArm)
			for i, v := range l.ReleasedByArm {
				l.ReleasedByArm[i] = way(i, v)
			}
			c := run2(t, p, l.write(t))
			r := c.Released
			if c.Matched != c.Replayable || c.FirstMismatch != nil || r.Changed != 0 || r.Noise.Rejected || r.Noise.OffGrid != 0 {
				t.Errorf("%s, %s: %d of %d match, %d changes, %+v", p.Policy.Name, name, c.Matched, c.Replayable, r.Changed, r.Noise.Tests)
			}
			if name != "mixed" && r.Rounding == nil {
				t.Errorf("%s, %s: no rounding is found", p.Policy.Name, name)
			}
		}
	}
}

// A wrong action is not forgiven for a rounding that cannot explain it.
func TestRoundingExplainsNoWrongAction(t *testing.T) {
	p := noisy("ucb", "hybrid")
	l := show(t, p, 400, 7, false)
	for i, v := range l.ReleasedByArm {
		l.ReleasedByArm[i] = math.Round(v*1e6) / 1e6
	}
	l.Arm[300] = 1 - l.Arm[300]
	if c := run2(t, p, l.write(t)); c.FirstMismatch == nil || c.FirstMismatch.Round != 301 {
		t.Errorf("%d of %d match", c.Matched, c.Replayable)
	}
}

// written writes v with so many significant digits.
func written(v float64, digits int) float64 {
	w, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return w
}
