package montecarlo

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// Score tells whether shares q lie nearer to another law h than to p, over the
// merged cells of an update, the smallest until their sum is at least 0.05:
//
//	z = √N · Σ(q−p)(h−p)/p / √(Σ(h−p)²/p)
//
// is standard normal where the shares come from N draws of p, whatever h is, as long as it
// does not depend on q. It is above 0 where they lie towards h.
//
// Shares that were rounded may all lean one way by it, as they do where p stands
// still: z is then taken at the shares within their decimals that lean least.
//
// Where updates have numbers of draws of their own all three sums are weighted by
// these, and N is 1.
type Score struct {
	as, low sums // by the number of draws, and by the least that there can have been
	even    sums // Σ of the t of Steady; own is Σ of their squares
	m       merged
	h       []float64 // of the cells
}

// sums holds the sums of which a score is made: z is cross/√own.
type sums struct {
	cross, own float64
	room       float64 // Σ|h−p|/p over the shares: what moves cross when each of them moves by 1
}

// Add takes up one update, with its number of draws where it has its own, and
// with 0 otherwise, and with the least number that it can have; 0 where nothing says
// that.
func (s *Score) Add(q, p, h []float64, n, low float64) {
	if n == 0 {
		n = 1
	}
	s.m.merge(q, p, least)
	if len(s.m.p) < 2 {
		return
	}
	s.h = s.h[:0]
	for i := range s.m.p {
		other, shares := 0.0, 0.0
		for a, of := range s.m.of {
			if of == i {
				other += h[a]
				shares++
			}
		}
		s.as.add(s.m.q[i], s.m.p[i], other, shares, n)
		s.low.add(s.m.q[i], s.m.p[i], other, shares, low)
		s.h = append(s.h, other)
	}
	s.steps(float64(len(q)))
}

// steps adds the t of an update with the given number of shares.
func (s *Score) steps(shares float64) {
	q, p, h := 1.0, 1.0, 1.0 // what the cells before have left
	for i := range len(s.m.p) - 1 {
		mean := s.m.p[i] / p
		deviation := math.Sqrt(float64(q*mean) * (1 - mean))
		if side := s.h[i]/h - mean; deviation > 0 && h > 0 && side != 0 {
			t := math.Copysign(1, side) * (s.m.q[i] - float64(q*mean)) / deviation
			s.even.cross += t
			s.even.own += float64(t * t)
			s.even.room += shares / deviation
		}
		q, p, h = q-s.m.q[i], p-s.m.p[i], h-s.h[i]
	}
}

// add takes up a cell with the given number of shares.
func (s *sums) add(q, p, h, shares, n float64) {
	s.room += float64(n * (float64(shares*math.Abs(h-p)) / p))
	s.cross += float64(n * (float64((q-p)*(h-p)) / p))
	s.own += float64(n * (float64((h-p)*(h-p)) / p))
}

// z is Σ(q−p)(h−p)/p of the shares within their decimals that lean least, over the
// root of its variance where n is 1; 0 where h is p.
func (s *sums) z(tau float64) float64 {
	if !(s.own > 0) {
		return 0
	}
	return s.within(tau) / math.Sqrt(s.own)
}

// within is its numerator.
func (s *sums) within(tau float64) float64 {
	return math.Copysign(max(0, math.Abs(s.cross)-float64(tau*s.room)), s.cross)
}

// Z returns z where the shares come from n draws, 1 where updates have their own, each
// written to within tau; 0 where h is p.
func (s *Score) Z(n, tau float64) float64 { return float64(math.Sqrt(n) * s.as.z(tau)) }

// Mixed is a score of updates of which nobody says that they had one number of draws:
// the larger of Steady and of z by the least number that each can have, whose variance
// is at most 1, since there were no fewer draws.
func (s *Score) Mixed(tau float64) float64 {
	steady, low := s.Steady(tau), s.low.z(tau)
	if math.Abs(low) > math.Abs(steady) {
		return low
	}
	return steady
}

