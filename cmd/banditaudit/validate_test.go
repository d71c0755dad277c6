package main

import (
	"errors"
	"fmt"
	"testing"

	"banditaudit/ingest/fault"
)

// Problems are counted by whose they are; what ingest cannot carry is declared
// in the protocol.
func TestValidationVerdict(t *testing.T) {
	log := &fault.InputError{File: "a.parquet", RowGroup: -1, Row: -1, What: "does not exist"}
	carried := fmt.Errorf("ingest: log.ties: whatever: %w", fault.ErrProtocol)
	for want, errs := range map[string][]error{
		"p.yaml: valid":                           nil,
		"p.yaml: valid; the log: 2 problems":      {log, log},
		"p.yaml: 1 problem; the log: 1 problem":   {carried, log},
		"p.yaml: 2 problems":                      {carried, carried},
		"p.yaml: 2 problems; the log: 3 problems": {log, carried, log, carried, log},
	} {
		v := validation{Protocol: "p.yaml"}
		v.problems(errors.Join(errs...))
		if got := v.verdict(); got != want || len(v.Problems) != len(errs) {
			t.Errorf("%s: %s", want, got)
		}
	}
}
