package pages

// beginList begins an innermost list of row i.
func (c *ListCursor) beginList(b *Block, i, rep int) {
	start := i * b.Width
	if c.chunk.column.maxRep == 1 {
		c.row = assembly{open: true, base: start, room: c.inner, items: c.row.items}
		return
	}
	if rep > 0 {
		c.endList(b, i)
	}
	k := int(b.Length[i])
	b.Length[i]++
	c.row = assembly{open: true, items: c.row.items}
	if k < c.outer {
		c.row.base, c.row.room = start+k*c.inner, c.inner
	}
}

// endList notes the length of the innermost list of row i.
func (c *ListCursor) endList(b *Block, i int) {
	length := int32(c.row.filled) //nolint:gosec // at most maxItems and the entries read ahead
	switch {
	case c.row.none:
	case c.chunk.column.maxRep == 1:
		b.Length[i] = length
	case b.Length[i] == 1 && b.Inner[i] == 0:
		b.Inner[i] = length
	case b.Inner[i] != length:
		b.Inner[i] = -1
	}
}

// items reads an item of the innermost list: a null, or a value and all values
// that follow it at once.
func (c *ListCursor) items(b *Block, i int, present bool) error {
	e, column := &c.entries, c.chunk.column
	if !present {
		b.ItemNulls[i] = true
		c.row.filled++
		e.at++
		return nil
	}
	end := e.at + 1
	for end < len(e.rep) && int(e.rep[end]) == column.maxRep && int(e.def[end]) == column.maxDef {
		end++
	}
	n := end - e.at
	at := min(c.row.filled, int64(c.row.room))
	kept := int(min(int64(n), int64(c.row.room)-at))
	c.row.filled += int64(n)
	c.row.items += int64(n - 1)
	e.at = end
	return c.keep(b, c.row.base+int(at), kept, n-kept)
}

// keep puts the next values at a place in the block, and moves over some that
// are not kept.
func (c *ListCursor) keep(b *Block, at, kept, rest int) error {
	if c.texts != nil {
		return c.keepTexts(b, at, kept, rest)
	}
	if err := c.readLate(); err != nil {
		return err
	}
	e, column := &c.entries, c.chunk.column
	switch column.store() {
	case storeFloats:
		copy(b.Float[at:at+kept], e.floats[e.next:])
	case storeWides:
		b.keepWides(column, at, e.wides[e.next:e.next+kept])
	default:
		copy(b.Int[at:at+kept], e.ints[e.next:])
	}
	e.next += kept + rest
	return nil
}

// keepTexts reads texts to a place in the block, and then some that are not
// kept. Texts are not read ahead: they would have to be kept twice.
func (c *ListCursor) keepTexts(b *Block, at, kept, rest int) error {
	if err := c.readTexts(b, b.Text[at:at+kept]); err != nil {
		return err
	}
	var skipped [64][]byte
	for rest > 0 {
		n := min(rest, textStep(c.texts, len(skipped)))
		if err := c.texts.read(skipped[:n]); err != nil {
			return err
		}
		rest -= n
	}
	return nil
}

// entries are levels and values read ahead of the rows.
type entries struct {
	rep, def []uint8
	at, next int  // entry, and value, to be read next
	full     bool // all of the entries have values
	late     int  // floats that are not read ahead: runs reads them to their place

	// The values of the entries that have one, in order; one of these by the
	// column's store, but for texts.
	ints   []int64
	floats []float64
	wides  []wide
}

// entryBlock is the number of entries read ahead.
const entryBlock = 8192

// more reads ahead if it must, and reports whether there is an entry.
func (c *ListCursor) more() (bool, error) {
	e := &c.entries
	if e.at < len(e.rep) {
		return true, nil
	}
	if c.left == 0 {
		if err := c.endPage(); err != nil || c.chunk.left == 0 {
			return false, err
		}
		if err := c.nextPage(); err != nil {
			return false, err
		}
	}
	return true, c.readAhead(int(min(c.left, entryBlock)))
}

func (c *ListCursor) readAhead(n int) error {
	e := &c.entries
	e.rep, e.def, e.at, e.next = resize(e.rep, n), resize(e.def, n), 0, 0
	if err := readHybrid(&c.rep, e.rep); err != nil {
		return err
	}
	present, err := c.definitions()
	if err != nil {
		return err
	}
	c.chunk.present += int64(present)
	c.left -= int64(n)
	switch c.chunk.column.store() {
	case storeFloats:
		if e.late = present; e.full {
			return nil
		}
		return c.readLate()
	case storeTexts:
		return nil
	case storeWides:
		e.wides = resize(e.wides, present)
		return c.wides.read(e.wides)
	default:
		e.ints = resize(e.ints, present)
		return c.ints.read(e.ints)
	}
}

// readLate reads floats ahead after all.
func (c *ListCursor) readLate() error {
	e := &c.entries
	if e.late == 0 {
		return nil
	}
	e.floats = resize(e.floats, e.late)
	e.late, e.next = 0, 0
	return c.floats.read(e.floats)
}

// definitions reads the definition levels of the entries and counts those that
// have a value.
func (c *ListCursor) definitions() (present int, err error) {
	e, column := &c.entries, c.chunk.column
	if err = readHybrid(&c.def, e.def); err != nil {
		return 0, err
	}
	e.full = allEqual(e.def, column.maxDef)
	if e.full && column.maxRep == 1 { // levels of one bit are no higher
		return len(e.def), nil
	}
	present, bare, err := e.vet(column)
	c.bare += int64(bare)
	return present, err
}

// vet checks that the levels are levels of the column, and counts the values, and the
// entries of which nothing but the value is null.
func (e *entries) vet(c *Column) (present, bare int, err error) {
	for i, rep := range e.rep {
		def := int(e.def[i])
		if int(rep) > c.maxRep || def > c.maxDef {
			return 0, 0, damaged("levels %d and %d, of %d and %d", rep, def, c.maxRep, c.maxDef)
		}
		switch def {
		case c.maxDef:
			present++
		case c.maxDef - 1:
			bare++
		}
	}
	return present, bare, nil
}
