package report

import (
	"cmp"
	"errors"
	"slices"

	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Digest is what the documents and figures need of results: the first
// experiments in full, and sums over all of them. A log of thousands of
// experiments is never held as a whole. The zero value is empty; it is not safe
// for concurrent use.
type Digest struct {
	*schemas.Results // Experiments holds the first few, Claims those and the worst

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

	sums    schemas.ClaimSums
	kinds   map[string]*kindSums
	group   []schemas.Finding // claims of the experiment that is taken up
	groups  int
	broken  int           // experiments with a claim that is VIOLATED
	first   []placedClaim // of the first experiments
	worst   []placedClaim // of all, the worst first
	places  []int         // of Claims among all of the results
	ordered []int         // indices of Claims, the worst first
}

// placedClaim is a claim with its place among all of the results.
type placedClaim struct {
	place int
	schemas.Finding
}

// kindSums are what the claims of a kind come to.
type kindSums struct {
	all    int
	count  map[schemas.Verdict]int
	broken map[schemas.Verdict]int // of them in an experiment of which a claim is VIOLATED
	first  map[schemas.Verdict]placedClaim
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

// AddClaims takes up the next claims, in the order of the results: the claims of an
// experiment follow one another.
func (d *Digest) AddClaims(claims []schemas.Finding) {
	for i := range claims {
		if len(d.group) > 0 && d.group[0].Experiment != claims[i].Experiment {
			d.endGroup()
		}
		d.group = append(d.group, claims[i])
	}
}

// endGroup counts the claims of an experiment, and keeps them where they are shown.
func (d *Digest) endGroup() {
	if d.kinds == nil {
		d.kinds = map[string]*kindSums{}
	}
	contradicted := slices.ContainsFunc(d.group, func(c schemas.Finding) bool { return c.Verdict == schemas.Violated })
	if contradicted {
		d.broken++
	}
	for i := range d.group {
		c := placedClaim{d.sums.Claims, d.group[i]}
		d.sums.Add(&c.Finding)
		k := d.kinds[c.Kind]
		if k == nil {
			k = &kindSums{0, map[schemas.Verdict]int{}, map[schemas.Verdict]int{}, map[schemas.Verdict]placedClaim{}}
			d.kinds[c.Kind] = k
		}
		k.all++
		if k.count[c.Verdict]++; k.count[c.Verdict] == 1 {
			k.first[c.Verdict] = c
		}
		if contradicted {
			k.broken[c.Verdict]++
		}
		if d.groups < maxOverview {
			d.first = append(d.first, c)
		}
		d.keepWorst(c)
	}
	d.groups++
	d.group = d.group[:0]
}

// keepWorst keeps a claim among the worst.
func (d *Digest) keepWorst(c placedClaim) {
	at, _ := slices.BinarySearchFunc(d.worst, gravity(c.Verdict)+1, func(w placedClaim, g int) int { return cmp.Compare(gravity(w.Verdict), g) })
	if at == maxClaims {
		return
	}
	d.worst = slices.Insert(d.worst, at, c)
	d.worst = d.worst[:min(len(d.worst), maxClaims)]
}

// kind are the sums of a kind of claims.
func (d *Digest) kind(kind string) *kindSums {
	if k := d.kinds[kind]; k != nil {
		return k
	}
	return &kindSums{}
}

// Outcome is what claims and cautions come to.
func (d *Digest) Outcome() schemas.Overall {
	o := d.sums.Overall
	o.Cautions = d.Cautions
	return o
}

// Sums are what all claims come to.
func (d *Digest) Sums() *schemas.ClaimSums { return &d.sums }

// Worst are the claims that are not settled or contradicted, the worst first; of more than
// 200 the worst.
func (d *Digest) Worst() []*schemas.Finding {
	var out []*schemas.Finding
	for _, i := range d.ordered {
		if c := &d.Claims[i]; gravity(c.Verdict) <= gravity(schemas.NotRun) {
			out = append(out, c)
		}
	}
	return out
}

// Finish takes up everything else, with the claims of head behind those that were added. Of
// head the experiments are not looked at; head stays as it is.
func (d *Digest) Finish(head *schemas.Results) {
	d.AddClaims(head.Claims)
	if len(d.group) > 0 {
		d.endGroup()
	}
	whole := *head
	whole.Experiments, whole.Claims = d.experiments, nil
	d.Results = &whole
	kept := slices.Concat(d.first, d.worst)
	slices.SortStableFunc(kept, func(a, b placedClaim) int { return cmp.Compare(a.place, b.place) })
	for _, c := range slices.CompactFunc(kept, func(a, b placedClaim) bool { return a.place == b.place }) {
		whole.Claims, d.places = append(whole.Claims, c.Finding), append(d.places, c.place)
	}
	for i := range d.worst {
		at, _ := slices.BinarySearch(d.places, d.worst[i].place)
		d.ordered = append(d.ordered, at)
	}
	d.first, d.worst = nil, nil
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

// How much of many experiments is kept and shown.
const (
	maxDrawn    = 3   // experiments with figures
	maxOverview = 200 // experiments in the overview
	maxClaims   = 200 // claims that are listed one by one
)

// MostListed is how many experiments a Digest holds in full.
const MostListed = maxOverview

// errNoResults is returned when there is nothing to render.
var errNoResults = errors.New("report: no results; pass the contents of a results.json")

// gravity sorts verdicts, the worst first.
func gravity(v schemas.Verdict) int {
	switch v {
	case schemas.Violated:
		return 0
	case schemas.NotEstablished:
		return 1
	case schemas.NotRun:
		return 2
	case schemas.NotApplicable:
		return 4
	case schemas.Verified, schemas.Consistent:
		return 3
	}
	return 2
}

// experimentOf finds the experiment of a claim; nil where it is not in the digest.
func experimentOf(r *Digest, c *schemas.Finding) *schemas.Experiment {
	if i := slices.IndexFunc(r.Experiments, func(x schemas.Experiment) bool { return x.ID == c.Experiment }); i >= 0 {
		return &r.Experiments[i]
	}
	return nil
}

// kindOf is a kind of claim; nil where it is not known.
func kindOf(r *Digest, kind string) *param.Claim {
	if i := slices.IndexFunc(r.Catalogue.Claims, func(k param.Claim) bool { return k.Kind == kind }); i >= 0 {
		return &r.Catalogue.Claims[i]
	}
	return nil
}

// worstFirst are the places of the experiments that are listed, those with the worst claim
// first, and whether any is worse than another.
func worstFirst(r *Digest) (order []int, differ bool) {
	worst := func(i int) int {
		out := gravity(schemas.NotApplicable)
		for _, c := range r.claimsOf[r.Experiments[i].ID] {
			out = min(out, gravity(r.Claims[c].Verdict), gravity(schemas.Verified))
		}
		return out
	}
	order = make([]int, min(len(r.Experiments), maxOverview))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return worst(i) - worst(j) })
	return order, len(order) > 0 && worst(order[0]) < worst(order[len(order)-1])
}

// holds reports whether an experiment holds a kind of number that a report has to explain.
func (d *Digest) holds(what string) bool { return d.seen[what] }

// claim returns the finding of a kind about an experiment, or nil.
func (d *Digest) claim(id, kind string) *schemas.Finding {
	for _, i := range d.claimsOf[id] {
		if c := &d.Claims[i]; c.Kind == kind {
			return c
		}
	}
	return nil
}

// claimSums sums up the claims of an experiment.
func (d *Digest) claimSums(id string) *schemas.ClaimSums {
	out := &schemas.ClaimSums{}
	for _, i := range d.claimsOf[id] {
		out.Add(&d.Claims[i])
	}
	return out
}
