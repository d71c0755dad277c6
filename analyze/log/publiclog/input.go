// Package publiclog reads what one experiment of a log says without its rewards: when arms
// were played, with which propensities, and by which units. It also goes over chunks with
// several workers, for whoever reads them ([Fold], [Ahead], [Together]).
package publiclog

import (
	"errors"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// Log is one experiment of a log: its protocol, its manifest and its rows.
type Log struct {
	Declared   *conformance.Declared
	Protocol   *schemas.Protocol         // Required: with defaults applied.
	Mechanism  *replay.Mechanism         // that Protocol declares; nil: it has no policy
	Manifest   *schemas.Manifest         // Required.
	Index      int                       // of the experiment in the manifest
	Of         LogScope                  // the log whose part the manifest is of. Defaults to the manifest's own log.
	Early      bool                      // it may be among the first of that log, whatever Index says
	Slice      *tableau.Slice            // Required: that experiment's rows.
	Replay     *schemas.ReplayExperiment // nil: replay was not run
	Shared     *schemas.SharedNoise      // noise of this experiment that is in another one of the log; nil: none was found, or looked for
	Commitment *schemas.Commitment       // that the protocol was held against; nil: none was given
	Jobs       int                       // workers; the outcome does not depend on it. Defaults to 1.
	Memory     int64                     // bytes that may be used; regressions, and runs of the policy, that need more are refused. Defaults to no bound.
	Seed       int64                     // of what the analysis draws itself (replay.Seed)
}

// New is an experiment of a log, by its index in the manifest, and what is declared of it.
func New(d *conformance.Declared, m *schemas.Manifest, index int, s *tableau.Slice) Log {
	return Log{Declared: d, Protocol: d.Protocol, Mechanism: d.Mechanism, Manifest: m, Index: index, Slice: s}
}

// K is the number of arms.
func (in *Log) K() int { return len(in.Manifest.Arms) }

// EachArm lists the indices of k arms.
func EachArm(k int) []int {
	out := make([]int, k)
	for arm := range out {
		out[arm] = arm
	}
	return out
}

// Experiment is that experiment in the manifest.
func (in *Log) Experiment() *schemas.ManifestExperiment { return &in.Manifest.Experiments[in.Index] }

// Name is an arm's label in a sentence.
func (in *Log) Name(arm int) string { return schemas.Named(in.Manifest.Arms[arm]) }

// Names are the labels of all arms in sentences.
func (in *Log) Names() []string {
	out := make([]string, in.K())
	for arm := range out {
		out[arm] = in.Name(arm)
	}
	return out
}

// RangeWidth is hi − lo of the declared reward range.
func RangeWidth(protocol *schemas.Protocol) float64 {
	return protocol.Reward.Range[1] - protocol.Reward.Range[0]
}

// Binary reports whether rewards are 0 or 1 by type and declaration. A range
// that does not hold both turns a boolean into another number where it is
// clipped.
func (in *Log) Binary() bool {
	r := in.Protocol.Reward.Range
	switch in.Manifest.Reward.Type {
	case "bool":
		return r[0] <= 0 && r[1] >= 1
	case "int":
		return r[0] == 0 && r[1] == 1
	}
	return false
}

// CastHint is what to do about a type that hides rewards of 0 and 1; "" where none does.
func (in *Log) CastHint() string {
	if !in.Manifest.Reward.Castable() {
		return ""
	}
	return "; if every reward is 0 or 1, " + schemas.CastRewards
}

// BinaryRows reports whether rewards are 0 and 1 and rows independent, so that
// exact tests are the default.
func (in *Log) BinaryRows() bool { return in.Binary() && !Repeated(in.Slice) }

// Clipped is the number of rewards that were clipped to the range.
func (in *Log) Clipped() int64 { return in.Counted(schemas.ReasonClipped) }

// Counted is the number of rows that the manifest counts for a reason.
func (in *Log) Counted(reason string) int64 {
	total := int64(0)
	for _, c := range in.Experiment().Counts {
		if c.Reason == reason {
			total += c.Rows
		}
	}
	return total
}

// DeclaredLaw reports whether a declared policy gives the probabilities of all arms
// without rewards.
func (in *Log) DeclaredLaw() bool {
	return in.Mechanism != nil && in.Mechanism.Known() && in.Manifest.Declared
}

// ErrMemory is wrapped by the error that says that the declared regressions, or
// runs of the declared policy, would take more memory than Log.Memory allows.
var ErrMemory = errors.New("not enough memory for what is declared")
