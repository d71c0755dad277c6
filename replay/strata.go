package replay

import (
	"fmt"
	"math"
	"strconv"

	"banditaudit/replay/policy"
)

// Runner is one run of a mechanism: the algorithm 𝒜 of Neel and Roth (2018).
// Each round calls Next once and then says what was played: Add, when the
// reward is known at once; or Hold, and Due and Add once it is known; or Stay, when
// it was not played after all. A Runner
// is not safe for concurrent use.
//
// Where strata are declared (policy.by), the run has one state for each: sums, counts,
// clock, start, schedule and streams, as if the rounds of a stratum were all that there
// are. Next enters the stratum of the round, and what a Runner says until the next call is
// of that state; its clock counts the rounds of the stratum, and Due and Forget name rounds
// of the whole run. A batch is one of the whole run: where it changes, every state learns
// what is known then, also one whose next round comes later.
type Runner struct {
	*run // the state that decided last

	overrule func(*Step) // see Overrule; nil: nobody does
	strata   *strata     // nil where there are none
}

// strata are the states of a run.
type strata struct {
	open   func(of string) *run
	runs   map[int64]*run
	round  int64 // that Next entered, of all strata
	batch  int32 // of it
	held   map[int64]heldIn
	due    int64 // round that the next Add belongs to; 0: the present one
	broken error
	as     *Runner // see WeighAs
	tables []policy.Tables
}

// heldIn is a round whose reward is not yet known, in its stratum.
type heldIn struct {
	run   *run
	round int64
}

// begun starts a run whose states are made by open, which is told what stands behind the
// purposes of their streams.
func (m *Mechanism) begun(open func(of string) *run) *Runner {
	if !m.strata {
		return &Runner{run: open("")}
	}
	s := &strata{open: open, runs: make(map[int64]*run), held: make(map[int64]heldIn), tables: make([]policy.Tables, max(1, policy.MostTabled/m.arms))}
	r := &Runner{strata: s}
	r.run = s.of(0) // so that there is one before the first round
	return r
}

// of returns the state of a stratum.
func (s *strata) of(stratum int64) *run {
	r := s.runs[stratum]
	if r == nil {
		r = s.open(".by." + strconv.FormatInt(stratum, 10))
		r.as = s.as
		if p, ok := r.policy.(policy.Tabled); ok {
			p.Share(&s.tables[len(s.runs)%len(s.tables)])
		}
		s.runs[stratum] = r
	}
	return r
}

// keep keeps the first error of a state.
func (s *strata) keep(r *run) {
	if s.broken == nil && r.err != nil {
		s.broken = fmt.Errorf("round %d of the run: %w", s.round, r.err)
	}
}

// catchUp has a state learn what was known when the batch changed.
func (s *strata) catchUp(r *run) {
	if r.m.schedule.batch && r.batch != s.batch && r.changed != nil {
		r.batch = s.batch
		r.update()
	}
}

// Next enters the next round and returns the arm i_t = f_t(Λ_{t−1}) that the
// policy plays in it. in is only read until the next call; nil is a round of
// which nothing is said. A round without an eligible arm leaves an error in
// Err; so does one without the contexts that a linear policy needs, of one length
// in every round.
func (r *Runner) Next(in *Round) int {
	s := r.strata
	if s == nil {
		return r.run.Next(in)
	}
	if s.round++; in == nil {
		in = &Round{}
	}
	s.batch, r.run = in.Batch, s.of(in.Stratum)
	arm := r.run.Next(in)
	s.keep(r.run)
	return arm
}

// Add shows the run the reward of the round that Next entered, or of the one
// that Due named: arm was played and earned reward, in the units of the
// protocol's range. Where the policy reads no rewards the value is not looked
// at.
//
// A reward that is NaN or outside the range (and not to be clipped), an arm
// that does not exist, a feature that is too long and an abort of the noise
// sampler leave an error in Err, and the run does nothing from then on.
func (r *Runner) Add(arm int, reward float64) {
	s := r.strata
	if s == nil {
		r.run.Add(arm, reward)
		return
	}
	to := r.run
	if h, ok := s.held[s.due]; ok {
		to = h.run
		s.catchUp(to)
		to.Due(h.round)
	} else if s.due > 0 {
		to.Due(math.MaxInt64) // no such round is held, and the state says so
	}
	delete(s.held, s.due)
	s.due = 0
	to.Add(arm, reward)
	s.keep(to)
}

// Hold says that arm was played in the round that Next entered, and that its
// reward is not known yet.
func (r *Runner) Hold(arm int) {
	r.run.Hold(arm)
	if s := r.strata; s != nil {
		s.held[s.round] = heldIn{r.run, r.state.Round}
		s.keep(r.run)
	}
}

// Stay says that the round that Next entered was not played, and that nothing is known
// of it: the next call of Next enters the same round again, with whatever is public
// then. It is called between Next and the next call of it, instead of Add and Hold. The
// policy draws anew when it is asked again.
func (r *Runner) Stay() {
	r.run.Stay()
	if r.strata != nil {
		r.strata.round--
	}
}

// Due says that the next Add is the reward of round t, which was held.
func (r *Runner) Due(t int64) {
	if r.strata == nil {
		r.run.Due(t)
	} else {
		r.strata.due = t
	}
}

// Forget says that the reward of round t, which was held, will never be known.
func (r *Runner) Forget(t int64) {
	s := r.strata
	if s == nil {
		r.run.Forget(t)
		return
	}
	if h, ok := s.held[t]; ok {
		delete(s.held, t)
		h.run.Forget(h.round)
	}
	if s.due == t {
		s.due = 0
	}
}

// WeighAs has rewards weighed as another run of the mechanism does, which has entered the
// same round before, and not by what this run sees: for a run that is told later what
// happened.
func (r *Runner) WeighAs(other *Runner) {
	r.as = other
	if s := r.strata; s != nil {
		s.as = other
		for _, state := range s.runs {
			state.as = other
		}
	}
}

// Err returns the first error of the run, nil while there is none.
func (r *Runner) Err() error {
	if s := r.strata; s != nil {
		return s.broken
	}
	return r.err
}
