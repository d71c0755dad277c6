package report

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// conformance adds what the teacher-forced replay found, by every kind of
// evidence that the log has.
func (s *experimentView) conformance(b *page.Builder) {
	at := s.pointer("replay")
	b.Heading(s.level, "Policy conformance", at)
	b.Opening("Is the log what the declared policy would have chosen?", answers.Verdict(s.claim(schemas.KindConformance)),
		answers.Choice(s.x, s.protocol))
	s.verdict(b, schemas.KindConformance)
	c := &s.x.Replay
	if c.Released == nil {
		s.verdict(b, schemas.KindPrivacyNoise) // has a section of its own otherwise
	}
	b.Say(modeSentence(c, s.protocol))
	if c.Mode != schemas.ModePropensity && c.Propensities != nil {
		b.Say("The logged propensities were compared with those that the policy gives in the same rounds.")
	}
	if c.Program != nil {
		b.Add(programTable(c, at))
	}
	if s.protocol.Policy != nil {
		b.Add(conformanceTable(c, at))
		hints(b, c.Hints, page.Member(at, "hints"))
		bindings(b, c.Binding, page.Member(at, "binding"))
		s.propensities(b, c.Propensities, page.Member(at, "propensities"))
		s.seedParas(b, c)
		if c.Mode == schemas.ModeReleased {
			b.Add(page.FixedPara(answers.ReleasedSentence))
		}
	}
	s.figure(b, figure.Allocation, "Allocation over time is not drawn: the results hold no series allocation/<arm>. It is drawn from the action and order columns of the log.")
}

// seedParas say what a seed shows, where it was the evidence, and what else than
// another policy a failed replay from one can be.
func (s *experimentView) seedParas(b *page.Builder, c *schemas.Conformance) {
	if c.Mode != schemas.ModeSeed {
		return
	}
	if c.FirstMismatch != nil && !c.Undrawn {
		b.Say(answers.StreamsSentence)
	}
	sentence := schemas.SeedSentence
	if c.Undrawn {
		sentence = schemas.UndrawnSentence
	}
	b.Add(page.FixedPara(sentence))
}

func modeSentence(c *schemas.Conformance, p *digest.Protocol) string {
	switch mode := c.Mode; {
	case mode == schemas.ModeExec:
		return "Mode exec: the program that the protocol names was run on the logged history. It was shown contexts, arms that could be played and the rewards of earlier rounds, and answered before it was shown the round. The program is code of whoever wrote the protocol: that it is the policy that was deployed is for the reader to judge."
	case p.Policy == nil:
		return "No policy was declared, so there is nothing to replay. Declaring one, with the seed that was used, or with logged propensities, would let its choices be recomputed."
	case mode == schemas.ModeSeed && c.Undrawn:
		return "Mode seed: " + replayedRounds(c) + ", the declared policy was run on the logged history and its choice compared " +
			"with the logged action. Nothing is drawn, so no seed is needed."
	case mode == schemas.ModeSeed:
		return "Mode seed: " + replayedRounds(c) + ", the declared policy was run on the logged history with the noise that the " +
			"seed gives, and its choice compared with the logged action."
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
		return "in the rounds that could be replayed, " + page.Group(c.Replayable) + " of " + page.Group(c.Rounds)
	}
	return "each round"
}

func conformanceTable(c *schemas.Conformance, at string) page.Table {
	t := page.Quantities("Replay of the log", at)
	t.Rows = []page.Row{
		page.Fact("Rounds", page.Group(c.Rounds), page.Member(at, "rounds")),
		page.Fact("Rounds that could be replayed", page.Group(c.Replayable), page.Member(at, "replayable")),
		page.Fact("Rounds that match", page.Group(c.Matched)+" of "+page.Group(c.Replayable), page.Member(at, "matched")),
	}
	t.Rows = append(t.Rows, mismatchFacts(c, at)...)
	t.Rows = append(t.Rows, tieFacts(c.NearTies, page.Member(at, "near_ties"))...)
	t.Rows = append(t.Rows, choiceFacts(c.Choices, page.Member(at, "free_choices"))...)
	if c.Propensities != nil {
		t.Rows = append(t.Rows, propensityFacts(c.Propensities, page.Member(at, "propensities"))...)
	}
	if c.Law != nil {
		t.Rows = append(t.Rows, lawFacts(c.Law, page.Member(at, "law"))...)
	}
	if c.Released != nil {
		t.Rows = append(t.Rows, releasedFacts(c.Released, page.Member(at, "released"))...)
	}
	return t
}

