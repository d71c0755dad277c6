// Package answers says in sentences what results hold: the questions that a reader has
// first, each with its answer, and the sentence that each section of a report begins with.
package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Answer is what a reader is told first: a question, and what this run says to it.
type Answer struct {
	Question string
	Said     []string // sentences
	InClaims bool     // the claims, or what stands beside the tests, say it too
}

// The questions, in the order of a reader's interest.
const (
	askedWrong   = "Found wrong"
	askedArms    = "Arms"
	askedIf      = "Valid if"
	askedHeld    = "Checked"
	askedOpen    = "Not settled"
	askedNever   = "Not checked"
	askedCareful = "Careful"
)

// All are the questions that a reader has first, each with what the results say to it
// in plain sentences: what was found wrong, which arms pay more, what was checked and
// what was not, what to be careful about. A question without an answer is left out, but
// for the first. An error is returned when r is nil or its protocol is not one.
func All(r *digest.Digest) ([]Answer, error) {
	p, err := digest.ReadProtocol(r)
	if err != nil {
		return nil, err
	}
	return Of(r, &p), nil
}

// Of returns those answers of a protocol that was read already.
func Of(r *digest.Digest, p *digest.Protocol) []Answer {
	return slices.DeleteFunc([]Answer{
		{askedWrong, wrong(r), false},
		{askedArms, armAnswers(r, p), false},
		{askedIf, conditions(r), true},
		{askedHeld, append(claimsThat(r, heldSentence, schemas.Verified), claimsThat(r, heldSentence, schemas.Consistent)...), true},
		{askedOpen, claimsThat(r, openSentence, schemas.NotEstablished, schemas.NotRun), true},
		{askedNever, claimsThat(r, openSentence, schemas.NotApplicable), true},
		{askedCareful, cautions(r), false},
	}, func(a Answer) bool { return len(a.Said) == 0 })
}

// mostWrong is how many contradictions, and how many experiments with one, are told first.
const mostWrong = 5

// wrong says what contradicts the log, or that nothing does.
func wrong(r *digest.Digest) []string {
	var said []string
	n := r.Sums().Verdicts.Violated
	for _, i := range r.Ordered {
		if c := &r.Claims[i]; c.Verdict == schemas.Violated && len(said) < mostWrong {
			said = append(said, brokenSentence(r, c))
		}
	}
	switch {
	case n == 0:
		return []string{"Nothing was found against this log."}
	case n > len(said):
		said = append(said, schemas.Plural(n-len(said), "more claim is", "more claims are")+" contradicted; the table of claims begins with them.")
	}
	if r.Count() > 1 {
		verb := "contradict"
		if r.Broken == 1 {
			verb = "contradicts"
		}
		said = slices.Insert(said, 0, fmt.Sprintf("%s of %s %s what was declared.", page.Group(int64(r.Broken)),
			schemas.Counted(r.Count(), "experiment"), verb))
	}
	return said
}

// brokenSentence says that a claim is contradicted, and by what.
func brokenSentence(r *digest.Digest, c *schemas.Finding) string {
	out := page.Capital(broken(r, c))
	if r.Count() > 1 {
		out = "Experiment " + page.Label(c.Experiment) + ": " + out
	}
	by := brokenBy(r, c)
	if by != "" {
		out += ": " + strings.TrimRight(by, ".")
	}
	if kind := digest.KindOf(r, c.Kind); kind != nil && kind.Explains && c.Reason != "" &&
		(by == "" || len(c.Failing) > 0 && explained(r, c)) {
		out += ". " + page.Capital(explanation(page.OrDash(c.Reason)))
	}
	return page.Sentence(out) + accusedToo(c)
}

// brokenBy is by what a claim is contradicted: how many fail, where these are counted; else what
// was observed, where that is not how many match.
func brokenBy(r *digest.Digest, c *schemas.Finding) string {
	if by := cmp.Or(schemas.Contradicted(c), Told(r, c)); by != "" {
		return page.OrDash(by)
	}
	switch x := digest.ExperimentOf(r, c); {
	case c.Kind == schemas.KindPrivacyNoise:
		return ""
	case c.Kind == schemas.KindConformance && x != nil && x.Replay.PropensitiesAlone():
		p := x.Replay.Propensities
		of := schemas.Failing{Kind: schemas.FailingPropensity, Count: p.Rounds - p.Matched, Of: p.Rounds}
		return of.Words()
	case c.Kind == schemas.KindConformance && x != nil:
		return wageredOn(&x.Replay)
	case c.Kind == schemas.KindConformance:
		return ""
	case c.Kind == schemas.KindDataQuality, c.Kind == schemas.KindAllocation && x != nil && x.Data.Hashed != nil && x.Data.Hashed.Contradicted() > 0:
		return cmp.Or(explanation(page.OrDash(c.Reason)), page.OrDash(c.Observed)) // of a bundle in which nothing is counted
	}
	return page.OrDash(c.Observed)
}

// wageredOn says that a wager rejects the probabilities of the declared policy; "" where none
// does.
func wageredOn(c *schemas.Conformance) string {
	t := c.Wagered()
	switch {
	case t == nil || !t.Rejected:
		return ""
	case t.Before:
		return "the arm of the unit's round before was not played with the policy's probabilities (" + schemas.PIs(t.P) + ")"
	}
	return page.ArmName(t.Arm) + " was not played with the policy's probabilities (" + schemas.PIs(t.P) + ")"
}

