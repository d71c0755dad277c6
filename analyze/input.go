package analyze

import (
	"slices"

	"banditaudit/analyze/check"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Input is what the analysis of one experiment reads.
type Input struct {
	*conformance.Declared // Required: the protocol, with defaults applied, and its mechanism.

	Manifest *schemas.Manifest         // Required.
	Index    int                       // of the experiment in the manifest
	Slice    *tableau.Slice            // Required: that experiment's rows.
	Replay   *schemas.ReplayExperiment // nil: replay was not run
	Jobs     int                       // workers; the outcome does not depend on it. Defaults to 1.
	Memory   int64                     // bytes that may be used; regressions that need more are refused. Defaults to no bound.
}

// Outcome is everything found in one experiment.
type Outcome struct {
	Experiment schemas.Experiment
	Claims     []schemas.Finding
	Status     map[string]string // of the assumptions A1–A8, by id
	Evidence   string            // mode of the replay; "" where none was run
	Family     *Family           // of its declared tests; nil where there are none
	Drawn      bool              // the ledger rests on the policy's own draws, without noise
}

// K is the number of arms.
func (in *Input) k() int { return len(in.Manifest.Arms) }

func (in *Input) experiment() *schemas.ManifestExperiment { return &in.Manifest.Experiments[in.Index] }

// name is an arm's label in a sentence.
func (in *Input) name(arm int) string { return schemas.Named(in.Manifest.Arms[arm]) }

// names are the labels of all arms in sentences.
func (in *Input) names() []string {
	out := make([]string, in.k())
	for arm := range out {
		out[arm] = in.name(arm)
	}
	return out
}

// width is hi − lo of the declared reward range.
func (in *Input) width() float64 { return in.Protocol.Reward.Range[1] - in.Protocol.Reward.Range[0] }

// binary reports whether rewards are 0 or 1 by type and declaration. A range
// that does not hold both turns a boolean into another number where it is
// clipped.
func (in *Input) binary() bool {
	r := in.Protocol.Reward.Range
	switch in.Manifest.Reward.Type {
	case "bool":
		return r[0] <= 0 && r[1] >= 1
	case "int":
		return r[0] == 0 && r[1] == 1
	}
	return false
}

// analysis is the state of one Run.
type analysis struct {
	*Input
	book        *ledger.Disclosures
	pub         *public
	sums        *sums
	byUnits     *unitSums                  // nil where a row is its own unit
	units       *check.Units               // nil where no unit is declared
	weights     *check.Propensities        // nil where no propensity is logged
	unplayed    *check.Unplayed            // nil where every declared arm was played, or nothing is known of probabilities
	rewards     []*tableau.Rewards         // of each declared regression
	fitColumns  []int                      // of the context, those that regressions read
	law         ledger.Law                 // nil: no mechanism is declared
	against     *conformance.Contradiction // nil: the public columns do not contradict it
	account     schemas.Accounting
	blocks      blockLevels
	arms        []schemas.Arm
	checks      []schemas.Check
	explained   []schemas.Hypothesis // of an allocation that H05 contradicts
	regressions []*regression
	fits        []schemas.Regression
	tests       []schemas.Test
	corrected   map[string]*corrections // by the key of the rows that they are made for
	asked       map[string]bool         // keys of the rows that declared tests read; nil before anyone has asked
	warnings    []string
}

// warn adds a warning once.
func (a *analysis) warn(text string) {
	if !slices.Contains(a.warnings, text) {
		a.warnings = append(a.warnings, text)
	}
}
