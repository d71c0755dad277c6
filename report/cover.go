package report

import (
	"strings"

	"banditaudit/schemas"
)

// runDigits is how much of the run id the cover shows.
const runDigits = 12

// front adds what a reader sees first: the overall line, the answers, the arms, and the
// claims; then the contents and the facts that name this run.
func front(b *builder, r *Digest, p *protocol, drawings []drawing) {
	b.doc.Title = title(r)
	overall := schemas.OverallOf(r.Claims, r.Cautions)
	b.add(
		heading{Level: 1, Text: b.doc.Title, ID: "top"},
		para{Class: "callout " + tone(overall), Spans: []span{
			{Text: "Overall: "},
			{Text: words(r.Overall), Style: styleStrong},
			{Text: ". " + overallMeaning(overall), Style: ""},
		}},
		list{Items: answerItems(answers(r, p))},
	)
	if r.count == 1 {
		studied(r, p, 0, drawings).figure(b, figureArms, "")
	}
	claimed(b, r)
	if r.count > 1 {
		overview(b, r)
		family(b, r)
	}
	b.add(contents{}, facts(r, p))
}

// answerItems are the answers as a list, each behind its question.
func answerItems(answers []Answer) [][]span {
	var out [][]span
	for _, a := range answers {
		out = append(out, []span{{Text: a.Question + ": ", Style: styleStrong}, {Text: strings.Join(a.Said, " ")}})
	}
	return out
}

// mostCautions is how many cautions the first page has, mostCautionsOfMany of several
// experiments.
const (
	mostCautions       = 5
	mostCautionsOfMany = 3
)

// cautions are those of the experiments, and how many there are more.
func cautions(r *Digest) []string {
	var out []string
	for i := range r.Experiments {
		for _, words := range r.Experiments[i].Cautions {
			if r.count > 1 {
				words = "Experiment " + label(r.Experiments[i].ID) + ": " + words
			} else {
				words = capital(words)
			}
			out = append(out, sentence(words))
		}
	}
	most := mostCautions
	if r.count > 1 {
		most = mostCautionsOfMany
	}
	out = out[:min(len(out), most)]
	if n := r.Cautions - len(out); n > 0 && len(out) > 0 {
		out = append(out, group(int64(n))+" more cautions stand in results.json.")
	}
	return out
}

func title(r *Digest) string {
	if r.count == 1 {
		return "Agreed-procedures report on the logged experiment " + label(r.Experiments[0].ID)
	}
	return "Agreed-procedures report on " + plural(r.count, "logged experiment", "logged experiments")
}

// tone is the CSS class of the overall line.
func tone(o schemas.Overall) string {
	switch {
	case o.Violated > 0:
		return "bad"
	case o.Open > 0, o.Cautions > 0:
		return "open"
	}
	return "good"
}

func overallMeaning(o schemas.Overall) string {
	out := "No required claim was contradicted; the number counts required claims that could not be settled (NOT ESTABLISHED or NOT RUN)."
	switch {
	case o.Violated > 0:
		out = "The number counts required claims that were contradicted (VIOLATED)."
	case o.Open == 0:
		out = "Every required claim is VERIFIED, CONSISTENT or NOT APPLICABLE."
	}
	if o.Cautions > 0 {
		out += " Cautions contradict no claim, and say what makes an answer weak."
	}
	return out
}

// facts is the table on the cover.
func facts(r *Digest, p *protocol) table {
	var bytes, rows int64
	for _, in := range r.Inputs {
		bytes += in.Bytes
		rows += in.Rows
	}
	t := table{RowHead: true, Columns: []column{{Title: "This run"}, {Title: ""}}}
	t.Rows = append(t.Rows,
		fact("Experiments", experimentNames(r), "/experiments"),
		fact("Log", plural(len(r.Inputs), "file", "files")+", "+plural(rows, "row", "rows")+", "+group(bytes)+" bytes", "/inputs"),
		fact("Rounds analysed", group(r.analysed), "/experiments"),
		fact("Run id", cut12(r.RunID), "/run_id"),
		fact("Written by", label(r.Tool.Name)+" "+label(r.Tool.Version), "/tool"),
	)
	if r.disclosed > 0 {
		why := "contains statistics made from exact rewards"
		if p.Privacy != nil {
			why = "contains statistics outside the privacy budget"
		}
		t.Rows = append(t.Rows, fact("Distribution", "INTERNAL: "+why, ""))
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

func experimentNames(r *Digest) string {
	const most = 5
	names := make([]string, 0, most)
	for i := range r.Experiments {
		if i == most {
			return strings.Join(names, ", ") + " and " + group(int64(r.count-most)) + " more"
		}
		names = append(names, label(r.Experiments[i].ID))
	}
	return strings.Join(names, ", ")
}
