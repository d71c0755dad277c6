package report

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// The document model: what both renderers walk. Text in it is raw; each
// renderer makes it visible and escapes it, so no section can forget to.

// span is a run of text in one style.
type span struct {
	Text  string
	Style style
	Class string // CSS class of a badge
	Link  string // JSON pointer this text leads to, in HTML
	Break bool   // begins a new line
}

type style string

const (
	styleStrong style = "strong"
	styleCode   style = "code"
	styleSmall  style = "small"
	styleBadge  style = "badge" // a verdict or a flag: a word in a frame
)

// cell is one cell of a table.
type cell struct {
	Spans   []span
	Pointer string // of the number it shows
}

// column heads a column of a table.
type column struct {
	Title   string
	Note    string // printed small below the title
	Numeric bool   // right-aligned
	Quiet   bool   // printed small: a number that must not be read first
}

// below writes a small text below what the cell shows.
func (c *cell) below(text string) { c.Spans = append(c.Spans, small(text)) }

// row is one row of a table.
type row struct {
	Pointer string // of the object it shows; the id of the row in HTML
	Cells   []cell
}

// partColumn is a column of a table of parts, such as arms.
type partColumn[T any] struct {
	head column
	cell func(part *T, at string) cell
	has  func(part *T) bool // nil: the column is always shown
}

// partTable adds to t a row for each part that is shown, and the columns in which
// one of these has something.
func partTable[T any](t table, parts []T, shown func(*T) bool, columns []partColumn[T]) table {
	var rows []int
	for i := range parts {
		if shown(&parts[i]) {
			rows = append(rows, i)
		}
	}
	columns = slices.DeleteFunc(columns, func(c partColumn[T]) bool {
		return c.has != nil && !slices.ContainsFunc(rows, func(i int) bool { return c.has(&parts[i]) })
	})
	for _, c := range columns {
		t.Columns = append(t.Columns, c.head)
	}
	if len(rows) == 0 {
		return t
	}
	t.made = func(yield func(row) bool) {
		for _, i := range rows {
			r := row{Pointer: item(t.Pointer, i)}
			for _, c := range columns {
				r.Cells = append(r.Cells, c.cell(&parts[i], r.Pointer))
			}
			if !yield(r) {
				return
			}
		}
	}
	return t
}

// rowsOf has a row for each of parts, the elements of the array at base.
func rowsOf[T any](parts []T, base string, cells func(part *T, at string) []cell) []row {
	out := make([]row, len(parts))
	for i := range parts {
		at := item(base, i)
		out[i] = row{Pointer: at, Cells: cells(&parts[i], at)}
	}
	return out
}

// block is a part of the document, told apart by its Kind.
type block interface{ Kind() string }

type (
	heading struct {
		Level      int
		Number, ID string
		Text       string
	}
	para struct {
		Spans []span
		Class string // "", "note", "callout good|bad|open"
	}
	list struct {
		Items   [][]span
		Ordered bool
	}
	table struct {
		Caption string
		Pointer string // of the array or object that it shows
		Columns []column
		Rows    []row
		made    iter.Seq[row] // in the place of Rows, where they are many: made anew for whoever goes through them
		RowHead bool          // the first cell of each row heads it
		Stacked bool          // on a narrow screen the cells of a row stand below each other
		Named   bool          // and each names its column there
	}
	picture struct {
		Name, Title, Caption string
		source               []byte // the SVG
	}
	code struct{ Lines []string }
	fold struct {
		Title  string
		ID     string // of a part of the appendix
		Open   bool
		Blocks []block
	}
	contents struct{} // the list of sections
)

// Each goes through the rows.
func (t table) Each() iter.Seq[row] {
	if t.made != nil {
		return t.made
	}
	return slices.Values(t.Rows)
}

// Kind names the block for the HTML template, like the methods below it.
func (heading) Kind() string { return "heading" }

// Kind implements block.
func (para) Kind() string { return "para" }

// Kind implements block.
func (list) Kind() string { return "list" }

// Kind implements block.
func (table) Kind() string { return "table" }

// Kind implements block.
func (picture) Kind() string { return "picture" }

// Kind implements block.
func (code) Kind() string { return "code" }

// Kind implements block.
func (fold) Kind() string { return "fold" }

// Kind implements block.
func (contents) Kind() string { return "contents" }

// document is a whole report.
type document struct {
	Title  string
	Blocks []block
}

// Contents returns the headings of the second level, and the parts of the appendix as
// such.
func (d *document) Contents() []heading {
	var out []heading
	for _, b := range d.Blocks {
		switch b := b.(type) {
		case heading:
			if b.Level == 2 {
				out = append(out, b)
			}
		case fold:
			if b.ID != "" {
				out = append(out, heading{Level: 3, ID: b.ID, Text: b.Title})
			}
		}
	}
	return out
}

// folded makes a fold of each heading of the second level and what stands below it.
func folded(blocks []block) []block {
	var out []block
	for _, b := range blocks {
		if h, ok := b.(heading); ok && h.Level == 2 {
			out = append(out, fold{Title: h.Text, ID: h.ID})
			continue
		}
		if n := len(out); n > 0 {
			part, _ := out[n-1].(fold)
			part.Blocks = append(part.Blocks, b)
			out[n-1] = part
		}
	}
	return out
}

// builder collects blocks and numbers headings.
type builder struct {
	doc     document
	counts  [7]int // headings so far, by level
	figures int    // figures so far
}

func (b *builder) add(blocks ...block) { b.doc.Blocks = append(b.doc.Blocks, blocks...) }

// heading adds a numbered heading. Its id is the JSON pointer of what the
// section shows, or its number.
func (b *builder) heading(level int, text, pointer string) {
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
	b.add(heading{Level: level, Number: number, ID: id, Text: text})
}

func (b *builder) say(text string)  { b.add(para{Spans: plainText(text)}) }
func (b *builder) note(text string) { b.add(noted(text)) }

// noted is a paragraph that stands apart as a note.
func noted(text string) para { return para{Spans: plainText(text), Class: "note"} }

// fixed is a paragraph whose words are the same in all reports.
func fixed(text string) para { return para{Spans: plainText(text), Class: "fixed"} }

// small is a text below what stands before it in a cell.
func small(text string) span { return span{Text: text, Style: styleSmall, Break: true} }

func plainText(text string) []span { return []span{{Text: text}} }

func items(texts ...string) [][]span {
	out := make([][]span, 0, len(texts))
	for _, t := range texts {
		out = append(out, plainText(t))
	}
	return out
}

// txt is a cell of words.
func txt(s string) cell { return cell{Spans: plainText(words(s))} }

// number is a cell of one number, traceable to pointer.
func number(s, pointer string) cell { return cell{Spans: plainText(s), Pointer: pointer} }

// mono is a cell in a fixed-width face, for digests and paths.
func mono(s string) cell { return cell{Spans: []span{{Text: words(s), Style: styleCode}}} }

// flagged appends a flag to a cell.
func flagged(c cell, word string) cell {
	c.Spans = append(c.Spans, span{Text: " "}, badge(word))
	return c
}

// badge is a verdict, a status or a flag. The word carries the meaning; the
// class only colours it.
func badge(word string) span {
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
	return span{Text: word, Style: styleBadge, Class: class}
}

func numeric(title string) column { return column{Title: title, Numeric: true} }

// sub returns the JSON pointer of a member of base.
func sub(base string, members ...string) string { return base + "/" + strings.Join(members, "/") }

// item returns the JSON pointer of element i of the array at base.
func item(base string, i int) string { return base + "/" + strconv.Itoa(i) }
