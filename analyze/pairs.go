package analyze

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"banditaudit/analyze/allocation"
	"banditaudit/analyze/anytime"
	"banditaudit/analyze/facts"
	"banditaudit/ingest/decimals"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// purposePairs is the purpose under which wagers on pairs of arms read rewards.
const purposePairs = "test:pairs"

// maxPairs bounds the pairs of arms that are wagered on. Each takes about 4 KiB.
const maxPairs = 1 << 12

// pair is two arms, the first of which is asked to pay more.
type pair [2]int

// wagers are what was won on pairs of arms, round by round in their order.
type wagers struct {
	against string                       // why there are none; "" where there are
	shares  string                       // why which arm of a pair was likelier is not known, which the wagers on the arm need; "" where it is
	over    string                       // the rounds that they are over
	validIf string                       // what they rest on that was not recomputed
	from    string                       // how propensities were recomputed; "" where they were not
	reward  map[pair]*anytime.Effect     // wagers on the reward
	arm     map[pair]*anytime.Assignment // wagers on the arm, given the reward
	all     *pool                        // of all pairs, nil where no test asks for them
	values  map[string]*valueWagers      // on evaluated policies, by their ids
	walks   map[string]*policyWalk       // of evaluated policies of the catalogue, by their ids
}

// pool are the wagers on all pairs, and the largest that their average was.
type pool struct {
	byArm, byReward anytime.Pool
	rewards         bool // the wagers on rewards are carried out too
}

// asked are the pairs that the declared tests are about; all says that some test is
// about all arms.
func (q *questions) askedPairs() (asked []pair, all bool) {
	for i := range q.declared {
		switch d := &q.declared[i]; {
		case d.kind == schemas.TestEqual && d.arm < 0:
			all = true
		case d.kind == schemas.TestEqual, d.kind == schemas.TestDifference:
			if p := (pair{d.arm, d.against}); !slices.Contains(asked, p) {
				asked = append(asked, p)
			}
		}
	}
	return asked, all
}

// everyPair lists the pairs of k arms.
func everyPair(k int) []pair {
	var out []pair
	for a := range k {
		for b := a + 1; b < k; b++ {
			out = append(out, pair{a, b})
		}
	}
	return out
}

// readWeighed reads rewards with propensities: for the wagers on pairs, and for weighted
// estimates, which it leaves in the sample. With more than one worker it does both at one
// time.
func readWeighed(ctx context.Context, s *sample, al *allocation.Allocation) (*wagers, error) {
	w, walk, err := beginPairs(ctx, s, al)
	if err != nil {
		return nil, err
	}
	return w, facts.Together(s.Jobs, walk, func() (err error) {
		s.weighted, err = readWeighted(ctx, s)
		return err
	})
}

// beginPairs books the rewards for wagers on the pairs of arms that tests are about, and
// on what evaluated policies would have earned; walk makes the wagers, in one walk over
// the rounds in their order.
func beginPairs(ctx context.Context, s *sample, al *allocation.Allocation) (w *wagers, walk func() error, err error) {
	walk = func() error { return nil }
	asked, all := s.askedPairs()
	w = &wagers{against: s.unweighable(), reward: map[pair]*anytime.Effect{}, arm: map[pair]*anytime.Assignment{}, values: newValueWagers(s.Log)}
	if p := al.Propensities; p != nil && p.ByArm != nil && p.ByArm.Faulty() {
		w.against = "the logged propensities are no probabilities (check H04)"
	}
	if len(asked) == 0 && !all && len(w.values) == 0 {
		return w, walk, nil
	}
	pairs := asked
	if n := s.K() * (s.K() - 1) / 2; all && n <= maxPairs {
		w.all = &pool{rewards: !s.sharesKnown() || s.asksAnyTime()}
		for _, p := range everyPair(s.K()) {
			if !slices.Contains(pairs, p) {
				pairs = append(pairs, p)
			}
		}
	}
	if w.against == "" && len(pairs) > maxPairs {
		w.against = "there are more pairs of arms than wagers are made on: " + schemas.Grouped(int64(len(pairs)))
	}
	if w.against != "" {
		return w, walk, nil
	}
	columns := []string{tableau.Arm}
	if from, _ := s.source(); from == fromLog {
		columns = append(columns, tableau.Propensity)
	}
	var rewards *tableau.Rewards
	for _, reading := range []struct {
		purpose string
		asks    bool
	}{{purposePairs, len(pairs) > 0}, {purposeValues, len(w.values) > 0}} {
		if !reading.asks {
			continue
		}
		if rewards, err = s.Slice.Disclose(s.book, reading.purpose, columns...); err != nil {
			return nil, nil, err
		}
	}
	ends, err := playedEnds(ctx, s.Log)
	if err != nil {
		return nil, nil, err
	}
	for id, v := range w.values {
		v.ends = ends[id]
	}
	r := newPairReader(s, w, pairs, len(asked), rewards)
	w.shares, w.over, w.validIf = r.unknownShares(), r.over(), s.weighableIf()
	if err = r.replay(ctx, "wagers"); err != nil {
		return nil, nil, err
	}
	return w, func() error { return s.Slice.Guard(func() error { return r.read(ctx) }) }, nil
}

