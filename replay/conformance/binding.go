package conformance

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/evidence/rounding"
	"banditaudit/schemas"
)

// What is spent on finding out what a replay binds, in elementary steps: one arm
// in one round, d² of them where a policy reads vectors of d numbers, and
// integral of them where its propensities are integrals and are compared. It is a
// number and no time, so that the same log has the same result everywhere.
const (
	bindingSteps = 20_000_000
	integral     = 500
)

// purposeBinding is what the rewards are booked for that are changed: how many of
// them can be changed unseen is a function of the rewards without noise.
const purposeBinding = "conformance:binding"

// binder replays a log with the last rewards of one arm changed, and sees whether
// the replay is what it was: every action that the policy chooses, every
// propensity within its tolerance where they are compared, and every released
// value. It reads rewards through one feed.
type binder struct {
	job    *job
	master [32]byte
	mode   string
	used   int64                // rounds within the window of near ties, in the log as it is
	c      *comparison          // nil: propensities are not compared
	column *rounding.Resolution // nil: released values are not compared
	feed   *tableau.Feed
	steps  int64   // that are left
	each   int64   // of a round
	pulls  []int64 // by arm, of which the reward is known
	below  []int64 // rewards of each arm that are below the upper end of the range
	above  []int64 // and above the lower

	l         *logged // of the replay under way; nil while rewards are counted
	arm       int
	to        float64
	skipped   int64   // rewards that are left as they are before the first that is changed
	low, high float64 // ends of the range
	alone     bool    // only the rewards of the arm are added: sums of others stay what they are
}

// bind finds how many rewards of each arm can be changed. nil where nothing was
// replayed, or the log contradicts the policy as it is.
func (j *job) bind(master [32]byte, c *schemas.Conformance) (*schemas.Binding, error) {
	out := &schemas.Binding{Arms: []schemas.ArmBinding{}}
	switch {
	case c.Mode == schemas.ModeNone || c.Mode == schemas.ModeLaw || !holds(c):
		return nil, nil //nolint:nilnil // nothing to say is no error
	case !j.mechanism.ReadsRewards():
		out.Any = true
		return out, nil
	}
	reach := j.protocol.Reward.Range
	b := &binder{job: j, master: master, mode: c.Mode, steps: bindingSteps, low: reach[0], high: reach[1]}
	b.used = c.Chosen()
	if err := b.prepare(); err != nil {
		return nil, err
	}
	out.Left = int64(len(j.arms))
	if b.most(j.s.Rows()) > b.steps {
		return out, nil // not even one direction
	}
	if err := b.open(); err != nil {
		return nil, err
	}
	return out, b.arms(out)
}

// holds reports whether the replay found nothing that is not as the policy has it,
// round by round: not where propensities are shares of draws, which a test of all
// rounds together compares.
func holds(c *schemas.Conformance) bool {
	x := c.Released
	return c.Rounds > 0 && c.Replayable == c.Rounds && c.Matched == c.Rounds && c.FirstMismatch == nil &&
		(c.Propensities == nil || c.Propensities.FirstMismatch == nil && c.Propensities.Draws == nil) && (x == nil || x.FirstDiffer == nil && x.Changed == 0)
}

// prepare finds what is compared, and what a round costs.
func (b *binder) prepare() error {
	d := max(1, int64(b.job.values()))
	b.each = int64(b.job.s.Arms()) * d * d
	var err error
	if b.mode != schemas.ModeReleased && b.job.mechanism.Random() && b.job.s.HasPropensity() {
		if b.c, err = b.job.compare(); err != nil {
			return err
		}
		if b.job.mechanism.Integral() {
			b.each *= integral
		}
	}
	if b.mode == schemas.ModeSeed && b.job.logsReleased() {
		b.column, err = b.job.resolve()
	}
	if b.mode == schemas.ModeReleased {
		b.each *= 2 // another run says what the log as it is has released
	}
	return err
}

// open books what is read, and counts the rewards that can be changed.
func (b *binder) open() error {
	if err := b.job.book.Disclose(purposeBinding, b.job.s.Rows(), []string{tableau.Reward, tableau.Arm}); err != nil {
		return err
	}
	var err error
	if b.feed, err = b.job.s.Feed(b.job.book, b.job.mechanism.Law().Name()+", changed rewards", b); err != nil {
		return err
	}
	b.pulls, b.below, b.above = make([]int64, len(b.job.arms)), make([]int64, len(b.job.arms)), make([]int64, len(b.job.arms))
	for row := range b.job.s.Rows() {
		b.feed.Row(row)
	}
	return nil
}

// Add counts a reward, or hands it to the run with the change that is tried.
func (b *binder) Add(arm int, reward float64) {
	lo, hi := b.low, b.high
	if b.l == nil {
		b.pulls[arm]++
		b.below[arm] += int64(b2i(reward < hi))
		b.above[arm] += int64(b2i(reward > lo))
		return
	}
	if b.alone && arm != b.arm {
		return
	}
	changed := reward
	if differs := b.to == hi && reward < hi || b.to == lo && reward > lo; arm == b.arm && differs {
		if b.skipped > 0 {
			b.skipped--
		} else {
			changed = b.to
		}
	}
	b.l.run.Add(arm, changed)
	if b.l.also != nil {
		b.l.also.Add(arm, reward)
	}
}

// arms goes through the arms by how often they were played, as far as the steps
// last.
func (b *binder) arms(out *schemas.Binding) error {
	order := make([]int, len(b.job.arms))
	for arm := range order {
		order[arm] = arm
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(b.pulls[y], b.pulls[x]) })
	for _, arm := range order {
		if len(out.Arms) == schemas.MostBindings || b.most(b.below[arm])+b.most(b.above[arm]) > b.steps {
			break
		}
		x := schemas.ArmBinding{Arm: b.job.label(arm)}
		if err := b.ends(arm, &x); err != nil {
			return err
		}
		out.Arms, out.Left = append(out.Arms, x), out.Left-1
	}
	return nil
}

