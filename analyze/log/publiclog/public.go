package publiclog

import (
	"context"
	"math"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
)

// Facts is what the log says without its rewards.
type Facts struct {
	*Log
	Ends    PropensityEnds
	Drawn   conformance.Draws
	Sampled *Sampled
	Sticky  *stickiness // nil where units do not repeat, or are not at hand
	Pub     *public
}

// Read reads the public columns.
func Read(ctx context.Context, in *Log) (*Facts, error) {
	f := &Facts{Log: in}
	var err error
	if f.Ends, err = in.PropensityEnds(ctx); err != nil {
		return nil, err
	}
	f.Drawn = in.Declared.Draws(in.Slice)
	if f.Sampled, err = f.readSampled(ctx); err != nil {
		return nil, err
	}
	f.Pub = f.newPublic()
	if err = FoldDraws(ctx, in, f.publicChunk, f.Pub.merge); err != nil {
		return nil, err
	}
	if err = f.readArmOrder(ctx); err != nil {
		return nil, err
	}
	f.Sticky, err = f.readKeeping(ctx)
	return f, err
}

// public is what one pass over the public columns gives.
type public struct {
	Rounds   int64
	Pulls    []int64
	Drawn    []int64 // pulls of rounds that are known to be drawn by themselves
	bins     bins
	Floored  *allocationtest.Floored     // of rounds that are drawn; nil where no floor is declared, or all arms could always be played
	span     []span                      // by arm: when it was played
	played   []int64                     // by arm, then bin
	match    *allocationtest.Allocation  // nil: no propensity is logged, or all arms' are
	exact    *allocationtest.Exact       // nil where the propensities of all arms are not logged, or are no probabilities ([OneMore])
	could    *allocationtest.Opportunity // nil where every arm could always be played
	mayDraw  *allocationtest.Opportunity // of rounds that are drawn, where not all are; nil elsewhere
	batches  *allocationtest.Batches     // nil without batches or without propensities
	schedule *allocationtest.Schedule    // likewise
	Weights  *allocationtest.Weights     // nil where no propensity is logged
	byArm    check.ByArm                 // of the propensities of all arms
	Zero     int64                       // rows whose action has propensity 0
	cadence  *cadence                    // nil without batches or without propensities
	updates  *updates                    // nil without batches, or without figures
	weights  *weights                    // nil without propensities, or without figures
}

func (f *Facts) newPublic() *public {
	p := &public{Pulls: make([]int64, f.K()), Drawn: make([]int64, f.K()), span: make([]span, f.K()), bins: newBins(f.Slice.Rows())}
	p.played = make([]int64, f.K()*p.bins.count)
	s := f.Slice.Schema()
	if s.Batch && f.Figured() {
		p.updates = newUpdates(f.Slice.BatchCount())
	}
	if m := f.Mechanism; s.Eligible && m != nil && m.Floor() > 0 {
		p.Floored = allocationtest.NewFloored(f.K())
	}
	if !s.Propensity {
		return p
	}
	p.Weights = allocationtest.NewWeights(f.K())
	if f.Figured() {
		p.weights = newWeights(p.bins)
	}
	if s.PropensityByArm && !OneMore(f.Protocol) {
		p.exact = allocationtest.NewExact(f.K())
		p.exact.Ends = f.DrawEnds()
	} else {
		p.match = allocationtest.NewAllocation(f.K())
		p.match.Complete, p.match.Ends = f.Manifest.Declared, f.DrawEnds()
	}
	p.byArm.Action, p.byArm.All = f.Ends.Action, f.Ends.All
	if s.PropensityByArm || s.Eligible {
		p.could = allocationtest.NewOpportunity(f.K())
		if f.Drawn != conformance.DrawsByRound && p.match != nil {
			p.mayDraw = allocationtest.NewOpportunity(f.K())
		}
	}
	if s.Batch {
		p.cadence = newCadence(f.K(), f.Slice.BatchCount())
		p.schedule = allocationtest.NewSchedule(f.K())
	}
	if s.Batch && !OneMore(f.Protocol) {
		p.batches = allocationtest.NewBatches(f.K())
		p.batches.Ends = f.DrawEnds()
		if s.PropensityByArm {
			p.batches.Together(allocationtest.TogetherDraws(f.Slice.Rows(), f.Whole().Experiments))
		}
	}
	return p
}

// Varying reports whether propensities may change within a batch without any
// fault: with the context of a round, its stratum, or the arms that can be played.
func Varying(slice *tableau.Slice) bool {
	s := slice.Schema()
	return s.ContextDim > 0 || s.ContextByArm > 0 || s.Eligible || s.Stratum
}

func (p *public) merge(o *public) {
	p.Rounds += o.Rounds
	p.Zero += o.Zero
	for arm, n := range o.Pulls {
		p.Pulls[arm] += n
		p.Drawn[arm] += o.Drawn[arm]
	}
	for arm := range o.span {
		p.span[arm].merge(&o.span[arm])
	}
	for i, n := range o.played {
		p.played[i] += n
	}
	join(p.Floored, o.Floored)
	join(p.match, o.match)
	join(p.exact, o.exact)
	join(p.could, o.could)
	join(p.mayDraw, o.mayDraw)
	join(p.batches, o.batches)
	join(p.schedule, o.schedule)
	join(p.cadence, o.cadence)
	join(p.Weights, o.Weights)
	join(p.updates, o.updates)
	join(p.weights, o.weights)
	p.byArm.Merge(&o.byArm)
}

