package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"syscall"
	"testing"

	"banditaudit/analyze"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// TestGate goes through the overall lines and what they may stop.
func TestGate(t *testing.T) {
	for _, c := range []struct {
		overall                             schemas.Overall
		violated, incomplete, caution, none int
	}{
		{schemas.Overall{}, kit.ExitOK, kit.ExitOK, kit.ExitOK, kit.ExitOK},
		{schemas.Overall{Violated: 2, Open: 1, Cautions: 1}, kit.ExitExceptions, kit.ExitExceptions, kit.ExitExceptions, kit.ExitOK},
		{schemas.Overall{Open: 1}, kit.ExitOK, kit.ExitIncomplete, kit.ExitIncomplete, kit.ExitOK},
		{schemas.Overall{Cautions: 3}, kit.ExitOK, kit.ExitOK, kit.ExitIncomplete, kit.ExitOK},
	} {
		for failOn, want := range map[string]int{"violated": c.violated, "incomplete": c.incomplete, "caution": c.caution, "never": c.none} {
			if got := kit.ExitCode(context.Background(), gate(c.overall, failOn)); got != want {
				t.Errorf("%s, --fail-on %s: exit %d, want %d", c.overall, failOn, got, want)
			}
		}
	}
}

// TestInvalidResults: results that do not meet their schema, or cannot be
// written as JSON, are a defect of this program; a full disk is none.
func TestInvalidResults(t *testing.T) {
	w := resultsfile.NewWriter(analyze.Standard().Format(), new(bytes.Buffer), new(bytes.Buffer))
	for name, err := range map[string]error{
		"schema of the head": w.Finish(io.Discard, &schemas.Results{Schema: "results.v0"}),
		"schema":             w.Add(&schemas.Experiment{}),
		"NaN":                w.Add(&schemas.Experiment{Tests: []schemas.Test{{Value: math.NaN()}}}),
	} {
		if code := kit.ExitCode(context.Background(), notResults(err)); code != kit.ExitInternal {
			t.Errorf("%s: exit %d: %v", name, code, err)
		}
	}
	if code := kit.ExitCode(context.Background(), notResults(syscall.ENOSPC)); code != kit.ExitNotWritten {
		t.Errorf("a full disk: exit %d", code)
	}
}
