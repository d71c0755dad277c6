package conformance

import (
	"errors"

	"banditaudit/replay"
	"banditaudit/replay/pipe"
)

// sharedPropensities shares the propensities of a replay out to two walks along the log, where they
// are integrals: the one that compares them, and one that goes before it with a run of its
// own and finds the propensities of some blocks of rounds. Both runs are told of the same
// rewards, and their propensities are functions of these: it does not matter who finds
// them. nil finds none.
type sharedPropensities struct {
	j     *job
	own   *logged
	size  int64 // rounds of a block
	mine  int64 // of forecastBlocks, which the walk that compares finds by itself: the first
	found *pipe.Pipe[propensityBlock]
	now   propensityBlock
}

// propensityBlock is the propensities of all arms in the rounds of a block.
type propensityBlock struct {
	number int64
	p      []float64
}

// A block has at most forecastSize propensities, or one round, and forecastBlocks of them
// are held. So many of each forecastBlocks are left to a walk that compares, and to one
// that draws too, so that both walks take about as long.
const (
	forecastSize   = 4096
	forecastBlocks = 8
	comparingOnly  = 3
	drawingToo     = 2
)

// About what a second run takes, beside its states: of a reward that is not yet known, without
// its context, and of an arm whose propensity is an integral.
const (
	waitingBytes = 96
	tableBytes   = 2048
)

// another reports whether there is a second worker and room for a second run of the mechanism.
// There is none with strata, whose states take what memory is allowed.
func (j *job) another() bool {
	m, d := j.mechanism, j.values()
	if j.declared.Jobs < 2 || m.Stratified() {
		return false
	}
	arms := int64(m.Arms())
	need := m.RunBytes(d, 1) + tableBytes*arms + 8*forecastBlocks*max(forecastSize, arms*int64(d))
	if j.s.Schema().RewardRound {
		need += j.s.Rows() * (waitingBytes + 8*int64(d))
	}
	return need <= j.declared.Spare
}

// forecast begins the second walk of a replay with a master seed, whose rewards are l's; nil
// where there is none.
func (j *job) forecast(l *logged, master [32]byte, mine int64) *sharedPropensities {
	m := j.mechanism
	if !m.Integral() || l.feed == nil || !j.another() {
		return nil
	}
	f := &sharedPropensities{j: j, own: j.shell(), mine: mine, size: max(1, int64(forecastSize/j.s.Arms()))}
	f.found = pipe.New(forecastBlocks, func() propensityBlock { return propensityBlock{p: make([]float64, 0, f.size*int64(m.Arms()))} })
	f.own.run = m.NewForecaster(master, j.s.ID())
	f.own.feed = l.feed.To(f.own.run)
	f.now.number = -1
	return f
}

// beside runs compare with the second walk beside it.
func (f *sharedPropensities) beside(compare func() error) error {
	if f == nil {
		return compare()
	}
	return f.j.s.Together(f.j.declared.Jobs, func() error {
		defer f.found.Over()
		return compare()
	}, f.walk)
}

// theirs reports whether the second walk finds a block.
func (f *sharedPropensities) theirs(block int64) bool { return block%forecastBlocks >= f.mine }

// walk is the second walk. It ends where its run fails, as the other's does there.
func (f *sharedPropensities) walk() error {
	defer f.found.End()
	var to propensityBlock
	row, last := int64(-1), f.own.rows-1
	err := f.own.through(f.j, true, func() error {
		row++
		block := row / f.size
		if !f.theirs(block) {
			return nil
		}
		if row%f.size == 0 {
			var ok bool
			if to, ok = f.found.Empty(); !ok {
				return replay.ErrOver
			}
			to.number, to.p = block, to.p[:0]
		}
		to.p = append(to.p, f.own.run.Propensities()...)
		if (row+1)%f.size == 0 || row == last {
			f.found.Put(to)
		}
		return nil
	})
	return going(err)
}

// of returns the propensities of all arms in the round that l has entered, which is later
// than all before.
func (f *sharedPropensities) of(l *logged) []float64 {
	if f == nil {
		return l.run.Propensities()
	}
	row := l.chunk.Start + int64(l.row)
	block := row / f.size
	for more := true; f.theirs(block) && f.now.number < block && more; {
		if f.now.p != nil {
			f.found.Return(f.now)
		}
		if f.now, more = f.found.Filled(); !more { // it failed, or there is no more of it
			f.now.number = block
		}
	}
	if !f.theirs(block) || f.now.p == nil {
		return l.run.Propensities()
	}
	k := int64(f.j.mechanism.Arms())
	return f.now.p[row%f.size*k:][:k]
}

// relayed is a second walk along a log, with a run whose counters draw their noise before
// the run of the first asks for what they release. nil is none.
type relayed struct {
	j      *job
	teller *replay.Runner
	relay  *replay.Relay
}

// halves starts the run of a replay with a master seed: in two halves where vectors have noise
// and there may be another run, unless one goes before already (see forecast).
func (j *job) halves(master [32]byte, alone bool) (*replay.Runner, *relayed) {
	m := j.mechanism
	if alone || !m.Linear() || !m.Noisy() || !j.another() {
		return m.NewRunner(master, j.s.ID()), nil
	}
	run, teller, relay := m.NewRelayed(master, j.s.ID())
	return run, &relayed{j, teller, relay}
}

// beside runs compare, a walk with l, with the second walk beside it. The second fails where
// the first does, or is interrupted sooner: then the first had nobody to follow.
func (r *relayed) beside(l *logged, compare func() error) error {
	if r == nil {
		return compare()
	}
	own := r.j.shell()
	own.run, own.feed = r.teller, l.feed.To(r.teller)
	var before error
	err := r.j.s.Together(r.j.declared.Jobs, func() error {
		defer r.relay.Over()
		return compare()
	}, func() error {
		defer r.relay.End()
		before = going(own.through(r.j, true, func() error { return nil }))
		return before
	})
	if errors.Is(err, replay.ErrOver) && before != nil {
		return before
	}
	return err
}

// going is the error of a second walk: none where it only had nobody to go before.
func going(err error) error {
	if errors.Is(err, replay.ErrOver) {
		return nil
	}
	return err
}
