package conformance

import (
	"fmt"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/accounting"
	"banditaudit/replay/evidence/releasednoise"
	"banditaudit/replay/evidence/rounding"
	"banditaudit/replay/evidence/wager"
	"banditaudit/schemas"
)

// logsReleased reports whether the log says what the policy saw, and it saw
// anything.
func (j *job) logsReleased() bool {
	return j.s.Schema().ReleasedByArm > 0 && j.mechanism.ReadsRewards()
}

// byReleased is the evidence of the released values.
func byReleased() evidence { return evidence{there: (*job).logsReleased, pass: (*job).released} }

// released compares every logged action with what the policy does given the
// logged released values: a policy that draws nothing plays one arm, and of one
// that does all propensities are known. What the values themselves are is
// examined beside (see seen).
//
// The actions follow from what the log says was seen, and from the logged
// history; that this was seen is not in them.
func (j *job) released() (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeReleased, Rounds: j.chosen()}
	j.shows = true
	c, err := j.compareInto(&out)
	if err != nil {
		return out, err
	}
	seen, err := j.see()
	if err != nil {
		return out, err
	}
	l, err := j.openRuns(seen.run, nil)
	if err != nil {
		return out, err
	}
	l.units = j.unitArms()
	c.allow(seen.near)
	alone := out // without the propensities
	visit := func(answer int) error {
		var want []float64
		if j.mechanism.Random() {
			want, answer = l.run.Propensities(), -1
		}
		m, known := seen.round(l, answer, want)
		if known {
			counted(&alone, m)
		}
		if c != nil && !l.notChosen() && (known || !l.asks()) { // whatever was drawn, propensities are logged
			p, compared := c.compared(j, l, want, seen.ends)
			if known = known && compared; m == nil {
				m = p
			}
		}
		if !known {
			return j.write(l, answer, want)
		}
		counted(&out, m)
		return j.write(l, answer, want)
	}
	err = j.s.Together(j.declared.Jobs, func() error { return l.follow(j, visit) }, seen.apart(l))
	if err == nil && c != nil {
		err = c.explain(j, [32]byte{})
	}
	if c != nil && c.out.Draws != nil && !c.out.Draws.Contradict() {
		alone.Propensities, out = &c.out, alone
	}
	out.Released = seen.result()
	seen.near.result(&out)
	return out, err
}

// counted notes a round that could be replayed, and how it differs; nil: it does
// not.
func counted(out *schemas.Conformance, m *schemas.Mismatch) {
	out.Replayable++
	if m == nil {
		out.Matched++
	} else {
		mismatched(out, m)
	}
}

// compared compares the logged propensities of a round, and returns what is
// wrong with the logged action's, or else another's; nil for nothing. It returns
// false where rounding of the released values explains what differs, and where the unit
// keeps a draw and these are the propensities of that draw.
func (c *comparison) compared(j *job, l *logged, want []float64, e *ends) (*schemas.Mismatch, bool) {
	if e != nil && c.deviation(l, want).beyond >= 0 {
		want = slices.Clone(want) // the ends are computed in the same place
		if d := c.deviation(l, e.clamp(l, want)); d.beyond < 0 {
			return nil, false
		}
	}
	matched, kept := c.out.Matched, c.out.Kept
	c.round(j, l, want)
	if c.out.Matched > matched || c.out.Kept > kept {
		return nil, c.out.Kept == kept
	}
	d := c.deviation(l, want)
	arm, got := d.beyond, d.got
	return &schemas.Mismatch{
		Round:    l.round(),
		Logged:   fmt.Sprintf("%s with propensity %g", j.label(arm), got),
		Replayed: fmt.Sprintf("%s with propensity %g", j.label(arm), want[arm]),
	}, true
}

