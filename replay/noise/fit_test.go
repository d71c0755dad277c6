package noise

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/counter"
)

// What a counter releases is not held against it. Each line is wrong with
// probability 0.001 over its fixed seed.
func TestDeclaredLawIsNotRejected(t *testing.T) {
	for _, name := range []string{"laplace", "binary", "hybrid", "tree", "interval", "epochs"} {
		for _, rows := range []int64{3, 40, 700} {
			for _, skip := range []int64{1, 5} {
				d := deployed(t, spec(name), 3, rows)
				d.skip = skip
				r := Fit(d.input(t))
				if r.Rejected || r.Hypotheses != nil || r.Spent != nil {
					t.Errorf("%s, %d rows, every %d: %+v", name, rows, skip, r)
				}
				if r.Recovered > 0 && !(r.Lo <= 1 && 1 <= r.Hi && r.Detectable > 1) {
					t.Errorf("%s, %d rows, every %d: ratio %v in (%v, %v), detectable %v", name, rows, skip, r.Ratio, r.Lo, r.Hi, r.Detectable)
				}
			}
		}
	}
}

// fault is a deployment with the hypothesis that must fit first.
type fault struct {
	name  string
	show  func(d *deployment, arm int, n int64, noise float64) float64
	value float64 // of the first
}

func faults() []fault {
	return []fault{
		{name: "scale", value: 0.5, show: func(_ *deployment, _ int, _ int64, v float64) float64 { return math.Trunc(v*0x1p19) * 0x1p-20 }},
		{name: "scale", value: 3, show: func(_ *deployment, _ int, _ int64, v float64) float64 { return 3 * v }},
		{name: "no-noise", value: 0, show: func(*deployment, int, int64, float64) float64 { return 0 }},
		{name: "noise-on-mean", value: 1, show: func(_ *deployment, _ int, n int64, v float64) float64 { return v * float64(n) }},
		{name: "noise-over-n-twice", value: -1, show: func(_ *deployment, _ int, n int64, v float64) float64 { return v / float64(n) }},
		{name: "fresh-prefixes", value: 0, show: func(d *deployment, _ int, n int64, _ float64) float64 { return d.fresh(n) }},
		{name: "fresh-prefixes", value: -1, show: func(d *deployment, _ int, n int64, _ float64) float64 { return d.fresh(n) / float64(n) }},
		{name: "fresh-prefixes", value: -1, show: func(d *deployment, _ int, n int64, _ float64) float64 {
			return simulated(d.src, &Draw{Scale: widest(d.law(n)), Count: 1}) / float64(n)
		}},
	}
}

// With 2,100 releases every fault is rejected and named, with its size in the
// interval. Intervals have confidence 1 − Share, and the seeds are fixed.
func TestFaultsAreNamed(t *testing.T) {
	names := []string{"binary", "laplace", "hybrid", "tree"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		for _, f := range faults() {
			d := deployed(t, spec(name), 3, 700)
			d.show = f.show
			r := Fit(d.input(t))
			if !r.Rejected || len(r.Hypotheses) == 0 {
				t.Errorf("%s with %s is not rejected: %+v", name, f.name, r)
				continue
			}
			h := r.Hypotheses[0]
			if h.Name != f.name || !h.Fits || h.Explained != h.Rows || !(h.Lo <= f.value && f.value <= h.Hi) {
				t.Errorf("%s with %s %v: first is %+v", name, f.name, f.value, h)
			}
			for i := range r.Hypotheses {
				if o := &r.Hypotheses[i]; o.Fits && i > 0 {
					t.Errorf("%s with %s: %s fits too: %+v", name, f.name, o.Name, o)
				}
			}
			if r.Spent == nil || !(r.Spent.Lo <= r.Spent.Epsilon && r.Spent.Epsilon <= r.Spent.Hi) {
				t.Errorf("%s with %s: spent %+v", name, f.name, r.Spent)
			}
		}
	}
}

