package page

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

// WriteHTML writes a document as one HTML file, with its style sheet and its figures inside.
// Each number carries its JSON pointer as title, each row as id.
func WriteHTML(w io.Writer, d *Document) error {
	ids := map[string]bool{}
	collect(d.Blocks, ids)
	t := template.New("report.tmpl").Funcs(template.FuncMap{
		"show":   Visible,
		"powers": powers(),
		"long":   unbroken,
		"svg":    func(p Picture) (template.HTML, error) { return chart.Inline(p.SVG) },
		"anchor": func(pointer string) template.URL { return link(anchor(pointer, ids)) },
		"link":   link,
		"first":  func(i int) bool { return i == 0 },
	})
	if _, err := t.ParseFS(templates, "templates/*"); err != nil {
		return fmt.Errorf("report: HTML template: %w", err)
	}
	out := bufio.NewWriter(w)
	if err := t.Execute(out, d); err != nil {
		return fmt.Errorf("report: writing HTML: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("report: writing HTML: %w", err)
	}
	return nil
}

// powers returns what escapes a text and sets the exponents of powers of ten
// high, in the forms that numbers of this report have.
func powers() func(string) template.HTML {
	power := regexp.MustCompile(`(×|&lt; )10\^-?[0-9]+`)
	return func(s string) template.HTML {
		escaped := template.HTMLEscapeString(Visible(s))
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
func collect(blocks []Block, ids map[string]bool) {
	for _, b := range blocks {
		switch b := b.(type) {
		case Heading:
			ids[b.ID] = true
		case Table:
			for r := range b.Each() {
				if r.Pointer != "" {
					ids[r.Pointer] = true
				}
			}
		case Fold:
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
