package adaptive

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
	begun   bool
	seen    int64
}

// arrival is a reward that is waited for.
type arrival struct {
	after, row int64
	reward     float64
}

// Side is that of a round, by the rewards known before it.
func (a *ArrivalSplit) Side(round int64) Side {
	for len(a.waiting) > 0 && a.waiting[0].after < round {
		a.take(heap.Pop(&a.waiting).(arrival).reward) //nolint:forcetypeassert // what was pushed
	}
	if !a.begun {
		return SideUnknown
	}
	return a.side
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
		a.begun, a.side = true, SideNo
		if reward > a.sum/float64(a.known) {
			a.side = SideYes
		}
	}
	a.sum += reward
	a.known++
}

// arrivals is a heap: first what becomes known first, then by row.
type arrivals []arrival

// Len is that of container/heap.
func (h *arrivals) Len() int { return len(*h) }

// Less is that of container/heap.
func (h *arrivals) Less(i, j int) bool {
	a, b := (*h)[i], (*h)[j]
	return a.after < b.after || a.after == b.after && a.row < b.row
}

// Swap is that of container/heap.
func (h *arrivals) Swap(i, j int) { (*h)[i], (*h)[j] = (*h)[j], (*h)[i] }

// Push is that of container/heap.
func (h *arrivals) Push(x any) {
	*h = append(*h, x.(arrival)) //nolint:forcetypeassert // what Add pushes
}

// Pop is that of container/heap.
func (h *arrivals) Pop() any {
	last := len(*h) - 1
	out := (*h)[last]
	*h = (*h)[:last]
	return out
}
