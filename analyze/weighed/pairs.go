package weighed

import (
	"cmp"
	"context"
	"fmt"
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

// Pair is two arms, the first of which is asked to pay more.
type Pair [2]int

// Wagers are what was won on pairs of arms, round by round in their order.
type Wagers struct {
	Against string                       // why there are none; "" where there are
	Effects string                       // why none of those over all rounds is one, on the reward or on an evaluated policy; "" where they are
	Shares  string                       // why which arm of a pair was likelier is not known, which the wagers on the arm need; "" where it is
	Over    string                       // the rounds that they are over
	ByUnit  bool                         // these are the first of each unit
	ValidIf string                       // what they rest on that was not recomputed
	from    string                       // how propensities were recomputed; "" where they were not
	Reward  map[Pair]*anytime.Effect     // wagers on the reward
	Arm     map[Pair]*anytime.Assignment // wagers on the arm, given the reward
	All     *Pool                        // of all pairs, nil where no test asks for them
	values  map[string]*valueWagers      // on evaluated policies, by their ids
	walks   map[string]*policyWalk       // of evaluated policies of the catalogue, by their ids
}

// Pool are the wagers on all pairs, and the largest that their average was.
type Pool struct {
	ByArm, ByReward anytime.Pool
	Rewards         bool // the wagers on rewards are carried out too
}

// everyPair lists the pairs of k arms.
func everyPair(k int) []Pair {
	var out []Pair
	for a := range k {
		for b := a + 1; b < k; b++ {
			out = append(out, Pair{a, b})
		}
	}
	return out
}

// Played is the number of rounds that wagers on the arm of all pairs of k are over, each of
// which is in k − 1 of these.
func (w *Wagers) Played(k int) (n int64) {
	for _, p := range everyPair(k) {
		n += w.Arm[p].Rounds()
	}
	return n / int64(max(1, k-1))
}

// Read reads rewards with propensities: for the wagers on pairs, and for weighted
// estimates. With more than one worker it does both at one time.
func (s *Subject) Read(ctx context.Context) (*Weighed, error) {
	wagers, walk, err := s.beginPairs(ctx)
	if err != nil {
		return nil, err
	}
	out := &Weighed{Subject: s, Wagers: wagers}
	return out, facts.Together(s.Jobs, walk, func() (err error) {
		out.weighted, err = s.readWeighted(ctx)
		return err
	})
}

// beginPairs books the rewards for wagers on the pairs of arms that tests are about, and
// on what evaluated policies would have earned; walk makes the wagers, in one walk over
// the rounds in their order.
func (s *Subject) beginPairs(ctx context.Context) (w *Wagers, walk func() error, err error) {
	walk = func() error { return nil }
	w = &Wagers{Against: s.unweighable(), Effects: s.againstEffects(), Reward: map[Pair]*anytime.Effect{}, Arm: map[Pair]*anytime.Assignment{}, values: newValueWagers(s.Log)}
	if s.Faulty {
		w.Against = "the logged propensities are no probabilities (check H04)"
	}
	if len(s.Asked.Pairs) == 0 && !s.Asked.Every && len(w.values) == 0 {
		return w, walk, nil
	}
	pairs := s.Asked.Pairs
	if n := s.K() * (s.K() - 1) / 2; s.Asked.Every && n <= maxPairs {
		w.All = &Pool{Rewards: !s.sharesKnown() || s.Asked.AnyTime || s.MissingRows() > 0}
		for _, p := range everyPair(s.K()) {
			if !slices.Contains(pairs, p) {
				pairs = append(pairs, p)
			}
		}
	}
	if w.Against == "" && len(pairs) > maxPairs {
		w.Against = tooMany(len(pairs))
	}
	if w.Against != "" || len(pairs) == 0 && len(w.values) == 0 {
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
		if rewards, err = s.Slice.Disclose(s.Book, reading.purpose, columns...); err != nil {
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
	r := newPairReader(s, w, pairs, len(s.Asked.Pairs), rewards)
	w.Shares, w.Over, w.ByUnit, w.ValidIf = r.unknownShares(), r.over(), r.firsts != nil, s.WeighableIf()
	if err = r.replay(ctx, "wagers"); err != nil {
		return nil, nil, err
	}
	return w, func() error { return r.read(ctx) }, nil
}

// tooMany says that so many pairs are more than wagers are made on.
func tooMany(pairs int) string {
	return fmt.Sprintf("the arms of the tests make %s, and wagers are made on at most %s (analysis.tests: name the pairs that matter)", schemas.Counted(pairs, "pair"), schemas.Grouped(maxPairs))
}

// TooMany says that of all arms, where no wagers are made on all pairs for that reason.
func (s *Weighed) TooMany() string { return tooMany(s.K() * (s.K() - 1) / 2) }

// sharesKnown reports whether the propensities of both arms of every pair are known in
// every round.
func (s *Subject) sharesKnown() bool {
	from, _ := s.source()
	return from != fromLog || s.Slice.Schema().PropensityByArm || s.Manifest.Declared && s.K() == 2
}

// unweighable says why propensities of this log cannot be taken for the probabilities,
// given everything before, with which arms were played; "" where they can, for all that
// was found.
func (s *Subject) unweighable() string {
	from, why := s.source()
	switch {
	case from == fromNowhere:
		return why
	case from == fromPolicy && s.Verdict == schemas.Violated:
		return "the arms were not played with the declared probabilities (policy.conformance)"
	case s.Misplayed:
		return "the arms were not played with their propensities (" + s.MisplayedBy() + ")"
	case s.Drawn.Open() != "":
		return s.Drawn.Open()
	}
	return cmp.Or(s.Sampled.ByRewards(), s.Sampled.ByUnit())
}

// againstEffects says why kept rounds are not, on average, all rounds of some stretch.
func (s *Subject) againstEffects() string {
	if s.Sampled.Dropped() && s.Sampled.By == schemas.KeepByAction {
		return "rows were kept by their arm (log.keep_by: action), so that rounds in the log are others than all that were played"
	}
	return ""
}

// WeighableIf is what answers by propensities rest on that was not recomputed: the draws,
// or where every action was recomputed with the randomness of the policy, that rounds
// and contexts were there before it; and what rests on the rows that are left.
func (s *Subject) WeighableIf() string {
	return facts.Joined(s.drawnIf(), s.Sampled.KeptIf(true))
}

func (s *Subject) drawnIf() string {
	bySeed := s.Verdict == schemas.Verified && s.Replay != nil && s.Replay.Conformance.Mode == schemas.ModeSeed
	switch from, _ := s.source(); {
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

// With puts what answers by propensities rest on behind their words.
func (w *Wagers) With(words string) string {
	return facts.Joined(facts.Joined(words, w.ValidIf), w.from)
}

// pairReader goes over the rounds in their order.
type pairReader struct {
	*Subject
	w       *Wagers
	pairs   []Pair
	rewards *tableau.Rewards
	firsts  *tableau.Firsts // nil: every round was drawn by itself
	from    source
	law     allocation.Chances // of a declared policy that reads no rewards; nil elsewhere
	exact   []float64

	replayed *conformance.Recomputed // nil where propensities are not recomputed
	ties     bool                    // and which of nearly equal indices was the largest is open

	known   bool           // the propensities of all arms are known in every round
	needed  []int          // the arms whose propensities are asked for
	place   []int          // of an arm, among these
	p       []anytime.Span // of each of these in a round; the zero Span where it is not known, or 0
	logged  []float64      // likewise, where those of all arms are: what p was made of
	next    int64          // the row behind the one whose propensities these are
	least   []float64      // of lower
	effects []*anytime.Effect
	arms    []*anytime.Assignment
	rounds  int64
	look    int64 // the round of the next look at the average of all pairs
}

// newPairReader begins before the first round. Of the first pairs, which tests are about,
// all wagers are carried out.
func newPairReader(s *Subject, w *Wagers, pairs []Pair, asked int, rewards *tableau.Rewards) *pairReader {
	r := &pairReader{Subject: s, w: w, pairs: pairs, rewards: rewards, firsts: s.Drawn.Firsts(s.Slice), p: make([]anytime.Span, s.K()), place: make([]int, s.K()), logged: make([]float64, s.K()), least: make([]float64, s.K()), look: 1}
	if r.from, _ = s.source(); r.from == fromPolicy {
		r.law, r.exact = allocation.Blind(s.Mechanism, s.K()), make([]float64, s.K())
	}
	r.known = s.sharesKnown()
	for arm := range s.K() {
		if len(pairs) == 0 || len(w.values) > 0 || slices.ContainsFunc(pairs, func(p Pair) bool { return p[0] == arm || p[1] == arm }) {
			r.place[arm] = len(r.needed)
			r.needed = append(r.needed, arm)
		}
	}
	for i, of := range pairs {
		var e *anytime.Effect
		if i < asked || w.All.Rewards {
			e = anytime.NewEffect()
			w.Reward[of] = e
		}
		r.effects = append(r.effects, e)
		if r.known {
			a := anytime.NewAssignment()
			w.Arm[of] = a
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
	return "all " + r.Sampled.Rounds()
}

// eachChunk visits the chunks in their order, beside a walk over recomputed propensities.
func (r *pairReader) eachChunk(ctx context.Context, visit func(i int, c *tableau.Chunk) error) error {
	return facts.EachChunk(ctx, r.Slice, func(i int, c *tableau.Chunk) error {
		if err := visit(i, c); err != nil || r.replayed == nil {
			return err
		}
		return r.replayed.Err()
	})
}

// pairRows are the rounds of a chunk that wagers are over.
type pairRows struct {
	row   []int // of the chunk
	arm   []int
	known []bool
	y     []float64
	p     []anytime.Span // of the needed arms, for every stretch of rounds that have the same
	at    []int          // of a round: where its own begin
}

// read makes the wagers on a chunk, each by itself, while the rows of the next one are
// prepared.
func (r *pairReader) read(ctx context.Context) error {
	err := facts.Ahead(ctx, r.Slice, r.Jobs, r.prepare, func(i int, rows *pairRows) error {
		return r.take(ctx, i, rows)
	})
	r.lookAt()
	return err
}

// prepare takes the rounds of a chunk, in their order.
func (r *pairReader) prepare(i int, to *pairRows) error {
	c, y, known := r.Slice.Chunk(i), r.rewards.Chunk(i), r.rewards.Arms(i)
	lo, width := r.Protocol.Reward.Range[0], facts.RangeWidth(r.Protocol)
	to.row, to.arm, to.known, to.y, to.p, to.at = to.row[:0], to.arm[:0], to.known[:0], to.y[:0], to.p[:0], to.at[:0]
	var draws []bool
	if r.firsts != nil {
		draws = r.firsts.Next(&c)
	}
	for t := range c.Arm {
		if t < len(draws) && !draws[t] {
			continue
		}
		if again := r.propensities(&c, t); !again || len(to.row) == 0 {
			for _, arm := range r.needed {
				to.p = append(to.p, r.p[arm])
			}
		}
		to.row, to.arm, to.at = append(to.row, t), append(to.arm, int(c.Arm[t])), append(to.at, len(to.p)-len(r.needed))
		to.known, to.y = append(to.known, known[t] >= 0), append(to.y, (y[t]-lo)/width)
	}
	if r.replayed != nil {
		return r.replayed.Err()
	}
	return nil
}

// take lets everything wager on the rounds of a chunk, up to each look at the average of
// all pairs.
func (r *pairReader) take(ctx context.Context, i int, rows *pairRows) error {
	c := r.Slice.Chunk(i)
	for from := 0; from < len(rows.row); {
		to := len(rows.row)
		if r.w.All != nil {
			to = int(min(int64(to), int64(from)+r.look-r.rounds))
		}
		wagers := r.wagers(&c, rows, from, to)
		jobs := max(1, min(r.Jobs, len(wagers)))
		err := facts.EachPart(ctx, r.Slice, jobs, func(part int) error {
			for ; part < len(wagers); part += jobs {
				wagers[part]()
			}
			return nil
		})
		if err != nil {
			return err
		}
		r.rounds, from = r.rounds+int64(to-from), to
		if r.w.All != nil && r.rounds == r.look {
			r.lookAt()
			r.look = max(r.look+1, r.look+r.look/lookAfter)
		}
	}
	return nil
}

// wagers are those of a stretch of rounds, which share nothing.
func (r *pairReader) wagers(c *tableau.Chunk, rows *pairRows, from, to int) []func() {
	var out []func()
	for i := range r.pairs {
		if r.effects[i] != nil {
			out = append(out, func() { r.onReward(i, rows, from, to) })
		}
		if r.arms != nil {
			out = append(out, func() { r.onArm(i, rows, from, to) })
		}
	}
	if len(r.w.values) > 0 {
		out = append(out, func() { r.onValues(c, rows, from, to) })
	}
	return out
}

// spansOf are the propensities of a pair in a stretch that begins at a place.
func (r *pairReader) spansOf(pair int, rows *pairRows, at int) [2]anytime.Span {
	of, p := r.pairs[pair], rows.p[at:]
	return [2]anytime.Span{p[r.place[of[0]]], p[r.place[of[1]]]}
}

// onReward lets a pair wager on rewards. One that is missing counts as 0 in both directions.
func (r *pairReader) onReward(pair int, rows *pairRows, from, to int) {
	of, e, last := r.pairs[pair], r.effects[pair], -1
	var played anytime.Played
	for t := from; t < to; t++ {
		if !rows.known[t] {
			e.Add(anytime.Played{Arm: anytime.Neither}) // and from here on nothing around a plug-in
			continue
		}
		if at := rows.at[t]; at != last {
			last, played.P = at, r.spansOf(pair, rows, at)
		}
		played.Arm, played.Reward = slices.Index(of[:], rows.arm[t]), rows.y[t] // −1 is neither
		e.Add(played)
	}
}

// onArm lets a pair wager on the arm, of which a reward that is missing says nothing.
func (r *pairReader) onArm(pair int, rows *pairRows, from, to int) {
	of, a, last := r.pairs[pair], r.arms[pair], -1
	kept := r.Sampled.AgainstArms(of[:]...) == ""
	var first anytime.Span
	for t := from; t < to; t++ {
		arm := rows.arm[t]
		if arm != of[0] && arm != of[1] || !rows.known[t] {
			continue
		}
		if at := rows.at[t]; at != last {
			last, first = at, share(r.spansOf(pair, rows, at))
			if first.Hi > 0 && kept {
				first.Lo, first.Hi = r.Sampled.Pair(of[0], of[1], first.Lo), r.Sampled.Pair(of[0], of[1], first.Hi)
			}
		}
		a.Add(arm == of[0], first, rows.y[t])
	}
}

// onValues lets all evaluated policies wager. The propensities of all arms are needed then.
func (r *pairReader) onValues(c *tableau.Chunk, rows *pairRows, from, to int) {
	for t := from; t < to; t++ {
		p := rows.p[rows.at[t] : rows.at[t]+len(r.needed)]
		of := wageredRound{arm: rows.arm[t], p: p, all: r.lower(p), known: rows.known[t], y: rows.y[t]}
		for _, v := range r.w.values {
			v.round(v.targets.of(c, rows.row[t]), &of)
		}
	}
}

// propensities fills in those of a row, and reports whether they are known to be those of
// the row that was asked for before.
func (r *pairReader) propensities(c *tableau.Chunk, t int) (again bool) {
	k, played, row := r.K(), int(c.Arm[t]), c.Start+int64(t)
	switch {
	case r.law != nil:
		r.law(c, t, r.exact)
		for arm, p := range r.exact {
			r.p[arm] = anytime.Exactly(p)
		}
	case r.replayed != nil:
		spans(r.replayed, c, t, r.ties, r.p)
	case c.PropensityByArm != nil:
		again = row == r.next && c.Again(t)
		if r.next = row + 1; again {
			return again
		}
		all := c.PropensityByArm[t*k : t*k+k]
		for _, arm := range r.needed {
			p := all[arm]
			if !c.Eligible(t, arm) {
				p = 0
			}
			if p != r.logged[arm] {
				r.logged[arm], r.p[arm] = p, spanOf(&r.Ends.All, p)
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
	return false
}

// lower are the lower ends of the propensities of all arms, nil where not all are known.
func (r *pairReader) lower(p []anytime.Span) []float64 {
	if !r.known {
		return nil
	}
	for arm, p := range p {
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
	if r.w.All == nil {
		return
	}
	every := r.K() * (r.K() - 1) / 2
	won := make([]float64, 0, every)
	for _, of := range everyPair(r.K()) {
		if a := r.w.Arm[of]; a != nil {
			won = append(won, a.Evidence().Both)
		}
	}
	if len(won) > 0 {
		r.w.All.ByArm.Look(won...)
	}
	if !r.w.All.Rewards {
		return
	}
	won = won[:0]
	for _, of := range everyPair(r.K()) {
		won = append(won, r.w.Reward[of].NoDifference().Both)
	}
	r.w.All.ByReward.Look(won...)
}

// PairName names a pair of arms.
func PairName(in *facts.Log, p Pair) string {
	return fmt.Sprintf("%s and %s", in.Name(p[0]), in.Name(p[1]))
}
