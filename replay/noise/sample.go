package noise

// Stream is where noise is drawn for: a coordinate of the sums of an arm, in a stratum.
type Stream struct {
	Stratum    int64 // 0 where there are none
	Arm        int
	Coordinate int // of a vector; 0 where sums are numbers
}

// Draw is one recovered variable, or a sum of Count of them. Values and scales
// are of sums of rewards in [0,1], or of features times such rewards.
type Draw struct {
	Stream
	Row   int64   // rows that had arrived when the last of its variables was drawn
	Rows  int64   // rows of the released sum
	Scale float64 // declared Laplace scale b > 0
	Count int     // Laplace variables in it, at least 1
	Grid  float64 // of the lattice on which it lies; 0: continuous
	Value float64
	// Lattice is that on which Value lies where Grid is 0 since others lie on none:
	// equal draws are told by it; 0: none.
	Lattice float64
	// Error is what rounding of the released values may have moved Value by at
	// most; 0: nothing.
	Error float64
	// Above is where the rewards that the draw is released with lie: 1 above the
	// mean of the rows of its stream before, −1 below. 0: neither, there were none,
	// or the draw may have been in what was released before.
	Above int
}

// Residue is what was released less the exact sum of the same rows.
type Residue struct {
	Stream
	Rows  int64 // n ≥ 1, of the released sum
	Value float64
	Error float64 // as in Draw
	Above int     // likewise
}

// Component says that Count independent Laplace variables of scale Scale are in
// a released sum.
type Component struct {
	Scale float64
	Count int
}

// Input is what a log tells of the noise of one experiment.
type Input struct {
	// Draws is what Recover makes of Residues, in the same order.
	Draws []Draw
	// Residues holds the residues of all streams, in the order of the log. n does not fall from
	// one residue of a stream to the next; where it is the same the released value changed
	// although nothing was released. nil: only what rests on Draws is tried.
	Residues []Residue
	// Recover tells draws apart in residues with rising n in each stream. It is
	// linear in their values and keeps nothing between calls. nil: likewise.
	Recover func([]Residue) []Draw
	// Law returns the declared multiset of noise in a sum of n rows. nil:
	// likewise.
	Law func(n int64) []Component
	// Grid is the step of the lattice of Residues; 0: continuous.
	Grid float64
	// Delta is what one row moves a sum by at most, in ℓ1 norm. Defaults to 1.
	Delta float64
	// Epsilon is what the releases of this log cost the row that paid most by the
	// ledger of the declared mechanism; 0: Spent under "scale" is not computed.
	Epsilon float64
	// Stopped says that what was released may have decided the length of the log:
	// the tests then hold at any length, and find less.
	Stopped bool
	// Salt names the log: the coins of logs whose draws are all 0 differ by it.
	Salt string
	// More is how many releases the log has beyond Residues. What is computed from
	// these is then a lower bound of what all cost.
	More int64
	// Forgets says that each row is in one released sum only, and not in all after.
	Forgets bool
	// Redrawn says that released values changed although nothing was released and
	// nothing had arrived: explanations are then tried whether or not a test
	// rejects, as no test may be of more than one value of a release.
	Redrawn bool
	// Labels are the names of arms in sentences. Defaults to their indices.
	Labels []string
	// Jobs is how many workers there are; what is found does not depend on it.
	Jobs int
}

// Level is the false-alarm rate of all tests of a fit together.
const Level = 0.001

// Share is the level of one test: Level over the number of tests.
const Share = Level / 6
