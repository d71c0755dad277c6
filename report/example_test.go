package report_test

import (
	"fmt"
	"io"
	"strings"

	"banditaudit/report"
	"banditaudit/report/digest"
	"banditaudit/report/tables"
	"banditaudit/schemas"
)

// memory is a file that is kept in memory.
type memory struct{ strings.Builder }

// Close does nothing.
func (*memory) Close() error { return nil }

// A report is rendered from results alone. Whatever stands in them is text, and
// neither Markdown nor HTML.
func ExampleMarkdown() {
	var d digest.Digest
	d.Finish(&schemas.Results{Claims: []schemas.Finding{{
		ID: "P1", Severity: schemas.SeverityRequired, Statement: "arm <b>*best*</b> | wins", Verdict: schemas.NotEstablished,
	}}})
	var text strings.Builder
	if err := report.Markdown(&text, &d); err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, "P1") {
			fmt.Print(line)
		}
	}
	// Output:
	// | __P1__ · ⟨empty⟩ · arm &lt;b&gt;\*best\*&lt;/b&gt; \| wins | __NOT ESTABLISHED__ | — |
	// | __P1__ · ⟨empty⟩ | __NOT ESTABLISHED__ | — |
}

// A text that a spreadsheet would run as a formula has an apostrophe before it.
func ExampleNewCSV() {
	files := map[string]*memory{}
	t, err := tables.NewCSV(func(name string) (io.WriteCloser, error) {
		files[name] = &memory{}
		return files[name], nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = t.Finish(&schemas.Results{Inputs: []schemas.Input{{URI: "=HYPERLINK(1)", Rows: 12, Bytes: 345, SHA256: "ab"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(files), "tables")
	fmt.Print(files["tables/inputs.csv"])
	// Output:
	// 19 tables
	// uri,bytes,rows,sha256
	// '=HYPERLINK(1),345,12,ab
}
