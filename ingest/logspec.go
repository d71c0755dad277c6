package ingest

import (
	"errors"
	"fmt"
	"math"

	"banditaudit/ingest/tableau"
)

// Reward types of a LogSpec.
const (
	RewardBool  = "bool"
	RewardFloat = "float"
)

// LogSpec says what columns a log has that LogWriter writes: `experiment`
// int64 where Experiments is set, `round` int64, `action` string, `reward`
// boolean or double, `propensity` double where Propensity is set, and `x0`,
// `x1`, … double. All are required (not nullable).
type LogSpec struct {
	Labels       []string // Required: of the arms, in index order
	Experiments  bool     // write the experiment column
	Reward       string   // Required: RewardBool or RewardFloat
	Propensity   bool     // write the propensity column
	ContextDim   int      // number of columns x0, x1, …
	RowsPerFile  int64    // Defaults to 1,048,576.
	RowsPerGroup int64    // Defaults to 122,880.
	CreatedBy    string   // Required: names the program in the files, so that they re-make byte for byte
}

// maxLogContext bounds ContextDim: a Parquet schema has at most 32,767 columns.
const maxLogContext = 32_000

// Validate reports every fault of s, joined.
func (s *LogSpec) Validate() error {
	var faults []error
	if len(s.Labels) == 0 {
		faults = append(faults, errors.New("ingest: a log needs at least one arm label"))
	}
	if s.Reward != RewardBool && s.Reward != RewardFloat {
		faults = append(faults, fmt.Errorf("ingest: reward type %q of a log; it is %q or %q", s.Reward, RewardBool, RewardFloat))
	}
	if s.ContextDim < 0 || s.ContextDim > maxLogContext {
		faults = append(faults, fmt.Errorf("ingest: %d context columns of a log; there may be 0 to %d", s.ContextDim, maxLogContext))
	}
	if s.RowsPerFile < 0 || s.RowsPerGroup < 0 {
		faults = append(faults, fmt.Errorf("ingest: %d rows per file and %d per row group; neither may be negative", s.RowsPerFile, s.RowsPerGroup))
	}
	if s.CreatedBy == "" {
		faults = append(faults, errors.New("ingest: a log needs the name of the program that creates it"))
	}
	return errors.Join(faults...)
}

func (s *LogSpec) rowsPerFile() int64 {
	if s.RowsPerFile > 0 {
		return s.RowsPerFile
	}
	return 1 << 20
}

func (s *LogSpec) rowsPerGroup() int64 {
	if s.RowsPerGroup > 0 {
		return s.RowsPerGroup
	}
	return 122_880
}

// LogRow is one round of a log. Experiment is ignored unless the spec has
// experiments, Propensity unless it has propensities; X has ContextDim values.
type LogRow struct {
	Experiment, Round  int64
	Arm                int // index of the label
	Reward, Propensity float64
	X                  []float64
}

// check reports what of r the columns of s cannot hold.
func (s *LogSpec) check(r *LogRow) error {
	switch {
	case r.Arm < 0 || r.Arm >= len(s.Labels):
		return fmt.Errorf("ingest: arm %d of a log row; there are %d labels", r.Arm, len(s.Labels))
	case len(r.X) != s.ContextDim:
		return fmt.Errorf("ingest: %d context values in a log row; the log has %d", len(r.X), s.ContextDim)
	case s.Reward == RewardBool && r.Reward != 0 && r.Reward != 1:
		return errors.New("ingest: a reward that is neither 0 nor 1 in a log row; the log's rewards are boolean")
	case math.IsNaN(r.Reward) || math.IsInf(r.Reward, 0):
		return errors.New("ingest: a reward of a log row is not finite")
	case s.Propensity && !(r.Propensity >= tableau.MinPropensity && r.Propensity <= 1): // so that NaN fails
		return fmt.Errorf("ingest: a propensity of a log row is outside [%g, 1]", tableau.MinPropensity)
	}
	return nil
}
