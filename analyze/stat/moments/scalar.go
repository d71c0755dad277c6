package moments

import (
	"fmt"
	"math"
)

// Scalar is the count, the mean and the centred sum of squares of one variable,
//
//	Mean = (1/N)·Σ y,  M2 = Σ (y − Mean)²
//
// The zero value is empty and ready for use.
type Scalar struct {
	N    int64
	Mean float64 // in the units of y; 0 while N = 0
	M2   float64 // in squared units of y
}

// scalarBlock is the number of rows that are summed about one shift.
const scalarBlock = 4096

// Add joins the values of y, block by block.
func (s *Scalar) Add(y []float64) {
	for len(y) > scalarBlock {
		s.addBlock(y[:scalarBlock])
		y = y[scalarBlock:]
	}
	s.addBlock(y)
}

func (s *Scalar) addBlock(y []float64) {
	if len(y) == 0 {
		return
	}
	w := shifted{shift: y[0]}
	for _, v := range y {
		w.add(v)
	}
	s.Merge(w.scalar())
}

// AddOne joins one value, by a merge; Add is faster for many.
func (s *Scalar) AddOne(y float64) { s.Merge(Scalar{N: 1, Mean: y}) }

// Merge joins another accumulator, leaving o as it is:
//
//	δ = o.Mean − Mean, Mean += δ·o.N/N, M2 += o.M2 + δ²·N_before·o.N/N
//
// Special cases are:
//
//	an empty o changes nothing
//	an empty receiver becomes o
func (s *Scalar) Merge(o Scalar) {
	switch {
	case o.N == 0:
		return
	case s.N == 0:
		*s = o
		return
	}
	a, b := float64(s.N), float64(o.N)
	n := a + b
	d := o.Mean - s.Mean
	s.N += o.N
	s.Mean += float64(d * (b / n))
	s.M2 += o.M2 + float64(float64(d*d)*(a*(b/n)))
}

// Variance returns the unbiased sample variance M2/(N−1). Special cases are:
//
//	Variance() = NaN if N < 2
func (s *Scalar) Variance() float64 {
	if s.N < 2 {
		return math.NaN()
	}
	return s.M2 / float64(s.N-1)
}

// StdErr returns the standard error of the mean, √(Variance/N). Special cases
// are:
//
//	StdErr() = NaN if N < 2
func (s *Scalar) StdErr() float64 { return math.Sqrt(s.Variance() / float64(s.N)) }

// shifted sums about a fixed shift, the first value of its block.
type shifted struct {
	n, shift, sum, squares float64
}

func (w *shifted) add(v float64) {
	d := v - w.shift
	w.n++
	w.sum += d
	w.squares += float64(d * d)
}

func (w *shifted) scalar() Scalar {
	m := w.sum / w.n
	return Scalar{
		N:    int64(w.n),
		Mean: w.shift + m,
		M2:   max(0, w.squares-float64(w.sum*m)),
	}
}

// AddScalarsByArm scatters the rows of a chunk: y[t] is joined to dst[arm[t]]. arm and
// y have equal length. A row whose arm is negative is skipped. It returns an
// error that names the row if an arm is len(dst) or more; dst then is as it was
// before.
func AddScalarsByArm(dst []Scalar, arm []int32, y []float64) error {
	if len(arm) != len(y) {
		panic(badLength)
	}
	if err := checkArms(arm, len(dst)); err != nil {
		return err
	}
	work := make([]shifted, len(dst))
	for len(arm) > 0 {
		n := min(len(arm), scalarBlock)
		addBlockByArm(dst, work, arm[:n], y[:n])
		arm, y = arm[n:], y[n:]
	}
	return nil
}

func addBlockByArm(dst []Scalar, work []shifted, arm []int32, y []float64) {
	clear(work)
	for t, a := range arm {
		if a < 0 {
			continue
		}
		w := &work[a]
		if w.n == 0 {
			w.shift = y[t]
		}
		w.add(y[t])
	}
	for i := range work {
		if work[i].n > 0 {
			dst[i].Merge(work[i].scalar())
		}
	}
}

// badLength is the message of the panic for a caller's slices of unequal length.
const badLength = "moments: slice length mismatch"

func checkArms(arm []int32, arms int) error {
	for t, a := range arm {
		if int(a) >= arms {
			return fmt.Errorf("moments: row %d of the chunk has arm %d, but there are %d arms; declare the missing arms", t, a, arms)
		}
	}
	return nil
}
