package counter

import (
	"fmt"
	"math/big"
	"math/bits"
	"sort"

	"banditaudit/replay/ledger"
)

// loss returns what releases of weights w in all may spend of the declared
// sensitivity: sensitivity·2^m·w/2^E.
func (c *interval) loss(w int64) *big.Rat {
	unit := new(big.Rat).SetFrac(big.NewInt(w), new(big.Int).Lsh(big.NewInt(1), c.bits-c.m))
	return unit.Mul(unit, c.sensitivity)
}

// cost returns what they cost a row: bound·2^m·w/2^E.
func (c *interval) cost(w int64) ledger.Loss { return ledger.NewLoss(c.spent(c.loss(w))) }

// block returns the place of release k, 1 ≤ k ≤ max(1, ⌊T/f⌋), in c.blocks.
func (c *interval) block(k int64) int {
	return sort.Search(len(c.blocks), func(i int) bool { return c.blocks[i].last >= k })
}

// total returns Σ w of releases 1 … k, k ≥ 0.
func (c *interval) total(k int64) int64 {
	if k == 0 {
		return 0
	}
	b := c.blocks[c.block(k)]
	return b.total - (b.last-k)*b.w
}

// Epsilon returns Σ ε_N over N = f, 2f, … ≤ T, which the first f rows of a
// stream of T rows cost, exactly. It is 0 when f > T: nothing is then released.
func (c *interval) Epsilon() ledger.Loss { return c.cost(c.total(c.releases(c.horizon))) }

// Rho returns Σ ρ(ε_N) over N = f, 2f, … ≤ T, for the first f rows of a stream
// of T rows. It stays below ½·f^{−v}·ζ(v)·(bound/sensitivity)² however large T
// is, because v > 1 and a release has ρ ≤ ε_N²/2.
func (c *interval) Rho() float64 { return c.onceRho() }

// sumRho computes Rho, which takes as long as New: onceRho keeps it.
func (c *interval) sumRho() float64 {
	var sum float64
	before := int64(0)
	for _, b := range c.blocks[:min(int64(len(c.blocks)), c.releases(c.horizon))] {
		sum += float64(float64(b.last-before) * c.rho(c.loss(b.w)))
		before = b.last
	}
	return float64(sum * (1 + 1e-10)) // at most 2^19 terms, each with an error below 2^-52 of the sum
}

// Cost returns the pathwise cost of row n of a stream of size rows, which is in
// the releases from m = ⌈n/f⌉ to K = ⌊size/f⌋:
//
//	Σ_{k=m}^{K} ε_{kf}
//
// So that its histogram stays small, a stream with more than 2^12 releases is
// charged by groups of g, the smallest power of two for which K/g ≤ 2^12: a row
// costs what the first row of its group does, at most (g−1)·ε_N more than it
// has spent, with N the group's first release.
//
// Special cases are:
//
//	n < 1, n > size, n above the horizon or n after the last release costs 0
//	size above the horizon costs what the horizon does
func (c *interval) Cost(n, size int64) ledger.Loss {
	releases := c.releases(size)
	if n < 1 || n > releases*c.every {
		return ledger.Loss{}
	}
	m := (n - 1) / c.every
	return c.cost(c.total(releases) - c.total(m-m%group(releases)))
}

// group returns how many of a stream's releases share a cost.
func group(releases int64) int64 {
	return int64(1) << max(0, bits.Len64(uint64(max(releases, 1)-1))-intervalGroups)
}

// intervalGroups is the binary logarithm of the number of levels at most.
const intervalGroups = 12

// Levels returns the histogram of Cost(n, size), of at most 2^12 + 1 levels.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *interval) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	releases := c.releases(size)
	levels := []ledger.Level{{Rows: size - releases*c.every}}
	g := group(releases)
	for m := int64(0); m < releases; m += g {
		levels = append(levels, ledger.Level{
			Cost: c.cost(c.total(releases) - c.total(m)),
			Rows: (min(m+g, releases) - m) * c.every,
		})
	}
	return ledger.Merge(levels)
}

// Releases returns the releases of a stream of size rows in families of k from
// 2^j to 2^{j+1}−1, at most 40. Scale is the smallest scale in the family and
// Epsilon the largest loss: its first release has both.
//
// Special cases are:
//
//	size < 1 gives nil
func (c *interval) Releases(size int64) []ledger.Release {
	if size < 1 {
		return nil
	}
	var families []ledger.Release
	releases := c.releases(size)
	for k := int64(1); k <= releases; k *= 2 {
		last := min(2*k-1, releases)
		loss := c.loss(c.blocks[c.block(k)].w)
		families = append(families, ledger.Release{
			Name:  fmt.Sprintf("sum of %d to %d rows, as of %d", k*c.every, last*c.every, k*c.every),
			Scale: c.scale(loss), Sensitivity: nearest(c.bound), Count: last - k + 1, Epsilon: ledger.NewLoss(c.spent(loss)),
		})
	}
	return families
}

// Nodes returns the releases, each of all rows so far, of the unit of their weights. No
// rows are grouped, so that a row may cost less than Cost says.
func (c *interval) Nodes(size int64) (ledger.Nodes, bool) {
	out := ledger.Nodes{Unit: c.cost(1), Steps: c.limit, Groups: true}
	for k := int64(1); k <= c.releases(size); k++ {
		out.List = append(out.List, ledger.Node{Last: k * c.every, Used: k * c.every, Loss: c.blocks[c.block(k)].w})
	}
	return out, true
}
