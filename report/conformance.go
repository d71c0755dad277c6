package report

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// conformance adds what the teacher-forced replay found, by every kind of
// evidence that the log has.
func (s *experimentView) conformance(b *builder) {
	at := s.pointer("replay")
	b.heading(s.level, "Policy conformance", at)
	b.opening("Is the log what the declared policy would have chosen?", s.verdictAnswer(schemas.KindConformance), s.choice())
	s.verdict(b, schemas.KindConformance)
	c := &s.x.Replay
	if c.Released == nil {
		s.verdict(b, schemas.KindPrivacyNoise) // has a section of its own otherwise
	}
	b.say(modeSentence(c, s.protocol))
	if c.Mode != schemas.ModePropensity && c.Propensities != nil {
		b.say("The logged propensities were compared with those that the policy gives in the same rounds.")
	}
	if c.Program != nil {
		b.add(programTable(c, at))
	}
	if s.protocol.Policy != nil {
		b.add(conformanceTable(c, at))
		hints(b, c.Hints, sub(at, "hints"))
		bindings(b, c.Binding, sub(at, "binding"))
		s.propensities(b, c.Propensities, sub(at, "propensities"))
		s.seedParas(b, c)
		if c.Mode == schemas.ModeReleased {
			b.add(fixed(releasedSentence))
		}
	}
	s.figure(b, figureAllocation, "Allocation over time is not drawn: the results hold no series allocation/<arm>. It is drawn from the action and order columns of the log.")
}

// seedParas say what a seed shows, where it was the evidence, and what else than
// another policy a failed replay from one can be.
func (s *experimentView) seedParas(b *builder, c *schemas.Conformance) {
	if c.Mode != schemas.ModeSeed {
		return
	}
	if c.FirstMismatch != nil && !c.Undrawn {
		b.say(streamsSentence)
	}
	sentence := schemas.SeedSentence
	if c.Undrawn {
		sentence = schemas.UndrawnSentence
	}
	b.add(fixed(sentence))
}

func modeSentence(c *schemas.Conformance, p *protocol) string {
	switch mode := c.Mode; {
	case mode == schemas.ModeExec:
		return "Mode exec: the program that the protocol names was run on the logged history. It was shown contexts, arms that could be played and the rewards of earlier rounds, and answered before it was shown the round. The program is code of whoever wrote the protocol: that it is the policy that was deployed is for the reader to judge."
	case p.Policy == nil:
		return "No policy was declared, so there is nothing to replay. Declaring one, with the seed that was used, or with logged propensities, would let its choices be recomputed."
	case mode == schemas.ModeSeed && c.Undrawn:
		return "Mode seed: " + replayedRounds(c) + ", the declared policy was run on the logged history and its choice compared with the logged action. Nothing is drawn, so that no seed is needed."
	case mode == schemas.ModeSeed:
		return "Mode seed: " + replayedRounds(c) + ", the declared policy was run on the logged history and its choice compared with the logged action, with the noise that the seed gives."
	case mode == schemas.ModeReleased:
		return "Mode released: each round, the declared policy was run on the values that the log says it saw."
	case mode == schemas.ModeLaw:
		return "Mode law: each round, the probabilities of the declared policy were recomputed from " + c.Law.By() + ", and the logged actions held against them by wagers. It needs nothing else of the log, and finds what is not too rare and not too small."
	case mode == schemas.ModePropensity:
		return "Mode propensity: logged propensities were compared with those that the declared policy gives in the same rounds. Whether the logged actions were drawn with them is a claim of its own, allocation.matches_propensity."
	}
	return "Mode none: a policy was declared, but the log holds nothing from which its choices can be recomputed: no seed, no released values, and no propensities that are known without the noise. Whoever wants more next time logs one of these; the accounting below stands without."
}

// replayedRounds names the rounds that a replay compares.
func replayedRounds(c *schemas.Conformance) string {
	if c.Replayable < c.Rounds {
		return "in the rounds that could be replayed, " + group(c.Replayable) + " of " + group(c.Rounds)
	}
	return "each round"
}

