package report

import (
	"fmt"

	"banditaudit/schemas"
)

const (
	maxFull     = 20  // experiments that are shown in full
	maxDrawn    = 3   // experiments with figures
	maxOverview = 200 // experiments in the overview
)

// experiments adds the sections of each experiment: directly when there is
// one, under a heading of its own when there are several.
func experiments(b *builder, r *schemas.Results, p *plan, drawings []drawing) {
	if len(r.Experiments) > 1 {
		overview(b, r)
	}
	for i := range r.Experiments {
		if i == maxFull {
			return
		}
		s := &study{results: r, x: &r.Experiments[i], plan: p, base: item("/experiments", i), level: 2, drawn: i < maxDrawn}
		for _, d := range drawings {
			if d.experiment == i {
				s.figures = append(s.figures, d)
			}
		}
		if len(r.Experiments) > 1 {
			b.heading(2, fmt.Sprintf("Experiment %d of %d: %s", i+1, len(r.Experiments), label(s.x.ID)), s.base)
			s.level = 3
		}
		s.sections(b)
	}
}

// sections adds everything about one experiment.
func (s *study) sections(b *builder) {
	s.checks(b)
	s.conformance(b)
	s.privacy(b)
	s.arms(b)
	s.regressions(b)
	s.tests(b)
	s.estimates(b)
	s.disclosures(b)
	s.warnings(b)
}

// overview is one row per experiment.
func overview(b *builder, r *schemas.Results) {
	b.heading(2, "Overview of the experiments", "/experiments")
	t := table{
		Caption: "One line per experiment",
		Pointer: "/experiments",
		RowHead: true,
		Columns: []column{
			{Title: "Experiment"},
			numeric("Rounds"), numeric("Arms"), numeric("Checks failed"),
			{Title: "Policy conformance"},
			numeric("ε of the declared mechanism"),
			{Title: "Privacy claim"},
			numeric("Tests rejected"), numeric("Warnings"),
		},
	}
	for i := range r.Experiments {
		if i == maxOverview {
			break
		}
		t.Rows = append(t.Rows, overviewRow(&study{results: r, x: &r.Experiments[i], base: item("/experiments", i)}))
	}
	b.add(t)
	if len(r.Experiments) > maxOverview {
		b.note("The other " + group(int64(len(r.Experiments)-maxOverview)) + " experiments are in tables/experiments.parquet.")
	}
}

func overviewRow(s *study) row {
	x := s.x
	failed, rejected := 0, 0
	for i := range x.Data.Checks {
		if x.Data.Checks[i].Status == schemas.CheckFail {
			failed++
		}
	}
	for i := range x.Tests {
		if x.Tests[i].Decision == decisionRejected {
			rejected++
		}
	}
	return row{Cells: []cell{
		{Spans: []span{{Text: label(x.ID), Link: s.base}}},
		number(group(x.Rounds), s.pointer("rounds")),
		number(group(int64(len(x.Arms))), s.pointer("arms")),
		number(fmt.Sprintf("%d of %d", failed, len(x.Data.Checks)), s.pointer("data", "checks")),
		s.verdictCell(schemas.KindConformance),
		number(ext(x.Privacy.EpsilonMechanism, up), s.pointer("privacy", "epsilon_mechanism")),
		s.verdictCell(schemas.KindPrivacyTotal),
		number(fmt.Sprintf("%d of %d", rejected, len(x.Tests)), s.pointer("tests")),
		number(group(int64(len(x.Warnings))), s.pointer("warnings")),
	}}
}

// verdictCell is the verdict of the experiment's claim of a kind.
func (s *study) verdictCell(kind string) cell {
	c := s.claim(kind)
	if c == nil {
		return txt("")
	}
	return cell{Spans: []span{badge(string(c.Verdict))}}
}
