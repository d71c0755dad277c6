package report

import "banditaudit/schemas"

// What a report has to explain only where it holds such a thing, besides the
// kinds and methods of tests, which stand for themselves.
const (
	seenUnits       = "estimates by unit"
	seenClusters    = "errors by cluster"
	seenRegressions = "fits"
	seenCoefficient = "bias of a coefficient"
	seenPrediction  = "bias of a prediction"
	seenWords       = "raw tests in words"
	seenDelta       = "bias by ε and δ"
	seenNoise       = "recovered noise"
	seenWager       = "wagers on released values"
	seenExplained   = "explanations of propensities"
	seenValue       = "values of other policies"
	seenReplayed    = "replays of other policies"
	seenCut         = "weights that are cut"
	seenSeed        = "replays from a seed that is drawn from"
	seenOwnCosts    = "costs by own contexts"
	seenMode        = "replays by " // with a mode behind it
)

// see notes what an experiment holds.
func (d *Digest) see(x *schemas.Experiment) {
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	d.seeReplay(x)
	for i := range x.Tests {
		t := &x.Tests[i]
		d.seen[t.Kind] = true
		d.seen[seenWords] = d.seen[seenWords] || t.Test != ""
		for j := range t.Results {
			d.seen[t.Results[j].Method] = true
		}
	}
	for i := range x.Arms {
		d.seen[seenUnits] = d.seen[seenUnits] || x.Arms[i].Units != nil
		d.seen[seenDelta] = d.seen[seenDelta] || x.Arms[i].BiasBoundDelta != nil
	}
	d.seen[seenValue] = d.seen[seenValue] || len(x.Evaluated()) > 0
	for i := range x.Estimates {
		d.seen[seenReplayed] = d.seen[seenReplayed] || x.Estimates[i].Estimator == schemas.EstimatorReplay
		d.seen[seenCut] = d.seen[seenCut] || x.Estimates[i].ClipBias != nil
	}
	for i := range x.Regressions {
		d.seeFit(&x.Regressions[i])
	}
}

func (d *Digest) seeReplay(x *schemas.Experiment) {
	d.seen[seenSeed] = d.seen[seenSeed] || x.Replay.Mode == schemas.ModeSeed && !x.Replay.Undrawn
	d.seen[seenMode+x.Replay.Mode] = true
	d.seen[seenOwnCosts] = d.seen[seenOwnCosts] || x.Privacy.InferenceCosts == schemas.CostsOwnContext
	d.seen[seenWager] = d.seen[seenWager] || x.Replay.Law != nil
	if r := x.Replay.Released; r != nil {
		d.seen[seenNoise] = d.seen[seenNoise] || r.Noise != nil
		d.seen[seenWager] = d.seen[seenWager] || r.Allocation != nil
	}
	if p := x.Replay.Propensities; p != nil {
		d.seen[seenExplained] = d.seen[seenExplained] || len(p.Hypotheses) > 0
	}
	d.seen[seenExplained] = d.seen[seenExplained] || len(x.Allocation) > 0
}

func (d *Digest) seeFit(f *schemas.Regression) {
	d.seen[seenRegressions] = true
	d.seen[seenClusters] = d.seen[seenClusters] || f.Clusters != nil
	d.seen[seenPrediction] = d.seen[seenPrediction] || f.BiasRMS != nil || f.BiasWorst != nil
	for i := range f.Coefficients {
		d.seen[seenCoefficient] = d.seen[seenCoefficient] || f.Coefficients[i].BiasBound != nil
	}
}
