package report

import (
	"cmp"
	"slices"
	"strings"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// claimed adds the claims, the contradicted first: of several experiments those that were
// contradicted or not settled.
func claimed(b *page.Builder, r *digest.Digest) {
	b.Heading(2, "Claims and verdicts", "claims")
	question := "What was claimed of this experiment, and does the log bear it out?"
	if r.Count() > 1 {
		question = "What was claimed of these experiments, and does the log bear it out?"
	}
	b.Opening(question, answers.Verdicts(r.Sums()))
	t := page.Table{Caption: "Claims", Pointer: "/claims", RowHead: true, Stacked: true, Columns: []page.Column{{Title: "Claim"}, {Title: "Verdict"}, {Title: "Found"}}}
	left := 0
	for _, i := range r.Ordered {
		c := &r.Claims[i]
		if held := digest.Gravity(c.Verdict) > digest.Gravity(schemas.NotRun); r.Count() > 1 && (held || len(t.Rows) == mostOpen) {
			left++
			continue
		}
		t.Rows = append(t.Rows, claimRow(r, i))
	}
	if len(t.Rows) > 0 {
		b.Add(t)
	}
	if left += r.Sums().Claims - len(r.Ordered); left > 0 {
		b.Note(elsewhere(left, len(t.Rows)) + " in the appendix, in tables/claims.parquet and in results.json.")
	}
	b.Add(page.Fold{Title: "What the verdict words mean", Blocks: []page.Block{verdictWords()}})
}

// elsewhere begins a note on claims that are not listed.
func elsewhere(left, listed int) string {
	if listed == 0 {
		return "No claim was contradicted or left open. All of them stand"
	}
	return "The other " + schemas.Plural(left, "claim stands", "claims stand")
}

// mostOpen is how many claims of several experiments are listed first.
const mostOpen = 20

// procedures adds how each claim was judged, and by what evidence.
func procedures(b *page.Builder, r *digest.Digest) {
	b.Heading(2, "Claims, procedures and evidence", "procedures")
	b.Opening("How was each claim judged, and by what evidence?", "procedures, and pointers into results.json")
	t := page.Table{Caption: "Claims, procedures and evidence", Pointer: "/claims", RowHead: true, Columns: []page.Column{{Title: "Claim"}, {Title: "Verdict"}, {Title: "Procedure and evidence"}}}
	for _, i := range r.Ordered {
		c := &r.Claims[i]
		out := page.Row{Cells: []page.Cell{claimName(c, r.Count() > 1), verdictOf(c, r.Places[i]), because(c)}}
		if r.Count() > 1 {
			out.Pointer = page.Element("/claims", r.Places[i])
		}
		t.Rows = append(t.Rows, out)
	}
	b.Add(t)
}

// claimRow is a claim on the first page. Of one experiment it has the id to which links
// lead.
func claimRow(r *digest.Digest, i int) page.Row {
	c, several := &r.Claims[i], r.Count() > 1
	name := claimName(c, several)
	name.Below(page.OrDash(c.Statement))
	plain := answers.Told(r, c)
	found := page.Number(cmp.Or(page.Capital(plain), keyNumber(c)), page.Member(page.Element("/claims", r.Places[i]), "observed"))
	skipped := 0
	if plain != "" { // it says where, as the reason does first
		skipped = 1
	}
	if why := shortReason(c, skipped); why != "" && (plain == "" || c.Kind != schemas.KindPrivacyNoise) {
		found.Below(why)
	}
	out := page.Row{Cells: []page.Cell{name, verdictOf(c, r.Places[i]), found}}
	if !several {
		out.Pointer = page.Element("/claims", r.Places[i])
	}
	return out
}

// mostReason is how many characters the reason of a verdict has on the first page.
const mostReason = 340

// shortReason is why a claim did not hold, by as many of its parts as there is room for,
// each as a sentence, without the first skipped ones; of one that held nothing.
func shortReason(c *schemas.Finding, skipped int) string {
	if c.Reason == "" || c.Verdict == schemas.Verified || c.Verdict == schemas.Consistent {
		return ""
	}
	parts := strings.Split(strings.TrimRight(page.OrDash(c.Reason), "."), "; ")
	parts = parts[min(skipped, len(parts)-1):]
	out := ""
	for i, part := range parts {
		next := strings.TrimPrefix(out+" "+page.Sentence(page.Capital(part)), " ")
		if i > 0 && len(next) > mostReason {
			return out + " The rest stands in the appendix."
		}
		out = next
	}
	if r := []rune(out); len(r) > 2*mostReason {
		return page.Cut(out, 2*mostReason) + " The rest stands in the appendix."
	}
	return out
}

// claimName is the id of a claim, with what it is about.
func claimName(c *schemas.Finding, several bool) page.Cell {
	name := page.Cell{Spans: []page.Span{{Text: page.Label(c.ID), Style: page.StyleStrong}}}
	if several {
		name.Spans = append(name.Spans, page.Span{Text: " of " + page.Label(c.Experiment)})
	}
	if c.Kind != c.ID {
		name.Below(page.Label(c.Kind))
	}
	if c.Severity != schemas.SeverityRequired {
		name.Below(page.Label(c.Severity))
	}
	return name
}

// verdictOf is the verdict on a claim.
func verdictOf(c *schemas.Finding, i int) page.Cell {
	verdict := page.Cell{Spans: []page.Span{page.Badge(string(c.Verdict))}, Pointer: page.Member(page.Element("/claims", i), "verdict")}
	if c.Vacuous {
		verdict = page.Flagged(verdict, "VACUOUS")
	}
	return verdict
}

// keyNumber is what was observed and what it was held against.
func keyNumber(c *schemas.Finding) string {
	s := page.OrDash(c.Observed)
	if c.Threshold != "" {
		s += " (asked: " + compared(c.Comparator) + " " + c.Threshold + ")"
	}
	return s
}

func compared(comparator string) string {
	return cmp.Or(map[string]string{"<=": "at most", ">=": "at least"}[comparator], comparator)
}

// because is the reason, with procedure and evidence small below it.
func because(c *schemas.Finding) page.Cell {
	var out page.Cell
	if c.Reason != "" || (c.Procedure == "" && len(c.Evidence) == 0) {
		out = page.Text(c.Reason)
	}
	if c.Procedure != "" {
		out.Below("Procedure: " + c.Procedure)
	}
	for i, e := range c.Evidence {
		if i == 0 {
			out.Below("Evidence: ")
		} else {
			out.Spans = append(out.Spans, page.Span{Text: ", "})
		}
		out.Spans = append(out.Spans, page.Span{Text: e, Style: page.StyleCode, Link: e})
	}
	return out
}

// verdictWords is the closed list of verdicts in plain words.
func verdictWords() page.Table {
	t := page.Table{RowHead: true, Columns: []page.Column{{Title: "Word"}, {Title: "Meaning"}}}
	for _, w := range Verdicts() {
		t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Spans: []page.Span{page.Badge(w[0])}}, page.Text(w[1])}})
	}
	return t
}

