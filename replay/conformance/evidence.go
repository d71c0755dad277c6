package conformance

import (
	"errors"
	"fmt"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Possible reports whether a replay of this protocol over s can have had the
// given outcome: the evidence that it names must exist. It returns an error that
// says what is missing. It looks at no row, so that an outcome that is possible
// may still be another one's.
func (d *Declared) Possible(s *tableau.Slice, c *schemas.Conformance) error {
	if err := d.evidence(s, c.Mode); err != nil {
		return err
	}
	if c.Propensities != nil && !s.HasPropensity() {
		return errors.New("the replay compared propensities, and none is logged; run banditaudit replay again")
	}
	switch missing := d.noReleased(s); {
	case c.Released != nil && missing != "":
		return fmt.Errorf("the replay examined released values, and %s; run banditaudit replay again", missing)
	case c.Released == nil && missing == "":
		return errors.New("released values are logged, and the replay did not examine them; run banditaudit replay again")
	}
	if best := d.mode(s); c.Mode != best {
		return fmt.Errorf("the replay says that its evidence is %s, and there is better, or other: %s; run banditaudit replay again with this protocol", c.Mode, best)
	}
	if r := c.Released; r != nil {
		return d.possibleNoise(s, c, r)
	}
	return nil
}

// mode is the evidence that a replay takes: see job.replay.
func (d *Declared) mode(s *tableau.Slice) string {
	p := d.Protocol.Policy
	switch {
	case p == nil:
		return schemas.ModeNone
	case d.Mechanism.Deterministic(), p.Seed != nil && (p.Seed.File != "" || len(p.Seed.Bytes) > 0): // a seed file may be left unread
		return schemas.ModeSeed
	case d.noReleased(s) == "":
		return schemas.ModeReleased
	case d.Mechanism.PropensitiesKnown() && s.HasPropensity():
		return schemas.ModePropensity
	}
	return schemas.ModeNone
}

// possibleNoise asks whether noise was examined where the counter adds some, and
// values were compared where they are known.
func (d *Declared) possibleNoise(s *tableau.Slice, c *schemas.Conformance, r *schemas.ReleasedReplay) error {
	if noisy := d.Mechanism.Recover() != nil; noisy != (r.Noise != nil) {
		return errors.New("the replay says something of noise where the counter adds none, or nothing where it adds some; run banditaudit replay again")
	}
	arms := int64(s.Arms())
	compared := r.Compared%arms == 0 && wentThrough(c, r.Compared/arms)
	if known := c.Mode == schemas.ModeSeed || r.Noise == nil; !known {
		compared = compared || r.Compared == 0
	}
	switch {
	case !compared || r.Changed > c.Rounds*arms:
		return errors.New("the released values that the replay compared are not those of the log; run banditaudit replay again")
	case d.Mechanism.Random() == (r.Actions == actionsExact):
		return errors.New("the replay held actions otherwise against released values than the policy asks for; run banditaudit replay again")
	}
	return nil
}

// noReleased says why there are no released values to examine; "" where there
// are.
func (d *Declared) noReleased(s *tableau.Slice) string {
	switch {
	case s.Schema().ReleasedByArm == 0:
		return "no released values are logged"
	case d.Mechanism == nil || !d.Mechanism.ReadsRewards():
		return "the declared policy reads none"
	}
	return ""
}

// evidence reports whether protocol and tableau have what a mode needs.
func (d *Declared) evidence(s *tableau.Slice, mode string) error {
	missing := ""
	switch p := d.Protocol.Policy; mode {
	case schemas.ModeNone:
		return nil
	case schemas.ModeSeed:
		if p == nil || p.Seed == nil && !d.Mechanism.Deterministic() {
			missing = "no seed is declared"
		}
	case schemas.ModePropensity:
		if !s.HasPropensity() {
			missing = "no propensity is logged"
		}
	case schemas.ModeReleased:
		missing = d.noReleased(s)
	default:
		return fmt.Errorf("the replay has evidence %q, which is none; run banditaudit replay again", mode)
	}
	if missing != "" {
		return fmt.Errorf("the replay says that its evidence is %s, and %s; run banditaudit replay again with this protocol", mode, missing)
	}
	return nil
}
