package role

import "banditaudit/ingest/tableau"

// keepProb is with which probability a row of the deployment is in the log.
func keepProb() Column {
	return Column{
		Role: KeepProb,
		Fit:  Fit{flat(), IsProbability, "the probability with which a row was kept is a number, one per row", "cast it to DOUBLE"},
		Becomes: func(b *Becoming) string {
			return b.key() + " (probabilities: with which a row of the deployment is in the log)"
		},
		Store: func(s *tableau.Schema) { s.KeepProb = true },
		Names: Vocabulary{Whole: []string{"keep prob", "keep probability", "keep rate", "kept with", "sampling prob", "sampling probability", "sampling rate", "sample rate", "sample prob", "inclusion prob", "inclusion probability", "log sample rate"}},
	}
}