func (f *Facts) publicChunk(i DrawnChunk) (*public, error) {
	p, c := f.newPublic(), f.Slice.Chunk(i.Chunk)
	p.Rounds = int64(len(c.Arm))
	for t, arm := range c.Arm {
		p.Pulls[arm]++
		if i.Draws(t) {
			p.Drawn[arm]++
		}
		p.played[int(arm)*p.bins.count+p.bins.of(c.Start+int64(t))]++
	}
	p.addSpans(&c, f.Slice.Rows())
	if p.Floored != nil {
		p.Floored.Add(i.arms(c.Arm), c.Eligible)
	}
	if p.updates != nil {
		p.updates.add(&c)
	}
	if p.Weights == nil {
		return p, nil
	}
	if p.weights != nil {
		p.weights.add(&c)
	}
	var err error
	if p.Zero, err = zeros(f.Protocol, &c); err != nil {
		return nil, err
	}
	err = p.addPropensities(&c, f.Sampled.Chunk(&c), &i)
	return p, err
}

// addPropensities takes up what a chunk says of propensities. given is the chunk with
// those by which the arms of its rows were drawn, given that the rows are in the log.
func (p *public) addPropensities(c, given *tableau.Chunk, i *DrawnChunk) error {
	var choices []int32
	var could func(row, arm int) bool
	k, arms := len(p.Pulls), weighed(c.Arm, c.Propensity)
	if p.could != nil {
		could = c.Eligible
		if c.PropensityByArm != nil {
			could = func(row, arm int) bool { return c.PropensityByArm[row*k+arm] > 0 && c.Eligible(row, arm) }
		}
		choices = p.could.Add(len(c.Arm), could, c.Again)
	}
	if err := p.Weights.Add(arms, c.Propensity, choices); err != nil {
		return err
	}
	if c.PropensityByArm != nil {
		p.byArm.Add(c.Start, c.Arm, c.Propensity, c.PropensityByArm, c.Eligible, c.Again)
	}
	if p.schedule != nil {
		p.cadence.add(c)
		p.schedule.Add(c.Batch, c.Arm, c.Propensity, c.PropensityByArm)
	}
	if p.mayDraw != nil {
		p.mayDraw.Add(len(c.Arm), func(row, arm int) bool { return i.Draws(row) && could(row, arm) }, nil)
	}
	return p.addDraws(given, i.arms(arms), could)
}

// addDraws takes up the rounds that were drawn: rounds whose arm is not negative.
func (p *public) addDraws(c *tableau.Chunk, arms []int32, could func(row, arm int) bool) error {
	if p.exact != nil {
		if err := p.exact.Add(arms, c.PropensityByArm, c.Again); err != nil {
			return err
		}
	} else if err := p.match.Add(arms, c.Propensity); err != nil {
		return err
	}
	if p.batches != nil && p.exact != nil {
		p.batches.AddExact(c.Batch, arms, c.PropensityByArm)
	} else if p.batches != nil {
		p.batches.AddLogged(c.Batch, arms, c.Propensity, could)
	}
	return nil
}

// drawnCould counts in which of the drawn rounds arms could be played.
func (p *public) drawnCould() *allocationtest.Opportunity {
	if p.mayDraw != nil {
		return p.mayDraw
	}
	return p.could
}

// join merges accumulators, where there are any.
func join[T any, A interface {
	*T
	Merge(A)
}](to, from A) {
	if to != nil {
		to.Merge(from)
	}
}

// Always reports whether every arm could be played in every round.
func (p *public) Always() bool {
	return p.could == nil || p.could.Total() == p.Rounds*int64(len(p.Pulls))
}

// Propensities are the facts of H04, H05, H10 and H14, nil where no propensity
// is logged.
func (f *Facts) Propensities() *check.Propensities {
	p := f.Pub
	if p.Weights == nil {
		return nil
	}
	var batches *allocationtest.BatchResult
	if p.batches != nil {
		batches = p.batches.Result()
	}
	out := &check.Propensities{Drawn: f.Drawn.Words(f.Slice), Open: f.Drawn.Open(), Sticky: f.Sticky.Words(), Ends: f.DrawEnds(), Given: f.Sampled.KeptWords(), WhyNotRandomized: f.Sampled.Open(), Weights: p.Weights.Result(), Choices: math.NaN()}
	if p.Rounds > 0 {
		out.Choices = float64(f.K())
	}
	if out.Exactly = f.Ends.Exactly.Action; f.Slice.Schema().PropensityByArm {
		out.Exactly = f.Ends.Exactly.All
	}
	if f.Sampled.Selected() {
		out.Selected = f.Sampled.Said
	}
	out.Lattice = f.lattice(out.Weights.Decimals)
	if p.could != nil && p.Rounds > 0 {
		out.Choices = float64(p.could.Total()) / float64(p.Rounds)
	}
	if f.Slice.Schema().PropensityByArm {
		out.ByArm = &p.byArm
	}
	if p.schedule != nil {
		s := &check.Schedule{}
		s.Batches, s.Changed = p.schedule.Changed()
		out.Schedule = s
	}
	out.Zero = p.Zero
	switch {
	case OneMore(f.Protocol):
		out.OneMore = true
	case f.Sampled.Open() != "":
	case p.exact != nil:
		out.Allocation = p.exact.Test(f.Whole().AllocationLevel(), batches)
	default:
		out.Allocation = p.match.Test(f.Whole().AllocationLevel(), p.drawnCould(), batches)
	}
	return out
}

// Selective reports whether in which rounds an arm is played can depend on more
// than past rewards: on contexts, on strata, or on which arms could be played.
func (f *Facts) Selective() bool {
	return ContextDim(f.Slice) > 0 || f.Slice.Schema().Stratum || !f.Pub.Always()
}
