package diagnose

import (
	"fmt"
	"slices"

	"banditaudit/schemas"
)

// cadence says that the policy learned by another schedule: an update after every n
// rounds for a few n, at every batch where batches are logged, one round early or
// late, and once more in the middle of every period, and as the logged propensities
// change.
func cadence() Cause {
	return Cause{Name: cadenceName, Replay: func(r *Replay) Trial {
		tried := r.schedules()
		t := Trial{
			Leans: func() []AlternativeFit {
				var out []AlternativeFit
				for _, s := range tried {
					out = append(out, s.run.tally.leans(s.words, s.settles)...)
				}
				return out
			},
			Say: func() ([]Explanation, error) {
				var out []Explanation
				for _, s := range tried {
					if s.run.Runner.Err() == nil {
						out = append(out, r.Tolerance.says(&s.run.tally, cadenceName, s.words+", and declared is "+r.declaredUpdate(), s.settles))
					}
				}
				return out, nil
			},
		}
		for _, s := range tried {
			t.Runs = append(t.Runs, s.run)
		}
		return t
	}}
}

const cadenceName = "cadence"

// schedule is another schedule of updates, and the run that learns by it.
type schedule struct {
	run *Run

	words, settles string
}

// byBatch is declared of a schedule that is none of rounds.
const byBatch = "log.batch and policy.update: batch"

// every is declared of an update after every n rounds.
func every(n int64) string { return fmt.Sprintf("policy.update: {every: %d}", n) }

// everyWords say that a policy learns after every n rounds.
func everyWords(n int64) string {
	if n == 1 {
		return "the policy learns after every round"
	}
	return fmt.Sprintf("the policy learns after every %s rounds", schemas.Grouped(n))
}

// schedules lists the update schedules that are tried: none where a run takes much memory, and
// none of a policy that reads no rewards, or is linear and stratified.
func (r *Replay) schedules() []schedule {
	const much = 32 << 20
	s := r.Slice.Schema()
	if !r.Mechanism.ReadsRewards() || r.Mechanism.RunBytes(max(s.ContextDim, s.ContextByArm), r.Slice.Strata()) > much || r.Mechanism.Linear() && r.Mechanism.Stratified() {
		return nil
	}
	var out []schedule
	fitted := func(free int, learns func(t int64) bool, words, settles string) {
		if v := r.scheduled(learns, free); v != nil {
			out = append(out, schedule{v, words, settles})
		}
	}
	add := func(learns func(t int64) bool, words, settles string) { fitted(0, learns, words, settles) }
	declared, batched := r.declaredEvery()
	r.beside(declared, batched, add)
	usual := []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000}
	for _, n := range usual {
		if n < r.end() && (batched || n != declared) {
			add(r.everyRounds(n).begins, everyWords(n), every(n))
		}
	}
	if s.Batch && !batched {
		add(batchStarts(r.Slice, r.end()).begins, "the policy learns when the batch changes", "policy.update: batch")
	}
	known := func(n, first int64) bool {
		return first == n+1 && (slices.Contains(usual, n) || !batched && n == declared)
	}
	r.inferred(known, fitted)
	return out
}

// beside adds the schedules next to the declared one.
func (r *Replay) beside(declared int64, batched bool, add func(learns func(t int64) bool, words, settles string)) {
	own := r.everyRounds(declared)
	if batched {
		own = batchStarts(r.Slice, r.end())
	}
	if declared == 1 && !batched {
		return
	}
	add(own.shifted(-1), "the policy learns one round before each declared update", byBatch)
	add(own.shifted(1), "the policy learns one round after each declared update", byBatch)
	for _, up := range []bool{false, true} {
		add(own.halved(up), "the policy learns once more in the middle of each declared update period", byBatch)
	}
}

// everyRounds are the periods of an update after every n rounds.
func (r *Replay) everyRounds(n int64) *periods { return &periods{every: n, end: r.end() + 1} }

// declaredEvery is the declared number of rounds between updates, and whether the policy
// learns by batches instead.
func (r *Replay) declaredEvery() (rounds int64, batched bool) {
	if u := r.Protocol.Policy.Update; u != nil {
		return max(1, u.Every), u.Batch
	}
	return 1, false
}

// declaredSchedule is the schedule of the protocol.
func (r *Replay) declaredSchedule() func(t int64) bool {
	n, batched := r.declaredEvery()
	if batched {
		return batchStarts(r.Slice, r.end()).begins
	}
	return (&periods{every: n}).begins
}

// declaredUpdate says what schedule the protocol declares.
func (r *Replay) declaredUpdate() string {
	switch n, batched := r.declaredEvery(); {
	case batched && r.Protocol.Clock() != nil:
		u := r.Protocol.Clock()
		return "update: {every: " + u.Period + ", clock: " + u.Clock + "}"
	case batched:
		return "update: batch"
	case n > 1:
		return fmt.Sprintf("update: {every: %d}", n)
	}
	return "an update after every round"
}
