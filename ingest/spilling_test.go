package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"banditaudit/ingest/extsort"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// An error of a sort is one of memory, of the disk, or of a run that was
// stopped.
func TestSpillError(t *testing.T) {
	l := &logFiles{wants: []role.Want{wantOf(role.Experiment, "exp"), wantOf(role.Order, "ts"), wantOf(role.Action, "arm")}}
	limit := spillError(l, "sorting the rows", fmt.Errorf("extsort: %w", pages.ErrLimit))
	if !errors.Is(limit, fault.ErrResource) || !strings.Contains(limit.Error(), "ORDER BY exp, ts") {
		t.Errorf("got %v", limit)
	}
	saidOnce(t, limit)
	disk := spillError(l, "sorting the rows", fmt.Errorf("extsort: %w", &extsort.DiskError{Dir: "/tmp/x", Err: syscall.ENOSPC}))
	if !errors.Is(disk, fault.ErrNotWritten) || !errors.Is(disk, syscall.ENOSPC) || !strings.Contains(disk.Error(), "/tmp/x") {
		t.Errorf("got %v", disk)
	}
	if err := spillError(l, "", context.Canceled); !errors.Is(err, context.Canceled) || errors.Is(err, fault.ErrNotWritten) {
		t.Errorf("got %v", err)
	}
	if err := spillError(l, "", errors.New("else")); errors.Is(err, fault.ErrNotWritten) || errors.Is(err, fault.ErrResource) {
		t.Errorf("got %v", err)
	}
}

// The shares of what is sorted at the same time leave a quarter and more for
// the columns' buffers and the tableau's.
func TestSharesLeaveRoom(t *testing.T) {
	first := shareKeys + 3*shareByRow
	second := max(shareRows, shareBeside+3*shareByRow) + shareByUnits
	if most := max(first, second); most > sixteenths*3/4 {
		t.Errorf("sorts take %d of %d parts", most, sixteenths)
	}
}
