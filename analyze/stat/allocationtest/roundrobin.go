package allocationtest

import "slices"

const (
	// longestDeal is the longest run of rounds that a RoundRobin looks at.
	longestDeal = 64
	// mostDealt is how many arms a RoundRobin tells apart: 64 kB.
	mostDealt = 64
	// fewestDeals is how many whole runs there are at least in what a RoundRobin finds.
	fewestDeals = 8
)

// RoundRobin looks for counts that are fixed: whether every run of B rounds, from the first
// round on, plays each arm as often as the first run does, B = 2 … 64. Arms that are
// dealt in turn look like this, and those that are dealt in shuffled blocks. It is no
// test: it says what a log looks like that a test has contradicted. A RoundRobin is not safe
// for concurrent use.
type RoundRobin struct {
	rounds int64
	open   []*deal // the lengths that nothing speaks against yet, shortest first
}

// deal is one length.
type deal struct {
	length     int64
	first, now []int64 // by arm: of the first run, and of the one that is not full
}

// NewRoundRobin returns what has seen no round. Special cases are:
//
//	fewer than 2 arms, or more than 64: nothing is ever found
func NewRoundRobin(arms int) *RoundRobin {
	d := &RoundRobin{}
	if arms < 2 || arms > mostDealt {
		return d
	}
	for length := int64(2); length <= longestDeal; length++ {
		d.open = append(d.open, &deal{length: length, first: make([]int64, arms), now: make([]int64, arms)})
	}
	return d
}

// Add takes up the rounds of a stretch, in their order, by the arms that were played.
func (d *RoundRobin) Add(arms []int32) {
	for _, arm := range arms {
		if len(d.open) == 0 {
			return
		}
		d.rounds++
		d.open = slices.DeleteFunc(d.open, func(x *deal) bool { return x.differs(int(arm), d.rounds) })
	}
}

// differs takes up the round of that number, and reports whether its run is then not
// as the first one.
func (x *deal) differs(arm int, round int64) bool {
	if round <= x.length {
		x.first[arm]++
		return false
	}
	if x.now[arm]++; x.now[arm] > x.first[arm] {
		return true
	}
	if round%x.length == 0 {
		clear(x.now)
	}
	return false
}

// Found is the shortest run whose counts are fixed, of at least two arms, and these by
// arm; 0 where there is none of which the log has eight whole ones.
func (d *RoundRobin) Found() (length int64, counts []int64) {
	for _, x := range d.open {
		if d.rounds >= fewestDeals*x.length && slices.Max(x.first) < x.length {
			return x.length, x.first
		}
	}
	return 0, nil
}
