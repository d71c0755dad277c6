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
	Law   string
	Arms  []ArmLedger
	Width int64 // decisions in one group of levels of a PathLaw; 0 for other laws, whose levels are exact

	mechanism Loss
	path      *Path // nil for laws that are no PathLaw
}

// Account returns the ledger of a run in which arm i was played pulls[i] times,
// and the stream of its counter held read[i] ≤ pulls[i] rows when the policy
// last learned from it. Streams are in order of arrival, so that those are its
// first rows. The reward of a row that arrived later is used by no decision:
// it costs 0 (own derivation, internally reviewed).
//
// Every release that a stream of read[i] rows makes is charged, also one that
// the policy, which sees the newest only when it learns, never saw.
//
// Special cases are:
//
//	no pulls: the arm has no levels and no releases
//	read is nil: all rows were read
func Account(law Law, pulls, read []int64) Run {
	run := Run{Law: law.Name(), Arms: make([]ArmLedger, len(pulls)), mechanism: law.Epsilon()}
	for i, n := range pulls {
		arm := ArmLedger{Pulls: n}
		seen := n
		if read != nil {
			seen = min(read[i], n)
		}
		if seen < n {
			arm.Levels = []Level{{Rows: n - seen}}
		}
		arm.Levels = Merge(append(arm.Levels, law.Levels(seen)...))
		arm.Releases = law.Releases(seen)
		run.Arms[i] = arm
	}
	return run
}

// Epsilon returns the ε of the declared mechanism, the supremum of the row
// costs over all action sequences. It depends neither on the number of arms
// nor on what happened in this run; under a PathLaw it depends on the number
// of rounds.
func (r Run) Epsilon() Loss { return r.mechanism }

// Realized returns max_t c_t(a) on the action sequence of this run. It is not
// a privacy parameter, because it depends on the actions; inference that
// conditions on the actions may use it.
func (r Run) Realized() Loss {
	if r.path != nil {
		return r.path.realized()
	}
	var worst Loss
	for i := range r.Arms {
		for _, l := range r.Arms[i].Levels {
			worst = worst.Max(l.Cost)
		}
	}
	return worst
}

// SumSquares returns Σ_t c_t(a)² over all rows of the run, summed exactly and
// rounded up; under a PathLaw see Path.Run.
//
// Special cases are:
//
//	any row of infinite cost gives +Inf
//	no rows give 0
func (r Run) SumSquares() float64 {
	if r.path != nil {
		return r.path.sumSquares()
	}
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
