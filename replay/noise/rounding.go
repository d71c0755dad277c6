package noise

// sharp bounds the rounding, in root mean squares of what it moves w by times the
// root of the number of draws, below which it is not seen by a test of w or of
// signs: a fifteenth of the standard deviation of Σw. It is what the error is at
// most, and with signs that are as often one as the other it is less still.
const sharp = 1.0 / 15

// blur finds whether rounding has moved values too far for any test but the test of the
// scale, which allows for rounding.
func (s *drawn) blur() {
	var square float64
	for i := range s.vars {
		x := s.vars[i].err / s.vars[i].scale
		square += float64(x * x)
	}
	s.rounded, s.blurred = square > 0, square > float64(sharp*sharp)
}

// moved returns |y| moved by side times its rounding.
func (v *variable) moved(side float64) float64 { return max(0, v.size+float64(side*v.err)) }

// likeliest returns the largest P of the test of the scale that draws within
// their rounding give: Σw rises in each |y|, and P falls to both sides of its
// middle, so that it is at an end, or 1 where the mean lies between them. law is
// P of m draws with this Σw.
func (s *drawn) likeliest(sum float64, law func(m, sum float64) float64) float64 {
	m := float64(len(s.vars))
	p := law(m, sum)
	if !s.rounded {
		return p
	}
	lo, hi := s.totalOf(nil, -1)(1), s.totalOf(nil, 1)(1)
	if lo <= m && m <= hi {
		return 1
	}
	return max(p, law(m, lo), law(m, hi))
}
