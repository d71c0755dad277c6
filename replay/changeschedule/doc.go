// Package changeschedule finds the schedule at which something changed, from stretches
// of rounds or of time of which each is known to hold a change. Numbers in,
// numbers out: what changed, and who logged it, the package does not know.
//
// [Changes] collects the stretches; [Changes.Whole] looks for a period that is a
// whole number of rounds, and [Changes.Slowest] for the multiple of a period that
// the changes keep to.
package changeschedule
