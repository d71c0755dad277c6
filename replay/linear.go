package replay

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
)

// How long contexts are, a protocol does not always say: where they are lists,
// the log does. So a run of a linear policy takes the length from its first
// round, and makes its vector streams then.
const (
	// maxFeature bounds the length of a context: memory grows with its square,
	// and the time of a round with its cube.
	maxFeature = 1000
	// maxCoordinate bounds what is in a context, so that sums of squares stay
	// finite.
	maxCoordinate = 1e60
)

var (
	errNoContext = errors.New("the policy reads contexts and the round has none, or one of another length; log a context of one length in every round")
	errContext   = errors.New("a context is NaN or above 1e60 in absolute value; rescale contexts")
)

// linearRun is what a run has beside when its policy reads vectors.
type linearRun struct {
	policy policy.Linear
	noise  []rand.Source                               // one per arm
	d      int                                         // length of a feature; 0 before the first round
	bank   func(counter.VectorBank) counter.VectorBank // what stands in the place of the run's own; nil: it does
}

// context checks the context of the round that was entered, and in the first
// one makes what depends on its length. It reports whether the policy can be
// asked.
func (r *run) context(s *policy.State) bool {
	if r.err != nil {
		return false
	}
	x, d := s.X, len(s.X)
	if s.XByArm != nil {
		x, d = s.XByArm, len(s.XByArm)/r.m.arms
	}
	if r.linear.d == 0 && d > 0 {
		r.size(d)
	}
	var err error
	switch {
	case d == 0 || d != r.linear.d || len(x) != d && len(x) != d*r.m.arms:
		err = errNoContext
	case d > maxFeature:
		err = fmt.Errorf("a context has %d numbers, and a linear policy takes at most %d; declare fewer columns", d, maxFeature)
	case !moderate(x):
		err = errContext
	}
	if err != nil {
		r.err = fmt.Errorf("replay: round %d: %w", s.Round, err)
	}
	return err == nil
}

// RunBytes returns about what a Runner takes in memory on rounds of the given number of
// strata, whose contexts have d numbers, at least: a state for each stratum, one where the
// mechanism has none, with what it counts of each of K arms, with the arm's streams of
// noise, of which each takes streamBytes, and in a policy that reads vectors with a ridge
// regression of each arm, 3·d(d+1)/2 numbers, and d streams. Tables of propensities are not
// in it: they are bounded.
func (m *Mechanism) RunBytes(d int, strata int64) int64 {
	arm, streams := int64(armBytes), int64(1)
	if m.linear && d >= 1 && d <= maxFeature {
		streams = int64(d)
		arm += 12 * streams * (streams + 1)
	}
	if m.noisy {
		arm += streams * streamBytes
	}
	if !m.strata {
		strata = 1
	}
	return strata * (stateBytes + int64(m.arms)*arm)
}

// What a state takes beside its arms, what an arm takes in it, and one stream of a counter with
// noise, at least.
const (
	stateBytes  = 1280
	armBytes    = 128
	streamBytes = 64
)

// size makes room for features of d numbers.
func (r *run) size(d int) {
	r.linear.d = d
	if d > maxFeature {
		return // the run ends here
	}
	r.linear.policy.Size(d)
	if r.vectors = r.m.counter.VectorBank(r.linear.noise, d); r.linear.bank != nil {
		r.vectors = r.linear.bank(r.vectors)
	}
	r.state.Vectors = zeros(r.m.arms, d)
	if r.live != r.state {
		r.live.Vectors = zeros(r.m.arms, d)
	}
}

// moderate reports whether all numbers are finite and not extreme.
func moderate(x []float64) bool {
	for _, v := range x {
		if !(v >= -maxCoordinate && v <= maxCoordinate) {
			return false
		}
	}
	return true
}

func zeros(rows, columns int) [][]float64 {
	z := make([][]float64, rows)
	for i := range z {
		z[i] = make([]float64, columns)
	}
	return z
}
