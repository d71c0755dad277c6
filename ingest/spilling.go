package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"banditaudit/ingest/extsort"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
)

// spillError says what the error of a sort is about: memory, the disk, or a
// request to stop.
func spillError(l *logFiles, doing string, err error) error {
	switch {
	case errors.Is(err, pages.ErrLimit):
		return fmt.Errorf("ingest: %s: %w: %w; raise --max-memory, or %s", doing, fault.ErrResource, err, mendSort(l))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	if disk, ok := errors.AsType[*extsort.DiskError](err); ok {
		return fmt.Errorf("ingest: %s: %w: %w", doing, fault.ErrNotWritten, disk)
	}
	return fmt.Errorf("ingest: %s: %w", doing, err)
}

// share is a part of the memory that is booked. The parts are fixed, so that
// what one sort leaves over is there for the columns' buffers:
//
//	first pass    the keys of units and rewards' times  1/2 together
//	second pass   rows                                  1/2; 3/8 beside others
//	              units, and two rounds of rewards, by row  1/16 each
//	              rows by unit                          1/8
type share int64

const sixteenths = 16

// The shares, in sixteenths.
const (
	shareKeys    share = 8
	shareRows    share = 8
	shareBeside  share = 6
	shareByRow   share = 1
	shareByUnits share = 2
)

// spillConfig is how a sort of the run is done that has a share of the memory.
func (r *intake) spillConfig(ctx context.Context, s share) extsort.Config {
	memory := r.options.Budget() / sixteenths * int64(s)
	return extsort.Config{
		Dir: r.dir, Memory: cmp.Or(r.options.sortMemory, memory), Budget: r.log.budget,
		Stop: func() error { return fault.Stopped(ctx) },
	}
}
