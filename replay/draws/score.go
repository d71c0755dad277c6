package draws

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Score tells whether shares q lie nearer to another law h than to p, over the
// merged cells of Statistic:
//
//	z = √N · Σ(q−p)(h−p)/p / √(Σ(h−p)²/p)
//
// is standard normal where the shares are those of N draws of p, whatever h is, as
// long as it does not depend on q. It is above 0 where they lie towards h.
//
// Shares that were rounded may all lean one way by it, as they do where p stands
// still: z is then that of the shares within their decimals that lean least.
//
// Where updates have numbers of draws of their own all three sums are weighted by
// these, and N is 1.
type Score struct {
	cross, own float64
	room       float64 // Σ|h−p|/p over the shares: what moves cross when each of them moves by 1
	squares    float64 // Σ of the square of what each update adds to cross
	m          merged
}

// Add takes up one update, with its number of draws where it has its own, and
// with 0 otherwise.
func (s *Score) Add(q, p, h []float64, n float64) {
	if n == 0 {
		n = 1
	}
	s.m.merge(q, p, least)
	if len(s.m.p) < 2 {
		return
	}
	before := s.cross
	for i := range s.m.p {
		other, shares := 0.0, 0.0
		for a, of := range s.m.of {
			if of == i {
				other += h[a]
				shares++
			}
		}
		s.room += float64(n * (float64(shares*math.Abs(other-s.m.p[i])) / s.m.p[i]))
		s.cross += float64(n * (float64((s.m.q[i]-s.m.p[i])*(other-s.m.p[i])) / s.m.p[i]))
		s.own += float64(n * (float64((other-s.m.p[i])*(other-s.m.p[i])) / s.m.p[i]))
	}
	s.squares += float64((s.cross - before) * (s.cross - before))
}

// Z returns z where the shares are those of n draws, 1 where updates have their own, each written to within tau; 0
// where h is p.
func (s *Score) Z(n, tau float64) float64 {
	if !(s.own > 0) {
		return 0
	}
	return float64(math.Sqrt(n)*s.within(tau)) / math.Sqrt(s.own)
}

// within is Σ(q−p)(h−p)/p of the shares within their decimals that lean least.
func (s *Score) within(tau float64) float64 {
	return math.Copysign(max(0, math.Abs(s.cross)-float64(tau*s.room)), s.cross)
}

// Steady is the score in units of what updates add to it,
//
//	Σ_u c_u / √(Σ_u c_u²),  c_u = Σ(q−p)(h−p)/p of update u
//
// which needs no number of draws, and no one number of all updates: given their
// sizes the signs of the c_u are about as chance puts them, and a sum of signs
// exceeds x times that root with probability at most exp(−x²/2) (Hoeffding 1963,
// theorem 2; exact where the c_u are symmetric). It is at most the root of the
// number of updates. 0 where h is p.
func (s *Score) Steady(tau float64) float64 {
	if !(s.squares > 0) {
		return 0
	}
	return s.within(tau) / math.Sqrt(s.squares)
}

// The level of all scores together, on both sides.
const (
	ScoreLevel  = 0.0005
	BesideLevel = 0.0003 // where the tests of a number of draws convict too
)

// Critical returns Φ⁻¹(1 − α/2H), beyond which a score of H convicts.
func Critical(tried int, level float64) float64 {
	return mathext.NormalQuantile(1 - level/2/float64(max(1, tried)))
}

// Other is a law that is tried beside the recomputed one.
type Other struct {
	Name  string // floor | clipped-floor | tempered | swapped
	I, J  int    // arms that are exchanged
	Score Score
}

// mostExchanged bounds the arms of which every pair is exchanged.
const mostExchanged = 12

// Others tries the laws that follow from p alone on the updates of all arms: a
// mixture with the uniform law, small probabilities that are raised to a tenth of
// it, p^c for c near 1, and the exchange of every two of at most 12 arms.
func (s *Shares) Others() []Other {
	if !s.Whole() {
		return nil
	}
	k := len(s.entries[0].p)
	out := []Other{{Name: "floor"}, {Name: "clipped-floor"}, {Name: "tempered"}}
	if k <= mostExchanged {
		for i := range k {
			for j := range i {
				out = append(out, Other{Name: "swapped", I: j, J: i})
			}
		}
	}
	h := make([]float64, k)
	for i := range s.entries {
		e := &s.entries[i]
		if e.arm >= 0 {
			continue
		}
		for o := range out {
			out[o].law(e.p, h)
			out[o].Score.Add(e.q, e.p, h, e.n)
		}
	}
	return out
}

// law writes the other law of p into h.
func (o *Other) law(p, h []float64) {
	m := 0.0
	for _, v := range p {
		if v > 0 {
			m++
		}
	}
	copy(h, p)
	switch o.Name {
	case "floor":
		for a := range h {
			if p[a] > 0 {
				h[a] = 1 / m
			}
		}
	case "clipped-floor":
		o.raise(h, 1/(10*m))
	case "tempered":
		mean := 0.0
		for _, v := range p {
			if v > 0 {
				mean += float64(v * math.Log(v))
			}
		}
		for a, v := range p {
			if v > 0 { // the direction in which p^c moves at c = 1
				h[a] = v + float64(v*(math.Log(v)-mean))
			}
		}
	default:
		h[o.I], h[o.J] = p[o.J], p[o.I]
	}
}

// raise lifts small probabilities to f and divides by the sum.
func (o *Other) raise(h []float64, f float64) {
	sum := 0.0
	for a, v := range h {
		if v > 0 {
			h[a] = max(v, f)
		}
		sum += h[a]
	}
	for a := range h {
		h[a] /= sum
	}
}
