package conformance

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/accounting"
	"banditaudit/schemas"
)

// mostHintRounds bounds the rounds of replay that are spent on neighbours.
const mostHintRounds = 200_000_000

// mostHints is how many neighbours are named.
const mostHints = 3

// A neighbour is left at mismatch number max(leastLeft, 1 % of the rounds), or as soon as
// it cannot explain more than what it is held against.
const leastLeft = 10

// errLeft ends the replay of a neighbour, and errSpent ends the replay of all neighbours.
var (
	errLeft  = errors.New("conformance: the neighbour is left")
	errSpent = errors.New("conformance: the budget is spent")
)

// hinter tries neighbours of the declared policy on a log that is not its own, one after
// another: those that differ in one option, and where none of these explains all, those
// that differ in two. They are told of the rewards from one feed.
type hinter struct {
	job *job

	master [32]byte
	seeded bool        // master is declared
	bySeed bool        // the declared policy was held against the log by its answers
	c      *comparison // nil: actions are compared, and not propensities
	feed   *tableau.Feed
	run    *replay.Runner
	left   int64 // rounds of replay
	wrong  int64 // rounds that do not match under the declared policy
	out    schemas.Hints
	single []replay.Neighbour // of one option
	found  []tried
}

// tried is a neighbour that was tried to its end.
type tried struct {
	replay.Neighbour

	matched, wrong int64
	loose          int64   // rounds in which more than one arm would have matched
	drawn          bool    // it was held against the log by whether actions can be drawn
	like           float64 // then ln of the probability that it draws those which match
	order          int
}

// lessLikely is how much ln of the probability of all actions may be below the largest of
// the neighbours that match as many: whoever matches by probabilities that the log does not
// bear out is no hint.
const lessLikely = 7

// Add tells the neighbour under trial of a reward.
func (h *hinter) Add(arm int, reward float64) { h.run.Add(arm, reward) }

// hints looks for neighbours of the declared policy that match at least half of the rounds
// that it does not, and so more than it does; nil where
// there is nothing to explain, or nothing by which to compare. It is deterministic: what
// is tried, and in what order, follows from the declaration and the log.
func (j *job) hints(seed *schemas.Seed, c *schemas.Conformance, budget int64) (*schemas.Hints, error) {
	h := &hinter{job: j, master: master(seed), seeded: seed != nil && len(seed.Bytes) > 0, bySeed: c.Mode == schemas.ModeSeed, left: budget, wrong: c.Replayable - c.Matched}
	var err error
	switch {
	case h.wrong <= 0 || j.catalogue == nil || !j.mechanism.ReadsRewards() && !j.mechanism.Scored():
		return nil, nil //nolint:nilnil // no hint is no error
	case c.Mode == schemas.ModePropensity && c.Propensities.Draws == nil:
		h.c, err = j.compare()
	case c.Mode != schemas.ModeSeed && c.Mode != schemas.ModeLaw:
		return nil, nil //nolint:nilnil // likewise
	}
	if err != nil {
		return nil, err
	}
	if h.single = j.catalogue.Neighbours(j.protocol, j.arms); len(h.single) == 0 {
		return nil, nil //nolint:nilnil // likewise
	}
	if j.mechanism.ReadsRewards() {
		if h.feed, err = j.s.Feed(j.book, j.mechanism.Law().Name()+", neighbours", h); err != nil {
			return nil, err
		}
	}
	h.out = schemas.Hints{Rounds: c.Replayable, Matched: c.Matched, Left: max(leastLeft, c.Replayable/100)}
	if err := h.all(); err != nil {
		return nil, err
	}
	h.out.Named = h.named()
	return &h.out, nil
}

// all tries the neighbours.
func (h *hinter) all() error {
	singles := h.single
	wrong := make([]int64, len(singles)) // how many rounds each leaves unexplained; h.enough() where it was left
	for i := range singles {
		var err error
		if wrong[i], err = h.try(&singles[i], h.enough()); err != nil {
			return err
		}
	}
	if h.job.mechanism.Noisy() || slices.Contains(wrong, 0) {
		return nil // beside noise each takes a law of its own, which can take a second to build
	}
	for i := range singles {
		for k := i + 1; k < len(singles); k++ {
			both, ok := h.job.catalogue.Both(h.job.protocol, &singles[i], &singles[k])
			if !ok {
				continue
			}
			if _, err := h.try(&both, min(wrong[i], wrong[k])); err != nil {
				return err
			}
		}
	}
	return nil
}

// enough is the number of rounds below which a neighbour leaves no more than half of those
// that differ: one that explains fewer says nothing of what ran. A window that is a little
// wider would be named of every log in which a few actions were changed.
func (h *hinter) enough() int64 { return h.wrong/2 + 1 }

