package ope

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/eprocess"
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
	Against string                               // why there are none; "" where there are
	Effects string                               // why none of those over all rounds is one, on the reward or on an evaluated policy; "" where they are
	Shares  string                               // why which arm of a pair was likelier is not known, which the wagers on the arm need; "" where it is
	Over    string                               // the rounds that they are over
	ByUnit  bool                                 // these are the first of each unit
	ValidIf string                               // what they rest on that was not recomputed
	from    string                               // how propensities were recomputed; "" where they were not
	Reward  map[Pair]*eprocess.DifferenceProcess // wagers on the reward
	Arm     map[Pair]*eprocess.Assignment        // wagers on the arm, given the reward
	All     *Pool                                // of all pairs, nil where no test asks for them
	values  map[string]*valueWagers              // on evaluated policies, by their ids
	walks   map[string]*policyWalk               // of evaluated policies of the catalogue, by their ids
}

// Pool are the wagers on all pairs, and the largest that their average was.
type Pool struct {
	ByArm, ByReward eprocess.Pool
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
func (s *Subject) Read(ctx context.Context) (*Estimates, error) {
	wagers, walk, err := s.beginPairs(ctx)
	if err != nil {
		return nil, err
	}
	out := &Estimates{Subject: s, Facts: s.Facts, Protocol: s.Protocol, Wagers: wagers}
	return out, s.Facts.Slice.Together(s.Facts.Jobs, walk, func() (err error) {
		out.weighted, err = s.readWeighted(ctx)
		return err
	})
}

// beginPairs books the rewards for wagers on the pairs of arms that tests are about, and
// on what evaluated policies would have earned; walk makes the wagers, in one walk over
// the rounds in their order.
func (s *Subject) beginPairs(ctx context.Context) (w *Wagers, walk func() error, err error) {
	walk = func() error { return nil }
	w = &Wagers{Against: s.unweighable(), Effects: s.againstEffects(), Reward: map[Pair]*eprocess.DifferenceProcess{}, Arm: map[Pair]*eprocess.Assignment{}, values: newValueWagers(s.Facts.Log)}
	if s.Faulty {
		w.Against = "the logged propensities are no probabilities (check H04)"
	}
	if len(s.Asked.Pairs) == 0 && !s.Asked.Every && len(w.values) == 0 {
		return w, walk, nil
	}
	pairs := s.Asked.Pairs
	if n := s.Facts.K() * (s.Facts.K() - 1) / 2; s.Asked.Every && n <= maxPairs {
		w.All = &Pool{Rewards: !s.sharesKnown() || s.Asked.AnyTime || s.Sample.MissingRows() > 0}
		for _, p := range everyPair(s.Facts.K()) {
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
		if rewards, err = s.Facts.Slice.Disclose(s.Sample.Book, reading.purpose, columns...); err != nil {
			return nil, nil, err
		}
	}
	ends, err := playedEnds(ctx, s.Facts.Log)
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

// tooMany says that this number of pairs is above the limit for wagers.
func tooMany(pairs int) string {
	return fmt.Sprintf("the arms of the tests make %s, and wagers are made on at most %s (analysis.tests: name the pairs that matter)", schemas.Counted(pairs, "pair"), schemas.Grouped(maxPairs))
}

// TooMany says that all pairs of arms are above the limit, where no wagers are made on them
// for that reason.
func (s *Estimates) TooMany() string { return tooMany(s.Facts.K() * (s.Facts.K() - 1) / 2) }

// sharesKnown reports whether the propensities of both arms of every pair are known in
// every round.
func (s *Subject) sharesKnown() bool {
	from, _ := s.source()
	return from != fromLog || s.Facts.Slice.Schema().PropensityByArm || s.Facts.Manifest.Declared && s.Facts.K() == 2
}

// Shared reports whether it is known in every round which of two arms was likelier, of all
// pairs, by propensities that stand, and the declared policy draws.
func (s *Estimates) Shared() bool {
	return s.Wagers.Against == "" && s.Wagers.Shares == "" && (s.Facts.Mechanism == nil || s.Facts.Mechanism.Random())
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
	case s.Validity.Misplayed:
		return "the arms were not played with their propensities (" + s.Validity.MisplayedBy() + ")"
	case s.Facts.Drawn.Open() != "":
		return s.Facts.Drawn.Open()
	}
	return cmp.Or(s.Facts.Sampled.ByRewards(), s.Facts.Sampled.ByUnit())
}

// againstEffects says why kept rounds are not, on average, all rounds of some stretch.
func (s *Subject) againstEffects() string {
	if s.Facts.Sampled.Dropped() && s.Facts.Sampled.By == schemas.KeepByAction {
		return "rows were kept by their arm (log.keep_by: action), so that rounds in the log are others than all that were played"
	}
	return ""
}

// WeighableIf is what answers by propensities rest on that was not recomputed: the draws,
// or where every action was recomputed with the randomness of the policy, that rounds
// and contexts were there before it; and what rests on the rows that are left.
func (s *Subject) WeighableIf() string {
	return publiclog.Joined(s.drawnIf(), s.Facts.Sampled.KeptIf(true))
}

func (s *Subject) drawnIf() string {
	bySeed := s.Verdict == schemas.Verified && s.Replay != nil && s.Replay.Mode == schemas.ModeSeed
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
	return publiclog.Joined(publiclog.Joined(words, w.ValidIf), w.from)
}

// pairReader goes over the rounds in their order.
type pairReader struct {
	subject *Subject
	facts   *publiclog.Facts
	w       *Wagers
	pairs   []Pair
	rewards *tableau.Rewards
	firsts  *tableau.Firsts // nil: every round was drawn by itself
	from    propensitySource
	law     allocation.Chances // of a declared policy that reads no rewards; nil elsewhere
	exact   []float64

	replayed *conformance.Recomputed // nil where propensities are not recomputed
	ties     bool                    // and which of nearly equal indices was the largest is open

	known   bool            // the propensities of all arms are known in every round
	needed  []int           // the arms whose propensities are asked for
	place   []int           // of an arm, among these
	p       []eprocess.Span // of each of these in a round; the zero Span where it is not known, or 0
	logged  []float64       // likewise, where all arms' are logged: what p was made of
	ends    drawnEnds       // of logged ones
	next    int64           // the row behind the one whose propensities these are
	least   []float64       // of lower
	effects []*eprocess.DifferenceProcess
	arms    []*eprocess.Assignment
	rounds  int64
	look    int64 // the round of the next look at the average of all pairs
}

// newPairReader begins before the first round. Of the first pairs, which tests are about,
// all wagers are carried out.
func newPairReader(s *Subject, w *Wagers, pairs []Pair, asked int, rewards *tableau.Rewards) *pairReader {
	r := &pairReader{ends: drawnEnds{s.Facts.Ends.ActionDrawn(), s.Facts.Ends.AllDrawn()}, subject: s, facts: s.Facts, w: w, pairs: pairs, rewards: rewards, firsts: s.Facts.Drawn.Firsts(s.Facts.Slice), p: make([]eprocess.Span, s.Facts.K()), place: make([]int, s.Facts.K()), logged: make([]float64, s.Facts.K()), least: make([]float64, s.Facts.K()), look: 1}
	if r.from, _ = s.source(); r.from == fromPolicy {
		r.law, r.exact = allocation.Blind(s.Facts.Mechanism, s.Facts.K()), make([]float64, s.Facts.K())
	}
	r.known = s.sharesKnown()
	for arm := range s.Facts.K() {
		if len(pairs) == 0 || len(w.values) > 0 || slices.ContainsFunc(pairs, func(p Pair) bool { return p[0] == arm || p[1] == arm }) {
			r.place[arm] = len(r.needed)
			r.needed = append(r.needed, arm)
		}
	}
	for i, of := range pairs {
		var e *eprocess.DifferenceProcess
		if i < asked || w.All.Rewards {
			e = eprocess.NewEffect()
			w.Reward[of] = e
		}
		r.effects = append(r.effects, e)
		if r.known {
			a := eprocess.NewAssignment()
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
	r.replayed, err = r.subject.recompute(ctx, purpose)
	r.w.from, r.ties = r.subject.recomputedWords(), r.subject.tiesOpen()
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
	return "all " + r.facts.Sampled.Rounds()
}

// eachChunk visits the chunks in their order, beside a walk over recomputed propensities.
func (r *pairReader) eachChunk(ctx context.Context, visit func(i int, c *tableau.Chunk) error) error {
	return publiclog.EachChunk(ctx, r.facts.Slice, func(i int, c *tableau.Chunk) error {
		if err := visit(i, c); err != nil || r.replayed == nil {
			return err
		}
		return r.replayed.Err()
	})
}

// PairName names a pair of arms.
func PairName(in *publiclog.Log, p Pair) string {
	return fmt.Sprintf("%s and %s", in.Name(p[0]), in.Name(p[1]))
}
