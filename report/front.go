package report

import (
	"fmt"
	"strings"
	"time"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// front adds what a reader sees first: the overall line, the answers, the arms, and the
// claims; then the contents and the facts that name this run.
func front(b *page.Builder, r *digest.Digest, p *digest.Protocol, drawings []figure.Drawing) {
	b.Doc.Title = title(r)
	overall := r.Outcome()
	b.Add(page.Heading{Level: 1, Text: b.Doc.Title, ID: "top"})
	if dates := r.Span.Dates(); dates != "" {
		b.Say("Rounds " + dates + ".")
	}
	b.Add(
		page.Para{Class: "callout " + tone(overall), Spans: []page.Span{
			{Text: "Overall: "},
			{Text: page.OrDash(r.Overall), Style: page.StyleStrong},
			{Text: ". " + overallMeaning(overall), Style: ""},
		}},
		page.List{Items: answerItems(answers.Of(r, p))},
	)
	if r.Count() == 1 {
		studied(r, p, 0, drawings).figure(b, figure.Arms, "")
	}
	claimed(b, r)
	if r.Count() > 1 {
		overview(b, r)
		family(b, r)
	}
	b.Add(page.Contents{}, facts(r, p))
}

// answerItems are the answers as a list, each behind its question.
func answerItems(list []answers.Answer) [][]page.Span {
	var out [][]page.Span
	for _, a := range list {
		out = append(out, []page.Span{{Text: a.Question + ": ", Style: page.StyleStrong}, {Text: strings.Join(a.Said, " ")}})
	}
	return out
}

func title(r *digest.Digest) string {
	if r.Count() == 1 {
		return "Agreed-procedures report on the logged experiment " + page.Label(r.Experiments[0].ID)
	}
	return "Agreed-procedures report on " + schemas.Counted(r.Count(), "logged experiment")
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
	out := "No required claim was contradicted. " + schemas.Counted(o.Open, "required claim") + " could not be settled."
	switch {
	case o.Violated > 0:
		out = "This log contradicts " + schemas.Counted(o.Violated, "required claim") + "."
	case o.Open == 0:
		out = "No required claim was contradicted, and none was left open."
	}
	if o.Cautions > 0 {
		out += " " + schemas.Plural(o.Cautions, "caution says", "cautions say") + " what makes an answer weak."
	}
	return out
}

// facts is the table on the cover.
func facts(r *digest.Digest, p *digest.Protocol) page.Table {
	var bytes, rows int64
	for _, in := range r.Inputs {
		bytes += in.Bytes
		rows += in.Rows
	}
	t := page.Table{RowHead: true, Columns: []page.Column{{Title: "This run"}, {Title: "Value"}}}
	t.Rows = append(t.Rows,
		page.Fact("Experiments", experimentNames(r), "/experiments"),
		page.Fact("Log", schemas.Counted(len(r.Inputs), "file")+", "+schemas.Counted(rows, "row")+", "+page.Group(bytes)+" bytes", "/inputs"),
		page.Fact("Rounds analysed", page.Group(r.Analysed), "/experiments"),
		page.Fact("Rounds from and to", spanWords(r), "/experiments"),
		page.Fact("Run id", fmt.Sprintf("%.12s", r.RunID), "/run_id"),
		page.Fact("Written by", page.Label(r.Tool.Name)+" "+page.Label(r.Tool.Version), "/tool"),
	)
	if r.Disclosed > 0 {
		why := "contains statistics made from exact rewards"
		if p.Privacy != nil {
			why = "contains statistics outside the privacy budget"
		}
		t.Rows = append(t.Rows, page.Fact("Distribution", "INTERNAL: "+why, ""))
	}
	return t
}

// spanWords is when the first and the last round of the log were played.
func spanWords(r *digest.Digest) string {
	if r.Span.First.IsZero() {
		return "not known: no column of log.order holds times"
	}
	out := r.Span.First.UTC().Format(time.RFC3339Nano) + " to " + r.Span.Last.UTC().Format(time.RFC3339Nano)
	if r.Count() > 1 {
		out += ", of all experiments"
	}
	return out
}

func experimentNames(r *digest.Digest) string {
	const most = 5
	names := make([]string, 0, most)
	for i := range r.Experiments {
		if i == most {
			return strings.Join(names, ", ") + " and " + page.Group(int64(r.Count()-most)) + " more"
		}
		names = append(names, page.Label(r.Experiments[i].ID))
	}
	return strings.Join(names, ", ")
}
