package report

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

// maxNoiseGroups is how many lines the table of noise by arm and scale has.
const maxNoiseGroups = 60

// addNoise adds the noise that was recovered from released values: of which ε it
// is, the tests of its law, its scale by arm, and what would explain another law.
func addNoise(b *builder, n *schemas.NoiseFit, declared, at string) {
	b.say(noiseSentence(n, declared))
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
		Columns: []column{{Title: "Test"}, numeric("Statistic"), numeric("p"), numeric("Level"), {Title: "Rejected"}, {Title: "Detail"}},
	}
	for i := range n.Tests {
		x, here := &n.Tests[i], item(at, i)
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			txt(label(x.Name)),
			number(opt(x.Statistic, sig), sub(here, "statistic")),
			number(pvalue(x.P, nil), sub(here, "p")),
			number(short(x.Level), sub(here, "level")),
			number(yesNo(x.Rejected), sub(here, "rejected")),
			txt(strings.TrimRight(x.Detail, ".")),
		}})
	}
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
