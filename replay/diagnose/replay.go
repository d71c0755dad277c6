package diagnose

import (
	"context"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// Replay is a log that does not have the propensities of the declared policy, and
// what it takes to replay it under another declaration. A hypothesis may run any
// policy over the log that a protocol can declare (see run).
type Replay struct {
	Context   context.Context   //nolint:containedctx // a replay is explained by one call
	From      *replay.Catalogue // what a protocol may declare
	Protocol  *schemas.Protocol
	Arms      []string          // labels in index order
	Mechanism *replay.Mechanism // what the protocol declares
	Slice     *tableau.Slice
	Tolerance Tolerance
	Rows      []int64 // of the experiment, from 0, on which hypotheses are tried
	First     int64   // of these, the first beyond tolerance

	Rounds, Matched int64 // of the whole log, and those within tolerance
	Uniform         int64 // of the others, those whose logged propensities are all the same
	Shares          bool  // logged propensities may be shares of draws
	Observed        bool  // the policy chooses by logged released values

	Label func(arm int) string // of an arm
	// Start starts a run of a mechanism on the log.
	Start func(*replay.Mechanism) *replay.Runner
	// Pass goes over the log, and returns the rows that were asked for.
	Pass func(*Pass) ([]*Row, error)

	rows      []*Row            // of the first pass
	told      *replay.Mechanism // see scheduled; nil: not made yet, or none
	unfloored *kept             // see withoutFloor
}

// Pass is what one pass over the log is told to.
type Pass struct {
	Rows          []int64 // in order; the pass ends with the last
	Runs          []*Run  // the first is the declared policy
	Before, After func(r *Row, want []float64)
	// Instant has rewards learned before a choice that became known at the very time
	// of it.
	Instant bool
}

// Run is a policy that is told of the logged history, and may be the declared one but
// for something that a hypothesis changes.
type Run struct {
	Runner *replay.Runner

	Learns func(t int64) bool // when it learns; nil: as its mechanism does by itself
	Late   bool               // it is told at each update what it was to be told at the one before
	Ended  bool               // it cannot explain the log any more, or its runner has ended

	take  func(r *Row, want []float64)
	tally tally
}

// Take hands the run a row, with what it says of it.
func (v *Run) Take(r *Row, want []float64) { v.take(r, want) }

// Explain tries hypotheses, all in one pass but for what is fitted in several, and
// returns the best of each kind, whether it fits or not, what fits first: so it is
// known what was tried. It also returns how shares of draws lean. It returns the same
// errors as Pass.
func (r *Replay) Explain(list []Cause) ([]schemas.Hypothesis, []AlternativeFit, error) {
	trials := make([]Trial, 0, len(list))
	for _, h := range list {
		if h.Replay != nil {
			trials = append(trials, h.Replay(r))
		}
	}
	if err := r.first(trials); err != nil {
		return nil, nil, err
	}
	var leans []AlternativeFit
	for _, t := range trials {
		if r.Shares && t.Leans != nil {
			leans = append(leans, t.Leans()...)
		}
	}
	found, err := said(list, trials)
	return results(ranked(found)), leans, err
}

// first is the first pass.
func (r *Replay) first(trials []Trial) error {
	p := Pass{Rows: r.Rows, Runs: []*Run{r.own()}}
	p.Before = func(o *Row, want []float64) {
		told(trials, func(t *Trial) func(*Row, []float64) { return t.Before }, o, want)
	}
	p.After = func(o *Row, want []float64) {
		told(trials, func(t *Trial) func(*Row, []float64) { return t.After }, o, want)
	}
	for _, t := range trials {
		for _, run := range t.Runs {
			if !slices.Contains(p.Runs, run) {
				p.Runs = append(p.Runs, run)
			}
		}
	}
	var err error
	r.rows, err = r.Pass(&p)
	return err
}

// told hands those trials a row that take it.
func told(trials []Trial, by func(*Trial) func(*Row, []float64), o *Row, want []float64) {
	for i := range trials {
		if take := by(&trials[i]); take != nil {
			take(o, want)
		}
	}
}

// said is the best that each trial says, and where nothing fits of what it fits too.
func said(list []Cause, trials []Trial) ([]Explanation, error) {
	byTrial := make([][]Explanation, len(trials))
	ask := func(i int, what func() ([]Explanation, error)) error {
		if what == nil {
			return nil
		}
		more, err := what()
		byTrial[i] = best(append(ordered(list, more), byTrial[i]...))
		return err
	}
	for i, t := range trials {
		if err := ask(i, t.Say); err != nil {
			return nil, err
		}
	}
	if found := slices.Concat(byTrial...); fits(found) {
		return found, nil
	}
	for i, t := range trials {
		if err := ask(i, t.Fit); err != nil {
			return nil, err
		}
	}
	return slices.Concat(byTrial...), nil
}

// end is the number of rounds that a pass takes.
func (r *Replay) end() int64 { return r.Rows[len(r.Rows)-1] + 1 }

// own is the declared policy, once more.
func (r *Replay) own() *Run {
	return &Run{Runner: r.Start(r.Mechanism), take: func(*Row, []float64) {}}
}

// mechanism builds what the protocol declares with another policy; nil where no such
// policy can be.
func (r *Replay) mechanism(change func(p *schemas.Policy)) *replay.Mechanism {
	p, policy := *r.Protocol, *r.Protocol.Policy
	p.Policy = &policy
	change(&policy)
	m, err := r.From.New(&p, r.Arms)
	if err != nil {
		return nil
	}
	return m
}

// run returns a run of a mechanism, of which fitted numbers were fitted, that is judged by
// tolerance.
func (r *Replay) run(m *replay.Mechanism, fitted int) *Run {
	v := &Run{Runner: r.Start(m), tally: tally{free: fitted}}
	v.take = func(o *Row, want []float64) {
		v.tally.add(&r.Tolerance, o, want)
		v.Ended = v.Ended || !r.Shares && v.tally.hopeless(len(r.Rows))
	}
	return v
}

// scheduled returns a run of the declared policy that learns when it is told to: by
// batches, which whoever runs it numbers. It is nil for a policy that learns nothing.
func (r *Replay) scheduled(learns func(t int64) bool, fitted int) *Run {
	if !r.Mechanism.ReadsRewards() {
		return nil
	}
	if r.told == nil {
		if r.told = r.mechanism(func(p *schemas.Policy) { p.Update = &schemas.Update{Batch: true} }); r.told == nil {
			return nil
		}
	}
	v := r.run(r.told, fitted)
	v.Learns = learns
	return v
}

// kept is a run of which all is kept that it says of rows.
type kept struct {
	run *Run // nil: there is none

	replay *Replay
	own    []*Row
}

// keep keeps what a changed policy says.
func (r *Replay) keep(change func(p *schemas.Policy)) *kept {
	k := &kept{replay: r}
	m := r.mechanism(change)
	if m == nil {
		return k
	}
	k.run = &Run{Runner: r.Start(m), take: func(o *Row, want []float64) {
		another := *o
		another.Want = slices.Clone(want)
		k.own = append(k.own, &another)
	}}
	return k
}

// withoutFloor is the declared policy without its floor.
func (r *Replay) withoutFloor() *kept {
	switch {
	case r.unfloored != nil:
	case r.declaredFloor().Value == 0:
		r.unfloored = &kept{replay: r}
	default:
		r.unfloored = r.keep(func(p *schemas.Policy) { p.Floor = nil })
	}
	return r.unfloored
}

// runs is the run, if there is one.
func (k *kept) runs() []*Run {
	if k.run == nil {
		return nil
	}
	return []*Run{k.run}
}

// rows returns the rows that were kept, and the rows of the declared policy where there is
// no run.
func (k *kept) rows() []*Row {
	if k.run == nil {
		return k.replay.rows
	}
	return k.own
}

// declaredFloor returns the declared floor; the zero floor where there is none.
func (r *Replay) declaredFloor() schemas.Floor {
	if f := r.Protocol.Policy.Floor; f != nil {
		return *f
	}
	return schemas.Floor{}
}
