package diagnose

import (
	"context"
	"fmt"
	"math"

	"banditaudit/schemas"
)

// Rounds calls visit for every row that actions are explained on, in order, as often
// as it is called itself. The Row is used again.
type Rounds func(visit func(r *Row))

// Actions is a log whose actions a test contradicts to have been drawn with the logged
// propensities. A hypothesis fits where the same test, at the propensities that it
// makes of the logged ones, rejects nothing, and the actions are more likely under it.
// What was fitted to the actions is held against the same actions, which lets it pass a
// little too easily.
type Actions struct {
	Context context.Context //nolint:containedctx // it ends the walks that hypotheses ask for
	Rounds  Rounds
	Arms    int
	Total   int64                // rows of the log up to the last of Rounds
	ByArm   bool                 // the propensities of all arms are logged
	Name    func(arm int) string // in words
	// Test is the test that contradicts the logged propensities, at the propensities of a
	// law.
	Test func(Law) (p float64, rejected bool, err error)

	failed error
}

// Explain tries hypotheses, and returns what they explain, what fits first. It returns
// errors of the test and of the context.
func (a *Actions) Explain(list []Cause) ([]schemas.Hypothesis, error) {
	var found []Explanation
	for _, h := range list {
		if h.Actions == nil {
			continue
		}
		found = append(found, ordered(list, h.Actions(a))...)
		if err := a.Context.Err(); err != nil {
			return results(found), err // what was tried has not seen all rounds
		}
		if a.failed != nil {
			return results(found), a.failed
		}
	}
	for i := range found {
		if found[i].Value != nil {
			found[i].order = -1 // with a number that was fitted
		}
	}
	return results(ranked(found)), nil
}

// tries tries a law that is made anew for every walk over the rounds.
func (a *Actions) tries(name, words string, law func() Law) Explanation {
	return a.says(name, words, a.gain(law()), law())
}

// says tests a law, of which the gain is known.
func (a *Actions) says(name, words string, gain float64, law Law) Explanation {
	h := schemas.Hypothesis{Name: name, Words: words + "; " + lead(gain), Rows: a.Total}
	p := 0.0
	if !math.IsInf(gain, -1) {
		var rejected bool
		var err error
		if p, rejected, err = a.Test(law); err != nil && a.failed == nil {
			a.failed = err
		}
		h.Fits = !rejected && gain > 0
	}
	h.P = schemas.Finite(p)
	return Explanation{Hypothesis: h, explains: gain}
}

// gain is the log-likelihood of the actions under a law less that under the logged
// propensities,
//
//	Σ_t ln q_t(A_t)/p_t(A_t)
//
// −Inf where an action would have been impossible.
func (a *Actions) gain(law Law) float64 { return a.Rounds.gain(a.Arms, law) }

func (rounds Rounds) gain(arms int, law Law) float64 {
	sum, dst := 0.0, make([]float64, arms)
	rounds(func(r *Row) { sum += r.gain(law, dst) })
	return sum
}

// lead says how much likelier actions are than under the logged propensities.
func lead(gain float64) string {
	switch {
	case math.IsInf(gain, -1):
		return "an action of the log would have been impossible"
	case gain < 0:
		return fmt.Sprintf("the actions are less likely than as logged, by %.3g nats", -gain)
	}
	return fmt.Sprintf("the actions are likelier than as logged, by %.3g nats", gain)
}
