package report

import (
	"banditaudit/schemas"
)

// scope adds who declared what, what the procedures are, and what is shown.
func scope(b *builder, r *Digest) {
	b.heading(2, "Scope and responsibilities", "")
	b.say("Whoever ran the experiment declared the protocol shown in the next section and supplied the log. The procedures were carried out on that log by " +
		label(r.Tool.Name) + " " + label(r.Tool.Version) + ", without changing it. Whoever uses this report judges whether the procedures suit the purpose.")
	b.say("The procedures are not an audit or a review in the professional sense; no assurance is expressed, and other procedures might have found other matters. The report is for those who agreed the procedures. Nothing in it is signed; a signature stands beside the bundle, in DIR.dsse.json, where there is one.")
	if r.count > maxFull {
		b.say("The log holds " + group(int64(r.count)) + " experiments. " + group(maxFull) +
			" are shown in full, the worst first; the others are in the overview, in the Parquet tables and in results.json.")
	}
	if r.count > maxDrawn {
		b.say("Figures are drawn for the first " + group(maxDrawn) + " experiments only; tables/series.parquet and the other tables hold what the rest would be drawn from.")
	}
	b.note("Numbers are rounded to 4 significant digits, privacy parameters and bounds upward; results.json holds them in full. A pointer such as /experiments/0/arms names the place in results.json that a table shows.")
}

const (
	maxInputs = 50  // files that are listed
	maxFlow   = 200 // lines of the data flow
)

// inputs adds the files that were read and what became of their rows.
func inputs(b *builder, r *Digest) {
	b.heading(2, "Inputs and data flow", "/inputs")
	b.opening("What was read, and what was left out?", readSentence(r))
	files := table{
		Caption: "Files read",
		Pointer: "/inputs",
		Columns: []column{{Title: "File"}, numeric("Bytes"), numeric("Rows"), {Title: "SHA-256"}},
		RowHead: true,
	}
	files.Rows = rowsOf(r.Inputs[:min(len(r.Inputs), maxInputs)], "/inputs", func(in *schemas.Input, at string) []cell {
		return []cell{
			txt(label(in.URI)),
			number(group(in.Bytes), sub(at, "bytes")),
			number(group(in.Rows), sub(at, "rows")),
			mono(in.SHA256),
		}
	})
	b.add(files)
	if len(r.Inputs) > maxInputs {
		b.note("The other " + group(int64(len(r.Inputs)-maxInputs)) + " files are in tables/inputs.parquet.")
	}
	flow(b, r)
}

// flow adds rows read, rows set aside by reason, rows analysed.
func flow(b *builder, r *Digest) {
	t := table{
		Caption: "Data flow",
		Pointer: "/experiments",
		Columns: []column{{Title: "Experiment"}, {Title: "Step"}, numeric("Rows")},
		RowHead: true,
	}
	for i := range r.Experiments {
		x := &r.Experiments[i]
		at := sub(item("/experiments", i), "data")
		line := func(step string, rows int64, pointer string) {
			t.Rows = append(t.Rows, row{Cells: []cell{txt(label(x.ID)), txt(step), number(group(rows), pointer)}})
		}
		line("read", x.Data.RowsRead, sub(at, "rows_read"))
		for j, e := range x.Data.Excluded {
			line(e.Reason, e.Rows, item(sub(at, "excluded"), j)+"/rows")
		}
		line("analysed", x.Data.RowsAnalysed, sub(at, "rows_analysed"))
	}
	if len(t.Rows) > maxFlow {
		t.Rows = t.Rows[:maxFlow]
		defer b.note("The data flow of the other experiments is in tables/experiments.parquet and results.json.")
	}
	b.add(t)
}

// reverify adds how to check this report and make it again.
func reverify(b *builder, r *Digest) {
	b.heading(2, "How to re-verify", "/run_id")
	b.opening("How can this report be checked, and made again?", "three commands do both, for whoever has the log")
	b.say("DIR is the directory that holds this report. The first command names every file that was changed, added or is missing since the report was made. The second says which of the named keys signed it. The third makes the audit again from the log and the protocol file that was audited, with the seed that it names (protocol.effective.yaml holds the seed's digest only), and compares every file byte for byte. Input digests are listed under inputs.")
	b.add(code{Lines: []string{
		"banditaudit verify DIR",
		"banditaudit verify --key K.pub DIR",
		"banditaudit verify -p PROTOCOL DIR LOG",
	}})
	b.say("Without the program, sha256sum -c checksums.txt in DIR finds changed files, and no added ones. Whoever can change a file can also write checksums.txt again; only a signature, or the audit made again, stands against that. The same inputs, protocol, program and platform give the same bytes, and the report, its tables and its figures follow from results.json alone:")
	b.add(code{Lines: []string{"banditaudit report -o again-report results.json"}})
	b.say("A signature shows that the holder of a key vouched for these bytes. It does not show that the log is true, that the audit was asked for before its outcome was known, when it was signed, or who holds the key: how the public key reached the reader decides that.")
	t := table{RowHead: true, Columns: []column{{Title: "Identity"}, {Title: "Value"}}, Rows: []row{
		{Cells: []cell{txt("Run id"), mono(r.RunID)}},
		{Cells: []cell{txt("Program"), txt(label(r.Tool.Name) + " " + label(r.Tool.Version))}},
		{Cells: []cell{txt("Schema"), txt(r.Schema)}},
	}}
	b.add(t)
}
