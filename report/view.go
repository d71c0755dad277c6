package report

import (
	"fmt"
	"strings"

	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// experimentView is one experiment as its sections need it.
type experimentView struct {
	results  *digest.Digest
	x        *schemas.Experiment
	protocol *digest.Protocol
	base     string // JSON pointer of the experiment
	level    int    // of its section headings
	figures  []figure.Drawing
	drawn    bool // figures are drawn for this experiment
}

// pointer returns the JSON pointer of a field of the experiment.
func (s *experimentView) pointer(members ...string) string { return page.Member(s.base, members...) }

// claim returns the finding of a kind about this experiment, or nil.
func (s *experimentView) claim(kind string) *schemas.Finding { return s.results.Claim(s.x.ID, kind) }

// verdict adds the line that leads from a section back to its claim.
func (s *experimentView) verdict(b *page.Builder, kind string) {
	for _, i := range s.results.ClaimsOf[s.x.ID] {
		c := &s.results.Claims[i]
		if c.Kind != kind {
			continue
		}
		spans := []page.Span{
			{Text: "Claim "},
			{Text: page.Label(c.ID), Link: page.Element("/claims", s.results.Places[i])},
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

// maxFull is how many experiments are shown in full.
const maxFull = 20

// figure adds the experiment's figure of a kind, or says what it would need.
func (s *experimentView) figure(b *page.Builder, kind figure.Kind, absent string) {
	for _, d := range s.figures {
		if d.Kind == kind {
			b.Figures++
			b.Add(page.Picture{Name: d.Name, Title: d.Title, Caption: fmt.Sprintf("Figure %d. %s", b.Figures, d.Caption), SVG: d.SVG})
			if len(d.Numbers.Rows) > 0 {
				d.Numbers.Pointer = s.pointer(d.Numbers.Pointer)
				b.Add(page.Fold{Title: fmt.Sprintf("Numbers of figure %d", b.Figures), Blocks: []page.Block{d.Numbers}})
			}
			return
		}
	}
	if s.drawn && absent != "" {
		b.Note(absent)
	}
}

// What raw intervals and p-values assume: in a sentence, and above a column of them.
const (
	fixedNote  = "valid only if the allocation had been fixed in advance"
	fixedShort = "for a fixed allocation"
)

// studied is an experiment with its figures.
func studied(r *digest.Digest, p *digest.Protocol, i int, drawings []figure.Drawing) *experimentView {
	s := &experimentView{results: r, x: &r.Experiments[i], protocol: p, base: page.Element("/experiments", i), level: 2, drawn: i < digest.MaxDrawn}
	for _, d := range drawings {
		if d.Experiment == i {
			s.figures = append(s.figures, d)
		}
	}
	return s
}

// maxTests is how many tests of one experiment are listed.
const maxTests = 200

// anyOf reports whether one of a list has something.
func anyOf[T any](list []T, has func(*T) bool) bool {
	for i := range list {
		if has(&list[i]) {
			return true
		}
	}
	return false
}
