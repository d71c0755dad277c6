package shares

import (
	"fmt"
	"math"

	"banditaudit/replay/diagnose"
	"banditaudit/schemas"
)

// manyDraws is the number of draws above which shares are hardly told from computed
// propensities that were rounded.
const manyDraws = 100_000

// coarser names log.propensity_resolution where rounding explains what is taken for
// draws: where at least manyDraws draws would have to have been made, whose shares are
// hardly told from computed propensities, or where no difference is larger than one unit of
// the last decimal for every arm, as where the last arm gets what the rounded others leave;
// "" where neither is so, or the shares are contradicted.
func (e *Estimated) coarser() string {
	s, unit := e.said, 2*e.decimal()
	small := e.log.Worst <= float64(unit*float64(len(e.p)))*(1+diagnose.Relative)
	if s.Verdict == schemas.Violated || e.log.Worst > schemas.MaxResolution || !small && (s.Verdict == schemas.Consistent || e.least() < manyDraws) {
		return ""
	}
	size := ceil1(e.log.Worst)
	if s.Verdict == schemas.Consistent {
		return fmt.Sprintf("; no difference is larger than %g, which rounding explains too: where none were drawn delete the key, and declare log.propensity_resolution: %g", size, size)
	}
	return fmt.Sprintf("; no difference is larger than %g: where they were computed, and rounded in the log (the last arm gets what the rounded others leave, rewards were read in full and are rounded in the log), none were drawn: declare log.propensity_resolution: %g and no log.propensity_draws", size, size)
}

// least is the fewest draws of which the shares look as if they were; 0: not known.
func (e *Estimated) least() float64 {
	switch s := e.said; {
	case s.Low != nil:
		return *s.Low
	case s.Fewest != nil && e.by == nil:
		return float64(*s.Fewest)
	}
	return 0
}

// ceil1 is v rounded up to one digit.
func ceil1(v float64) float64 {
	exponent := int(math.Floor(math.Log10(v)))
	if exponent < 0 {
		unit := math.Pow10(-exponent)
		return math.Ceil(float64(v*unit)) / unit
	}
	unit := math.Pow10(exponent)
	return math.Ceil(v/unit) * unit
}
