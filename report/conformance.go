package report

import "banditaudit/schemas"

// conformance adds what the teacher-forced replay found.
func (s *study) conformance(b *builder) {
	at := s.pointer("replay")
	b.heading(s.level, "Policy conformance", at)
	s.verdict(b, schemas.KindConformance)
	c := &s.x.Replay
	b.say(modeSentence(c.Mode, s.plan.Policy != nil))
	if s.plan.Policy != nil {
		b.add(conformanceTable(c, at))
	}
	if s.plan.Policy != nil {
		b.add(para{Spans: plainText(seedSentence), Class: "fixed"})
	}
	s.figure(b, figureAllocation, "Allocation over time is not drawn: the results hold no series allocation/<arm>. It is drawn from the action and order columns of the log.")
}

func modeSentence(mode string, declared bool) string {
	switch {
	case !declared:
		return "No policy was declared, so there is nothing to replay. Declaring one, with the seed that was used, or with logged propensities, would let its choices be recomputed."
	case mode == schemas.ModeSeed:
		return "Mode seed: each round, the declared policy was run on the logged history and its choice compared with the logged action, with the noise that the seed gives."
	case mode == schemas.ModeReleased:
		return "Mode released: each round, the declared policy was run on the values that the log says it saw."
	case mode == schemas.ModePropensity:
		return "Mode propensity: logged actions were held against the probabilities that the declared policy gives them."
	}
	return "Mode none: a policy was declared, but neither a seed nor released values nor propensities were logged, and its choices cannot be recomputed."
}

func conformanceTable(c *schemas.Conformance, at string) table {
	t := table{
		Caption: "Replay of the log",
		Pointer: at,
		RowHead: true,
		Columns: []column{{Title: "Quantity"}, {Title: "Value"}},
		Rows: []row{
			fact("Mode", c.Mode, sub(at, "mode")),
			fact("Rounds", group(c.Rounds), sub(at, "rounds")),
			fact("Rounds that could be replayed", group(c.Replayable), sub(at, "replayable")),
			fact("Rounds that match", group(c.Matched)+" of "+group(c.Replayable), sub(at, "matched")),
		},
	}
	if m := c.FirstMismatch; m != nil {
		t.Rows = append(t.Rows, fact("First mismatch", "round "+group(m.Round)+": logged "+label(m.Logged)+", the policy chooses "+label(m.Replayed), sub(at, "first_mismatch")))
	} else if c.Replayable > 0 {
		t.Rows = append(t.Rows, fact("First mismatch", "none", sub(at, "first_mismatch")))
	}
	return t
}
