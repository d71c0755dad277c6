package counter

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strconv"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

var (
	_ Counter       = (*tree)(nil)
	_ ledger.Coster = (*tree)(nil)
)

// tree is the k-ary tree with subtraction of Andersson, Pagh, Steiner and
// Torkamani (Count on your elders: Laplace vs Gaussian noise, FORC 2025,
// arXiv:2408.07021), for streams of known length; the form here is an own
// derivation, internally reviewed.
//
// k is odd and m = (k−1)/2. The tree has h levels; a node of level j holds k^j
// consecutive rows that begin after a multiple of k^j, and carries one Laplace
// variable of scale h/ε, drawn once. With the digits
//
//	t = Σ_{j<h} d_j·k^j,   |d_j| ≤ m,   for t ≤ (k^h−1)/2
//
// and p_j = Σ_{i≥j} d_i·k^i, the multiple of k^j nearest to t, the sum of t rows
// is made of |d_j| nodes on every level, next to one another between p_{j+1}
// and p_j, added where d_j > 0 and taken away where d_j < 0. What is released
// is the exact sum plus the noise of these nodes with their signs:
//
//	noise     Σ_j |d_j| × Lap(h/ε)
//	variance  2(h/ε)²·Σ_j |d_j|
//
// A node that is taken away may hold rows that have not arrived: the node and
// its counterpart on a level above both hold them, so that they cancel. Its
// noise is drawn ahead, and rows that arrive later enter it (see Cost and Rho).
//
// The noise of a node is drawn from the arm's stream when row t arrives for the
// first t whose sum uses the node; of several nodes level 0 comes first, then
// level 1, and so on, and within a level the node with the earlier rows. So at
// row t, for j = 0, 1, …:
//
//	d_j of row t−1 is below 0     the sum uses a node less; no draw, end
//	it is 0 … m−1                 one draw, end
//	it is m                       m draws, the nodes before p_{j+1}; go on with j+1
//
// The middle one of the k children of a node is never used. A stream remembers
// h digits and sums and, below the top level, the noise of the m nodes before
// p_{j+1}: fewer than h·(m+2) numbers.
type tree struct {
	lattice
	epsilon *big.Rat
	horizon int64 // the most rows of a stream
	k, m    int64 // children of a node, odd; (k−1)/2
	h       int   // levels
	node    discreteLaplace
}

