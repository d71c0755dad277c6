package counter

import (
	"cmp"
	"slices"
	"strconv"

	"banditaudit/replay/ledger"
)

// Epsilon returns ε·bound/sensitivity. Row 1 attains it in every stream of at
// least (k^{h−1}+1)/2 rows; rows under a middle child never do.
func (c *tree) Epsilon() ledger.Loss { return ledger.NewLoss(c.spent(c.epsilon)) }

// Rho returns ρ(ε) where the tree has one level, and otherwise ε·tanh(ε/2), as
// of every mechanism with its ε. The sum h·ρ(ε/h) over the nodes of a row is
// too small: the noise of a node that is taken away is drawn before its later
// rows arrive, and what was released of it by then says how much the node will
// give away. Whoever routes rows by it, as a policy may, has them enter the arm
// whose node gives away most (own derivation, internally reviewed).
func (c *tree) Rho() float64 {
	if c.h == 1 {
		return c.rho(c.epsilon)
	}
	return ledger.PureRho(c.Epsilon().Up())
}

// loss returns the loss of one node.
func (c *tree) loss() ledger.Loss { return ledger.NewLoss(c.spent(c.share())) }

// Cost returns the pathwise cost of row n of a stream of size rows: ε/h times
// the number of nodes that hold row n and are used by any sum of t ≤ size rows,
// also by one from before row n. With k = 5, node (0, 5] and the leaves 4 and 5
// are used at t = 3. If row 4 changes by 1, the same release at t = 3 and
// releases at t = 4 and 5 that differ by 1 take a change of 1 in the noise of
// two of them, so row 4 costs 2ε/h, not nothing.
//
// Child i = 0…k−1 of a node, on level j with width w = k^j and rows (s, s+w],
// is first used
//
//	i < m   at t = s + w − (w−1)/2, when it is added after the node's begin
//	i = m   never
//	i > m   at the middle of the node above, when it is taken away before its end
//
// (own derivation, internally reviewed). Nothing is released of rows above the
// horizon.
//
// Special cases are:
//
//	n < 1, n > size or n above the horizon costs 0
//	size above the horizon costs what the horizon does
func (c *tree) Cost(n, size int64) ledger.Loss { return c.loss().Times(c.nodes(n, size)) }

// nodes returns the number of nodes that Cost counts.
func (c *tree) nodes(n, size int64) int64 {
	size = min(size, c.horizon)
	if n < 1 || n > size {
		return 0
	}
	var nodes int64
	width := int64(1)
	for range c.h {
		child := (n - 1) / width
		parent := child / c.k * c.k * width // the rows before the node above
		switch i := child % c.k; {
		case i < c.m && size >= (child+1)*width-(width-1)/2, i > c.m && size-parent > c.k*width/2:
			nodes++
		}
		width *= c.k
	}
	return nodes
}

// Levels returns the histogram of Cost(n, size) in O(h²) steps. From the top,
// size cuts one node on each level. The children before the cut are complete:
// all of their nodes are used but the middle ones, so C(j, i)·(k−1)^i of the
// k^j rows of one of level j lie in i nodes below it (own derivation,
// internally reviewed).
//
// Special cases are:
//
//	size < 1 gives nil
func (c *tree) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	rest := min(size, c.horizon)
	rows := make([]int64, c.h+1) // by number of nodes
	rows[0] = size - rest
	complete := func(level, above int, times int64) {
		for i := range level + 1 {
			rows[above+i] += times * binomial(level, i)
			times *= c.k - 1
		}
	}
	above := 0 // used nodes that hold the cut
	for level := c.h - 1; level >= 0; level-- {
		width := power(c.k, level)
		cut := rest / width
		rest %= width
		if cut > c.m {
			complete(level, above, 1) // the middle child
			complete(level, above+1, cut-1)
		} else {
			complete(level, above+1, cut)
		}
		if cut > c.m || cut < c.m && rest > width/2 {
			above++
		}
	}
	return c.levels(rows)
}

// levels turns numbers of rows by numbers of nodes into levels.
func (c *tree) levels(rows []int64) []ledger.Level {
	levels := make([]ledger.Level, len(rows))
	for i, n := range rows {
		levels[i] = ledger.Level{Cost: c.loss().Times(int64(i)), Rows: n}
	}
	return ledger.Merge(levels)
}

// power returns k^j.
func power(k int64, j int) int64 {
	p := int64(1)
	for range j {
		p *= k
	}
	return p
}

// Releases returns the nodes that are used by the sums of a stream.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *tree) Releases(size int64) []ledger.Release {
	if size < 1 {
		return nil
	}
	var nodes int64
	width := int64(1)
	for range c.h {
		u := (min(size, c.horizon) + (width-1)/2) / width // p_j/k^j
		turns := (u + c.m) / c.k
		nodes += turns*(c.k-1) + max(u-turns*c.k, 0)
		width *= c.k
	}
	name := "node of a " + strconv.FormatInt(c.k, 10) + "-ary tree of " + strconv.Itoa(c.h) + " levels"
	return []ledger.Release{{Name: name, Scale: c.scale(c.share()), Sensitivity: nearest(c.bound), Count: nodes, Epsilon: c.loss()}}
}

// Nodes returns the nodes that sums of up to size rows use, of the unit ε/h, some of them
// before their last row is there. See Cost for when a child is first used.
func (c *tree) Nodes(size int64) (ledger.Nodes, bool) {
	out := ledger.Nodes{Unit: c.loss(), Steps: c.limit, Ahead: true}
	size = min(size, c.horizon)
	width := int64(1)
	for range c.h {
		for child := int64(0); child*width < c.horizon && child/c.k*c.k*width < size; child++ {
			parent := child / c.k * c.k * width
			used := (child+1)*width - (width-1)/2
			switch i := child % c.k; {
			case i == c.m:
				continue
			case i > c.m:
				used = parent + c.k*width/2 + 1
			}
			if used > size {
				continue
			}
			out.List = append(out.List, ledger.Node{Before: child * width, Last: (child + 1) * width, Used: used, Loss: 1})
		}
		width *= c.k
	}
	slices.SortStableFunc(out.List, func(a, b ledger.Node) int { return cmp.Compare(a.Used, b.Used) })
	return out, true
}