func conformanceTable(c *schemas.Conformance, at string) table {
	t := quantities("Replay of the log", at)
	t.Rows = []row{
		fact("Mode", c.Mode, sub(at, "mode")),
		fact("Rounds", group(c.Rounds), sub(at, "rounds")),
		fact("Rounds that could be replayed", group(c.Replayable), sub(at, "replayable")),
		fact("Rounds that match", group(c.Matched)+" of "+group(c.Replayable), sub(at, "matched")),
	}
	t.Rows = append(t.Rows, mismatchFacts(c, at)...)
	t.Rows = append(t.Rows, tieFacts(c.NearTies, sub(at, "near_ties"))...)
	t.Rows = append(t.Rows, choiceFacts(c.Choices, sub(at, "free_choices"))...)
	if c.Propensities != nil {
		t.Rows = append(t.Rows, propensityFacts(c.Propensities, sub(at, "propensities"))...)
	}
	if c.Law != nil {
		t.Rows = append(t.Rows, lawFacts(c.Law, sub(at, "law"))...)
	}
	if c.Released != nil {
		t.Rows = append(t.Rows, releasedFacts(c.Released, sub(at, "released"))...)
	}
	return t
}

// hints adds what came of trying the neighbours of the declared options.
func hints(b *builder, h *schemas.Hints, at string) {
	if h == nil {
		return
	}
	b.say("Neighbours of the declared policy were tried, the same with one option changed, or two, as other programs have it: " + words(h.Sentence()) + ".")
	if len(h.Named) == 0 {
		return
	}
	t := table{Caption: "Neighbours that match more rounds: hints, and no verdict", Pointer: sub(at, "neighbours"), RowHead: true, Columns: []column{{Title: "Declared under policy"}, numeric("Rounds that match"), numeric("Of rounds")}}
	for i := range h.Named {
		x, here := &h.Named[i], item(sub(at, "neighbours"), i)
		name := txt(words(strings.Join(x.Declare, ", ")))
		if len(x.Without) > 0 {
			name.below("without " + words(strings.Join(x.Without, ", ")))
		}
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{name, number(group(x.Matched), sub(here, "matched")), number(group(x.Rounds), sub(here, "rounds"))}})
	}
	b.add(t)
}

// quantities is an empty table of quantities and their values.
func quantities(caption, at string) table {
	return table{Caption: caption, Pointer: at, RowHead: true, Columns: []column{{Title: "Quantity"}, {Title: "Value"}}}
}

// tieFacts are the rows on rounds that rounding may have decided.
func tieFacts(x *schemas.NearTies, at string) []row {
	if x == nil {
		return nil
	}
	rows := []row{
		fact("Rounds with several indices within the window of near ties", fmt.Sprintf("%s (policy.near_ties: %s of the largest)", group(x.Rounds), short(x.Window)), sub(at, "rounds")),
		fact("Of these, with another arm than the first of the largest", group(x.Used), sub(at, "used")),
	}
	if x.Largest != nil {
		rows = append(rows, fact("Largest difference that was let pass", short(*x.Largest)+" of the largest index", sub(at, "largest")))
	}
	for i, m := range x.First {
		rows = append(rows, fact("Near tie", fmt.Sprintf("round %s: logged %s, the policy chooses %s; apart by %s", group(m.Round), label(m.Logged), label(m.Replayed), short(m.Gap)), sub(at, fmt.Sprintf("first/%d", i))))
	}
	return rows
}

// choiceFacts are the rows on rounds of which the declaration leaves the choice open.
func choiceFacts(x *schemas.FreeChoices, at string) []row {
	if x == nil {
		return nil
	}
	return []row{
		fact("Rounds in which any of several arms could begin", fmt.Sprintf("%s, and in %s another did than in order", group(x.Start), group(x.StartUsed)), sub(at, "start")),
		fact("Rounds in which any of several equal arms could be played", fmt.Sprintf("%s, and in %s another was than the first", group(x.Ties), group(x.TiesUsed)), sub(at, "ties")),
	}
}

// lawFacts are the rows on actions held against recomputed propensities.
func lawFacts(x *schemas.LawReplay, at string) []row {
	rows := []row{
		fact("Wager against the propensities by "+x.By(), wager(&x.Allocation), sub(at, "allocation")),
		fact("Rounds held by it", fmt.Sprintf("%s, of them %s with an action of propensity 0", group(x.Rounds), group(x.Impossible)), sub(at, "rounds")),
	}
	if x.Detectable != nil {
		rows = append(rows, fact("Deviation of an arm's probability that is found in four of five logs", "about "+short(*x.Detectable)+" on average over the rounds", sub(at, "detectable")))
	}
	return rows
}

