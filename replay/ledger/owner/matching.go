package owner

import (
	"cmp"
	"slices"
	"sort"
)

// item is a place of a stream with what it costs at the end.
type item struct{ cost, place int64 }

// places are the places of a stream, the dearest first.
func (l *Law) places() []item {
	if l.dear == nil {
		for n, c := range l.rows.costs(l.Rounds) {
			if n > 0 && c > 0 {
				l.dear = append(l.dear, item{c, int64(n)})
			}
		}
		slices.SortStableFunc(l.dear, func(a, b item) int { return cmp.Compare(b.cost, a.cost) })
	}
	return l.dear
}

// matched is the largest sum of the costs c(n, T) of places, K of each number n, at most
// one for each round t of the owner, with n ≤ t: a row of round t has no more rows before
// it. The dearest place goes to the earliest free round that it can have, which is best
// where the sets of rounds are nested.
func (l *Law) matched(rounds []int64) int64 {
	m := len(rounds)
	next := make([]int, m+1) // the first free round from here on
	for i := range next {
		next[i] = i
	}
	find := func(i int) int {
		for next[i] != i {
			next[i] = next[next[i]]
			i = next[i]
		}
		return i
	}
	copies := l.Arms
	if copies == 0 || copies > m {
		copies = m
	}
	var sum int64
	for _, v := range l.places() {
		from := sort.Search(m, func(i int) bool { return rounds[i] >= v.place })
		for range copies {
			i := find(from)
			if i == m {
				break
			}
			next[i] = i + 1
			sum += v.cost
		}
		if find(0) == m {
			break
		}
	}
	return sum
}
