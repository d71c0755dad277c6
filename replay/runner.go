package replay

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
)

// run is a Runner of one state: of a mechanism without strata, or of one of these.
type run struct {
	m        *Mechanism
	policy   policy.Policy
	weighing policy.Weighing    // the policy, where it weighs rewards; nil otherwise
	weights  []float64          // of a reward of the round that was entered, by arm; nil likewise
	as       *Runner            // see Runner.WeighAs; nil: the run itself
	linear   *linearRun         // when the policy reads vectors; nil otherwise
	bank     counter.Bank       // nil when the policy reads no sums
	vectors  counter.VectorBank // nil when the policy reads no vectors, and before the first round
	floor    *policy.Floor      // nil: no exploration floor
	starting *policy.Uniform    // of the opening
	opened   bool               // the round that was entered is one of the opening
	state    *policy.State      // what the policy sees
	live     *policy.State      // what is known; state itself when everything is seen at once
	shown    bool               // the last round had something public
	changed  []bool             // arms in which live differs from state; nil when they are one
	arrived  []int64            // rows that have arrived at each arm's stream
	learned  []int64            // arrived, when the policy last learned; arrived itself when everything is seen at once
	shows    *showing           // nil: the policy sees what the run's counters released
	batch    int32              // of the round before
	waiting  map[int64]held     // rounds whose reward is not yet known
	due      int64              // the round that the next Add belongs to; 0: the present one
	probs    []float64
	indexed  policy.Indexed // the policy, where it compares indices; nil otherwise
	nearly   near
	sums     []float64 // of Exact
	means    []float64 // of all rewards that are known of an arm; nil unless the policy reads Spreads
	err      error
	unasked  bool // the policy is never asked what it plays
}

// held is a round whose reward is not yet known.
type held struct {
	arm    int
	weight float64   // of the reward; 0 where the policy weighs none
	phi    []float64 // nil when the policy reads no vectors
}

// NewRunner starts a run of an experiment: the policy draws from its streams
// and each arm's counter from its own, all made from the master seed. A
// deterministic mechanism draws nothing, and any master will do.
func (m *Mechanism) NewRunner(master [32]byte, experiment string) *Runner {
	return m.begun(func(of string) *run { return m.noised(master, experiment, of) })
}

// NewForecaster starts a run as NewRunner does, of which only the propensities are asked.
// Where these are integrals, which do not depend on what was drawn, Next draws nothing and
// returns 0.
func (m *Mechanism) NewForecaster(master [32]byte, experiment string) *Runner {
	return m.begun(func(of string) *run {
		r := m.noised(master, experiment, of)
		r.unasked = m.integral
		return r
	})
}

// noised is seeded with the counters' own streams.
func (m *Mechanism) noised(master [32]byte, experiment, of string) *run {
	noise := m.silent()
	for i := 0; m.noisy && i < len(noise); i++ {
		noise[i] = Stream(master, PurposeCounter+of, experiment, i)
	}
	return m.seeded(master, experiment, of, noise)
}

// silent returns one nil source per arm: streams that add no noise.
func (m *Mechanism) silent() []rand.Source {
	if m.counter == nil {
		return nil
	}
	return make([]rand.Source, m.arms)
}

// seeded returns a run whose policy draws from the streams of a master seed.
// of stands behind their purposes.
func (m *Mechanism) seeded(master [32]byte, experiment, of string, noise []rand.Source) *run {
	stream := func(purpose string) rand.Source { return Stream(master, purpose+of, experiment, NoArm) }
	draws := policy.Draws{Choice: stream(PurposePolicy)}
	if m.opening != (policy.Opening{}) || m.unseeded {
		draws.Start = stream(PurposeStart)
	}
	if m.ties {
		draws.Ties = stream(PurposeTies)
	}
	var floor rand.Source
	if m.floor.value > 0 {
		floor = stream(PurposeFloor)
	}
	return newRun(m, draws, floor, noise)
}

