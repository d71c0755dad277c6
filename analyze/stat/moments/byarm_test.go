package moments

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// interleave writes columns row after row.
func interleave(x [][]float64, n int) []float64 {
	flat := make([]float64, 0, n*len(x))
	for t := range n {
		for _, col := range x {
			flat = append(flat, col[t])
		}
	}
	return flat
}

// Rows of lists give the same bytes as columns, for few arms and for more arms
// than rows.
func TestByArmAddRows(t *testing.T) {
	for _, arms := range []int{1, 3, 200, 20_000} {
		for p := range 5 {
			x, y := table(uint64(p), 9000, p, 1e6)
			arm := make([]int32, len(y))
			r := rand.New(rand.NewPCG(7, uint64(arms)))
			for i := range arm {
				arm[i] = int32(r.IntN(arms+1)) - 1
			}
			columns, rows := make([]*Cross, arms), make([]*Cross, arms)
			for a := range arms {
				if a != 1 { // no accumulator: skipped
					columns[a], rows[a] = NewCross(p), NewCross(p)
				}
			}
			if err := errors.Join(AddByArm(columns, arm, x, y), NewByArm(rows).AddRows(arm, interleave(x, len(y)), y)); err != nil {
				t.Fatal(err)
			}
			for a := range arms {
				if a != 1 && !sameBits(columns[a], rows[a]) {
					t.Fatalf("%d covariates, arm %d: columns %+v, rows %+v", p, a, columns[a], rows[a])
				}
			}
		}
	}
}

func TestByArmAddRowsRefusals(t *testing.T) {
	dst := []*Cross{NewCross(2), nil}
	if err := NewByArm(dst).AddRows([]int32{0, 2}, []float64{1, 2, 3, 4}, []float64{1, 2}); err == nil || dst[0].N() != 0 {
		t.Errorf("an arm that does not exist must be refused whole, got %v and %d rows", err, dst[0].N())
	}
	if err := NewByArm(dst[1:]).AddRows([]int32{0}, []float64{1, 2, 3}, []float64{1}); err != nil {
		t.Errorf("no accumulator: %v", err)
	}
	if err := NewByArm(dst).AddRows(nil, nil, nil); err != nil || dst[0].N() != 0 {
		t.Errorf("no rows: %v", err)
	}
	for name, call := range map[string]func(){
		"values":     func() { _ = NewByArm(dst).AddRows([]int32{0}, []float64{1}, []float64{1}) },
		"arms":       func() { _ = NewByArm(dst).AddRows(nil, []float64{1, 2}, []float64{1}) },
		"covariates": func() { NewByArm([]*Cross{NewCross(1), NewCross(2)}) },
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

// An index outside the columns must not reach the assembly, which does not look.
func TestAddBlockRefusesRows(t *testing.T) {
	for _, row := range []int32{-1, 3} {
		func() {
			defer func() {
				if recover() != badRow {
					t.Errorf("row %d of 3 must panic", row)
				}
			}()
			NewCross(1).AddBlock([][]float64{{1, 2, 3}}, []float64{1, 2, 3}, []int32{0, 1, 2, row})
		}()
	}
}

// One outlier that comes first must not cost the products their digits: a tile
// is centred about its own mean before anything is squared, not about its first
// row.
func TestOutlierFirst(t *testing.T) {
	x, y := table(3, 5000, 2, 0)
	x[0][0], y[0] = 1e6, -1e5
	c := NewCross(2)
	c.AddBlock(x, y, nil)
	all := columns(x, y)
	for i := range all {
		_, mi := exactMoments(all[i])
		for j := range i + 1 {
			_, mj := exactMoments(all[j])
			if want := exactProduct(all[i], all[j]); math.Abs(c.Product(i, j)-want) > 2e-14*math.Sqrt(mi*mj) {
				t.Errorf("product (%d, %d) is %.17g, exactly %.17g", i, j, c.Product(i, j), want)
			}
		}
	}
}

// Working memory that is used again leaves nothing behind, also when a chunk is
// larger than those before.
func TestByArmAgain(t *testing.T) {
	x, y := table(4, 12_000, 3, 10)
	arm := make([]int32, len(y))
	for i := range arm {
		arm[i] = int32(i*i%7) - 1
	}
	fresh, again := []*Cross{NewCross(3), NewCross(3), nil, NewCross(3)}, []*Cross{NewCross(3), NewCross(3), nil, NewCross(3)}
	s := NewByArm(again)
	for i := range arm {
		arm[i] = min(arm[i], 3)
	}
	for _, cut := range [][2]int{{0, 5}, {5, 5}, {5, 900}, {900, 901}, {901, 11_000}, {11_000, 12_000}} {
		from, to := cut[0], cut[1]
		part := [][]float64{x[0][from:to], x[1][from:to], x[2][from:to]}
		if err := errors.Join(AddByArm(fresh, arm[from:to], part, y[from:to]), s.Add(arm[from:to], part, y[from:to])); err != nil {
			t.Fatal(err)
		}
	}
	for a, c := range fresh {
		if c != nil && (c.N() == 0 || !sameBits(c, again[a])) {
			t.Errorf("arm %d: fresh %+v, again %+v", a, c, again[a])
		}
	}
}
