package subgroups

import (
	"math"
	"sync"
	"sync/atomic"

	"banditaudit/analyze/stat/allocationtest"
)

// Side is the value of a split in a round.
type Side = uint8

// The sides of a split. Of a round of which it is not known no account of the
// split takes up anything.
const (
	SideNo Side = iota
	SideYes
	SideUnknown
)

// NoCell is the cell of a round that is in none of a partition.
const NoCell = math.MaxUint8

// SplitPlan is what a Splits wagers on. A partition gives every round a cell by
// what is known before its arm is drawn; a split has the cells of a partition on
// two sides.
type SplitPlan struct {
	Arms  int
	Level float64 // of e in this experiment
	// Deficits opens a second account for each, on arms that are played too seldom.
	Deficits bool
	Cells    []int     // by partition: how many it has, at most 254
	Splits   []SplitOf // in the order of SplitsResult.Power
	Tides    bool      // wager on the recent pulls of each arm
	EachCell bool      // wager on the cells of each partition of more than two one by one
	Earlier  []bool    // by partition: its cells are wagered on one by one, in a family of their own; nil: none
	Jobs     int       // workers
	Crossed  []bool    // by partition: its cells are wagered on one by one, and have tides of their own, as crossings; nil: none
}

// crossed reports whether a partition is a crossing.
func (p *SplitPlan) crossed(partition int) bool {
	return partition < len(p.Crossed) && p.Crossed[partition]
}

// earlier reports whether a partition is of what came earlier.
func (p *SplitPlan) earlier(partition int) bool {
	return partition < len(p.Earlier) && p.Earlier[partition]
}

// SplitOf is a split.
type SplitOf struct {
	Partition int
	Sides     []Side // by cell
	Tail      bool   // it is one of the tails, which have a share of their own
}

// Splits holds the allocation against splits of the rounds: functions f of what
// is known before the arm of a round is drawn, with the values 0 and 1. For every
// split, side and arm a there is an account on the rounds of that side in which a
// could be played,
//
//	M(λ) = Π (1 + λ·(1{A=a}/p⁺ − 1)),  λ = 2⁻¹ … 2⁻¹⁶ with equal weights
//
// p⁺ the upper end of what the logged propensity allows. 1{A=a}/p⁺ has mean at
// most 1 given the past, so that each is a non-negative supermartingale and needs
// the propensity of the arm that was played alone. Where the propensities of all arms are
// logged there is a second account for an arm that was played too seldom,
//
//	M(λ) = Π (1 − λ·1{A=a})·exp(λp⁻ + (λp⁻)²/2)
//
// whose factors have mean at most 1 because the exponent is at most −ln(1 − λp⁻);
// it needs two sums and no product.
//
// Families share e, the average of all accounts by weights that are fixed in
// advance. Splits have half of it, or all where there is no other family; of what is
// left tails, tides and cells have two parts each, and earlier cells, crossed cells and
// crossed tides one part each, shared among the families in use (with all of them 1/9, 1/9,
// 1/9, 1/18, 1/18 and 1/18). The share of a family is shared evenly by its accounts:
//
//   - tails: splits with the two ends of a number on one side;
//   - tides: splits by an arm, whether it had been played more often than by its
//     propensity, see tides;
//   - cells: for each partition of more than two cells one account,
//     Π_cells (½ + ½·M̄), M̄ the mean over arms (and deficits) of the accounts on
//     that cell. A round changes the factor of its own cell alone, so that the
//     product is a supermartingale; it grows with an arm, and a λ, for each cell;
//   - earlier cells: the same account for each partition by what came earlier and has
//     no split: which arm before, how large the last reward, which visit of the unit,
//     the contexts of the round before;
//   - crossed cells: the same account for each crossing, a partition by several
//     things together;
//   - crossed tides: tides within the cells of a crossing. The side of an arm goes by
//     its own pulls in the rounds before that were in the cell of the round, and the
//     cells of one crossing share the accounts of a side and an arm.
//
// P(max_t e ≥ 1/level) ≤ level at every number of rounds (Ville 1939), whatever
// the propensities do. A Splits is not safe for concurrent use.
type Splits struct {
	plan  SplitPlan
	first []int // by partition: the first of its cells among the cells of all

	stakes   []stake       // by cell and arm
	expected []expectation // the same
	waiting  waiting       // by cell
	tides    []*tides      // of the arms alone, and within the cells of each crossing
	rates    *rates
	rows     int64
	next     int64 // rows at the next look
	found    SplitsResult
	pool
}

