package report

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

// maxClaims is how many claims the summary lists one by one.
const maxClaims = 200

// summary adds the claims, the plain sentences and what is not shown.
func summary(b *builder, r *Digest, p *protocol) {
	b.heading(2, "Summary", "/claims")
	b.add(list{Items: items(plainSentences(r, p)...)})
	b.add(claimTable(r))
	if len(r.Claims) > maxClaims {
		b.note("The " + group(int64(len(r.Claims)-maxClaims)) + " claims not listed are in tables/claims.parquet and results.json. Contradicted and unsettled claims are listed first.")
	}
	b.add(fold{Title: "What the verdict words mean", Blocks: []block{verdictWords()}})
	b.add(heading{Level: 3, Text: "What this report does not show", ID: "limits"})
	b.add(list{Items: items(limits(r, p)...)})
}

// claimTable is one row per claim.
func claimTable(r *Digest) table {
	several := r.count > 1
	t := table{
		Caption: "Claims and verdicts",
		Pointer: "/claims",
		Columns: []column{{Title: "Claim"}},
		RowHead: true,
	}
	if several {
		t.Columns = append(t.Columns, column{Title: "Experiment"})
	}
	t.Columns = append(t.Columns, column{Title: "Statement"}, column{Title: "Verdict"}, column{Title: "Key number"}, column{Title: "Reason and procedure"})
	for _, i := range claimOrder(r.Claims) {
		t.Rows = append(t.Rows, claimRow(&r.Claims[i], item("/claims", i), several))
	}
	return t
}

// claimOrder returns the indices of the claims that are listed: all in their
// own order, or with too many of them the worst first.
func claimOrder(claims []schemas.Finding) []int {
	order := make([]int, len(claims))
	for i := range order {
		order[i] = i
	}
	if len(claims) <= maxClaims {
		return order
	}
	slices.SortStableFunc(order, func(i, j int) int { return gravity(claims[i].Verdict) - gravity(claims[j].Verdict) })
	return order[:maxClaims]
}

// gravity sorts verdicts, the worst first.
func gravity(v schemas.Verdict) int {
	switch v {
	case schemas.Violated:
		return 0
	case schemas.NotEstablished:
		return 1
	case schemas.NotRun:
		return 2
	case schemas.NotApplicable:
		return 4
	case schemas.Verified, schemas.Consistent:
		return 3
	}
	return 2
}

func claimRow(c *schemas.Finding, pointer string, several bool) row {
	name := cell{Spans: []span{{Text: label(c.ID), Style: styleStrong}}}
	if c.Kind != c.ID {
		name.below(label(c.Kind))
	}
	name.below(label(c.Severity))
	cells := []cell{name}
	if several {
		cells = append(cells, txt(label(c.Experiment)))
	}
	verdict := cell{Spans: []span{badge(string(c.Verdict))}, Pointer: sub(pointer, "verdict")}
	if c.Vacuous {
		verdict = flagged(verdict, "VACUOUS")
	}
	return row{Pointer: pointer, Cells: append(cells,
		txt(c.Statement), verdict, number(keyNumber(c), sub(pointer, "observed")), because(c))}
}

// keyNumber is what was observed and what it was held against.
func keyNumber(c *schemas.Finding) string {
	s := words(c.Observed)
	if c.Threshold != "" {
		s += " (asked: " + compared(c.Comparator) + " " + c.Threshold + ")"
	}
	return s
}

func compared(comparator string) string {
	switch comparator {
	case "<=":
		return "at most"
	case ">=":
		return "at least"
	}
	return comparator
}

// because is the reason, with procedure and evidence small below it.
func because(c *schemas.Finding) cell {
	var out cell
	if c.Reason != "" || (c.Procedure == "" && len(c.Evidence) == 0) {
		out = txt(c.Reason)
	}
	if c.Procedure != "" {
		out.below("Procedure: " + c.Procedure)
	}
	for i, e := range c.Evidence {
		if i == 0 {
			out.below("Evidence: ")
		} else {
			out.Spans = append(out.Spans, span{Text: ", "})
		}
		out.Spans = append(out.Spans, span{Text: e, Style: styleCode, Link: e})
	}
	return out
}

// verdictWords is the closed list of verdicts in plain words.
func verdictWords() table {
	t := table{RowHead: true, Columns: []column{{Title: "Word"}, {Title: "Meaning"}}}
	for _, w := range [][2]string{
		{"VERIFIED", "Recomputed from the inputs; it holds exactly, or to the stated tolerance."},
		{"CONSISTENT", "A test at the stated level did not contradict it. The smallest deviation that the test would have detected stands beside it."},
		{"VIOLATED", "Contradicted by an exact recomputation, by a lower bound, or by a test at a stated level."},
		{"NOT ESTABLISHED", "The information is not sufficient; the reason says what is missing."},
		{"NOT APPLICABLE", "Not claimed, or something it rests on failed; the reason says which."},
		{"NOT RUN", "Out of scope, or the procedure could not be carried out."},
		{"VACUOUS", "A flag: the bound is wider than the range of the reward, or the corrected p is 1. It says nothing about the experiment."},
	} {
		t.Rows = append(t.Rows, row{Cells: []cell{{Spans: []span{badge(w[0])}}, txt(w[1])}})
	}
	return t
}

// limits are the sentences of "What this report does not show".
func limits(r *Digest, p *protocol) []string {
	out := []string{
		"That the log is complete, or that it records what happened: every procedure starts from the files listed under inputs.",
		"How the arms would do for other people, at another time, or in rounds that were not logged.",
	}
	if p.Policy != nil {
		if r.seen[seenSeed] {
			out = append(out, schemas.SeedSentence)
		}
		out = append(out, "That the logged rewards are those that were paid: "+bound(r, p.Reward.Range)+".")
	}
	if p.Policy != nil || p.Privacy != nil {
		out = append(out, "Privacy of contexts, of actions, or of the log itself: the accounting covers what the declared mechanism released about rewards. Timing and floating-point side channels of the deployed system were not examined.")
	}
	if r.tested {
		out = append(out, "That a hypothesis is true because its test does not reject it. Corrected answers rest on the assumptions listed below, and some of those can only be declared.")
	}
	if !r.seen[schemas.TestDifference] {
		out = append(out, "Whether any two arms differ: no test of a difference was declared, and looking at the tables to find one would need a correction of its own.")
	}
	if r.seen[seenRegressions] {
		out = append(out, "What a column of the context causes: a regression describes how reward and column went together in the rounds played, and the bounds on its bias are about choosing arms by their rewards, not about columns that were left out.")
	}
	return append(out, unseen(r)...)
}

// unseen says of every kind of claim that held somewhere what would have left its
// verdict as it is, by the evidence that there was.
func unseen(r *Digest) []string {
	held := map[string]bool{}
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Verdict == schemas.Verified || c.Verdict == schemas.Consistent {
			held[c.Kind] = true
		}
	}
	var out []string
	for i := range r.Catalogue.Claims {
		kind := &r.Catalogue.Claims[i]
		for _, u := range kind.Unseen {
			if !held[kind.Kind] || u.Evidence == schemas.ModeNone || u.Evidence != "" && !r.seen[seenMode+u.Evidence] {
				continue
			}
			words := u.Words
			if r.seen[seenSeed] {
				words = slices.Concat(words, u.Drawn)
			}
			out = append(out, strings.TrimSuffix("What passes "+kind.Kind+" unseen, "+u.By, ", ")+": "+strings.Join(words, "; ")+".")
		}
	}
	return out
}