// sharesKnown reports whether the propensities of both arms of every pair are known in
// every round.
func (e *evidence) sharesKnown() bool {
	from, _ := e.source()
	return from != fromLog || e.Slice.Schema().PropensityByArm || e.Manifest.Declared && e.K() == 2
}

// asksAnyTime reports whether a test of all arms is declared to be decided by wagers on
// rewards, which for many arms take long.
func (q *questions) asksAnyTime() bool {
	return slices.ContainsFunc(q.declared, func(d declaredTest) bool {
		return d.kind == schemas.TestEqual && d.arm < 0 && d.spec.Decide == schemas.MethodAnyTime
	})
}

// unweighable says why propensities of this log cannot be taken for the probabilities,
// given everything before, with which arms were played; "" where they can, for all that
// was found.
func (s *sample) unweighable() string {
	from, why := s.source()
	switch {
	case from == fromNowhere:
		return why
	case from == fromPolicy && s.conformance.Verdict == schemas.Violated:
		return "the arms were not played with the declared probabilities (policy.conformance)"
	case s.Misplayed:
		return "the arms were not played with their propensities (" + s.misplayedBy() + ")"
	case s.Drawn.Open() != "":
		return s.Drawn.Open()
	}
	return ""
}

// misplayedBy names what contradicts the propensities.
func (s *sample) misplayedBy() string {
	if s.Follows != "" {
		return "check H17: " + s.Follows
	}
	return "checks H05 and H17"
}

// weighableIf is what answers by propensities rest on that was not recomputed: the draws,
// or where every action was recomputed with the randomness of the policy, that rounds
// and contexts were there before it.
func (e *evidence) weighableIf() string {
	bySeed := e.conformance.Verdict == schemas.Verified && e.replay != nil && e.replay.Conformance.Mode == schemas.ModeSeed
	switch from, _ := e.source(); {
	case from == fromReplay && bySeed:
		return schemas.ValidIfReplayed
	case from == fromReplay:
		return schemas.ValidIfRecomputed
	case bySeed:
		return schemas.ValidIfOrdered
	case from == fromPolicy:
		return schemas.ValidIfDrawn
	}
	return schemas.ValidIfLogged
}

// with puts what answers by propensities rest on behind their words.
func (w *wagers) with(words string) string {
	return facts.Joined(facts.Joined(words, w.validIf), w.from)
}

// pairReader goes over the rounds in their order.
type pairReader struct {
	*sample
	w       *wagers
	pairs   []pair
	rewards *tableau.Rewards
	firsts  *tableau.Firsts // nil: every round was drawn by itself
	from    source
	law     allocation.Chances // of a declared policy that reads no rewards; nil elsewhere
	exact   []float64

	replayed *conformance.Recomputed // nil where propensities are not recomputed
	ties     bool                    // and which of nearly equal indices was the largest is open

	known   bool           // the propensities of all arms are known in every round
	needed  []int          // the arms whose propensities are asked for
	p       []anytime.Span // of each of these in a round; the zero Span where it is not known, or 0
	least   []float64      // of lower
	effects []*anytime.Effect
	arms    []*anytime.Assignment
	rounds  int64
	look    int64 // the round of the next look at the average of all pairs
}