// Two arms that draw from one stream are named, and the third is not.
func TestSharedNoiseIsNamed(t *testing.T) {
	for _, name := range []string{"laplace", "binary", "hybrid", "interval"} {
		d := deployed(t, spec(name), 3, 40)
		kept := map[int64]float64{}
		d.show = func(_ *deployment, arm int, n int64, v float64) float64 {
			switch arm {
			case 0:
				kept[n] = v
			case 2:
				return kept[n]
			}
			return v
		}
		in := d.input(t)
		in.Labels = []string{"a", "b", "c"}
		r := Fit(in)
		if !r.Rejected || !r.Tests[5].Rejected {
			t.Fatalf("%s: %+v", name, r)
		}
		h := r.Hypotheses[0]
		if h.Name != "shared-noise" || !h.Fits || h.Value != 1 || h.Words[:16] != `arms "a" and "c"` || !math.IsInf(r.Spent.Epsilon, 1) {
			t.Errorf("%s: %+v, spent %+v", name, h, r.Spent)
		}
	}
}

// What released values that are redrawn without a release cost is the sum over
// all of them.
func TestRedrawIsFreshNoise(t *testing.T) {
	d := deployed(t, spec("binary"), 1, 100)
	in := d.input(t)
	var all []Residue
	for _, x := range in.Residues {
		for range 4 {
			x.Value = d.fresh(x.Rows)
			all = append(all, x)
		}
	}
	in.Residues, in.Draws = all, d.recover(rising(all))
	r := Fit(in)
	if !r.Rejected || r.Hypotheses[0].Name != "fresh-prefixes" || !r.Hypotheses[0].Fits {
		t.Fatalf("%+v", r)
	}
	if want := 400 / widest(d.law(1)); !near(r.Spent.Epsilon, want, 1e-12) {
		t.Errorf("spent %v, want 400 times ε/L = %v", r.Spent.Epsilon, want)
	}
}

// The exact sums of what fresh noise costs row 1, which every release holds:
// with noise of scale b(n)/n it is Δ·Σ n/b(n).
func TestSpentOfFreshPrefixes(t *testing.T) {
	d := deployed(t, spec("hybrid"), 2, 500)
	d.show = func(d *deployment, _ int, n int64, _ float64) float64 { return d.fresh(n) / float64(n) }
	in := d.input(t)
	in.Delta = 3
	r := Fit(in)
	var want float64
	for n := int64(1); n <= 500; n++ {
		want += 3 * float64(n) / widest(d.law(n))
	}
	if r.Spent == nil || r.Spent.Hypothesis != "fresh-prefixes" || !near(r.Spent.Epsilon, want, 1e-12) {
		t.Errorf("spent %+v, want %v", r.Spent, want)
	}
}

