package stratified

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"banditaudit/analyze/stat/tail"
)

// Labels are the rewards of a batch that one of two arms paid, and whether the first
// of them did. Both slices are equally long. All rewards are finite.
type Labels struct {
	Reward []float64
	First  []bool
}

// LogP returns ln of two one-sided p-values of the labels, given how many there are of
// each: against the first arm paying no more than the second (greater), and no less. The
// statistic is the sum S of the rewards of the first arm, which orders sets of labels as
// the difference of means does, and
//
//	two different rewards:          P(S' ≥ S) of the hypergeometric law (Fisher's exact test)
//	at most draws sets of labels:   the share of all of them with S' ≥ S
//	else:                           (1 + #{S'_m ≥ S})/(1 + draws), over draws ≥ 1 sets drawn from the source
//
// each super-uniform where labels are exchangeable given the rewards, and, one-sided,
// also where the first arm pays stochastically no more: p rises with a reward of the
// second. Sums that differ by less than 1e-9 of the sum of |reward − mean| count as
// equal, against rejection. Where one arm is not there, or all rewards are equal, both
// are 0 (formula sheet 24.6).
func (l Labels) LogP(draws int, source rand.Source) (greater, less float64) {
	k := 0
	for _, first := range l.First {
		if first {
			k++
		}
	}
	n := len(l.Reward)
	if k == 0 || k == n {
		return 0, 0
	}
	if hi, few := l.values(); few {
		return l.ofTwo(hi, k)
	}
	s, turned := l.smaller(k)
	if turned {
		less, greater = s.logP(draws, source)
	} else {
		greater, less = s.logP(draws, source)
	}
	return greater, less
}

// values are the largest reward, and whether there is at most one other.
func (l Labels) values() (hi float64, few bool) {
	lo := l.Reward[0]
	hi = lo
	for _, y := range l.Reward {
		lo, hi = min(lo, y), max(hi, y)
	}
	few = true
	for _, y := range l.Reward {
		few = few && (y == lo || y == hi)
	}
	return hi, few
}

// ofTwo is Fisher's exact test, where k labels are of the first arm and hi is the larger
// of two rewards; where there is one, both are 0.
func (l Labels) ofTwo(hi float64, k int) (greater, less float64) {
	var drawn, all int64
	for i, y := range l.Reward {
		if y == hi {
			all++
			if l.First[i] {
				drawn++
			}
		}
	}
	d := tail.Draw{White: all, Black: int64(len(l.Reward)) - all, Size: int64(k)}
	return tail.LogHypergeometricAtLeast(drawn, d), tail.LogHypergeometricAtMost(drawn, d)
}

// sets are the ways to choose size of the centred rewards.
type sets struct {
	y        []float64 // less their mean
	size     int       // of the arm with fewer rows, whose rewards are y[:size] in the log
	sum, tie float64
}

// smaller goes by the arm with fewer rows; turned says that it is the second.
func (l Labels) smaller(k int) (s sets, turned bool) {
	n := len(l.Reward)
	s.size = min(k, n-k)
	turned = s.size < k
	mean := 0.0
	for i, y := range l.Reward {
		mean += (y - mean) / float64(i+1)
	}
	s.y = make([]float64, 0, n)
	for _, chosen := range []bool{!turned, turned} {
		for i, y := range l.Reward {
			if l.First[i] == chosen {
				s.y = append(s.y, y-mean)
			}
		}
	}
	for i, y := range s.y {
		if i < s.size {
			s.sum += y
		}
		s.tie += math.Abs(y)
	}
	s.tie *= 1e-9
	return s, turned
}

// logP is ln of the shares of sets with a sum as large, and as small.
func (s *sets) logP(draws int, source rand.Source) (above, below float64) {
	var up, down, all int64
	count := func(sum float64) {
		all++
		if sum >= s.sum-s.tie {
			up++
		}
		if sum <= s.sum+s.tie {
			down++
		}
	}
	if s.few(draws) {
		s.every(count)
	} else {
		count(s.sum)
		s.some(draws, rand.New(source), count)
	}
	return math.Log(float64(up) / float64(all)), math.Log(float64(down) / float64(all))
}

// few reports whether there are at most this number of ways.
func (s *sets) few(most int) bool {
	ways := 1.0
	for i := range s.size {
		if ways *= float64(len(s.y)-i) / float64(i+1); ways > float64(most)+0.5 {
			return false
		}
	}
	return true
}

// every goes through all sets in their order.
func (s *sets) every(count func(sum float64)) {
	n := len(s.y)
	at := make([]int, s.size)
	for i := range at {
		at[i] = i
	}
	for {
		sum := 0.0
		for _, i := range at {
			sum += s.y[i]
		}
		count(sum)
		i := s.size - 1
		for ; i >= 0 && at[i] == n-s.size+i; i-- {
		}
		if i < 0 {
			return
		}
		at[i]++
		for j := i + 1; j < s.size; j++ {
			at[j] = at[j-1] + 1
		}
	}
}

// some draws sets, each by as many swaps as it has members. It puts y in another order.
func (s *sets) some(draws int, from *rand.Rand, count func(sum float64)) {
	for range draws {
		sum := 0.0
		for i := range s.size {
			j := i + from.IntN(len(s.y)-i)
			s.y[i], s.y[j] = s.y[j], s.y[i]
			sum += s.y[i]
		}
		count(sum)
	}
}

// Source returns what the sets of labels of a batch are drawn from: ChaCha8 with the key
// SHA-256(seed ‖ "batch-exact" ‖ name ‖ batch), name names experiment and test. It is the
// same for every number of jobs.
func Source(seed [32]byte, name string, batch int64) rand.Source {
	key := sha256.New()
	key.Write(seed[:])
	key.Write([]byte("batch-exact" + name))
	key.Write(binary.BigEndian.AppendUint64(nil, uint64(batch))) //nolint:gosec // a count
	return rand.NewChaCha8([32]byte(key.Sum(nil)))
}
