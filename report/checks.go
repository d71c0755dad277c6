package report

import "banditaudit/schemas"

// checks adds the data checks.
func (s *study) checks(b *builder) {
	at := s.pointer("data", "checks")
	b.heading(s.level, "Data checks", at)
	s.verdict(b, schemas.KindDataQuality)
	s.verdict(b, schemas.KindAllocation)
	if len(s.x.Data.Checks) == 0 {
		b.say("No data check was run.")
		return
	}
	t := table{
		Caption: "Data checks",
		Pointer: at,
		RowHead: true,
		Columns: []column{{Title: "Check"}, {Title: "Status"}, {Title: "Observed"}, {Title: "Expected"}, numeric("Statistic"), numeric("p"), {Title: "Detail"}},
	}
	for i := range s.x.Data.Checks {
		c, here := &s.x.Data.Checks[i], item(at, i)
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			{Spans: []span{{Text: label(c.ID), Style: styleStrong}, {Text: " " + c.Title}}},
			{Spans: []span{badge(string(c.Status))}, Pointer: sub(here, "status")},
			txt(c.Observed),
			txt(c.Expected),
			number(opt(c.Statistic, sig), sub(here, "statistic")),
			number(pvalue(c.P, nil), sub(here, "p")),
			txt(c.Detail),
		}})
	}
	b.add(t)
	s.splits(b)
	s.repeats(b)
	s.odds(b)
	addHypotheses(b, "What would explain that the allocation contradicts the logged propensities", s.x.Allocation, s.pointer("allocation"))
}