// hints adds what came of trying the neighbours of the declared options.
func hints(b *page.Builder, h *schemas.Hints, at string) {
	if h == nil {
		return
	}
	b.Say("Neighbours of the declared policy were tried, the same with one option changed, or two, as other programs have it: " +
		page.OrDash(h.Sentence()) + ".")
	if len(h.Named) == 0 {
		return
	}
	t := page.Table{Caption: "Neighbours that match more rounds: hints, and no verdict", Pointer: page.Member(at, "neighbours"), RowHead: true, Columns: []page.Column{{Title: "Declared under policy"}, page.Numeric("Rounds that match"), page.Numeric("Of rounds")}}
	for i := range h.Named {
		x, here := &h.Named[i], page.Element(page.Member(at, "neighbours"), i)
		name := page.Text(page.OrDash(strings.Join(x.Declare, ", ")))
		if len(x.Without) > 0 {
			name.Below("without " + page.OrDash(strings.Join(x.Without, ", ")))
		}
		t.Rows.Add(here, name, page.Number(page.Group(x.Matched), page.Member(here, "matched")),
			page.Number(page.Group(x.Rounds), page.Member(here, "rounds")))
	}
	b.Add(t)
}

// tieFacts are the rows on rounds that rounding may have decided.
func tieFacts(x *schemas.NearTies, at string) []page.Row {
	if x == nil {
		return nil
	}
	rows := []page.Row{
		page.Fact("Rounds with several indices within the window of near ties",
			fmt.Sprintf("%s (policy.near_ties: %s of the largest)", page.Group(x.Rounds), page.Short(x.Window)), page.Member(at, "rounds")),
		page.Fact("Of these, with another arm than the first of the largest", page.Group(x.Used), page.Member(at, "used")),
	}
	if x.Largest != nil {
		rows = append(rows, page.Fact("Largest difference that was let pass", page.Short(*x.Largest)+" of the largest index",
			page.Member(at, "largest")))
	}
	for i, m := range x.First {
		rows = append(rows, page.Fact("Near tie", fmt.Sprintf("round %s: logged %s, the policy chooses %s; apart by %s", page.Group(m.Round),
			page.Label(m.Logged), page.Label(m.Replayed), page.Short(m.Gap)), page.Member(at, fmt.Sprintf("first/%d", i))))
	}
	return rows
}

// choiceFacts are the rows on rounds of which the declaration leaves the choice open.
func choiceFacts(x *schemas.FreeChoices, at string) []page.Row {
	if x == nil {
		return nil
	}
	return []page.Row{
		page.Fact("Rounds in which any of several arms could begin",
			fmt.Sprintf("%s, and in %s another did than in order", page.Group(x.Start), page.Group(x.StartUsed)), page.Member(at, "start")),
		page.Fact("Rounds in which any of several equal arms could be played",
			fmt.Sprintf("%s, and in %s another was than the first", page.Group(x.Ties), page.Group(x.TiesUsed)), page.Member(at, "ties")),
	}
}

// lawFacts are the rows on actions held against recomputed propensities.
func lawFacts(x *schemas.LawReplay, at string) []page.Row {
	rows := []page.Row{
		page.Fact("Wager against the propensities by "+x.By(), wager(&x.Allocation), page.Member(at, "allocation")),
		page.Fact("Rounds held by it", fmt.Sprintf("%s, of them %s with an action of propensity 0", page.Group(x.Rounds),
			page.Group(x.Impossible)), page.Member(at, "rounds")),
	}
	if x.Detectable != nil {
		rows = append(rows, page.Fact("Deviation of an arm's probability that is found in four of five logs",
			"about "+page.Short(*x.Detectable)+" on average over the rounds", page.Member(at, "detectable")))
	}
	return rows
}