// mismatchFacts say where actions that are not the policy's begin and end.
func mismatchFacts(c *schemas.Conformance, at string) []row {
	m := c.FirstMismatch
	if m == nil {
		if c.Replayable == 0 {
			return nil
		}
		return []row{fact("First mismatch", "none", sub(at, "first_mismatch"))}
	}
	rows := []row{fact("First mismatch", "round "+group(m.Round)+": logged "+label(m.Logged)+", the policy chooses "+label(m.Replayed), sub(at, "first_mismatch"))}
	if c.LastMismatch == nil {
		return rows
	}
	wrong, left := c.Replayable-c.Matched, c.Rounds-m.Round+1
	return append(rows, fact("From there on", fmt.Sprintf("%s of %s do not match (%s); the last is round %s",
		group(wrong), plural(int(left), "round", "rounds"), share(wrong, left), group(*c.LastMismatch)), sub(at, "last_mismatch")))
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
	resolution(p.Digits, "Significant digits of logged propensities", "digits")
	resolution(p.DigitsByArm, "Significant digits of those by arm", "digits_by_arm")
	resolution(p.OwnDecimals, "Fewest decimals of logged propensities that were written with several precisions", "own_decimals")
	resolution(p.OwnDecimalsByArm, "Fewest decimals of those by arm that were", "own_decimals_by_arm")
	if p.Float16 {
		rows = append(rows, fact("Logged propensities are float16", "yes", sub(at, "float16")))
	}
	if p.Float16ByArm {
		rows = append(rows, fact("Those by arm are float16", "yes", sub(at, "float16_by_arm")))
	}
	if p.Resolution != nil {
		rows = append(rows, fact("Declared resolution of propensities", short(*p.Resolution), sub(at, "resolution")))
	}
	rows = append(rows, drawsFacts(p.Draws, sub(at, "draws"))...)
	if p.FirstMismatch != nil {
		rows = append(rows, fact("First propensity that differs", propensityPlace(p.FirstMismatch), sub(at, "first_mismatch")))
	}
	if p.Worst != nil {
		rows = append(rows, fact("Largest deviation of a propensity", short(abs(p.Worst.Logged-p.Worst.Replayed))+" in "+propensityPlace(p.Worst), sub(at, "worst")))
	}
	return rows
}

func propensityPlace(m *schemas.PropensityMismatch) string {
	return fmt.Sprintf("round %s, arm %s: logged %.10g, the policy's %.10g", group(m.Round), label(m.Arm), m.Logged, m.Replayed)
}

// bindings adds how many rewards of each arm could be changed so that the replay is
// what it is.
func bindings(b *builder, x *schemas.Binding, at string) {
	switch {
	case x == nil:
		return
	case x.Any:
		b.say("The policy reads no rewards: any number of them could be changed, and the replay would be what it is.")
		return
	case len(x.Arms) == 0:
		b.say("How many rewards could be changed so that the replay is what it is was not measured at this length.")
		return
	}
	b.say("Rewards that could be changed: the last so many of an arm were set to the upper end of the range, or to the lower, and the log was replayed; every action, every propensity that is compared and every released value was what it is. These are lower bounds: other rewards may be free as well." + unmeasured(x))
	t := table{Caption: "Rewards that could be changed unseen", Pointer: at, RowHead: true, Columns: []column{{Title: "Arm"}, {Title: "Set to the upper end, of those below it"}, {Title: "Set to the lower end, of those above it"}}}
	t.Rows = rowsOf(x.Arms, sub(at, "arms"), func(a *schemas.ArmBinding, here string) []cell {
		return []cell{txt(label(a.Arm)), number(changeable(a.Up), sub(here, "up/at_least")), number(changeable(a.Down), sub(here, "down/at_least"))}
	})
	b.add(t)
}

// ofDraws reports whether logged propensities were held against shares of draws.
func ofDraws(p *schemas.PropensityReplay) bool { return p != nil && p.Draws != nil }

