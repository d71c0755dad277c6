package regress

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/moments"
)

func (d dataset) influence(m *Model, tau []float64, limit int) Bounds {
	s := NewInfluence(m, limit)
	s.AddBlock(d.x, tau, nil)
	return s.Bounds()
}

func filled(n int, v float64) []float64 {
	out := make([]float64, n)
	fill(out, v)
	return out
}

// counterExample has n rows with contexts (1/√2, ±1/√(2n)) and then, when the
// policy has chosen by the signs, one of (1/√2, 1/√2).
func counterExample(n int) dataset {
	d := dataset{names: []string{"a", "b"}, x: [][]float64{filled(n+1, math.Sqrt(.5)), make([]float64, n+1)}}
	for i := range n {
		d.x[1][i] = math.Sqrt(.5/float64(n)) * float64(1-2*(i%2))
	}
	d.x[1][n] = math.Sqrt(.5)
	d.y = filled(n+1, .5)
	return d
}

// The counter-example to the contextual bound of Neel & Roth 2018: rewards are
// Bernoulli(½) and the last action depends on Σ ±y so that each row's expected
// reward, given the actions, is ½ ± ½·tanh(ε/2). The bias of the prediction at
// the last context then is ½·tanh(ε/2)·Σ|h| = 1.2614 for n = 10⁴ and ε = .1,
// where e^ε − 1 = .1052 was claimed for every prediction; the root mean square
// over the rows is .017839. The bounds here are that with tanh(ε/4) for
// ½·tanh(ε/2), which is the largest shift at any mean.
func TestInfluenceCounterExample(t *testing.T) {
	const eps = .1
	_, half := bias.Shift(eps, .5)
	if digits(half, math.Tanh(eps/2)/2) < 14 {
		t.Fatalf("the shift of a Bernoulli(½) reward is %g", half)
	}
	for _, r := range []struct {
		n                    int
		sum, bias, rms, unit float64
	}{{100, 5.4776, .1368, .019365, 1e-6}, {1000, 16.3037, .4073, .018216, 1e-6}, {10000, 50.4975, 1.2614, .017839, 1e-6}} {
		d := counterExample(r.n)
		m := d.fit(false)
		attained := d.influence(m, filled(r.n+1, half), 3)
		bound := d.influence(m, filled(r.n+1, math.Tanh(eps/4)), 3)
		if attained.Contexts != 3 || attained.Form != WorstExact {
			t.Errorf("n = %d: %d contexts, %s", r.n, attained.Contexts, attained.Form)
		}
		if math.Abs(attained.Worst-r.bias) > 5.01e-5 || math.Abs(attained.Worst/half-r.sum) > 5.01e-5 {
			t.Errorf("n = %d: worst bias %.6f, Σ|h| = %.5f, printed %g and %g", r.n, attained.Worst, attained.Worst/half, r.bias, r.sum)
		}
		if r.n == 10000 && math.Abs(attained.MaxLeverage-.500025) > 5e-7 {
			t.Errorf("leverage %.7f, printed .500025", attained.MaxLeverage)
		}
		if rms := d.biasOf(m, half); math.Abs(rms-r.rms) > r.unit/2*1.01 || rms > bound.RMS || math.Abs(bound.RMS-math.Tanh(eps/4)) > 1e-12 {
			t.Errorf("n = %d: the root mean square is %.7f, printed %g, bound %.7f", r.n, rms, r.rms, bound.RMS)
		}
		if bound.Worst < attained.Worst || bound.Worst > 1.001*attained.Worst {
			t.Errorf("n = %d: bound %.6f of an attained bias %.6f", r.n, bound.Worst, attained.Worst)
		}
		if long := d.influence(m, filled(r.n+1, half), 2); long.Form != WorstLeverage || long.Contexts != -1 || long.Worst < attained.Worst {
			t.Errorf("n = %d: by leverage %.6f (%s, %d contexts), exactly %.6f", r.n, long.Worst, long.Form, long.Contexts, attained.Worst)
		}
	}
}