// ends goes through both ends of the range, at one time where no propensities are compared.
func (b *binder) ends(arm int, x *schemas.ArmBinding) error {
	jobs, other := b.job.declared.Jobs, *b
	if b.c != nil {
		jobs = 1
	}
	other.feed, other.steps = b.feed.To(&other), 0
	err := b.job.s.Together(jobs, func() (err error) {
		x.Down, err = other.largest(arm, b.low, b.above[arm])
		return err
	}, func() (err error) {
		x.Up, err = b.largest(arm, b.high, b.below[arm])
		return err
	})
	b.steps += other.steps
	return err
}

// most is what the replays for n rewards take at most.
func (b *binder) most(n int64) int64 {
	replays := 1 + int64(bits.Len(uint(bits.Len64(uint64(n))))) //nolint:gosec // n counts rows
	return replays * b.each * b.job.s.Rows()
}

// largest returns the number of rewards at the end of an arm, of n that are not at
// an end of the range, that can all be set to it: n itself, or n halved as often as
// it takes. How often is found by bisection, as if fewer changes passed wherever
// more do: what is returned has passed, and is a lower bound.
func (b *binder) largest(arm int, to float64, n int64) (schemas.Changeable, error) {
	out := schemas.Changeable{Of: n}
	if n == 0 {
		return out, nil
	}
	if ok, err := b.passes(arm, to, 0); err != nil || ok {
		out.AtLeast = n
		return out, err
	}
	failed, passed := 0, bits.Len64(uint64(n)) //nolint:gosec // n counts rows; n >> passed is 0, and no change passes
	for passed-failed > 1 {
		half := (failed + passed) / 2
		ok, err := b.passes(arm, to, n-n>>half)
		if err != nil {
			return out, err
		}
		if ok {
			passed = half
		} else {
			failed = half
		}
	}
	out.AtLeast = n >> passed
	return out, nil
}

// errBound ends a replay that is not what it was.
var errBound = errors.New("a changed reward shows")

// passes reports whether the replay is what it was where all but the first skip of
// the rewards of an arm that are not at an end of the range are set to it.
func (b *binder) passes(arm int, to float64, skip int64) (bool, error) {
	b.arm, b.to, b.skipped = arm, to, skip
	l := b.job.shell()
	if b.mode == schemas.ModeReleased {
		l.shows = b.job.mechanism.Linear()
		l.run, l.also = b.job.mechanism.NewTeller(b.job.s.ID()), b.job.mechanism.NewTeller(b.job.s.ID())
	} else {
		l.run = b.job.mechanism.NewRunner(b.master, b.job.s.ID())
	}
	l.feed, b.l = b.feed, l
	b.alone = b.mode == schemas.ModeReleased && !b.job.mechanism.Linear() && l.until == nil && !b.job.s.Schema().RewardRound
	ties := b.job.nearTies(l.run)
	b.c.allow(ties)
	err := b.follow(l, ties)
	if errors.Is(err, errBound) {
		return false, nil
	}
	return err == nil && ties.chosen() == b.used, err
}

// follow goes along the log until a round is not what it was: errBound.
func (b *binder) follow(l *logged, ties *nearTies) error {
	if b.alone && b.job.mechanism.AtOnce() && !b.job.mechanism.Weighs() {
		return b.atOnce(l)
	}
	return l.follow(b.job, func(answer int) error {
		b.steps -= b.each
		if b.same(l, ties, answer) {
			return nil
		}
		return errBound
	})
}

// atOnce is follow where nothing but the sum of the arm can become another, and the round
// after a reward shows it: rounds after rounds of other arms are what they were. The reward
// of the last round is in nothing that is released.
func (b *binder) atOnce(l *logged) error {
	rows := b.job.s.Rows()
	for i := range b.job.s.Chunks() {
		if err := b.job.ctx.Err(); err != nil {
			return err
		}
		c := b.job.s.Chunk(i)
		for row, arm := range c.Arm {
			at := c.Start + int64(row)
			if int(arm) != b.arm || at == rows-1 {
				continue
			}
			b.feed.Row(at)
			if err := l.err(); err != nil {
				return err
			}
			if l.run.Sum(b.arm) != l.also.Sum(b.arm) {
				b.steps -= b.each * (at + 2)
				return errBound
			}
		}
	}
	b.steps -= b.each * rows
	return nil
}

// same reports whether a round is what it was.
func (b *binder) same(l *logged, ties *nearTies, answer int) bool {
	if b.mode == schemas.ModeReleased {
		l.also.Next(&l.in)
		if b.alone {
			return l.also.Err() == nil && l.run.Sum(b.arm) == l.also.Sum(b.arm)
		}
		return l.also.Err() == nil && slices.Equal(l.run.Exact(), l.also.Exact())
	}
	if l.notChosen() {
		return b.column == nil || b.releases(l)
	}
	if b.mode == schemas.ModeSeed && !ties.chose(l, answer, l.arm()) {
		return false
	}
	if b.c != nil && b.c.nearest(l, l.run.Propensities()).beyond >= 0 {
		return false
	}
	return b.column == nil || b.releases(l)
}

// releases reports whether the declared counter releases what is logged.
func (b *binder) releases(l *logged) bool {
	known := l.run.Exact()
	for i, v := range l.released() {
		if !rounding.Same(v, known[i], max(b.column.Off(v), rounding.Single(v))) {
			return false
		}
	}
	return true
}