// changeable is a lower bound, of the rewards that are not at that end already.
func changeable(c schemas.Changeable) string {
	return "at least " + group(c.AtLeast) + " of " + group(c.Of)
}

// unmeasured says of how many arms nothing is known.
func unmeasured(x *schemas.Binding) string {
	if x.Left == 0 {
		return ""
	}
	return " Not measured at this length: " + plural(int(x.Left), "arm", "arms") + ", those that were played least."
}

// bound says how many rewards could be changed: the end of a sentence.
func bound(r *Digest, rewards []float64) string {
	if r.count != 1 {
		return "the section of each experiment says how many could be changed, at least, so that its replay is what it is"
	}
	switch x := r.Experiments[0].Replay.Binding; {
	case r.Experiments[0].Replay.Mode == schemas.ModeNone:
		return "nothing was replayed that depends on them"
	case r.Experiments[0].Replay.Mode == schemas.ModeExec:
		return "in how many rounds the program answers otherwise, where it is shown other rewards, stands in its section"
	case r.Experiments[0].Replay.Mode == schemas.ModeLaw:
		return "how many could be changed was not looked at, for a wager has something to say of all rounds together alone"
	case x == nil && ofDraws(r.Experiments[0].Replay.Propensities):
		return "how many could be changed was not looked at, for propensities that are shares of draws differ from the recomputed ones anyhow"
	case x == nil:
		return "how many could be changed was not looked at, for the replay does not agree with every round of this log"
	case x.Any:
		return "the policy reads none, so that any number of them could be changed, and the replay would be what it is"
	case len(x.Arms) == 0:
		return "how many could be changed so that the replay is what it is was not measured at this length"
	default:
		most := x.Most()
		if most == nil || len(rewards) < 2 {
			return "to change the last one of any arm changed the replay, and what other changes do was not looked at" + unlooked(x)
		}
		return most.Words(label(most.Arm), rewards[0], rewards[1]) + ". The replay would be what it is" + unlooked(x)
	}
}

// unlooked says so where not all arms were measured.
func unlooked(x *schemas.Binding) string {
	if x.Left == 0 {
		return ""
	}
	return " (" + plural(int(x.Left), "arm", "arms") + " not measured at this length)"
}

// programTable is what was run, and what it answered.
func programTable(c *schemas.Conformance, at string) table {
	x, in := c.Program, sub(at, "program")
	t := quantities("The program", at)
	t.Rows = []row{fact("Arguments", label(strings.Join(x.Argv, " ")), sub(in, "argv"))}
	for i, f := range x.Files {
		t.Rows = append(t.Rows, fact("SHA-256 of "+label(f.Name), f.SHA256, sub(in, fmt.Sprintf("files/%d/sha256", i))))
	}
	if x.Failure != nil {
		t.Rows = append(t.Rows, fact("Not run to the end", "it "+x.Failure.Words, sub(in, "failure")))
		return t
	}
	t.Rows = append(
		t.Rows,
		fact("As it calls itself", label(strings.TrimSpace(x.Program+" "+x.Version)), sub(in, "program")),
		fact("Rounds", group(c.Rounds), sub(at, "rounds")),
		fact("Rounds that match", group(c.Matched)+" of "+group(c.Replayable), sub(at, "matched")),
	)
	t.Rows = append(t.Rows, mismatchFacts(c, at)...)
	if c.Law != nil {
		t.Rows = append(t.Rows, lawFacts(c.Law, sub(at, "law"))...)
	}
	t.Rows = append(t.Rows, againFacts(x.Again, sub(in, "again"))...)
	return t
}

// againFacts are the rows on runs with other rewards.
func againFacts(x *schemas.ProgramAgain, at string) []row {
	if x == nil {
		return nil
	}
	rows := []row{fact("Rounds that were run again, with rewards exchanged within arms from the middle on", group(x.Rounds), sub(at, "rounds"))}
	if x.Before != nil {
		rows = append(rows, fact("First answer that is another though nothing was changed yet", "round "+group(*x.Before), sub(at, "before")))
	}
	rows = append(rows, fact("Later answers that are others", group(x.Later), sub(at, "later")))
	if x.Mirrored != nil {
		rows = append(rows, fact("Answers that are others with every reward y as lo + hi − y", group(*x.Mirrored), sub(at, "mirrored")))
	}
	return rows
}
