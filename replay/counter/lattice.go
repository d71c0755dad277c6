package counter

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"

	"banditaudit/replay/ledger"
)

// lattice is what every counter with noise has in common: the grid 2^-m, what
// one row moves a sum by, and how many rows a stream may have so that no sum
// leaves 60 bits.
type lattice struct {
	m           uint
	unit, step  float64                      // 2^m, 2^-m
	sensitivity *big.Rat                     // noise is scaled for it
	bound       *big.Rat                     // what one row can move a sum by, in ℓ1 norm
	limit       int64                        // ⌊bound·2^m⌋: the same in units of the grid
	part        float64                      // a little more than 1/(bound·2^m)
	maxRows     int64                        // a sum of that many rows stays within 2^60 units
	fresh       func(src rand.Source) stream // an empty stream that draws from src; nil where a counter has a bank of its own
}

// Grid returns the step of the lattice, of rewards in [0,1].
func (l *lattice) Grid() float64 { return l.step }

// newLattice reads the grid, the sensitivity and the bound of a spec, and
// returns a usable lattice also when there are faults.
func newLattice(s Spec) (lattice, []error) {
	var faults []error
	m, fault := gridBits(s.Grid)
	if fault != nil {
		faults = append(faults, fault)
		m = defaultGrid
	}
	l := lattice{m: m, unit: math.Ldexp(1, int(m)), step: math.Ldexp(1, -int(m)), sensitivity: big.NewRat(1, 1)}
	if fault := checkLength("sensitivity", s.Sensitivity); fault != nil {
		faults = append(faults, fault)
	} else if s.Sensitivity != nil {
		l.sensitivity.Set(s.Sensitivity)
	}
	l.bound = new(big.Rat).Set(l.sensitivity)
	if fault := checkLength("bound", s.Bound); fault != nil {
		faults = append(faults, fault)
	} else if s.Bound != nil {
		l.bound.Set(s.Bound)
	}
	units := new(big.Rat).Mul(l.bound, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), m)))
	l.limit = new(big.Int).Quo(units.Num(), units.Denom()).Int64()
	l.part = nearest(new(big.Rat).Inv(units)) * (1 + 0x1p-50)
	l.maxRows = int64(1) << (60 - bits.Len64(uint64(max(l.limit, 1)-1)))
	return l, faults
}

// checkLength returns a fault unless v is a length that a context can have; nil
// is a default.
func checkLength(name string, v *big.Rat) error {
	if v == nil || v.Sign() > 0 && v.Cmp(big.NewRat(maxBound, 1)) <= 0 {
		return nil
	}
	return &ParamError{name, v.RatString(), fmt.Sprintf("it must lie above 0 and be at most %d", maxBound), "write the largest ‖x‖₁ that a context can have"}
}

// maxBound bounds ‖φ‖₁, so that it fits the integers beside the finest grid.
const maxBound = 1 << 16

// scale returns the Laplace scale of a node that may spend loss of the declared
// sensitivity, on the scale of the released sums.
func (l *lattice) scale(loss *big.Rat) *big.Rat { return new(big.Rat).Quo(l.sensitivity, loss) }

// law returns the noise of such a node, in units of the grid; false when the
// sampler's integers do not hold it.
func (l *lattice) law(loss *big.Rat) (discreteLaplace, bool) {
	unit := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), l.m))
	return newDiscreteLaplace(unit.Mul(unit, l.scale(loss)))
}

// spent returns what such a node costs a row that moves the sum by the bound:
// loss·bound/sensitivity.
func (l *lattice) spent(loss *big.Rat) *big.Rat {
	v := new(big.Rat).Mul(loss, l.bound)
	return v.Quo(v, l.sensitivity)
}

// rho returns the ρ of such a node for that row.
func (l *lattice) rho(loss *big.Rat) float64 {
	spent := ledger.NewLoss(l.spent(loss)).Up()
	return ledger.LaplaceRho(spent, spent/float64(max(l.limit, 1)))
}

// units returns a reward in units of the grid, rounded, ties to even. It fails
// when y is outside [0,1] or NaN, and, whatever y, when the declared bound is
// below what a reward moves a sum by.
func (l *lattice) units(arm int, y float64) (int64, error) {
	if !(y >= 0 && y <= 1) {
		return 0, rewardError(arm, y)
	}
	if l.limit < int64(1)<<l.m {
		return 0, fmt.Errorf("counter: a reward moves a sum by 1, and the bound is %s: %w; build the counter with a bound of 1", l.bound.RatString(), errFeature)
	}
	return int64(math.RoundToEven(float64(y * l.unit))), nil
}

// nearest returns the float64 nearest to r.
func nearest(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// Fits checks, in units of the grid,
//
//	Σ_j |trunc(φ_j·2^m)| ≤ ⌊bound·2^m⌋
//
// which every φ with ‖φ‖₁ ≤ bound meets. A NaN does not fit.
func (l *lattice) Fits(phi []float64) bool {
	_, ok := l.length(phi)
	return ok
}

// Share is Σ_j |trunc(φ_j·2^m)| / (bound·2^m), the sum in whole numbers and the
// quotient rounded up.
func (l *lattice) Share(phi []float64) float64 {
	norm, ok := l.length(phi)
	switch {
	case !ok:
		return math.Inf(1)
	case norm == 0:
		return 0
	}
	return min(1, float64(float64(norm)*l.part)) // l.part allows for the roundings of both
}

// length is the sum of Fits, and false where it is above the limit.
func (l *lattice) length(phi []float64) (norm int64, ok bool) {
	for _, v := range phi {
		units := math.Abs(float64(v * l.unit))
		if !(units < float64(l.limit+1)) { // below it, and so far below 2^63
			return 0, false
		}
		if norm += int64(units); norm > l.limit {
			return 0, false
		}
	}
	return norm, true
}
