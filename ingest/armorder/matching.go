// Package armorder finds which entries of lists by arm belong to which arms, by the
// rows of a log in which an entry can, or cannot, belong to the played arm.
package armorder

import "slices"

// MostArms bounds the arms of a [Matching], which takes K² answers.
const MostArms = 64

// Matching says which entries can belong to which arms.
type Matching struct {
	can [][]bool // by arm, by entry
}

// New is the matching in which every entry can belong to every one of k arms.
func New(k int) *Matching {
	m := &Matching{can: make([][]bool, k)}
	for arm := range m.can {
		m.can[arm] = slices.Repeat([]bool{true}, k)
	}
	return m
}

// Arms is the number of arms.
func (m *Matching) Arms() int { return len(m.can) }

// Keep rules out the entries of an arm of which is does not hold. It asks of none
// that is ruled out.
func (m *Matching) Keep(arm int, is func(entry int) bool) {
	for entry, can := range m.can[arm] {
		if can && !is(entry) {
			m.can[arm][entry] = false
		}
	}
}

// None rules out every entry of every arm.
func (m *Matching) None() {
	for _, can := range m.can {
		clear(can)
	}
}

// Only returns the entry of every arm, where there is one assignment alone; else nil.
// It uses the matching up. A graph with one perfect matching has a vertex with one
// edge, and what is left without it has one again.
func (m *Matching) Only() []int {
	entry := slices.Repeat([]int{-1}, len(m.can))
	for range m.can {
		arm, at := m.forced(entry)
		if arm < 0 {
			return nil
		}
		entry[arm] = at
		for other := range m.can {
			m.can[other][at] = false
		}
	}
	return entry
}

// forced returns an arm without an entry that one alone can belong to.
func (m *Matching) forced(entry []int) (arm, at int) {
	for arm, can := range m.can {
		count, last := 0, -1
		for k, ok := range can {
			if ok {
				count, last = count+1, k
			}
		}
		if entry[arm] < 0 && count == 1 {
			return arm, last
		}
	}
	return -1, -1
}
