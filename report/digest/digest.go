// Package digest sums results up for documents, figures and the terminal, and says in words
// what the protocol of the results declares.
package digest

import (
	"cmp"
	"errors"
	"math"
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

	// Sums over all experiments: rounds read and analysed, exact readings, tests by decision, and
	// the experiments with a claim that is VIOLATED.
	Read, Analysed                       int64
	Span                                 schemas.TimeSpan
	Tested                               bool // an experiment has tests
	Disclosed, Rejected, Kept, Undecided int
	Broken                               int

	ClaimsOf map[string][]int // indices of claims, by the id of one of the first experiments
	Places   []int            // of Claims among all claims of the results
	Ordered  []int            // indices of Claims, the worst first

	experiments []schemas.Experiment // the first few
	count       int                  // experiments in all
	seen        map[string]bool      // kinds and methods of tests, forms of errors and bounds: what methods must explain
	sums        schemas.ClaimSums
	kinds       map[string]*KindSums
	group       []schemas.Finding // claims of the experiment that is being added
	groups      int
	first       []PlacedClaim // of the first experiments
	worst       []PlacedClaim // of all, the worst first
}

// PlacedClaim is a claim with its place among all of the results.
type PlacedClaim struct {
	Place int
	schemas.Finding
}

// KindSums are what the claims of a kind come to.
type KindSums struct {
	All    int
	Count  map[schemas.Verdict]int
	Broken map[schemas.Verdict]int // in experiments with a claim that is VIOLATED
	First  map[schemas.Verdict]PlacedClaim
}