// newPairReader begins before the first round. Of the first pairs, which tests are about,
// all wagers are carried out.
func newPairReader(s *sample, w *wagers, pairs []pair, asked int, rewards *tableau.Rewards) *pairReader {
	r := &pairReader{sample: s, w: w, pairs: pairs, rewards: rewards, firsts: s.Drawn.Firsts(s.Slice), p: make([]anytime.Span, s.K()), least: make([]float64, s.K()), look: 1}
	if r.from, _ = s.source(); r.from == fromPolicy {
		r.law, r.exact = allocation.Blind(s.Mechanism, s.K()), make([]float64, s.K())
	}
	r.known = s.sharesKnown()
	for arm := range s.K() {
		if len(pairs) == 0 || len(w.values) > 0 || slices.ContainsFunc(pairs, func(p pair) bool { return p[0] == arm || p[1] == arm }) {
			r.needed = append(r.needed, arm)
		}
	}
	for i, of := range pairs {
		var e *anytime.Effect
		if i < asked || w.all.rewards {
			e = anytime.NewEffect()
			w.reward[of] = e
		}
		r.effects = append(r.effects, e)
		if r.known {
			a := anytime.NewAssignment()
			w.arm[of] = a
			r.arms = append(r.arms, a)
		}
	}
	return r
}

// replay begins a walk over recomputed propensities, where the log has none.
func (r *pairReader) replay(ctx context.Context, purpose string) (err error) {
	if r.from != fromReplay {
		return nil
	}
	r.replayed, err = r.recompute(ctx, purpose)
	r.w.from, r.ties = r.recomputedWords(), r.tiesOpen()
	return err
}

// replayErr is what ended that walk.
func (r *pairReader) replayErr() error {
	if r.replayed == nil {
		return nil
	}
	return r.replayed.Err()
}

// unknownShares says why the propensities of both arms of a pair are not known.
func (r *pairReader) unknownShares() string {
	if r.known {
		return ""
	}
	return "the propensities of both arms are needed in every round, and that of the played arm alone is logged (log.propensity_by_arm)"
}

// over are the rounds that the wagers are over.
func (r *pairReader) over() string {
	if r.firsts != nil {
		return "the first rounds of units"
	}
	return "all rounds"
}

func (r *pairReader) read(ctx context.Context) error {
	lo, width := r.Protocol.Reward.Range[0], facts.RangeWidth(r.Protocol)
	values := slices.Collect(maps.Values(r.w.values))
	for i := range r.Slice.Chunks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, y, known := r.Slice.Chunk(i), r.rewards.Chunk(i), r.rewards.Arms(i)
		var draws []bool
		if r.firsts != nil {
			draws = r.firsts.Next(&c)
		}
		for t := range c.Arm {
			if t < len(draws) && !draws[t] {
				continue
			}
			r.propensities(&c, t)
			reward := (y[t] - lo) / width
			r.round(int(c.Arm[t]), known[t] >= 0, reward)
			if len(values) == 0 {
				continue
			}
			of := wageredRound{arm: int(c.Arm[t]), p: r.p, all: r.lower(), known: known[t] >= 0, y: reward}
			for _, v := range values {
				v.round(v.targets.of(&c, t), &of)
			}
		}
		if err := r.replayErr(); err != nil {
			return err
		}
	}
	r.lookAt()
	return nil
}