// seen examines what the log says the policy saw, round by round:
//
//	which action it chooses by that
//	whether a value changes only when the declared counter releases one
//	whether it is the value that the counter releases, where that is known:
//	  with a seed, or of a counter that adds no noise
//	the noise that is in it (releasednoise)
type seen struct {
	j       *job
	run     *replay.Runner // chooses by what is logged; its own counters add no noise
	told    *replay.Runner // whose counters say what is in a release: run, or one that goes along the log by itself
	out     schemas.ReleasedReplay
	per     int // values of an arm
	column  *rounding.Resolution
	near    *nearTies
	ends    *ends                // nil: actions follow from what is logged as it is
	known   *replay.Runner       // whose counters release what the declared one does; nil: that is not known
	wager   *wager.Wager         // nil: actions are not drawn, or a seed decides them
	noise   *releasednoise.Noise // nil: the declared counter adds none
	beside  replay.Round         // of a run beside another
	strata  map[int64]*lastSeen  // nil: there are none
	stratum int64                // of the round
	*lastSeen
}

// lastSeen is what was seen last, in a stratum.
type lastSeen struct {
	before  []float64 // logged in the round before; 0 before the first
	rows    []int64   // in the last release of every arm
	arrived []int64   // rows of every arm when the policy learned of it
}

func newLastSeen(arms, per int) *lastSeen {
	return &lastSeen{before: make([]float64, arms*per), rows: make([]int64, arms), arrived: make([]int64, arms)}
}

// purposeReleased is what the exact sums are booked for that released values are
// held against. The feed is booked beside it, as of every replay.
const purposeReleased = "conformance:released"

// see starts the examination of a log that has released values.
func (j *job) see() (*seen, error) {
	k, per := j.s.Arms(), j.s.Schema().ReleasedByArm
	if k != j.mechanism.Arms() {
		return nil, accounting.ErrArm
	}
	if want := j.values(); per != want {
		return nil, fmt.Errorf("log.released_by_arm has %d values for every arm, and the policy %s reads %d of each: what is logged is not what it saw; log what it saw, or leave log.released_by_arm out",
			per, j.protocol.Policy.Name, want)
	}
	if err := j.book.Disclose(purposeReleased, j.s.Rows(), []string{tableau.Reward, tableau.Arm, tableau.ReleasedByArm}); err != nil {
		return nil, fmt.Errorf("conformance: %w", err)
	}
	s := &seen{j: j, run: j.mechanism.NewObserver(j.s.ID()), per: per, lastSeen: newLastSeen(k, per)}
	if s.told = s.run; j.mechanism.Stratified() {
		s.strata = map[int64]*lastSeen{0: s.lastSeen}
	}
	var err error
	if s.column, err = j.resolve(); err != nil {
		return nil, err
	}
	s.noise = releasednoise.New(j.noisy(), per, s.column)
	s.near = j.nearTies(s.run)
	switch {
	case !j.mechanism.Random():
		s.out.Actions = schemas.ActionsExact
	default:
		s.out.Actions, s.wager = schemas.ActionsAllocation, wager.New(k, j.drawnAnew())
	}
	if s.noise == nil {
		s.known = s.run
	}
	if s.column.Rounds() && s.known == nil {
		s.ends = newEnds(s)
	}
	return s, nil
}

// noisy is the log as one whose released values have noise.
func (j *job) noisy() *releasednoise.Log {
	return &releasednoise.Log{
		Protocol: j.protocol, Mechanism: j.mechanism, Experiment: j.s.ID(), Arms: j.arms, Rows: j.s.Rows(),
		Jobs: j.declared.Jobs, Label: j.label,
	}
}

// values is how many values of each arm the policy reads.
func (j *job) values() int {
	switch s := j.s.Schema(); {
	case !j.mechanism.Linear():
		return 1
	case s.ContextByArm > 0:
		return s.ContextByArm
	default:
		return s.ContextDim
	}
}

// apart returns a walk of its own over the log of l that examines what was seen, while the
// walk of l examines the actions; one that does nothing where there is no second worker, or
// the one needs what the other finds. Whatever its run fails for, the run of l fails for
// too, no later.
func (s *seen) apart(l *logged) func() error {
	m := s.j.mechanism
	if s.j.declared.Jobs < 2 || s.ends != nil || m.Linear() || m.Weighs() {
		return func() error { return nil }
	}
	own := s.j.shell()
	own.run, own.shows = m.NewTeller(s.j.s.ID()), false
	own.feed = l.feed.To(own.run)
	if s.told = own.run; s.known != nil {
		s.known = own.run
	}
	// A run that tells knows every reward, and learns from it, right after its round.
	entered := !m.AtOnce() || own.until != nil || own.s.Schema().RewardRound
	return func() error {
		return own.through(s.j, entered, func() error {
			s.values(own)
			return nil
		})
	}
}

