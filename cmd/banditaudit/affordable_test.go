package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/analyze/assembly"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
)

func TestAffordable(t *testing.T) {
	part := []*assembly.Outcome{{Claims: []schemas.Finding{{Statement: strings.Repeat("x", 1000)}}}, {}}
	each := claimBytes(&part[0].Claims[0]) / 2 // of an experiment, on average
	if each < 500 || each > 1000 {
		t.Errorf("%d bytes", each)
	}
	if err := affordable(part, 300, each*400); err != nil {
		t.Error(err)
	}
	if err := affordable(part, 302, each*400); !errors.Is(err, fault.ErrResource) {
		t.Errorf("got %v", err)
	}
	if err := affordable(nil, 0, 1); err != nil {
		t.Error(err)
	}
}

// Regressions that would not fit in memory end like everything that would not.
func TestUnaffordableRegressions(t *testing.T) {
	err := damaged(fmt.Errorf("experiment shop: %w", analyze.ErrMemory))
	if !errors.Is(err, fault.ErrResource) || exitCode(t.Context(), err) != exitResource {
		t.Errorf("%v, exit %d", err, exitCode(t.Context(), err))
	}
}
