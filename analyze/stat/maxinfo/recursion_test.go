package maxinfo

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/testdata/reference"
)

// The column "outer grid" of the printed table, with the M named there.
func TestRecursionPrinted(t *testing.T) {
	for _, r := range []struct {
		cost          float64
		rows          int64
		parts         int
		p, want, unit float64
		inner         float64 // the grid without inflation, not a bound
	}{
		{.1, 100, 100, .05, .127578, 1e-6, .126530},
		{.1, 100, 100, .01, .034399, 1e-6, .0340178},
		{.1, 25, 200, .05, .082178, 1e-6, .0819853},
		{1, 4, 1000, .05, .277569, 1e-6, .277213},
	} {
		got := math.Exp(recurse([]Level{{r.cost, r.rows}}, r.parts).Apply(math.Log(r.p)))
		if math.Abs(got-r.want) > .5001*r.unit || got < r.inner {
			t.Errorf("c = %g, n = %d, M = %d, p = %g: %.9f, printed %g", r.cost, r.rows, r.parts, r.p, got, r.want)
		}
	}
	// The exact values lie between the inner grid's and what is returned.
	for _, r := range []struct{ p, inner, closed float64 }{{.05, .138877, .168024}, {.01, .038619, .046659}, {.001, .00568824, .00683169}} {
		c, err := Recursion([]Level{{.05, 500}})
		if err != nil {
			t.Fatal(err)
		}
		if got := math.Exp(c.Apply(math.Log(r.p))); got < r.inner || got > r.inner*1.06 || got > r.closed {
			t.Errorf("c = .05, n = 500, p = %g: %.9f, want a little above %g", r.p, got, r.inner)
		}
	}
}

// Against the same grid with its ends far away, written in another language, for unequal
// costs and odd and even M.
func TestRecursionReference(t *testing.T) {
	for _, r := range reference.Rows(t, "corrections.csv", "grid") {
		levels := merged([]Level{{r[2], int64(r[3])}, {r[4], int64(r[5])}})
		if got := recurse(levels, int(r[0])).Apply(r[1]); !closeTo(got, r[6], 1e-9) {
			t.Errorf("M = %g, %v: Apply(%g) = %.15g, want %.15g", r[0], levels, r[1], got, r[6])
		}
	}
}