// beside is see for a log with a seed; nil where there is nothing to see. What
// a policy draws is then known by the seed, and not held against propensities.
func (j *job) beside() (*seen, error) {
	if !j.logsReleased() {
		return nil, nil //nolint:nilnil // a log without released values is no error
	}
	s, err := j.see()
	if err == nil && s.wager != nil {
		s.out.Actions, s.wager = schemas.ActionsSeed, nil
	}
	return s, err
}

// observer is the run that chooses by what is logged; nil where there is none.
func (s *seen) observer() *replay.Runner {
	if s == nil {
		return nil
	}
	return s.run
}

// besides examines the round that another run has entered, whose own counters
// are the declared ones.
func (s *seen) besides(l *logged) error {
	s.beside = l.in
	s.beside.Released = l.released()
	answer := s.run.Next(&s.beside)
	if err := s.run.Err(); err != nil {
		return err
	}
	if s.noise != nil {
		s.known = l.run
	}
	s.round(l, answer, nil)
	return nil
}

// round examines a round that the run has entered: answer is what it plays, and
// want are its propensities, where it draws. It returns how the logged action
// differs, nil where it does not, and false where that is not known, since
// rounding of the released values explains it.
func (s *seen) round(l *logged, answer int, want []float64) (*schemas.Mismatch, bool) {
	if s.told == s.run {
		s.values(l)
	}
	if s.out.Actions == schemas.ActionsSeed {
		return nil, true
	}
	arm := l.arm()
	if !l.asks() || !s.decided(l, answer, want) {
		return nil, false
	}
	s.out.Replayable++
	var m *schemas.Mismatch
	switch {
	case s.wager == nil && !s.near.chose(l, answer, arm):
		m = &schemas.Mismatch{Round: l.round(), Logged: s.j.label(arm), Replayed: s.j.label(answer)}
		if s.out.FirstMismatch == nil {
			m.Gap = below(s.run, arm)
		}
	case s.wager != nil && !(want[arm] > 0) && !s.near.could(l, arm):
		m = &schemas.Mismatch{Round: l.round(), Logged: s.j.label(arm), Replayed: "another arm: this one has propensity 0"}
	default:
		s.out.Matched++
	}
	if s.out.FirstMismatch == nil {
		s.out.FirstMismatch = m
	}
	switch {
	case s.wager == nil || !l.draws():
	case s.j.fromShares():
		if q := l.propensities(); q != nil { // else what the action was drawn with is not known
			s.wager.Take(l.round(), arm, l.before, q)
		}
	case s.ends != nil && s.ends.always:
		s.wager.Within(l.round(), arm, l.before, s.ends.lo, s.ends.hi)
	default:
		lo, hi := s.near.ends(l, want)
		s.wager.Within(l.round(), arm, l.before, lo, hi)
	}
	return m, true
}

// fromShares reports whether actions were drawn with shares of draws from the
// policy's propensities, and not with these.
func (j *job) fromShares() bool {
	l := &j.protocol.Log
	return l.PropensityDraws != nil && l.Drawn == schemas.DrawnFromEstimate
}

// decided reports whether the logged action can be held against the released
// values: not where it differs and rounding of these explains it.
func (s *seen) decided(l *logged, answer int, want []float64) bool {
	if s.ends == nil {
		return true
	}
	if s.wager == nil {
		return s.near.chose(l, answer, l.arm()) || !s.ends.plays(l, l.arm())
	}
	if s.ends.always {
		keep := slices.Clone(want)
		s.ends.of(l)
		copy(want, keep) // which is where the run computes them
	}
	if want[l.arm()] > 0 {
		return true
	}
	keep := slices.Clone(want)
	plays := s.ends.plays(l, l.arm())
	copy(want, keep)
	return !plays
}

