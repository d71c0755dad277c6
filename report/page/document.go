// Package page is the document model of reports: headings, paragraphs, lists, tables,
// pictures and folds, the text and the numbers in them, and their renderers to Markdown
// and HTML. It knows no result.
//
// Text in the model is raw. Each renderer makes it visible and escapes it, so that no
// section can forget to. The same document gives the same bytes.
package page

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Span is a run of text in one style.
type Span struct {
	Text  string
	Style Style
	Class string // CSS class of a badge
	Link  string // JSON pointer this text leads to, in HTML
	Break bool   // begins a new line
}

// Style is the style of a span; empty: plain.
type Style string

// Styles of a span.
const (
	StyleStrong Style = "strong"
	StyleCode   Style = "code"
	styleSmall  Style = "small"
	styleBadge  Style = "badge" // a verdict or a flag: a word in a frame
)

// Cell is one cell of a table.
type Cell struct {
	Spans   []Span
	Pointer string // of the number it shows
}

// Column heads a column of a table.
type Column struct {
	Title   string
	Note    string // printed small below the title
	Numeric bool   // right-aligned
	Quiet   bool   // printed small: a number that must not be read first
}

// Below writes a small text below what the cell shows.
func (c *Cell) Below(text string) { c.Spans = append(c.Spans, SmallSpan(text)) }

// Row is one row of a table.
type Row struct {
	Pointer string // of the object it shows; the id of the row in HTML
	Cells   []Cell
}

// Rows are the rows of a table.
type Rows []Row

// Add adds a row, which shows what pointer names; "" where it shows nothing of the results.
func (r *Rows) Add(pointer string, cells ...Cell) { *r = append(*r, Row{pointer, cells}) }

// PartColumn is a column of a table of parts, such as arms.
type PartColumn[T any] struct {
	Head Column
	Cell func(part *T, at string) Cell
	Has  func(part *T) bool // nil: the column is always shown
}

// PartTable adds to t a row for each part that is shown, and the columns in which
// one of these has something.
func PartTable[T any](t Table, parts []T, shown func(*T) bool, columns []PartColumn[T]) Table {
	var rows []int
	for i := range parts {
		if shown(&parts[i]) {
			rows = append(rows, i)
		}
	}
	columns = slices.DeleteFunc(columns, func(c PartColumn[T]) bool {
		return c.Has != nil && !slices.ContainsFunc(rows, func(i int) bool { return c.Has(&parts[i]) })
	})
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Head)
	}
	if len(rows) == 0 {
		return t
	}
	t.Generated = func(yield func(Row) bool) {
		for _, i := range rows {
			r := Row{Pointer: Element(t.Pointer, i)}
			for _, c := range columns {
				r.Cells = append(r.Cells, c.Cell(&parts[i], r.Pointer))
			}
			if !yield(r) {
				return
			}
		}
	}
	return t
}

// RowsOf makes a row of each part. The parts are the elements of the array at base.
func RowsOf[T any](parts []T, base string, cells func(part *T, at string) []Cell) []Row {
	out := make([]Row, len(parts))
	for i := range parts {
		at := Element(base, i)
		out[i] = Row{Pointer: at, Cells: cells(&parts[i], at)}
	}
	return out
}

// Block is a part of the document, told apart by its Kind.
type Block interface{ Kind() string }

// The blocks of a document.
type (
	// Heading is a heading with its number.
	Heading struct {
		Level      int
		Number, ID string
		Text       string
	}
	// Para is a paragraph.
	Para struct {
		Spans []Span
		Class string // "", "note", "callout good|bad|open"
	}
	// List is a list of lines.
	List struct {
		Items [][]Span
	}
	// Table is a table with a heading row.
	Table struct {
		Caption   string
		Pointer   string // of the array or object that it shows
		Columns   []Column
		Rows      Rows
		Generated iter.Seq[Row] // in place of Rows where there are many: every loop makes them again
		RowHead   bool          // the first cell of each row heads it
		Stacked   bool          // on a narrow screen the cells of a row stand below each other
		Named     bool          // and each names its column there
	}
	// Picture is a figure with its caption.
	Picture struct {
		Name, Title, Caption string
		SVG                  []byte // for HTML; Markdown links the file by its name
	}
	// Code is preformatted lines.
	Code struct{ Lines []string }
	// Fold hides blocks below its title until a reader opens it.
	Fold struct {
		Title  string
		ID     string // of a part of the appendix
		Open   bool
		Blocks []Block
	}
	// Contents is the list of sections; Markdown leaves it out.
	Contents struct{}
)

// Each goes through the rows.
func (t Table) Each() iter.Seq[Row] {
	if t.Generated != nil {
		return t.Generated
	}
	return slices.Values(t.Rows)
}

// Kind names the block for the HTML template, like the methods below it.
func (Heading) Kind() string { return "heading" }

// Kind implements block.
func (Para) Kind() string { return "para" }

// Kind implements block.
func (List) Kind() string { return "list" }

// Kind implements block.
func (Table) Kind() string { return "table" }

// Kind implements block.
func (Picture) Kind() string { return "picture" }

// Kind implements block.
func (Code) Kind() string { return "code" }

// Kind implements block.
func (Fold) Kind() string { return "fold" }

// Kind implements block.
func (Contents) Kind() string { return "contents" }

// File is one rendered file.
type File struct {
	Name string // path below the report's directory, with slashes: figures/arms.svg
	Data []byte
}

// Document is a whole report.
type Document struct {
	Title  string
	Blocks []Block
}

// Contents returns the headings of the second level, and the parts of the appendix.
func (d *Document) Contents() []Heading {
	var out []Heading
	for _, b := range d.Blocks {
		switch b := b.(type) {
		case Heading:
			if b.Level == 2 {
				out = append(out, b)
			}
		case Fold:
			if b.ID != "" {
				out = append(out, Heading{Level: 3, ID: b.ID, Text: b.Title})
			}
		}
	}
	return out
}

// Folded turns each heading of the second level, with the blocks below it, into a fold.
func Folded(blocks []Block) []Block {
	var out []Block
	for _, b := range blocks {
		if h, ok := b.(Heading); ok && h.Level == 2 {
			out = append(out, Fold{Title: h.Text, ID: h.ID})
			continue
		}
		if n := len(out); n > 0 {
			part, _ := out[n-1].(Fold)
			part.Blocks = append(part.Blocks, b)
			out[n-1] = part
		}
	}
	return out
}

// SmallSpan is small text on a line of its own, below the other text of a cell.
func SmallSpan(text string) Span { return Span{Text: text, Style: styleSmall, Break: true} }

// Member returns the JSON pointer of a member of base.
func Member(base string, members ...string) string { return base + "/" + strings.Join(members, "/") }

// Element returns the JSON pointer of element i of the array at base.
func Element(base string, i int) string { return base + "/" + strconv.Itoa(i) }