// Steady is a score that needs no number of draws, and no one number of all updates.
// A multinomial is drawn cell by cell: of what the cells before have left a cell takes
// a binomial part with mean r = p/Σp. In units of its deviation but for 1/√N, and
// towards h,
//
//	t = ±(q − r·rest)/√(rest·r·(1 − r)),  Σt/√(Σt²)  over the cells but the last of each update
//
// Given their sizes the signs of the t are about as chance puts them, and a sum of
// signs exceeds x times that root with probability at most exp(−x²/2) (Hoeffding
// 1963, theorem 2; exact where the t are symmetric). It is at most the root of the
// number of t. 0 where h is p.
func (s *Score) Steady(tau float64) float64 { return s.even.z(tau) }

// The level of all scores together, on both sides.
const (
	ScoreLevel  = 0.0005
	BesideLevel = 0.0003 // where the tests of a number of draws convict too
)

// Critical returns Φ⁻¹(1 − α/2H), beyond which a score of H convicts.
func Critical(tried int, level float64) float64 {
	return tail.NormalQuantile(math.Log(level / 2 / float64(max(1, tried))))
}

// Found is by how much a share of n draws whose probability is a half has to be off
// for the test of shares one by one, with cells the number of shares, to find it in four of
// five logs, by the normal law:
//
//	(Φ⁻¹(1 − CellLevel/(2·cells)) + Φ⁻¹(0.8))/(2·√n)
//
// Of another probability p it is 2·√(p(1 − p)) times as much.
func Found(n float64, cells int64) float64 {
	const power = 0.8
	z := tail.NormalQuantile(math.Log(CellLevel/2/float64(max(1, cells)))) - tail.NormalQuantile(math.Log(power))
	return z / 2 / math.Sqrt(n)
}

// Other is a law that is tried beside the recomputed one.
type Other struct {
	Words string // what it is; "": an exchange of two arms
	I, J  int    // arms that are exchanged
	Score Score

	law func(p, h []float64) // writes the other law of p into h
}

// mostExchanged bounds the arms of which every pair is exchanged.
const mostExchanged = 12

// Others tries the laws that follow from p alone on the updates of all arms: a
// mixture with the uniform law, small probabilities that are raised to a tenth of
// it, p^c for c near 1, and the exchange of every two of at most 12 arms. low are the
// least numbers of draws of the updates; nil where nothing says them.
func (s *Shares) Others(low []float64) []Other {
	if !s.Whole() {
		return nil
	}
	k := len(s.entries[0].p)
	out := []Other{
		{Words: "a mixture with uniform propensities", law: evenly},
		{Words: "small propensities that are raised to a floor, and all divided by their sum", law: raised},
		{Words: "propensities that are sharper than the policy's, as a power of them", law: sharper},
	}
	if k <= mostExchanged {
		for i := range k {
			for j := range i {
				out = append(out, Other{I: j, J: i, law: func(p, h []float64) { copy(h, p); h[i], h[j] = p[j], p[i] }})
			}
		}
	}
	h := make([]float64, k)
	for i := range s.entries {
		e := &s.entries[i]
		if e.arm >= 0 {
			continue
		}
		at := 0.0
		if low != nil {
			at = low[i]
		}
		for o := range out {
			out[o].law(e.p, h)
			out[o].Score.Add(e.q, e.p, h, e.n, at)
		}
	}
	return out
}

// support is how many arms a law can play.
func support(p []float64) float64 {
	m := 0.0
	for _, v := range p {
		if v > 0 {
			m++
		}
	}
	return m
}

// evenly writes the uniform law of the arms that p can play.
func evenly(p, h []float64) {
	m := support(p)
	for a, v := range p {
		if h[a] = 0; v > 0 {
			h[a] = 1 / m
		}
	}
}

// sharper writes p, moved in the direction in which p^c moves at c = 1.
func sharper(p, h []float64) {
	mean := 0.0
	for _, v := range p {
		if v > 0 {
			mean += float64(v * math.Log(v))
		}
	}
	for a, v := range p {
		if h[a] = v; v > 0 {
			h[a] = v + float64(v*(math.Log(v)-mean))
		}
	}
}

// raised lifts small probabilities to a tenth of the uniform one, and divides by the
// sum.
func raised(p, h []float64) {
	f, sum := 1/(10*support(p)), 0.0
	for a, v := range p {
		if h[a] = v; v > 0 {
			h[a] = max(v, f)
		}
		sum += h[a]
	}
	for a := range h {
		h[a] /= sum
	}
}
