package ledger

import "math/big"

// Node is one noisy sum of rows of a stream. Rows are numbered from 1.
type Node struct {
	Before, Last int64 // it sums the rows Before+1 … Last
	Used         int64 // the length of the stream from which on it is used: Last, unless its noise is drawn ahead
	Loss         int64 // what each of its rows loses by it, in units of Nodes.Unit
}

// Nodes are all noisy sums that a stream of some length uses, in ascending order of
// Used. The cost of row n of a stream of size rows is
//
//	c(n, size) = Unit · Σ Loss over nodes with Before < n ≤ Last and Used ≤ size
//
// for n ≤ size. It is exact, also where Cost of the law groups rows.
type Nodes struct {
	Unit  Loss
	Steps int64 // lattice points by which one row moves a sum at most, as LaplaceRho takes them: h = Loss·Unit/Steps
	Ahead bool  // the noise of a node may be drawn before its last row arrived
	// Groups says that Cost of the law charges rows of long streams by groups, each what
	// its dearest row costs.
	Groups bool
	List   []Node
}

// Noded is a Law whose costs are sums over nodes.
type Noded interface {
	// Nodes returns the nodes of a stream of size ≥ 0 rows; false where it has none or their
	// losses have no common unit that fits.
	Nodes(size int64) (Nodes, bool)
}

// NodesOf returns the nodes of a law; false where it is not Noded.
func NodesOf(law Law, size int64) (Nodes, bool) {
	if n, ok := law.(Noded); ok {
		return n.Nodes(size)
	}
	return Nodes{}, false
}

// Over returns l/n, n ≥ 1.
func (a Loss) Over(n int64) Loss {
	if a.inf {
		return a
	}
	return NewLoss(new(big.Rat).Quo(a.value(), new(big.Rat).SetInt64(n)))
}
