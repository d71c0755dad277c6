package ingest

import (
	"bytes"
	"cmp"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
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
	raw     [][]byte // texts as they are in the log
	several bool     // texts are times in several writings: texts has instants
	zoned   bool     // such times have zones
	seen    bool     // least and most are meaningful
	least   int64
	most    int64
	floats  []int64          // the memory of numbers made of floats
	written cell.TextNumbers // of texts

	made         []byte   // the memory of instants
	instantTexts [][]byte // the memory of texts that are instants
}

func newKeyColumn(l *logFiles, want int) keyColumn {
	c := keyColumn{want: want, name: l.wants[want].Name, text: len(l.kinds[want]) > 0 && orderClass(l.kinds[want][0]) == orderText}
	if a := l.axes[want]; c.text && a != nil {
		c.several, c.zoned = a.Times.Several, a.Times.Zoned
	}
	return c
}

// newKeys lists the order columns of a log.
func newKeys(l *logFiles) *keys {
	var k keys
	for i, w := range l.wants {
		if w.Role == role.Order {
			k.columns = append(k.columns, newKeyColumn(l, i))
		}
	}
	return &k
}

// load takes the keys of a block; bad(i) is called for a row that has none,
// because a value is null or cannot be compared.
func (k *keys) load(r *rows, f *fault.List, bad func(i int)) {
	for j := range k.columns {
		c := &k.columns[j]
		eachNull(r.cols[c.want], r.n, func(i int) {
			f.Row(fault.RuleNull, c.name, r.place(i), "a null in an order column", "leave the row out, or give it its place")
			bad(i)
		})
		c.load(r, f, "an order column", bad)
	}
}

// load takes the values of a block; values of nulls have no meaning. in says what the
// column is; bad(i) is called for a value that cannot be compared.
func (c *keyColumn) load(r *rows, f *fault.List, in string, bad func(i int)) {
	b, kind := r.cols[c.want], r.types[c.want].Kind
	refuse := func(i int, rule, what, mend string) {
		if b.Nulls == 0 || !b.Null[i] {
			f.Row(rule, c.name, r.place(i), what+", in "+in, mend)
			bad(i)
		}
	}
	switch {
	case c.text:
		c.texts, c.raw = b.Text, b.Text
		if c.several {
			c.instants(r.n, refuse)
		}
		return
	case kind == pages.Float:
		c.floats = cell.Resize(c.floats, r.n)
		c.numbers = c.floats
		for i := range c.numbers {
			if !cell.IsFinite(b.Float[i]) {
				refuse(i, fault.RuleNotFinite, "NaN or an infinity", "leave the row out, or give it its place")
			}
			c.numbers[i] = floatKey(b.Float[i])
		}
		return
	}
	c.numbers = b.Int
	if kind == pages.Uint {
		for i := range r.n {
			if b.Int[i] < 0 {
				refuse(i, fault.RuleNotExact, "an unsigned number of 2^63 or more", "cast it to a decimal text of fixed width")
			}
		}
	}
	if b.Overs > 0 {
		for i := range r.n {
			if b.Over[i] {
				refuse(i, fault.RuleNotExact, "a time or decimal that leaves 64 bits in the finest unit or scale of all files", "write all files with one unit or scale, or correct the value")
			}
		}
	}
}

// span widens the bounds of the numbers seen to include n loaded values.
func (c *keyColumn) span(n int) {
	if c.text || n == 0 {
		return
	}
	if !c.seen {
		c.least, c.most, c.seen = c.numbers[0], c.numbers[0], true
	}
	for _, v := range c.numbers[:n] {
		c.least, c.most = min(c.least, v), max(c.most, v)
	}
}

// asNumbers looks whether the loaded texts are numbers.
func (c *keyColumn) asNumbers(r *rows) {
	if !c.text {
		return
	}
	null := nullsOf(r.cols[c.want], r.n)
	c.written.Look(c.raw[:r.n], null)
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
	to.numbers, to.texts = cell.Resize(to.numbers, len(k.columns)), cell.Resize(to.texts, len(k.columns))
	for j := range k.columns {
		c := &k.columns[j]
		if c.text {
			to.texts[j] = append(to.texts[j][:0], c.texts[i]...)
		} else {
			to.numbers[j] = c.numbers[i]
		}
	}
}

// wholeStep is the difference between keys that are 1 apart, where the order is
// one column of whole numbers, whose gaps can be counted; otherwise 0. It is not
// 1 where reward_order has decimals, because both are brought to one scale.
func (k *keys) wholeStep(l *logFiles) int64 {
	if len(k.columns) != 1 {
		return 0
	}
	w := k.columns[0].want
	for i := range l.groups[w] {
		if !cell.WholeNumbers(&l.groups[w][i].Column) {
			return 0
		}
	}
	step := int64(1)
	for range l.axes[w].Power {
		if step > math.MaxInt64/10 {
			return 0 // on that scale, 0 is the only whole number of 64 bits
		}
		step *= 10
	}
	return step
}
