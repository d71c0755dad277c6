package analyze

import (
	"banditaudit/analyze/check"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// Input is what the analysis of one experiment reads.
type Input struct {
	*conformance.Declared // Required: the protocol, with defaults applied, and its mechanism.

	Manifest  *schemas.Manifest         // Required.
	Index     int                       // of the experiment in the manifest
	Slice     *tableau.Slice            // Required: that experiment's rows.
	Replay    *schemas.ReplayExperiment // nil: replay was not run
	Shared    *schemas.SharedNoise      // noise of this experiment that is in another one of the log; nil: none was found, or looked for
	Jobs      int                       // workers; the outcome does not depend on it. Defaults to 1.
	Catalogue *Catalogue                // the tests, corrections, claims and checks that there are. Defaults to Known.
	Memory    int64                     // bytes that may be used; regressions, and runs of the policy, that need more are refused. Defaults to no bound.
	Seed      int64                     // of what the analysis draws itself (replay.Seed)
}

// Catalogue is what an analysis knows by name.
type Catalogue struct {
	Tests       []Test
	Corrections []Correction
	Claims      []Claim
	Checks      []check.Check
	Methods     []Method
}

// Known is all that this program knows.
func Known() *Catalogue {
	return &Catalogue{Tests: Tests(), Corrections: Corrections(), Claims: Claims(), Checks: check.Checks(), Methods: Methods()}
}

// Outcome is everything found in one experiment.
type Outcome struct {
	Experiment schemas.Experiment
	Claims     []schemas.Finding
	Status     map[string]string // of the assumptions A1–A8, by id
	Remarks    map[string]string // beside the assumptions, by id; the same of every experiment of a log
	Evidence   string            // mode of the replay; "" where none was run
	Family     *Family           // of its declared tests; nil where there are none
	Horizon    int64             // of the declared counter, where the end is declared to be fixed; else 0
	Rows       uint64            // what the rows are known again by in another experiment; 0 where they are not
	Drawn      bool              // the ledger rests on the policy's own draws, without noise
}

// k is the number of arms.
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

// rangeWidth is hi − lo of the declared reward range.
func rangeWidth(protocol *schemas.Protocol) float64 {
	return protocol.Reward.Range[1] - protocol.Reward.Range[0]
}

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