// explained reports whether something that was tried explains what contradicts a claim.
func explained(r *digest.Digest, c *schemas.Finding) bool {
	x := digest.ExperimentOf(r, c)
	switch {
	case x == nil:
		return false
	case c.Kind == schemas.KindConformance:
		return x.Replay.PropensitiesAlone() && schemas.Fitting(x.Replay.Propensities.Hypotheses) != nil
	}
	return x.Replay.Released != nil && x.Replay.Released.Noise != nil && schemas.Fitting(x.Replay.Released.Noise.Hypotheses) != nil
}

// accusedToo is the sentence of a reason on when an honest log is accused too, behind a
// space; "" where there is none.
func accusedToo(c *schemas.Finding) string {
	_, rest, found := strings.Cut(c.Reason, schemas.LevelHolds)
	if !found {
		return ""
	}
	holds, _, _ := strings.Cut(rest, ". ")
	return " " + page.Sentence(schemas.LevelHolds+page.OrDash(holds))
}

// explanation is the part of a reason that says what fits, or the first part.
func explanation(reason string) string {
	const most = 240
	if _, fits, found := strings.Cut(reason, schemas.WhatFits); found {
		reason = "what fits: " + fits
	}
	part, _, _ := strings.Cut(reason, "; ")
	part, _, _ = strings.Cut(part, ". ")
	return page.Cut(strings.TrimRight(part, "."), most)
}

// heldSentence says that what a claim asks was found so, or that nothing speaks against it,
// with the verdict.
func heldSentence(asks string, c *schemas.Finding, many string) string {
	asks, verdict := strings.TrimPrefix(asks, "whether "), " ("+string(c.Verdict)+")"
	if c.Verdict == schemas.Consistent {
		return strings.TrimSpace("Nothing speaks against this "+many) + ": " + asks + verdict
	}
	if many != "" {
		asks += ", " + many
	}
	return page.Capital(asks) + verdict
}

// openSentence says that what a claim asks is not known, and why.
func openSentence(asks string, c *schemas.Finding, many string) string {
	out := page.Capital(asks)
	if many != "" {
		out += ", " + many
	}
	if c.Reason != "" {
		out += ": " + explanation(page.OrDash(c.Reason))
	}
	return out
}

// claimsThat lists what claims with one of some verdicts ask, each kind once; of several
// experiments with how many.
func claimsThat(r *digest.Digest, say func(asks string, c *schemas.Finding, many string) string, verdicts ...schemas.Verdict) []string {
	var said []string
	for i := range r.Catalogue.Claims {
		kind := &r.Catalogue.Claims[i]
		k := r.Kind(kind.Kind)
		var first *digest.PlacedClaim
		for _, v := range verdicts {
			if c, there := k.First[v]; there && (first == nil || c.Place < first.Place) {
				first = &c
			}
		}
		if first != nil {
			said = append(said, page.Sentence(say(cmp.Or(kind.Asks, "whether what "+kind.Kind+" claims is so"), &first.Finding,
				ofMany(r, k, verdicts))))
		}
	}
	return said
}

// ofMany says how many experiments claims of a kind are of, and of those about which nothing
// is known for certain in how many something else is contradicted; "" of one experiment.
func ofMany(r *digest.Digest, k *digest.KindSums, verdicts []schemas.Verdict) string {
	if r.Count() == 1 {
		return ""
	}
	of, broken := 0, 0
	for _, v := range verdicts {
		of, broken = of+k.Count[v], broken+k.Broken[v]
	}
	out := fmt.Sprintf("in %s of %s", page.Group(int64(of)), schemas.Counted(k.All, "experiment"))
	if of == k.All {
		out = "in all " + schemas.Counted(k.All, "experiment")
	}
	if broken > 0 && slices.Contains(verdicts, schemas.Consistent) {
		out += " (another claim is contradicted in " + page.Group(int64(broken)) + " of them)"
	}
	return out
}

// mostCautions is how many cautions the first page has, mostCautionsOfMany of several
// experiments.
const (
	mostCautions       = 5
	mostCautionsOfMany = 3
)

// cautions lists the cautions of the experiments, of several the commonest first and with how
// many have each, and how many there are more.
func cautions(r *digest.Digest) []string {
	var said page.Gathered
	for i := range r.Experiments {
		for _, words := range r.Experiments[i].Cautions {
			said.Add(words, page.Label(r.Experiments[i].ID))
		}
	}
	most := mostCautions
	if r.Count() > 1 {
		most = mostCautionsOfMany
		slices.SortStableFunc(said.Texts, func(a, b string) int { return len(said.Names[b]) - len(said.Names[a]) })
	}
	var out []string
	left := r.Cautions
	if f := r.Family; f != nil && f.Caution != "" {
		out, left = append(out, page.Sentence(page.OrDash(f.Caution))), left-1
	}
	for _, words := range said.Texts[:min(len(said.Texts), most)] {
		names := said.Names[words]
		left -= len(names)
		switch {
		case r.Count() == 1:
			words = page.Capital(words)
		case len(names) == 1:
			words = "Experiment " + names[0] + ": " + words
		default:
			words = page.Capital(inExperiments(r, len(names))) + ", " + suchAs(names) + ": " + words
		}
		out = append(out, page.Sentence(words))
	}
	if left > 0 && len(out) > 0 {
		out = append(out, schemas.Plural(left, "more caution stands", "more cautions stand")+" in results.json, under cautions of each experiment.")
	}
	return out
}

// suchAs names the first few of many.
func suchAs(names []string) string {
	const most = 3
	return "such as " + strings.Join(names[:min(len(names), most)], ", ")
}
