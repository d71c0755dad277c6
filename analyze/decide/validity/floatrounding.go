package validity

import (
	"fmt"
	"math"

	"banditaudit/analyze/log/allocation"
	"banditaudit/schemas"
)

// excused is what makes logged propensities differ that a program which ran the policy can
// have done, and no key has said; "" where nothing is it.
func (e *Evidence) excused(r *schemas.Conformance) string {
	switch {
	case e.inSingles(r):
		return propensityWords(e.Facts.Log, r) + ". The column is float32, and a program that computes in float32 differs by as much: that is no contradiction, and shows nothing for the policy either"
	case e.inRemainder(r):
		worst := r.Propensities.Worst
		return propensityWords(e.Facts.Log, r) + fmt.Sprintf("; in all of these the last arm alone differs, by no more than what the rounded others leave of 1: where it got that, declare log.propensity_resolution: %.1g", ceilDigit(math.Abs(worst.Logged-worst.Replayed)))
	}
	return ""
}

// inSingles reports whether logged propensities in columns of float32 differ from the
// recomputed ones by no more than arithmetic in float32 makes, and nothing else speaks
// against the policy: whoever computes in float32 is not accused of that.
func (e *Evidence) inSingles(r *schemas.Conformance) bool {
	return e.differsAlone(r) && arithmeticWords(r) != "" && singles(e.Facts.Manifest)
}

// inRemainder reports whether rounded propensities differ from the recomputed ones by no
// more than where the last arm gets what the rounded others leave, and nothing else speaks
// against the policy.
func (e *Evidence) inRemainder(r *schemas.Conformance) bool {
	return e.differsAlone(r) && r.Propensities.Remainder == r.Propensities.Rounds-r.Propensities.Matched
}

// differsAlone reports whether logged propensities differ from the recomputed ones, and
// neither an explanation fits nor does anything else speak against the policy.
func (e *Evidence) differsAlone(r *schemas.Conformance) bool {
	p := r.Propensities
	if r.Mode != schemas.ModePropensity || p == nil || p.FirstMismatch == nil || schemas.Fitting(p.Hypotheses) != nil {
		return false
	}
	return (p.Draws == nil || p.Draws.Contradict()) && allocation.NotPulled(e.Facts, r) == "" && e.Unlike == "" && e.Facts.Moves() == ""
}

// singles reports whether all logged propensities are float32, by the types of their
// columns.
func singles(manifest *schemas.Manifest) bool {
	found := false
	for _, c := range manifest.Columns {
		switch c.Role {
		case schemas.KeyPropensity, schemas.KeyPropensityByArm:
			if found = c.Type == "FLOAT" || c.Type == "list of FLOAT"; !found {
				return false
			}
		}
	}
	return found
}

// arithmeticWords name the key for propensities that are computed more coarsely than is
// allowed, where no difference is larger than that makes; "" where one is, and where
// the released values by which they were recomputed are rounded, which is then the
// cause.
func arithmeticWords(r *schemas.Conformance) string {
	p := r.Propensities
	if r.Released != nil && r.Released.Rounding != nil || p.Worst == nil || p.Arithmetic == 0 || p.Arithmetic != p.Rounds-p.Matched {
		return ""
	}
	return fmt.Sprintf(". No difference is larger than other arithmetic makes (a coarse integral, sums of float32): where it is that, say by how much in log.propensity_resolution (here %.1g)",
		ceilDigit(math.Abs(p.Worst.Logged-p.Worst.Replayed)))
}

// ceilDigit is x > 0 rounded up to one digit.
func ceilDigit(x float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(x))))
	return math.Ceil(x/unit) * unit
}