// mismatchFacts say where actions that are not the policy's begin and end.
func mismatchFacts(c *schemas.Conformance, at string) []page.Row {
	m := c.FirstMismatch
	if m == nil {
		if c.Replayable == 0 {
			return nil
		}
		return []page.Row{page.Fact("First mismatch", "none", page.Member(at, "first_mismatch"))}
	}
	rows := []page.Row{page.Fact("First mismatch",
		"round "+page.Group(m.Round)+": logged "+page.Label(m.Logged)+", the policy chooses "+page.Label(m.Replayed),
		page.Member(at, "first_mismatch"))}
	if c.LastMismatch == nil {
		return rows
	}
	wrong, left := c.Replayable-c.Matched, c.Rounds-m.Round+1
	return append(rows, page.Fact("From there on", fmt.Sprintf("%s of %s do not match (%s); the last is round %s",
		page.Group(wrong), schemas.Counted(int(left), "round"), page.Share(wrong, left), page.Group(*c.LastMismatch)),
		page.Member(at, "last_mismatch")))
}

// propensityFacts are the rows on logged propensities.
func propensityFacts(p *schemas.PropensityReplay, at string) []page.Row {
	rows := []page.Row{page.Fact("Rounds whose propensities match", page.Group(p.Matched)+" of "+page.Group(p.Rounds),
		page.Member(at, "matched"))}
	resolution := func(decimals *int64, title, key string) {
		if decimals != nil {
			rows = append(rows, page.Fact(title, page.Group(*decimals), page.Member(at, key)))
		}
	}
	resolution(p.Decimals, "Decimals of logged propensities", "decimals")
	resolution(p.DecimalsByArm, "Decimals of those by arm", "decimals_by_arm")
	resolution(p.Digits, "Significant digits of logged propensities", "digits")
	resolution(p.DigitsByArm, "Significant digits of those by arm", "digits_by_arm")
	resolution(p.OwnDecimals, "Fewest decimals of logged propensities that were written with several precisions", "own_decimals")
	resolution(p.OwnDecimalsByArm, "Fewest decimals of those by arm that were", "own_decimals_by_arm")
	if p.Float16 {
		rows = append(rows, page.Fact("Logged propensities are float16", "yes", page.Member(at, "float16")))
	}
	if p.Float16ByArm {
		rows = append(rows, page.Fact("Those by arm are float16", "yes", page.Member(at, "float16_by_arm")))
	}
	if p.Resolution != nil {
		rows = append(rows, page.Fact("Declared resolution of propensities", page.Short(*p.Resolution), page.Member(at, "resolution")))
	}
	rows = append(rows, drawsFacts(p.Draws, page.Member(at, "draws"))...)
	if p.FirstMismatch != nil {
		rows = append(rows, page.Fact("First propensity that differs", propensityPlace(p.FirstMismatch), page.Member(at, "first_mismatch")))
	}
	if p.Worst != nil {
		rows = append(rows, page.Fact("Largest deviation of a propensity",
			page.Short(math.Abs(p.Worst.Logged-p.Worst.Replayed))+" in "+propensityPlace(p.Worst), page.Member(at, "worst")))
	}
	return rows
}

// bindings adds how many rewards of each arm could be changed so that the replay is
// what it is.
func bindings(b *page.Builder, x *schemas.Binding, at string) {
	switch {
	case x == nil:
		return
	case x.Any:
		b.Say("The policy reads no rewards: any number of them could be changed, and the replay would be what it is.")
		return
	case len(x.Arms) == 0:
		b.Say("How many rewards could be changed so that the replay is what it is was not measured at this length.")
		return
	}
	b.Say("Undetectable reward edits: an arm's last rewards were set to one end of the range and the log was replayed. Every " +
		"action, compared propensity and released value stayed as logged. These are lower bounds." + unmeasured(x))
	t := page.Table{Caption: "Rewards that could be changed unseen", Pointer: at, RowHead: true, Columns: []page.Column{{Title: "Arm"}, {Title: "Set to the upper end, of those below it"}, {Title: "Set to the lower end, of those above it"}}}
	t.Rows = page.RowsOf(x.Arms, page.Member(at, "arms"), func(a *schemas.ArmBinding, here string) []page.Cell {
		return []page.Cell{page.Text(page.Label(a.Arm)), page.Number(changeable(a.Up), page.Member(here, "up/at_least")), page.Number(changeable(a.Down), page.Member(here, "down/at_least"))}
	})
	b.Add(t)
}

