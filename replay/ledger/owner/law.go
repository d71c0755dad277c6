package owner

import (
	"math"

	"banditaudit/replay/ledger"
)

// Run is what is public of a run before its actions.
type Run struct {
	Rounds int64   // T, the most rounds; 0: not known, so that m·ε alone is a bound
	Arms   int     // K; 0: not known
	Strata []int64 // rounds of each stratum at most; nil: one of T
	// Order are the arms of the first K rounds, each once, where the policy plays every
	// arm before any twice; nil: it need not.
	Order []int
	// Placed says that rewards enter the streams in the round in which they are earned.
	Placed bool
	// Any says that after Order the policy can take any sequence of actions.
	Any bool
}

// Owner is somebody who owns several rounds.
type Owner struct {
	Count  int64
	Rounds []int64 // ascending, from 1; nil where they are not known
}

// Bounds are the words of what decided.
const (
	ByRounds     = "rounds"     // m times the loss of one round
	ByAllocation = "allocation" // the m dearest rows of any split of the rounds over the arms
	ByMatching   = "matching"   // her rounds matched to the dearest rows that they can be
	ByLate       = "late"       // the most that a row can cost by the rounds after it
)

// Bound is a loss, what bounds it, and of whom.
type Bound struct {
	Loss  ledger.Loss
	By    string
	Owner int // index of the owner; −1: of the others
}

// Law bounds what owners of rounds of one run lose. It keeps what was computed, and is of
// one goroutine.
type Law struct {
	ledger.Law
	Run

	unit    ledger.Loss
	nodes   ledger.Nodes
	rows    *profile[int64]    // nil: streams are too long for single rows
	dearest *allocation[int64] // nil: m·ε alone
	splits  *splits            // of dearest; nil: it takes the majorant
	dear    []item             // by cost, the dearest first; nil: not yet made
	after   []int64            // g(r); nil: not yet made
}

// Bounds of what is computed exactly.
const (
	exactRounds = 4096    // of the maximum over splits
	rowRounds   = 1 << 16 // of the costs of single rows
	rowSteps    = 1 << 24 // rows that pay for nodes
)

// New returns the bounds of a law, which must not be a ledger.PathLaw, over a run.
func New(law ledger.Law, run Run) *Law {
	l := &Law{Law: law, Run: run}
	if l.Strata == nil {
		l.Strata = []int64{l.Rounds}
	}
	if law.Epsilon().IsInf() || law.Epsilon().IsZero() || l.Rounds < 1 {
		return l
	}
	if l.Rounds <= rowRounds {
		if nodes, ok := ledger.NodesOf(law, l.Rounds); ok && work(&nodes) <= rowSteps {
			l.nodes, l.unit = nodes, nodes.Unit
			l.rows, _ = ofNodes(&nodes, l.Rounds)
		}
	}
	switch {
	case l.rows != nil && l.Rounds <= exactRounds:
		l.splits = &splits{arms: l.Arms, sizes: l.Strata}
		if l.Arms > 0 && len(l.Order) == l.Arms && len(l.Strata) == 1 && l.Rounds >= int64(l.Arms) {
			l.splits.least = 1
		}
		l.dearest = newAllocation(l.rows.thetas(), func(theta int64) int64 { return most(l.splits, l.rows.excess(theta)) })
	case l.rows != nil:
		l.dearest = concave(l.rows.thetas(), everySize(l.rows), l.Arms, l.Strata)
	default:
		if g, ok := newGrid(law, l.Rounds); ok {
			l.unit = g.unit
			l.dearest = concave(g.thetas(), g.points, l.Arms, l.Strata)
		}
	}
	return l
}

// work is how many rows pay for nodes.
func work(nodes *ledger.Nodes) int64 {
	sum := int64(0)
	for _, v := range nodes.List {
		sum += v.Last - v.Before
	}
	return sum
}

// AtMost bounds what the owners, and others with up to rest rounds each, lose: the
// largest over them of the least bound of each.
func (l *Law) AtMost(owners []Owner, rest int64) Bound {
	out := l.ofCount(rest)
	for i := range owners {
		if b := l.of(&owners[i], i, out.Loss); b.Loss.Cmp(out.Loss) > 0 || i == 0 && rest == 0 {
			out = b
		}
	}
	return out
}

// ofCount is the bound for m rounds, wherever they are.
func (l *Law) ofCount(m int64) Bound {
	out := Bound{Loss: l.Epsilon().Times(m), By: ByRounds, Owner: -1}
	if l.dearest == nil || m == 0 {
		return out
	}
	units, _ := l.dearest.atMost(m)
	return least(out, Bound{l.unit.Times(units), ByAllocation, -1})
}

func least(a, b Bound) Bound {
	if b.Loss.Cmp(a.Loss) < 0 {
		return b
	}
	return a
}

// of is the bound for an owner. One below enough is not looked at further.
func (l *Law) of(o *Owner, index int, enough ledger.Loss) Bound {
	out := l.ofCount(o.Count)
	if l.rows != nil && l.Placed && o.Rounds != nil && len(l.Strata) == 1 && out.Loss.Cmp(enough) > 0 {
		out = least(out, Bound{l.unit.Times(l.matched(o.Rounds)), ByMatching, index})
		out = least(out, Bound{l.unit.Times(l.late(o.Rounds)), ByLate, index})
	}
	out.Owner = index
	return out
}

// late is Σ_{t∈U} g(T−t).
func (l *Law) late(rounds []int64) int64 {
	if l.after == nil {
		l.after = l.rows.later()
	}
	var sum int64
	for _, t := range rounds {
		sum += l.after[l.Rounds-t]
	}
	return sum
}

// Rho bounds ρ of zero-concentrated differential privacy for somebody with up to m
// rounds, of whom ε is at most epsilon: the least of m²·ρ of one round, ε·tanh(ε/2), and
// of the charges of nodes whose noise is drawn when their last row has arrived, by the
// allocation of charges (fully adaptive composition, Feldman and Zrnic 2021,
// arXiv:2008.11193). It is rounded up.
func (l *Law) Rho(m int64, epsilon ledger.Loss) float64 {
	out := min(ledger.GroupRho(ledger.Concentrated(l.Law), m), ledger.PureRho(epsilon.Up()))
	if l.splits == nil || l.nodes.Ahead || m < 1 {
		return out
	}
	p := newProfile(l.Rounds, charges(&l.nodes, m))
	a := newAllocation(p.thetas(), func(theta float64) float64 { return most(l.splits, p.excess(theta)) })
	bound, _ := a.atMost(m)
	if math.IsNaN(bound) {
		return out
	}
	return min(out, float64(bound*(1+1e-10)))
}
