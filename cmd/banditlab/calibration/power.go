package calibration

import "banditaudit/cmd/banditlab/mechanisms"

// Power runs a pair where the first arm has mean ½ + gap and the others ½, and
// tests that the first has ½: what it rejects, it rejects rightly.
func (s Setting) Power(pair mechanisms.Pair, gap float64) (Outcome, error) {
	return s.means(pair, [Arms]float64{.5 + gap, .5, .5})
}
