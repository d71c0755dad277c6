package main

import (
	"fmt"
	"unsafe"

	"banditaudit/analyze"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

// affordable refuses, after the first of a run's experiments, what all of them
// will not fit in memory for: the claims of experiments are kept to the end,
//
//	mean bytes of an experiment's claims × experiments ≤ ¾ of the limit
func affordable(part []*analyze.Outcome, experiments int, limit int64) error {
	bytes := int64(0)
	for _, o := range part {
		for i := range o.Claims {
			bytes += claimBytes(&o.Claims[i])
		}
	}
	need := float64(bytes) / float64(max(1, len(part))) * float64(experiments)
	if need <= float64(limit-limit/4) {
		return nil
	}
	return fmt.Errorf("%w: the claims of %d experiments take about %d MiB, of %d allowed; raise --max-memory, or audit fewer experiments at a time",
		fault.ErrResource, experiments, int64(need)>>20, limit>>20)
}

// claimBytes is about what a claim takes.
func claimBytes(c *schemas.Finding) int64 {
	n := int64(unsafe.Sizeof(*c))
	for _, s := range append([]string{c.Statement, c.Observed, c.Threshold, c.Reason}, c.Evidence...) {
		n += int64(len(s)) + 16
	}
	return n
}
