package paper

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay/policy/bitexact"
)

// average is the mean of a number over replications, by Welford's recurrence.
type average struct {
	n    float64
	mean float64
	m2   float64 // Σ (x − mean)²
}

func (s *average) add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / s.n
	s.m2 += float64(d * (x - s.mean))
}

// merge joins another sample (Chan, Golub and LeVeque 1979).
func (s *average) merge(o *average) {
	switch {
	case o.n == 0:
		return
	case s.n == 0:
		*s = *o
		return
	}
	n, d := s.n+o.n, o.mean-s.mean
	s.m2 += o.m2 + float64(float64(d*d)*float64(s.n*o.n)/n)
	s.mean += float64(d*o.n) / n
	s.n = n
}

// se is the standard error of the mean; 0 below two replications.
func (s *average) se() float64 {
	if s.n < 2 {
		return 0
	}
	return math.Sqrt(s.m2 / (s.n - 1) / s.n)
}

// z95 is the two-sided normal quantile of 95 %.
const z95 = 1.959963984540054

// interval is the normal 95 % interval of the mean.
func (s *average) interval() (lo, hi float64) {
	half := float64(z95 * s.se())
	return s.mean - half, s.mean + half
}

// share counts the runs in which something held.
type share struct{ held, runs int64 }

func (s *share) add(held bool) {
	s.runs++
	if held {
		s.held++
	}
}

func (s *share) merge(o *share) {
	s.runs += o.runs
	s.held += o.held
}

// rate is the share of the runs; NaN without any.
func (s *share) rate() float64 { return float64(s.held) / float64(s.runs) }

// se is the standard error of the rate.
func (s *share) se() float64 {
	p := s.rate()
	return math.Sqrt(float64(p*(1-p)) / float64(s.runs))
}

// measure is the rate with its exact 95 % interval, of [hypothesis.Share].
func (s *share) measure(name string) documents.PaperValue {
	value, lo, hi := hypothesis.Share(s.held, s.runs)
	return documents.PaperValue{Name: name, Value: value, Lo: &lo, Hi: &hi}
}

// uniformP is the p-value of Kolmogorov and Smirnov's test that values are
// uniform on [0,1], by the limit law at (√n + .12 + .11/√n)·D (Stephens 1970).
func uniformP(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n, d := float64(len(sorted)), 0.0
	for i, v := range sorted {
		d = max(d, float64(i+1)/n-v, v-float64(i)/n)
	}
	root := math.Sqrt(n)
	lambda := (root + 0.12 + 0.11/root) * d
	p := 0.0
	for k := 1.0; k <= 100; k++ {
		term := 2 * bitexact.Exp(-2*k*k*lambda*lambda)
		if int(k)%2 == 0 {
			term = -term
		}
		p += term
	}
	if lambda < 0.2 { // the series alternates without end; the true value is 1 to nine digits
		return 1
	}
	return min(max(p, 0), 1)
}