// try replays the log with a neighbour, and returns in how many rounds it is another than
// the log's: most where it was left there, or is no declaration.
func (h *hinter) try(n *replay.Neighbour, most int64) (wrong int64, err error) {
	if h.left <= 0 {
		h.out.Untried++
		return most, nil
	}
	m, err := h.job.catalogue.New(n.Protocol, h.job.arms)
	if err != nil || h.bySeed && h.job.mechanism.Random() && !h.given(m) {
		return most, nil //nolint:nilerr // it is no declaration, or what it can draw says nothing beside what a seed gives
	}
	t := tried{Neighbour: *n, order: len(h.found)}
	err = h.replayed(m, n.Protocol, &t, func(good bool) error {
		if good {
			t.matched++
		} else if t.wrong++; t.wrong >= min(most, h.out.Left) {
			return errLeft
		}
		return nil
	})
	switch {
	case h.job.ctx.Err() != nil:
		return 0, h.job.ctx.Err()
	case errors.Is(err, errSpent):
		h.out.Untried++
		return most, nil
	case err == nil && t.matched > h.out.Matched:
		h.found = append(h.found, t)
		most = t.wrong
	}
	h.out.Tried++ // also where its run failed: then it has not written the log
	return most, nil
}

// given reports whether the action of a mechanism is known in every round: it draws
// nothing, or a seed gives its draws.
func (h *hinter) given(m *replay.Mechanism) bool {
	return m.Deterministic() || h.seeded && !m.Unseeded() && !h.job.declared.Without(h.job.s)
}

// replayed replays the log with a mechanism that a protocol declares, and tells take of
// every round that is compared whether it matches. It notes in how many more than one arm
// would have matched, or other propensities, and how likely the actions are.
func (h *hinter) replayed(m *replay.Mechanism, p *schemas.Protocol, of *tried, take func(good bool) error) error {
	d := &Declared{From: h.job.catalogue, Declared: accounting.Declared{Protocol: p, Arms: h.job.arms, Mechanism: m}}
	j := d.begin(h.job.ctx, h.job.s, h.job.book)
	h.run = m.NewRunner(h.master, h.job.s.ID())
	l := j.shell()
	l.run, l.feed = h.run, h.feed
	byLaw, near := h.c == nil && !h.given(m), j.nearTies(l.run)
	compared := h.judge(j, l, near, of)
	err := l.follow(j, func(answer int) error {
		if h.left--; h.left < 0 {
			return errSpent
		}
		h.out.Replayed++
		if good, ok := compared(answer); ok {
			return take(good)
		}
		return nil
	})
	if !byLaw {
		of.loose = near.open()
	}
	return err
}

// judge returns what says of the round that a replay is in whether it matches, and whether
// it is compared at all: by logged propensities; by the action, where the run draws nothing
// or a seed gives its draws; and elsewhere by whether the action can be drawn, which counts
// as loose where others can too.
func (h *hinter) judge(j *job, l *logged, near *nearTies, of *tried) func(answer int) (good, compared bool) {
	if h.c != nil {
		c := &comparison{tolerance: h.c.tolerance, ties: near}
		return func(int) (good, compared bool) {
			if l.notChosen() {
				return false, false
			}
			good = c.nearest(l, l.run.Propensities()).beyond < 0
			return good, good || !h.c.kept.keeps(&l.chunk, l.row)
		}
	}
	if h.given(j.mechanism) {
		return func(answer int) (good, compared bool) {
			if l.notChosen() || !l.asks() && !j.mechanism.Random() {
				return false, false
			}
			return near.chose(l, answer, l.arm()), true
		}
	}
	w := &lawHeld{j: j, near: near}
	of.drawn = true
	return func(int) (good, compared bool) {
		if !l.draws() {
			return false, false
		}
		p := l.run.Propensities()
		_, hi := w.ends(l, p)
		can := 0
		for _, p := range hi {
			can += b2i(p > 0)
		}
		of.loose += int64(b2i(can > 1))
		good = hi[l.arm()] > 0
		if good {
			of.like += math.Log(max(p[l.arm()], math.SmallestNonzeroFloat64))
		}
		return good, true
	}
}

// named are the best of what was found, the less loose before others that match as much: of
// those that change the same options the first, and where one matches all no others but such.
func (h *hinter) named() []schemas.Hint {
	slices.SortStableFunc(h.found, func(a, b tried) int {
		return cmp.Or(cmp.Compare(a.wrong, b.wrong), cmp.Compare(b.matched, a.matched), cmp.Compare(len(a.Options), len(b.Options)), cmp.Compare(a.loose, b.loose), cmp.Compare(a.order, b.order))
	})
	out := []schemas.Hint{}
	var options [][]string
	for _, t := range h.found {
		known := slices.ContainsFunc(options, func(o []string) bool { return slices.Equal(o, t.Options) })
		unlikely := slices.ContainsFunc(h.found, func(o tried) bool { return o.drawn && t.drawn && o.wrong <= t.wrong && o.like > t.like+lessLikely })
		if known || unlikely || len(out) == mostHints || t.wrong > 0 && h.found[0].wrong == 0 {
			continue
		}
		options = append(options, t.Options)
		out = append(out, schemas.Hint{Declare: t.Say, Without: append([]string{}, t.Without...), Matched: t.matched, Rounds: t.matched + t.wrong})
	}
	return out
}
