package stratified

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/tail"
	"banditaudit/testdata/reference"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// sheet are the three batches of the formula sheet, 24.6: rows and ones of both arms.
func sheet() [][4]int { return [][4]int{{10, 6, 10, 4}, {14, 9, 6, 2}, {16, 10, 4, 1}} }

// labelsOf are rewards of 0 and 1 with their labels.
func labelsOf(table [4]int) Labels {
	var out Labels
	for arm := range 2 {
		for i := range table[2*arm] {
			y := 0.0
			if i < table[2*arm+1] {
				y = 1
			}
			out.Reward, out.First = append(out.Reward, y), append(out.First, arm == 0)
		}
	}
	return out
}

// scalars are the sums of the rewards of both arms.
func (l Labels) scalars() (out [2]moments.Scalar) {
	for i, y := range l.Reward {
		arm := 1
		if l.First[i] {
			arm = 0
		}
		out[arm].AddOne(y)
	}
	return out
}

func TestSheet(t *testing.T) {
	t.Parallel()
	var up, down Combination
	var bols Standardised
	p := []float64{.3281408993, .2167182663, .2167182663}
	c := []float64{4.3301270189, 4.0772642507, 3.5777087640}
	total := 0.0
	for b, table := range sheet() {
		l := labelsOf(table)
		greater, less := l.LogP(10_000, nil)
		near(t, "one-sided p of a batch", math.Exp(greater), p[b], 1e-9)
		up.Add(greater)
		down.Add(less)
		s := l.scalars()
		bols.Add(s[0], s[1])
		near(t, "c of a batch", bols.c-total, c[b], 1e-9)
		total = bols.c
	}
	near(t, "Fisher", up.Statistic(), 8.3452527080, 1e-9)
	near(t, "degrees of freedom", up.DF(), 6, 0)
	near(t, "p", math.Exp(up.LogP()), .2138844812, 1e-9)
	estimate, se := bols.Estimate()
	near(t, "estimate", estimate, .2894991735, 1e-9)
	near(t, "standard error", se, .1445170088, 1e-9)
	near(t, "Z", bols.Z(0), 2.0032186922, 1e-9)
	near(t, "p of Z", math.Exp(tail.LogNormalTwoSided(bols.Z(0))), .0451538202, 1e-9)
}

// TestSecondProgram holds all against scipy, mpmath and exact fractions
// (testdata/reference/batches.py, python3 batches.py > batches.csv).
func TestSecondProgram(t *testing.T) {
	t.Parallel()
	for _, row := range reference.Rows(t, "batches.csv", "fisher") {
		var up, down Combination
		for b := range int(row[0]) {
			n := row[1+4*b : 5+4*b]
			greater, less := labelsOf([4]int{int(n[0]), int(n[1]), int(n[2]), int(n[3])}).LogP(10_000, nil)
			up.Add(greater)
			down.Add(less)
		}
		got := []float64{up.Statistic(), up.LogP(), down.Statistic(), down.LogP()}
		for i, want := range row[len(row)-4:] {
			near(t, "Fisher's combination", got[i], want, 1e-10)
		}
	}
	for _, row := range reference.Rows(t, "batches.csv", "labels") {
		n := int(row[0])
		l := Labels{Reward: row[1 : n+1]}
		for _, first := range row[n+1 : 2*n+1] {
			l.First = append(l.First, first == 1)
		}
		greater, less := l.LogP(10_000, nil)
		near(t, "share above", math.Exp(greater), row[2*n+1], 1e-13)
		near(t, "share below", math.Exp(less), row[2*n+2], 1e-13)
	}
	for _, row := range reference.Rows(t, "batches.csv", "bols") {
		var bols Standardised
		var batch [2]moments.Scalar
		n := int(row[0])
		for i := range n {
			r := row[1+3*i : 4+3*i]
			batch[int(r[1])].AddOne(r[2])
			if i+1 == n || row[1+3*(i+1)] != r[0] {
				bols.Add(batch[0], batch[1])
				batch = [2]moments.Scalar{}
			}
		}
		estimate, se := bols.Estimate()
		want := row[3*n+1:]
		near(t, "estimate", estimate, want[0], 1e-10)
		near(t, "standard error", se, want[1], 1e-10)
		near(t, "Z of 0", bols.Z(0), want[2], 1e-10)
		near(t, "Z of 0.1", bols.Z(.1), want[3], 1e-10)
		near(t, "p", math.Exp(tail.LogNormalTwoSided(bols.Z(0))), want[4], 1e-10)
	}
}

