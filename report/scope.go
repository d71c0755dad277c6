package report

import (
	"strings"

	"banditaudit/schemas"
)

// scope adds who declared what, what the procedures are, and what is shown.
func scope(b *builder, r *Digest) {
	b.heading(2, "Scope and responsibilities", "")
	b.say("Whoever ran the experiment declared the protocol shown in the next section and supplied the log. The procedures were carried out on that log by " +
		label(r.Tool.Name) + " " + label(r.Tool.Version) + ", without changing it. Whoever uses this report judges whether the procedures suit the purpose.")
	b.say("The procedures are not an audit or a review in the professional sense; no assurance is expressed, and other procedures might have found other matters. The report is for those who agreed the procedures. It is not signed.")
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
	b.say(verdictSentence(r))
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
	b.say("In the directory of this report, the first command checks that no file was changed since the report was made. The second makes the audit again from the log and the protocol file that was audited, with the seed that it names (protocol.effective.yaml holds the seed's digest only and does not suffice); the third compares. Input digests are listed under inputs.")
	b.add(code{Lines: []string{
		"sha256sum -c checksums.txt",
		"banditaudit audit -p PROTOCOL -o again LOG",
		"cmp results.json again/results.json",
	}})
	b.say("The same inputs, protocol, program and platform give the same bytes of results.json. The report and its tables and figures follow from results.json alone:")
	b.add(code{Lines: []string{"banditaudit report -o again-report results.json"}})
	t := table{RowHead: true, Columns: []column{{Title: "Identity"}, {Title: ""}}, Rows: []row{
		{Cells: []cell{txt("Run id"), mono(r.RunID)}},
		{Cells: []cell{txt("Program"), txt(label(r.Tool.Name) + " " + label(r.Tool.Version))}},
		{Cells: []cell{txt("Schema"), txt(r.Schema)}},
	}}
	b.add(t)
}

// subject is what a test asks about: an arm, two arms, or coefficients of a
// regression; small below it how it was selected, and of which fit.
func subject(t *schemas.Test) []span {
	about, how := label(t.Label), ""
	if t.Selector != t.Label {
		how = t.Selector
	}
	switch t.Kind {
	case schemas.TestDifference:
		about, how = label(t.Label)+" − "+label(t.Against), ""
	case schemas.TestCoefficient, schemas.TestJoint:
		about, how = asked(t.Coefficients), fitOf(t)
	default:
		if t.Arm < 0 { // of all arms, or of several
			about = ""
		}
		if how != "" {
			how = label(how)
		}
	}
	if about == "" {
		about, how = how, ""
	}
	out := []span{{Text: about, Break: true}}
	if how != "" {
		out = append(out, small(how))
	}
	return out
}

// fitOf names the fit whose coefficients are tested.
func fitOf(t *schemas.Test) string {
	if t.Arm < 0 {
		return label(t.Regression) + ", all arms"
	}
	name := label(t.Regression) + ", arm " + label(t.Label)
	if t.Selector != "" && t.Selector != t.Label {
		name += " (" + label(t.Selector) + ")"
	}
	return name
}

// asked names the coefficients of a test, or counts them where the hypothesis
// has to be read for them.
func asked(names []string) string {
	const most = 2
	if len(names) > most {
		return group(int64(len(names))) + " coefficients"
	}
	return labels(names)
}

// testName names a test and what it is about; the ids of tests of each arm end
// in the label already, and the hypothesis of a joint test names what it is about.
func testName(t *schemas.Test) string {
	about := ""
	switch {
	case t.Kind == schemas.TestDifference:
		about = label(t.Label) + " − " + label(t.Against)
	case t.Kind == schemas.TestJoint:
	case t.Kind == schemas.TestCoefficient && len(t.Coefficients) > 0:
		about = label(t.Coefficients[0])
	case t.Label != "":
		about = label(t.Label)
	}
	if about == "" || t.Label != "" && strings.HasSuffix(t.ID, "/"+t.Label) {
		return label(t.ID)
	}
	return label(t.ID) + " (" + about + ")"
}
