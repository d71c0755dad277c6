package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// orders has the orders that occur: a few covariates, many, and the most arms of a joint form.
var orders = []int{1, 2, 3, 5, 8, 31, 64, 120}

func random(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	out := make([]float64, n)
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return out
}

// symmetric returns A + A'.
func symmetric(seed uint64, n int) []float64 {
	a := random(seed, n*n)
	for i := range n {
		for j := range i {
			a[i*n+j] += a[j*n+i]
			a[j*n+i] = a[i*n+j]
		}
		a[i*n+i] *= 2
	}
	return a
}

// gram returns A'A, whose condition is the square of A's.
func gram(a []float64, n int) []float64 {
	var out mat.Dense
	m := mat.NewDense(n, n, a)
	out.Mul(m.T(), m)
	return out.RawMatrix().Data
}

func identity(n int) []float64 {
	out := make([]float64, n*n)
	for i := range n {
		out[i*n+i] = 1
	}
	return out
}

// hilbert has 1/(i+j+1).
func hilbert(n int) []float64 {
	out := make([]float64, n*n)
	for i := range out {
		out[i] = 1 / float64(i/n+i%n+1)
	}
	return out
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.17g, want %.17g within %g", what, got, want, tolerance)
	}
}

func TestEigenBesideGonum(t *testing.T) {
	for _, n := range orders {
		for name, a := range map[string][]float64{"symmetric": symmetric(1, n), "gram": gram(random(2, n*n), n), "hilbert": hilbert(n)} {
			var want mat.EigenSym
			if !want.Factorize(mat.NewSymDense(n, slices.Clone(a)), false) {
				t.Fatal("gonum has no values")
			}
			wanted := want.Values(nil)
			x := identity(n)
			values, ok := Eigen(slices.Clone(a), x, n)
			if !ok {
				t.Fatalf("%s of order %d: no values", name, n)
			}
			most := max(math.Abs(wanted[0]), math.Abs(wanted[n-1]))
			for k, value := range values { // A·v = λ·v: row k of V' is v'
				v := x[k*n:][:n]
				within(t, "length", dot(v, v), 1, 1e-13)
				for i := range n {
					within(t, fmt.Sprintf("%s, order %d: A·v", name, n), dot(a[i*n:][:n], v), value*v[i], 1e-12*most)
				}
			}
			slices.Sort(values)
			for k := range values {
				within(t, fmt.Sprintf("%s, order %d: value %d", name, n, k), values[k], wanted[k], 1e-12*most)
			}
		}
	}
}

// The second difference has the eigenvalues 2 − 2cos(πk/(n+1)); a matrix of ones has n once
// and 0 otherwise; a diagonal matrix its diagonal, and x stays as it is.
func TestEigenKnown(t *testing.T) {
	const n = 40
	second, ones := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		second[i*n+i] = 2
		if i > 0 {
			second[i*n+i-1], second[(i-1)*n+i] = -1, -1
		}
		for j := range n {
			ones[i*n+j] = 1
		}
	}
	values, _ := Eigen(second, nil, n)
	slices.Sort(values)
	for k, v := range values {
		within(t, "second difference", v, 2-2*math.Cos(math.Pi*float64(k+1)/(n+1)), 1e-14)
	}
	values, _ = Eigen(ones, nil, n)
	slices.Sort(values)
	within(t, "ones", values[n-1], n, 1e-13)
	for _, v := range values[:n-1] {
		within(t, "ones", v, 0, 1e-13)
	}
	x := []float64{4, 5, 6}
	values, ok := Eigen([]float64{3, 0, 0, 0, -1, 0, 0, 0, 2}, x, 3)
	if !ok || !slices.Equal(values, []float64{3, -1, 2}) || !slices.Equal(x, []float64{4, 5, 6}) {
		t.Errorf("a diagonal matrix: %v, %v, %v", values, x, ok)
	}
	if _, ok = Eigen([]float64{1, math.NaN(), math.NaN(), 1}, nil, 2); ok {
		t.Error("NaN has eigenvalues")
	}
	if values, ok = Eigen(nil, nil, 0); len(values) != 0 || !ok {
		t.Errorf("order 0: %v, %v", values, ok)
	}
}

