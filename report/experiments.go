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
func experiments(b *builder, r *Digest, p *protocol, drawings []drawing) {
	if r.count > 1 {
		overview(b, r)
		family(b, r)
	}
	for i := range r.Experiments {
		if i == maxFull {
			return
		}
		s := &study{results: r, x: &r.Experiments[i], protocol: p, base: item("/experiments", i), level: 2, drawn: i < maxDrawn}
		for _, d := range drawings {
			if d.experiment == i {
				s.figures = append(s.figures, d)
			}
		}
		if r.count > 1 {
			b.heading(2, fmt.Sprintf("Experiment %d of %d: %s", i+1, r.count, label(s.x.ID)), s.base)
			s.level = 3
		}
		s.sections(b)
	}
}

// sections adds everything about one experiment.
func (s *study) sections(b *builder) {
	s.checks(b)
	s.conformance(b)
	s.released(b)
	s.privacy(b)
	s.arms(b)
	s.regressions(b)
	s.tests(b)
	s.estimates(b)
	s.disclosures(b)
	s.warnings(b)
}

// overview is one row per experiment.
func overview(b *builder, r *Digest) {
	b.heading(2, "Overview of the experiments", "/experiments")
	t := table{
		Caption: "One line per experiment",
		Pointer: "/experiments",
		RowHead: true,
		Columns: []column{
			{Title: "Experiment"},
			numeric("Rounds"), numeric("Arms"),
			{Title: "Checks"},
			{Title: "Logged propensities"},
			{Title: "Policy conformance"},
			numeric("ε of the declared mechanism"),
			{Title: "Privacy claim"},
			{Title: "Tests"},
			numeric("Warnings"),
		},
	}
	for i := range r.Experiments {
		if i == maxOverview {
			break
		}
		t.Rows = append(t.Rows, overviewRow(&study{results: r, x: &r.Experiments[i], base: item("/experiments", i)}))
	}
	b.add(t)
	for _, note := range r.Notes {
		b.add(para{Spans: plainText("Note: " + note + "."), Class: "note"})
	}
	if r.count > maxOverview {
		b.note("The other " + group(int64(r.count-maxOverview)) + " experiments are in tables/experiments.parquet.")
	}
}

func overviewRow(s *study) row {
	x, epsilon := s.x, ext(s.x.Privacy.EpsilonMechanism, up)
	if s.notDeclared() {
		epsilon = "did not make this log"
	}
	return row{Cells: []cell{
		{Spans: []span{{Text: label(x.ID), Link: s.base}}},
		number(group(x.Rounds), s.pointer("rounds")),
		number(group(int64(len(x.Arms))), s.pointer("arms")),
		number(checkCounts(x.Data.Checks), s.pointer("data", "checks")),
		s.verdictCell(schemas.KindAllocation),
		s.verdictCell(schemas.KindConformance),
		number(epsilon, s.pointer("privacy", "epsilon_mechanism")),
		s.verdictCell(schemas.KindPrivacyTotal),
		number(testCounts(x.Tests), s.pointer("tests")),
		number(group(int64(len(x.Warnings))), s.pointer("warnings")),
	}}
}

// checkCounts says how the checks of an experiment came out.
func checkCounts(checks []schemas.Check) string {
	count := map[schemas.CheckStatus]int{}
	for i := range checks {
		count[checks[i].Status]++
	}
	s := fmt.Sprintf("%d failed, ", count[schemas.CheckFail])
	if n := count[schemas.CheckNote]; n > 0 {
		s += fmt.Sprintf("%d noted, ", n)
	}
	if n := count[schemas.CheckNotRun]; n > 0 {
		s += fmt.Sprintf("%d not run, ", n)
	}
	return s + fmt.Sprintf("of %d", len(checks))
}

// testCounts says how the declared tests came out.
func testCounts(tests []schemas.Test) string {
	rejected, kept := 0, 0
	for i := range tests {
		switch tests[i].Decision {
		case schemas.DecisionRejected:
			rejected++
		case schemas.DecisionKept:
			kept++
		}
	}
	all := group(int64(len(tests)))
	switch {
	case len(tests) == 0:
		return "none declared"
	case rejected+kept == 0:
		return "none of " + all + " decided"
	case rejected+kept < len(tests):
		return fmt.Sprintf("%d rejected, %s undecided, of %s", rejected, group(int64(len(tests)-rejected-kept)), all)
	}
	return fmt.Sprintf("%d of %s rejected", rejected, all)
}

// verdictCell is the verdict of the experiment's claim of a kind.
func (s *study) verdictCell(kind string) cell {
	c := s.claim(kind)
	if c == nil {
		return txt("")
	}
	return cell{Spans: []span{badge(string(c.Verdict))}}
}