func newTree(s Spec) (Counter, error) {
	l, faults := newLattice(s)
	c := &tree{lattice: l, horizon: s.Horizon}
	c.fresh = c.stream
	if fault := needHorizon(s, &l); fault != nil {
		faults = append(faults, fault)
		c.horizon = 1
	}
	c.k, c.h = degree(c.horizon)
	faults = append(faults, noExponent(s))
	if fault := needEpsilon(s); fault != nil {
		faults = append(faults, fault)
	} else {
		faults = append(faults, c.fill(s.Epsilon))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return c, nil
}

// fill derives what follows from k, h and ε.
func (c *tree) fill(epsilon *big.Rat) (err error) {
	c.m = (c.k - 1) / 2
	c.epsilon = new(big.Rat).Set(epsilon)
	c.node, err = c.lawOf(c.share(), c.epsilon, "a tree of "+strconv.Itoa(c.h)+" levels")
	return err
}

// share returns what one node may spend: ε/h.
func (c *tree) share() *big.Rat {
	return new(big.Rat).Quo(c.epsilon, new(big.Rat).SetInt64(int64(c.h)))
}

// Name returns "tree".
func (*tree) Name() string { return "tree" }

// weight returns Σ_j |d_j| of n.
func (c *tree) weight(n int64) int64 {
	var sum int64
	for ; n > 0; n = (n + c.m) / c.k {
		sum += c.distance(n)
	}
	return sum
}

// distance returns how far n ≥ 0 is from the nearest multiple of k: |d_0|.
func (c *tree) distance(n int64) int64 {
	r := n % c.k
	return min(r, c.k-r)
}

// Noise returns Σ_j |d_j| × h/ε.
//
// Special cases are:
//
//	n < 1 or n above the horizon gives nil
func (c *tree) Noise(n int64) []Noise {
	if n < 1 || n > c.horizon {
		return nil
	}
	scale, _ := c.scale(c.share()).Float64()
	return []Noise{{Scale: scale, Count: int(c.weight(n))}}
}

// Shape returns Σ_j |d_j|, which decides the noise.
//
// Special cases are:
//
//	n < 1 or n above the horizon gives 0
func (c *tree) Shape(n int64) int {
	if n < 1 || n > c.horizon {
		return 0
	}
	return int(c.weight(n))
}

// Shapes returns h·m + 1.
func (c *tree) Shapes() int { return c.h*int(c.m) + 1 }

func (c *tree) stream(src rand.Source) stream {
	return &treeStream{counter: c, src: src, levels: make([]treeLevel, c.h), before: make([]int64, int64(c.h-1)*c.m)}
}

// treeStream is one stream of one arm.
type treeStream struct {
	counter   *tree
	src       rand.Source
	rows, sum int64 // sum is exact, in units of the grid; it never leaves the stream
	noise     int64 // of what was released last
	levels    []treeLevel
	before    []int64 // at m·j, of every level but the top: the noise of the m nodes before p_{j+1}, in the order of their rows
}

// treeLevel is d_j and the noise of the |d_j| nodes, with their signs.
type treeLevel struct{ digit, noise int64 }

// add appends z and releases the noisy running sum.
func (s *treeStream) add(z int64) (sum, rows int64, err error) {
	if s.rows == s.counter.horizon {
		return 0, 0, beyond(s.counter.Name(), s.counter.horizon)
	}
	s.rows++
	s.sum += z
	j := 0
	for ; s.levels[j].digit == s.counter.m; j++ {
		if err := s.turn(j); err != nil {
			return 0, 0, err
		}
	}
	if err := s.step(j); err != nil {
		return 0, 0, err
	}
	return s.sum + s.noise, s.rows, nil
}

// turn takes d_j from m to −m: p_{j+1} has moved to the next multiple.
func (s *treeStream) turn(j int) error {
	var sum int64
	nodes := s.before[int64(j)*s.counter.m : int64(j+1)*s.counter.m]
	for i := range nodes {
		x, err := s.counter.node.draw(s.src)
		if err != nil {
			return err
		}
		nodes[i] = x
		sum += x
	}
	l := &s.levels[j]
	s.noise -= l.noise + sum
	*l = treeLevel{digit: -s.counter.m, noise: -sum}
	return nil
}

// step adds 1 to d_j < m.
func (s *treeStream) step(j int) error {
	l := &s.levels[j]
	var x int64
	if l.digit < 0 {
		x = s.before[int64(j+1)*s.counter.m+l.digit] // the first of those taken away
	} else {
		var err error
		if x, err = s.counter.node.draw(s.src); err != nil {
			return err
		}
	}
	l.digit++
	l.noise += x
	s.noise += x
	return nil
}

// Costs counts nodes.
func (c *tree) Costs(size int64) func(n int64) float64 {
	up := multiples(c.loss(), ledger.Loss{}, c.h)
	return func(n int64) float64 { return up[c.nodes(n, size)] }
}

// Capacity returns the horizon.
func (c *tree) Capacity() int64 { return c.horizon }

func describeTree() Descriptor {
	return Descriptor{
		Counter: param.Counter{Name: "tree", Doc: "k-ary tree with signed digits, k chosen for the horizon", Noise: true, Horizon: param.HorizonNeeded},
		New:     newTree, Renews: true,
	}
}

// Recover returns a Recovery. With j the lowest digit of n that is not 0, the
// sum of n rows has, if d_j > 0, one node of level j more than the sum of n − k^j rows. If
// d_j < 0, the sum of n + k^j rows, which comes later, has one node less taken away: the
// draw is known when it has come.
func (c *tree) Recover() Recovery {
	scale := nearest(c.scale(c.share()))
	return newForest(c.horizon, func(n int64) edge {
		e := edge{scale: scale}
		width, u := int64(1), n
		for ; u%c.k == 0; u /= c.k {
			width *= c.k
			e.level++
		}
		digit := u % c.k
		if digit > c.m {
			digit -= c.k
		}
		above := n - digit*width // p_{j+1}
		e.last = above + (width*c.k-1)/2
		if digit > 0 {
			e.parent, e.row = n-width, n-(width-1)/2
		} else {
			e.parent, e.row = n+width, above-(width*c.k-1)/2
		}
		return e
	})
}
