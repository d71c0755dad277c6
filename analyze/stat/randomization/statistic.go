package randomization

import "math"

// Side says which of two arms pays more where a statistic is large.
type Side int

const (
	// Both asks for any difference between any number of arms.
	Both Side = iota
	// First asks whether the first of two arms pays more.
	First
	// Second asks whether the second of two arms pays more.
	Second
)

// pseudo is the number of pulls without a reward that every arm is given, fixed
// before any log was seen.
const pseudo = 10

// Spread is the statistic Σ_i (S_i − N_i·ȳ)²/(N_i + 10), with 10 pseudo-pulls of each
// arm. S is the sum of what is counted, N the pulls, ȳ the mean of all.
func Spread(n []int64, s []float64, mean float64) float64 {
	q := 0.0
	for i, pulls := range n {
		d := s[i] - float64(float64(pulls)*mean)
		q += float64(d * d / (float64(pulls) + pseudo))
	}
	return q
}

// Contrast is the statistic of the first two arms on one side,
//
//	(S_a − N_a·ȳ)/√(N_a + 10) − (S_b − N_b·ȳ)/√(N_b + 10).
func Contrast(n []int64, s []float64, mean float64) float64 {
	one := func(i int) float64 {
		return (s[i] - float64(float64(n[i])*mean)) / math.Sqrt(float64(n[i])+pseudo)
	}
	return one(0) - one(1)
}

// statistic returns the statistic of a run by its sums, added up over all strata.
func (t *test) statistic(of *tally) float64 {
	q, k := 0.0, t.log.Arms
	for i, mean := range t.means {
		n, s := of.n[i*k:(i+1)*k], of.s[i*k:(i+1)*k]
		switch t.log.Side {
		case Both:
			q += Spread(n, s, mean)
		case First:
			q += Contrast(n, s, mean)
		case Second:
			q -= Contrast(n, s, mean)
		}
	}
	return q
}

// counted is what is summed of rounds.
func (l *Log) counted() []float64 {
	if l.Centred != nil {
		return l.Centred
	}
	return l.Reward
}

// strata is their number.
func (l *Log) strata() int {
	most := int32(0)
	for _, s := range l.Strata {
		most = max(most, s)
	}
	return int(most) + 1
}

// means returns the mean of what is summed, by stratum; 0 where there is nothing.
func (l *Log) means() []float64 {
	n, out := make([]int64, l.strata()), make([]float64, l.strata())
	for t, y := range l.counted() {
		if y != y {
			continue
		}
		at := 0
		if l.Strata != nil {
			at = int(l.Strata[t])
		}
		n[at]++
		out[at] += y
	}
	for i := range out {
		out[i] /= float64(max(1, n[i]))
	}
	return out
}

// tally is pulls and sums, by stratum, then arm.
type tally struct {
	counted []float64
	strata  []int32
	arms    int
	n       []int64
	s       []float64
}

func newTally(l *Log) *tally {
	size := l.strata() * l.Arms
	return &tally{l.counted(), l.Strata, l.Arms, make([]int64, size), make([]float64, size)}
}

func (t *tally) clear() {
	clear(t.n)
	clear(t.s)
}

// add counts the record of a round for an arm.
func (t *tally) add(arm, record int) {
	y := t.counted[record]
	if y != y {
		return
	}
	if t.strata != nil {
		arm += int(t.strata[record]) * t.arms
	}
	t.n[arm]++
	t.s[arm] += y
}

// Centred returns what is known less the mean of its block; NaN stays.
func Centred(y []float64, blocks []int32) []float64 {
	sum, n := map[int32]float64{}, map[int32]float64{}
	for t, v := range y {
		if v == v {
			sum[blocks[t]] += v
			n[blocks[t]]++
		}
	}
	out := make([]float64, len(y))
	for t, v := range y {
		out[t] = v - sum[blocks[t]]/n[blocks[t]]
	}
	return out
}
