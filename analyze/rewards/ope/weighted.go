package ope

import (
	"cmp"
	"context"
	"math"
	"slices"

	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/analyze/stat/tail"
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// weighted is what rewards say, weighed by propensities (see source). Which rounds enter:
//
//	every round is drawn by itself       all
//	one draw serves a unit (policy.draw) the first of each unit
//	it is not known which                none
//	rewards are missing                  none under missing_reward: exclude; those
//	                                     whose reward is known, and for the ratio of
//	                                     weighted sums alone, under exclude-independent
type weighted struct {
	refused  string                // why nothing is given; "" where something is
	partial  string                // why nothing is given that needs every reward; "" where all is
	by       string                // why no sum is known but ratios of weights: rewards may have decided which rows are in the log
	own      string                // why nothing is given that guesses rewards: rows have their own probabilities of being in the log
	all      bool                  // the propensities of all arms are known in every round
	every    bool                  // they are, and rewards are missing: of the rounds that are looked at not all
	from     propensitySource      // where they are taken from
	shares   bool                  // they are logged shares of draws, and actions were drawn by one more
	rests    string                // what stands behind what an estimate rests on
	root     bool                  // and means are constant, so that rounds may be weighed by √p
	unlike   string                // why means are not; "" where nothing says so
	entered  int64                 // rounds that enter
	quantile float64               // of the normal law, for intervals at 1 − α
	arms     *ipw.Arms             // nil where nothing is given
	pairs    [][2]int              // of contrasts: an arm, and the control; then those that declared tests name
	values   map[string]*ipw.Value // of the evaluated policies, by their ids
}

// given reports whether some estimate is.
func (w *weighted) given() bool { return w != nil && w.arms != nil }

// ByLog reports whether some estimate is given by logged propensities.
func (w *weighted) ByLog() bool { return w.given() && w.from == fromLog }

// newWeighted says what can be given of the log, before a reward is read; nil where no
// propensity is logged, and no policy is declared that draws.
func (s *Subject) newWeighted() *weighted {
	w := s.weighedBy()
	if w == nil {
		return nil
	}
	public := s.Facts.Pub
	switch missing := s.Sample.MissingRows(); {
	case w.refused != "":
	case s.Facts.Drawn.Open() != "":
		w.refused = s.Facts.Drawn.Open()
	case s.Facts.Sampled.ByUnit() != "":
		w.refused = s.Facts.Sampled.ByUnit()
	case missing > 0 && s.Protocol.Log.MissingReward == schemas.MissingExclude:
		w.refused = "the rewards of " + schemas.Counted(missing, "row") + " are missing and may be missing because of their value (missing_reward: exclude): of those that are known, weights of 1/p make no mean"
	case w.from == fromPolicy && s.Verdict == schemas.Violated:
		w.refused = "no propensity is logged, and the arms were not played with the declared probabilities (policy.conformance)"
	case w.from == fromLog && public.Weights.Result().Largest <= 1:
		w.refused = "every logged propensity is 1: " + leftToNoChance
	case missing > 0:
		w.every, w.all = w.all && w.from != fromReplay, false // of rounds whose reward is known they are others
		w.partial = "the rewards of " + schemas.Counted(missing, "row") + " are missing, and a weighted mean would need the probability that a reward is known"
	}
	s.weighKept(w)
	w.root, w.unlike = w.all && s.Sample.ConstantMeans(), s.Sample.NotConstant()
	if w.refused == "" && w.partial == "" && w.by == "" && w.own == "" {
		w.pairs = s.contrasts()
	}
	return w
}

// weighKept says what stands where rows were dropped from the log. A weight of 1/o for each
// row makes sums stand for all rounds; one number for all rows cancels.
func (s *Subject) weighKept(w *weighted) {
	kept := s.Facts.Sampled
	if !kept.Dropped() {
		return
	}
	if by := kept.ByRewards(); by != "" {
		w.by = by + "; a ratio of sums of weights is given, approximately"
	}
	w.rests += "; rows were dropped from the log, as " + kept.Said + " says"
	if only := kept.KeptIf(true); only != "" {
		w.rests += "; " + only
	}
	if kept.By != schemas.KeepBySchedule || kept.Own() != "" {
		w.own = cmp.Or(kept.Own(), "rows may have been kept by their arm ("+kept.Said+")") + ", and guesses of rewards are not weighed by that"
	}
	if kept.Own() == "" {
		return
	}
	w.rests += ", and each stands for 1/log.keep_prob"
	w.every = false
	w.all = w.all && (kept.By == schemas.KeepBySchedule || kept.ByArm())
}

// contrasts are the pairs of arms whose difference is estimated: every arm against the
// control, and the arms that a declared difference, or a test of whether two pay alike,
// names; each pair once.
func (s *Subject) contrasts() [][2]int {
	var out [][2]int
	of := s.Facts.Control()
	for arm := range s.Facts.K() {
		if arm != of {
			out = append(out, [2]int{arm, of})
		}
	}
	for _, p := range s.Asked.Pairs {
		if pair := [2]int(p); !slices.Contains(out, pair) && !slices.Contains(out, [2]int{p[1], p[0]}) {
			out = append(out, pair)
		}
	}
	return out
}

// pairOf is the place of the contrast of two arms, and whether it is the other way round.
func (w *weighted) pairOf(arm, against int) (at int, turned bool) {
	if at = slices.Index(w.pairs, [2]int{arm, against}); at >= 0 {
		return at, false
	}
	return slices.Index(w.pairs, [2]int{against, arm}), true
}

// weighedBy says by which propensities rewards are weighed, and why by none.
func (s *Subject) weighedBy() *weighted {
	from, why := s.source()
	shares := from == fromNowhere && s.Facts.Slice.HasPropensity()
	if shares { // then by the shares of draws that are logged
		from = fromLog
	}
	w := &weighted{from: from, shares: shares, all: from != fromLog || s.Facts.Slice.Schema().PropensityByArm || s.Facts.K() == 2 && s.Facts.Manifest.Declared, quantile: tail.NormalQuantile(publiclog.LogAlpha(s.Protocol) - math.Ln2)}
	switch {
	case from == fromNowhere && (s.Facts.Mechanism == nil || !s.Facts.Mechanism.Random()):
		return nil
	case from == fromNowhere:
		w.refused = why
	case from == fromReplay && s.Replay.Rests():
		w.refused = "no propensity is known in rounds in which several arms are right and the log has another choice than the declared rule (" + publiclog.ChoiceKeys(s.Replay) + "): those of the declared policy, recomputed, are of its own choice"
	case from == fromReplay:
		w.rests = "; " + s.recomputedWords()
	}
	return w
}

// leftToNoChance is what a log lacks in which nothing was drawn.
const leftToNoChance = "no action was drawn, and what another arm would have earned in a round was left to no chance (positivity)"

// weighings lists the weightings of scores: nil weighs all rounds alike.
func (w *weighted) weighings() []ipw.Weighting {
	if w.root {
		return []ipw.Weighting{nil, ipw.Root}
	}
	return []ipw.Weighting{nil}
}

// readWeighted goes over the rewards twice: for the sums with which the plug-in of
// each chunk begins, and for the scores.
func (s *Subject) readWeighted(ctx context.Context) (*weighted, error) {
	w := s.newWeighted()
	if w == nil || w.refused != "" {
		return w, nil
	}
	read, err := s.discloseWeighted(w)
	if err != nil {
		return nil, err
	}
	r := &weightedReader{subject: s, facts: s.Facts, weighted: w, rewards: read}
	running := ipw.NewPlugin(s.Facts.K())
	err = publiclog.FoldDraws(ctx, s.Facts.Log, r.plugin, func(part *ipw.Plugin) {
		r.before = append(r.before, running.Clone())
		running.Merge(part)
	})
	if err != nil {
		return nil, err
	}
	w.entered = running.Rounds()
	if err = r.readScores(ctx); err == nil && r.contradicts() { // then once more, without √p
		w.root, w.unlike = false, s.Sample.NotConstant()
		err = r.readScores(ctx)
	}
	return w, err
}

// readScores goes over the rewards with propensities. Where these are recomputed it does
// so in the order of rounds, beside the replay.
func (r *weightedReader) readScores(ctx context.Context) error {
	w, in, drawn := r.weighted, r.facts.Log, false
	none := ipw.NewPlugin(r.facts.K())
	w.arms, w.values = ipw.NewArms(&none, w.all, w.pairs, w.weighings()...), map[string]*ipw.Value{}
	for _, t := range standing(r.facts.Log) {
		w.values[t.id] = &ipw.Value{Clip: t.clip}
	}
	if w.from == fromReplay {
		var err error
		if r.replayed, err = r.subject.recompute(ctx, "estimates"); err != nil {
			return err
		}
		ordered := *r.facts.Log
		in, ordered.Jobs = &ordered, 1
	}
	r.hausman = nil
	err := publiclog.FoldDraws(ctx, in, r.scores, func(part *weightedPart) {
		w.arms.Merge(part.arms)
		r.joinHausman(part.hausman)
		for id, v := range part.values {
			w.values[id].Merge(v)
		}
		drawn = drawn || part.drawn
	})
	if err == nil && r.replayed != nil && !drawn {
		w.refused, w.arms, w.pairs, w.values = "every recomputed propensity is 0 or 1: "+leftToNoChance, nil, nil, nil
	}
	if err == nil && w.every {
		return r.readSupport(ctx)
	}
	return err
}

// columns are the public columns that are read beside rewards.
func (s *Subject) columns(from propensitySource) []string {
	switch {
	case from != fromLog:
		return []string{tableau.Arm}
	case s.Facts.Slice.Schema().PropensityByArm:
		return []string{tableau.Arm, tableau.PropensityByArm}
	}
	return []string{tableau.Arm, tableau.Propensity}
}

// discloseWeighted books every estimator that is given.
func (s *Subject) discloseWeighted(w *weighted) (out *tableau.Rewards, err error) {
	columns := s.columns(w.from)
	if s.Facts.Drawn == conformance.DrawsByUnit {
		columns = append(columns, tableau.Unit)
	}
	var names []string
	for _, e := range estimators() {
		if e.against(w) == "" {
			names = append(names, e.name)
		}
	}
	for _, e := range standing(s.Facts.Log) {
		names = append(names, "value "+e.id)
	}
	for _, name := range names {
		if out, err = s.Facts.Slice.Disclose(s.Sample.Book, purposeEstimate+name, columns...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// weightedReader reads the rounds that enter.
type weightedReader struct {
	subject  *Subject
	facts    *publiclog.Facts
	weighted *weighted
	rewards  *tableau.Rewards
	before   []ipw.Plugin            // by chunk: of the rounds before it
	replayed *conformance.Recomputed // nil where propensities are not recomputed
	hausman  []ipw.Hausman           // by arm; nil where it is not asked for
	compared bool                    // and has been looked at
}

// plugin is what a chunk adds to the plug-in.
func (r *weightedReader) plugin(i publiclog.DrawnChunk) (*ipw.Plugin, error) {
	p := ipw.NewPlugin(r.facts.K())
	r.visit(&i, func(_ int, arm int32, y float64) { p.Add(int(arm), y) })
	return &p, nil
}

// weightedPart is what a chunk adds to the estimates.
type weightedPart struct {
	arms    *ipw.Arms
	values  map[string]*ipw.Value
	hausman []ipw.Hausman // by arm; nil where it is not asked for
	drawn   bool          // an arm was played with a propensity below 1
}

// scores are the estimates of a chunk.
func (r *weightedReader) scores(i publiclog.DrawnChunk) (*weightedPart, error) {
	c, p, targets, before := r.facts.Slice.Chunk(i.Chunk), r.newProbabilities(), standing(r.facts.Log), r.before[i.Chunk].Clone()
	arms := ipw.NewArms(&r.before[i.Chunk], r.weighted.all, r.weighted.pairs, r.weighted.weighings()...)
	out := &weightedPart{arms: arms.Within(len(c.Arm)), values: map[string]*ipw.Value{}}
	values := make([]ipw.Value, len(targets))
	for j, t := range targets {
		values[j].Clip = t.clip
		out.values[t.id] = &values[j]
	}
	var round ipw.Round
	beside := r.beside(&before, len(targets) > 0)
	out.hausman = beside.sums
	r.visit(&i, func(row int, arm int32, y float64) {
		p.round(&c, row, y, &round)
		out.arms.Add(&round)
		beside.add(int(arm), y, round.P[arm])
		out.drawn = out.drawn || round.P[arm] < 1
		for j, t := range targets {
			values[j].Add(t.of(&c, row), &round, &before)
		}
		if len(targets) > 0 {
			before.Add(int(arm), y)
		}
	})
	if r.replayed != nil {
		return out, r.replayed.Err()
	}
	return out, nil
}

// visit goes over the rounds of a chunk that enter, with rewards in [0, 1].
func (r *weightedReader) visit(i *publiclog.DrawnChunk, see func(row int, arm int32, y float64)) {
	protocol := r.subject.Protocol
	lo, width, y := protocol.Reward.Range[0], publiclog.RangeWidth(protocol), r.rewards.Chunk(i.Chunk)
	for row, arm := range r.rewards.Arms(i.Chunk) { // −1 where the reward is missing
		if arm >= 0 && i.Draws(row) {
			see(row, arm, (y[row]-lo)/width)
		}
	}
}

// probabilities gives the propensities of all arms in a round, NaN where an arm's is not known.
type probabilities struct {
	k        int
	all      bool // what is not logged is what is left
	eligible bool
	law      allocation.Chances // of the declared policy, where they are not taken from the log; else nil
	declared bool               // it looks at no rewards, and at nothing else but which arms could be played
	p        []float64

	sampled *publiclog.Sampled
	kept    []float64 // times o

	ends         precision.Ends // of what is logged
	rounded      bool           // it is not known in full
	root         bool           // rounds are weighed by √p
	least        []float64      // lower ends, of the row that was asked for last
	last, lowest []float64      // of an arm: its p, and the lower end of that
	below        int64          // the row of the experiment below the one that was asked for last
	first        int            // the row of the chunk with the propensities of the row asked for last
	next         int64          // the row of the experiment below that
	again        bool           // this row has the propensities of the row asked for before it
}

func (r *weightedReader) newProbabilities() *probabilities {
	p := &probabilities{k: r.facts.K(), sampled: r.facts.Sampled, all: r.weighted.all, eligible: r.facts.Slice.Schema().Eligible, p: make([]float64, r.facts.K())}
	switch {
	case r.weighted.from == fromPolicy:
		p.law, p.declared = allocation.Blind(r.facts.Mechanism, r.facts.K()), true
	case r.replayed != nil:
		p.law = func(c *tableau.Chunk, row int, dst []float64) { copy(dst, r.replayed.At(c.Start+int64(row))) }
	}
	for arm := range p.p {
		p.p[arm] = math.NaN()
	}
	if p.ends = r.facts.Ends.ActionDrawn(); r.facts.Slice.Schema().PropensityByArm && p.all {
		p.ends = r.facts.Ends.AllDrawn()
	}
	p.rounded = r.weighted.from == fromLog && !r.weighted.shares && !p.ends.Full()
	if p.rounded {
		p.root, p.least, p.last, p.lowest = r.weighted.root, make([]float64, r.facts.K()), slices.Clone(p.p), make([]float64, r.facts.K())
	}
	return p
}

// of returns the propensities of all arms in a row. The slice holds until the next row is asked
// for.
func (p *probabilities) of(c *tableau.Chunk, row int) []float64 {
	arm := int(c.Arm[row])
	switch logged := c.PropensityByArm; {
	case p.law != nil:
		if p.again = p.next > 0 && p.declared && !p.eligible; !p.again {
			p.law(c, row, p.p)
		}
		p.next = 1
		return p.p
	case logged != nil && p.all && !p.eligible:
		if p.again = c.Start+int64(row) == p.next && c.Again(row); !p.again {
			p.first = row
		}
		p.next = c.Start + int64(row) + 1
		return logged[p.first*p.k : p.first*p.k+p.k]
	case logged != nil && p.all:
		copy(p.p, logged[row*p.k:])
	case p.all: // two arms
		p.p[arm], p.p[1-arm] = c.Propensity[row], 1-c.Propensity[row]
	default:
		for i := range p.p {
			p.p[i] = math.NaN()
		}
		p.p[arm] = c.Propensity[row]
	}
	for i := range p.p {
		if p.eligible && !c.Eligible(row, i) {
			p.p[i] = 0
		}
	}
	return p.p
}
