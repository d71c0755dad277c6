package main

import (
	"errors"
	"fmt"
	"testing"

	"banditaudit/analyze"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
)

func TestShowable(t *testing.T) {
	for _, tc := range []struct {
		arms, experiments int
		work, limit       int64
		fits              bool
	}{
		{60_000, 1, 60_000 * armWork, 256 << 20, true}, {90_000, 1, 90_000 * armWork, 256 << 20, false}, {3, 1_000_000, 3 * armWork, 64 << 20, true}, {10_000, 200, 10_000 * armWork, 1 << 30, false}, {0, 0, 0, 1, true},
	} {
		if err := showable(tc.arms, tc.experiments, tc.work, tc.limit); (err == nil) != tc.fits || err != nil && !errors.Is(err, fault.ErrResource) {
			t.Errorf("%+v: %v", tc, err)
		}
	}
	if waiting(3, 2, 512<<20) != 64 || waiting(60_000, 2, 256<<20) != 1 {
		t.Error(waiting(3, 2, 512<<20), waiting(60_000, 2, 256<<20))
	}
}

// Regressions that would not fit in memory end like everything that would not.
func TestUnaffordableRegressions(t *testing.T) {
	err := damaged(fmt.Errorf("experiment shop: %w", analyze.ErrMemory))
	if !errors.Is(err, fault.ErrResource) || kit.ExitCode(t.Context(), err) != kit.ExitResource {
		t.Errorf("%v, exit %d", err, kit.ExitCode(t.Context(), err))
	}
}
