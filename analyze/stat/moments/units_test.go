package moments

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// unit is the rewards of one unit, of two arms.
type unit [2][]float64

// someUnits makes units of 0 to 6 rows in either arm.
func someUnits(seed uint64, n int, offset float64) []unit {
	r := rand.New(rand.NewPCG(seed, 8))
	out := make([]unit, n)
	for i := range out {
		own := r.NormFloat64()
		for arm := range out[i] {
			for range r.IntN(7) {
				out[i][arm] = append(out[i][arm], offset+float64(arm)*0.5+own+r.NormFloat64())
			}
		}
	}
	return out
}

func addUnits(p *UnitPair, units []unit) {
	for _, u := range units {
		p.Add(int64(len(u[0])), lessShift(u[0], p.A.Shift), int64(len(u[1])), lessShift(u[1], p.B.Shift))
	}
}

func lessShift(y []float64, shift float64) float64 {
	s := 0.0
	for _, v := range y {
		s += v - shift
	}
	return s
}

// exactUnits holds the sums of units in 400-bit arithmetic.
type exactUnits struct{ mean, m2, influence [2]float64 }

func exactly(units []unit) exactUnits {
	bf := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	op := func() *big.Float { return new(big.Float).SetPrec(400) }
	sum := func(y []float64) *big.Float {
		s := bf(0)
		for _, v := range y {
			s.Add(s, bf(v))
		}
		return s
	}
	var means, rows, m2 [2]*big.Float
	influence := bf(0)
	for arm := range means {
		total, n := bf(0), 0
		for _, u := range units {
			total.Add(total, sum(u[arm]))
			n += len(u[arm])
		}
		rows[arm], m2[arm] = bf(float64(n)), bf(0)
		if n > 0 {
			means[arm] = op().Quo(total, rows[arm])
		}
	}
	for _, u := range units {
		var psi [2]*big.Float
		for arm := range psi {
			psi[arm] = bf(0)
			if len(u[arm]) > 0 {
				d := op().Sub(sum(u[arm]), op().Mul(bf(float64(len(u[arm]))), means[arm]))
				m2[arm].Add(m2[arm], op().Mul(d, d))
				psi[arm] = op().Quo(d, rows[arm])
			}
		}
		d := op().Sub(psi[0], psi[1])
		influence.Add(influence, op().Mul(d, d))
	}
	var e exactUnits
	for arm := range means {
		e.mean[arm] = math.NaN()
		if means[arm] != nil {
			e.mean[arm], _ = means[arm].Float64()
		}
		e.m2[arm], _ = m2[arm].Float64()
	}
	e.influence[0], _ = influence.Float64()
	return e
}

// checkUnits allows an error of tol beside the sums of squares about a shift
// that is off by 10.
func checkUnits(t interface {
	Helper()
	Errorf(format string, a ...any)
}, p *UnitPair, units []unit, tol float64,
) {
	t.Helper()
	e := exactly(units)
	n, owned, squares := [2]int64{}, [2]int64{}, [2]float64{}
	largest, either, cross := [2]int64{}, int64(0), 0.0
	for _, u := range units {
		for arm := range u {
			rows := int64(len(u[arm]))
			n[arm] += rows
			squares[arm] += float64(rows * rows)
			largest[arm] = max(largest[arm], rows)
			if rows > 0 {
				owned[arm]++
			}
		}
		cross += float64(len(u[0]) * len(u[1]))
		if len(u[0])+len(u[1]) > 0 {
			either++
		}
	}
	for arm, u := range []*Units{&p.A, &p.B} {
		if u.N != n[arm] || u.Count != owned[arm] || u.Squares != squares[arm] || u.Largest != largest[arm] {
			t.Errorf("arm %d: counts %+v", arm, u)
		}
		if n[arm] > 0 && math.Abs(u.Mean()-e.mean[arm]) > 1e-14+4e-16*math.Abs(e.mean[arm]) {
			t.Errorf("arm %d: mean %.17g, exactly %.17g", arm, u.Mean(), e.mean[arm])
		}
		if math.Abs(u.M2()-e.m2[arm]) > tol*(e.m2[arm]+100*squares[arm]) {
			t.Errorf("arm %d: M2 %.17g, exactly %.17g", arm, u.M2(), e.m2[arm])
		}
	}
	if p.Count != either || p.Cross != cross {
		t.Errorf("units of both: %d, %g, want %d, %g", p.Count, p.Cross, either, cross)
	}
	if n[0] == 0 || n[1] == 0 {
		return
	}
	scale := 0.0
	for arm := range n {
		scale += 100 * squares[arm] / float64(n[arm]*n[arm])
	}
	if math.Abs(p.Influence()-e.influence[0]) > tol*(e.influence[0]+scale) {
		t.Errorf("influence %.17g, exactly %.17g", p.Influence(), e.influence[0])
	}
}

// Far from 0, with the first reward, the mean and a value nearby as shift.
func TestUnitsExact(t *testing.T) {
	for _, offset := range []float64{0, 1e6, -1e9} {
		units := someUnits(3, 400, offset)
		e := exactly(units)
		for _, shift := range [][2]float64{{e.mean[0], e.mean[1]}, {offset, offset}, {offset + 3, offset - 2}} {
			p := UnitPair{A: Units{Shift: shift[0]}, B: Units{Shift: shift[1]}}
			addUnits(&p, units)
			checkUnits(t, &p, units, 1e-13)
			if d := p.Difference(); math.Abs(d-(e.mean[0]-e.mean[1])) > 4e-16*math.Abs(offset)+1e-14 {
				t.Errorf("difference %.17g, exactly %.17g", d, e.mean[0]-e.mean[1])
			}
		}
	}
}

func TestUnitsSpecial(t *testing.T) {
	var p UnitPair
	if !math.IsNaN(p.A.Mean()) || p.A.M2() != 0 || !math.IsNaN(p.Influence()) || !math.IsNaN(p.Difference()) {
		t.Errorf("empty: %g %g", p.A.Mean(), p.A.M2())
	}
	equal := Units{Shift: 1e6 + 0.1}
	drowned := Units{}
	for n := range int64(20) {
		equal.Add(n+1, 0)
		drowned.Add(n+1, float64(n+1)*0.1)
	}
	if equal.M2() != 0 || equal.Mean() != 1e6+0.1 || drowned.M2() != 0 {
		t.Errorf("equal rewards: M2 %g and %g, mean %.17g", equal.M2(), drowned.M2(), equal.Mean())
	}
	// Units whose two arms move together have no influence on the difference.
	for i := range 50 {
		p.Add(2, float64(i), 2, float64(i))
	}
	if p.Influence() != 0 || p.A.M2() == 0 {
		t.Errorf("influence %g, M2 %g", p.Influence(), p.A.M2())
	}
}

func BenchmarkUnitPair(b *testing.B) {
	var p UnitPair
	b.ReportAllocs()
	for b.Loop() {
		p.Add(2, 0.5, 1, 0.25)
	}
}
