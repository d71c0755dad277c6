package ingest

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"banditaudit/ingest/pages"
)

// labels numbers the values of a column of labels: arms and experiments. A
// whole number and its decimal text are one label.
type labels struct {
	names   []string
	codes   map[string]int32
	numbers map[int64]int32 // the labels that are whole numbers in decimal
}

func newLabels(names []string) *labels {
	l := &labels{codes: map[string]int32{}, numbers: map[int64]int32{}}
	for _, n := range names {
		l.add(n)
	}
	return l
}

// add numbers a new label.
func (l *labels) add(name string) int32 {
	code := int32(len(l.names)) //nolint:gosec // the caller bounds the number of labels
	l.names = append(l.names, name)
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

// find looks up row i of a block.
func (l *labels) find(b *pages.Block, c *pages.Column, i int) (int32, bool) {
	if c.Kind == pages.Text {
		code, ok := l.codes[string(b.Text[i])]
		return code, ok
	}
	if c.Kind == pages.Uint && b.Int[i] < 0 {
		code, ok := l.codes[labelAt(b, c, i)]
		return code, ok
	}
	code, ok := l.numbers[b.Int[i]]
	return code, ok
}

// labelAt is row i of a block as a label.
func labelAt(b *pages.Block, c *pages.Column, i int) string {
	switch c.Kind {
	case pages.Text:
		return string(b.Text[i])
	case pages.Uint:
		return strconv.FormatUint(uint64(b.Int[i]), 10) //nolint:gosec // the bits
	default:
		return strconv.FormatInt(b.Int[i], 10)
	}
}

// maxLabelText bounds a label; a longer text is no name.
const maxLabelText = 4096

// labelBytes is about what a label takes in memory beside its text.
const labelBytes = 128

// isText reports whether a label is text: UTF-8 without a zero byte, of at most
// 4,096 bytes.
func isText(label string) bool {
	return len(label) <= maxLabelText && utf8.ValidString(label) && !strings.ContainsRune(label, 0)
}

// maxArms bounds the arms that are found in a log: a column with more distinct
// values than this is not the action of a bandit.
const maxArms = 1 << 16

// sortedLabels sorts labels as numbers where every one is a whole number, and
// bytewise otherwise.
func sortedLabels(names []string) []string {
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, labelOrder(names))
	return sorted
}

// labelOrder is the comparison of sortedLabels.
func labelOrder(names []string) func(a, b string) int {
	for _, n := range names {
		if _, ok := wholeNumber(n); !ok {
			return strings.Compare
		}
	}
	return func(a, b string) int {
		x, _ := wholeNumber(a)
		y, _ := wholeNumber(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
}

// exactNumber bounds the integers that float64 holds exactly.
const exactNumber = 1 << 53

// exactly reports whether an integer of the given kind is one that float64
// holds.
func exactly(v int64, kind pages.Kind) bool {
	return v <= exactNumber && v >= -exactNumber && (v >= 0 || kind != pages.Uint)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