func newRun(m *Mechanism, draws policy.Draws, floor rand.Source, noise []rand.Source) *run {
	r := &run{m: m, policy: m.policy(draws), probs: make([]float64, m.arms)}
	r.indexed, _ = r.policy.(policy.Indexed)
	r.starting = policy.NewUniform(draws.Start)
	if m.floor.value > 0 {
		r.floor = m.floor.kind.New(m.floor.value, floor)
	}
	r.state = policy.NewState(m.arms)
	r.state.Round = 0
	if m.counter != nil {
		if p, ok := r.policy.(policy.Linear); ok {
			r.linear = &linearRun{policy: p, noise: noise}
		} else {
			r.bank = m.counter.Bank(noise)
		}
	}
	if r.weighing, _ = r.policy.(policy.Weighing); r.weighing != nil {
		r.state.Weighed, r.weights = make([]float64, m.arms), make([]float64, m.arms)
	}
	if m.spreads {
		r.state.Spreads, r.means = make([]float64, m.arms), make([]float64, m.arms)
	}
	r.arrived = make([]int64, m.arms)
	r.live, r.learned = r.state, r.arrived
	if !m.schedule.plain() {
		r.part()
	}
	return r
}

// part keeps what the policy sees apart from what is known.
func (r *run) part() {
	s := r.state
	r.live = &policy.State{Played: slices.Clone(s.Played), Pulls: slices.Clone(s.Pulls), Sums: slices.Clone(s.Sums), Spreads: slices.Clone(s.Spreads), Weighed: slices.Clone(s.Weighed)}
	for _, v := range s.Vectors {
		r.live.Vectors = append(r.live.Vectors, slices.Clone(v))
	}
	r.changed, r.learned = make([]bool, r.m.arms), slices.Clone(r.arrived)
}

// Next enters the next round and returns the arm i_t = f_t(Λ_{t−1}) that the
// policy plays in it. in is only read until the next call; nil is a round of
// which nothing is said. A round without an eligible arm leaves an error in
// Err; so does one without the contexts that a linear policy needs, of one length
// in every round.
func (r *run) Next(in *Round) int {
	s := r.state
	s.Round++
	r.show(in)
	if s.Eligible != nil && !slices.Contains(s.Eligible, true) {
		s.Eligible = nil // as if nothing were said, so that nothing else fails
		r.fail(fmt.Errorf("replay: round %d: no arm is eligible; list one at least, or leave the list out where all are", s.Round))
		return 0
	}
	if r.linear != nil && !r.context(s) || r.m.scored && !r.scores(s) {
		return 0 // the run is over
	}
	if r.m.counter != nil && (r.shows == nil && in != nil && in.Released != nil || r.shows != nil && r.shows.own == nil) {
		r.instead()
	}
	if r.changed != nil {
		r.learn(in)
	}
	if r.weighing != nil {
		r.weighing.Weights(s, r.weights)
	}
	if r.unasked {
		return r.enter(s)
	}
	arm := r.policy.Select(s)
	if r.floor != nil {
		arm = r.floor.Play(s, arm, r.policy)
	}
	if r.opened = r.m.opening.Open(s); r.opened {
		arm = r.starting.Select(s)
	}
	return arm
}

// enter enters the round for whoever asks for propensities alone.
func (r *run) enter(s *policy.State) int {
	r.opened = r.m.opening.Open(s)
	return 0
}

// show shows the policy what is public in the round. In most runs that is
// nothing in any round, and nothing need be written.
func (r *run) show(in *Round) {
	if in == nil {
		in = &Round{}
	}
	shown := in.X != nil || in.XByArm != nil || in.Scores != nil || in.Eligible != nil
	if s := r.state; shown || r.shown {
		s.X, s.XByArm, s.Scores, s.Eligible = in.X, in.XByArm, in.Scores, in.Eligible
	}
	r.shown = shown
}

// scores reports whether the round has scores that a policy can play by.
func (r *run) scores(s *policy.State) bool {
	if len(s.Scores) != r.m.arms || slices.ContainsFunc(s.Scores, func(x float64) bool { return !finite(x) }) {
		r.fail(fmt.Errorf("replay: round %d: the policy plays by scores, and the round has no finite one of every arm; log them in every round", s.Round))
	}
	return r.err == nil
}