// Verdicts are the words of verdicts, and the flag beside them, each with its meaning.
func Verdicts() [][2]string {
	return [][2]string{
		{"VERIFIED", "Recomputed from the inputs; holds exactly, or to the stated tolerance."},
		{"CONSISTENT", "Not contradicted by a test at the stated level; the smallest detectable deviation stands beside it."},
		{"VIOLATED", "Contradicted by recomputation, by a lower bound, or by a test at a stated level."},
		{"NOT ESTABLISHED", "Insufficient information; the reason says what is missing."},
		{"NOT APPLICABLE", "Not claimed, or something it rests on failed; the reason says which."},
		{"NOT RUN", "Out of scope, or the procedure could not be carried out."},
		{"VACUOUS", "A flag: the bound is wider than the reward range, or the corrected p is 1. Uninformative."},
	}
}

// shown adds what the report does not show.
func shown(b *page.Builder, r *digest.Digest, p *digest.Protocol) {
	b.Heading(2, "What this report does not show", "limits")
	b.Add(page.List{Items: page.Items(limits(r, p)...)})
}

// unseenBy adds what would pass each kind of claim.
func unseenBy(b *page.Builder, r *digest.Digest) {
	if said := unseen(r); len(said) > 0 {
		b.Heading(2, "What would pass the claims unseen", "unseen")
		b.Opening("What could be wrong although a claim held?", "the procedures would not have seen what is listed here")
		b.Add(page.List{Items: page.Items(said...)})
	}
}

// limits are the sentences of "What this report does not show".
func limits(r *digest.Digest, p *digest.Protocol) []string {
	out := []string{
		"That the log is complete, or records what happened: every procedure starts from the listed files.",
		"How the arms would do for other people, at another time, or in rounds that were not logged.",
	}
	if p.Policy != nil {
		if r.Holds(digest.SeenSeed) {
			out = append(out, schemas.SeedSentence)
		}
		out = append(out, "That the logged rewards are those that were paid. "+page.Capital(bound(r, p.Reward.Range))+".")
	}
	if p.Policy != nil || p.Privacy != nil {
		out = append(out, "Privacy of contexts, of actions, or of the log itself: the accounting covers rewards. Timing and "+
			"floating-point side channels were not examined.")
	}
	if r.Tested {
		out = append(out, "That a hypothesis is true because its test does not reject it. Corrected answers rest on assumptions, "+
			"some of which can only be declared.")
	}
	if !r.Holds(schemas.TestDifference) {
		out = append(out, "Whether any two arms differ: no test of a difference was declared. Choosing one from the tables would "+
			"need a correction.")
	}
	if r.Holds(digest.SeenRegressions) {
		out = append(out, "What a column of the context causes. A regression describes the rounds played; its bias bounds do not "+
			"cover omitted columns.")
	}
	return out
}

// unseen says of every kind of claim that held somewhere what would have left its
// verdict as it is, by the evidence that there was.
func unseen(r *digest.Digest) []string {
	var out []string
	for i := range r.Catalogue.Claims {
		kind := &r.Catalogue.Claims[i]
		for _, u := range kind.Unseen {
			if count := r.Kind(kind.Kind).Count; count[schemas.Verified]+count[schemas.Consistent] == 0 || u.Evidence == schemas.ModeNone ||
				u.Evidence != "" && !r.Holds(digest.SeenMode+u.Evidence) {
				continue
			}
			words := u.Words
			if r.Holds(digest.SeenSeed) {
				words = slices.Concat(words, u.Drawn)
			}
			out = append(out, strings.TrimSuffix("What passes "+kind.Kind+" unseen, "+u.By, ", ")+": "+strings.Join(words, "; ")+".")
		}
	}
	return out
}
