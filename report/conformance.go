package report

import (
	"fmt"

	"banditaudit/schemas"
)

// conformance adds what the teacher-forced replay found.
func (s *study) conformance(b *builder) {
	at := s.pointer("replay")
	b.heading(s.level, "Policy conformance", at)
	s.verdict(b, schemas.KindConformance)
	c := &s.x.Replay
	b.say(modeSentence(c.Mode, s.plan.Policy != nil))
	if c.Mode == schemas.ModeSeed && c.Propensities != nil {
		b.say("The logged propensities were compared with those that the policy gives in the same rounds.")
	}
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
	if c.Propensities != nil {
		t.Rows = append(t.Rows, propensityFacts(c.Propensities, sub(at, "propensities"))...)
	}
	return t
}

// propensityFacts are the rows on logged propensities.
func propensityFacts(p *schemas.PropensityReplay, at string) []row {
	rows := []row{fact("Rounds whose propensities match", group(p.Matched)+" of "+group(p.Rounds), sub(at, "matched"))}
	resolution := func(decimals *int64, title, key string) {
		if decimals != nil {
			rows = append(rows, fact(title, group(*decimals), sub(at, key)))
		}
	}
	resolution(p.Decimals, "Decimals of logged propensities", "decimals")
	resolution(p.DecimalsByArm, "Decimals of those by arm", "decimals_by_arm")
	if m := p.FirstMismatch; m != nil {
		rows = append(rows, fact("First propensity that differs", fmt.Sprintf("round %s, arm %s: logged %.10g, the policy's %.10g", group(m.Round), label(m.Arm), m.Logged, m.Replayed), sub(at, "first_mismatch")))
	}
	return rows
}
