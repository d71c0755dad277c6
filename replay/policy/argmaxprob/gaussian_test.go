package argmaxprob

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

// gaussianBest writes to dst the probability that each of independent normal
// variables is the largest.
func gaussianBest(mean, sd []float64, eligible []bool, dst []float64) {
	NewGaussian(len(mean)).Best(mean, sd, eligible, dst)
}

// off returns the largest distance between two lists, in what a probability may be off by.
func off(a, b []float64) float64 {
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i])/(1e-9+1e-7*b[i]))
	}
	return d
}

// far is how much of what is allowed a quadrature takes.
const far = 0.25

// Reference: thompson.py, densities of 30 digits on panels of 40 points.
func TestGaussianBest(t *testing.T) {
	for _, row := range reference.Rows(t, "thompson.csv", "gaussian") {
		k := int(row[0])
		mean, sd, want := row[1:1+k], row[1+k:1+2*k], row[1+2*k:]
		got := make([]float64, k)
		gaussianBest(mean, sd, nil, got)
		if d := off(got, want); !(d < far) {
			t.Errorf("means %v, sds %v: off by %g\ngot  %v\nwant %v", mean, sd, d, got, want)
		}
	}
}

func TestGaussianBestOfPointMasses(t *testing.T) {
	const q = 0.15865525393145707 // Φ(−1), https://oeis.org/A239382
	for _, tt := range []struct {
		name     string
		mean, sd []float64
		eligible []bool
		want     []float64
	}{
		{"one", []float64{3}, []float64{1}, nil, []float64{1}},
		{"all points", []float64{1, 3, 3, 2}, []float64{0, 0, 0, 0}, nil, []float64{0, 1, 0, 0}},
		{"one law and a point", []float64{0, 1}, []float64{1, 0}, nil, []float64{q, 1 - q}},
		{"the lower point never wins", []float64{-1, 0, 1, 1}, []float64{0, 1, 0, 0}, nil, []float64{0, q, 1 - q, 0}},
		{
			"two laws and a point",
			[]float64{0, 0, 1},
			[]float64{1, 1, 0},
			nil,
			[]float64{(1 - (1-q)*(1-q)) / 2, (1 - (1-q)*(1-q)) / 2, (1 - q) * (1 - q)},
		},
		{"a point beyond every law", []float64{0, 100}, []float64{1, 0}, nil, []float64{0, 1}},
		{"the best is not eligible", []float64{9, 0, 1}, []float64{1, 1, 0}, []bool{false, true, true}, []float64{0, q, 1 - q}},
		{"a point that is not eligible", []float64{9, 0, 0}, []float64{0, 1, 1}, []bool{false, true, true}, []float64{0, 0.5, 0.5}},
		{"two tiny ones", []float64{1, 2}, []float64{1e-30, 1e-30}, nil, []float64{0, 1}},
		{"tiny ones and a point", []float64{1, 2, 1.5}, []float64{1e-30, 1e-30, 0}, nil, []float64{0, 1, 0}},
		{"tiny beside its mean", []float64{1, 1}, []float64{1e-300, 1e-300}, nil, []float64{0.5, 0.5}},
		{"tiny beside a wide one", []float64{0, 0}, []float64{1e-300, 1}, nil, []float64{0.5, 0.5}},
		{"tiny at another's upper quantile", []float64{0, 1}, []float64{1, 1e-30}, nil, []float64{q, 1 - q}},
		{"widths of every size", []float64{0.5, 0.5, 0.5}, []float64{1e-165, 1e-20, 1e80}, nil, []float64{0.25, 0.25, 0.5}},
	} {
		got := make([]float64, len(tt.mean))
		gaussianBest(tt.mean, tt.sd, tt.eligible, got)
		if d := off(got, tt.want); !(d < far) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Two laws have a closed form, laws that are equal have equal shares, and
// probabilities add up to 1 before they are made to.
func TestGaussianBestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 20).Draw(t, "k")
		mean, sd, p := make([]float64, k), make([]float64, k), make([]float64, k)
		arms := make([]int, k)
		for i := range k {
			mean[i] = rapid.Float64Range(-10, 10).Draw(t, "mean")
			sd[i] = math.Exp(rapid.Float64Range(-12, 3).Draw(t, "ln sd"))
			arms[i] = i
		}
		w := newQuadrature(k)
		if sum := w.best(&normals{mean, sd, mean, sd}, arms, p); !(math.Abs(sum-1) < 1e-9) {
			t.Fatalf("probabilities add up to 1%+g", sum-1)
		}
		gaussianBest(mean[:2], sd[:2], nil, p[:2])
		want := math.Erfc((mean[1]-mean[0])/math.Hypot(sd[0], sd[1])/math.Sqrt2) / 2
		if !(math.Abs(p[0]-want) < 1e-9) {
			t.Fatalf("P = %v, want %v", p[0], want)
		}
		mean[1], sd[1] = mean[0], sd[0]
		gaussianBest(mean, sd, nil, p)
		if p[0] != p[1] && !(math.Abs(p[0]-p[1]) < 1e-9) {
			t.Fatalf("equal laws have %v and %v", p[0], p[1])
		}
	})
}

// The bits themselves, so that an architecture that differs is noticed.
func TestGaussianBestBits(t *testing.T) {
	p := make([]float64, 3)
	gaussianBest([]float64{0.5, 0.6, 0.4}, []float64{0.05, 0.1, 0.2}, nil, p)
	if diff := cmp.Diff([]float64{0.13736655043668297, 0.6968744316588871, 0.16575901790442996}, p); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkGaussianBest(b *testing.B) {
	g, p := NewGaussian(5), make([]float64, 5)
	mean, sd := []float64{0.5, 0.55, 0.6, 0.45, 0.4}, []float64{0.05, 0.06, 0.04, 0.03, 0.05}
	for b.Loop() {
		g.Best(mean, sd, nil, p)
	}
}
