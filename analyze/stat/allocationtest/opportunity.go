package allocationtest

// Opportunity counts in how many rounds each arm, and each pair of arms, could
// be played: those in which it was eligible and, where the propensities of all
// arms are logged, had a propensity above 0. It is not safe for concurrent use.
type Opportunity struct {
	rounds []int64 // by arm
	pairs  []int64 // of arms a ≥ b at a(a+1)/2+b; nil for more than maxJoint arms
	total  int64   // Σ over rounds of the arms that could be played
	last   []bool
	run    int64 // rounds like last that are not yet in the counts
	sizes  []int32
}

// NewOpportunity returns empty counts for arms 0…arms−1.
func NewOpportunity(arms int) *Opportunity {
	o := &Opportunity{rounds: make([]int64, arms), last: make([]bool, arms)}
	if arms <= maxJoint {
		o.pairs = make([]int64, arms*(arms+1)/2)
	}
	return o
}

// Add joins n rounds in which could(row, arm) says what could be played, and
// returns the number of these arms, by round; the slice is used again by the next call.
// Where again says that a round has the arms of the round before it, could is not asked;
// nil: in no round.
func (o *Opportunity) Add(n int, could func(row, arm int) bool, again func(row int) bool) []int32 {
	o.sizes = append(o.sizes[:0], make([]int32, n)...)
	for t := range n {
		if t > 0 && again != nil && again(t) {
			o.sizes[t] = o.sizes[t-1]
			o.run++
			o.total += int64(o.sizes[t])
			continue
		}
		same := o.run > 0
		for a := range o.last {
			c := could(t, a)
			if c {
				o.sizes[t]++
			}
			if same && c != o.last[a] {
				o.flush()
				same = false
			}
			o.last[a] = c
		}
		o.run++
		o.total += int64(o.sizes[t])
	}
	return o.sizes
}

// flush takes the run into the counts. Add calls it before the first arm that
// differs is overwritten: those before it are alike, those behind still hold.
func (o *Opportunity) flush() {
	for a, c := range o.last {
		if !c {
			continue
		}
		o.rounds[a] += o.run
		if o.pairs == nil {
			continue
		}
		row := o.pairs[a*(a+1)/2 : a*(a+1)/2+a+1]
		for b := range row {
			if o.last[b] {
				row[b] += o.run
			}
		}
	}
	o.run = 0
}

// Merge joins another accumulator for the same arms.
func (o *Opportunity) Merge(p *Opportunity) {
	if len(o.rounds) != len(p.rounds) {
		panic(BadLength)
	}
	o.flush()
	p.flush()
	o.total += p.total
	for a, n := range p.rounds {
		o.rounds[a] += n
	}
	for i, n := range p.pairs {
		o.pairs[i] += n
	}
}

// Rounds returns in how many rounds an arm could be played.
func (o *Opportunity) Rounds(arm int) int64 {
	o.flush()
	return o.rounds[arm]
}

// Total returns Σ over rounds of the number of arms that could be played.
func (o *Opportunity) Total() int64 { return o.total }

// both returns in how many rounds both of two arms could be played.
func (o *Opportunity) both(a, b int) int64 {
	o.flush()
	a, b = max(a, b), min(a, b)
	return o.pairs[a*(a+1)/2+b]
}
