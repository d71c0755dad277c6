package report

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/report/answers"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// released adds what logged released values say, where there are some: of the
// actions, and of the noise in them.
func (s *experimentView) released(b *page.Builder) {
	x := s.x.Replay.Released
	if x == nil {
		return
	}
	at := s.pointer("replay", "released")
	b.Heading(s.level, "Released values, and the noise in them", at)
	b.Opening("Is the noise in what the policy saw the declared noise?", answers.Verdict(s.claim(schemas.KindPrivacyNoise)), answers.Noise(x))
	s.verdict(b, schemas.KindPrivacyNoise)
	b.Say(actionsSentence(x))
	if x.Noise != nil {
		s.noise(b, x.Noise, page.Member(at, "noise"))
	}
}

func actionsSentence(x *schemas.ReleasedReplay) string {
	switch x.Actions {
	case schemas.ActionsExact:
		return "The policy draws nothing, so that what it saw decides every action: each was recomputed from the logged values."
	case schemas.ActionsAllocation:
		return "The policy draws its action, with probabilities that were recomputed from the logged values. A wager on each arm at these odds grows only where they are wrong, and its largest value bounds p at every number of rounds."
	}
	return "The policy draws its action, and its draws are known by the seed, which decides whether the actions match."
}

// releasedFacts are the rows on released values.
func releasedFacts(x *schemas.ReleasedReplay, at string) []page.Row {
	var rows []page.Row
	if x.Actions != "seed" && x.Replayable > 0 {
		title := "Rounds with the action that the released values give"
		if x.Actions == schemas.ActionsAllocation {
			title = "Rounds with an action that can be drawn by the released values"
		}
		rows = append(rows, page.Fact(title, page.Group(x.Matched)+" of "+page.Group(x.Replayable), page.Member(at, "matched")))
		if m := x.FirstMismatch; m != nil {
			rows = append(rows, page.Fact("First that is another",
				"round "+page.Group(m.Round)+": logged "+page.Label(m.Logged)+", they give "+page.Label(m.Replayed), page.Member(at, "first_mismatch")))
		}
	}
	if t := x.Allocation; t != nil {
		rows = append(rows, page.Fact("Wager against the recomputed propensities", wager(t), page.Member(at, "allocation")))
	}
	if x.Compared > 0 {
		rows = append(rows, page.Fact("Released values that are not those of the declared counter",
			page.Group(x.Differ)+" of "+page.Group(x.Compared), page.Member(at, "differ")))
		if m := x.FirstDiffer; m != nil {
			rows = append(rows, page.Fact("First of these", fmt.Sprintf("round %s, arm %s: logged %.10g", page.Group(m.Round), page.Label(m.Arm),
				m.Logged), page.Member(at, "first_differ")))
		}
	}
	if m := x.Shared; m != nil {
		rows = append(rows, page.Fact("Noise that another experiment has too", fmt.Sprintf("the first %s of arm %s: arm %s of experiment %s; other experiments: %s",
			schemas.Counted(int(m.Draws), "draw"), page.Label(m.Arm), page.Label(m.OtherArm), page.Label(m.Experiment), page.Group(m.Experiments)),
			page.Member(at, "shared")))
	}
	rows = append(rows, page.Fact("Released values that changed although nothing was released", page.Group(x.Changed),
		page.Member(at, "changed")))
	if x.Changed > 0 {
		rows = append(rows, page.Fact("Of these, with no reward that had arrived either", page.Group(x.Redrawn), page.Member(at, "redrawn")))
	}
	if m := x.FirstChanged; m != nil {
		rows = append(rows, page.Fact("First of these", fmt.Sprintf("round %s, arm %s: logged %.10g, before %.10g", page.Group(m.Round),
			page.Label(m.Arm), m.Logged, m.Expected), page.Member(at, "first_changed")))
	}
	return rows
}

// wager says how the largest wager came out.
func wager(t *schemas.AllocationTest) string {
	on := "arm " + page.Label(t.Arm)
	if t.Before {
		on = "the arm of the unit's round before"
	}
	out := "p = " + page.PValue(&t.P, nil) + ", " + on + ", level " + page.Short(t.Level) + " over all arms"
	if t.Later > 0 {
		out += " and the arm of the unit's round before (in " + page.Group(t.Later) + " later rounds)"
	}
	if t.Round != nil {
		return out + ": reached in round " + page.Group(*t.Round)
	}
	return out + ": not reached"
}

// maxNoiseGroups is how many lines the table of noise by arm and scale has.
const maxNoiseGroups = 60

// noise adds the noise that was recovered from released values: of which ε it
// is, the tests of its law, its scale by arm, and what would explain another law.
func (s *experimentView) noise(b *page.Builder, n *schemas.NoiseFit, at string) {
	b.Say(noiseSentence(n, s.protocol.DeclaredEpsilon()))
	s.figure(b, figure.Noise, "")
	if len(n.Tests) > 0 {
		b.Add(noiseTests(n, page.Member(at, "tests")))
	}
	if len(n.Hypotheses) > 0 {
		addHypotheses(b, "What would explain the noise", n.Hypotheses, page.Member(at, "hypotheses"))
	}
	if n.Spent != nil {
		b.Say(spentSentence(n))
	}
	if len(n.Groups) > 0 {
		title := "Scale of the noise by arm"
		if len(n.Groups) > maxNoiseGroups {
			title += "; the first " + page.Group(maxNoiseGroups) + " of " + page.Group(int64(len(n.Groups))) + " in tables/noise_scales.parquet, which holds the 512 of most draws where there are more"
		}
		b.Add(page.Fold{Title: title, Blocks: []page.Block{noiseGroups(n.Groups, page.Member(at, "groups"))}})
	}
}

