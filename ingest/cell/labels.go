// Package cell is what the values of a column are: labels, numbers of float64,
// and places on an axis, on which the files of a log compare.
package cell

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// Labels numbers the values of a column of labels: arms, experiments, levels and
// batches. A value and its text, as labelAt writes it, are one label.
type Labels struct {
	Names   []string
	codes   map[string]int32
	numbers map[int64]int32 // the labels that are whole numbers in decimal
}

// NewLabels numbers names in their order.
func NewLabels(names []string) *Labels {
	l := &Labels{codes: map[string]int32{}, numbers: map[int64]int32{}}
	for _, n := range names {
		l.Add(n)
	}
	return l
}

// Add numbers a new label.
func (l *Labels) Add(name string) int32 {
	code := int32(len(l.Names)) //nolint:gosec // the caller bounds the number of labels
	l.Names = append(l.Names, name)
	l.codes[name] = code
	if v, ok := wholeNumber(name); ok {
		l.numbers[v] = code
	}
	return code
}

// wholeNumber reads a decimal in canonical form.
func wholeNumber(s string) (int64, bool) {
	v, err := strconv.ParseInt(s, 10, 64)
	return v, err == nil && strconv.FormatInt(v, 10) == s
}

// Find looks up value i of a block, null or not.
func (l *Labels) Find(b *pages.Block, c *pages.Column, i int) (int32, bool) {
	if WholeNumbers(c) && !Over(b, i) && (c.Kind != pages.Uint || b.Int[i] >= 0) {
		code, ok := l.numbers[b.Int[i]]
		return code, ok
	}
	if c.Kind == pages.Text {
		code, ok := l.codes[string(b.Text[i])]
		return code, ok
	}
	code, ok := l.codes[LabelAt(b, c, i)]
	return code, ok
}

// IsLabel reports whether the values of a column can be labels.
func IsLabel(c *pages.Column) bool {
	return WholeNumbers(c) || c.Kind == pages.Text || c.Kind == pages.Bool || c.Kind == pages.Date || c.Kind == pages.Null
}

// WholeNumbers reports whether Block.Int has whole numbers for a column.
func WholeNumbers(c *pages.Column) bool {
	return c.Kind == pages.Int || c.Kind == pages.Uint || c.Kind == pages.Decimal && c.Scale == 0
}

// Over reports whether value i of a block does not fit Block.Int.
func Over(b *pages.Block, i int) bool { return b.Overs > 0 && b.Over[i] }

// noLabel is what labelAt says of a value that has no label. It is not a text.
const noLabel = "\x00"

// LabelAt is value i of a block as a label: whole numbers in decimal, booleans
// as true and false, dates and times as ISO 8601 writes them.
func LabelAt(b *pages.Block, c *pages.Column, i int) string {
	switch {
	case c.Kind == pages.Text:
		return string(b.Text[i])
	case Over(b, i):
		return noLabel
	case c.Kind == pages.Uint:
		return strconv.FormatUint(uint64(b.Int[i]), 10) //nolint:gosec // the bits
	case c.Kind == pages.Bool:
		return strconv.FormatBool(b.Int[i] == 1)
	case c.Kind == pages.Date:
		return time.Unix(b.Int[i]*secondsPerDay, 0).UTC().Format(time.DateOnly)
	case c.Kind == pages.Timestamp:
		return instant(b.Int[i], c)
	}
	return strconv.FormatInt(b.Int[i], 10)
}

const secondsPerDay = 24 * 60 * 60

// instant writes a timestamp so that its unit does not show; a Z stands behind
// one that is in UTC.
func instant(v int64, c *pages.Column) string {
	var t time.Time
	switch c.Unit {
	case pages.Millisecond:
		t = time.UnixMilli(v)
	case pages.Microsecond:
		t = time.UnixMicro(v)
	default:
		t = time.Unix(0, v)
	}
	text := t.UTC().Format("2006-01-02T15:04:05.999999999")
	if c.UTC {
		text += "Z"
	}
	return text
}

// MaxLabelText bounds a label, as it bounds a declared one.
const MaxLabelText = schemas.MaxLabelBytes

// LabelBytes is about what a label takes in memory beside its text: its name
// twice, in the order of the log and sorted, and its place in the two maps that
// find it, which are up to twice as large as their content.
const LabelBytes = 192

// ExperimentBytes is about what an experiment takes beside its id, from the
// first pass to the manifest: a label, its rows, gaps and rank (20 bytes), its
// range in the tableau (32), and the number of its last round (8) or its part of
// the manifest (80). 400,000 experiments were measured to take 310 bytes each.
const ExperimentBytes = LabelBytes + 128

// IsText reports whether a label is text: UTF-8 without a zero byte, of at most
// 4,096 bytes.
func IsText(label string) bool {
	return len(label) <= MaxLabelText && utf8.ValidString(label) && !strings.ContainsRune(label, 0)
}

// MaxArms bounds the arms that are found in a log: a column with more distinct
// values than this is not the action of a bandit.
const MaxArms = 1 << 16

// SortedLabels sorts labels as numbers where every one is a whole number, and
// bytewise otherwise.
func SortedLabels(names []string) []string {
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, LabelOrder(names))
	return sorted
}

// LabelOrder is the comparison of sortedLabels. Whole numbers have 64 bits, with a sign or
// without.
func LabelOrder(names []string) func(a, b string) int {
	for _, n := range names {
		if _, ok := wholeNumber(n); !ok && !largeNumber(n) {
			return strings.Compare
		}
	}
	return func(a, b string) int {
		x, small := wholeNumber(a)
		y, other := wholeNumber(b)
		switch {
		case small && other:
			return cmp.Compare(x, y)
		case small:
			return -1
		case other:
			return 1
		}
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
}

// largeNumber reports whether a label is a whole number of 2⁶³ to 2⁶⁴−1 in
// canonical form.
func largeNumber(s string) bool {
	v, err := strconv.ParseUint(s, 10, 64)
	return err == nil && v > math.MaxInt64 && strconv.FormatUint(v, 10) == s
}

// IsFinite reports whether x is neither NaN nor infinite.
func IsFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// labelKind is how the values of a column are written as labels.
type labelKind int

const (
	labelText labelKind = iota
	labelWhole
	labelBool
	labelDate
	labelInstant
)

func labelKindOf(c *pages.Column) labelKind {
	switch c.Kind {
	case pages.Bool:
		return labelBool
	case pages.Date:
		return labelDate
	case pages.Timestamp:
		return labelInstant
	case pages.Text:
		return labelText
	case pages.Int, pages.Uint, pages.Decimal, pages.Float, pages.Time, pages.Null, pages.Other:
	}
	return labelWhole
}

// SameLabels reports whether labels of the types of x and y can be of one column. What a
// text says is what a whole number, a date or a time is written as; a 1 is not
// what a true is, nor is a number a date, and whoever wrote true as a text may
// have written False as well.
func SameLabels(x, y *pages.Column) bool {
	a, b := labelKindOf(x), labelKindOf(y)
	return a == b || a != labelBool && b != labelBool && (a == labelText || b == labelText)
}
