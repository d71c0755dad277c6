package moments

import "math"

// Third is the count, the mean and the centred sums of squares and cubes of one
// variable,
//
//	Mean = (1/N)·Σ y,  M2 = Σ (y − Mean)²,  M3 = Σ (y − Mean)³
//
// The zero value is empty and ready for use.
type Third struct {
	N    int64
	Mean float64 // in the units of y; 0 while N = 0
	M2   float64 // in squared units of y
	M3   float64 // in cubed units of y
}

// Merge joins another accumulator, leaving o as it is, by the formulas of Pébay
// (2008, Sandia report SAND2008-6212, section 3): with δ = o.Mean − Mean,
//
//	M3 += o.M3 + δ³·n_a·n_b·(n_a − n_b)/n² + 3δ·(n_a·o.M2 − n_b·M2)/n
func (s *Third) Merge(o Third) {
	switch {
	case o.N == 0:
		return
	case s.N == 0:
		*s = o
		return
	}
	a, b := float64(s.N), float64(o.N)
	n, d := a+b, o.Mean-s.Mean
	s.M3 += o.M3 + float64(d*d*d*(a/n)*(b/n)*(a-b)) + float64(3*d*(float64(a*o.M2)-float64(b*s.M2))/n)
	s.M2 += o.M2 + float64(float64(d*d)*(a*(b/n)))
	s.Mean += float64(d * (b / n))
	s.N += o.N
}

// thirdOf is the Third of n values whose sums of powers, each value less a shift,
// are given.
func thirdOf(n int64, shift, sum, squares, cubes float64) Third {
	m := sum / float64(n)
	m2 := squares - float64(m*sum)
	return Third{
		N: n, Mean: shift + m, M2: max(m2, 0),
		M3: cubes - float64(3*m*squares) + float64(2*m*m*sum),
	}
}

// AddThirdsByArm scatters a chunk: y[t] is added to dst[arm[t]]. A row whose arm is
// negative is skipped. It returns an error that names the row if an arm is
// len(dst) or more; dst then is as it was before.
func AddThirdsByArm(dst []Third, arm []int32, y []float64) error {
	if len(arm) != len(y) {
		panic(badLength)
	}
	if err := checkArms(arm, len(dst)); err != nil {
		return err
	}
	type powers struct {
		n                          int64
		shift, sum, squares, cubes float64
	}
	work := make([]powers, len(dst))
	for t, a := range arm {
		if a < 0 {
			continue
		}
		w := &work[a]
		if w.n == 0 {
			w.shift = y[t]
		}
		d := y[t] - w.shift
		w.n++
		w.sum += d
		w.squares += float64(d * d)
		w.cubes += float64(d * d * d)
	}
	for i := range dst {
		if w := work[i]; w.n > 0 {
			dst[i].Merge(thirdOf(w.n, w.shift, w.sum, w.squares, w.cubes))
		}
	}
	return nil
}

// Skewness returns the skewness of the mean of N independent values with these moments, √N
// times smaller than the skewness of the values: M3/M2^(3/2). Special cases are:
//
//	Skewness() = NaN if all values are equal, or there are none
func (s *Third) Skewness() float64 { return skewness(s.M2, s.M3) }

func skewness(m2, m3 float64) float64 {
	if !(m2 > 0) {
		return math.NaN()
	}
	return m3 / m2 / math.Sqrt(m2)
}

// SkewnessOfDifference returns the skewness of the difference of the means of two arms,
// which are taken as independent. Special cases are:
//
//	NaN if an arm has no values, or in both all are equal
func SkewnessOfDifference(a, b Third) float64 {
	x, y := float64(a.N), float64(b.N)
	if a.N == 0 || b.N == 0 {
		return math.NaN()
	}
	return skewness(a.M2/x/x+b.M2/y/y, a.M3/x/x/x-b.M3/y/y/y)
}
