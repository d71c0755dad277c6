package noise

// Draw is one recovered variable, or a sum of Count of them.
type Draw struct {
	Arm   int
	Rows  int64   // rows of the released sum
	Scale float64 // declared Laplace scale b
	Count int     // Laplace variables in it
	Grid  float64 // of the lattice on which it lies; 0: continuous
	Value float64
}

// Level is the false-alarm rate of all tests of a fit together.
const Level = 0.001
