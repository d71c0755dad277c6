package report

import (
	"strings"

	"banditaudit/schemas"
)

// runDigits is how much of the run id the cover shows.
const runDigits = 12

// cover adds the title, the overall line and the facts that name this run.
func cover(b *builder, r *schemas.Results) {
	b.doc.Title = title(r)
	b.add(
		heading{Level: 1, Text: b.doc.Title, ID: "top"},
		para{Class: "callout " + tone(r.Overall), Spans: []span{
			{Text: "Overall: "},
			{Text: words(r.Overall), Style: styleStrong},
			{Text: ". " + overallMeaning(r.Overall), Style: ""},
		}},
		facts(r),
	)
}

func title(r *schemas.Results) string {
	if len(r.Experiments) == 1 {
		return "Agreed-procedures report on the logged experiment " + label(r.Experiments[0].ID)
	}
	return "Agreed-procedures report on " + plural(len(r.Experiments), "logged experiment", "logged experiments")
}

// tone is the CSS class of the overall line.
func tone(overall string) string {
	switch {
	case overall == schemas.OverallClean:
		return "good"
	case strings.HasPrefix(overall, schemas.OverallExceptions):
		return "bad"
	}
	return "open"
}

func overallMeaning(overall string) string {
	switch tone(overall) {
	case "good":
		return "Every required claim is VERIFIED, CONSISTENT or NOT APPLICABLE."
	case "bad":
		return "The number counts required claims that were contradicted (VIOLATED)."
	}
	return "No required claim was contradicted; the number counts required claims that could not be settled (NOT ESTABLISHED or NOT RUN)."
}

// facts is the table on the cover.
func facts(r *schemas.Results) table {
	var bytes, rows, analysed int64
	for _, in := range r.Inputs {
		bytes += in.Bytes
		rows += in.Rows
	}
	disclosed := 0
	for i := range r.Experiments {
		analysed += r.Experiments[i].Data.RowsAnalysed
		disclosed += len(r.Experiments[i].Disclosures)
	}
	t := table{RowHead: true, Columns: []column{{Title: "This run"}, {Title: ""}}}
	t.Rows = append(t.Rows,
		fact("Experiments", experimentNames(r), "/experiments"),
		fact("Log", plural(len(r.Inputs), "file", "files")+", "+group(rows)+" rows, "+group(bytes)+" bytes", "/inputs"),
		fact("Rounds analysed", group(analysed), "/experiments"),
		fact("Run id", cut12(r.RunID), "/run_id"),
		fact("Written by", label(r.Tool.Name)+" "+label(r.Tool.Version), "/tool"),
	)
	if disclosed > 0 {
		t.Rows = append(t.Rows, fact("Distribution", "INTERNAL: contains statistics outside the privacy budget", ""))
	}
	return t
}

func fact(name, value, pointer string) row {
	return row{Cells: []cell{txt(name), number(words(value), pointer)}}
}

// cut12 returns the first digits of the run id; the whole of it stands in the
// last section.
func cut12(id string) string {
	if len(id) > runDigits {
		return id[:runDigits]
	}
	return id
}

func experimentNames(r *schemas.Results) string {
	const most = 5
	names := make([]string, 0, most)
	for i := range r.Experiments {
		if i == most {
			return strings.Join(names, ", ") + " and " + group(int64(len(r.Experiments)-most)) + " more"
		}
		names = append(names, label(r.Experiments[i].ID))
	}
	return strings.Join(names, ", ")
}
