package regress

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// Every operation is right to 30 digits, against math/big with 300 bits.
func TestDouble(t *testing.T) {
	exact := func(d double) *big.Float {
		f := new(big.Float).SetPrec(300).SetFloat64(d.hi)
		return f.Add(f, new(big.Float).SetFloat64(d.lo))
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) double {
			hi := rapid.Float64Range(-1e6, 1e6).Draw(t, name)
			return sumOf(hi, hi*rapid.Float64Range(-1e-17, 1e-17).Draw(t, name+" low"))
		}
		a, b := draw("a"), draw("b")
		if math.Abs(a.hi) < 1e-60 || math.Abs(b.hi) < 1e-60 {
			return // products would be too small for their low parts
		}
		x, y := exact(a), exact(b)
		near := func(what string, got double, want, unit *big.Float) {
			diff := new(big.Float).SetPrec(300).Sub(exact(got), want)
			limit := new(big.Float).SetPrec(300).Mul(new(big.Float).Abs(unit), big.NewFloat(1e-30))
			if diff.Abs(diff).Cmp(limit) > 0 {
				t.Fatalf("%s of %v and %v is %v, want %v", what, a, b, got, want)
			}
		}
		number := func() *big.Float { return new(big.Float).SetPrec(300) }
		larger := number().Add(number().Abs(x), number().Abs(y))
		near("sum", a.plus(b), number().Add(x, y), larger)
		near("difference", a.minus(b), number().Sub(x, y), larger)
		near("product", a.times(b), number().Mul(x, y), number().Mul(x, y))
		near("quotient", a.over(b), number().Quo(x, y), number().Quo(x, y))
		square := a.times(a)
		near("root", square.root(), number().Sqrt(exact(square)), x)
	})
	if (double{hi: -1}).root() != (double{}) {
		t.Error("the root of a negative number is 0 here")
	}
}
