package report

const (
	maxInputs = 50  // files that are listed
	maxFlow   = 200 // lines of the data flow
)

// inputs adds the files that were read and what became of their rows.
func inputs(b *builder, r *Digest) {
	b.heading(2, "Inputs and data flow", "/inputs")
	files := table{
		Caption: "Files read",
		Pointer: "/inputs",
		Columns: []column{{Title: "File"}, numeric("Bytes"), numeric("Rows"), {Title: "SHA-256"}},
		RowHead: true,
	}
	for i := range r.Inputs {
		if i == maxInputs {
			break
		}
		in, at := &r.Inputs[i], item("/inputs", i)
		files.Rows = append(files.Rows, row{Pointer: at, Cells: []cell{
			txt(label(in.URI)),
			number(group(in.Bytes), sub(at, "bytes")),
			number(group(in.Rows), sub(at, "rows")),
			mono(in.SHA256),
		}})
	}
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
