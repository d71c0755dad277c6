package pages

import "fmt"

const (
	// maxText bounds the memory of the texts of one block.
	maxText = 64 << 20
	// minArena is what memory for texts begins with.
	minArena = 4 << 10
)

// textStep is the number of texts that may be read of a source at once, up to
// n. Those of DELTA_BYTE_ARRAY are read one by one, so that at no time there is
// more than one of them beside those that are kept.
func textStep(src source[[]byte], n int) int {
	if checked, ok := src.(*within[[]byte]); ok {
		src = checked.source
	}
	if fixed, ok := src.(*sameLength); ok {
		src = fixed.src
	}
	if _, ok := src.(*deltaTexts); ok {
		return 1
	}
	return n
}

// readTexts reads texts of the current page to dst, which is a part of b.Text,
// and copies them out of the page's buffer, which the next page uses again.
func (c *Cursor) readTexts(b *Block, dst [][]byte) error {
	step := textStep(c.texts, max(len(dst), 1))
	for len(dst) > 0 {
		n := min(len(dst), step)
		if err := c.texts.read(dst[:n]); err != nil {
			return err
		}
		for i, text := range dst[:n] {
			kept, err := c.keepText(b, text)
			if err != nil {
				return err
			}
			dst[i] = kept
		}
		dst = dst[n:]
	}
	return nil
}

// keepText copies a text, or the words of a UUID, to the block.
func (c *Cursor) keepText(b *Block, text []byte) ([]byte, error) {
	uuid := c.chunk.column.uuid
	size := len(text)
	if uuid {
		size = uuidText
	}
	if size > cap(b.arena)-len(b.arena) {
		if err := c.newArena(b, size); err != nil {
			return nil, err
		}
	}
	start := len(b.arena)
	if uuid {
		b.arena = appendUUID(b.arena, text)
	} else {
		b.arena = append(b.arena, text...)
	}
	return b.arena[start:len(b.arena):len(b.arena)], nil
}

// newArena makes room for a text of size bytes, and more. What the block's
// texts are in is booked until the cursor is closed.
func (c *Cursor) newArena(b *Block, size int) error {
	if size > maxText { // which no memory mends
		return damaged("a text of %d bytes, of at most %d that are read", size, maxText)
	}
	n := max(size, minArena, min(2*cap(b.arena), maxText-b.held))
	if b.held+n > maxText {
		return fmt.Errorf("a text of %d bytes beside %d of %d rows, of %d allowed: %w", size, b.held, len(b.Null), maxText, ErrLimit)
	}
	if more := int64(b.held+n) - c.texted; more > 0 {
		if err := c.book(more); err != nil {
			return fmt.Errorf("a text of %d bytes beside %d of %d rows: %w", size, b.held, len(b.Null), err)
		}
		c.texted += more
	}
	b.arena = make([]byte, 0, n)
	b.held += n
	return nil
}

// book books n bytes until the cursor is closed; it gives none back.
func (c *Cursor) book(n int64) error {
	if err := c.chunk.budget.Take(n); err != nil {
		return err
	}
	c.booked += n
	return nil
}
