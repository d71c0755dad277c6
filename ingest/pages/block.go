package pages

// Block is a number of consecutive values of one column. The cursor that fills
// it uses its slices again at the next call, with the same Block. They stay
// valid when the cursor goes on with another Block, and after Close, unless View
// is set.
type Block struct {
	// View, which the caller sets, lets Int and Float be parts of the cursor's
	// page where that saves copying: they may not be written to, and are valid
	// until the cursor's next call or Close. Of a file that is Mapped they
	// may be parts of the mapping, and must be read under its Guard.
	View bool

	Int   []int64   // of Bool, Int, Uint, Timestamp, Date, Decimal and Time columns
	Float []float64 // of Float and Decimal columns
	Text  [][]byte  // of Text columns

	Nulls int    // rows that are null
	Null  []bool // by row; meaningful when Nulls > 0

	Overs int    // values that Int cannot hold: decimals of many digits, and INT96 before 1677 or after 2262
	Over  []bool // by value; meaningful when Overs > 0

	// Of lists only, whose values are Width per row in Int, Float, Text and Over:
	Width     int     // values kept per row; of lists of lists, outer times inner
	Length    []int32 // by row: items that the row's list has; 0 of a null
	Inner     []int32 // by row of a list of lists: their common length, -1 where they differ or one is null
	ItemNulls []bool  // by row: a value within the list is null

	arena  []byte    // memory for Text: what is left of it
	held   int       // bytes, of the arenas that Text is in
	ints   []int64   // memory for Int
	floats []float64 // memory for Float
}

// Size returns about how many bytes of memory a block holds.
func (b *Block) Size() int64 {
	words := max(cap(b.ints), cap(b.Int)) + max(cap(b.floats), cap(b.Float)) + 3*cap(b.Text)
	return int64(8*words + 4*(cap(b.Length)+cap(b.Inner)) + cap(b.Null) + cap(b.ItemNulls) + cap(b.Over) + b.held)
}

// reset makes room for n rows.
func (b *Block) reset(c *Column, n int) {
	b.Nulls = 0
	b.Null = resize(b.Null, n)
	b.room(c, n)
}

// room makes room for n values.
func (b *Block) room(c *Column, n int) {
	b.Overs = 0
	switch c.store() {
	case storeInts:
		b.ints = resize(b.ints, n)
		b.Int = b.ints
	case storeFloats:
		b.floats = resize(b.floats, n)
		b.Float = b.floats
	case storeTexts:
		b.Text = resize(b.Text, n)
		b.arena, b.held = b.arena[:0], cap(b.arena)
	case storeWides:
		b.ints, b.Over = resize(b.ints, n), resize(b.Over, n)
		b.Int = b.ints
		if c.Kind == Decimal {
			b.floats = resize(b.floats, n)
			b.Float = b.floats
		}
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func spread[T any](dst []T, present int, null []bool) {
	if present == len(dst) {
		return
	}
	var zero T
	for i := len(dst) - 1; i >= 0; i-- {
		if null[i] {
			dst[i] = zero
		} else {
			present--
			dst[i] = dst[present]
		}
	}
}
