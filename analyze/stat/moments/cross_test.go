package moments

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// table makes n rows of p covariates and a response with a common offset.
func table(seed uint64, n, p int, offset float64) (x [][]float64, y []float64) {
	r := rand.New(rand.NewPCG(seed, 3))
	x, y = make([][]float64, p), make([]float64, n)
	for j := range x {
		x[j] = make([]float64, n)
	}
	for t := range n {
		y[t] = offset + r.NormFloat64()
		for j := range x {
			x[j][t] = offset + r.NormFloat64() + 0.3*(y[t]-offset)
		}
	}
	return x, y
}

// exactProduct is the centred cross-product in 300-bit arithmetic.
func exactProduct(u, v []float64) float64 {
	bf := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	n, su, sv, suv := bf(float64(len(u))), bf(0), bf(0), bf(0)
	for t := range u {
		su.Add(su, bf(u[t]))
		sv.Add(sv, bf(v[t]))
		suv.Add(suv, new(big.Float).SetPrec(300).Mul(bf(u[t]), bf(v[t])))
	}
	su.Mul(su, sv)
	suv.Sub(suv, su.Quo(su, n))
	f, _ := suv.Float64()
	return f
}

func columns(x [][]float64, y []float64) [][]float64 { return append(append([][]float64{}, x...), y) }

func checkCross(t interface {
	Helper()
	Errorf(format string, a ...any)
}, c *Cross, x [][]float64, y []float64, tol float64,
) {
	t.Helper()
	if int(c.N()) != len(y) || c.P() != len(x) {
		t.Errorf("N = %d, P = %d, want %d, %d", c.N(), c.P(), len(y), len(x))
		return
	}
	all := columns(x, y)
	for i := range all {
		mean, m2 := exactMoments(all[i])
		if !near(c.Mean(i), mean, 4e-16) && math.Abs(c.Mean(i)-mean) > 1e-15 {
			t.Errorf("mean of variable %d is %.17g, exactly %.17g", i, c.Mean(i), mean)
		}
		for j := range i + 1 {
			want := exactProduct(all[i], all[j])
			_, mj := exactMoments(all[j])
			if math.Abs(c.Product(i, j)-want) > tol*math.Sqrt(m2*mj) || c.Product(i, j) != c.Product(j, i) {
				t.Errorf("product (%d, %d) is %.17g, exactly %.17g", i, j, c.Product(i, j), want)
			}
		}
	}
}

// Sizes on both sides of tile and sorting blocks, near 0 and far from it.
func TestCrossExact(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 1000, 4097} {
		for _, offset := range []float64{0, 1e6, -1e9} {
			x, y := table(uint64(n), n, 3, offset)
			c := NewCross(3)
			c.AddBlock(x, y, nil)
			checkCross(t, c, x, y, 2e-14)
		}
	}
}

// Any number of covariates: the kernel works on columns in groups of four.
func TestCrossWidths(t *testing.T) {
	for p := range 10 {
		x, y := table(uint64(p), 150, p, 5)
		c := NewCross(p)
		c.AddBlock(x, y, nil)
		checkCross(t, c, x, y, 1e-14)
	}
}

func TestCrossSpecial(t *testing.T) {
	c := NewCross(2)
	if !math.IsNaN(c.Mean(0)) || c.Product(0, 1) != 0 {
		t.Error("an empty Cross must have no mean and no products")
	}
	c.AddBlock([][]float64{{}, {}}, nil, nil)
	c.AddBlock([][]float64{{1}, {2}}, []float64{3}, []int32{})
	c.Merge(NewCross(2))
	if c.N() != 0 {
		t.Errorf("nothing was added, got %d rows", c.N())
	}
	constant := make([]float64, 5000)
	for i := range constant {
		constant[i] = 0.1
	}
	x, _ := table(1, 5000, 1, 0)
	e := NewCross(2)
	e.AddBlock([][]float64{x[0], constant}, constant, nil)
	if e.Product(1, 1) != 0 || e.Product(0, 1) != 0 || e.Mean(1) != 0.1 {
		t.Errorf("a constant column must have no spread at all: %g %g %.17g", e.Product(1, 1), e.Product(0, 1), e.Mean(1))
	}
	if shift, offset := e.Center(1); shift != 0.1 || offset != 0 {
		t.Errorf("center %g + %g", shift, offset)
	}
}

func TestCrossPick(t *testing.T) {
	x, y := table(5, 300, 2, 7)
	var pick []int32
	own := [][]float64{nil, nil, nil}
	for i := 0; i < 300; i += 3 {
		pick = append(pick, int32(i))
		own[0], own[1], own[2] = append(own[0], x[0][i]), append(own[1], x[1][i]), append(own[2], y[i])
	}
	c := NewCross(2)
	c.AddBlock(x, y, pick)
	checkCross(t, c, own[:2], own[2], 1e-14)
}

