package publiclog

import (
	"math"
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/replay/conformance"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
)

// fewestSteps is the least number of lattice steps in the smallest declared scale at which
// Detectable is said: Detectable is computed for a continuous law, and draws on a coarser
// lattice tell less of their scale.
const fewestSteps = 10

// ShareLevels is what the replay found, nil where none was run, with the tests on released
// values decided again: their levels, of which the replay of one experiment knows
// only its own, are divided by the number of experiments of the log (Bonferroni).
// What is decided here is what claims, results and report say; nothing decides it
// a second time. Noise that is in another experiment too is noted.
//
// The wager of a replay on actions has one of wagerParts of its level: where H05 and H17
// hold arms against recomputed propensities too, these have the rest.
//
// A p that is not said, of fewer draws than its numbers could hide, rejects at
// the level of one experiment alone: whether it does at a smaller one is not
// known, and the noise is then not held against its law.
func ShareLevels(in *Log) *schemas.Conformance {
	if in.Replay == nil {
		return nil
	}
	r := in.Replay.Conformance
	n := float64(in.Whole().Experiments)
	wagers := n * in.wagerParts()
	if r.Law != nil {
		law := *r.Law
		level := law.Allocation.Level
		law.Allocation = *sharedWager(&law.Allocation, wagers)
		if d := law.Detectable; d != nil && wagers > 1 {
			law.Detectable = new(min(conformance.AtLevel(*d, len(in.Manifest.Arms), level, level/wagers), math.Nextafter(1, 0)))
		}
		r.Law = &law
	}
	if d := drawnShares(&r); d != nil {
		p, shares := *r.Propensities, *d
		shares.Allocation = sharedWager(d.Allocation, wagers)
		p.Draws, r.Propensities = &shares, &p
	}
	if r.Released == nil {
		return &r
	}
	x := *r.Released
	if x.Allocation != nil {
		x.Allocation = sharedWager(x.Allocation, wagers)
	}
	if x.Noise != nil {
		x.Noise = sharedNoise(in, *x.Noise, n, x.Redrawn > 0)
	}
	x.Shared = in.Shared
	r.Released = &x
	return &r
}

// drawnShares are shares of draws whose actions a replay wagered on; nil for none.
func drawnShares(of *schemas.Conformance) *schemas.PropensityDraws {
	if p := of.Propensities; p != nil && p.Draws != nil && p.Draws.Allocation != nil {
		return p.Draws
	}
	return nil
}

// sharedWager is shareLevels for a wager, of n experiments.
func sharedWager(of *schemas.AllocationTest, n float64) *schemas.AllocationTest {
	t := *of
	t.Level /= n
	if t.Rejected = t.Rejected && t.P <= t.Level; !t.Rejected {
		t.Round = nil
	}
	return &t
}

// sharedNoise is shareLevels for recovered noise, of n experiments. Noise that was
// redrawn keeps its explanations, whatever the tests say.
func sharedNoise(in *Log, fit schemas.NoiseFit, n float64, redrawn bool) *schemas.NoiseFit {
	fit.Level /= n
	fit.Tests = slices.Clone(fit.Tests)
	rejected, unsaid := false, false
	for i := range fit.Tests {
		t := &fit.Tests[i]
		t.Level /= n
		if n > 1 && t.Finds != "" {
			t.Finds += ", at the level of one experiment alone"
		}
		unsaid = unsaid || n > 1 && t.Rejected && t.P == nil
		t.Rejected = t.Rejected && (n == 1 || t.P != nil) && (t.P == nil || *t.P <= t.Level)
		rejected = rejected || t.Rejected
	}
	fit.Rejected = rejected
	if !rejected && !redrawn {
		fit.Hypotheses, fit.Spent, fit.SpentLo, fit.SpentHi = []schemas.Hypothesis{}, nil, nil, nil
	}
	if fit.Detectable != nil && n > 1 {
		fit.Detectable = finiteOrNil(noise.Detectable(int(fit.Recovered), noise.Share/n))
	}
	if unsaid || Coarse(in, &fit) {
		fit.Detectable = nil
	}
	fit.Quantiles = sharedBand(in, &fit)
	if unsaid {
		fit.RatioLo, fit.RatioHi = nil, nil
	}
	return &fit
}

// sharedBand are the draws against the declared law, with the band of all experiments
// together; nil where no lines of figures are kept.
func sharedBand(in *Log, fit *schemas.NoiseFit) *schemas.Series {
	if fit.Quantiles == nil || !in.Figured() {
		return nil
	}
	q := *fit.Quantiles
	if len(q.Lo) > 0 {
		q.Lo, q.Hi = noise.Band(int(q.N), len(q.X), fit.Level)
	}
	return &q
}

// Coarse reports whether the lattice of the declared counter is coarse beside the
// smallest scale of the noise.
func Coarse(in *Log, fit *schemas.NoiseFit) bool {
	if in.Mechanism == nil {
		return false
	}
	grid := in.Mechanism.Grid()
	return slices.ContainsFunc(fit.Groups, func(g schemas.NoiseGroup) bool { return float64(grid*fewestSteps) > g.Scale })
}

func finiteOrNil(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// FalseDraws is falseAlarm of a test of draws: where no unit is declared every round
// counts as drawn anew, which the words say.
func (in *Log) FalseDraws(level float64) string {
	if in.Slice.Schema().Unit {
		return in.Whole().FalseAlarm(level)
	}
	return in.Whole().FalseAlarm(level) + ", " + check.AnewWords
}