// spentSentence says what the releases cost by the explanation that fits.
func spentSentence(n *schemas.NoiseFit) string {
	out := "By the explanation that fits, the releases of this log cost the row that paid most "
	if n.SpentAtLeast {
		out += "at least "
	}
	out += "ε = " + page.Ext(n.Spent, page.Sig) + page.Between(n.SpentLo, n.SpentHi)
	switch {
	case !n.Scaled():
		return out + ": that is the sum over the releases that a row was in, which any noise has, while no ε of the declared counter gives noise of this form."
	case !math.IsInf(float64(*n.Spent), 1):
		out += " (realised: of what was released; the ε of the noise above is that of the mechanism, on any path)"
	}
	return out + "."
}

// noiseSentence says how much noise could be seen, and whose it is.
func noiseSentence(n *schemas.NoiseFit, declared string) string {
	out := fmt.Sprintf("Noise is what was released less the exact sum of the same rows. %s of it could be told apart in %s",
		schemas.Counted(int(n.Recovered), "draw"), schemas.Counted(int(n.Releases), "release"))
	switch {
	case n.Epsilon == nil:
		return out + ", too few to say of which ε it is."
	case !n.Rejected && !n.Scaled():
		return out + ", one for each release, and these are of the declared law; values were shown with other noise too, so that the ε of that law is not the one of this log."
	case !n.Scaled():
		return out + ": it does not have the form of the declared noise, so that no ε of the declared counter gives it."
	}
	out += ": the noise is that of ε = " + page.Ext(n.Epsilon, page.Sig) + page.Between(n.EpsilonLo, n.EpsilonHi)
	if e, other := n.OfMechanism(declared); other {
		out += "; of the declared mechanism it is ε = " + page.Sig(e) + " for the counter of each arm (counter.epsilon is " + declared + ", and is not what its releases cost)"
	} else if declared != "" {
		out += "; declared is ε = " + declared + " for the counter of each arm"
	}
	if n.Ratio != nil {
		out += ". Its scale is " + page.Sig(*n.Ratio)
		if n.RatioLo != nil && n.RatioHi != nil {
			out += " (" + page.Sig(*n.RatioLo) + ", " + page.Sig(*n.RatioHi) + ")"
		}
		out += " times the declared one"
	}
	out += "."
	if n.EpsilonLo != nil || n.RatioLo != nil {
		out += " The intervals have level " + schemas.NoiseIntervalLevel + "."
	}
	if n.Detectable != nil {
		out += " A scale of about " + page.Short(*n.Detectable) + " times the declared one, or of 1/" + page.Short(*n.Detectable) + " of it, would have been found with 80 % power."
	}
	if n.OffGrid > 0 {
		out += " " + schemas.Plural(int(n.OffGrid), "released value is", "released values are") + " no multiple of the declared grid, as are values that were rounded when they were written."
	}
	return out
}

func noiseTests(n *schemas.NoiseFit, at string) page.Table {
	t := page.Table{
		Caption: "Tests of the noise, level " + page.Short(n.Level) + " together",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{{Title: "Test"}, page.Numeric("Statistic"), page.Numeric("p"), page.Numeric("Level"), {Title: "Rejected"}, {Title: "Would have found"}, {Title: "Detail"}},
	}
	t.Rows = page.RowsOf(n.Tests, at, func(x *schemas.NoiseTest, here string) []page.Cell {
		return []page.Cell{
			page.Text(page.Label(x.Name)),
			page.Number(page.Opt(x.Statistic, page.Sig), page.Member(here, "statistic")),
			page.Number(page.PValue(x.P, nil), page.Member(here, "p")),
			page.Number(page.Short(x.Level), page.Member(here, "level")),
			page.Number(page.YesNo(x.Rejected), page.Member(here, "rejected")),
			page.Number(page.OrDash(x.Finds), page.Member(here, "finds")),
			page.Text(strings.TrimRight(x.Detail, ".")),
		}
	})
	return t
}

func noiseGroups(groups []schemas.NoiseGroup, at string) page.Table {
	t := page.Table{
		Caption: "Scale of the noise by arm and declared scale",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{{Title: "Arm"}, page.Numeric("Declared scale"), page.Numeric("Draws"), page.Numeric("Scale found over it"), {Title: "Interval", Note: "level " + schemas.NoiseIntervalLevel, Numeric: true}},
	}
	t.Rows = page.RowsOf(groups[:min(len(groups), maxNoiseGroups)], at, func(g *schemas.NoiseGroup, here string) []page.Cell {
		ends := page.Dash
		if g.Lo != nil && g.Hi != nil {
			ends = "(" + page.Sig(*g.Lo) + ", " + page.Sig(*g.Hi) + ")"
		}
		return []page.Cell{
			page.Text(page.Label(g.Arm)),
			page.Number(page.Short(g.Scale), page.Member(here, "scale")),
			page.Number(page.Group(g.Draws), page.Member(here, "draws")),
			page.Number(page.Opt(g.Ratio, page.Sig), page.Member(here, "ratio")),
			page.Number(ends, page.Member(here, "lo")),
		}
	})
	return t
}