// Merging is associative up to rounding, and exact when one side is empty.
func TestCrossMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.SampledFrom([]float64{0, 1e6}).Draw(t, "offset")
		part := func(name string) (*Cross, [][]float64, []float64) {
			x, y := table(rapid.Uint64().Draw(t, name), rapid.IntRange(0, 100).Draw(t, name+" rows"), 2, offset)
			c := NewCross(2)
			c.AddBlock(x, y, nil)
			return c, x, y
		}
		a, ax, ay := part("a")
		b, bx, by := part("b")
		c, cx, cy := part("c")
		left, right, late := NewCross(2), NewCross(2), NewCross(2)
		for _, m := range []*Cross{a, b, c} {
			left.Merge(m)
		}
		late.Merge(b)
		late.Merge(c)
		right.Merge(a)
		right.Merge(late)
		x := [][]float64{append(append(append([]float64{}, ax[0]...), bx[0]...), cx[0]...), append(append(append([]float64{}, ax[1]...), bx[1]...), cx[1]...)}
		y := append(append(append([]float64{}, ay...), by...), cy...)
		if len(y) == 0 {
			return
		}
		checkCross(t, left, x, y, 1e-13)
		checkCross(t, right, x, y, 1e-13)
	})
}

// The same chunks in the same order give the same bytes, and other chunks the
// same numbers to 13 digits.
func TestCrossChunks(t *testing.T) {
	x, y := table(9, 20_000, 3, 1e6)
	arm := make([]int32, len(y))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range arm {
		arm[i] = int32(r.IntN(3))
	}
	fold := func(size int) []*Cross {
		total := []*Cross{NewCross(3), NewCross(3), NewCross(3)}
		for start := 0; start < len(y); start += size {
			end := min(start+size, len(y))
			part := []*Cross{NewCross(3), NewCross(3), NewCross(3)}
			sub := [][]float64{x[0][start:end], x[1][start:end], x[2][start:end]}
			if err := AddByArm(part, arm[start:end], sub, y[start:end]); err != nil {
				t.Fatal(err)
			}
			for a := range total {
				total[a].Merge(part[a])
			}
		}
		return total
	}
	one, two, other := fold(6000), fold(6000), fold(777)
	for a := range one {
		for i := range 4 {
			for j := range i + 1 {
				p, q, r := one[a].Product(i, j), two[a].Product(i, j), other[a].Product(i, j)
				if p != q {
					t.Fatalf("the same chunks gave %.17g and %.17g", p, q)
				}
				if math.Abs(p-r) > 1e-13*math.Sqrt(one[a].Product(i, i)*one[a].Product(j, j)) {
					t.Fatalf("other chunks gave %.17g, not %.17g", r, p)
				}
			}
		}
	}
}

func TestAddByArm(t *testing.T) {
	x, y := table(11, 9000, 2, 3)
	arm := make([]int32, len(y))
	r := rand.New(rand.NewPCG(2, 1))
	for i := range arm {
		arm[i] = int32(r.IntN(5)) - 1 // -1 is left out
	}
	dst := []*Cross{NewCross(2), nil, NewCross(2), NewCross(2)}
	if err := AddByArm(dst, arm, x, y); err != nil {
		t.Fatal(err)
	}
	for a, c := range dst {
		if c == nil {
			continue
		}
		own := [][]float64{nil, nil, nil}
		for i := range y {
			if int(arm[i]) == a {
				own[0], own[1], own[2] = append(own[0], x[0][i]), append(own[1], x[1][i]), append(own[2], y[i])
			}
		}
		checkCross(t, c, own[:2], own[2], 1e-14)
	}
}

func TestCrossRefusals(t *testing.T) {
	dst := []*Cross{NewCross(1)}
	err := AddByArm(dst, []int32{0, 0, 4}, [][]float64{{1, 2, 3}}, []float64{1, 2, 3})
	if err == nil || !strings.Contains(err.Error(), "row 2") || dst[0].N() != 0 {
		t.Errorf("an arm that does not exist must be refused whole, got %v and %d rows", err, dst[0].N())
	}
	for name, call := range map[string]func(){
		"columns":       func() { NewCross(2).AddBlock([][]float64{{1}}, []float64{1}, nil) },
		"column length": func() { NewCross(1).AddBlock([][]float64{{1}}, []float64{1, 2}, nil) },
		"arms":          func() { _ = AddByArm(dst, []int32{0}, [][]float64{{1, 2}}, []float64{1, 2}) },
		"merge":         func() { NewCross(1).Merge(NewCross(2)) },
	} {
		func() {
			defer func() {
				if recover() != badLength {
					t.Errorf("%s: unequal lengths must panic", name)
				}
			}()
			call()
		}()
	}
}
