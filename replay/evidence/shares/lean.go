package shares

import "slices"

// mostStarts bounds the updates by which shares are scored, and mostWindow the
// rounds in which these are.
const (
	mostStarts = 1024
	mostWindow = 200_000
)

// Starts returns the rows in which shares are new. What a hypothesis says of them there
// does not depend on them; of later rounds it may, since their arms were drawn by
// these shares.
func (e *Estimated) Starts() []int64 {
	rows := e.shares.Starts(mostStarts)
	end, _ := slices.BinarySearch(rows, mostWindow)
	return rows[:end]
}

// Decide comes to a verdict on shares, trying other laws where a known number of
// draws does not settle it.
func (e *Estimated) Decide() error {
	if e.silent() {
		e.untested()
		return nil
	}
	if err := e.test(); err != nil {
		return err
	}
	if !e.settled() {
		var err error
		if e.scores, err = e.log.Others(e); err != nil {
			return err
		}
	}
	e.judge()
	e.finish()
	return nil
}