// values examines what was seen in a round.
func (s *seen) values(l *logged) {
	if s.strata != nil {
		s.enter(l.in.Stratum)
	}
	logged, rows, one := l.released(), s.told.InRelease(), s.per == 1
	was, before := s.rows[:len(rows)], s.before[:len(logged)]
	for arm, n := range rows {
		if n != was[arm] || !one || logged[arm] != before[arm] {
			s.value(l, arm)
		}
	}
	s.compare(l, logged)
	s.before = logged
}

// enter goes on with what was seen last in a stratum.
func (s *seen) enter(stratum int64) {
	last := s.strata[stratum]
	if last == nil {
		last = newLastSeen(len(s.rows), s.per)
		s.strata[stratum] = last
	}
	s.stratum, s.lastSeen = stratum, last
}

// value examines what was seen of an arm, of which something may be new.
func (s *seen) value(l *logged, arm int) {
	from, to, rows := arm*s.per, (arm+1)*s.per, s.told.InRelease()[arm]
	fresh := rows != s.rows[arm]
	if !fresh {
		at := s.another(l.released(), from, to)
		if at < 0 {
			return
		}
		s.changed(l, arm, at)
	}
	if s.noise != nil {
		c := releasednoise.Change{
			Round: l.round(), Stratum: s.stratum, Arm: arm, Rows: rows, Arrived: s.told.Arrived()[arm], Released: fresh,
			Logged: l.released()[from:to],
		}
		if s.noise.Room() {
			c.Exact = s.told.Exact()[from:to]
		}
		s.noise.Take(&c)
	}
	if fresh {
		s.rows[arm], s.arrived[arm] = rows, s.told.Arrived()[arm]
	}
}

// another returns the first index in [from, to) of a value that differs from the value of
// the round before; −1: none.
func (s *seen) another(logged []float64, from, to int) int {
	for i := from; i < to; i++ {
		if v, w := logged[i], s.before[i]; v != w && !rounding.Same(v, w, max(rounding.Single(v), rounding.Single(w))) {
			return i
		}
	}
	return -1
}

// changed notes that a value is another one although nothing was released.
func (s *seen) changed(l *logged, arm, at int) {
	s.out.Changed++
	if s.told.Known()[arm] == s.arrived[arm] {
		s.out.Redrawn++
	}
	if s.out.FirstChanged == nil {
		s.out.FirstChanged = &schemas.ReleasedPlace{Round: l.round(), Arm: s.j.label(arm), Logged: l.released()[at], Expected: s.before[at]}
	}
}

// compare holds what was seen against what the declared counter releases.
func (s *seen) compare(l *logged, logged []float64) {
	if s.known == nil {
		return
	}
	known := s.known.Exact()
	for arm := range s.rows {
		s.out.Compared++
		for i := arm * s.per; i < (arm+1)*s.per; i++ {
			if logged[i] == known[i] || rounding.Same(logged[i], known[i], max(s.column.Off(logged[i]), rounding.Single(logged[i]))) {
				continue
			}
			s.out.Differ++
			if s.out.FirstDiffer == nil {
				s.out.FirstDiffer = &schemas.ReleasedValue{Round: l.round(), Arm: s.j.label(arm), Logged: logged[i]}
			}
			break
		}
	}
}

// result is what was found; nil where there is nothing to see. What the noise is the job
// finds when it asks for it.
func (s *seen) result() *schemas.ReleasedReplay {
	if s == nil {
		return nil
	}
	if s.wager != nil {
		s.out.Allocation = s.wager.Result(s.j.label)
	}
	if s.column.Rounds() {
		s.out.Rounding = s.column.Largest()
	}
	if s.noise != nil {
		s.j.noise = func() error {
			s.out.Noise = s.noise.Fit(s.out.Redrawn > 0, s.j.costs.Realized)
			return nil
		}
	}
	return &s.out
}

// resolve finds the resolution of the released values in one pass.
func (j *job) resolve() (*rounding.Resolution, error) {
	r := rounding.New(j.mechanism.Grid())
	for i := range j.s.Chunks() {
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		c := j.s.Chunk(i)
		if n := len(c.Arm); n > 0 {
			r.Take(c.ReleasedByArm, len(c.ReleasedByArm)/n)
		}
	}
	return r, nil
}