// biasOf is the root mean square over the rows of the biases of predictions when
// every row's response is shifted by ±shift, with the sign of its part in the
// last row's prediction.
func (d dataset) biasOf(m *Model, shift float64) float64 {
	n := len(d.y)
	x := designMatrix(d, m.Intercept)
	var gram, inverse, last, h, b mat.Dense
	gram.Mul(x.T(), x)
	if err := inverse.Inverse(&gram); err != nil {
		panic(err)
	}
	last.Mul(x.Slice(n-1, n, 0, m.Rank), &inverse)
	h.Mul(&last, x.T())
	shifted := dataset{names: d.names, x: d.x, y: make([]float64, n)}
	for i := range shifted.y {
		shifted.y[i] = math.Copysign(shift, h.At(0, i))
	}
	b.Mul(&inverse, x.T())
	var slope, predicted mat.VecDense
	slope.MulVec(&b, mat.NewVecDense(n, shifted.y))
	predicted.MulVec(x, &slope)
	return math.Sqrt(mat.Dot(&predicted, &predicted) / float64(n))
}

// Against the definition, with every weight from a QR decomposition, for rows
// that repeat contexts, in any parts.
func TestInfluenceProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 6).Draw(t, "p")
		n := rapid.IntRange(p+2, 300).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		d := random(r.Uint64(), n, p)
		few := rapid.IntRange(p+2, 3*n).Draw(t, "contexts")
		offset := rapid.SampledFrom([]float64{0, 1e6}).Draw(t, "offset")
		for i := range n {
			from := i % few // rows beyond repeat the context of an earlier one
			for j := range d.x {
				if d.x[j][i] += offset; i != from {
					d.x[j][i] = d.x[j][from]
				}
			}
		}
		tau := make([]float64, n)
		for i := range tau {
			tau[i] = r.Float64()
		}
		m := d.fit(offset > 0 || rapid.Bool().Draw(t, "intercept"))
		total := NewInfluence(m, n)
		for from := 0; from < n; {
			to := min(n, from+rapid.IntRange(1, 200).Draw(t, "rows"))
			x := make([][]float64, p)
			for j := range x {
				x[j] = d.x[j][from:to]
			}
			part := total.Part()
			part.AddBlock(x, tau[from:to], nil)
			total.Merge(part)
			from = to
		}
		d.checkBounds(t, m, tau, total.Bounds(), min(n, few), offset)
	})
}

func (d dataset) checkBounds(t *rapid.T, m *Model, tau []float64, got Bounds, contexts int, offset float64) {
	moved := dataset{names: d.names, y: d.y, x: make([][]float64, len(d.x))} // for the reference's sake
	for j, col := range d.x {
		for _, v := range col {
			moved.x[j] = append(moved.x[j], v-offset)
		}
	}
	n, w := len(d.y), moved.weights(m)
	first := 0
	if offset > 0 {
		first = 1 // the intercept is another one
	}
	tolerance := 1e-7 * m.ConditionNumber / (1 + offset)
	for j := first; j < m.Rank; j++ {
		want := 0.0
		for i := range n {
			want += math.Abs(w.At(j, i)) * tau[i]
		}
		if math.Abs(got.Coefficients[j]-want) > tolerance*want {
			t.Fatalf("%s: %g, by the definition %g", m.Kept[j], got.Coefficients[j], want)
		}
	}
	var h mat.Dense
	h.Mul(designMatrix(moved, m.Intercept), w)
	worst, squares, leverage := 0.0, 0.0, 0.0
	for k := range n {
		sum := 0.0
		for i := range n {
			sum += math.Abs(h.At(k, i)) * tau[i]
		}
		worst, leverage = max(worst, sum), max(leverage, h.At(k, k))
		squares += tau[k] * tau[k]
	}
	if math.Abs(got.Worst-worst) > tolerance*worst || got.Form != WorstExact || int(got.Contexts) != contexts {
		t.Fatalf("worst %g (%s, %d contexts), by the definition %g of %d", got.Worst, got.Form, got.Contexts, worst, contexts)
	}
	if math.Abs(got.RMS-math.Sqrt(squares/float64(n))) > 1e-12 || math.Abs(got.MaxLeverage-leverage) > tolerance {
		t.Fatalf("root mean square %g, leverage %g, by the definition %g", got.RMS, got.MaxLeverage, leverage)
	}
	if root := math.Sqrt(leverage * squares); worst > root*(1+tolerance) {
		t.Fatalf("the worst, %g, is above the form by leverage, %g", worst, root)
	}
}

