package guess

import (
	"math"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
)

// profile is what a sample shows of a column. Values are kept as labels only
// while there are few of them; of others there are hashes.
type profile struct {
	name      string
	column    pages.Column
	files     int
	types     []string
	typed     []cell.Typed // one for each type, with the files that have it
	partition bool

	rows, nulls int
	labels      map[string]int // by value: rows; nil when there are more than maxProfiled
	hashes      []uint64       // by row of the sample; 0 of a null
	values      map[uint64]bool
	numbers     numberProfile
	texts       textProfile
	lists       listProfile
}

// maxProfiled bounds the values of a column that are counted one by one.
const maxProfiled = 4096

// numberProfile is about columns of numbers.
type numberProfile struct {
	seen     int
	whole    bool // all are whole
	binary   bool // all are 0 or 1
	unit     bool // all are in [0, 1]
	positive bool // all are above 0
	rising   bool // each is above the one before
	inverse  float64
	sum      float64
	first    float64
	last     float64
	constant bool
}

// listProfile is about columns of lists.
type listProfile struct {
	seen   int
	length int  // common length, of the first list; -1 where they differ
	inner  int  // of lists of lists, likewise
	sums   bool // all lists of numbers in [0, 1] that add to 1
	binary bool // all items are 0 or 1
	unit   bool // all items are in [0, 1]
	items  map[string]bool
	some   bool // an item that is neither null nor beyond the width was seen
}

func newProfile(name string, c *pages.Column) *profile {
	return &profile{
		name: name, column: *c, labels: map[string]int{},
		numbers: numberProfile{whole: true, binary: true, unit: true, positive: true, rising: true, constant: true},
		texts:   textProfile{times: true, sorts: true},
		lists:   listProfile{length: 0, sums: true, binary: true, unit: true, items: map[string]bool{}},
	}
}

// add takes rows of a block that was read as column c.
func (p *profile) add(b *pages.Block, c *pages.Column, n int) {
	for i := range n {
		p.rows++
		if b.Nulls > 0 && b.Null[i] {
			p.nulls++
			p.hashes = append(p.hashes, 0)
			continue
		}
		if c.List {
			p.hashes = append(p.hashes, 1)
			p.lists.add(b, c, i)
			continue
		}
		p.value(b, c, i)
	}
}

func (p *profile) value(b *pages.Block, c *pages.Column, i int) {
	if cell.Fractions(c) {
		p.labels = nil
		p.hash(floatLabel(b.Float[i]))
	} else {
		label := cell.LabelAt(b, c, i)
		p.count(label)
		if c.Kind == pages.Text {
			p.texts.add(label)
		}
	}
	if cell.IsNumber(c) {
		p.numbers.add(cell.NumberAt(b, c, i))
	}
}

// count counts a value.
func (p *profile) count(label string) {
	p.hash(label)
	if p.labels == nil {
		return
	}
	if _, known := p.labels[label]; !known && (len(p.labels) == maxProfiled || len(label) > cell.MaxLabelText) {
		p.labels = nil
		return
	}
	p.labels[label]++
}

// hash keeps a value's hash; 0 is kept for nulls.
func (p *profile) hash(text string) { p.hashes = append(p.hashes, hashOf(text)) }

// hashOf is FNV-1a of 64 bits, but never 0.
func hashOf(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return max(h, 1)
}

func (n *numberProfile) add(v float64) {
	if n.seen == 0 {
		n.first = v
	}
	n.rising = n.rising && (n.seen == 0 || v > n.last)
	n.last = v
	n.seen++
	n.whole = n.whole && v == math.Trunc(v)
	n.binary = n.binary && (v == 0 || v == 1)
	n.unit = n.unit && v >= 0 && v <= 1
	n.positive = n.positive && v > 0
	n.constant = n.constant && v == n.first
	n.inverse += 1 / v
	n.sum += v
}

// meanInverse is the mean of 1/x.
func (n *numberProfile) meanInverse() float64 { return n.inverse / float64(max(n.seen, 1)) }

func (n *numberProfile) mean() float64 { return n.sum / float64(max(n.seen, 1)) }

// same keeps a common length, or -1.
func same(first bool, known, now int) int {
	if first || known == now {
		return now
	}
	return -1
}

func (l *listProfile) add(b *pages.Block, c *pages.Column, i int) {
	l.length = same(l.seen == 0, l.length, int(b.Length[i]))
	if c.Depth == 2 {
		l.inner = same(l.seen == 0, l.inner, int(b.Inner[i]))
		l.seen++
		return
	}
	l.seen++
	sum, kept := 0.0, min(int(b.Length[i]), b.Width)
	if b.ItemNulls[i] {
		l.sums = false
		return
	}
	for k := i * b.Width; k < i*b.Width+kept; k++ {
		l.some = true
		if !cell.IsNumber(c) {
			l.sums, l.binary, l.unit = false, false, false
		} else {
			v := cell.NumberAt(b, c, k)
			sum += v
			l.binary, l.unit = l.binary && (v == 0 || v == 1), l.unit && v >= 0 && v <= 1
		}
		if (c.Kind == pages.Text || cell.WholeNumbers(c)) && len(l.items) <= maxProfiled {
			l.items[cell.LabelAt(b, c, k)] = true
		}
	}
	l.sums = l.sums && l.unit && kept == int(b.Length[i]) && math.Abs(sum-1) < 1e-3
}

// distinct is the number of values in the sample, at most bound+1. The sample
// is complete by then.
func (p *profile) distinct(bound int) int {
	if p.values == nil {
		p.values = map[uint64]bool{}
		for _, h := range p.hashes {
			if h != 0 && len(p.values) <= maxProfiled {
				p.values[h] = true
			}
		}
	}
	return min(len(p.values), bound+1)
}

// notText reports whether a label is not a text: not UTF-8, or too long.
func (p *profile) notText() bool {
	for l := range p.labels {
		if !cell.IsText(l) {
			return true
		}
	}
	return false
}

// names are the labels in their order; nil where there are too many.
func (p *profile) names() []string {
	if p.labels == nil {
		return nil
	}
	all := make([]string, 0, len(p.labels))
	for l := range p.labels {
		all = append(all, l)
	}
	slices.Sort(all) // so that the next sort begins from one order
	return cell.SortedLabels(all)
}