// propensities fills in those of a row.
func (r *pairReader) propensities(c *tableau.Chunk, t int) {
	k, played := r.K(), int(c.Arm[t])
	switch {
	case r.law != nil:
		r.law(c, t, r.exact)
		for arm, p := range r.exact {
			r.p[arm] = anytime.Exactly(p)
		}
	case r.replayed != nil:
		spans(r.replayed, c, t, r.ties, r.p)
	case c.PropensityByArm != nil:
		all := c.PropensityByArm[t*k : t*k+k]
		for _, arm := range r.needed {
			if r.p[arm] = (anytime.Span{}); c.Eligible(t, arm) {
				r.p[arm] = spanOf(&r.Ends.All, all[arm])
			}
		}
	default:
		clear(r.p)
		r.p[played] = spanOf(&r.Ends.Action, c.Propensity[t])
		if other := 1 - played; r.known {
			r.p[other] = anytime.Span{Lo: max(0, 1-r.p[played].Hi), Hi: 1 - r.p[played].Lo}
			if !c.Eligible(t, other) {
				r.p[other] = anytime.Span{}
			}
		}
	}
}

// lower are the lower ends of the propensities of a round, nil where not all are known.
func (r *pairReader) lower() []float64 {
	if !r.known {
		return nil
	}
	for arm, p := range r.p {
		r.least[arm] = p.Lo
	}
	return r.least
}

// spanOf is where a logged propensity lies by its decimals.
func spanOf(ends *decimals.Ends, p float64) (out anytime.Span) {
	if p != 0 {
		out.Lo, out.Hi = ends.Both(p)
	}
	return out
}

// round lets every pair wager on a round. A reward that is missing counts as 0 in both
// directions, and says nothing of the arm.
func (r *pairReader) round(arm int, known bool, y float64) {
	r.rounds++
	for i, of := range r.pairs {
		played := anytime.Played{Arm: anytime.Neither, P: [2]anytime.Span{r.p[of[0]], r.p[of[1]]}, Reward: y}
		switch arm {
		case of[0]:
			played.Arm = 0
		case of[1]:
			played.Arm = 1
		}
		if played.Arm != anytime.Neither && known && r.arms != nil {
			r.arms[i].Add(played.Arm == 0, share(played.P), y)
		}
		if r.effects[i] == nil {
			continue
		}
		if !known {
			played = anytime.Played{Arm: anytime.Neither} // and from here on nothing around a plug-in
		}
		r.effects[i].Add(played)
	}
	if r.w.all != nil && r.rounds == r.look {
		r.lookAt()
		r.look = max(r.look+1, r.look+r.look/lookAfter)
	}
}

// share is that of the first of two arms among the rounds that play either.
func share(p [2]anytime.Span) anytime.Span {
	if p[0].Hi == 0 || p[1].Hi == 0 {
		return anytime.Span{} // a round that could not play the other says nothing
	}
	return anytime.Span{Lo: p[0].Lo / (p[0].Lo + p[1].Hi), Hi: p[0].Hi / (p[0].Hi + p[1].Lo)}
}

// lookAfter is how often the average of all pairs is looked at: after every round up to
// ten times that, then after one of so many more. Any looks that are fixed beforehand
// give a valid p.
const lookAfter = 100

// lookAt takes up the average of what all pairs have won.
func (r *pairReader) lookAt() {
	if r.w.all == nil {
		return
	}
	every := r.K() * (r.K() - 1) / 2
	won := make([]float64, 0, every)
	for _, of := range everyPair(r.K()) {
		if a := r.w.arm[of]; a != nil {
			won = append(won, a.Evidence().Both)
		}
	}
	if len(won) > 0 {
		r.w.all.byArm.Look(won...)
	}
	if !r.w.all.rewards {
		return
	}
	won = won[:0]
	for _, of := range everyPair(r.K()) {
		won = append(won, r.w.reward[of].NoDifference().Both)
	}
	r.w.all.byReward.Look(won...)
}

// pairName names a pair of arms.
func pairName(in *facts.Log, p pair) string {
	return fmt.Sprintf("%s and %s", in.Name(p[0]), in.Name(p[1]))
}

// logPairs is ln of the number of pairs of arms.
func logPairs(in *facts.Log) float64 { return math.Log(float64(in.K()*(in.K()-1)) / 2) }
