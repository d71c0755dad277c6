package analyze

import (
	"context"
	"math"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// facts is what the log says without its rewards.
type facts struct {
	*Log
	ends  propensityEnds
	draws conformance.Draws
	kept  *keeping // nil where units do not repeat, or are not at hand
	pub   *public
}

// readFacts reads the public columns.
func readFacts(ctx context.Context, in *Log) (*facts, error) {
	f := &facts{Log: in}
	var err error
	if f.ends, err = in.propensityEnds(ctx); err != nil {
		return nil, err
	}
	f.draws, f.pub = in.Draws(in.Slice), f.newPublic()
	if err = foldDraws(ctx, in, f.publicChunk, f.pub.merge); err != nil {
		return nil, err
	}
	if err = f.readArmOrder(ctx); err != nil {
		return nil, err
	}
	f.kept, err = f.readKeeping(ctx)
	return f, err
}

// public is what one pass over the public columns gives.
type public struct {
	rounds   int64
	pulls    []int64
	drawn    []int64 // pulls of rounds that are known to be drawn by themselves
	bins     bins
	floored  *adaptive.Floored     // of rounds that are drawn; nil where no floor is declared, or all arms could always be played
	span     []span                // by arm: when it was played
	played   []int64               // by arm, then bin
	match    *adaptive.Allocation  // nil where no propensity is logged, or those of all arms are
	exact    *adaptive.Exact       // nil where the propensities of all arms are not logged, or are no probabilities (Input.oneMore)
	could    *adaptive.Opportunity // nil where every arm could always be played
	mayDraw  *adaptive.Opportunity // of rounds that are drawn, where not all are; nil elsewhere
	batches  *adaptive.Batches     // nil without batches or without propensities
	schedule *adaptive.Schedule    // likewise
	weights  *adaptive.Weights     // nil where no propensity is logged
	byArm    check.ByArm           // of the propensities of all arms
	zero     int64                 // rows whose action has propensity 0
	cadence  *cadence              // nil without batches or without propensities
}

func (f *facts) newPublic() *public {
	p := &public{pulls: make([]int64, f.k()), drawn: make([]int64, f.k()), span: make([]span, f.k()), bins: newBins(f.Slice.Rows())}
	p.played = make([]int64, f.k()*p.bins.count)
	s := f.Slice.Schema()
	if m := f.Mechanism; s.Eligible && m != nil && m.Floor() > 0 {
		p.floored = adaptive.NewFloored(f.k())
	}
	if !s.Propensity {
		return p
	}
	p.weights = adaptive.NewWeights(f.k())
	if s.PropensityByArm && !oneMore(f.Protocol) {
		p.exact = adaptive.NewExact(f.k())
		p.exact.Ends = f.ends.all
	} else {
		p.match = adaptive.NewAllocation(f.k())
		p.match.Complete, p.match.Ends = f.Manifest.Declared, f.ends.action
	}
	p.byArm.Action, p.byArm.All = f.ends.action, f.ends.all
	if s.PropensityByArm || s.Eligible {
		p.could = adaptive.NewOpportunity(f.k())
		if f.draws != conformance.DrawsByRound && p.match != nil {
			p.mayDraw = adaptive.NewOpportunity(f.k())
		}
	}
	if s.Batch {
		p.cadence = newCadence(f.k(), f.Slice.BatchCount())
		p.schedule = adaptive.NewSchedule(f.k())
	}
	if s.Batch && !oneMore(f.Protocol) {
		p.batches = adaptive.NewBatches(f.k())
		p.batches.Ends = f.ends.allocation(s)
		if s.PropensityByArm {
			p.batches.Together(adaptive.TogetherDraws(f.Slice.Rows(), len(f.Manifest.Experiments)))
		}
	}
	return p
}

// varying reports whether propensities may change within a batch without any
// fault: with the context of a round, or with the arms that can be played.
func varying(slice *tableau.Slice) bool {
	s := slice.Schema()
	return s.ContextDim > 0 || s.ContextByArm > 0 || s.Eligible
}

func (p *public) merge(o *public) {
	p.rounds += o.rounds
	p.zero += o.zero
	for arm, n := range o.pulls {
		p.pulls[arm] += n
		p.drawn[arm] += o.drawn[arm]
	}
	for arm := range o.span {
		p.span[arm].merge(&o.span[arm])
	}
	for i, n := range o.played {
		p.played[i] += n
	}
	join(p.floored, o.floored)
	join(p.match, o.match)
	join(p.exact, o.exact)
	join(p.could, o.could)
	join(p.mayDraw, o.mayDraw)
	join(p.batches, o.batches)
	join(p.schedule, o.schedule)
	join(p.cadence, o.cadence)
	join(p.weights, o.weights)
	p.byArm.Merge(&o.byArm)
}

func (f *facts) publicChunk(i drawnChunk) (*public, error) {
	p, c := f.newPublic(), f.Slice.Chunk(i.chunk)
	p.rounds = int64(len(c.Arm))
	for t, arm := range c.Arm {
		p.pulls[arm]++
		if i.draws(t) {
			p.drawn[arm]++
		}
		p.played[int(arm)*p.bins.count+p.bins.of(c.Start+int64(t))]++
	}
	p.addSpans(&c, f.Slice.Rows())
	if p.floored != nil {
		p.floored.Add(i.arms(c.Arm), c.Eligible)
	}
	if p.weights == nil {
		return p, nil
	}
	var err error
	if p.zero, err = zeros(f.Protocol, &c); err != nil {
		return nil, err
	}
	err = p.addPropensities(&c, &i)
	return p, err
}

// addPropensities takes up what a chunk says of propensities.
func (p *public) addPropensities(c *tableau.Chunk, i *drawnChunk) error {
	var choices []int32
	var could func(row, arm int) bool
	k, arms := len(p.pulls), weighed(c.Arm, c.Propensity)
	if p.could != nil {
		could = c.Eligible
		if c.PropensityByArm != nil {
			could = func(row, arm int) bool { return c.PropensityByArm[row*k+arm] > 0 && c.Eligible(row, arm) }
		}
		choices = p.could.Add(len(c.Arm), could)
	}
	if err := p.weights.Add(arms, c.Propensity, choices); err != nil {
		return err
	}
	if c.PropensityByArm != nil {
		p.byArm.Add(c.Start, c.Arm, c.Propensity, c.PropensityByArm, c.Eligible)
	}
	if p.schedule != nil {
		p.cadence.add(c)
		p.schedule.Add(c.Batch, c.Arm, c.Propensity, c.PropensityByArm)
	}
	if p.mayDraw != nil {
		p.mayDraw.Add(len(c.Arm), func(row, arm int) bool { return i.draws(row) && could(row, arm) })
	}
	return p.addDraws(c, i.arms(arms), could)
}

// addDraws takes up the rounds that were drawn: those of arms that are not
// negative.
func (p *public) addDraws(c *tableau.Chunk, arms []int32, could func(row, arm int) bool) error {
	if p.exact != nil {
		if err := p.exact.Add(arms, c.PropensityByArm); err != nil {
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
func (p *public) drawnCould() *adaptive.Opportunity {
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

// always reports whether every arm could be played in every round.
func (p *public) always() bool {
	return p.could == nil || p.could.Total() == p.rounds*int64(len(p.pulls))
}

// commonLevel is that of a test which every experiment of the log undergoes: 0.001
// over all of them together (Bonferroni), or a log of thousands of honest
// experiments would have exceptions by chance.
func commonLevel(manifest *schemas.Manifest) float64 {
	return adaptive.Level / float64(max(1, len(manifest.Experiments)))
}

// allocationLevel is that of H05, which has a part of what every experiment
// undergoes.
func allocationLevel(manifest *schemas.Manifest) float64 {
	return commonLevel(manifest) * adaptive.AllocationLevel / adaptive.Level
}

// propensities are the facts of H04, H05, H10 and H14, nil where no propensity
// is logged.
func (f *facts) propensities() *check.Propensities {
	p := f.pub
	if p.weights == nil {
		return nil
	}
	var batches *adaptive.BatchResult
	if p.batches != nil {
		batches = p.batches.Result()
	}
	out := &check.Propensities{Drawn: f.draws.Words(f.Slice), Open: f.draws.Open(), Kept: f.kept.words(), Ends: f.ends.allocation(f.Slice.Schema()), Weights: p.weights.Result(), Choices: math.NaN()}
	if p.rounds > 0 {
		out.Choices = float64(f.k())
	}
	out.Lattice = f.lattice(out.Weights.Decimals)
	if p.could != nil && p.rounds > 0 {
		out.Choices = float64(p.could.Total()) / float64(p.rounds)
	}
	if f.Slice.Schema().PropensityByArm {
		out.ByArm = &p.byArm
	}
	if out.Zero = p.zero; oneMore(f.Protocol) {
		out.OneMore = true
	} else if p.exact != nil {
		out.Allocation = p.exact.Test(allocationLevel(f.Manifest), batches)
	} else {
		out.Allocation = p.match.Test(allocationLevel(f.Manifest), p.drawnCould(), batches)
	}
	if p.schedule != nil {
		s := &check.Schedule{}
		s.Batches, s.Changed = p.schedule.Changed()
		out.Schedule = s
	}
	return out
}
