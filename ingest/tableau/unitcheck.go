package tableau

import "fmt"

// unitWindow is the number of units whose occurrence is noted at once: 32 MiB
// of bits. An experiment with more of them is read once for each window.
const unitWindow = 1 << 28

// countUnits counts the units of every experiment and checks that each number
// from 0 to the largest occurs, of window many at once. That units are in
// [0, rows) is known already.
func (t *Tableau) countUnits(window int64) error {
	var seen []uint64
	for e := range t.schema.Experiments {
		units := t.largestUnit(e) + 1
		t.counts[e].units = units
		for from := int64(0); from < units; from += window {
			n := min(window, units-from)
			seen = cleared(seen, (n+63)/64)
			t.noteUnits(e, seen, from, n)
			if u := firstUnset(seen, n); u < n {
				return fmt.Errorf("tableau: %s: %w: experiment %d: unit %d does not occur, but unit %d does", t.rounds.path, ErrDamaged, e, from+u, units-1)
			}
		}
	}
	return nil
}

// eachPart calls f with the units of every record batch of experiment e.
func (t *Tableau) eachPart(e int, f func(units []int64)) {
	s := t.Slice(e)
	for i := range s.Chunks() {
		b, from, to, _ := s.cut(i)
		f(b.int64s(t.layout.at[colUnit], from, to))
	}
}

func (t *Tableau) largestUnit(e int) (largest int64) {
	t.eachPart(e, func(units []int64) {
		for _, u := range units {
			largest = max(largest, u)
		}
	})
	return largest
}

// noteUnits sets the bit of every unit in [from, from+n) that occurs.
func (t *Tableau) noteUnits(e int, seen []uint64, from, n int64) {
	t.eachPart(e, func(units []int64) {
		for _, u := range units {
			if u -= from; uint64(u) < uint64(n) { //nolint:gosec // a unit below the window becomes a large number
				seen[u/64] |= 1 << (u % 64)
			}
		}
	})
}

// cleared returns words zero words, in the array of old if there is room.
func cleared(old []uint64, words int64) []uint64 {
	if int64(cap(old)) < words {
		return make([]uint64, words)
	}
	old = old[:words]
	clear(old)
	return old
}

// firstUnset returns the first of n bits that is not set, or n.
func firstUnset(bits []uint64, n int64) int64 {
	for i, w := range bits {
		if w == 1<<64-1 {
			continue
		}
		for b := int64(i) * 64; b < n; b++ {
			if bits[b/64]>>(b%64)&1 == 0 {
				return b
			}
		}
	}
	return n
}
