package accounting

import (
	"math"

	"banditaudit/schemas"
)

// OwnCosts reports whether a row costs in inference what its own context moves: c_t =
// ‖x_t‖₁/context_l1 of what the ledger charges a row that moves the sums by the whole
// bound,
//
//	c_t = Δ·‖x_t‖₁·Σ_{nodes v ∋ t} 1/b_v
//
// with ‖x_t‖₁ of the vector that entered the sums, of the played arm and in whole
// steps of the counter's grid, and b_v from the declared bound (sheet 28.2). ε, ρ
// and every claim stay computed from the bound, which holds for all contexts.
//
// Special cases are:
//
//	no contexts are summed, or no noise is added: false
//	log.context_by: rewards or unknown: false; nothing is corrected there
func (d *Declared) OwnCosts() bool {
	if d.Mechanism == nil || d.Mechanism.ContextShare() == nil {
		return false
	}
	return d.Protocol.Log.ContextBy != schemas.SetByRewards && d.Protocol.Log.ContextBy != schemas.SetByUnknown
}

// ownContexts reports whether OwnCosts holds of a log that its mechanism can have
// written.
func (e *Experiment) ownContexts() bool { return e.OwnCosts() && e.Against == nil }

// owned returns visit with the costs of rows by their own contexts, where these
// count.
func (e *Experiment) owned(visit func(chunk int, costs []float64) error) func(int, []float64) error {
	if !e.ownContexts() {
		return visit
	}
	share := e.Mechanism.ContextShare()
	var x []float64
	return func(chunk int, costs []float64) error {
		c := e.Slice.Chunk(chunk)
		for row, cost := range costs {
			x = e.played(&c, row, x[:0])
			costs[row] = ownCost(cost, share(x))
		}
		return visit(chunk, costs)
	}
}

// ownCost is a part of a cost, rounded up.
//
// Special cases are:
//
//	ownCost(0, share) = ownCost(cost, 0) = 0
//	ownCost(∞, share) = ∞: of a row that the counter does not take nothing is known
func ownCost(cost, share float64) float64 {
	switch {
	case math.IsInf(cost, 1):
		return cost
	case cost == 0 || share == 0:
		return 0
	}
	return min(cost, math.Nextafter(float64(cost*share), math.Inf(1)))
}

// ownNote says which costs inference takes.
func ownNote() string {
	return "ε, ρ and the costs of this accounting are those of contexts as long as policy.context_l1 allows. Corrections and bounds on biases take the costs by each row's own context: ‖x‖₁/context_l1 of what a row of its place costs here, with x the context of the played arm on the counter's grid. That is valid given the contexts, if they depend on rewards through actions and released values at most."
}
