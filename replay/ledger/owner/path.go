package owner

import (
	"slices"

	"banditaudit/replay/ledger"
)

// Stretch is a number of rounds that follow one another and play one arm.
type Stretch struct {
	Arm    int
	Rounds int64
}

// Shown is a sequence of actions on which an owner loses Loss.
type Shown struct {
	Loss  ledger.Loss
	Owner int       // index of the owner
	Path  []Stretch // the sequence
}

// Bounds of what is tried.
const (
	shownOwners = 8   // owners
	shownArms   = 4   // arms that carry an owner's rounds
	shownSteps  = 1e8 // of all of it
)

// AtLeast returns the sequence on which an owner loses most, of those that are tried;
// false where none can be. Owners are tried in their order. Tried are, after the first
// rounds of Order, for the arms that may carry her rounds:
//
//	one arm in all rounds that are left
//	the split that attains the bound of AtMost, arm by arm, in both orders
//	for final sizes S of the carrying arm, 2^j, 3·2^j and the largest, the rounds in
//	which it is best played, all others to one waiting arm, by
//	V_t(n) = max{V_{t−1}(n), V_{t−1}(n−1) + 1{t∈U}·c(n,S)}
//
// Every sequence is a bound from below, whichever is best.
func (l *Law) AtLeast(owners []Owner) (Shown, bool) {
	if !l.Any || l.rows == nil || l.Rounds > exactRounds || l.Arms < 2 || int64(l.Arms) > l.Rounds || len(l.Strata) != 1 {
		return Shown{}, false
	}
	f := &finder{law: l, columns: map[int64][]int64{}, best: -1}
	for i := range owners {
		if o := &owners[i]; o.Rounds != nil && i < shownOwners {
			f.try(i, o.Rounds)
		}
	}
	if f.best < 0 {
		return Shown{}, false
	}
	return Shown{Loss: l.unit.Times(f.best), Owner: f.owner, Path: stretches(f.path)}, true
}

// finder keeps the best sequence.
type finder struct {
	law *Law

	columns map[int64][]int64 // c(·, s) by s
	steps   float64
	best    int64
	owner   int
	path    []int
	rounds  []int64 // of the owner that is tried
	index   int     // of the same
}

func (f *finder) column(size int64) []int64 {
	if f.columns[size] == nil {
		f.columns[size] = f.law.rows.costs(size)
	}
	return f.columns[size]
}

// value is what the owner loses on a path.
func (f *finder) value(path []int) int64 {
	total := make([]int64, f.law.Arms)
	for _, arm := range path {
		total[arm]++
	}
	var sum int64
	seen, at := make([]int64, f.law.Arms), 0
	for t, arm := range path {
		seen[arm]++
		if at < len(f.rounds) && f.rounds[at] == int64(t+1) {
			sum += f.column(total[arm])[seen[arm]]
			at++
		}
	}
	return sum
}

// see keeps a path if it is better.
func (f *finder) see(path []int) {
	if v := f.value(path); v > f.best {
		f.best, f.owner, f.path = v, f.index, slices.Clone(path)
	}
}

// try tries the sequences for one owner.
func (f *finder) try(index int, rounds []int64) {
	f.index, f.rounds = index, rounds
	if f.law.splits != nil {
		_, theta := f.law.dearest.atMost(int64(len(rounds)))
		if sizes := attained(f.law.splits, f.law.rows.excess(theta)); sizes != nil {
			slices.Sort(sizes)
			f.see(f.blocks(sizes))
			slices.Reverse(sizes)
			f.see(f.blocks(sizes))
		}
	}
	for i := range min(f.law.Arms, shownArms) {
		carry, wait := f.pair(i)
		f.see(f.after(func(int64) int { return carry }))
		for _, size := range f.finals() {
			if f.steps += float64(float64(f.law.Rounds) * float64(size)); f.steps < shownSteps {
				f.see(f.carried(carry, wait, size))
			}
		}
	}
}

// pair is the carrying arm number i, and the arm that waits.
func (f *finder) pair(i int) (carry, wait int) {
	if f.law.Order == nil {
		return i, (i + 1) % f.law.Arms
	}
	return f.law.Order[i], f.law.Order[(i+1)%f.law.Arms]
}

// after is a path that plays, after Order, what choose says of round t.
func (f *finder) after(choose func(t int64) int) []int {
	out := slices.Clone(f.law.Order)
	for t := int64(len(out)) + 1; t <= f.law.Rounds; t++ {
		out = append(out, choose(t))
	}
	return out
}

// blocks plays arm after arm until each has its number of rows.
func (f *finder) blocks(sizes []int64) []int {
	left, arms := slices.Clone(sizes), f.law.Order
	for i := range left {
		if f.law.Order == nil {
			arms = append(arms, i)
		} else {
			left[i]-- // every arm of Order has a row
		}
	}
	at := 0
	return f.after(func(int64) int {
		for at < len(left)-1 && left[at] <= 0 {
			at++
		}
		left[at]--
		return arms[at]
	})
}

// finals are the final sizes of the carrying arm that are tried.
func (f *finder) finals() []int64 {
	most := f.law.Rounds
	if f.law.Order != nil {
		most -= int64(f.law.Arms) - 1
	}
	out := []int64{most}
	for s := int64(1); s <= most; s *= 2 {
		out = append(out, s)
		if s+s/2 <= most && s > 1 {
			out = append(out, s+s/2)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// carried is the path on which the carrying arm, of size rows at the end, takes the
// rounds that cost the owner most.
func (f *finder) carried(carry, wait int, size int64) []int {
	const none = -1 << 60
	cost := f.column(size)
	owned := make([]bool, f.law.Rounds+1)
	for _, t := range f.rounds {
		owned[t] = true
	}
	value := make([]int64, size+1)
	for n := range value[1:] {
		value[n+1] = none
	}
	words := (size + 64) / 64
	took := make([]uint64, words*(f.law.Rounds+1)) // by round and rows: the last was of this round
	for t := int64(1); t <= f.law.Rounds; t++ {
		forced, mine := t <= int64(len(f.law.Order)), false
		if forced {
			mine = f.law.Order[t-1] == carry
		}
		if forced && !mine {
			continue
		}
		for n := min(size, t); n >= 1; n-- {
			v := value[n-1]
			if owned[t] {
				v += cost[n]
			}
			if v > value[n] || mine {
				value[n] = v
				took[t*words+n/64] |= 1 << (n % 64)
			}
		}
		if mine {
			value[0] = none
		}
	}
	return f.traced(carry, wait, size, func(t, n int64) bool { return took[t*words+n/64]>>(n%64)&1 == 1 })
}

// traced goes back over the rounds of the carrying arm.
func (f *finder) traced(carry, wait int, size int64, took func(t, n int64) bool) []int {
	plays := make([]bool, f.law.Rounds+1)
	n := size
	for t := f.law.Rounds; t >= 1 && n >= 1; t-- {
		if took(t, n) {
			plays[t] = true
			n--
		}
	}
	return f.after(func(t int64) int {
		if plays[t] {
			return carry
		}
		return wait
	})
}

// stretches is the run-length code of a path.
func stretches(path []int) []Stretch {
	var out []Stretch
	for _, arm := range path {
		if n := len(out); n > 0 && out[n-1].Arm == arm {
			out[n-1].Rounds++
		} else {
			out = append(out, Stretch{arm, 1})
		}
	}
	return out
}
