// Package logfile writes the Parquet log of a simulation, as a deployment would
// have written it.
package logfile

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"banditaudit/ingest/cell"
)

// Reward types of a Layout.
const (
	RewardBool  = "bool"
	RewardFloat = "float"
)

// Forms of the column of eligible arms of a Layout.
const (
	EligibleLabels = "labels" // a list of the labels
	EligibleFlags  = "flags"  // a list with a boolean for each arm
)

// Layout says what columns a log has that Writer writes. In this order:
// `experiment` int64 where Experiments is set, `round` int64, `action` string,
// `reward` boolean or double, `propensity` double where Propensity is set, and
// `x0`, `x1`, … double. Then those with values for every arm: `context_by_arm`
// list<list<double>>, `propensity_by_arm` list<double>, `released_by_arm`
// list<double> or list<list<double>>, `score_by_arm` list<double>, `reward_by_arm` list of booleans or doubles
// (instead of `reward`), `eligible` list<string> or list<boolean>. Then
// `reward_order`, `batch` and `by` int64, `unit` string, and `propensity_draws` int64, `keep_prob` double; then, of an
// evaluated policy, `target_by_arm` list<double> and `target` double. All are required (not
// nullable) but `eligible`, whose null stands for all arms, `reward_order`, whose
// null stands for never, and the rewards where they may be missing.
type Layout struct {
	Labels          []string          // Required: of the arms, in index order
	Experiments     bool              // write the experiment column
	Reward          string            // Required: RewardBool or RewardFloat
	MissingReward   bool              // rewards may be missing: null
	Propensity      bool              // write the propensity column
	ContextDim      int               // number of columns x0, x1, …
	ContextByArm    int               // context values for every arm; 0 for no such column
	PropensityByArm bool              // write the propensities of all arms
	Improper        bool              // propensities are any numbers: a log that is to be refused
	ReleasedByArm   int               // released values for every arm; 0 for no such column
	ScoreByArm      bool              // write scores of all arms
	RewardByArm     bool              // write the rewards of all arms, instead of the reward
	Eligible        string            // EligibleLabels or EligibleFlags; "" for no such column
	RewardOrder     bool              // write the round at which the reward became known
	Batch           bool              // write the batch column
	Stratum         bool              // write the column of strata
	Unit            bool              // write the unit column
	TargetByArm     bool              // write the probabilities of an evaluated policy, of all arms
	Target          bool              // write this probability of the played arm
	PropensityDraws bool              // write by how many draws propensities were estimated
	KeepProb        bool              // write with which probability a row is in the log
	Names           map[string]string // names of columns in place of those above, by which they are listed; nil: none
	RowsPerFile     int64             // Defaults to 1,048,576.
	RowsPerGroup    int64             // Defaults to 122,880.
	CreatedBy       string            // Required: names the program in the files, so that they re-make byte for byte
}

// maxLogContext bounds ContextDim: a Parquet schema has at most 32,767 columns.
const maxLogContext = 32_000

// Validate reports every fault of s, joined.
func (s *Layout) Validate() error {
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
	if s.ContextByArm < 0 || s.ReleasedByArm < 0 {
		faults = append(faults, fmt.Errorf("ingest: %d context and %d released values for every arm of a log; neither may be negative", s.ContextByArm, s.ReleasedByArm))
	}
	if s.ContextDim > 0 && s.ContextByArm > 0 {
		faults = append(faults, errors.New("ingest: a log with one context for the round and one for each arm; write either"))
	}
	if s.Eligible != "" && s.Eligible != EligibleLabels && s.Eligible != EligibleFlags {
		faults = append(faults, fmt.Errorf("ingest: eligible arms as %q in a log; they are written as %q or %q", s.Eligible, EligibleLabels, EligibleFlags))
	}
	if s.RowsPerFile < 0 || s.RowsPerGroup < 0 {
		faults = append(faults, fmt.Errorf("ingest: %d rows per file and %d per row group; neither may be negative", s.RowsPerFile, s.RowsPerGroup))
	}
	if s.CreatedBy == "" {
		faults = append(faults, errors.New("ingest: a log needs the name of the program that creates it"))
	}
	return errors.Join(append(faults, s.checkNames()...)...)
}

// checkNames returns what is wrong with the names of columns. They stand in the
// tags of a struct type, which bounds what they may hold.
func (s *Layout) checkNames() []error {
	var faults []error
	if len(s.Names) == 0 {
		return nil
	}
	if s.ContextDim < 0 || s.ContextDim > maxLogContext {
		return nil // has a fault already
	}
	roles := map[string]string{}
	for _, c := range s.columns() {
		if other, twice := roles[c.name]; twice {
			faults = append(faults, fmt.Errorf("ingest: column %q of a log is to hold the %s and the %s; name another", c.name, other, c.role))
		}
		roles[c.name] = c.role
		if c.name == "" || !cell.IsText(c.name) || strings.ContainsAny(c.name, ",\"\\`") || strings.ContainsFunc(c.name, unicode.IsControl) {
			faults = append(faults, fmt.Errorf("ingest: the name %q of the %s cannot be written; use a name without commas, quotes, backslashes and control characters", c.name, c.role))
		}
	}
	return faults
}

func (s *Layout) rowsPerFile() int64 {
	if s.RowsPerFile > 0 {
		return s.RowsPerFile
	}
	return 1 << 20
}

func (s *Layout) rowsPerGroup() int64 {
	if s.RowsPerGroup > 0 {
		return s.RowsPerGroup
	}
	return 122_880
}