// ofDraws reports whether logged propensities were held against shares of draws.
func ofDraws(p *schemas.PropensityReplay) bool { return p != nil && p.Draws != nil }

// changeable is a lower bound, of the rewards that are not at that end already.
func changeable(c schemas.Changeable) string {
	return "at least " + page.Group(c.AtLeast) + " of " + page.Group(c.Of)
}

// unmeasured says of how many arms nothing is known.
func unmeasured(x *schemas.Binding) string {
	if x.Left == 0 {
		return ""
	}
	return " Not measured at this length: " + schemas.Counted(int(x.Left), "arm") + ", those that were played least."
}

// bound says how many rewards could be changed: the end of a sentence.
func bound(r *digest.Digest, rewards []float64) string {
	if r.Count() != 1 {
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
		return most.Words(page.Label(most.Arm), rewards[0], rewards[1]) + ". The replay would be what it is" + unlooked(x)
	}
}

// unlooked says so where not all arms were measured.
func unlooked(x *schemas.Binding) string {
	if x.Left == 0 {
		return ""
	}
	return " (" + schemas.Counted(int(x.Left), "arm") + " not measured at this length)"
}

// programTable is what was run, and what it answered.
func programTable(c *schemas.Conformance, at string) page.Table {
	x, in := c.Program, page.Member(at, "program")
	t := page.Quantities("The program", at)
	t.Rows = []page.Row{page.Fact("Arguments", page.Label(strings.Join(x.Argv, " ")), page.Member(in, "argv"))}
	for i, f := range x.Files {
		t.Rows = append(t.Rows, page.Fact("SHA-256 of "+page.Label(f.Name), f.SHA256, page.Member(in, fmt.Sprintf("files/%d/sha256", i))))
	}
	if x.Failure != nil {
		t.Rows = append(t.Rows, page.Fact("Not run to the end", "it "+x.Failure.Words, page.Member(in, "failure")))
		return t
	}
	t.Rows = append(
		t.Rows,
		page.Fact("As it calls itself", page.Label(strings.TrimSpace(x.Program+" "+x.Version)), page.Member(in, "program")),
		page.Fact("Rounds", page.Group(c.Rounds), page.Member(at, "rounds")),
		page.Fact("Rounds that match", page.Group(c.Matched)+" of "+page.Group(c.Replayable), page.Member(at, "matched")),
	)
	t.Rows = append(t.Rows, mismatchFacts(c, at)...)
	if c.Law != nil {
		t.Rows = append(t.Rows, lawFacts(c.Law, page.Member(at, "law"))...)
	}
	t.Rows = append(t.Rows, againFacts(x.Again, page.Member(in, "again"))...)
	return t
}

// againFacts are the rows on runs with other rewards.
func againFacts(x *schemas.ProgramAgain, at string) []page.Row {
	if x == nil {
		return nil
	}
	rows := []page.Row{page.Fact("Rounds that were run again, with rewards exchanged within arms from the middle on", page.Group(x.Rounds),
		page.Member(at, "rounds"))}
	if x.Before != nil {
		rows = append(rows, page.Fact("First answer that is another though nothing was changed yet", "round "+page.Group(*x.Before),
			page.Member(at, "before")))
	}
	rows = append(rows, page.Fact("Later answers that are others", page.Group(x.Later), page.Member(at, "later")))
	if x.Mirrored != nil {
		rows = append(rows, page.Fact("Answers that are others with every reward y as lo + hi − y", page.Group(*x.Mirrored),
			page.Member(at, "mirrored")))
	}
	return rows
}
