package ledger

import (
	"math"
	"math/big"
)

// ArmLedger is the ledger of one arm: its row costs as a histogram, and what
// its counter released.
type ArmLedger struct {
	Pulls    int64     // N_i, the rounds in which the arm was played
	Levels   []Level   // ascending; the rows sum to Pulls
	Releases []Release // what decisions of the run could use
}

// Run is the ledger of one logged run under a declared law. Arms compose in
// parallel: every row enters the stream of exactly one arm.
type Run struct {
	Law  string
	Arms []ArmLedger

	mechanism Loss
}

// Account returns the ledger of a run in which arm i was played pulls[i] times
// and lastArm was played in the last round. That round's reward is read by no
// decision: the stream of lastArm has pulls[lastArm]−1 rows that cost, and one
// level of cost 0 with one row (own derivation, internally reviewed).
//
// Special cases are:
//
//	lastArm < 0 or without pulls: no row is free
//	no pulls: the arm has no levels and no releases
func Account(law Law, pulls []int64, lastArm int) Run {
	run := Run{Law: law.Name(), Arms: make([]ArmLedger, len(pulls)), mechanism: law.Epsilon()}
	for i, n := range pulls {
		arm := ArmLedger{Pulls: n}
		read := n
		if i == lastArm && n > 0 {
			read = n - 1
			arm.Levels = []Level{{Rows: 1}}
		}
		arm.Levels = Merge(append(arm.Levels, law.Levels(read)...))
		arm.Releases = law.Releases(read)
		run.Arms[i] = arm
	}
	return run
}

// Epsilon returns the ε of the declared mechanism, the supremum of the row
// costs over all action sequences. It depends neither on the number of arms
// nor on what happened in this run.
func (r Run) Epsilon() Loss { return r.mechanism }

// Realized returns max_t c_t(a) on the action sequence of this run. It is not
// a privacy parameter, because it depends on the actions; inference that
// conditions on the actions may use it.
func (r Run) Realized() Loss {
	var worst Loss
	for i := range r.Arms {
		for _, l := range r.Arms[i].Levels {
			worst = worst.Max(l.Cost)
		}
	}
	return worst
}

// SumSquares returns Σ_t c_t(a)² over all rows of the run, summed exactly and
// rounded up.
//
// Special cases are:
//
//	any row of infinite cost gives +Inf
//	no rows give 0
func (r Run) SumSquares() float64 {
	sum := new(big.Rat)
	for i := range r.Arms {
		for _, l := range r.Arms[i].Levels {
			if l.Cost.IsInf() {
				return math.Inf(1)
			}
			c := l.Cost.value()
			square := new(big.Rat).Mul(c, c)
			sum.Add(sum, square.Mul(square, new(big.Rat).SetInt64(l.Rows)))
		}
	}
	return roundUp(sum)
}