// learn shows the policy what has become known since it last learned, when the
// schedule says so.
func (r *run) learn(in *Round) {
	another := false
	if in != nil {
		another = in.Batch != r.batch
		r.batch = in.Batch
	}
	learns := r.m.schedule.learns(r.state.Round, another)
	if r.shows != nil {
		r.shows.replace(r, in, learns)
		return
	}
	if learns {
		r.update()
	}
}

// update shows the policy what has become known.
func (r *run) update() {
	for arm, changed := range r.changed {
		if !changed {
			continue
		}
		r.count(arm)
		r.state.Sums[arm] = r.live.Sums[arm]
		if r.vectors != nil {
			copy(r.state.Vectors[arm], r.live.Vectors[arm])
		}
		r.policy.Observe(r.state, arm)
	}
}

// count shows the policy what is known of an arm, but for what was released.
func (r *run) count(arm int) {
	r.changed[arm] = false
	r.state.Played[arm], r.state.Pulls[arm] = r.live.Played[arm], r.live.Pulls[arm]
	if r.means != nil {
		r.state.Spreads[arm] = r.live.Spreads[arm]
	}
	if r.weighing != nil {
		r.state.Weighed[arm] = r.live.Weighed[arm]
	}
	r.learned[arm] = r.arrived[arm]
}

// Propensity returns the probability with which the policy plays arm in the
// round that Next entered, given what it has seen. It is called between Next
// and Add or Hold. For a policy that is not Random it is 1 or 0.
//
// Special cases are:
//
//	an arm that does not exist has probability 0
func (r *run) Propensity(arm int) float64 {
	if arm < 0 || arm >= len(r.probs) {
		return 0
	}
	return r.Propensities()[arm]
}

// Propensities returns what Propensity returns, of every arm; the slice is used
// again by the next call.
func (r *run) Propensities() []float64 {
	if r.linear != nil && r.err != nil {
		clear(r.probs) // there may be no context to ask about
		return r.probs
	}
	if r.opened {
		r.starting.Propensities(r.state, r.probs)
		return r.probs
	}
	r.policy.Propensities(r.state, r.probs)
	if r.floor != nil {
		r.floor.Propensities(r.state, r.probs)
	}
	return r.probs
}

// Add shows the run the reward of the round that Next entered, or of the one
// that Due named: arm was played and earned reward, in the units of the
// protocol's range. Where the policy reads no rewards the value is not looked
// at.
//
// A reward that is NaN or outside the range (and not to be clipped), an arm
// that does not exist, a feature that is too long and an abort of the noise
// sampler leave an error in Err, and the run does nothing from then on.
func (r *run) Add(arm int, reward float64) {
	if r.due > 0 {
		r.settle(arm, reward)
		return
	}
	if !r.valid(arm) {
		return
	}
	r.live.Played[arm]++
	switch {
	case r.bank != nil:
		r.feed(arm, r.weight(arm), reward)
	case r.vectors != nil:
		r.feedVector(arm, r.linear.policy.Feature(r.state, arm), reward)
	}
}

// Hold says that arm was played in the round that Next entered, and that its
// reward is not known yet.
func (r *run) Hold(arm int) {
	if !r.valid(arm) {
		return
	}
	r.live.Played[arm]++
	if r.m.counter == nil {
		return
	}
	h := held{arm: arm, weight: r.weight(arm)}
	if r.linear != nil {
		h.phi = append([]float64(nil), r.linear.policy.Feature(r.state, arm)...)
	}
	if r.waiting == nil {
		r.waiting = make(map[int64]held)
	}
	r.waiting[r.state.Round] = h
	r.notify(arm)
}

// Stay says that the round that Next entered was not played, and that nothing is known
// of it: the next call of Next enters the same round again, with whatever is public
// then. It is called between Next and the next call of it, instead of Add and Hold. The
// policy draws anew when it is asked again.
func (r *run) Stay() { r.state.Round-- }

// Due says that the next Add is the reward of round t, which was held.
func (r *run) Due(t int64) { r.due = t }

// Forget says that the reward of round t, which was held, will never be known.
func (r *run) Forget(t int64) {
	delete(r.waiting, t)
	if r.due == t {
		r.due = 0
	}
}