// Rounding moves the smallest singular value by some n·2⁻⁵² of the largest, in any order of
// operations: so far the two may differ.
func TestConditionBesideGonum(t *testing.T) {
	for _, n := range orders {
		graded := random(3, n*n)
		for i := range graded {
			graded[i] *= math.Pow(10, -4*float64(i%n)/float64(n))
		}
		for name, a := range map[string][]float64{"random": random(4, n*n), "graded": graded, "symmetric": symmetric(5, n)} {
			var svd mat.SVD
			if !svd.Factorize(mat.NewDense(n, n, slices.Clone(a)), mat.SVDNone) {
				t.Fatal("gonum has no values")
			}
			want := svd.Cond()
			got := Condition(slices.Clone(a), n)
			within(t, fmt.Sprintf("%s of order %d", name, n), got, want, want*(1e-14+1e-15*want))
		}
	}
}

// Hilbert's matrices as float64 have them (Python's decimal at 60 digits: power iterations on
// the matrix and its inverse), one of order 2 by hand, and what is orthogonal.
func TestConditionKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		a    []float64
		want float64
	}{
		{"one", []float64{-7}, 1},
		{"identity", identity(9), 1},
		{"diagonal", []float64{2, 0, 0, 0, -8, 0, 0, 0, 4}, 4},
		{"[1 1; 0 1]", []float64{1, 1, 0, 1}, (3 + math.Sqrt(5)) / 2},
		{"lower", []float64{1, 0, math.Sqrt(.5), math.Sqrt(.5)}, 1 + math.Sqrt2}, // columns of unit length at 45 degrees
		{"hilbert 3", hilbert(3), 524.05677758606225906},
		{"hilbert 6", hilbert(6), 14951058.641297266199},
	} {
		n := int(math.Sqrt(float64(len(c.a))))
		within(t, c.name, Condition(slices.Clone(c.a), n), c.want, c.want*(1e-15+2e-16*c.want))
	}
	if got := Condition([]float64{1, 1, 1, 1}, 2); got < 1e14 {
		t.Errorf("a singular matrix: %g", got)
	}
	if got := Condition(nil, 0); !math.IsNaN(got) {
		t.Errorf("order 0: %g", got)
	}
}

func TestSolveBesideGonum(t *testing.T) {
	for _, n := range orders {
		a := gram(random(6, n*n), n)
		for i := range n {
			a[i*n+i] += 1
		}
		b := random(7, 2*n)
		var chol mat.Cholesky
		if !chol.Factorize(mat.NewSymDense(n, slices.Clone(a))) {
			t.Fatal("gonum has no factor")
		}
		var want mat.Dense
		if err := chol.SolveTo(&want, mat.NewDense(n, 2, slices.Clone(b))); err != nil {
			t.Fatal(err)
		}
		if !Solve(a, b, n) {
			t.Fatalf("order %d: no solution", n)
		}
		for i, v := range b {
			within(t, fmt.Sprintf("order %d", n), v, want.At(i/2, i%2), 1e-12*(1+math.Abs(v)))
		}
	}
	for _, a := range [][]float64{{1, 1, 1, 1}, {1, 0, 0, -1}, {0}, {math.NaN()}} {
		if n := int(math.Sqrt(float64(len(a)))); Solve(slices.Clone(a), make([]float64, n), n) {
			t.Errorf("%v has an inverse", a)
		}
	}
}

// Beside gonum's, at orders that occur.
func BenchmarkCondition(b *testing.B) {
	for _, n := range []int{4, 50, 200} {
		a := random(8, n*n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				Condition(slices.Clone(a), n)
			}
		})
		b.Run(fmt.Sprintf("n=%d/gonum", n), func(b *testing.B) {
			for b.Loop() {
				var svd mat.SVD
				svd.Factorize(mat.NewDense(n, n, slices.Clone(a)), mat.SVDNone)
			}
		})
	}
}

func BenchmarkEigen(b *testing.B) {
	for _, n := range []int{4, 50, 256} {
		a := symmetric(9, n)
		for _, columns := range []int{1, n} {
			b.Run(fmt.Sprintf("n=%d/columns=%d", n, columns), func(b *testing.B) {
				for b.Loop() {
					Eigen(slices.Clone(a), make([]float64, n*columns), n)
				}
			})
		}
		b.Run(fmt.Sprintf("n=%d/gonum", n), func(b *testing.B) {
			for b.Loop() {
				var eigen mat.EigenSym
				eigen.Factorize(mat.NewSymDense(n, slices.Clone(a)), true)
			}
		})
	}
}
