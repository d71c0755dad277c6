package policy

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"banditaudit/schemas/param"
)

// Floor keeps every eligible arm of a policy from being played with too small a
// probability: it turns the policy's propensities into the propensities of one of four
// kinds (see FloorKinds), and plays by these.
//
// A floor of the kind mix takes one word from its stream in every round, explores when
// ⌊word/2¹¹⌋·2⁻⁵³ < m·f over m eligible arms, and then plays one of these, each with
// probability 1/m, by masking and rejection (see Uniform); otherwise the policy's choice
// stands. A floor of another kind draws an arm from its propensities by one word (see
// categorical), whatever the policy has chosen.
type Floor struct {
	kind     *FloorKind
	f        float64
	src      rand.Source
	probs    []float64 // of the round; nil where the kind is mix
	explores bool      // in the last round
}

// NewFloor returns a floor of the kind mix with 0 < f ≤ 1/K that draws from src.
func NewFloor(f float64, src rand.Source) *Floor { return FloorOf(param.FloorMix).New(f, src) }

// Play returns the arm that is played in the round for which the policy has selected arm.
func (f *Floor) Play(s *State, arm int, p Policy) int {
	if f.kind.apply == nil {
		return f.mix(s, arm)
	}
	if len(f.probs) != len(s.Pulls) {
		f.probs = make([]float64, len(s.Pulls))
	}
	p.Propensities(s, f.probs)
	f.Propensities(s, f.probs)
	played := categorical(f.src, s, f.probs)
	f.explores = played != arm
	return played
}

// mix plays an eligible arm at random with probability m·f.
func (f *Floor) mix(s *State, arm int) int {
	m := eligible(s)
	f.explores = float64(f.src.Uint64()>>11)*0x1p-53 < float64(float64(m)*f.f)
	if !f.explores {
		return arm
	}
	return nth(s, below(f.src, m))
}

// Explored reports whether the last Play drew an arm of its own.
func (f *Floor) Explored() bool { return f.explores }

// Propensities turns the policy's propensities in dst into those over the floor.
func (f *Floor) Propensities(s *State, dst []float64) { f.kind.Apply(s.Eligible, f.f, dst) }

// FloorKind is a way in which a floor f makes propensities p of the policy's own, π, over
// m eligible arms, 0 < f ≤ 1/m. Sums are over the eligible arms, in index order; the others
// keep 0.
type FloorKind struct {
	Name string
	Doc  string
	// apply turns π of the arms that are eligible, all of them in pi, into p. nil: it is
	// mixed in.
	apply func(pi []float64, f float64)
	// Least returns a number below which no p_i is, whatever π is.
	Least func(f float64, m int) float64
	// Excess returns x where no p_i changes by a factor of more than 1 + x, whatever π and
	// π' are, over any number of arms from least to most; most 0: nobody knows how many
	// there are. nil where no bound is known.
	Excess func(f *big.Rat, least, most int) *big.Rat
	// Keeps is how many times the policy's own loss p has: where no π_i changes by a factor
	// of more than e^ε, no p_i does by one of more than e^(Keeps·ε). 0: that is not known.
	Keeps int
}

// FloorKinds lists the kinds of floor.
//
// mix: p = f + (1 − m·f)·π. So p_i is in [f, 1 − (m−1)·f], and it is a mixture with a law that
// reads nothing, which brings two laws together: it keeps the policy's loss, and the
// direction in which a reward moves each arm.
//
// clip: p = u/Σu of u = max(π, f). As Σu ≤ 1 + (m−1)·f, for some π_i is at least 1/m ≥ f, p_i
// is at least f/(1 + (m−1)·f); and at most π_i/(π_i + (m−1)·f) ≤ 1/(1 + (m−1)·f) where
// π_i > f, and at most f/(m·f) elsewhere, which is no more. The quotient of the two is 1/f.
// With π' ≤ e^ε·π and π ≤ e^ε·π', u_i and Σu change by a factor within e^{±ε} each, and p_i
// by one within e^{±2ε}.
//
// water: p = max(π − τ, f), with the one τ ≥ 0 for which Σp = 1, computed from the n
// largest π:
//
//	τ = (Σ of them − 1 + (m−n)·f)/n
//
// for the largest n at which each of them is left with f at least. So p_i is in
// [f, 1 − (m−1)·f]. Nothing is claimed of the policy's own loss: an arm that rises above f is
// left with little more, of which a change of τ is many times as much.
//
// rest: p_i = max(π_i, f) of all but the best, the first of those with the largest π, and the
// best has what is left to 1. Where nothing is left it has 0, and the others are divided by
// their sum. With j others below f that have s together, the best has π_b ≥ (1−s)/(m−j), and
// is left with π_b − j·f + s ≥ 1/(m−j) − j·f: f at least where (j+1)·(m−j)·f ≤ 1 for every j,
// which is where ⌊(m+1)²/4⌋·f ≤ 1. Then p_i is in [f, 1 − (m−1)·f] as above; otherwise no
// bound is claimed. Nothing is claimed of the policy's own loss, as what the others gain is
// taken from the best.
func FloorKinds() []FloorKind {
	return []FloorKind{
		{
			Name: param.FloorMix, Doc: "f + (1 − m·f)·π over m eligible arms",
			Least: func(f float64, _ int) float64 { return f }, Excess: excessOfFloor, Keeps: 1,
		},
		{
			Name: param.FloorClip, Doc: "max(π, f), divided by its sum", apply: clipFloor, Keeps: 2,
			Least:  func(f float64, m int) float64 { return f / (1 + float64(float64(m-1)*f)) },
			Excess: func(f *big.Rat, _, _ int) *big.Rat { return excessOfFloor(f, 1, 1) },
		},
		{
			Name: param.FloorWater, Doc: "max(π − τ, f), with the τ at which the sum is 1", apply: waterFloor,
			Least: func(f float64, _ int) float64 { return f }, Excess: excessOfFloor,
		},
		{
			Name: param.FloorRest, Doc: "max(π, f) of all arms but the best, which has the rest", apply: restFloor,
			Least: func(f float64, m int) float64 {
				if restKeeps(param.Literal(f), m) {
					return f
				}
				return 0
			},
			Excess: func(f *big.Rat, least, most int) *big.Rat {
				if most > 0 && restKeeps(f, most) {
					return excessOfFloor(f, least, most)
				}
				return nil
			},
		},
	}
}

