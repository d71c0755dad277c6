package shares

import (
	"fmt"

	"banditaudit/replay/montecarlo"
	"banditaudit/schemas"
)

// Where a policy plays one of the best two arms of a draw, the propensity of an arm is half
// of the share of draws in which it was among these. So twice a share, of N draws, is
// Binomial(N, 2p) over N, arm by arm; all of an update together are no multinomial, and are
// not held together. How many draws there were has to be declared.

// takePairs takes up the shares of a round, each by itself: the shares of all arms, or the
// share of the played arm. e.p holds the propensities without the floor.
func (e *Estimated) takePairs(l *Round, row int64, undo func(float64) float64) {
	for a, p := range e.p {
		e.p[a] = min(1, 2*p)
	}
	all := l.ByArm
	if all == nil {
		if l.Drawn { // a share that a unit keeps is not one of a new draw
			e.shares.AddOne(row, l.arm(), undo(l.propensity()), e.p, l.Draws)
		}
		return
	}
	for a, q := range all {
		if l.eligible(a) {
			e.shares.AddOne(row, a, undo(q), e.p, l.Draws)
		}
	}
}

// policy notes the declared floor, and whether the policy plays one of the best two arms; and
// returns the law of a share: for such a policy the law of all arms, where all are logged.
func (e *Estimated) policy(law montecarlo.Law) montecarlo.Law {
	policy := e.log.Protocol.Policy
	e.bent, e.floor = newBent(policy.Floor)
	if e.pairs = e.log.Mechanism.Pairs(); e.pairs && e.log.Slice.Schema().PropensityByArm {
		return montecarlo.Every
	}
	return law
}

// unnumbered says why the shares are not held where nobody says how many draws there were.
func (e *Estimated) unnumbered() string {
	out := "the logged propensities may be shares of draws of which the best two arms count (top: 2), and these are held against a declared number alone: declare log.propensity_draws: N"
	if e.lattice > 0 {
		e.said.Lattice = new(int64(e.lattice))
		out += fmt.Sprintf("; twice each of them is a multiple of 1/%s, as of so many draws", schemas.Grouped(int64(e.lattice)))
	}
	return out
}
