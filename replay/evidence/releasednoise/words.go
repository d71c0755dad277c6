package releasednoise

import (
	"cmp"
	"fmt"
	"slices"

	"banditaudit/replay/noise"
	"banditaudit/schemas"
)

// fewest is the least number of draws of which a number is said. What is said of
// one draw, or of two, could be solved for it, and then for the rewards below it:
// the sum of one arm is what was released less the noise. Of eight it cannot; that
// is no privacy in the sense of this program either, which is why the reading is
// booked as exact.
const fewest = 8

// said is what was found of the noise, as results say it.
func (r *Noise) said(f *noise.Result) *schemas.NoiseFit {
	out := &schemas.NoiseFit{
		Releases: r.releases, Recovered: f.Recovered, Level: noise.Level, Rejected: f.Rejected,
		Ratio: schemas.Finite(f.Ratio), RatioLo: above0(f.Lo), RatioHi: schemas.Finite(f.Hi), Detectable: schemas.Finite(f.Detectable),
		OffGrid: r.offGrid, FirstOffGrid: r.firstOff, Lattice: r.step, LatticeTested: r.drawnOn > 0 && r.apart == 0, Tests: []schemas.NoiseTest{}, Groups: []schemas.NoiseGroup{}, Hypotheses: []schemas.Hypothesis{},
	}
	if law := r.log.Mechanism.Released(); law != nil && f.Tested > 0 {
		epsilon := law.Epsilon().Up()
		out.Epsilon, out.EpsilonLo, out.EpsilonHi = ofScale(epsilon, f.Ratio), ofScale(epsilon, f.Hi), ofScale(epsilon, f.Lo)
	}
	for _, t := range f.Tests {
		out.Tests = append(out.Tests, schemas.NoiseTest{
			Name: t.Name, Statistic: schemas.Finite(t.Statistic), P: schemas.Finite(t.P), Level: t.Level, Rejected: t.Rejected, Detail: t.Detail, Finds: t.Finds,
		})
	}
	hidden := hide(f.Groups)
	for i, g := range f.Groups {
		v := schemas.NoiseGroup{Arm: r.log.Label(g.Arm), Scale: g.Scale, Draws: g.Draws}
		if !hidden[i] {
			v.Ratio, v.Lo, v.Hi = schemas.Finite(g.Ratio), schemas.Finite(g.Lo), schemas.Finite(g.Hi)
		}
		out.Groups = append(out.Groups, v)
	}
	out.Groups = largest(out.Groups)
	out.Quantiles = rankedSeries(f.Ranked)
	for i := range f.Hypotheses {
		h := &f.Hypotheses[i]
		out.Hypotheses = append(out.Hypotheses, schemas.Hypothesis{
			Name: h.Name, Words: h.Words + r.cut(h), Value: schemas.Finite(h.Value), Lo: schemas.Finite(h.Lo), Hi: schemas.Finite(h.Hi),
			Rows: h.Rows, Explained: h.Explained, Largest: schemas.Finite(h.Largest), P: schemas.Finite(h.P), Fits: h.Fits, Settles: word(h.Settles),
		})
	}
	if s := f.Spent; s != nil {
		out.Spent, out.SpentLo, out.SpentHi = schemas.Ext(s.Epsilon), schemas.Ext(s.Lo), schemas.Ext(s.Hi)
		out.SpentAtLeast = s.AtLeast
	}
	if f.Tested < fewest {
		silence(out)
	}
	for i := range out.Hypotheses {
		if h := &out.Hypotheses[i]; f.Tested < fewest || h.Rows < fewest {
			quiet(h, f.Hypotheses[i].Bare)
		}
	}
	return out
}

// rankedSeries holds draws against the declared law, with the band of all of them together.
func rankedSeries(r *noise.Ranked) *schemas.Series {
	if r == nil {
		return nil
	}
	out := &schemas.Series{ID: schemas.SeriesNoise, Title: "noise in groups of neighbouring draws, by rank", Unit: "declared scales", N: int64(r.Draws), X: r.Declared, Y: r.Found, Lo: []float64{}, Hi: []float64{}}
	if !r.Stopped {
		out.Lo, out.Hi = noise.Band(r.Draws, len(r.Declared), noise.Level)
	}
	return out
}

// word is a word that may be missing.
func word(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// cut says in the words of a hypothesis on releases that not all were examined.
func (r *Noise) cut(h *noise.Hypothesis) string {
	if r.more == 0 || !h.Releases {
		return ""
	}
	return fmt.Sprintf("; tried on the first %s of %s releases, of which alone the cost is known, at least", schemas.Grouped(int64(len(r.residues))), schemas.Grouped(int64(len(r.residues))+r.more))
}

// hide says which groups are too small to say a number of, and, where those
// together are, which others hide them in the total: the smallest.
func hide(groups []noise.Group) []bool {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[a].Draws, groups[b].Draws) })
	hidden, draws := make([]bool, len(groups)), int64(0)
	for _, i := range order {
		if n := groups[i].Draws; n < fewest || draws > 0 && draws < fewest {
			hidden[i] = true
			draws += n
		}
	}
	return hidden
}

// silence takes away all numbers that could be solved for a draw. Verdicts stay.
func silence(f *schemas.NoiseFit) {
	f.Ratio, f.RatioLo, f.RatioHi, f.Epsilon, f.EpsilonLo, f.EpsilonHi = nil, nil, nil, nil, nil, nil
	f.Spent, f.SpentLo, f.SpentHi, f.SpentAtLeast = nil, nil, nil, false
	for i := range f.Tests {
		f.Tests[i].Statistic, f.Tests[i].P = nil, nil
	}
}

// quiet takes away the numbers of a hypothesis, also out of its words.
func quiet(h *schemas.Hypothesis, bare string) {
	h.Value, h.Lo, h.Hi, h.Largest, h.P = nil, nil, nil, nil, nil
	if bare != "" {
		h.Words = bare
	}
}

// ofScale is the ε of a counter with noise of ratio times the scale of one whose
// ε is given; nil where there is no ratio.
func ofScale(epsilon, ratio float64) *schemas.Extended {
	return schemas.Ext(epsilon / ratio)
}

// above0 is nil for 0 too: an end of an interval there is none.
func above0(v float64) *float64 {
	if v == 0 {
		return nil
	}
	return schemas.Finite(v)
}

// mostGroups bounds the groups of noise by arm and scale that results hold: a log
// of many arms, or a counter of many scales, would fill them with little else.
const mostGroups = 512

// largest keeps the mostGroups groups of most draws, in their order; of equal
// ones the first.
func largest(groups []schemas.NoiseGroup) []schemas.NoiseGroup {
	if len(groups) <= mostGroups {
		return groups
	}
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[b].Draws, groups[a].Draws) })
	kept := order[:mostGroups]
	slices.Sort(kept)
	out := make([]schemas.NoiseGroup, 0, mostGroups)
	for _, i := range kept {
		out = append(out, groups[i])
	}
	return out
}
