package page

import (
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// Builder collects blocks and numbers headings.
type Builder struct {
	Doc     Document
	counts  [7]int // headings so far, by level
	Figures int    // figures so far
}

// Add adds blocks.
func (b *Builder) Add(blocks ...Block) { b.Doc.Blocks = append(b.Doc.Blocks, blocks...) }

// Heading adds a numbered heading. Its id is the JSON pointer of what the
// section shows, or its number.
func (b *Builder) Heading(level int, text, pointer string) {
	b.counts[level]++
	clear(b.counts[level+1:])
	parts := make([]string, 0, level)
	for l := 2; l <= level; l++ {
		parts = append(parts, strconv.Itoa(b.counts[l]))
	}
	number := strings.Join(parts, ".")
	id := pointer
	if id == "" {
		id = "section-" + number
	}
	b.Add(Heading{Level: level, Number: number, ID: id, Text: text})
}

// Say adds a paragraph.
func (b *Builder) Say(text string) { b.Add(Para{Spans: Plain(text)}) }

// Note adds a paragraph that stands apart as a note.
func (b *Builder) Note(text string) { b.Add(NotePara(text)) }

// NotePara is a paragraph that stands apart as a note.
func NotePara(text string) Para { return Para{Spans: Plain(text), Class: "note"} }

// FixedPara is a paragraph whose words are the same in all reports.
func FixedPara(text string) Para { return Para{Spans: Plain(text), Class: "fixed"} }

// Plain is text without style.
func Plain(text string) []Span { return []Span{{Text: text}} }

// Items are the items of a list, a text each.
func Items(texts ...string) [][]Span {
	out := make([][]Span, 0, len(texts))
	for _, t := range texts {
		out = append(out, Plain(t))
	}
	return out
}

// Text is a cell of words; a dash where there are none.
func Text(s string) Cell { return Cell{Spans: Plain(OrDash(s))} }

// Number is a cell of one number, with the JSON pointer of the number.
func Number(s, pointer string) Cell { return Cell{Spans: Plain(s), Pointer: pointer} }

// Mono is a cell in a fixed-width face, for digests and paths.
func Mono(s string) Cell { return Cell{Spans: []Span{{Text: OrDash(s), Style: StyleCode}}} }

// Flagged appends a flag to a cell.
func Flagged(c Cell, word string) Cell {
	c.Spans = append(c.Spans, Span{Text: " "}, Badge(word))
	return c
}

// Badge is a verdict, a status or a flag. The word carries the meaning; the
// class only colours it.
func Badge(word string) Span {
	class := "open"
	switch word {
	case "VERIFIED", "CONSISTENT", "pass", "checked", "NO EXCEPTIONS NOTED":
		class = "good"
	case "VIOLATED", "fail", "failed":
		class = "bad"
	case schemas.DecisionRejected, schemas.DecisionKept:
		class = "mark" // neither good nor bad
	case "NOT APPLICABLE", "not run", "not needed", "not applicable", "declared":
		class = "mute"
	}
	return Span{Text: word, Style: styleBadge, Class: class}
}

// Numeric is a column of numbers.
func Numeric(title string) Column { return Column{Title: title, Numeric: true} }

// Opening adds the beginning of a section: the question that the section answers, and
// sentences that answer it.
func (b *Builder) Opening(question string, answer ...string) {
	said := []string{question}
	for _, a := range answer {
		if a != "" {
			said = append(said, Sentence(Capital(a)))
		}
	}
	b.Add(Para{Spans: Plain(strings.Join(said, " ")), Class: ClassOpening})
}

// ClassOpening is the class of the paragraph at the beginning of a section.
const ClassOpening = "opening"

// TextOf returns the words of blocks.
func TextOf(blocks []Block) string {
	var out strings.Builder
	take := func(list []Span) {
		for _, s := range list {
			out.WriteString(s.Text + " ")
		}
		out.WriteString("\n")
	}
	for _, b := range blocks {
		switch b := b.(type) {
		case Heading:
			out.WriteString(b.Text + "\n")
		case Para:
			take(b.Spans)
		case List:
			for _, it := range b.Items {
				take(it)
			}
		case Table:
			out.WriteString(b.Caption + "\n")
			for _, c := range b.Columns {
				out.WriteString(c.Title + " " + c.Note + "\n")
			}
			for r := range b.Each() {
				for _, c := range r.Cells {
					take(c.Spans)
				}
			}
		case Picture:
			out.WriteString(b.Caption + "\n")
		case Fold:
			out.WriteString(b.Title + "\n" + TextOf(b.Blocks))
		}
	}
	return out.String()
}
