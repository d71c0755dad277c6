package moments

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// exactMoments returns mean and centred sum of squares in 300-bit arithmetic.
func exactMoments(y []float64) (mean, m2 float64) {
	bf := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	sum := bf(0)
	for _, v := range y {
		sum.Add(sum, bf(v))
	}
	m := sum.Quo(sum, bf(float64(len(y))))
	squares := bf(0)
	for _, v := range y {
		d := bf(v)
		d.Sub(d, m)
		squares.Add(squares, d.Mul(d, d))
	}
	mean, _ = m.Float64()
	m2, _ = squares.Float64()
	return mean, m2
}

func near(got, want, tol float64) bool {
	return got == want || math.Abs(got-want) <= tol*math.Abs(want)
}

// NIST StRD, univariate summary statistics, NumAcc3 and NumAcc4 (1,001 numbers
// that alternate about 1000000.2 and 10000000.2): certified standard deviation
// 0.1 and means 1000000.2 and 10000000.2, exactly for the decimals. The numbers
// as float64 differ from the decimals by up to 1e-9, which bounds the digits.
// https://www.itl.nist.gov/div898/strd/univ/numacc4.html
func TestScalarNIST(t *testing.T) {
	for _, c := range []struct {
		base float64
		tol  float64
	}{{1000000, 1e-9}, {10000000, 1e-8}} {
		y := []float64{c.base + 0.2}
		for range 500 {
			y = append(y, c.base+0.1, c.base+0.3)
		}
		var s Scalar
		s.Add(y)
		if !near(s.Mean, c.base+0.2, 1e-15) || !near(math.Sqrt(s.Variance()), 0.1, c.tol) {
			t.Errorf("mean %.15g, standard deviation %.15g", s.Mean, math.Sqrt(s.Variance()))
		}
		_, m2 := exactMoments(y)
		if !near(s.M2, m2, 1e-14) {
			t.Errorf("M2 = %.17g, exactly %.17g", s.M2, m2)
		}
	}
}

func TestScalarSpecial(t *testing.T) {
	var empty Scalar
	if !math.IsNaN(empty.Variance()) || !math.IsNaN(empty.StdErr()) {
		t.Error("an empty Scalar must have neither variance nor error")
	}
	s := empty
	s.Add(nil)
	s.Merge(empty)
	if s != empty {
		t.Errorf("nothing was added, got %+v", s)
	}
	s.AddOne(4)
	if s != (Scalar{1, 4, 0}) || !math.IsNaN(s.Variance()) {
		t.Errorf("one value: %+v", s)
	}
	before := s
	s.Merge(empty)
	if s != before {
		t.Errorf("merging nothing changed %+v to %+v", before, s)
	}
	s.AddOne(6)
	if s != (Scalar{2, 5, 2}) || s.Variance() != 2 || s.StdErr() != 1 {
		t.Errorf("4 and 6: %+v", s)
	}
	equal := make([]float64, 10_000)
	for i := range equal {
		equal[i] = 0.1
	}
	var e Scalar
	e.Add(equal)
	if e.Mean != 0.1 || e.M2 != 0 {
		t.Errorf("equal values must have no spread at all: %+v", e)
	}
	e.Add([]float64{math.NaN()})
	if !math.IsNaN(e.Mean) {
		t.Error("NaN must poison the mean, not vanish")
	}
}

func TestScalarExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.SampledFrom([]float64{0, 1, -1e6, 1e9}).Draw(t, "offset")
		y := rapid.SliceOfN(rapid.Float64Range(-1, 1), 2, 200).Draw(t, "y")
		for i := range y {
			y[i] += offset
		}
		cut := rapid.IntRange(0, len(y)).Draw(t, "cut")
		var s, o Scalar
		s.Add(y[:cut])
		o.Add(y[cut:])
		s.Merge(o)
		mean, m2 := exactMoments(y)
		// Joining two means loses up to an ulp of the offset once.
		slack := 1e-13*m2 + 4*float64(len(y))*math.Abs(offset)*0x1p-52
		if int(s.N) != len(y) || !near(s.Mean, mean, 1e-14) && math.Abs(s.Mean-mean) > 1e-15 || math.Abs(s.M2-m2) > slack+1e-300 {
			t.Fatalf("%+v, exactly mean %.17g, M2 %.17g", s, mean, m2)
		}
	})
}

// Merging is associative up to rounding.
func TestScalarAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Scalar {
			var s Scalar
			s.Add(rapid.SliceOf(rapid.Float64Range(-1e3, 1e3)).Draw(t, name))
			return s
		}
		a, b, c := draw("a"), draw("b"), draw("c")
		left, right, tail := a, a, b
		left.Merge(b)
		left.Merge(c)
		tail.Merge(c)
		right.Merge(tail)
		if left.N != right.N || math.Abs(left.Mean-right.Mean) > 1e-12*1e3 || math.Abs(left.M2-right.M2) > 1e-12*(left.M2+1e6) {
			t.Fatalf("(a+b)+c = %+v, a+(b+c) = %+v", left, right)
		}
	})
}

func TestAddScalarsByArm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		arm := rapid.SliceOfN(rapid.Int32Range(-1, 3), n, n).Draw(t, "arm")
		y := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "y")
		dst := make([]Scalar, 4)
		if err := AddScalarsByArm(dst, arm, y); err != nil {
			t.Fatal(err)
		}
		for a := range dst {
			var own []float64
			for i, v := range y {
				if int(arm[i]) == a {
					own = append(own, v)
				}
			}
			var want Scalar
			want.Add(own)
			if dst[a] != want {
				t.Fatalf("arm %d: %+v, alone %+v", a, dst[a], want)
			}
		}
	})
}

func TestAddScalarsByArmRefusals(t *testing.T) {
	dst := []Scalar{{N: 1, Mean: 2}}
	err := AddScalarsByArm(dst, []int32{0, 1}, []float64{1, 1})
	if err == nil || !strings.Contains(err.Error(), "row 1") || dst[0] != (Scalar{N: 1, Mean: 2}) {
		t.Errorf("an arm that does not exist must be refused whole, got %v, %+v", err, dst)
	}
	defer func() {
		if recover() != badLength {
			t.Error("unequal lengths must panic")
		}
	}()
	_ = AddScalarsByArm(dst, []int32{0}, nil)
}
