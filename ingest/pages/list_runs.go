package pages

import "bytes"

// runs reads rows from the i-th on, of up to n, whose lists have exactly as many
// items as are kept, none of them null: what a list of features is in every row.
// It returns how many it read, none where the next row is not like that or it
// cannot be known yet.
func (c *ListCursor) runs(b *Block, i, n int) (int, error) {
	e, w := &c.entries, c.inner
	if c.chunk.column.maxRep != 1 || w == 0 || !e.full {
		return 0, nil
	}
	rows := min(n, (len(e.rep)-e.at-1)/w) // the entry after the last begins a row, too
	for rows > 0 && !c.regular(rows) {
		rows /= 2
	}
	if rows <= 0 {
		return 0, nil
	}
	if err := c.keepRun(b, i*w, rows*w); err != nil {
		return 0, err
	}
	fillWith(b.Length[i:i+rows], int32(w)) //nolint:gosec // at most maxKept
	e.at += rows * w
	return rows, nil
}

// keepRun puts the next n values at a place in the block.
func (c *ListCursor) keepRun(b *Block, at, n int) error {
	if c.entries.late == 0 {
		return c.keep(b, at, n, 0)
	}
	c.entries.late -= n
	return c.floats.read(b.Float[at : at+n])
}

// regular reports whether the next entries fill that many rows of full lists, followed by
// an entry that begins a row.
func (c *ListCursor) regular(rows int) bool {
	e, size := &c.entries, rows*c.inner+1
	for len(c.pattern) < size { // 0 begins a row, 1 goes on with it
		row := bytes.Repeat([]byte{1}, c.inner)
		row[0] = 0
		c.pattern = append(c.pattern, row...)
	}
	return bytes.Equal(e.rep[e.at:e.at+size], c.pattern[:size])
}
