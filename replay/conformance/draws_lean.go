package conformance

import "slices"

// mostStarts bounds the updates by which shares are scored, and mostWindow the
// rounds in which these are.
const (
	mostStarts = 1024
	mostWindow = 200_000
)

// starts are the rows in which shares are new. What a hypothesis says of them there
// does not depend on them; of later rounds it may, since their arms were drawn by
// these shares.
func (e *estimated) starts() []int64 {
	rows := e.shares.Starts(mostStarts)
	end, _ := slices.BinarySearch(rows, mostWindow)
	return rows[:end]
}

// decide comes to a verdict on shares, trying other laws where a known number of
// draws does not settle it.
func (e *estimated) decide(master [32]byte) error {
	if e.silent() {
		e.untested()
		return nil
	}
	if err := e.test(); err != nil {
		return err
	}
	if !e.settled() {
		var err error
		if e.scores, err = e.comparison.tryOthers(e.job, master, e); err != nil {
			return err
		}
	}
	e.judge()
	e.finish()
	return nil
}
