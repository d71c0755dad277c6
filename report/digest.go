package report

import "banditaudit/schemas"

// Digest is what the documents and figures need of results: the first
// experiments in full, and sums over all of them. A log of thousands of
// experiments is never held as a whole. The zero value is empty; it is not safe
// for concurrent use.
type Digest struct {
	*schemas.Results // Experiments holds the first few

	Catalogue schemas.Catalogue // what the protocol may name

	experiments []schemas.Experiment
	count       int   // experiments in all
	read        int64 // rounds
	analysed    int64 // of these
	span        schemas.TimeSpan
	disclosed   int // bookings
	rejected    int // decisions of tests
	kept        int
	undecided   int
	tested      bool             // an experiment has tests
	seen        map[string]bool  // kinds and methods of tests, forms of errors and bounds: what methods must explain
	claimsOf    map[string][]int // indices of claims, by the id of one of the first experiments
}

// Add takes up the next experiment, in the order of the results.
func (d *Digest) Add(x *schemas.Experiment) {
	d.count++
	d.read += x.Data.RowsRead
	d.analysed += x.Data.RowsAnalysed
	d.span.Add(&x.Data)
	d.disclosed += len(x.Disclosures)
	d.see(x)
	for i := range x.Tests {
		d.tested = true
		switch x.Tests[i].Decision {
		case schemas.DecisionRejected:
			d.rejected++
		case schemas.DecisionKept:
			d.kept++
		default:
			d.undecided++
		}
	}
	if n := len(d.experiments); n < maxOverview {
		d.experiments = append(d.experiments, *x)
		if n >= maxDrawn {
			d.experiments[n].Series = nil // no figure is drawn of them
		}
	}
}

// Finish takes up everything else. Of head the experiments are not looked at;
// head stays as it is.
func (d *Digest) Finish(head *schemas.Results) {
	whole := *head
	whole.Experiments = d.experiments
	d.Results = &whole
	d.claimsOf = make(map[string][]int, len(d.experiments))
	for i := range d.experiments {
		d.claimsOf[d.experiments[i].ID] = nil
	}
	for i := range whole.Claims {
		id := whole.Claims[i].Experiment
		if list, shown := d.claimsOf[id]; shown {
			d.claimsOf[id] = append(list, i)
		}
	}
}

// Count returns how many experiments there are in all.
func (d *Digest) Count() int { return d.count }

// ready reports whether there is anything to render.
func (d *Digest) ready() error {
	if d == nil || d.Results == nil {
		return errNoResults
	}
	return nil
}

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
