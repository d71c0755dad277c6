package counter

import "math/bits"

// prefixes is the state of a binary tree over the rows of a stream. Slot i < root
// holds the last prefix that ended with a node of level i: what was released
// there, and the exact sum there. Slot root is the prefix that the tree stands
// on: what was released, and summed, before its first row.
//
// The sum released at row r of the tree is that released at r with its lowest
// bit cleared, plus one new noisy node, so each row costs one addition and one
// draw.
type prefixes struct {
	released [root + 1]int64
	sums     [root + 1]int64
}

// root is the slot after all levels: no stream has 2^41 rows.
const root = 41

// node ends a node at row r ≥ 1 of the tree, where the exact sum is sum, and
// returns what is released there.
func (p *prefixes) node(r, sum, noise int64) int64 {
	from := root
	if rest := r & (r - 1); rest != 0 {
		from = bits.TrailingZeros64(uint64(rest)) //nolint:gosec // rest is positive
	}
	to := bits.TrailingZeros64(uint64(r)) //nolint:gosec // r is positive
	p.released[to] = p.released[from] + (sum - p.sums[from]) + noise
	p.sums[to] = sum
	return p.released[to]
}

// stand puts the tree's first row after a prefix with this exact sum, and
// returns what is released there: the last such release and one new noisy node.
func (p *prefixes) stand(sum, noise int64) int64 {
	p.released[root] += (sum - p.sums[root]) + noise
	p.sums[root] = sum
	return p.released[root]
}