// With κ = 0 what is recovered from the move of a row are the nodes that hold
// it, so that it costs what the ledger says.
func TestNodesCostIsTheLedgers(t *testing.T) {
	for _, name := range []string{"laplace", "binary", "hybrid"} {
		d := deployed(t, spec(name), 2, 300)
		in := d.input(t)
		var want float64
		for row := int64(1); row <= 300; row++ {
			want = max(want, d.c.Cost(row, 300).Up())
		}
		if got, least := nodesCost(&in, 0); least || !near(got, want, 1e-6) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// By hand: with the sums S_n + L_1 + … + L_n, each row's noise divided by n more
// than once (κ = −1), row 1 moves n·(what was released), and so the draws by
// 1, 1, …, 1: it pays n/b. With κ = 1 it moves them by 1, −1/2, −1/6, …: 2 − 1/n.
func TestNodesCostByHand(t *testing.T) {
	d := deployed(t, spec("laplace"), 1, 50)
	in := d.input(t)
	if got, _ := nodesCost(&in, -1); !near(got, 50/2.0, 1e-12) {
		t.Errorf("κ = −1: %v, want 25", got)
	}
	if got, _ := nodesCost(&in, 1); !near(got, (2-1/50.0)/2, 1e-12) {
		t.Errorf("κ = 1: %v, want 0.99", got)
	}
}

// forgetful is what an honest counter shows whose releases hold different rows,
// as epochs: 1, 2, 4, …, 256 of each of two arms, with one variable of scale 2 each,
// every value shown so many times with noise of its own.
func forgetful(shown int) Input {
	apart := func(residues []Residue) []Draw {
		var out []Draw
		for _, x := range residues {
			out = append(out, Draw{Stream: Stream{Arm: x.Arm}, Row: 2*x.Rows - 1, Rows: x.Rows, Scale: 2, Count: 1, Grid: 0x1p-20, Value: x.Value})
		}
		return out
	}
	in := Input{Grid: 0x1p-20, Epsilon: 0.5, Recover: apart, Law: func(int64) []Component { return []Component{{2, 1}} }, Forgets: true, Redrawn: shown > 1}
	src := rand.NewPCG(31, 31)
	for rows := int64(1); rows <= 256; rows *= 2 {
		for arm := range 2 {
			for range shown {
				in.Residues = append(in.Residues, Residue{Stream: Stream{Arm: arm}, Rows: rows, Value: simulated(src, &Draw{Scale: 2, Count: 1, Grid: 0x1p-20})})
			}
		}
	}
	in.Draws = apart(rising(in.Residues))
	return in
}

// By hand: a row that is in one release only, of n rows with noise of scale
// 2·n^κ, pays n^−κ/2, which is 128 at n = 256 for κ = −1, and 1/2 at n = 1 for κ = 1.
func TestNodesCostWhereRowsAreForgotten(t *testing.T) {
	in := forgetful(1)
	for kappa, want := range map[int]float64{-1: 128, 0: 0.5, 1: 0.5} {
		if got, least := nodesCost(&in, kappa); least || !near(got, want, 1e-12) {
			t.Errorf("κ = %d: %v (at least: %v), want %v", kappa, got, least, want)
		}
		if got := prefixesCost(&in, kappa); !near(got, want, 1e-12) {
			t.Errorf("fresh noise, κ = %d: %v, want %v", kappa, got, want)
		}
	}
}

// Values that are redrawn are explained although the draws that can be told
// apart, one of each release, are of the declared law, and cost their sum: 30
// values of scale 2 show each row.
func TestRedrawIsTriedWithoutARejection(t *testing.T) {
	in := forgetful(30)
	r := Fit(in)
	if r.Rejected || len(r.Hypotheses) == 0 || r.Hypotheses[0].Name != "fresh-prefixes" || !r.Hypotheses[0].Fits {
		t.Fatalf("%+v", r)
	}
	if r.Spent == nil || !near(r.Spent.Epsilon, 15, 1e-12) || r.Spent.AtLeast {
		t.Errorf("spent %+v, want 15", r.Spent)
	}
	for _, h := range r.Hypotheses[1:] {
		if h.Fits {
			t.Errorf("%s fits too: %+v", h.Name, h)
		}
	}
	in.More = 1
	if r := Fit(in); r.Spent == nil || !r.Spent.AtLeast {
		t.Errorf("of the first values only: %+v", r.Spent)
	}
	if honest := Fit(forgetful(1)); honest.Hypotheses != nil || honest.Spent != nil {
		t.Errorf("nothing is to be explained: %+v", honest)
	}
}

// The cost is that of the row that pays most of all rows, held against each; a
// tree keeps some draws to itself, so that it may be more.
func TestNodesCostIsOfAllRows(t *testing.T) {
	for _, name := range []string{"binary", "hybrid", "tree"} {
		d := deployed(t, spec(name), 1, 250)
		in := d.input(t)
		moved, want := slices.Clone(in.Residues), 0.0
		for row := int64(1); row <= 250; row++ {
			for i := range moved {
				moved[i].Value = 0
				if moved[i].Rows >= row {
					moved[i].Value = float64(moved[i].Rows)
				}
			}
			var sum float64
			for _, x := range d.recover(moved) {
				sum += math.Abs(x.Value) / x.Scale
			}
			want = max(want, sum)
		}
		if got, least := nodesCost(&in, -1); !near(got, want, 1e-12) || least != (name == "tree") {
			t.Errorf("%s: %v (at least: %v), want %v", name, got, least, want)
		}
	}
	d := deployed(t, spec("laplace"), 1, 2049)
	in := d.input(t)
	if got, least := nodesCost(&in, -1); !least || !near(got, 2049/2.0, 1e-12) {
		t.Errorf("of too many rows for each: %v (at least: %v), want at least 1024.5", got, least)
	}
}

func TestFewDraws(t *testing.T) {
	r := Fit(Input{})
	if r.Rejected || !math.IsNaN(r.Ratio) || !math.IsInf(r.Detectable, 1) || len(r.Tests) != 6 {
		t.Errorf("no draws: %+v", r)
	}
	for _, x := range r.Tests {
		if !math.IsNaN(x.P) || !math.IsNaN(x.Statistic) || x.Rejected || x.Detail == "" {
			t.Errorf("no draws: %+v", x)
		}
	}
	one := Draw{Row: 1, Rows: 1, Scale: 2, Count: 1, Grid: 0x1p-20, Value: -3}
	r = Fit(Input{Draws: []Draw{one}})
	// One exponential variable: ratio 1.5, and the ends are 1.5 over its quantiles.
	if r.Rejected || !near(r.Ratio, 1.5, 1e-6) || !near(r.Hi, -1.5/math.Log1p(-Share/2), 1e-5) || !near(r.Lo, -1.5/math.Log(Share/2), 1e-6) {
		t.Errorf("one draw: %+v", r)
	}
	if !near(r.Detectable, math.Log(0.2)/math.Log1p(-Share/2), 1e-6) {
		t.Errorf("one draw: a factor of %v", r.Detectable)
	}
	one.Value = 0
	if r = Fit(Input{Draws: []Draw{one}}); !r.Rejected || r.Hypotheses[0].Name != "no-noise" || !r.Hypotheses[0].Fits {
		t.Errorf("a draw of 0 on a fine lattice: %+v", r)
	}
	one.Value = math.Inf(1)
	if r = Fit(Input{Draws: []Draw{one}}); r.Rejected || r.Recovered != 1 || !math.IsNaN(r.Ratio) {
		t.Errorf("an infinite draw enters no test: %+v", r)
	}
}

func TestFitIsDeterministic(t *testing.T) {
	d := deployed(t, spec("hybrid"), 3, 200)
	d.show = func(_ *deployment, _ int, n int64, v float64) float64 { return v / float64(n) }
	in := d.input(t)
	one, two := Fit(in), Fit(in)
	for _, r := range []*Result{&one, &two} { // NaN is not equal to itself
		for i := range r.Hypotheses {
			r.Hypotheses[i].Largest, r.Hypotheses[i].P = 0, 0
		}
	}
	if !reflect.DeepEqual(one, two) {
		t.Errorf("%+v\n%+v", one, two)
	}
}

// The interval inverts the test, P is a probability, and a scale of c times as
// much has c times the ratio.
func TestFitProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grid := rapid.SampledFrom([]float64{0, 0x1p-20, 0.25, 1}).Draw(t, "grid")
		n := rapid.IntRange(1, 40).Draw(t, "n")
		var draws []Draw
		for i := range n {
			v := rapid.Float64Range(-30, 30).Draw(t, "v")
			if grid > 0 {
				v = math.RoundToEven(v/grid) * grid
			}
			draws = append(draws, Draw{
				Stream: Stream{Arm: rapid.IntRange(0, 2).Draw(t, "arm")}, Row: int64(i + 1), Rows: int64(i + 1),
				Scale: rapid.SampledFrom([]float64{0.5, 2, 8}).Draw(t, "b"), Count: rapid.IntRange(1, 5).Draw(t, "count"), Grid: grid, Value: v,
			})
		}
		r := Fit(Input{Draws: draws})
		if !(r.Lo <= r.Ratio && r.Ratio <= r.Hi) || (r.Lo > 1 || r.Hi < 1) != r.Tests[0].Rejected {
			t.Fatalf("ratio %v in (%v, %v), %+v", r.Ratio, r.Lo, r.Hi, r.Tests[0])
		}
		for _, x := range r.Tests {
			if !math.IsNaN(x.P) && !(x.P >= 0 && x.P <= 1 && x.Rejected == (x.P <= x.Level)) {
				t.Fatalf("%+v", x)
			}
		}
		if grid > 0 {
			return
		}
		for i := range draws {
			draws[i].Value *= 4
		}
		if four := Fit(Input{Draws: draws}); !near(four.Ratio, 4*r.Ratio, 1e-9) {
			t.Fatalf("four times the noise: ratio %v after %v", four.Ratio, r.Ratio)
		}
	})
}

func BenchmarkFit(b *testing.B) {
	d := deployed(b, counter.Spec{Name: "hybrid", Epsilon: spec("hybrid").Epsilon}, 5, 10_000)
	in := d.input(b)
	b.ReportAllocs()
	for b.Loop() {
		Fit(in)
	}
}
