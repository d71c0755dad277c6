package counter

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"sync"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

var (
	_ Counter       = (*hybrid)(nil)
	_ ledger.Coster = (*hybrid)(nil)
)

// hybrid is the hybrid mechanism of Chan, Shi and Song (Private and continual
// release of statistics, TISSEC 2011), for streams of unknown length.
//
// Half of ε goes to a logarithmic mechanism, which releases the sum at
// t = 1, 2, 4, 8, …: rows (2^{k−1}, 2^k] enter one node of scale 2/ε. The other
// half goes to a fresh binary tree on each segment: rows 2^k+1 … 2^{k+1}−1
// enter a tree of k levels whose nodes have scale 2k/ε. With k = ⌊log2 t⌋ and
// r = t−2^k the sum released at t has
//
//	(k+1) × Lap(2/ε)  and  popcount(r) × Lap(2k/ε)
//	variance (8/ε²)·[(k+1) + k²·popcount(r)]
//
// Every row makes exactly one new node, whose noise is drawn once, when the
// row arrives: the logarithmic node when t is a power of two, otherwise the
// tree node of level i that ends at r, where 2^i is the largest power of two
// that divides r. So row t of an arm takes the t-th draw of the arm's stream.
type hybrid struct {
	lattice
	epsilon *big.Rat
	levels  int               // segments 2^0 … 2^levels can be counted
	laws    []discreteLaplace // laws[0] of logarithmic nodes; laws[k] of nodes in segment 2^k
	scales  []float64         // of a logarithmic node (0) and of tree nodes of segment 2^k, as floats
	prices  func() prices
}

// maxSegment bounds k: a stream has fewer than 2^40 rows, and with grid 2^-m
// fewer than 2^(60−m), so that a sum of rewards stays below 2^60 and at most
// 80 noises below 2^54 stay below 2^61.
const maxSegment = 39

func newHybrid(s Spec) (Counter, error) {
	l, faults := newLattice(s)
	h := &hybrid{lattice: l, levels: min(maxSegment, bits.Len64(uint64(l.maxRows))-2)} //nolint:gosec // maxRows is positive
	if fault := needEpsilon(s); fault != nil {
		return nil, errors.Join(append(faults, fault)...)
	}
	h.epsilon = new(big.Rat).Set(s.Epsilon)
	if err := errors.Join(append(faults, h.fill(), noExponent(s))...); err != nil {
		return nil, err
	}
	h.prices = sync.OnceValue(h.price)
	return h, nil
}

// prices are the costs of a row by its segment 2^k and the tree nodes that hold it:
// of these alone (0), and beside a logarithmic node (1).
type prices [2][][]float64

func (h *hybrid) price() (up prices) {
	lg := h.node(0)
	for k := range h.levels + 1 {
		up[0] = append(up[0], multiples(h.node(k), ledger.Loss{}, k))
		up[1] = append(up[1], multiples(h.node(k), lg, k))
	}
	return up
}

// fill makes h.laws, and refuses an ε whose literal would overflow the sampler.
func (h *hybrid) fill() error {
	for k := range h.levels + 1 {
		law, err := h.lawOf(h.share(k), h.epsilon, "segment 2^"+strconv.Itoa(k))
		if err != nil {
			return err
		}
		h.laws = append(h.laws, law)
		h.scales = append(h.scales, nearest(h.scale(h.share(k))))
	}
	return nil
}

// share returns the part of ε that a logarithmic node (k = 0) or a tree node of
// segment 2^k may spend: ε/2 or ε/(2k).
func (h *hybrid) share(k int) *big.Rat {
	return new(big.Rat).Quo(h.epsilon, new(big.Rat).SetInt64(2*int64(max(k, 1))))
}

// node returns the loss of one release.
func (h *hybrid) node(k int) ledger.Loss { return ledger.NewLoss(h.spent(h.share(k))) }

// Name returns "hybrid".
func (*hybrid) Name() string { return "hybrid" }

// Epsilon returns ε·bound/sensitivity, which row 3 of a stream of 4 attains.
func (h *hybrid) Epsilon() ledger.Loss { return ledger.NewLoss(h.spent(h.epsilon)) }

// Noise returns (k+1) × 2/ε and popcount(r) × 2k/ε.
//
// Special cases are:
//
//	n < 1 gives nil
//	n a power of two gives the logarithmic noise only
func (h *hybrid) Noise(n int64) []Noise {
	if n < 1 {
		return nil
	}
	k, r := segment(n)
	lg, _ := h.scale(h.share(0)).Float64()
	noise := []Noise{{Scale: lg, Count: k + 1}}
	if r > 0 {
		tree, _ := h.scale(h.share(k)).Float64()
		noise = append(noise, Noise{Scale: tree, Count: bits.OnesCount64(uint64(r))})
	}
	return noise
}

