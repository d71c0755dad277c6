package cell

import (
	"encoding/binary"

	"banditaudit/ingest/pages"
)

// Finder looks up labels of many blocks. It remembers which value had which
// number in tables that take one look, because a log has few labels and many
// rows.
type Finder struct {
	Labels  *Labels
	texts   [finderSlots]textSlot
	numbers [finderSlots]numberSlot
	class   valueClass // of the numbers remembered
}

const (
	finderBits  = 8
	finderSlots = 1 << finderBits
)

// In a slot, the code is 1 more than the label's number; 0 is an empty slot.
type textSlot struct {
	text string
	code int32
}

type numberSlot struct {
	value int64
	code  int32
}

// valueClass is what must agree for equal values of Block.Int to be one label.
type valueClass struct {
	kind pages.Kind
	unit pages.Unit
	utc  bool
}

// NewFinder returns a finder of labels that are numbered.
func NewFinder(l *Labels) *Finder { return &Finder{Labels: l} }

// Load gets ready for values of a column.
func (s *Finder) Load(c *pages.Column) {
	class := valueClass{c.Kind, c.Unit, c.UTC}
	if class != s.class {
		s.class = class
		clear(s.numbers[:])
	}
}

// Block looks up all rows of a block, and returns how many have no number; they
// get -1, as nulls do.
func (s *Finder) Block(b *pages.Block, c *pages.Column, codes []int32) int {
	s.Load(c)
	look := s.blockNumbers
	if c.Kind == pages.Text {
		look = s.blockTexts
	}
	missing := look(b, c, codes)
	if b.Nulls == 0 {
		return missing
	}
	for i, code := range codes {
		if code >= 0 && b.Null[i] {
			codes[i] = -1
			missing++
		}
	}
	return missing
}

func (s *Finder) blockTexts(b *pages.Block, _ *pages.Column, codes []int32) int {
	missing := 0
	for i, t := range b.Text[:len(codes)] {
		if codes[i] = s.text(t); codes[i] < 0 {
			missing++
		}
	}
	return missing
}

func (s *Finder) blockNumbers(b *pages.Block, c *pages.Column, codes []int32) int {
	missing := 0
	for i, v := range b.Int[:len(codes)] {
		slot := &s.numbers[slotOf(uint64(v))] //nolint:gosec // the bits
		if slot.code > 0 && slot.value == v && b.Overs == 0 {
			codes[i] = slot.code - 1
		} else if codes[i] = s.At(b, c, i); codes[i] < 0 {
			missing++
		}
	}
	return missing
}

// At looks up value i of a block whose column was loaded, null or not; -1 when
// it has no number.
func (s *Finder) At(b *pages.Block, c *pages.Column, i int) int32 {
	if c.Kind == pages.Text {
		return s.text(b.Text[i])
	}
	v := b.Int[i]
	slot := &s.numbers[slotOf(uint64(v))] //nolint:gosec // the bits
	if slot.code > 0 && slot.value == v && !Over(b, i) {
		return slot.code - 1
	}
	code, ok := s.Labels.Find(b, c, i)
	if !ok {
		return -1
	}
	*slot = numberSlot{v, code + 1}
	return code
}

func (s *Finder) text(t []byte) int32 {
	slot := &s.texts[textSlotOf(t)]
	if slot.code > 0 && slot.text == string(t) {
		return slot.code - 1
	}
	code, ok := s.Labels.codes[string(t)]
	if !ok {
		return -1
	}
	*slot = textSlot{s.Labels.Names[code], code + 1}
	return code
}

// slotOf spreads bits over the slots: the top bits of a product with 2⁶⁴ over
// the golden ratio (Knuth, The Art of Computer Programming, volume 3, section
// 6.4, "Fibonacci hashing").
func slotOf(bits uint64) uint64 { return bits * 0x9E3779B97F4A7C15 >> (64 - finderBits) }

// textSlotOf takes a text's last eight bytes, where labels differ, and its length.
func textSlotOf(t []byte) uint64 {
	n, bits := len(t), uint64(0)
	if n >= 8 {
		bits = binary.LittleEndian.Uint64(t[n-8:])
	} else {
		for _, c := range t {
			bits = bits<<8 | uint64(c)
		}
	}
	return slotOf(bits ^ uint64(n)<<32)
}
