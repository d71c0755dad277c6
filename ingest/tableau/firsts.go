package tableau

// Firsts says which rows are the first of their unit. It goes over the chunks of
// an experiment in order, and holds one bit for each unit. The zero value is not
// to be used; see Slice.Firsts.
type Firsts struct {
	seen []uint64
	mask []bool
	n    int64
}

// Firsts begins before the first chunk. It panics where the tableau has no units.
func (s *Slice) Firsts() *Firsts {
	if !s.t.schema.Unit {
		panic(errNoUnits)
	}
	const word = 64
	return &Firsts{seen: make([]uint64, (s.UnitCount()+word-1)/word)}
}

// Next says of every row of the next chunk whether it is the first of its unit.
// What is returned is used again by the next call.
func (f *Firsts) Next(c *Chunk) []bool {
	const word = 64
	f.mask = append(f.mask[:0], make([]bool, len(c.Unit))...)
	for row, unit := range c.Unit {
		bit := uint64(1) << (unit % word)
		if f.seen[unit/word]&bit == 0 {
			f.seen[unit/word] |= bit
			f.mask[row] = true
			f.n++
		}
	}
	return f.mask
}

// Count is how many units have been met.
func (f *Firsts) Count() int64 { return f.n }
