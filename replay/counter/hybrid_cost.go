package counter

import (
	"math/bits"
	"strconv"

	"banditaudit/replay/ledger"
)

// Rho returns the larger of 2·ρ(ε/2), of row 3 of a stream of 4, and ρ(ε/2) +
// k·ρ(ε/(2k)) of longer segments, which falls with k.
func (h *hybrid) Rho() float64 {
	lg := h.rho(h.share(0))
	worst := 0.0
	for k := 1; k <= h.levels; k++ {
		worst = max(worst, lg+float64(float64(k)*h.rho(h.share(k))))
	}
	return worst
}

// Cost returns the pathwise cost of row n of a stream of size rows:
//
//	ε/2 · 1{2^⌈log2 n⌉ ≤ size}  +  ε/(2k) · #{nodes of the tree of segment 2^k that hold row n}
//
// with k = ⌊log2 n⌋. Row r of a segment lies in the node of level j < k that
// ends at c·2^j, c = ⌈r/2^j⌉. Only nodes with odd c are ever made (an even c is
// the right child of a node above), and only if the segment reached c·2^j.
//
// Special cases are:
//
//	n < 1 or n > size costs 0
func (h *hybrid) Cost(n, size int64) ledger.Loss {
	var cost ledger.Loss
	if n < 1 || n > size {
		return cost
	}
	if up := bits.Len64(uint64(n - 1)); up < 63 && int64(1)<<up <= size {
		cost = h.node(0)
	}
	k, r := segment(n)
	if r == 0 {
		return cost
	}
	return cost.Add(h.node(k).Times(treeNodes(r, segmentRows(k, size), k)))
}

// segmentRows returns how many rows of a stream of size ≥ 2^k rows are in the
// tree of segment 2^k.
func segmentRows(k int, size int64) int64 { return min(size-int64(1)<<k, int64(1)<<k-1) }

// Levels returns the histogram of Cost(n, size) without looking at single rows,
// in O(log² size) levels.
//
// In a complete segment row r lies in k − popcount(r−1) nodes, so C(k, j) rows
// lie in k−j of them, j < k. The last segment's rows are cut into dyadic
// blocks, one for each bit h of that number; a row with offset l in the block of 2^h rows
// lies in 1 + h − popcount(l) nodes. Rows of a segment that is followed by
// another pay for one logarithmic node more; a power of two pays for that node
// alone (own derivation, internally reviewed).
//
// Special cases are:
//
//	size < 1 gives nil
func (h *hybrid) Levels(size int64) []ledger.Level {
	var levels []ledger.Level
	lg := h.node(0)
	for k := 0; k < 63 && int64(1)<<k <= size; k++ {
		levels = append(levels, ledger.Level{Cost: lg, Rows: 1})
		var shared ledger.Loss
		if k < 62 && int64(1)<<(k+1) <= size {
			shared = lg
		}
		node := h.node(k)
		for count, rows := range segmentLevels(k, segmentRows(k, size)) {
			levels = append(levels, ledger.Level{Cost: shared.Add(node.Times(int64(count))), Rows: rows})
		}
	}
	return ledger.Merge(levels)
}

// Releases returns the logarithmic nodes and, for each segment that has rows,
// its tree nodes: one for each row.
//
// Special cases are:
//
//	size < 1 gives nil
func (h *hybrid) Releases(size int64) []ledger.Release {
	if size < 1 {
		return nil
	}
	last, _ := segment(size)
	families := []ledger.Release{{Name: "logarithmic node", Scale: h.scale(h.share(0)), Sensitivity: nearest(h.bound), Count: int64(last + 1), Epsilon: h.node(0)}}
	for k := 1; k <= last; k++ {
		if rows := segmentRows(k, size); rows > 0 {
			families = append(families, ledger.Release{
				Name: segmentName(k), Scale: h.scale(h.share(k)), Sensitivity: nearest(h.bound), Count: rows, Epsilon: h.node(k),
			})
		}
	}
	return families
}

func segmentName(k int) string { return "tree node of segment 2^" + strconv.Itoa(k) }

// mostNodes is the binary logarithm of the longest stream whose nodes have a common
// unit: lcm(1, …, 24) is below 2^33.
const mostNodes = 24

// Nodes returns one node for each row, of the unit ε/(2·lcm(1, …, k)), 2^k the last
// segment. The logarithmic node of row 2^k sums the rows since 2^(k−1), the tree node of
// row 2^k + r those up to r that its level has.
//
// Special cases are:
//
//	size of 2^25 and more gives false
func (h *hybrid) Nodes(size int64) (ledger.Nodes, bool) {
	top, _ := segment(max(size, 1))
	if top > mostNodes {
		return ledger.Nodes{}, false
	}
	whole := int64(1)
	for k := int64(2); k <= int64(top); k++ {
		whole = whole / divisor(whole, k) * k
	}
	out := ledger.Nodes{Unit: h.node(0).Over(whole), Steps: h.limit}
	for n := int64(1); n <= size; n++ {
		k, r := segment(n)
		if r == 0 {
			out.List = append(out.List, ledger.Node{Before: n / 2, Last: n, Used: n, Loss: whole})
			continue
		}
		out.List = append(out.List, ledger.Node{Before: n - r&-r, Last: n, Used: n, Loss: whole / int64(k)})
	}
	return out, true
}

// divisor returns the greatest common divisor of two positive numbers.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
