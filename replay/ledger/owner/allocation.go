package owner

import "slices"

// allocation bounds what the m dearest rows of all streams cost together. For every θ ≥ 0
// and every split n_1 + … + n_K = T that is at most θ·m + Σ_i H_θ(n_i), hence at most
//
//	min_θ { θ·m + max over splits of Σ_i H_θ(n_i) },
//
// θ among 0 and the costs of a stream of T rows: any set of θ is valid. It is convex in
// θ, which bisection uses.
type allocation[V number] struct {
	theta []V
	inner func(theta V) V // the maximum over splits, added over strata

	found []V // by θ, where known
	known []bool
}

func newAllocation[V number](theta []V, inner func(theta V) V) *allocation[V] {
	return &allocation[V]{theta: theta, inner: inner, found: make([]V, len(theta)), known: make([]bool, len(theta))}
}

// atMost is the bound for m rows, and the θ that gives it.
func (a *allocation[V]) atMost(m int64) (bound, theta V) {
	lo, hi := 0, len(a.theta)-1
	for lo < hi {
		if mid := (lo + hi) / 2; a.at(mid, m) <= a.at(mid+1, m) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return a.at(lo, m), a.theta[lo]
}

func (a *allocation[V]) at(i int, m int64) V {
	if !a.known[i] {
		a.known[i], a.found[i] = true, a.inner(a.theta[i])
	}
	return a.found[i] + V(V(m)*a.theta[i]) //nolint:unconvert // a product in its own type is not fused with the sum on arm64
}

// splits finds the largest Σ_i H(n_i) by max-plus convolution.
type splits struct {
	arms  int     // K; 0: any number
	least int64   // rows that every stream has, 0 or 1
	sizes []int64 // T of each stratum
}

// convolutions bounds the steps of one maximum over splits of K streams. Beyond, streams
// may be as many as one likes.
const convolutions = 2e8

// scarce reports whether there may be any number of streams.
func (p *splits) scarce(size int64) bool {
	if p.arms == 0 || int64(p.arms) >= size && p.least == 0 {
		return true
	}
	rounds := 0
	for k := p.arms; k > 1; k /= 2 {
		rounds += 1 + k&1
	}
	return float64(float64(size)*float64(size))*float64(rounds) > convolutions
}

// most is the largest Σ H(n_i), added over strata, of H(0) … H(T).
func most[V number](p *splits, h []V) V {
	size := int64(len(h) - 1)
	var all []V
	switch {
	case p.scarce(size):
		all = partition(h)
	case len(p.sizes) == 1:
		return split(p, h, p.arms, true)[size]
	default:
		all = split(p, h, p.arms, false)
	}
	var sum V
	for _, t := range p.sizes {
		sum += all[t]
	}
	return sum
}

// never stands for a split that there is not.
const never = -1 << 60

// split returns the largest Σ_{i≤k} H(n_i) with Σ n_i = s, for s = 0 … T; with last, that
// of T alone is right.
func split[V number](p *splits, h []V, k int, last bool) []V {
	if k == 1 {
		if p.least == 0 {
			return h
		}
		out := slices.Clone(h)
		out[0] = never
		return out
	}
	half := split(p, h, k/2, false)
	rest := half
	if k&1 == 1 {
		rest = convolve(half, split(p, h, 1, false), false)
	}
	return convolve(half, rest, last)
}

// convolve returns max_j x_j + y_{s−j}.
func convolve[V number](x, y []V, last bool) []V {
	out, back := make([]V, len(x)), slices.Clone(y)
	slices.Reverse(back)
	from := 0
	if last {
		from = len(x) - 1
	}
	for s := from; s < len(x); s++ {
		end := s + 1
		if &x[0] == &y[0] {
			end = s/2 + 1 // the other half is the same
		}
		out[s] = best(x[:end], back[len(x)-1-s:])
	}
	return out
}

// best returns max_j x_j + y_j.
func best[V number](x, y []V) V {
	a, b := V(never), V(never)
	for y = y[:len(x)]; len(x) > 1 && len(y) > 1; x, y = x[2:], y[2:] {
		a, b = max(a, x[0]+y[0]), max(b, x[1]+y[1])
	}
	if len(x) == 1 {
		a = max(a, x[0]+y[0])
	}
	return max(a, b)
}

// partition returns the largest Σ H(n_i) with Σ n_i = s over any number of streams.
func partition[V number](h []V) []V {
	out := make([]V, len(h))
	for s := 1; s < len(h); s++ {
		best := h[s]
		for j := 1; j < s; j++ {
			best = max(best, h[j]+out[s-j])
		}
		out[s] = best
	}
	return out
}

// attained returns the rows of each stream in a split that attains the maximum; nil where
// streams may be any number, or strata several.
func attained[V number](p *splits, h []V) []int64 {
	size := int64(len(h) - 1)
	if len(p.sizes) != 1 || p.scarce(size) {
		return nil
	}
	var out []int64
	var down func(k int, s int64)
	down = func(k int, s int64) {
		if k == 1 {
			out = append(out, s)
			return
		}
		x, y := split(p, h, k/2, false), split(p, h, k-k/2, false)
		at := int64(0)
		for j := range s + 1 {
			if x[j]+y[s-j] > x[at]+y[s-at] {
				at = j
			}
		}
		down(k/2, at)
		down(k-k/2, s-at)
	}
	down(p.arms, size)
	return out
}
