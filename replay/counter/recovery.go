package counter

// Recovery tells the draws of one stream of sums apart from what it released:
// noise is what was released less the exact sum of the same rows. Each counter
// has its own, since it knows which draws are in which release. It is not safe
// for concurrent use.
type Recovery interface {
	// See takes a release: n ≥ 1 rows had arrived at the stream, and residue is
	// what was released less what a stream without noise releases after n rows.
	// n increases from call to call and may leave numbers out, where the policy
	// did not look; draws that cannot then be told apart are not returned. It
	// returns what the release adds to what is known; the slice is used again.
	See(n int64, residue float64) []Draw
}

// Draw is noise of a stream that could be told apart: one Laplace variable, or
// the sum of Count independent ones of equal scale. No variable is in two Draws.
type Draw struct {
	Row   int64   // rows that had arrived when the last of its variables was drawn
	Rows  int64   // rows of the sum that was released with it: n of See
	Level int     // of the node; 0 where there are none
	Scale float64 // declared Laplace scale, of a sum of rewards in [0,1]
	Count int     // variables in Value
	Value float64 // of the sum of rewards in [0,1]
}
