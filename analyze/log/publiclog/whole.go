package publiclog

import (
	"fmt"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// LogScope holds what findings of one experiment say of the log around it: levels are shared by
// its experiments, and sentences count its files.
type LogScope struct{ Experiments, Files int }

// Whole returns the log that the experiment is of: Of, else what the manifest holds.
func (in *Log) Whole() LogScope {
	if in.Of != (LogScope{}) {
		return in.Of
	}
	return LogScope{len(in.Manifest.Experiments), len(in.Manifest.Inputs)}
}

// CommonLevel returns the level, in one experiment, of a test that every experiment of the log
// undergoes: 0.001 over all of them together (Bonferroni), or a log of thousands of honest
// experiments would have exceptions by chance.
func (w LogScope) CommonLevel() float64 {
	return allocationtest.Level / float64(max(1, w.Experiments))
}

// AllocationLevel returns the level of H05 in one experiment, a part of CommonLevel.
func (w LogScope) AllocationLevel() float64 {
	return w.CommonLevel() * allocationtest.AllocationLevel / allocationtest.Level
}

// Shared says that experiments share a level.
func (w LogScope) Shared() string {
	if n := w.Experiments; n > 1 {
		return fmt.Sprintf(", its share of 0.001 among all %s experiments of the log (Bonferroni)", schemas.Grouped(int64(n)))
	}
	return ""
}

// FalseAlarm says how often an honest log is accused by a test.
func (w LogScope) FalseAlarm(level float64) string {
	return fmt.Sprintf("an honest log is accused by this claim with probability %.3g at most", level) + w.Shared()
}
