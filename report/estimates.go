package report

// estimates adds estimates of declared targets, when there are any.
func (s *study) estimates(b *builder) {
	at := s.pointer("estimates")
	b.heading(s.level, "Estimates", at)
	if len(s.x.Estimates) == 0 {
		text := "No policy was declared for evaluation, so nothing was estimated beyond the arms."
		if s.missing() > 0 {
			text += " " + s.noWeights()
		}
		b.say(text)
		return
	}
	if s.contradicted() {
		b.add(para{Spans: plainText(contradictedNote), Class: "note"})
	}
	t := table{
		Caption: "Estimates",
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Target"},
			{Title: "Estimator"},
			{Title: "Evaluated policy"},
			numeric("Estimate"), numeric("SE"), numeric(s.protocol.level() + " interval"),
			numeric("Effective sample size"),
			{Title: "At any time"},
			{Title: "Valid under"},
		},
	}
	for i := range s.x.Estimates {
		e, here := &s.x.Estimates[i], item(at, i)
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			txt(label(e.Target)),
			txt(label(e.Estimator)),
			txt(words(e.EvaluationPolicy)),
			number(opt(e.Estimate, sig), sub(here, "estimate")),
			number(opt(e.StdError, sig), sub(here, "std_error")),
			number(interval(e.CI), sub(here, "ci")),
			number(opt(e.ESS, sig), sub(here, "ess")),
			txt(yesNo(e.Anytime)),
			txt(e.ValidUnder),
		}})
	}
	b.add(t)
}

// disclosures adds what this audit itself read.
func (s *study) disclosures(b *builder) {
	at := s.pointer("disclosures")
	b.heading(s.level, "Disclosures: what this audit read", at)
	if len(s.x.Disclosures) == 0 {
		b.say("The audit read no reward exactly.")
		return
	}
	text := "Each line is one exact reading of rewards by this audit. What was made from it stands in this report without noise."
	if s.protocol.hasPrivacy() {
		text = "Each line is one exact reading of rewards by this audit. What was made from it stands in this report without noise and is outside the privacy budget of the experiment."
	}
	b.say(text)
	t := table{
		Caption: "Exact readings",
		Pointer: at,
		RowHead: true,
		Columns: []column{{Title: "Purpose"}, numeric("Rows"), {Title: "Columns"}},
	}
	for i := range s.x.Disclosures {
		d, here := &s.x.Disclosures[i], item(at, i)
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			txt(label(d.Purpose)),
			number(group(d.Rows), sub(here, "rows")),
			txt(labels(d.Columns)),
		}})
	}
	b.add(t)
}

// warnings adds the warnings.
func (s *study) warnings(b *builder) {
	b.heading(s.level, "Warnings", s.pointer("warnings"))
	if len(s.x.Warnings) == 0 {
		b.say("None.")
		return
	}
	b.add(list{Items: items(s.x.Warnings...)})
}

// assumptions adds A1–A8 with what checked each.
func assumptions(b *builder, r *Digest) {
	b.heading(2, "Assumptions of the corrected answers", "/assumptions")
	if len(r.Assumptions) == 0 {
		b.say("No corrected answer was given, so none of its assumptions was needed.")
		return
	}
	b.say("Where corrected p-values, corrected intervals and bias bounds are given, they hold only if all of these do; a test for which one of them fails has none, and says so. “Declared” means that the protocol says so and a log cannot show it.")
	t := table{
		Caption: "Assumptions",
		Pointer: "/assumptions",
		RowHead: true,
		Columns: []column{{Title: "Id"}, {Title: "Assumption"}, {Title: "Status"}, {Title: "Checked by"}},
	}
	for i := range r.Assumptions {
		a := &r.Assumptions[i]
		t.Rows = append(t.Rows, row{Pointer: item("/assumptions", i), Cells: []cell{
			{Spans: []span{{Text: label(a.ID), Style: styleStrong}}},
			txt(a.Text),
			{Spans: []span{badge(words(a.Status))}},
			txt(a.CheckedBy),
		}})
	}
	b.add(t)
}
