// Package report renders schemas.Results for people and for warehouses:
// report.md and report.html, the figures as SVG and the tables as Parquet.
//
// Every renderer is a pure function of the results. It computes no statistic,
// reads no clock, file or environment, and writes the same bytes for the same
// results. The Markdown and the HTML come from one document model (report/page),
// so that they say the same sentences in the same order; one file holds one
// section.
//
// # What a reader can rely on
//
// Text shows 4 significant digits (privacy parameters and bounds are rounded
// up), results.json holds full precision, and every table names the JSON
// pointer of its rows. In HTML each number of a result carries its pointer as title and
// each row carries it as id.
//
// Text that came from a log (labels, ids, column names, messages that quote
// them) is escaped in every format, and characters that could hide or reorder
// text are printed as their code points: ⟨U+202E⟩. The HTML has no scripts,
// loads nothing, and holds its figures and its style sheet inside.
//
// # Rooms
//
//	page      the document model: blocks, text, numbers, Markdown, HTML
//	digest    what documents need of results, and of the protocol
//	sources   how numbers are made, and after whom
//	answers   what was found, in sentences
//	figure    figures of an experiment, on report/chart
//
// This package has the sections, a file each, and puts them together (render.go).
package report

import (
	"fmt"
	"io"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/report/sources"
	"banditaudit/schemas"
)

// HTML writes report.html: one file with its style sheet and its figures
// inside, without scripts and without anything to load. It prints, follows the
// reader's light or dark setting, and does not depend on colour. Each number
// carries its JSON pointer as title, each row as id.
//
// It returns an error when r is nil, when its protocol is not JSON of the form
// of a protocol, or when w fails.
//
// Special cases are:
//
//	a value that does not exist is written —
//	a label that is empty is written ⟨empty⟩
//	more than 20 experiments: the first 20 in full, the others in the overview
func HTML(w io.Writer, r *digest.Digest) error {
	d, err := compose(r, true)
	if err != nil {
		return err
	}
	return page.WriteHTML(w, d)
}

// Markdown writes report.md: the same sentences and tables as HTML, in
// CommonMark with the tables of GitHub. Figures are linked by the names that
// Figures gives them. All text is escaped: no character of a log can begin a
// table cell, a link, code or an HTML element.
//
// It returns an error when r is nil, when its protocol is not JSON of the form
// of a protocol, or when w fails.
//
// Special cases are:
//
//	a value that does not exist is written —
//	a label that is empty is written ⟨empty⟩
//	more than 20 experiments: the first 20 in full, the others in the overview
func Markdown(w io.Writer, r *digest.Digest) error {
	d, err := compose(r, false)
	if err != nil {
		return err
	}
	return page.WriteMarkdown(w, d)
}

// compose builds the document that both renderers walk. With figures, each
// picture holds its SVG; without, only its name and caption.
func compose(r *digest.Digest, figures bool) (*page.Document, error) {
	p, err := digest.ReadProtocol(r)
	if err != nil {
		return nil, err
	}
	list := figure.Of(r, &p)
	if figures {
		if list, err = figure.DrawAll(list); err != nil {
			return nil, err
		}
	}
	b := &page.Builder{}
	front(b, r, &p, list)
	if len(r.Experiments) == 1 {
		studied(r, &p, 0, list).decided(b)
	}
	shown(b, r, &p)
	scope(b, r)
	b.Heading(2, "Appendix", "appendix")
	b.Say("Details, method and how to reproduce this report; each part opens by itself. " + more)
	back := &page.Builder{Figures: b.Figures}
	if err := appendix(back, r, &p, list); err != nil {
		return nil, err
	}
	b.Add(page.Folded(back.Doc.Blocks)...)
	return &b.Doc, nil
}

// more says where a reader finds what a report says in short.
const more = "banditaudit explain NAME says more of any check, method, number, setting or assumption; banditaudit help glossary " +
	"defines the words."

// appendix adds what a reader looks up.
func appendix(b *page.Builder, r *digest.Digest, p *digest.Protocol, drawings []figure.Drawing) error {
	procedures(b, r)
	if err := declaration(b, r, p); err != nil {
		return err
	}
	inputs(b, r)
	experiments(b, r, p, drawings)
	unseenBy(b, r)
	assumptions(b, r)
	sources.Section(b, r, p)
	reverify(b, r)
	return nil
}

// experiments adds the sections of each experiment: directly when there is
// one, under a heading of its own when there are several.
func experiments(b *page.Builder, r *digest.Digest, p *digest.Protocol, drawings []figure.Drawing) {
	order, _ := digest.WorstFirst(r)
	for _, i := range order[:min(len(order), maxFull)] {
		s := studied(r, p, i, drawings)
		if r.Count() > 1 {
			b.Heading(2, fmt.Sprintf("Experiment %d of %d: %s", i+1, r.Count(), page.Label(s.x.ID)), s.base)
			b.Opening("What was found in this experiment?", schemas.Counted(s.x.Rounds, "round")+", "+schemas.Counted(len(s.x.Arms), "arm"),
				answers.Verdicts(r.ClaimSums(s.x.ID)))
			s.level = 3
		}
		s.sections(b)
	}
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
