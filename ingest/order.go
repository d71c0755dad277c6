package ingest

import (
	"bytes"
	"cmp"
	"math"

	"banditaudit/ingest/pages"
)

// orderKind is how values of an order column compare; columns of different
// files must agree.
type orderKind int

const (
	orderInteger orderKind = iota
	orderFloat
	orderText
	orderTime
	orderDate
)

func orderClass(k pages.Kind) orderKind {
	switch k {
	case pages.Float:
		return orderFloat
	case pages.Text:
		return orderText
	case pages.Timestamp:
		return orderTime
	case pages.Date:
		return orderDate
	default:
		return orderInteger
	}
}

// keys are the order columns of a block, as numbers and texts that compare as
// the columns do.
type keys struct {
	columns []keyColumn
}

type keyColumn struct {
	want    int
	name    string
	text    bool
	numbers []int64
	texts   [][]byte
}

// newKeys lists the order columns of a log.
func newKeys(l *logFiles) *keys {
	var k keys
	for i, w := range l.wants {
		if w.role == roleOrder {
			k.columns = append(k.columns, keyColumn{want: i, name: w.name, text: len(l.kinds[i]) > 0 && orderClass(l.kinds[i][0]) == orderText})
		}
	}
	return &k
}

// load takes the keys of a block; bad(i) is called for a row that has none,
// because a value is null or cannot be compared.
func (k *keys) load(r *rows, f *faults, bad func(i int)) {
	for j := range k.columns {
		c := &k.columns[j]
		b, kind := r.cols[c.want], r.types[c.want].Kind
		eachNull(b, r.n, func(i int) {
			f.row(RuleNull, c.name, r.place(i), "a null in an order column", "leave the row out, or give it its place")
			bad(i)
		})
		switch {
		case c.text:
			c.texts = b.Text
		case kind == pages.Float:
			c.numbers = resizeTo(c.numbers, r.n)
			for i := range c.numbers {
				if !isFinite(b.Float[i]) {
					f.row(RuleNotFinite, c.name, r.place(i), "NaN or an infinity in an order column", "leave the row out, or give it its place")
					bad(i)
				}
				c.numbers[i] = floatKey(b.Float[i])
			}
		default:
			c.numbers = b.Int
			for i := range r.n {
				if kind == pages.Uint && b.Int[i] < 0 {
					f.row(RuleNotExact, c.name, r.place(i), "an unsigned number of 2^63 or more in an order column", "cast it to a decimal text of fixed width")
					bad(i)
				}
			}
		}
	}
}

// eachNull calls visit for every null of a block.
func eachNull(b *pages.Block, n int, visit func(i int)) {
	if b.Nulls == 0 {
		return
	}
	for i, null := range b.Null[:n] {
		if null {
			visit(i)
		}
	}
}

func resizeTo[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// floatKey maps floats to integers that compare alike; −0 and 0 are one.
func floatKey(x float64) int64 {
	if x == 0 {
		return 0
	}
	bits := int64(math.Float64bits(x)) //nolint:gosec // the bits
	if bits < 0 {
		return math.MinInt64 - bits // the larger the magnitude, the smaller the key
	}
	return bits
}

// key is the place of one row in the order.
type key struct {
	numbers []int64
	texts   [][]byte
}

// compare compares row i of the loaded block with a key.
func (k *keys) compare(i int, with *key) int {
	for j := range k.columns {
		c := &k.columns[j]
		var d int
		if c.text {
			d = bytes.Compare(c.texts[i], with.texts[j])
		} else {
			d = cmp.Compare(c.numbers[i], with.numbers[j])
		}
		if d != 0 {
			return d
		}
	}
	return 0
}

// keep copies row i of the loaded block to a key.
func (k *keys) keep(i int, to *key) {
	to.numbers, to.texts = resizeTo(to.numbers, len(k.columns)), resizeTo(to.texts, len(k.columns))
	for j := range k.columns {
		c := &k.columns[j]
		if c.text {
			to.texts[j] = append(to.texts[j][:0], c.texts[i]...)
		} else {
			to.numbers[j] = c.numbers[i]
		}
	}
}

// counts reports whether the order is one column of whole numbers, whose gaps
// can be counted.
func (k *keys) counts(l *logFiles) bool {
	if len(k.columns) != 1 {
		return false
	}
	for _, kind := range l.kinds[k.columns[0].want] {
		if kind != pages.Int && kind != pages.Uint {
			return false
		}
	}
	return true
}
