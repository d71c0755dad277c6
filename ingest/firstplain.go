package ingest

import "slices"

// plain takes a block of the only experiment whose one order key, a number,
// increases from row to row, and reports whether it is such a block: most logs
// have no others. It does what rows does, and nothing where it reports false.
func (f *firstPass) plain(r *rows) bool {
	if f.experimentWant() >= 0 || !f.sorted || !f.last.any || len(f.keys.columns) != 1 || f.keys.columns[0].text || slices.Contains(f.bad, true) {
		return false
	}
	gaps, before := int64(0), f.last.key.numbers[0]
	for _, v := range f.keys.columns[0].numbers[:r.n] {
		if v <= before {
			return false
		}
		if v != before+f.step {
			gaps++
		}
		before = v
	}
	clear(f.codes)
	f.count[0] += int64(r.n)
	if f.step > 0 {
		f.gaps[0] += gaps
	}
	f.last.row = r.first + int64(r.n) - 1
	f.keys.keep(r.n-1, &f.last.key)
	return true
}
