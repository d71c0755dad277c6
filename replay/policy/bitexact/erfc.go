package bitexact

import (
	"math"
	"slices"
)

// Erfc returns the complementary error function,
//
//	erfc(x) = 2/√π · ∫ₓ^∞ e^(−t²) dt
//
// as package math does, whose error function comes from FreeBSD (s_erf.c), but with Exp of
// this package and no fused product. The result is within 4 units in the last place.
//
// Special cases are:
//
//	Erfc(+Inf) = 0, and so is Erfc(x) for x ≥ 28
//	Erfc(-Inf) = 2
//	Erfc(NaN) = NaN
//
// The rational functions came with this notice:
//
//	Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//
//	Developed at SunPro, a Sun Microsystems, Inc. business.
//	Permission to use, copy, modify, and distribute this
//	software is freely granted, provided that this notice
//	is preserved.
func Erfc(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a < 0.84375:
		return 1 - erfNear(x)
	case a < 1.25:
		return beside(x, 1-erx-erfcMiddle(a-1))
	case a < 28:
		return beside(x, erfcFar(a))
	}
	return beside(x, 0)
}

// beside returns erfc(x), given erfc(|x|).
func beside(x, tail float64) float64 {
	if x < 0 {
		return 2 - tail
	}
	return tail
}

// erx is erf(1), rounded to a float32.
const erx = 8.45062911510467529297e-01

// erfNear returns erf(x) for |x| < 0.84375.
func erfNear(x float64) float64 {
	z := float64(x * x)
	r := poly(z,
		1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02, -5.77027029648944159157e-03,
		-2.37630166566501626084e-05,
	)
	s := poly(z,
		1, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03, 1.32494738004321644526e-04,
		-3.96022827877536812320e-06,
	)
	y := float64(x * (r / s))
	if x < 0.25 {
		return x + y
	}
	return 0.5 + (y + (x - 0.5))
}

// erfcMiddle returns erf(1+s) − erx for −0.15625 ≤ s < 0.25.
func erfcMiddle(s float64) float64 {
	p := poly(s,
		-2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
		-1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03,
	)
	q := poly(s,
		1, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02, 1.26171219808761642112e-01,
		1.36370839120290507362e-02, 1.19844998467991074170e-02,
	)
	return p / q
}

// erfcFar returns erfc(x) for 1.25 ≤ x < 28.
func erfcFar(x float64) float64 {
	var r, s float64
	if z := 1 / float64(x*x); x < 1/0.35 {
		r = poly(z,
			-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01,
			-1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00,
		)
		s = poly(z,
			1, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02,
			4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02,
		)
	} else {
		r = poly(z,
			-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02,
			-6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02,
		)
		s = poly(z,
			1, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03, 3.19985821950859553908e+03,
			2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01,
		)
	}
	head := math.Float64frombits(math.Float64bits(x) &^ 0xffffffff) // whose square is exact
	return float64(Exp(float64(-head*head)-0.5625)*Exp(float64((head-x)*(head+x))+r/s)) / x
}

// poly returns the polynomial c₀ + c₁·z + c₂·z² and so on.
func poly(z float64, c ...float64) float64 {
	sum := 0.0
	for _, of := range slices.Backward(c) {
		sum = of + float64(sum*z)
	}
	return sum
}
