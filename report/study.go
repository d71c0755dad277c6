package report

import (
	"fmt"
	"strings"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// experimentView is one experiment as its sections need it.
type experimentView struct {
	results  *Digest
	x        *schemas.Experiment
	protocol *protocol
	base     string // JSON pointer of the experiment
	level    int    // of its section headings
	figures  []drawing
	drawn    bool // figures are drawn for this experiment
}

// pointer returns the JSON pointer of a field of the experiment.
func (s *experimentView) pointer(members ...string) string { return page.Member(s.base, members...) }

// claim returns the finding of a kind about this experiment, or nil.
func (s *experimentView) claim(kind string) *schemas.Finding {
	for _, i := range s.results.claimsOf[s.x.ID] {
		if c := &s.results.Claims[i]; c.Kind == kind {
			return c
		}
	}
	return nil
}

// verdict adds the line that leads from a section back to its claim.
func (s *experimentView) verdict(b *page.Builder, kind string) {
	for _, i := range s.results.claimsOf[s.x.ID] {
		c := &s.results.Claims[i]
		if c.Kind != kind {
			continue
		}
		spans := []page.Span{
			{Text: "Claim "},
			{Text: page.Label(c.ID), Link: page.Element("/claims", s.results.places[i])},
			{Text: ": "},
			page.Badge(string(c.Verdict)),
		}
		if c.Reason != "" && c.Reason != schemas.SeedSentence && c.Reason != schemas.UndrawnSentence { // these stand in their section anyway
			spans = append(spans, page.Span{Text: " " + c.Reason})
		}
		b.Add(page.Para{Spans: spans})
	}
}

// notDeclared reports whether the log contradicts that the declared mechanism made
// it.
func (s *experimentView) notDeclared() bool {
	c := s.claim(schemas.KindConformance)
	return c != nil && c.Verdict == schemas.Violated
}

// ofMechanism qualifies bounds and corrected answers while it is not verified
// that the log is the declared policy's.
func (s *experimentView) ofMechanism() string {
	c, noise := s.claim(schemas.KindConformance), s.claim(schemas.KindPrivacyNoise)
	switch {
	case c == nil || c.Verdict != schemas.Verified && c.Verdict != schemas.NotApplicable:
		return "of the declared mechanism"
	case s.x.Replay.Mode == schemas.ModeReleased && noise != nil && noise.Verdict != schemas.NotApplicable:
		return "of the declared mechanism" // the actions are verified, the noise is not
	}
	return "" // what was declared is what was logged, or nothing was declared
}

// qualified joins the parts of a column's note that are there.
func qualified(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "; ")
}

const (
	maxFull     = 20  // experiments that are shown in full
	maxDrawn    = 3   // experiments with figures
	maxOverview = 200 // experiments in the overview
)

// MostListed is how many experiments a Digest holds in full.
const MostListed = maxOverview

// experiments adds the sections of each experiment: directly when there is
// one, under a heading of its own when there are several.
func experiments(b *page.Builder, r *Digest, p *protocol, drawings []drawing) {
	order, _ := worstFirst(r)
	for _, i := range order[:min(len(order), maxFull)] {
		s := studied(r, p, i, drawings)
		if r.count > 1 {
			b.Heading(2, fmt.Sprintf("Experiment %d of %d: %s", i+1, r.count, page.Label(s.x.ID)), s.base)
			b.Opening("What was found in this experiment?", page.Plural(s.x.Rounds, "round", "rounds")+", "+page.Plural(len(s.x.Arms), "arm", "arms"), verdictSentence(s.claimSums()))
			s.level = 3
		}
		s.sections(b)
	}
}

// studied is an experiment with its figures.
func studied(r *Digest, p *protocol, i int, drawings []drawing) *experimentView {
	s := &experimentView{results: r, x: &r.Experiments[i], protocol: p, base: page.Element("/experiments", i), level: 2, drawn: i < maxDrawn}
	for _, d := range drawings {
		if d.experiment == i {
			s.figures = append(s.figures, d)
		}
	}
	return s
}

// sections adds everything about one experiment.
func (s *experimentView) sections(b *page.Builder) {
	s.checks(b)
	s.conformance(b)
	s.released(b)
	s.privacy(b)
	s.arms(b)
	(&fits{s}).regressions(b)
	s.tests(b)
	s.estimates(b)
	s.disclosures(b)
	s.warnings(b)
}
