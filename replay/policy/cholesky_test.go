package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"banditaudit/replay/policy/bitexact"
)

// gram draws n contexts of length d whose coordinates differ in size, and
// returns V = λI + Σ xx' packed, and as gonum has it.
func gram(rng *rand.Rand, n, d int, lambda float64) (packedV []float64, v *mat.SymDense) {
	packedV, v = make([]float64, packed(d)), mat.NewSymDense(d, nil)
	for j := range d {
		packedV[packed(j)+j] = lambda
		v.SetSym(j, j, lambda)
	}
	x := make([]float64, d)
	for range n {
		for j := range x {
			x[j] = rng.NormFloat64() * math.Ldexp(1, j%4)
		}
		addSquare(packedV, x)
		v.SymRankOne(v, 1, mat.NewVecDense(d, x))
	}
	return packedV, v
}

// near fails unless got is want to 10⁻¹⁰ of scale.
func near(t *rapid.T, what string, got, want, scale float64) {
	if math.Abs(got-want) > 1e-10*scale {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

// Solutions, lengths and determinants are those of gonum/mat (v0.17.0, LAPACK
// dpotrf and dpotrs) to ten digits.
func TestCholeskyEqualsGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 12).Draw(t, "d")
		n := rapid.IntRange(0, 60).Draw(t, "n")
		lambda := rapid.Float64Range(0.1, 10).Draw(t, "lambda")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		v, dense := gram(rng, n, d, lambda)
		var peer mat.Cholesky
		if !peer.Factorize(dense) {
			t.Fatal("gonum does not factor it")
		}
		l := make([]float64, packed(d))
		growth := factor(l, v, make([]float64, d), lambda)
		near(t, "ln det", growth, peer.LogDet()-float64(d)*math.Log(lambda), 1+math.Abs(growth))

		b := make([]float64, d)
		for j := range b {
			b[j] = rng.NormFloat64()
		}
		var want mat.VecDense
		if err := peer.SolveVecTo(&want, mat.NewVecDense(d, b)); err != nil {
			t.Fatal(err)
		}
		z, x := make([]float64, d), make([]float64, d)
		forward(l, b, z)
		norm := length(l, z)
		back(l, z, x)
		size := mat.Norm(&want, 2)
		for j := range x {
			near(t, "V⁻¹b", x[j], want.AtVec(j), size)
		}
		near(t, "b'V⁻¹b", norm, mat.Dot(&want, mat.NewVecDense(d, b)), norm)

		back(l, z, z)
		for j := range x {
			if z[j] != x[j] {
				t.Fatal("back in place differs")
			}
		}
	})
}

// The factor is that of the textbook, element by element in the order that its
// comment gives: working on four rows at a time changes no bit.
func TestFactorIsTheFormula(t *testing.T) {
	for d := 1; d < 14; d++ {
		rng := rand.New(rand.NewPCG(uint64(d), 2))
		v, _ := gram(rng, 20, d, 1)
		l, b, z := make([]float64, packed(d)), make([]float64, d), make([]float64, d)
		growth := factor(l, v, z, 1)
		for j := range b {
			b[j] = rng.NormFloat64()
		}
		forward(l, b, z)

		at := func(i, j int) int { return packed(i) + j }
		want, product, y := make([]float64, packed(d)), 1.0, make([]float64, d)
		for i := range d {
			squares, c := 0.0, make([]float64, i)
			for j := range i {
				c[j] = v[at(i, j)]
				for k := range j {
					c[j] -= float64(want[at(j, k)] * c[k])
				}
				want[at(i, j)] = c[j] * want[at(j, j)]
				squares += float64(c[j] * want[at(i, j)])
			}
			product *= v[at(i, i)] - squares
			want[at(i, i)] = 1 / (v[at(i, i)] - squares)
			y[i] = b[i]
			for j := range i {
				y[i] -= float64(want[at(i, j)] * y[j])
			}
		}
		for i := range want {
			if l[i] != want[i] {
				t.Fatalf("d = %d: element %d is %v, want %v", d, i, l[i], want[i])
			}
		}
		for i := range y {
			if z[i] != y[i] {
				t.Fatalf("d = %d: L⁻¹b has %v at %d, want %v", d, z[i], i, y[i])
			}
		}
		if growth != bitexact.Ln(product) {
			t.Errorf("d = %d: ln det is %v, want %v", d, growth, bitexact.Ln(product))
		}
	}
}

// A determinant far above the largest float64 has a logarithm all the same.
func TestFactorOfHugeDeterminant(t *testing.T) {
	const d = 40
	v, l := make([]float64, packed(d)), make([]float64, packed(d))
	for j := range d {
		v[packed(j)+j] = 1e30
	}
	want := d * (30 - -10) * math.Ln10
	if got := factor(l, v, make([]float64, d), 1e-10); math.Abs(got-want) > 1e-12*want {
		t.Errorf("ln(det V/λ^d) = %v, want %v", got, want)
	}
}

// Where contexts are collinear and λ is lost in rounding, pivots stay above
// it and every result is finite.
func TestFactorOfCollinearContexts(t *testing.T) {
	for _, lambda := range []float64{1e-60, 1e-20, 1} {
		const d = 6
		v, l := make([]float64, packed(d)), make([]float64, packed(d))
		for j := range d {
			v[packed(j)+j] = lambda
		}
		x := []float64{1, 2, 3, 1e8, 1e-8, 7}
		for range 1000 {
			addSquare(v, x)
		}
		z := make([]float64, d)
		growth := factor(l, v, z, lambda)
		forward(l, x, z)
		norm := length(l, z)
		if !(growth > 0 && growth < 1e4) || !(norm > 0 && norm < 1) {
			t.Errorf("λ = %v: ln det %v, ‖x‖² = %v", lambda, growth, norm)
		}
	}
}
