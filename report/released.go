package report

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

// released adds what logged released values say, where there are some: of the
// actions, and of the noise in them.
func (s *experimentView) released(b *builder) {
	x := s.x.Replay.Released
	if x == nil {
		return
	}
	at := s.pointer("replay", "released")
	b.heading(s.level, "Released values, and the noise in them", at)
	b.opening("Is the noise in what the policy saw the declared noise?", s.verdictAnswer(schemas.KindPrivacyNoise), noiseAnswer(x))
	s.verdict(b, schemas.KindPrivacyNoise)
	b.say(actionsSentence(x))
	if x.Noise != nil {
		s.noise(b, x.Noise, sub(at, "noise"))
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
func releasedFacts(x *schemas.ReleasedReplay, at string) []row {
	var rows []row
	if x.Actions != "seed" && x.Replayable > 0 {
		title := "Rounds with the action that the released values give"
		if x.Actions == schemas.ActionsAllocation {
			title = "Rounds with an action that can be drawn by the released values"
		}
		rows = append(rows, fact(title, group(x.Matched)+" of "+group(x.Replayable), sub(at, "matched")))
		if m := x.FirstMismatch; m != nil {
			rows = append(rows, fact("First that is another", "round "+group(m.Round)+": logged "+label(m.Logged)+", they give "+label(m.Replayed), sub(at, "first_mismatch")))
		}
	}
	if t := x.Allocation; t != nil {
		rows = append(rows, fact("Wager against the recomputed propensities", wager(t), sub(at, "allocation")))
	}
	if x.Compared > 0 {
		rows = append(rows, fact("Released values that are not those of the declared counter", group(x.Differ)+" of "+group(x.Compared), sub(at, "differ")))
		if m := x.FirstDiffer; m != nil {
			rows = append(rows, fact("First of these", fmt.Sprintf("round %s, arm %s: logged %.10g", group(m.Round), label(m.Arm), m.Logged), sub(at, "first_differ")))
		}
	}
	if m := x.Shared; m != nil {
		rows = append(rows, fact("Noise that another experiment has too", fmt.Sprintf("the first %s of arm %s: arm %s of experiment %s; other experiments: %s",
			plural(int(m.Draws), "draw", "draws"), label(m.Arm), label(m.OtherArm), label(m.Experiment), group(m.Experiments)), sub(at, "shared")))
	}
	rows = append(rows, fact("Released values that changed although nothing was released", group(x.Changed), sub(at, "changed")))
	if x.Changed > 0 {
		rows = append(rows, fact("Of these, with no reward that had arrived either", group(x.Redrawn), sub(at, "redrawn")))
	}
	if m := x.FirstChanged; m != nil {
		rows = append(rows, fact("First of these", fmt.Sprintf("round %s, arm %s: logged %.10g, before %.10g", group(m.Round), label(m.Arm), m.Logged, m.Expected), sub(at, "first_changed")))
	}
	return rows
}

// wager says how the largest wager came out.
func wager(t *schemas.AllocationTest) string {
	on := "arm " + label(t.Arm)
	if t.Before {
		on = "the arm of the unit's round before"
	}
	out := "p = " + pvalue(&t.P, nil) + ", " + on + ", level " + short(t.Level) + " over all arms"
	if t.Later > 0 {
		out += " and the arm of the unit's round before (in " + group(t.Later) + " later rounds)"
	}
	if t.Round != nil {
		return out + ": reached in round " + group(*t.Round)
	}
	return out + ": not reached"
}

// maxNoiseGroups is how many lines the table of noise by arm and scale has.
const maxNoiseGroups = 60

// noise adds the noise that was recovered from released values: of which ε it
// is, the tests of its law, its scale by arm, and what would explain another law.
func (s *experimentView) noise(b *builder, n *schemas.NoiseFit, at string) {
	b.say(noiseSentence(n, s.protocol.declaredEpsilon()))
	s.figure(b, figureNoise, "")
	if len(n.Tests) > 0 {
		b.add(noiseTests(n, sub(at, "tests")))
	}
	if len(n.Hypotheses) > 0 {
		addHypotheses(b, "What would explain the noise", n.Hypotheses, sub(at, "hypotheses"))
	}
	if n.Spent != nil {
		b.say(spentSentence(n))
	}
	if len(n.Groups) > 0 {
		title := "Scale of the noise by arm"
		if len(n.Groups) > maxNoiseGroups {
			title += "; the first " + group(maxNoiseGroups) + " of " + group(int64(len(n.Groups))) + " in tables/noise_scales.parquet, which holds the 512 of most draws where there are more"
		}
		b.add(fold{Title: title, Blocks: []block{noiseGroups(n.Groups, sub(at, "groups"))}})
	}
}

// spentSentence says what the releases cost by the explanation that fits.
func spentSentence(n *schemas.NoiseFit) string {
	out := "By the explanation that fits, the releases of this log cost the row that paid most "
	if n.SpentAtLeast {
		out += "at least "
	}
	out += "ε = " + ext(n.Spent, sig) + between(n.SpentLo, n.SpentHi)
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
		plural(int(n.Recovered), "draw", "draws"), plural(int(n.Releases), "release", "releases"))
	switch {
	case n.Epsilon == nil:
		return out + ", too few to say of which ε it is."
	case !n.Rejected && !n.Scaled():
		return out + ", one for each release, and these are of the declared law; values were shown with other noise too, so that the ε of that law is not the one of this log."
	case !n.Scaled():
		return out + ": it does not have the form of the declared noise, so that no ε of the declared counter gives it."
	}
	out += ": the noise is that of ε = " + ext(n.Epsilon, sig) + between(n.EpsilonLo, n.EpsilonHi)
	if e, other := n.OfMechanism(declared); other {
		out += "; of the declared mechanism it is ε = " + sig(e) + " for the counter of each arm (counter.epsilon is " + declared + ", and is not what its releases cost)"
	} else if declared != "" {
		out += "; declared is ε = " + declared + " for the counter of each arm"
	}
	if n.Ratio != nil {
		out += ". Its scale is " + sig(*n.Ratio)
		if n.RatioLo != nil && n.RatioHi != nil {
			out += " (" + sig(*n.RatioLo) + ", " + sig(*n.RatioHi) + ")"
		}
		out += " times the declared one"
	}
	out += "."
	if n.EpsilonLo != nil || n.RatioLo != nil {
		out += " The intervals have level " + schemas.NoiseIntervalLevel + "."
	}
	if n.Detectable != nil {
		out += " A scale of about " + short(*n.Detectable) + " times the declared one, or of 1/" + short(*n.Detectable) + " of it, would have been found with 80 % power."
	}
	if n.OffGrid > 0 {
		out += " " + plural(int(n.OffGrid), "released value is", "released values are") + " no multiple of the declared grid, as are values that were rounded when they were written."
	}
	return out
}

// between is an interval of privacy parameters behind its estimate.
func between(lo, hi *schemas.Extended) string {
	if lo == nil || hi == nil {
		return ""
	}
	return " (" + ext(lo, sig) + ", " + ext(hi, sig) + ")"
}

func noiseTests(n *schemas.NoiseFit, at string) table {
	t := table{
		Caption: "Tests of the noise, level " + short(n.Level) + " together",
		Pointer: at,
		RowHead: true,
		Columns: []column{{Title: "Test"}, numeric("Statistic"), numeric("p"), numeric("Level"), {Title: "Rejected"}, {Title: "Would have found"}, {Title: "Detail"}},
	}
	t.Rows = rowsOf(n.Tests, at, func(x *schemas.NoiseTest, here string) []cell {
		return []cell{
			txt(label(x.Name)),
			number(opt(x.Statistic, sig), sub(here, "statistic")),
			number(pvalue(x.P, nil), sub(here, "p")),
			number(short(x.Level), sub(here, "level")),
			number(yesNo(x.Rejected), sub(here, "rejected")),
			number(findsWords(x.Finds), sub(here, "finds")),
			txt(strings.TrimRight(x.Detail, ".")),
		}
	})
	return t
}

func noiseGroups(groups []schemas.NoiseGroup, at string) table {
	t := table{
		Caption: "Scale of the noise by arm and declared scale",
		Pointer: at,
		RowHead: true,
		Columns: []column{{Title: "Arm"}, numeric("Declared scale"), numeric("Draws"), numeric("Scale found over it"), {Title: "Interval", Note: "level " + schemas.NoiseIntervalLevel, Numeric: true}},
	}
	for i := range groups {
		if i == maxNoiseGroups {
			break
		}
		g, here := &groups[i], item(at, i)
		ends := dash
		if g.Lo != nil && g.Hi != nil {
			ends = "(" + sig(*g.Lo) + ", " + sig(*g.Hi) + ")"
		}
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			txt(label(g.Arm)),
			number(short(g.Scale), sub(here, "scale")),
			number(group(g.Draws), sub(here, "draws")),
			number(opt(g.Ratio, sig), sub(here, "ratio")),
			number(ends, sub(here, "lo")),
		}})
	}
	return t
}

// findsWords is what a test of noise would have found; a dash in bundles that do not say it.
func findsWords(finds string) string {
	if finds == "" {
		return dash
	}
	return finds
}
