package role

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// Becoming says, column by column in the order of the wants, what a log turns into.
type Becoming struct {
	Protocol *schemas.Protocol
	Want     *Want  // the column at hand
	Nested   bool   // its values are lists
	Text     bool   // its values are texts
	Scale    string // in words, to what its numbers of several types are brought

	contexts, keys int // columns of the context and of the order so far
}

// String says what the column at hand becomes.
func (b *Becoming) String() string {
	if b.Want.Becomes == nil {
		return b.key()
	}
	return b.Want.Becomes(b)
}

// times says how texts that are times compare.
func (b *Becoming) times() string {
	if !b.Text {
		return ""
	}
	return "; times in several writings are compared as instants"
}

func (b *Becoming) key() string { return b.Want.Key() }

// Bounds of a list of labels within a line.
const (
	maxWords     = 8
	maxWordBytes = 48
)

// listed writes the first labels, and how many there are more; an empty one as
// "".
func listed(labels []string) string {
	n, bytes := 0, 0
	for n < min(len(labels), maxWords) && (n == 0 || bytes+len(labels[n]) <= maxWordBytes) {
		bytes += len(labels[n])
		n++
	}
	first := slices.Clone(labels[:n])
	for i, l := range first {
		if l == "" {
			first[i] = `""`
		}
	}
	text := strings.Join(first, ", ")
	if n < len(labels) {
		text += fmt.Sprintf(" and %d more", len(labels)-n)
	}
	return text
}

func (b *Becoming) arms() string {
	if len(b.Protocol.Arms) == 0 {
		return "numbered in the order of the labels that the log has"
	}
	return fmt.Sprintf("%d: %s", len(b.Protocol.Arms), listed(b.Protocol.Arms))
}

// each says how many values a column by arm has.
func (b *Becoming) each() string {
	if n := len(b.Protocol.Arms); n > 0 {
		return fmt.Sprintf("%d, by arm", n)
	}
	return "by arm"
}

func (b *Becoming) reward() string {
	r := &b.Protocol.Reward
	text := fmt.Sprintf("in [%g, %g]", r.Range[0], r.Range[1])
	if r.OutOfRange == schemas.OutOfRangeClip {
		text += ", clipped"
	}
	if m := b.Protocol.Log.MissingReward; m != "" && m != schemas.MissingError {
		text += "; null: missing, " + m
	}
	return text
}
