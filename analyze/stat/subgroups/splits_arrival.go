package subgroups

import (
	"container/heap"
	"math"
)

// waitingMost bounds the rewards that are waited for: about 24 MiB.
const waitingMost = 1 << 20

// ArrivalSplit tells whether the last reward that had become known is above the
// mean of those known before it. A reward becomes known after the round that is
// given with it; of several after one round, the later row is the last. While
// 1,048,576 are waited for, further rewards are passed over. The zero value is
// ready to use.
type ArrivalSplit struct {
	waiting arrivals
	sum     float64
	known   int64
	side    Side
	earlier Side // of the reward before the last
	begun   bool
	seen    int64
	eighths Eighths
	band    uint8
}

// arrival is a reward that is waited for.
type arrival struct {
	after, row int64
	reward     float64
}

// Side says whether the last reward known before a round is above the mean of the rewards known
// before that reward; SideUnknown before two are known.
func (a *ArrivalSplit) Side(round int64) Side {
	for len(a.waiting) > 0 && a.waiting[0].after < round {
		a.take(heap.Pop(&a.waiting).(arrival).reward) //nolint:forcetypeassert // what was pushed
	}
	if !a.begun {
		return SideUnknown
	}
	return a.side
}

// Earlier says whether the reward that had become known before the last is above the mean of
// the rewards known before it, as of the last call of Side; SideUnknown before three are known.
func (a *ArrivalSplit) Earlier() Side {
	if !a.begun || a.known < 3 {
		return SideUnknown
	}
	return a.earlier
}

// Band is where the last reward that had become known is among those known before it,
// as of the last call of Side: 0 in their lowest quarter, 1 between their quartiles, 2
// in their highest quarter, NoCell where there is none; see Eighths.
func (a *ArrivalSplit) Band() uint8 {
	if !a.begun {
		return NoCell
	}
	return a.band
}

// Add takes up the reward of a round, which is known in the rounds behind after;
// NaN never is.
func (a *ArrivalSplit) Add(round, after int64, reward float64) {
	a.seen++
	switch {
	case math.IsNaN(reward) || after == math.MaxInt64:
	case after == round && len(a.waiting) == 0:
		a.take(reward)
	case len(a.waiting) < waitingMost:
		heap.Push(&a.waiting, arrival{after, a.seen, reward})
	}
}

// take takes up a reward that has become known.
func (a *ArrivalSplit) take(reward float64) {
	if a.known > 0 {
		a.begun, a.earlier, a.side = true, a.side, SideNo
		if reward > a.sum/float64(a.known) {
			a.side = SideYes
		}
	}
	a.sum += reward
	a.known++
	switch eighth := a.eighths.cell(reward); {
	case eighth == NoCell:
		a.band = NoCell
	case eighth < 2:
		a.band = 0
	case eighth < 6:
		a.band = 1
	default:
		a.band = 2
	}
	a.eighths.add(reward)
}

// arrivals is a heap: first what becomes known first, then by row.
type arrivals []arrival

// Len counts the arrivals, for container/heap.
func (h *arrivals) Len() int { return len(*h) }

// Less compares when two rewards become known, and then their rows, for container/heap.
func (h *arrivals) Less(i, j int) bool {
	a, b := (*h)[i], (*h)[j]
	return a.after < b.after || a.after == b.after && a.row < b.row
}

// Swap exchanges two arrivals, for container/heap.
func (h *arrivals) Swap(i, j int) { (*h)[i], (*h)[j] = (*h)[j], (*h)[i] }

// Push appends an arrival, for container/heap.
func (h *arrivals) Push(x any) {
	*h = append(*h, x.(arrival)) //nolint:forcetypeassert // what Add pushes
}

// Pop removes the last arrival and returns it, for container/heap.
func (h *arrivals) Pop() any {
	last := len(*h) - 1
	out := (*h)[last]
	*h = (*h)[:last]
	return out
}