// The mean of an arm is a regression on the intercept only: the bounds are one
// and the same.
func TestInfluenceOfMean(t *testing.T) {
	d := random(31, 40, 0)
	tau := make([]float64, 40)
	var levels []bias.Level
	for i := range tau {
		c := float64(i) / 10
		tau[i] = math.Tanh(c / 4)
		levels = append(levels, bias.Level{Cost: c, Rows: 1})
	}
	got, want := d.influence(d.fit(true), tau, 1), bias.ArmMean(levels)
	if digits(got.Coefficients[0], want) < 14 || digits(got.Worst, want) < 14 || got.Contexts != 1 {
		t.Errorf("%+v, want %g", got, want)
	}
}

func TestInfluenceSpecial(t *testing.T) {
	nan := math.IsNaN
	d := random(32, 600, 2)
	m := d.fit(true)
	t.Run("no rows", func(t *testing.T) {
		got := NewInfluence(Fit(moments.NewCross(1), []string{"a"}, true), 5).Bounds()
		if len(got.Coefficients) != 0 || !nan(got.RMS) || !nan(got.Worst) || len(got.Warnings) != 0 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no columns", func(t *testing.T) {
		none := random(33, 20, 0)
		if got := none.influence(none.fit(false), filled(20, .1), 5); got.Worst != 0 || got.RMS != 0 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("other rows", func(t *testing.T) {
		s := NewInfluence(m, 600)
		s.AddBlock(d.x, filled(600, .1), []int32{1, 5})
		if got := s.Bounds(); !nan(got.Worst) || !nan(got.RMS) || !nan(got.Coefficients[1]) || len(got.Warnings) != 1 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("τ outside", func(t *testing.T) {
		for _, v := range []float64{math.NaN(), -.1, 1.1} {
			tau := filled(600, .1)
			tau[17] = v
			got := d.influence(m, tau, 5)
			if !nan(got.Worst) || !nan(got.RMS) || !nan(got.Coefficients[1]) || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "1 rows") {
				t.Errorf("%g: %+v", v, got)
			}
		}
	})
	t.Run("no cost", func(t *testing.T) {
		if got := d.influence(m, make([]float64, 600), 600); got.Worst != 0 || got.RMS != 0 || got.Coefficients[0] != 0 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("signed zeros are one context", func(t *testing.T) {
		z := random(34, 30, 1)
		z.x[0] = filled(30, 0)
		z.x[0][3], z.x[0][4] = math.Copysign(0, -1), 1
		if got := z.influence(z.fit(true), filled(30, .1), 5); got.Contexts != 2 {
			t.Errorf("%d contexts, want 2", got.Contexts)
		}
	})
	t.Run("a dropped column", func(t *testing.T) {
		twice := dataset{names: []string{"a", "2a", "b"}, x: [][]float64{d.x[0], scaled(d.x[0], 2), d.x[1]}, y: d.y}
		got, want := twice.influence(twice.fit(true), filled(600, .1), 600), d.influence(m, filled(600, .1), 600)
		if got.Contexts != want.Contexts || digits(got.Worst, want.Worst) < 12 || digits(got.Coefficients[2], want.Coefficients[2]) < 12 {
			t.Errorf("%+v, without the column %+v", got, want)
		}
	})
}

// Whether the contexts are too many does not depend on how rows are cut.
func TestInfluenceLimit(t *testing.T) {
	d := random(35, 900, 2)
	m, tau := d.fit(true), filled(900, .2)
	whole := d.influence(m, tau, 500)
	total := NewInfluence(m, 500)
	for from := 0; from < 900; from += 300 {
		part := total.Part()
		part.AddBlock([][]float64{d.x[0][from : from+300], d.x[1][from : from+300]}, tau[from:from+300], nil)
		total.Merge(part)
	}
	if got := total.Bounds(); got.Form != WorstLeverage || whole.Form != WorstLeverage || digits(got.Worst, whole.Worst) < 12 {
		t.Errorf("%+v in parts, %+v in one", got, whole)
	}
	if got := d.influence(m, tau, 900); got.Form != WorstExact || got.Contexts != 900 || got.Worst > whole.Worst {
		t.Errorf("%+v, by leverage %g", got, whole.Worst)
	}
}

func TestContextLimit(t *testing.T) {
	for _, r := range []struct{ models, columns, want int }{
		{1, 11, 10000}, {10, 11, 10000}, {0, 0, 10000}, {20, 11, 10000}, {1000, 11, 381}, {5000, 100, 8}, {1, 1024, 4096},
	} {
		if got := ContextLimit(r.models, r.columns); got != r.want {
			t.Errorf("%d models of %d columns: %d, want %d", r.models, r.columns, got, r.want)
		}
	}
}

func TestInfluenceByArm(t *testing.T) {
	const n = 5000
	d := random(36, n, 2)
	arm, tau := make([]int32, n), make([]float64, n)
	for i := range arm {
		arm[i], tau[i] = int32(i%4)-1, float64(i%10)/10 // −1 is left out
	}
	cross := []*moments.Cross{moments.NewCross(2), nil, moments.NewCross(2)}
	if err := moments.AddByArm(cross, arm, d.x, d.y); err != nil {
		t.Fatal(err)
	}
	dst := make([]*Influence, 3)
	for _, a := range []int{0, 2} {
		dst[a] = NewInfluence(Fit(cross[a], d.names, true), n)
	}
	if err := AddInfluenceByArm(dst, arm, d.x, tau); err != nil {
		t.Fatal(err)
	}
	for _, a := range []int{0, 2} {
		alone := NewInfluence(dst[a].model, n)
		var pick []int32
		for i := range arm {
			if int(arm[i]) == a {
				pick = append(pick, int32(i))
			}
		}
		alone.AddBlock(d.x, tau, pick)
		got, want := dst[a].Bounds(), alone.Bounds()
		if len(got.Warnings) != 0 || digits(got.Worst, want.Worst) < 12 || digits(got.Coefficients[1], want.Coefficients[1]) < 12 || got.Contexts != want.Contexts {
			t.Errorf("arm %d: %+v, alone %+v", a, got, want)
		}
	}
	arm[7] = 3
	if err := AddInfluenceByArm(dst, arm, d.x, tau); err == nil || !strings.Contains(err.Error(), "row 7") {
		t.Errorf("an arm that does not exist must be refused with its row, got %v", err)
	}
}

// Errors and biases in one turn over the rows are those of two turns, to the bit, and
// without bounds on shifts those of bounds that are 0.
func TestBothByArm(t *testing.T) {
	const n = 3000
	d := random(37, n, 2)
	arm, tau := make([]int32, n), make([]float64, n)
	for i := range arm {
		arm[i], tau[i] = int32(i%3)-1, float64(i%10)/10 // −1 is left out
	}
	cross := []*moments.Cross{moments.NewCross(2), moments.NewCross(2)}
	if err := moments.AddByArm(cross, arm, d.x, d.y); err != nil {
		t.Fatal(err)
	}
	models := []*Model{Fit(cross[0], d.names, true), Fit(cross[1], d.names, true)}
	for _, r := range [][2][]float64{{tau, tau}, {nil, make([]float64, n)}} {
		errors, ownErrors := sandwiches(t, models, HC3), sandwiches(t, models, HC3)
		biases, ownBiases := influences(models, n), influences(models, n)
		if err := AddBothByArm(errors, biases, arm, d.x, d.y, r[0]); err != nil {
			t.Fatal(err)
		}
		if err := AddByArm(ownErrors, arm, d.x, d.y); err != nil {
			t.Fatal(err)
		}
		if err := AddInfluenceByArm(ownBiases, arm, d.x, r[1]); err != nil {
			t.Fatal(err)
		}
		for a := range models {
			if got, want := biases[a].Bounds(), ownBiases[a].Bounds(); !reflect.DeepEqual(got, want) || got.Contexts != n/3 {
				t.Errorf("arm %d: %+v, apart %+v", a, got, want)
			}
			if got, want := errors[a].Table(), ownErrors[a].Table(); !reflect.DeepEqual(got, want) {
				t.Errorf("arm %d: %+v, apart %+v", a, got, want)
			}
		}
	}
}
