package dialects

import (
	"math"
	"math/rand/v2"
	"slices"
)

// floored gives each arm of another policy a least probability, in one of four ways.
type floored struct {
	player

	kind string
	f    float64
}

func (o *floored) chances(t int) []float64 { return over(o.kind, o.f, o.player.chances(t)) }

func (o *floored) choose(t int, r *rand.Rand) int { return pick(r, o.chances(t)) }

// over is what a floor makes of probabilities.
func over(kind string, f float64, pi []float64) []float64 {
	p, k := slices.Clone(pi), float64(len(pi))
	switch kind {
	case "mix":
		for i := range p {
			p[i] = f + (1-k*f)*p[i]
		}
	case "clip":
		sum := 0.0
		for i := range p {
			p[i] = max(p[i], f)
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
	case "water":
		lo, hi := 0.0, 1.0 // the level that is taken off, by halving
		for range 60 {
			if mid := (lo + hi) / 2; above(pi, mid, f) > 1 {
				lo = mid
			} else {
				hi = mid
			}
		}
		for i := range p {
			p[i] = max(pi[i]-hi, f)
		}
	case "rest":
		best, rest := slices.Index(pi, slices.Max(pi)), 1.0
		for i := range p {
			if i != best {
				p[i] = max(p[i], f)
				rest -= p[i]
			}
		}
		p[best] = math.Max(0, rest)
	}
	return p
}

func above(pi []float64, level, f float64) float64 {
	sum := 0.0
	for _, v := range pi {
		sum += max(v-level, f)
	}
	return sum
}
