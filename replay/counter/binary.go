package counter

import (
	"errors"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

var (
	_ Counter       = (*binaryTree)(nil)
	_ ledger.Coster = (*binaryTree)(nil)
)

// binaryTree is the binary mechanism of Chan, Shi and Song (Private and continual
// release of statistics, TISSEC 2011, algorithm 2), for streams of known
// length. With the horizon T the tree has
//
//	L = ⌊log2 T⌋ + 1
//
// levels. A node of level j < L holds the 2^j rows after an even multiple of
// 2^j, up to the odd one that follows, and carries one Laplace variable of scale L/ε. The sum
// of t rows is made of one node for each binary digit 1 of t, the widest first:
//
//	popcount(t) × Lap(L/ε)
//	variance 2(L/ε)²·popcount(t)
//
// for sensitivity 1. A row lies in at most one node of each level, so that it
// costs at most L·ε/L = ε. (The paper's scale log2(T)/ε is short of that by a
// level for row 1 of a stream that reaches 2^{L−1}.)
//
// Every row completes exactly one node, of the level of the lowest 1 of t,
// whose noise is drawn then, once: row t takes the t-th draw of the stream.
type binaryTree struct {
	lattice
	epsilon *big.Rat
	horizon int64 // T
	levels  int   // L
	noise   discreteLaplace
}

func newBinary(s Spec) (Counter, error) {
	l, faults := newLattice(s)
	c := &binaryTree{lattice: l, horizon: s.Horizon, levels: bits.Len64(uint64(max(s.Horizon, 1)))}
	c.fresh = c.stream
	faults = append(faults, needHorizon(s, &l), noExponent(s))
	if fault := needEpsilon(s); fault != nil {
		faults = append(faults, fault)
	} else {
		c.epsilon = new(big.Rat).Set(s.Epsilon)
		law, err := c.lawOf(c.share(), c.epsilon, "a tree of "+strconv.Itoa(c.levels)+" levels")
		c.noise = law
		faults = append(faults, err)
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return c, nil
}

// share returns what one node may spend: ε/L.
func (c *binaryTree) share() *big.Rat {
	return new(big.Rat).Quo(c.epsilon, new(big.Rat).SetInt64(int64(c.levels)))
}

// node returns the loss of one node.
func (c *binaryTree) node() ledger.Loss { return ledger.NewLoss(c.spent(c.share())) }

// Name returns "binary".
func (*binaryTree) Name() string { return "binary" }

// Epsilon returns ε·bound/sensitivity, which row 1 attains in every stream of
// at least 2^{L−1} rows.
func (c *binaryTree) Epsilon() ledger.Loss { return ledger.NewLoss(c.spent(c.epsilon)) }

// Rho returns L·ρ(ε/L).
func (c *binaryTree) Rho() float64 { return float64(float64(c.levels) * c.rho(c.share())) }

// Cost returns ε/L times the number of nodes that hold row n in a stream of
// size rows: of level j it is the one that ends at c·2^j, c = ⌈n/2^j⌉, if c is
// odd and the stream got there.
//
// Special cases are:
//
//	n < 1, n > size or n above the horizon costs 0
//	size above the horizon costs what the horizon does
func (c *binaryTree) Cost(n, size int64) ledger.Loss {
	size = min(size, c.horizon)
	if n < 1 || n > size {
		return ledger.Loss{}
	}
	return c.node().Times(treeNodes(n, size, c.levels))
}

// Levels returns the histogram of Cost(n, size) in O(L²) steps: the rows fall
// into dyadic blocks, one for each digit h of size, and C(h, j) rows of the
// block of 2^h lie in 1+h−j nodes.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *binaryTree) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	held := min(size, c.horizon)
	levels := []ledger.Level{{Rows: size - held}}
	for nodes, rows := range segmentLevels(c.levels, held) {
		levels = append(levels, ledger.Level{Cost: c.node().Times(int64(nodes)), Rows: rows})
	}
	return ledger.Merge(levels)
}

// Releases returns one family: a node for each row.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *binaryTree) Releases(size int64) []ledger.Release {
	if size < 1 {
		return nil
	}
	name := "node of a binary tree of " + strconv.Itoa(c.levels) + " levels"
	return []ledger.Release{{Name: name, Scale: c.scale(c.share()), Sensitivity: nearest(c.bound), Count: min(size, c.horizon), Epsilon: c.node()}}
}

// Noise returns popcount(n) × L/ε.
//
// Special cases are:
//
//	n < 1 or n above the horizon gives nil
func (c *binaryTree) Noise(n int64) []Noise {
	if n < 1 || n > c.horizon {
		return nil
	}
	return []Noise{{Scale: nearest(c.scale(c.share())), Count: bits.OnesCount64(uint64(n))}}
}

// Shape returns popcount(n), which decides the noise.
//
// Special cases are:
//
//	n < 1 or n above the horizon gives 0
func (c *binaryTree) Shape(n int64) int {
	if n < 1 || n > c.horizon {
		return 0
	}
	return bits.OnesCount64(uint64(n))
}

// Shapes returns L + 1.
func (c *binaryTree) Shapes() int { return c.levels + 1 }

func (c *binaryTree) stream(src rand.Source) stream { return &binaryStream{counter: c, src: src} }

type binaryStream struct {
	counter   *binaryTree
	src       rand.Source
	rows, sum int64 // sum is exact, in units of the grid; it never leaves the stream
	nodes     prefixes
}

// add appends z and releases the noisy running sum.
func (s *binaryStream) add(z int64) (sum, rows int64, err error) {
	if s.rows == s.counter.horizon {
		return 0, 0, beyond(s.counter.Name(), s.counter.horizon)
	}
	s.rows++
	s.sum += z
	noise, err := s.counter.noise.draw(s.src)
	if err != nil {
		return 0, 0, err
	}
	return s.nodes.node(s.rows, s.sum, noise), s.rows, nil
}

// Costs counts nodes.
func (c *binaryTree) Costs(size int64) func(n int64) float64 {
	up := multiples(c.node(), ledger.Loss{}, c.levels)
	size = min(size, c.horizon)
	return func(n int64) float64 {
		if n < 1 || n > size {
			return 0
		}
		return up[treeNodes(n, size, c.levels)]
	}
}

// Capacity returns the horizon.
func (c *binaryTree) Capacity() int64 { return c.horizon }

func describeBinary() Descriptor {
	return Descriptor{
		Counter: param.Counter{Name: "binary", Doc: "binary tree of L = ⌊log2 T⌋+1 levels, each node with Lap(L/ε)", Noise: true, Horizon: param.HorizonNeeded},
		New:     newBinary, Renews: true,
	}
}

// Recover returns a Recovery: the sum of n rows has one node more than the sum of n rows
// with the lowest 1 of n cleared.
func (c *binaryTree) Recover() Recovery {
	scale := nearest(c.scale(c.share()))
	return newForest(c.horizon, func(n int64) edge {
		low := n & -n
		return edge{parent: n - low, level: bits.TrailingZeros64(uint64(low)), scale: scale, row: n, last: n + low - 1} //nolint:gosec // low is positive
	})
}

// Nodes returns one node for each row, of the unit ε/L: row n completes the node of
// the 2^j rows up to n, with 2^j the largest power of two that divides n.
func (c *binaryTree) Nodes(size int64) (ledger.Nodes, bool) {
	out := ledger.Nodes{Unit: c.node(), Steps: c.limit}
	for n := int64(1); n <= min(size, c.horizon); n++ {
		out.List = append(out.List, ledger.Node{Before: n - n&-n, Last: n, Used: n, Loss: 1})
	}
	return out, true
}