// FloorOf returns a kind by its name, mix for "".
func FloorOf(name string) *FloorKind {
	kinds := FloorKinds()
	i := slices.IndexFunc(kinds, func(k FloorKind) bool { return k.Name == name })
	return &kinds[max(0, i)]
}

// New returns a floor of the kind with 0 < f ≤ 1/K that draws from src.
func (k *FloorKind) New(f float64, src rand.Source) *Floor { return &Floor{kind: k, f: f, src: src} }

// Mixed reports whether a floor of the kind is mixed in, so that it can be taken off again.
func (k *FloorKind) Mixed() bool { return k.apply == nil }

// Apply turns the policy's propensities in p into those over a floor f of the arms that are
// eligible; nil: all are. m·f ≤ 1 over m of them.
func (k *FloorKind) Apply(eligible []bool, f float64, p []float64) {
	if len(eligible) > 0 && k.apply != nil {
		k.part(eligible, f, p)
		return
	}
	if k.apply != nil {
		k.apply(p, f)
		return
	}
	m := 0
	for i := range p {
		if len(eligible) == 0 || eligible[i] {
			m++
		}
	}
	rest := 1 - float64(float64(m)*f)
	for i := range p {
		if len(eligible) == 0 || eligible[i] {
			p[i] = f + float64(rest*p[i])
		}
	}
}

// part applies the floor to the arms that are eligible.
func (k *FloorKind) part(eligible []bool, f float64, p []float64) {
	var among []float64
	for i, can := range eligible {
		if can {
			among = append(among, p[i])
		}
	}
	k.apply(among, f)
	for i, can := range eligible {
		if can {
			p[i], among = among[0], among[1:]
		}
	}
}

// clipFloor raises what is below f to f, and divides by the sum.
func clipFloor(pi []float64, f float64) {
	sum := 0.0
	for i, p := range pi {
		pi[i] = max(p, f)
		sum += pi[i]
	}
	for i := range pi {
		pi[i] /= sum
	}
}

// waterFloor takes τ from all, as long as f is left. Where no arm is below f nothing is
// taken.
func waterFloor(pi []float64, f float64) {
	if slices.Min(pi) >= f {
		return
	}
	down := slices.Sorted(slices.Values(pi))
	slices.Reverse(down)
	tau, sum, m := 0.0, 0.0, len(down)
	for i, p := range down {
		sum += p
		t := (sum - 1 + float64(float64(m-i-1)*f)) / float64(i+1)
		if i > 0 && p-t < f {
			break
		}
		tau = t
	}
	for i, p := range pi {
		pi[i] = max(p-tau, f)
	}
}

// restFloor raises all but the best to f, which has what is left.
func restFloor(pi []float64, f float64) {
	best, others := 0, 0.0
	for i, p := range pi {
		if p > pi[best] {
			best = i
		}
	}
	for i, p := range pi {
		if i != best {
			pi[i] = max(p, f)
			others += pi[i]
		}
	}
	if pi[best] = 1 - others; pi[best] >= 0 {
		return
	}
	pi[best] = 0
	for i := range pi {
		pi[i] /= others
	}
}

// restKeeps reports whether the best of m arms is left with f: ⌊(m+1)²/4⌋·f ≤ 1.
func restKeeps(f *big.Rat, m int) bool {
	n := int64(m+1) * int64(m+1) / 4
	return new(big.Rat).Mul(f, big.NewRat(n, 1)).Cmp(big.NewRat(1, 1)) <= 0
}

// excessOfFloor is (1 − m·f)/f of the least m, which with 1 is (1 − (m−1)·f)/f and falls
// with m; 0 where that is below.
func excessOfFloor(f *big.Rat, m, _ int) *big.Rat {
	x := new(big.Rat).Mul(f, big.NewRat(int64(m), 1))
	if x.Sub(big.NewRat(1, 1), x); x.Sign() <= 0 {
		return new(big.Rat)
	}
	return x.Quo(x, f)
}
