package conformance

import (
	"math"
	"testing"
)

// Where a replay contradicts a policy that reads rewards, the log says whether these
// may have been rounded; where nothing differs, or rewards are 0 and 1, nothing is read
// for it.
func TestRewardsAsWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		way      func(i int) float64
		wrong    bool
		decimals int64 // −1: more than 6
		single   bool
		said     bool
	}{
		"4 decimals":      {func(i int) float64 { return math.Round(math.Mod(float64(i)*math.Phi, 1)*1e4) / 1e4 }, true, 4, false, true},
		"float32":         {func(i int) float64 { return float64(float32(math.Mod(float64(i)*math.Phi, 1))) }, true, -1, true, true},
		"in full":         {func(i int) float64 { return math.Mod(float64(i)*math.Phi, 1) }, true, -1, false, false},
		"binary":          {func(i int) float64 { return float64(i % 2) }, true, 0, false, false},
		"nothing differs": {func(i int) float64 { return float64(i%4) / 4 }, false, 0, false, false},
	} {
		p := protocol("ucb", "exact")
		l := play(t, p)
		for i := range l.Reward {
			l.Reward[i] = c.way(i)
		}
		if !c.wrong {
			l = play(t, p)
		}
		out, book := run(t, p, l.write(t), nil)
		w := out.Conformance.Rewards
		if (w != nil) != c.said || c.said && (c.decimals < 0) != (w.Decimals == nil) || c.said && w.Float32 != c.single || c.said && w.Decimals != nil && *w.Decimals != c.decimals {
			t.Errorf("%s: %+v", name, w)
		}
		booked := false
		for _, b := range book.List() {
			booked = booked || b.Purpose == purposeWritten
		}
		if booked != c.wrong {
			t.Errorf("%s: booked %v", name, booked)
		}
	}
}