var errNotHeld = errors.New("the reward of a round that is not waited for")

// settle adds the reward of a round that was held.
func (r *run) settle(arm int, reward float64) {
	t := r.due
	r.due = 0
	if r.err != nil || r.m.counter == nil {
		return
	}
	h, ok := r.waiting[t]
	if !ok || h.arm != arm {
		r.err = fmt.Errorf("replay: round %d: %w", t, errNotHeld)
		return
	}
	delete(r.waiting, t)
	if r.vectors != nil {
		r.feedVector(arm, h.phi, reward)
	} else {
		r.feed(arm, h.weight, reward)
	}
}

func (r *run) valid(arm int) bool {
	if r.err == nil && (arm < 0 || arm >= r.m.arms) {
		r.err = fmt.Errorf("replay: round %d: arm %d is not among the %d declared arms; declare it", r.state.Round, arm, r.m.arms)
	}
	return r.err == nil
}

// weight returns the weight of a reward of the round that Next entered, as the policy then
// chose; 0 where it weighs none.
func (r *run) weight(arm int) float64 {
	switch {
	case r.weighing == nil:
		return 0
	case r.as != nil:
		return r.as.weights[arm]
	}
	return r.weights[arm]
}

// feed gives the reward, of a weight, to the arm's counter and its release to the policy.
func (r *run) feed(arm int, weight, reward float64) {
	y, ok := r.m.rewards.unit(reward)
	if !ok {
		r.outside(arm)
		return
	}
	if r.m.rows > 0 && r.arrived[arm] >= r.m.rows {
		r.notify(arm) // the policy learns from no more of this arm, and counts its plays
		return
	}
	sum, rows, err := r.bank.Add(arm, y)
	if err != nil {
		r.fail(fmt.Errorf("replay: round %d: %w", r.state.Round, err))
		return
	}
	r.arrived[arm]++
	r.scatter(arm, y)
	if r.weighing != nil {
		r.live.Weighed[arm] += float64(weight * y)
	}
	r.live.Sums[arm], r.live.Pulls[arm] = sum, rows
	r.notify(arm)
}

// scatter takes a reward into how far the rewards of an arm scatter, by Welford's
// recurrence (1962), in the order in which they became known: with δ = y ⊖ m and n rows,
//
//	m ← m ⊕ δ ⊘ n,  D ← D ⊕ δ ⊗ (y ⊖ m),  the second m the new one
//
// so that D of equal rewards is 0.
func (r *run) scatter(arm int, y float64) {
	if r.means == nil {
		return
	}
	delta := y - r.means[arm]
	r.means[arm] += delta / float64(r.arrived[arm])
	r.live.Spreads[arm] += float64(delta * (y - r.means[arm]))
}

// feedVector is feed for a policy that reads vectors.
func (r *run) feedVector(arm int, phi []float64, reward float64) {
	y, ok := r.m.rewards.unit(reward)
	if !ok {
		r.outside(arm)
		return
	}
	rows, err := r.vectors.Add(arm, phi, y, r.live.Vectors[arm])
	if err != nil {
		r.fail(fmt.Errorf("replay: round %d: %w", r.state.Round, err))
		return
	}
	r.arrived[arm]++
	r.live.Pulls[arm] = rows
	r.linear.policy.Learn(arm, phi, rows)
	r.notify(arm)
}

// notify lets the policy see arm now, or when it learns next.
func (r *run) notify(arm int) {
	if r.changed == nil {
		r.policy.Observe(r.state, arm)
	} else {
		r.changed[arm] = true
	}
}

func (r *run) outside(arm int) {
	r.err = fmt.Errorf("replay: round %d, arm %d: the reward is NaN or outside [%g, %g]; widen reward.range or declare out_of_range: clip",
		r.state.Round, arm, r.m.rewards.lo, r.m.rewards.hi)
}

// fail keeps the first error of the run.
func (r *run) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err returns the first error of the run, nil while there is none.
func (r *run) Err() error { return r.err }

// Released returns the sum that arm's counter last released, for rewards
// rescaled to [0,1]; 0 before the first.
func (r *run) Released(arm int) float64 { return r.live.Sums[arm] }