// Shape returns 64·k + popcount(r), which decides the noise.
func (*hybrid) Shape(n int64) int {
	k, r := segment(n)
	return 64*k + bits.OnesCount64(uint64(r)) //nolint:gosec // r is never negative
}

// Shapes returns 4096.
func (*hybrid) Shapes() int { return 64 * 64 }

// segment returns k = ⌊log2 n⌋ and r = n − 2^k for n ≥ 1.
func segment(n int64) (k int, r int64) {
	k = bits.Len64(uint64(n)) - 1 //nolint:gosec // n is positive
	return k, n - int64(1)<<k
}

// Bank returns one stream per source.
func (h *hybrid) Bank(src []rand.Source) Bank {
	b := &hybridBank{lattice: &h.lattice, arms: make([]hybridStream, len(src))}
	for i, s := range src {
		b.arms[i] = hybridStream{hybrid: h, src: s}
	}
	return b
}

// VectorBank returns d streams per source.
func (h *hybrid) VectorBank(src []rand.Source, d int) VectorBank {
	return newLatticeVectors(&h.lattice, src, d, func(s rand.Source) stream { return &hybridStream{hybrid: h, src: s} })
}

// Costs counts tree nodes, of each segment alone and beside a logarithmic node.
func (h *hybrid) Costs(size int64) func(n int64) float64 {
	up := h.prices()
	return func(n int64) float64 {
		if n < 1 || n > size {
			return 0
		}
		shared := 0
		if end := bits.Len64(uint64(n - 1)); end < 63 && int64(1)<<end <= size {
			shared = 1
		}
		k, r := segment(n)
		if r == 0 {
			return up[shared][k][0]
		}
		return up[shared][k][treeNodes(r, segmentRows(k, size), k)]
	}
}

// Capacity returns the rows of all segments, 2^{levels+1} − 1.
func (h *hybrid) Capacity() int64 { return int64(1)<<(h.levels+1) - 1 }

func describeHybrid() Descriptor {
	return Descriptor{
		Counter: param.Counter{Name: "hybrid", Doc: "without a horizon: half of ε for sums at powers of two, half for a binary tree between two of them", Noise: true, Horizon: param.HorizonAllowed},
		New:     newHybrid, Renews: true,
	}
}

// hybridStream is one arm's stream.
type hybridStream struct {
	hybrid    *hybrid
	src       rand.Source
	rows, sum int64    // sum is exact, in units of the grid; it never leaves the stream
	nodes     prefixes // of the current segment's tree, on the logarithmic mechanism
}

// add appends z and releases the noisy running sum.
func (s *hybridStream) add(z int64) (sum, rows int64, err error) {
	s.rows++
	s.sum += z
	k, r := segment(s.rows)
	if k > s.hybrid.levels {
		return 0, 0, s.hybrid.full(s.hybrid.Name(), s.rows-1)
	}
	law := 0
	if r > 0 {
		law = k
	}
	noise, err := s.hybrid.laws[law].draw(s.src)
	if err != nil {
		return 0, 0, err
	}
	if r > 0 {
		return s.nodes.node(r, s.sum, noise), s.rows, nil
	}
	return s.nodes.stand(s.sum, noise), s.rows, nil
}

// hybridBank holds its streams side by side, because this is the counter that
// is run most.
type hybridBank struct {
	*lattice
	arms []hybridStream
}

// Add rounds y to the grid, appends it and returns the noisy running sum.
func (b *hybridBank) Add(arm int, y float64) (float64, int64, error) {
	z, err := b.units(arm, y)
	if err != nil {
		return 0, 0, err
	}
	sum, rows, err := b.arms[arm].add(z)
	if err != nil {
		return 0, 0, fmt.Errorf("arm %d: %w", arm, err)
	}
	return float64(float64(sum) * b.step), rows, nil
}

// Recover returns a Recovery: the sum of n = 2^k + r rows has one node more than
// the sum of 2^k and r rows with the lowest 1 of r cleared, and the sum of 2^k rows has one
// logarithmic node more than the sum of 2^{k−1}.
func (h *hybrid) Recover() Recovery {
	scales := h.scales // made once: a log can have thousands of streams
	most := int64(1)<<(h.levels+1) - 1
	return newForest(most, func(n int64) edge {
		k, r := segment(n)
		if r == 0 {
			return edge{parent: n / 2, level: -1, scale: scales[0], row: n, last: most}
		}
		low := r & -r
		return edge{parent: n - low, level: bits.TrailingZeros64(uint64(low)), scale: scales[k], row: n, last: n + low - 1} //nolint:gosec // low is positive
	})
}
