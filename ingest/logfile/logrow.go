package logfile

import (
	"errors"
	"fmt"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/tableau"
)

// Row is one round of a log. What the spec does not ask for is ignored, but X
// has ContextDim values. Values by arm are row-major: arm, value. Of a log that
// is Improper, propensities may be any numbers.
type Row struct {
	Experiment, Round  int64
	Arm                int     // index of the label
	Reward             float64 // NaN where it is missing; with RewardByArm, the reward of Arm
	Propensity         float64
	X                  []float64
	ContextByArm       []float64 // K·ContextByArm finite values
	PropensityByArm    []float64 // K values in [0, 1]
	ReleasedByArm      []float64 // K·ReleasedByArm finite values
	ScoreByArm         []float64 // K finite values
	RewardByArm        []float64 // K values; ignored where the reward is missing
	Eligible           []bool    // K values, among them Arm's; nil: all arms
	RewardOrder, Batch int64     // RewardOrder, on the scale of Round, is at least that; tableau.NeverKnown for never
	Stratum            int64     // any number
	Unit               string    // a text in UTF-8
	PropensityDraws    int64     // in [1, tableau.MostDraws]
	KeepProb           float64   // any number, for whoever reads the log checks it
	TargetByArm        []float64 // of an evaluated policy; any numbers, for whoever reads the log checks them
	Target             float64   // likewise
}

// check reports what of r the columns of s cannot hold.
func (s *Layout) check(r *Row) error {
	switch {
	case r.Arm < 0 || r.Arm >= len(s.Labels):
		return fmt.Errorf("ingest: arm %d of a log row; there are %d labels", r.Arm, len(s.Labels))
	case len(r.X) != s.ContextDim:
		return fmt.Errorf("ingest: %d context values in a log row; the log has %d", len(r.X), s.ContextDim)
	case s.Propensity && !s.Improper && !(r.Propensity >= tableau.MinPropensity && r.Propensity <= 1): // so that NaN fails
		return fmt.Errorf("ingest: a propensity of a log row is outside [%g, 1]", tableau.MinPropensity)
	case s.RewardOrder && r.RewardOrder < r.Round:
		return errors.New("ingest: a reward of a log row is known before its round is played")
	case s.PropensityDraws && (r.PropensityDraws < 1 || r.PropensityDraws > tableau.MostDraws):
		return fmt.Errorf("ingest: %d draws of a log row; there are 1 to %d", r.PropensityDraws, tableau.MostDraws)
	case s.Unit && !cell.IsText(r.Unit):
		return errors.New("ingest: a unit of a log row is not a text in UTF-8 of at most 4,096 bytes without a zero byte")
	}
	if err := s.checkByArm(r); err != nil {
		return err
	}
	return s.checkReward(r)
}

func (s *Layout) checkReward(r *Row) error {
	if s.MissingReward && math.IsNaN(r.Reward) {
		return nil
	}
	rewards := []float64{r.Reward}
	if s.RewardByArm {
		if len(r.RewardByArm) != len(s.Labels) {
			return fmt.Errorf("ingest: %d rewards by arm in a log row of %d arms", len(r.RewardByArm), len(s.Labels))
		}
		if r.RewardByArm[r.Arm] != r.Reward {
			return errors.New("ingest: a reward of a log row is not that of its arm among the rewards by arm")
		}
		rewards = r.RewardByArm
	}
	for _, y := range rewards {
		if s.Reward == RewardBool && y != 0 && y != 1 {
			return errors.New("ingest: a reward that is neither 0 nor 1 in a log row; the log's rewards are boolean")
		}
		if !cell.IsFinite(y) {
			return errors.New("ingest: a reward of a log row is not finite")
		}
	}
	return nil
}

func (s *Layout) checkByArm(r *Row) error {
	k := len(s.Labels)
	switch {
	case s.ContextByArm > 0 && (len(r.ContextByArm) != k*s.ContextByArm || !cell.AllFinite(r.ContextByArm)):
		return fmt.Errorf("ingest: %d context values by arm in a log row; it has %d, all of them finite", len(r.ContextByArm), k*s.ContextByArm)
	case s.ReleasedByArm > 0 && (len(r.ReleasedByArm) != k*s.ReleasedByArm || !cell.AllFinite(r.ReleasedByArm)):
		return fmt.Errorf("ingest: %d released values by arm in a log row; it has %d, all of them finite", len(r.ReleasedByArm), k*s.ReleasedByArm)
	case s.ScoreByArm && (len(r.ScoreByArm) != k || !cell.AllFinite(r.ScoreByArm)):
		return fmt.Errorf("ingest: %d scores by arm in a log row; it has %d, all of them finite", len(r.ScoreByArm), k)
	case s.PropensityByArm && (len(r.PropensityByArm) != k || !s.Improper && !(r.PropensityByArm[r.Arm] >= tableau.MinPropensity)):
		return fmt.Errorf("ingest: %d propensities by arm in a log row; it has %d, and that of its arm is at least %g", len(r.PropensityByArm), k, tableau.MinPropensity)
	case s.Eligible != "" && r.Eligible != nil && (len(r.Eligible) != k || !r.Eligible[r.Arm]):
		return fmt.Errorf("ingest: %d eligible arms in a log row; it has %d, and its own among them", len(r.Eligible), k)
	}
	if !s.PropensityByArm || s.Improper {
		return nil
	}
	for _, p := range r.PropensityByArm {
		if !(p >= 0 && p <= 1) { // so that NaN fails
			return errors.New("ingest: a propensity by arm of a log row is outside [0, 1]")
		}
	}
	return nil
}
