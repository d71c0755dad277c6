package conformance

import (
	"fmt"
	"slices"

	"banditaudit/schemas"
)

// cadence is another schedule of updates, and the voice that learns by it.
type cadence struct {
	*voice

	words, settles string
}

// byBatch is declared of a schedule that is none of rounds.
const byBatch = "log.batch and policy.update: batch"

// every is declared of an update after every n rounds.
func every(n int64) string { return fmt.Sprintf("policy.update: {every: %d}", n) }

// cadences are the schedules that are tried: an update after every n rounds for
// a few n, at every batch where batches are logged, one round early or late, and
// once more in the middle of every period, and as the logged propensities change.
func (e *explainer) cadences() []cadence {
	var out []cadence
	fitted := func(free int, learns func(t int64) bool, words, settles string) {
		if v := e.voice(learns, false); v != nil {
			v.tally.free = free
			out = append(out, cadence{v, words, settles})
		}
	}
	add := func(learns func(t int64) bool, words, settles string) { fitted(0, learns, words, settles) }
	declared, batched := int64(1), false
	if u := e.Protocol.Policy.Update; u != nil {
		declared, batched = max(1, u.Every), u.Batch
	}
	own := &periods{every: declared, end: e.end() + 1}
	if batched {
		own = e.batchStarts(e.end())
	}
	if declared > 1 || batched {
		for _, by := range []int64{-1, 1} {
			words := map[int64]string{-1: "the policy learns one round before each declared update", 1: "the policy learns one round after each declared update"}
			add(own.shifted(by), words[by], byBatch)
		}
		for _, up := range []bool{false, true} {
			add(own.halved(up), "the policy learns once more in the middle of each declared update period", byBatch)
		}
	}
	usual := []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000}
	for _, n := range usual {
		if n < e.end() && (batched || n != declared) {
			add((&periods{every: n, end: e.end() + 1}).begins, everyWords(n), every(n))
		}
	}
	if e.s.Schema().Batch && !batched {
		add(e.batchStarts(e.end()).begins, "the policy learns when the batch changes", "policy.update: batch")
	}
	known := func(n, first int64) bool {
		return first == n+1 && (slices.Contains(usual, n) || !batched && n == declared)
	}
	e.inferred(known, fitted)
	return out
}

// cadence is the best of the schedules that were tried.
func (e *explainer) cadence(tried []cadence) []schemas.Hypothesis {
	var out []schemas.Hypothesis
	for _, c := range tried {
		if c.run.Err() == nil {
			out = append(out, c.tally.says("cadence", c.words+", and declared is "+e.schedule(), c.settles))
		}
	}
	return ranked(out)[:min(1, len(out))]
}

// schedule says what the protocol declares.
func (e *explainer) schedule() string {
	switch u := e.Protocol.Policy.Update; {
	case u != nil && u.Batch:
		return "update: batch"
	case u != nil && u.Every > 1:
		return fmt.Sprintf("update: {every: %d}", u.Every)
	}
	return "an update after every round"
}
