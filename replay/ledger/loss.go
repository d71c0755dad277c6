package ledger

import (
	"math"
	"math/big"
	"strings"
)

// badLoss is the panic of a caller that builds a negative loss.
const badLoss = "ledger: a loss is never negative"

// Loss is a pure privacy loss in nats: an exact rational ≥ 0, or +∞. The zero
// value is 0. A Loss is immutable and may be copied and compared with Cmp.
type Loss struct {
	rat *big.Rat // nil means 0
	inf bool
}

// NewLoss returns the loss r. The rational is copied. It panics when r is
// negative, which only a broken caller can cause.
//
// Special cases are:
//
//	NewLoss(nil) = 0
func NewLoss(r *big.Rat) Loss {
	if r == nil || r.Sign() == 0 {
		return Loss{}
	}
	if r.Sign() < 0 {
		panic(badLoss)
	}
	return Loss{rat: new(big.Rat).Set(r)}
}

// Infinite returns +∞, the loss of a value released without noise.
func Infinite() Loss { return Loss{inf: true} }

// IsInf reports whether the loss is +∞.
func (a Loss) IsInf() bool { return a.inf }

// IsZero reports whether the loss is 0.
func (a Loss) IsZero() bool { return !a.inf && a.value().Sign() == 0 }

// Rat returns a copy of the exact value, or nil when the loss is +∞.
func (a Loss) Rat() *big.Rat {
	if a.inf {
		return nil
	}
	return new(big.Rat).Set(a.value())
}

// Add returns a + b, the loss of two releases of the same row.
//
// Special cases are:
//
//	a + ∞ = ∞
func (a Loss) Add(b Loss) Loss {
	if a.inf || b.inf {
		return Infinite()
	}
	return NewLoss(new(big.Rat).Add(a.value(), b.value()))
}

// Times returns n·a, the loss of n releases of the same row. It panics when n
// is negative.
//
// Special cases are:
//
//	0·∞ = 0 (what is never released costs nothing)
func (a Loss) Times(n int64) Loss {
	switch {
	case n < 0:
		panic(badLoss)
	case n == 0:
		return Loss{}
	case a.inf:
		return a
	}
	return NewLoss(new(big.Rat).Mul(a.value(), new(big.Rat).SetInt64(n)))
}

// Max returns the larger of a and b, the loss of two releases that read
// disjoint rows.
func (a Loss) Max(b Loss) Loss {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// Cmp returns -1, 0 or +1 as a is less than, equal to or greater than b.
//
// Special cases are:
//
//	∞ equals ∞ and is greater than every other loss
func (a Loss) Cmp(b Loss) int {
	switch {
	case a.inf && b.inf:
		return 0
	case a.inf:
		return 1
	case b.inf:
		return -1
	}
	return a.value().Cmp(b.value())
}

// Equal reports whether a and b are the same loss.
func (a Loss) Equal(b Loss) bool { return a.Cmp(b) == 0 }

// Float returns the float64 nearest to the loss. It is for plots and for
// comparison with published figures; a printed total uses Up.
//
// Special cases are:
//
//	Infinite().Float() = +Inf
func (a Loss) Float() float64 {
	if a.inf {
		return math.Inf(1)
	}
	f, _ := a.value().Float64()
	return f
}

// Up returns the smallest float64 that is not less than the loss.
//
// Special cases are:
//
//	Infinite().Up() = +Inf
//	a loss above the largest float64 gives +Inf
func (a Loss) Up() float64 {
	if a.inf {
		return math.Inf(1)
	}
	return roundUp(a.value())
}

// Decimal returns the loss in decimals, rounded up to the given number of significant
// digits, from 1 to 70, for people and for claims: it is never less than the loss, and the
// loss itself where that has no more digits.
//
// Special cases are:
//
//	Infinite().Decimal(n) = "inf"
func (a Loss) Decimal(digits int) string {
	if a.inf {
		return "inf"
	}
	near := func(r *big.Rat) *big.Float { return new(big.Float).SetPrec(256).SetRat(r) }
	nearest := near(a.value()).Text('e', digits-1)
	_, exponent, _ := strings.Cut(nearest, "e")
	rounded, _ := new(big.Rat).SetString(nearest)
	if rounded.Cmp(a.value()) < 0 {
		last, _ := new(big.Rat).SetString("1e" + exponent)
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits-1)), nil)
		rounded.Add(rounded, last.Quo(last, new(big.Rat).SetInt(unit))) // one of the last digit
	}
	return near(rounded).Text('g', digits)
}

// Below returns the loss in decimals, rounded down to the given number of significant
// digits, from 1 to 70: it is never more than the loss, and the loss itself where that has
// no more digits.
//
// Special cases are:
//
//	Infinite().Below(n) = "inf"
func (a Loss) Below(digits int) string {
	up := a.Decimal(digits)
	r, ok := new(big.Rat).SetString(up)
	if !ok || r.Cmp(a.value()) <= 0 {
		return up
	}
	near := new(big.Float).SetPrec(256).SetRat(a.value())
	_, exponent, _ := strings.Cut(near.Text('e', 75), "e") // of the loss, which rounding would raise
	last, _ := new(big.Rat).SetString("1e" + exponent)
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits-1)), nil)
	r.Sub(r, last.Quo(last, new(big.Rat).SetInt(unit))) // one of the last digit
	return new(big.Float).SetPrec(256).SetRat(r).Text('g', digits)
}

// String returns the exact value, such as "1/4" or "3", or "inf".
func (a Loss) String() string {
	if a.inf {
		return "inf"
	}
	return a.value().RatString()
}

// value returns the rational without a copy; callers must not change it.
func (a Loss) value() *big.Rat {
	if a.rat == nil {
		return new(big.Rat)
	}
	return a.rat
}

// roundUp returns the smallest float64 that is not less than r ≥ 0.
func roundUp(r *big.Rat) float64 {
	f, exact := r.Float64()
	if exact || math.IsInf(f, 1) {
		return f
	}
	if new(big.Rat).SetFloat64(f).Cmp(r) < 0 {
		return math.Nextafter(f, math.Inf(1))
	}
	return f
}