// SplitRows are n rounds.
type SplitRows struct {
	Cells [][]uint8 // by partition, then round; NoCell: in none
	Arm   []int32   // that was played; -1: the round leaves all accounts
	High  []float64 // p⁺ of that arm, in (0, 1]
	Low   []float64 // n·K, p⁻ by round and arm; nil unless the propensities of all arms are logged
	P     []float64 // n·K, p by round and arm, from which plays are expected; nil: Low are these, or they are not known
	Could []bool    // n·K, by round and arm; nil: every arm could be played
	Again []bool    // Low and Could are the same as in the round before and not looked at; nil: never
}

// NewSplits returns empty accounts. Sides that do not fit the cells of their
// partition panic.
func NewSplits(plan SplitPlan) *Splits {
	s := &Splits{plan: plan, rates: &rates{}, next: looks}
	cells := 0
	for _, n := range plan.Cells {
		s.first = append(s.first, cells)
		cells += n
	}
	for _, split := range plan.Splits {
		if len(split.Sides) != plan.Cells[split.Partition] {
			panic(allocationtest.BadLength)
		}
	}
	s.stakes, s.expected, s.waiting = make([]stake, cells*plan.Arms), make([]expectation, cells*plan.Arms), newWaiting(plan.Arms, cells)
	if plan.Tides {
		s.tides = append(s.tides, newTides(plan.Arms, 1, -1))
	}
	for f, n := range plan.Cells {
		if plan.crossed(f) {
			s.tides = append(s.tides, newTides(plan.Arms, n, f))
		}
	}
	s.pool = s.newPool()
	s.found = SplitsResult{Accounts: len(s.values), Level: plan.Level, Worst: SplitAccount{Split: -1, Partition: -1}, Without: make([]float64, len(plan.Splits))}
	for i := range s.found.Without {
		s.found.Without[i] = math.Inf(-1)
	}
	return s
}

// Add joins rounds, in the order in which they were played. Slices that do not
// fit together panic.
func (s *Splits) Add(r *SplitRows) {
	n, k := len(r.Arm), s.plan.Arms
	if len(r.Cells) != len(s.first) || len(r.High) != n || r.Low != nil && len(r.Low) != n*k || r.P != nil && len(r.P) != n*k || r.Could != nil && len(r.Could) != n*k || r.Again != nil && len(r.Again) != n {
		panic(allocationtest.BadLength)
	}
	for from := 0; from < n; {
		to := int(min(int64(n), int64(from)+s.next-s.rows))
		s.take(r, from, to)
		s.rows, from = s.rows+int64(to-from), to
		if s.rows == s.next {
			s.look()
		}
	}
}

// take takes up the rounds up to the next look: the cells and each of the tides, which share
// nothing, by as many workers as there are. A panic is raised in the caller's goroutine.
func (s *Splits) take(r *SplitRows, from, to int) {
	var taken atomic.Int64
	work := func() {
		for {
			switch part := int(taken.Add(1)) - 1; {
			case part == 0: // takes longest
				s.takeCells(r, from, to)
			case part <= len(s.tides):
				s.tides[part-1].take(r, from, to, s.rows)
			default:
				return
			}
		}
	}
	var group sync.WaitGroup
	panicked := make([]any, max(1, min(s.plan.Jobs, 1+len(s.tides)))-1)
	for i := range panicked {
		group.Go(func() {
			defer func() { panicked[i] = recover() }()
			work()
		})
	}
	func() {
		defer group.Wait()
		work()
	}()
	for _, p := range panicked {
		if p != nil {
			panic(p)
		}
	}
}

// takeCells takes up rounds in the cells of all partitions.
func (s *Splits) takeCells(r *SplitRows, from, to int) {
	for t := from; t < to; t++ {
		p := s.waiting.begin(r, t, s.expected)
		if p == nil {
			continue
		}
		for f, cells := range r.Cells {
			cell := cells[t]
			if cell == NoCell {
				continue
			}
			at := s.first[f] + int(cell)
			s.stakes[at*s.plan.Arms+int(r.Arm[t])].take(p)
			s.waiting.add(at)
		}
	}
}

// chances returns what is known of all k arms in round t.
func (r *SplitRows) chances(t, k int) (c chances) {
	if r.Could != nil {
		c.could = r.Could[t*k : t*k+k]
	}
	if r.Low != nil {
		c.low = r.Low[t*k : t*k+k]
	}
	if r.P != nil {
		c.p = r.P[t*k : t*k+k]
	}
	return c
}

// spread gives every arm the rounds that are alike.
func (s *Splits) spread() {
	s.waiting.spread(s.expected)
	for _, of := range s.tides {
		of.waiting.spread(of.levels[0].known)
	}
}
