package main

import (
	"fmt"

	"banditaudit/ingest/fault"
	"banditaudit/replay/world"
)

// simulable refuses, before anything is written, a simulation that is known to
// take more memory than is allowed.
func simulable(spec *world.Spec, limit int64) error {
	need, err := spec.Bytes()
	if err != nil || need <= limit-limit/4 {
		return err
	}
	return fmt.Errorf("%w: simulating this takes at least %d MiB, and --max-memory allows %d: linear policies keep a matrix of context-dim × context-dim for each arm, and truth.json has every experiment; "+
		"raise --max-memory, or simulate fewer arms, coordinates or experiments", fault.ErrResource, need>>20, limit>>20)
}
