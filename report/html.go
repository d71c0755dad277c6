// Package report renders schemas.Results for people and for warehouses:
// report.md and report.html, the figures as SVG and the tables as Parquet.
//
// Every renderer is a pure function of the results. It computes no statistic,
// reads no clock, file or environment, and writes the same bytes for the same
// results. The Markdown and the HTML come from one document model (document.go),
// so that they say the same sentences in the same order; one file holds one
// section.
//
// # What a reader can rely on
//
// Text shows 4 significant digits (privacy parameters and bounds are rounded
// up), results.json holds full precision, and every table names the JSON
// pointer of its rows. In HTML each number carries its pointer as title and
// each row carries it as id.
//
// Text that came from a log (labels, ids, column names, messages that quote
// them) is escaped in every format, and characters that could hide or reorder
// text are printed as their code points: ⟨U+202E⟩. The HTML has no scripts,
// loads nothing, and holds its figures and its style sheet inside.
//
// # Add a figure or a formula
//
// A figure is a file figure_NAME.go: what is drawn, a title that says the finding, caption and
// numbers. What it is drawn from is a line of schemas.Series, kept of the first SeriesExperiments
// experiments. It is a line of figureList (figures.go), stands by figure in its section, and has
// its id in schemas/results.go and a row of TestLines; a stroke or a form that it needs stands in
// report/chart. A formula with its source is a line of sources.go, and sourcesOf there says what
// it explains.
package report

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"banditaudit/report/chart"
)

//go:embed templates
var templates embed.FS

// HTML writes report.html: one file with its style sheet and its figures
// inside, without scripts and without anything to load. It prints, follows the
// reader's light or dark setting, and does not depend on colour. Each number
// carries its JSON pointer as title, each row as id.
//
// It returns an error when r is nil, when its protocol is not JSON of the form
// of a protocol, or when w fails.
//
// Special cases are:
//
//	a value that does not exist is written —
//	a label that is empty is written ⟨empty⟩
//	more than 20 experiments: the first 20 in full, the others in the overview
func HTML(w io.Writer, r *Digest) error {
	d, err := compose(r, true)
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	collect(d.Blocks, ids)
	t := template.New("report.tmpl").Funcs(template.FuncMap{
		"show":   visible,
		"powers": powers(),
		"long":   unbroken,
		"svg":    func(p picture) (template.HTML, error) { return chart.Inline(p.source) },
		"anchor": func(pointer string) template.URL { return link(anchor(pointer, ids)) },
		"link":   link,
		"first":  func(i int) bool { return i == 0 },
	})
	if t, err = t.ParseFS(templates, "templates/*"); err != nil {
		return fmt.Errorf("report: HTML template: %w", err)
	}
	out := bufio.NewWriter(w)
	if err = t.Execute(out, d); err != nil {
		return fmt.Errorf("report: writing HTML: %w", err)
	}
	if err = out.Flush(); err != nil {
		return fmt.Errorf("report: writing HTML: %w", err)
	}
	return nil
}

// powers returns what escapes a text and sets the exponents of powers of ten
// high, in the forms that numbers of this report have.
func powers() func(string) template.HTML {
	power := regexp.MustCompile(`(×|&lt; )10\^-?[0-9]+`)
	return func(s string) template.HTML {
		escaped := template.HTMLEscapeString(visible(s))
		return template.HTML(power.ReplaceAllStringFunc(escaped, func(m string) string { //nolint:gosec // Escaped above; only <sup> is added.
			base, exponent, _ := strings.Cut(m, "^")
			return base + "<sup>" + strings.Replace(exponent, "-", "−", 1) + "</sup>"
		}))
	}
}

// unbroken reports whether s holds a run of characters too long for a column,
// which may then be broken anywhere.
func unbroken(s string) bool {
	const most = 32
	for part := range strings.FieldsSeq(s) {
		if len(part) > most {
			return true
		}
	}
	return false
}

// collect gathers the ids of the document.
func collect(blocks []block, ids map[string]bool) {
	for _, b := range blocks {
		switch b := b.(type) {
		case heading:
			ids[b.ID] = true
		case table:
			for r := range b.Each() {
				if r.Pointer != "" {
					ids[r.Pointer] = true
				}
			}
		case fold:
			if b.ID != "" {
				ids[b.ID] = true
			}
			collect(b.Blocks, ids)
		}
	}
}

// link is the address of an id of this page; empty for no id.
func link(id string) template.URL {
	if id == "" {
		return ""
	}
	return template.URL("#" + id) //nolint:gosec // A fragment: it leads nowhere but into this page.
}

// anchor returns the id that shows what pointer names, or the nearest thing
// around it; empty when nothing does.
func anchor(pointer string, ids map[string]bool) string {
	for p := pointer; p != ""; {
		if ids[p] {
			return p
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return ""
		}
		p = p[:i]
	}
	return ""
}
