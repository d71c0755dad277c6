package owner

import (
	"math"
	"slices"

	"banditaudit/replay/ledger"
)

// number is a cost: a whole multiple of a unit, or ρ.
type number interface{ ~int64 | ~float64 }

// piece is a node with what each of its rows pays for it.
type piece[V number] struct {
	before, last, used int64
	pays               V
}

// profile is what rows of one stream cost, by its length: c(n, s) never falls with s.
type profile[V number] struct {
	size   int64 // the longest stream, T
	pieces []piece[V]
	early  []V // by row: what it pays as it arrives for nodes that were used before; nil: nothing
}

func newProfile[V number](size int64, pieces []piece[V]) *profile[V] {
	p := &profile[V]{size: size, pieces: pieces}
	for _, v := range pieces {
		for n := max(v.used, v.before) + 1; n <= min(v.last, size); n++ {
			if p.early == nil {
				p.early = make([]V, size+1)
			}
			p.early[n] += v.pays
		}
	}
	return p
}

// walk lets a stream grow to size rows. It calls row when row n, whose cost goes from
// one number to a larger one, changes at length s, and full when length s is reached.
func (p *profile[V]) walk(size int64, row func(n, s int64, from, to V), full func(s int64)) []V {
	cost := make([]V, size+1)
	at := 0
	for s := int64(1); s <= size; s++ {
		if s < int64(len(p.early)) && p.early[s] > 0 {
			cost[s] = p.early[s]
			if row != nil {
				row(s, s, 0, cost[s])
			}
		}
		for ; at < len(p.pieces) && p.pieces[at].used <= s; at++ {
			v := &p.pieces[at]
			for n := v.before + 1; n <= min(v.last, s); n++ {
				from := cost[n]
				cost[n] = from + v.pays
				if row != nil {
					row(n, s, from, cost[n])
				}
			}
		}
		if full != nil {
			full(s)
		}
	}
	return cost
}

// costs returns c(n, size) of every row n, from 1.
func (p *profile[V]) costs(size int64) []V { return p.walk(min(size, p.size), nil, nil) }

// excess returns H_θ(s) = Σ_{n≤s} (c(n,s) − θ)₊ for s = 0 … T.
func (p *profile[V]) excess(theta V) []V {
	out := make([]V, p.size+1)
	var sum V
	p.walk(p.size, func(_, _ int64, from, to V) {
		if to > theta {
			sum += to - max(from, theta)
		}
	}, func(s int64) { out[s] = sum })
	return out
}

// later returns g(r) = max_n c(n, n+r), r = 0 … T−1: the most that a row costs by the r
// rounds after it.
func (p *profile[V]) later() []V {
	out := make([]V, p.size)
	p.walk(p.size, func(n, s int64, _, to V) { out[s-n] = max(out[s-n], to) }, nil)
	for r := 1; r < len(out); r++ {
		out[r] = max(out[r], out[r-1])
	}
	return out
}

// manyThetas bounds the multipliers that are tried.
const manyThetas = 64

// thetas are the multipliers that are tried: 0 and the costs of the longest stream,
// ascending; of very many some, the largest among them.
func (p *profile[V]) thetas() []V {
	all := append(p.costs(p.size), 0)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) <= manyThetas {
		return all
	}
	out := make([]V, manyThetas)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(manyThetas-1)]
	}
	return out
}

// ofNodes are the costs of a stream's rows in units of its nodes; false where the sum of
// size costs would not fit a number.
func ofNodes(nodes *ledger.Nodes, size int64) (*profile[int64], bool) {
	var all int64
	out := make([]piece[int64], len(nodes.List))
	for i, v := range nodes.List {
		out[i] = piece[int64]{v.Before, v.Last, v.Used, v.Loss}
		if all += v.Loss; all < 0 {
			return nil, false // no row pays for more than all nodes
		}
	}
	p := newProfile(size, out)
	return p, slices.Max(p.costs(size)) < math.MaxInt64/8/max(size, 1)
}

// charges are the pieces of ρ for somebody with m rows: node v of κ = min(m, rows of v)
// of them has ρ of κ·ε_v, which is spread evenly over these (ρ is convex in ε).
func charges(nodes *ledger.Nodes, m int64) []piece[float64] {
	out := make([]piece[float64], len(nodes.List))
	for i, v := range nodes.List {
		loss := nodes.Unit.Times(v.Loss).Up()
		k := float64(min(m, v.Last-v.Before))
		rho := ledger.LaplaceRho(float64(k*loss), loss/float64(max(nodes.Steps, 1)))
		out[i] = piece[float64]{v.Before, v.Last, v.Used, float64(rho/k) * (1 + 1e-15)}
	}
	return out
}
