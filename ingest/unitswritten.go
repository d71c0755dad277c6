package ingest

import (
	"slices"

	"banditaudit/schemas"
)

// maxWaiting bounds the writings of one experiment that wait for their whole number.
const maxWaiting = 1 << 12

// unitsWritten counts, of the distinct units of an experiment in bytewise order, those
// that are another one's number in another writing (schemas.WholeOf): 1.0 beside 1.
// "1.0" follows "1" with no whole number between them, and "1.2345678E7" comes before
// "12345678"; of the latter it remembers the first maxWaiting.
type unitsWritten struct {
	whole   []byte // the last whole number
	waiting map[string]bool
	count   int64
}

// begin forgets the experiment before.
func (u *unitsWritten) begin() { u.whole, u.waiting, u.count = u.whole[:0], nil, 0 }

// add takes the next unit.
func (u *unitsWritten) add(unit []byte) {
	if len(unit) == 0 || unit[0] != '-' && (unit[0] < '0' || unit[0] > '9') {
		return
	}
	if !slices.ContainsFunc(unit[1:], func(c byte) bool { return c < '0' || c > '9' }) {
		u.whole = append(u.whole[:0], unit...)
		if len(u.waiting) > 0 && u.waiting[string(unit)] {
			u.count++
		}
		return
	}
	whole, ok := schemas.WholeOf(string(unit))
	switch {
	case !ok:
	case whole == string(u.whole):
		u.count++
	case len(u.waiting) < maxWaiting:
		if u.waiting == nil {
			u.waiting = map[string]bool{}
		}
		u.waiting[whole] = true
	}
}
