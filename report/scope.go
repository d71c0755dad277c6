package report

import (
	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// scope adds who declared what, what the procedures are, and what is shown.
func scope(b *page.Builder, r *digest.Digest) {
	b.Heading(2, "Scope and responsibilities", "")
	b.Say("Whoever ran the experiment declared the protocol and supplied the log. The procedures were carried out on that log, " +
		"unchanged, by " +
		page.Label(r.Tool.Name) + " " + page.Label(r.Tool.Version) + ". Whoever uses this report judges whether they suit the purpose.")
	b.Say("They are not an audit or a review in the professional sense. No assurance is expressed; other procedures might have " +
		"found other matters. The report is for those who agreed the procedures. A signature, if any, is in DIR.dsse.json beside " +
		"the bundle.")
	if r.Count() > maxFull {
		b.Say("The log holds " + page.Group(int64(r.Count())) + " experiments. " + page.Group(maxFull) +
			" are shown in full, the worst first; the others are in the overview, in the Parquet tables and in results.json.")
	}
	if r.Count() > digest.MaxDrawn {
		b.Say("Figures are drawn for the first " + page.Group(digest.MaxDrawn) + " experiments only; tables/series.parquet and the other tables hold what the rest would be drawn from.")
	}
	b.Note("Numbers have 4 significant digits, privacy parameters and bounds rounded up; results.json has them in full, at the " +
		"pointer beside each table.")
}

const (
	maxInputs = 50  // files that are listed
	maxFlow   = 200 // lines of the data flow
)

// inputs adds the files that were read and what became of their rows.
func inputs(b *page.Builder, r *digest.Digest) {
	b.Heading(2, "Inputs and data flow", "/inputs")
	b.Opening("What was read, and what was left out?", answers.Read(r))
	files := page.Table{
		Caption: "Files read",
		Pointer: "/inputs",
		Columns: []page.Column{{Title: "File"}, page.Numeric("Bytes"), page.Numeric("Rows"), {Title: "SHA-256"}},
		RowHead: true,
	}
	files.Rows = page.RowsOf(r.Inputs[:min(len(r.Inputs), maxInputs)], "/inputs", func(in *schemas.Input, at string) []page.Cell {
		return []page.Cell{
			page.Text(page.Label(in.URI)),
			page.Number(page.Group(in.Bytes), page.Member(at, "bytes")),
			page.Number(page.Group(in.Rows), page.Member(at, "rows")),
			page.Mono(in.SHA256),
		}
	})
	b.Add(files)
	if len(r.Inputs) > maxInputs {
		b.Note("The other " + page.Group(int64(len(r.Inputs)-maxInputs)) + " files are in tables/inputs.parquet.")
	}
	flow(b, r)
}

// flow adds rows read, rows set aside by reason, rows analysed.
func flow(b *page.Builder, r *digest.Digest) {
	t := page.Table{
		Caption: "Data flow",
		Pointer: "/experiments",
		Columns: []page.Column{{Title: "Experiment"}, {Title: "Step"}, page.Numeric("Rows")},
		RowHead: true,
	}
	for i := range r.Experiments {
		x := &r.Experiments[i]
		at := page.Member(page.Element("/experiments", i), "data")
		line := func(step string, rows int64, pointer string) {
			t.Rows.Add("", page.Text(page.Label(x.ID)), page.Text(step), page.Number(page.Group(rows), pointer))
		}
		line("read", x.Data.RowsRead, page.Member(at, "rows_read"))
		for j, e := range x.Data.Excluded {
			line(e.Reason, e.Rows, page.Element(page.Member(at, "excluded"), j)+"/rows")
		}
		line("analysed", x.Data.RowsAnalysed, page.Member(at, "rows_analysed"))
	}
	if len(t.Rows) > maxFlow {
		t.Rows = t.Rows[:maxFlow]
		defer b.Note("The data flow of the other experiments is in tables/experiments.parquet and results.json.")
	}
	b.Add(t)
}

// reverify adds how to check this report and make it again.
func reverify(b *page.Builder, r *digest.Digest) {
	b.Heading(2, "How to re-verify", "/run_id")
	b.Opening("How can this report be checked, and made again?", "three commands do both, for whoever has the log")
	b.Say("DIR holds this report. The first command names every changed, added or missing file. The second says which of the " +
		"named keys signed it. The third repeats the audit from the log and the audited protocol file with its seed " +
		"(protocol.effective.yaml has only the seed's digest), and compares every file byte for byte.")
	b.Add(page.Code{Lines: []string{
		"banditaudit verify DIR",
		"banditaudit verify --key K.pub DIR",
		"banditaudit verify -p PROTOCOL DIR LOG",
	}})
	b.Say("Without the program, sha256sum -c checksums.txt in DIR finds changed files, and no added ones. Whoever can change a " +
		"file can also rewrite checksums.txt; only a signature or a repeated audit detects that. The report, its tables and " +
		"figures follow from results.json alone:")
	b.Add(page.Code{Lines: []string{"banditaudit report -o again-report results.json"}})
	b.Say("A signature shows that the holder of a key vouched for these bytes. It does not show that the log is true, when it was " +
		"signed, whether the outcome was known when the audit was asked for, or who holds the key.")
	t := page.Table{RowHead: true, Columns: []page.Column{{Title: "Identity"}, {Title: "Value"}}, Rows: []page.Row{
		{Cells: []page.Cell{page.Text("Run id"), page.Mono(r.RunID)}},
		{Cells: []page.Cell{page.Text("Program"), page.Text(page.Label(r.Tool.Name) + " " + page.Label(r.Tool.Version))}},
		{Cells: []page.Cell{page.Text("Schema"), page.Text(r.Schema)}},
	}}
	b.Add(t)
}