// Add takes up the next experiment, in the order of the results.
func (d *Digest) Add(x *schemas.Experiment) {
	d.count++
	d.Read += x.Data.RowsRead
	d.Analysed += x.Data.RowsAnalysed
	d.Span.Add(&x.Data)
	d.Disclosed += len(x.Disclosures)
	d.see(x)
	for i := range x.Tests {
		d.Tested = true
		switch x.Tests[i].Decision {
		case schemas.DecisionRejected:
			d.Rejected++
		case schemas.DecisionKept:
			d.Kept++
		default:
			d.Undecided++
		}
	}
	if n := len(d.experiments); n < MaxOverview {
		d.experiments = append(d.experiments, *x)
		if n >= MaxDrawn {
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
		d.kinds = map[string]*KindSums{}
	}
	contradicted := slices.ContainsFunc(d.group, func(c schemas.Finding) bool { return c.Verdict == schemas.Violated })
	if contradicted {
		d.Broken++
	}
	for i := range d.group {
		c := PlacedClaim{d.sums.Claims, d.group[i]}
		d.sums.Add(&c.Finding)
		k := d.kinds[c.Kind]
		if k == nil {
			k = &KindSums{0, map[schemas.Verdict]int{}, map[schemas.Verdict]int{}, map[schemas.Verdict]PlacedClaim{}}
			d.kinds[c.Kind] = k
		}
		k.All++
		if k.Count[c.Verdict]++; k.Count[c.Verdict] == 1 {
			k.First[c.Verdict] = c
		}
		if contradicted {
			k.Broken[c.Verdict]++
		}
		if d.groups < MaxOverview {
			d.first = append(d.first, c)
		}
		d.keepWorst(c)
	}
	d.groups++
	d.group = d.group[:0]
}

// keepWorst keeps a claim among the worst.
func (d *Digest) keepWorst(c PlacedClaim) {
	at, _ := slices.BinarySearchFunc(d.worst, Gravity(c.Verdict)+1, func(w PlacedClaim, g int) int { return cmp.Compare(Gravity(w.Verdict), g) })
	if at == MaxClaims {
		return
	}
	d.worst = slices.Insert(d.worst, at, c)
	d.worst = d.worst[:min(len(d.worst), MaxClaims)]
}

// Kind are the sums of a kind of claims.
func (d *Digest) Kind(kind string) *KindSums {
	if k := d.kinds[kind]; k != nil {
		return k
	}
	return &KindSums{}
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
	for _, i := range d.Ordered {
		if c := &d.Claims[i]; Gravity(c.Verdict) <= Gravity(schemas.NotRun) {
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
	slices.SortStableFunc(kept, func(a, b PlacedClaim) int { return cmp.Compare(a.Place, b.Place) })
	for _, c := range slices.CompactFunc(kept, func(a, b PlacedClaim) bool { return a.Place == b.Place }) {
		whole.Claims, d.Places = append(whole.Claims, c.Finding), append(d.Places, c.Place)
	}
	for i := range d.worst {
		at, _ := slices.BinarySearch(d.Places, d.worst[i].Place)
		d.Ordered = append(d.Ordered, at)
	}
	d.first, d.worst = nil, nil
	d.ClaimsOf = make(map[string][]int, len(d.experiments))
	for i := range d.experiments {
		d.ClaimsOf[d.experiments[i].ID] = nil
	}
	for i := range whole.Claims {
		id := whole.Claims[i].Experiment
		if list, shown := d.ClaimsOf[id]; shown {
			d.ClaimsOf[id] = append(list, i)
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

// Kinds of numbers that a report has to explain only where it holds such a thing, besides the
// kinds and methods of tests, which stand for themselves.
const (
	SeenUnits       = "estimates by unit"
	SeenClusters    = "errors by cluster"
	SeenRegressions = "fits"
	SeenCoefficient = "bias of a coefficient"
	SeenPrediction  = "bias of a prediction"
	SeenWords       = "raw tests in words"
	SeenDelta       = "bias by ε and δ"
	SeenNoise       = "recovered noise"
	SeenWager       = "wagers on released values"
	SeenExplained   = "explanations of propensities"
	SeenValue       = "values of other policies"
	SeenReplayed    = "replays of other policies"
	SeenCut         = "weights that are cut"
	SeenSeed        = "replays from a seed that is drawn from"
	SeenOwnCosts    = "costs by own contexts"
	SeenMode        = "replays by " // with a mode behind it
	SeenCheck       = "check "      // with the id of a check that was run behind it
	SeenBiasBound   = "bias of a mean"
	SeenCorrected   = "corrected intervals"
	SeenSequence    = "confidence sequences"
	SeenWeighted    = "weighted estimates"
	SeenWeightedArm = "weighted means of arms"
	SeenLedger      = "a finite ledger"
	SeenBetsOfTwo   = "any-time p of a difference"
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
		d.note(SeenWords, t.Test != "")
		for j := range t.Results {
			if r := &t.Results[j]; r.Applicable {
				d.seen[r.Method] = true
				d.note(SeenBetsOfTwo, r.Method == schemas.MethodAnyTime && t.Kind == schemas.TestDifference)
			}
		}
	}
	for i := range x.Arms {
		a := &x.Arms[i]
		d.note(SeenUnits, a.Units != nil)
		d.note(SeenDelta, a.BiasBoundDelta != nil)
		d.note(SeenBiasBound, a.BiasBound != nil)
		d.note(SeenCorrected, a.CICorrected != nil)
		d.note(SeenSequence, a.ConfidenceSequence != nil)
		d.note(SeenWeightedArm, a.IPWMean != nil)
	}
	for i := range x.Data.Checks {
		d.note(SeenCheck+x.Data.Checks[i].ID, x.Data.Checks[i].Status != schemas.CheckNotRun)
	}
	e := x.Privacy.EpsilonMechanism
	d.note(SeenLedger, e != nil && !math.IsInf(float64(*e), 1))
	d.note(SeenValue, len(x.Evaluated()) > 0)
	for i := range x.Estimates {
		d.note(SeenReplayed, x.Estimates[i].Estimator == schemas.EstimatorReplay)
		d.note(SeenCut, x.Estimates[i].ClipBias != nil)
		d.note(SeenWeighted, x.Estimates[i].Estimate != nil && x.Estimates[i].EvaluationPolicy == "")
	}
	for i := range x.Regressions {
		d.seeFit(&x.Regressions[i])
	}
}

// note marks what an experiment holds.
func (d *Digest) note(what string, held bool) { d.seen[what] = d.seen[what] || held }

func (d *Digest) seeReplay(x *schemas.Experiment) {
	d.note(SeenSeed, x.Replay.Mode == schemas.ModeSeed && !x.Replay.Undrawn)
	d.seen[SeenMode+x.Replay.Mode] = true
	d.note(SeenOwnCosts, x.Privacy.InferenceCosts == schemas.CostsOwnContext)
	d.note(SeenWager, x.Replay.Law != nil)
	if r := x.Replay.Released; r != nil {
		d.note(SeenNoise, r.Noise != nil)
		d.note(SeenWager, r.Allocation != nil)
	}
	if p := x.Replay.Propensities; p != nil {
		d.note(SeenExplained, len(p.Hypotheses) > 0)
	}
	d.note(SeenExplained, len(x.Allocation) > 0)
}

func (d *Digest) seeFit(f *schemas.Regression) {
	d.seen[SeenRegressions] = true
	d.note(SeenClusters, f.Clusters != nil)
	d.note(SeenPrediction, f.BiasRMS != nil || f.BiasWorst != nil)
	for i := range f.Coefficients {
		d.note(SeenCoefficient, f.Coefficients[i].BiasBound != nil)
	}
}

// How much of many experiments is kept and shown.
const (
	MaxDrawn    = 3   // experiments with figures
	MaxOverview = 200 // experiments in the overview
	MaxClaims   = 200 // claims that are listed one by one
)

// MostListed is how many experiments a Digest holds in full.
const MostListed = MaxOverview

// errNoResults is returned when there is nothing to render.
var errNoResults = errors.New("report: no results; pass the contents of a results.json")

// Gravity sorts verdicts, the worst first.
func Gravity(v schemas.Verdict) int {
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

// ExperimentOf finds the experiment of a claim; nil where it is not in the digest.
func ExperimentOf(r *Digest, c *schemas.Finding) *schemas.Experiment {
	if i := slices.IndexFunc(r.Experiments, func(x schemas.Experiment) bool { return x.ID == c.Experiment }); i >= 0 {
		return &r.Experiments[i]
	}
	return nil
}

// KindOf is a kind of claim; nil where it is not known.
func KindOf(r *Digest, kind string) *param.Claim {
	if i := slices.IndexFunc(r.Catalogue.Claims, func(k param.Claim) bool { return k.Kind == kind }); i >= 0 {
		return &r.Catalogue.Claims[i]
	}
	return nil
}

// WorstFirst are the places of the experiments that are listed, those with the worst claim
// first, and whether any is worse than another.
func WorstFirst(r *Digest) (order []int, differ bool) {
	worst := func(i int) int {
		out := Gravity(schemas.NotApplicable)
		for _, c := range r.ClaimsOf[r.Experiments[i].ID] {
			out = min(out, Gravity(r.Claims[c].Verdict), Gravity(schemas.Verified))
		}
		return out
	}
	order = make([]int, min(len(r.Experiments), MaxOverview))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return worst(i) - worst(j) })
	return order, len(order) > 0 && worst(order[0]) < worst(order[len(order)-1])
}

// Holds reports whether an experiment holds a kind of number that a report has to explain.
func (d *Digest) Holds(what string) bool { return d.seen[what] }

// Claim returns the finding of a kind about an experiment, or nil.
func (d *Digest) Claim(id, kind string) *schemas.Finding {
	for _, i := range d.ClaimsOf[id] {
		if c := &d.Claims[i]; c.Kind == kind {
			return c
		}
	}
	return nil
}

// ClaimSums sums up the claims of an experiment.
func (d *Digest) ClaimSums(id string) *schemas.ClaimSums {
	out := &schemas.ClaimSums{}
	for _, i := range d.ClaimsOf[id] {
		out.Add(&d.Claims[i])
	}
	return out
}
