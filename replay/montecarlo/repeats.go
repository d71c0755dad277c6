package montecarlo

import (
	"encoding/binary"
	"math"
	"strconv"

	"banditaudit/replay/policy/bitexact"
)

// RepeatLevel is what the p of Repeats has to be below.
const RepeatLevel = 0.0001

// Repeated says how shares come again from update to update.
type Repeated struct {
	Evidence float64 // ln of a number whose mean is at most 1; 0 where there are no updates
	Updates  int64   // by which, one of every recomputed law
	Values   int64   // different shares in them
}

// P is the bound that the evidence gives, e^(−Evidence), at most 1 and above 0.
func (r *Repeated) P() float64 {
	return min(1, max(bitexact.Exp(-r.Evidence), math.SmallestNonzeroFloat64))
}

// Rejected reports whether that is below RepeatLevel.
func (r *Repeated) Rejected() bool { return r.Evidence > -math.Log(RepeatLevel) }

// Repeats holds shares against draws that are made anew in every update, whose shares
// do not stand still while their law moves: the shares of 3 draws are not 1/3 of each arm
// again and again. It is
//
//	Π (P(v) + m(v)) / ((1 + m)·P(v))
//
// over the updates, where v are the shares of one, P(v) is their probability, m(v) is
// in how many of the m updates before they were the same, and of the played arm alone
// both are counted arm by arm. That is the likelihood of an urn that gives what it has
// given (Blackwell & MacQueen 1973), over the likelihood of draws. Whatever the laws are
// and whoever chose them by the past, its mean is at most 1 for shares of draws, and it
// exceeds 1/α with probability at most α (Ville).
//
// n is the number of draws; 0: each update has its own number, and where updates have none
// the least number of which its shares are multiples, for P of more draws that give them is
// smaller. P is taken at the end of a written share, and of what a recomputed probability
// may be, that makes it largest. Only the first of the updates with one law counts: whoever
// computes a law again may have kept its shares.
func (s *Shares) Repeats(n float64) Repeated {
	urns, met := map[int]*urn{}, map[string]bool{}
	var out Repeated
	for i := range s.entries {
		e := &s.entries[i]
		if key := e.lawKey(); !e.first || met[key] {
			continue
		} else {
			met[key] = true
		}
		u := urns[e.arm]
		if u == nil {
			u = &urn{seen: map[string]float64{}}
			urns[e.arm] = u
		}
		value, ln := s.value(e, n)
		out.Evidence += u.take(value, ln)
		out.Updates++
	}
	different := map[string]bool{}
	for _, u := range urns {
		for value := range u.seen {
			different[value] = true
		}
	}
	out.Values = int64(len(different))
	return out
}

// lawKey tells updates with different laws apart.
func (e *entry) lawKey() string {
	key := strconv.AppendInt(nil, int64(e.arm), 10)
	for _, p := range e.p {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(p))
	}
	return string(key)
}

// urn is what was seen of a value.
type urn struct {
	seen map[string]float64
	all  float64
}

// take returns ln of the factor of a value with probability e^ln, and keeps it.
func (u *urn) take(value string, ln float64) float64 {
	out := -math.Log1p(u.all)
	if before := u.seen[value]; before > 0 {
		more := math.Log(before) - ln // of 1 + m/P
		out += more + math.Log1p(bitexact.Exp(-more))
	}
	u.seen[value]++
	u.all++
	return out
}

// value is what an update's shares are, and ln of an upper bound of their probability.
// All that are no multiples of any number's inverse are one value.
func (s *Shares) value(e *entry, n float64) (string, float64) {
	if n == 0 {
		n = e.n
	}
	if n == 0 {
		if n = ownNumber(e.q, s.Tau); n == 0 {
			return "", 0
		}
	}
	key := binary.LittleEndian.AppendUint64(nil, math.Float64bits(n))
	ln, sum, exact := 0.0, 0.0, true
	most := 0.0 // ln of the least likely share
	all, _ := math.Lgamma(n + 1)
	for a, p := range e.p {
		least, end := s.between(e.q[a], n)
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(least))
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(end))
		exact = exact && least == end
		sum += least
		most = min(most, s.lnShare(e, least, end, n, p))
		if exact && least > 0 {
			in, _ := math.Lgamma(least + 1)
			ln += float64(least*math.Log(min(1, p+accuracy(p)))) - in
		}
	}
	if e.arm < 0 && exact && sum == n {
		return string(key), min(most, ln+all)
	}
	return string(key), most
}

// lnShare is ln of an upper bound of the probability of least to most of n draws.
func (s *Shares) lnShare(e *entry, least, most, n, p float64) float64 {
	switch law := s.Law; {
	case e.arm < 0, law == OneMore:
		return lnBetween(least, most, n, p)
	case law == SizeBiased:
		return lnBetween(least-1, most-1, n-1, p)
	default:
		return max(lnBetween(least, most, n, p), lnBetween(least-1, most-1, n-1, p))
	}
}

// summed is of how many counts the probabilities are added.
const summed = 64

// lnBetween is ln P(least ≤ X ≤ most), X ~ Binomial(n, p), at the p within what it may
// be that makes it largest, or above it; −∞ where it is 0.
func lnBetween(least, most, n, p float64) float64 {
	lo, hi := max(0, p-accuracy(p)), min(1, p+accuracy(p))
	tail := math.Log(min(atLeast(least, n, hi), atMost(most, n, lo)))
	if most-least > summed || least < 0 {
		return tail
	}
	sum := 0.0
	for x := least; x <= most; x++ {
		at := min(max(x/max(1, n), lo), hi)
		switch {
		case x > n, at == 0 && x > 0, at == 1 && x < n:
		case at == 0, at == 1:
			sum++
		default:
			sum += bitexact.Exp(lnTerm(x, n, at))
		}
	}
	return min(tail, math.Log(min(1, sum)))
}