// One row: the exact worst case is the shift of the log-odds by c. The grid
// must be above it, by the raise of c at most.
func TestRecursionOfOneRow(t *testing.T) {
	for _, cost := range []float64{.01, .1, 1, 3} {
		c, err := Recursion([]Level{{cost, 1}})
		if err != nil {
			t.Fatal(err)
		}
		wide := AnyLaw([]Level{{cost * (1 + 2./400), 1}})
		exact := AnyLaw([]Level{{cost, 1}})
		for _, p := range []float64{.9, .5, .05, .01, 1e-6} {
			logP := math.Log(p)
			if got := c.Apply(logP); got < exact.Apply(logP) || got > wide.Apply(logP)+1e-5 {
				t.Errorf("c = %g, p = %g: ln p_corr = %.12g, exact %.12g", cost, p, got, exact.Apply(logP))
			}
		}
	}
	// The printed vector of the single step, c = .1.
	c, err := Recursion([]Level{{.1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if got := math.Exp(c.Apply(math.Log(.05))); got < .05496949 || got > .05496949+4e-5 {
		t.Errorf("c = .1, p = .05: %.9f, printed .05496949", got)
	}
}

// A finer grid gives less, as every grid is outside the exact W.
func TestRecursionFinerIsLess(t *testing.T) {
	levels := []Level{{.2, 3}, {.5, 4}}
	last := 0.0
	for _, parts := range []int{2, 5, 10, 20, 40, 80, 160} {
		got := recurse(levels, parts).Apply(-4)
		if last != 0 && got > last {
			t.Errorf("M = %d: %.12g, a coarser grid gave %.12g", parts, got, last)
		}
		last = got
	}
}

// Where the grid ends, what is taken beyond is never less than what is there.
func TestRecursionEnds(t *testing.T) {
	const near, far, step = 6, 400, .1
	start := func(reach int) []float64 {
		w := make([]float64, 2*reach+1)
		for i := range w {
			w[i] = -math.Expm1(min(0, float64(i-reach)*step))
		}
		return w
	}
	short, long := start(near), start(far)
	q := topShares(9, step)
	for range 5 {
		addRow(short, make([]float64, len(short)+18), q)
		addRow(long, make([]float64, len(long)+18), q)
		for i, got := range short {
			if want := long[i+far-near]; got < want {
				t.Fatalf("x = %g: %.12g on the short grid, %.12g on the long one", float64(i-near)*step, got, want)
			}
		}
	}
	if short[0] <= long[far-near] {
		t.Error("the left end of the short grid is not on the safe side")
	}
}

// What n steps may lose by rounding is the least that the grid can say.
func TestRecursionFloor(t *testing.T) {
	for _, rows := range []int64{200, 250} {
		c, logP := recurse([]Level{{.5, rows}}, 10), -.45*float64(rows) // e^E·p is above 1
		if got, floor := c.Apply(logP), math.Log(float64(rows)*0x1p-50); got < floor || got > floor+6 {
			t.Errorf("n = %d: p = e^%g became e^%g, the floor is e^%g", rows, logP, got, floor)
		}
	}
}

func TestRecursionErrors(t *testing.T) {
	for _, r := range []struct {
		levels []Level
		want   string
	}{
		{[]Level{{.1, 600}, {.2, 401}}, "at most 1000 rows that cost anything, got 1001"},
		{[]Level{{1e-3, 1e9}}, "got 1000000000"},
		{[]Level{{-1, 1}}, "costs of 0 or more, got -1"},
		{[]Level{{math.NaN(), 1}, {1, 1}}, "costs of 0 or more, got NaN"},
	} {
		if c, err := Recursion(r.levels); c != nil || err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%v: %v, %v, want an error with %q", r.levels, c, err, r.want)
		}
	}
	for _, levels := range [][]Level{
		{{.1, 3}, {0, 1e9}}, // rows that cost nothing count for nothing
		{{math.NaN(), 0}, {.1, 3}},
		{{math.Inf(1), 1000}},
		nil,
	} {
		if _, err := Recursion(levels); err != nil {
			t.Errorf("%v: %v", levels, err)
		}
	}
}

// A thousand rows of very unlike costs stay within the work and still bound.
func TestRecursionOfUnlikeCosts(t *testing.T) {
	levels := []Level{{1e-6, 990}, {.01, 5}, {2, 3}, {1e-300, 2}}
	if testing.Short() {
		levels[0].Rows = 90
	}
	c, err := Recursion(levels)
	if err != nil {
		t.Fatal(err)
	}
	// More than the three rows alone, less than these rows at the raised cost.
	least := AnyLaw([]Level{{2, 1}}).Apply(-20)
	if got := c.Apply(-20); got < least || got > -10 {
		t.Errorf("ln p = -20 became %g, want between %g and -10", got, least)
	}
	if w := gridWork(merged(levels), recursionParts(merged(levels))); w > 4e8 {
		t.Errorf("the grid takes %g steps", w)
	}
}

// Where every cost is the same, no correction is below the recursion. The outer
// grid itself may be above the exact value, and with it above a correction that
// is exact (one row), so the costs are taken a little smaller there: with the
// raise of one step the grid's rows still cost less than the real ones.
func TestNoneBelowRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cost := rapid.Float64Range(.01, 2).Draw(t, "cost")
		rows := rapid.Int64Range(2, 8).Draw(t, "rows")
		logP := -rapid.Float64Range(.01, 12).Draw(t, "minus ln p")
		levels := []Level{{cost, rows}}
		fine := recurse(levels, 100)
		inside := recurse([]Level{{cost / 1.0102, rows}}, 100)
		for _, c := range []Conditional{Renyi(levels), Moments(levels), AnyLaw(levels), fine, Least(Renyi(levels), Moments(levels), AnyLaw(levels), fine)} {
			if got, least := c.Apply(logP), inside.Apply(logP); math.Exp(got) < math.Exp(least)-1e-9 {
				t.Fatalf("%s gives %.12g, below %.12g of the recursion", c.Name(), got, least)
			}
		}
	})
}

func BenchmarkRecursion(b *testing.B) {
	for b.Loop() {
		if _, err := Recursion([]Level{{.1, 1000}}); err != nil {
			b.Fatal(err)
		}
	}
}