// TestLabelsAreExact: over all sets of labels of a batch with ties, p is super-uniform
// and attains its levels.
func TestLabelsAreExact(t *testing.T) {
	t.Parallel()
	y := []float64{.1, .1, .2, .7, .3, .7, 1}
	const k = 3
	var greater, less []float64
	for bits := range 1 << len(y) {
		l := Labels{Reward: y}
		have := 0
		for i := range y {
			first := bits>>i&1 == 1
			l.First = append(l.First, first)
			if first {
				have++
			}
		}
		if have == k {
			g, s := l.LogP(10_000, nil)
			greater, less = append(greater, math.Exp(g)), append(less, math.Exp(s))
		}
	}
	for _, p := range [][]float64{greater, less} {
		for _, u := range p {
			below := 0
			for _, v := range p {
				if v <= u+1e-12 {
					below++
				}
			}
			near(t, "P(p ≤ u)", float64(below)/float64(len(p)), u, 1e-12)
		}
	}
}

// TestDrawnLabels: drawn sets agree with all of them, do not depend on which arm is
// smaller, and count the labels of the log.
func TestDrawnLabels(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(5, 0))
	l := Labels{}
	for i := range 16 {
		l.Reward, l.First = append(l.Reward, draw.Float64()+float64(i%2)/4), append(l.First, i%2 == 0)
	}
	s, _ := l.smaller(8)
	if s.few(10_000) {
		t.Fatal("all sets are gone through")
	}
	var up, sets float64 // of 12,870
	s.every(func(sum float64) {
		sets++
		if sum >= s.sum-s.tie {
			up++
		}
	})
	const draws = 12_000
	greater, less := l.LogP(draws, Source([32]byte{1}, "e\x00t", 3))
	exact := up / sets
	if got := math.Exp(greater); !(math.Abs(got-exact) < 5*math.Sqrt(exact*(1-exact)/draws)) {
		t.Errorf("drawn p is %g, all sets give %g", got, exact)
	}
	turned := Labels{Reward: l.Reward}
	for _, first := range l.First {
		turned.First = append(turned.First, !first)
	}
	if g, _ := turned.LogP(draws, Source([32]byte{1}, "e\x00t", 4)); !(math.Abs(math.Exp(g)-math.Exp(less)) < .02) {
		t.Errorf("with the arms in the other order p is %g, want about %g", math.Exp(g), math.Exp(less))
	}
	if g, w := l.LogP(draws, Source([32]byte{1}, "e\x00t", 3)); g != greater || w != less {
		t.Error("the same source gives other p-values")
	}
	if g, _ := l.LogP(draws, Source([32]byte{1}, "e\x00t", 2)); g == greater {
		t.Error("two batches share their draws")
	}
	best := Labels{First: l.First, Reward: make([]float64, 16)}
	for i := range best.Reward {
		best.Reward[i] = float64(i)
		if best.First[i] {
			best.Reward[i] += 100
		}
	}
	const few = 9
	if g, _ := best.LogP(few, Source([32]byte{1}, "", 0)); math.Exp(g) < 1/(few+1.0)-1e-12 {
		t.Errorf("p of %d draws is %g, below 1/(1 + draws)", few, math.Exp(g))
	}
}

// TestNothingToSay: batches that cannot tell count as 1 and stay in the count.
func TestNothingToSay(t *testing.T) {
	t.Parallel()
	for _, l := range []Labels{
		{},
		{Reward: []float64{1, 2}, First: []bool{true, true}},
		{Reward: []float64{1, 2}, First: []bool{false, false}},
		{Reward: []float64{3, 3, 3}, First: []bool{true, false, true}},
	} {
		if greater, less := l.LogP(10_000, nil); greater != 0 || less != 0 {
			t.Errorf("%v: ln p %g and %g, want 0", l, greater, less)
		}
	}
	var c Combination
	near(t, "ln p before the first batch", c.LogP(), 0, 0)
	c.Add(math.Log(.01))
	one := c.LogP()
	near(t, "ln p of one batch", one, math.Log(.01), 1e-12)
	c.Add(0)
	if c.DF() != 4 || !(c.LogP() > one) {
		t.Errorf("a batch that says nothing: %g degrees of freedom, ln p %g from %g", c.DF(), c.LogP(), one)
	}
	for _, batch := range [][2]moments.Scalar{{{N: 3, Mean: 1, M2: 1}, {}}, {{N: 1, Mean: 1}, {N: 1}}, {{N: 5, Mean: 1}, {N: 5}}} {
		var s Standardised
		s.Add(batch[0], batch[1])
		if _, unusable := s.Batches(); unusable != 1 || !math.IsNaN(s.Z(0)) {
			t.Errorf("%+v: %d batches are not usable, Z is %g", batch, unusable, s.Z(0))
		}
	}
}

// BenchmarkDrawnLabels is a batch of a million rows, one draw each.
func BenchmarkDrawnLabels(b *testing.B) {
	draw := rand.New(rand.NewPCG(5, 0))
	l := Labels{}
	for i := range 1_000_000 {
		l.Reward, l.First = append(l.Reward, draw.Float64()), append(l.First, i%2 == 0)
	}
	b.ResetTimer()
	l.LogP(b.N, Source([32]byte{}, "", 0))
}
