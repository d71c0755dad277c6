package maxinfo

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawLevels draws levels with every kind of cost that is allowed but +Inf.
func drawLevels(t *rapid.T, most int, rows int64) []Level {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Level {
		cost := rapid.OneOf(
			rapid.Just(0.0),
			rapid.Float64Range(0, 3),
			rapid.Float64Range(0, 1e-3),
			rapid.SampledFrom([]float64{.05, .1, .25, .5, 1, 8}),
		).Draw(t, "cost")
		return Level{Cost: cost, Rows: rapid.Int64Range(-1, rows).Draw(t, "rows")}
	}), 0, most).Draw(t, "levels")
}

func TestTotal(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []struct {
		levels []Level
		want   float64
	}{
		{nil, 0},
		{[]Level{{.5, 3}, {.25, 2}}, 2},
		{[]Level{{1e-3, 1e9}}, 1e6},
		{[]Level{{inf, 1}, {1, 1}}, inf},
		{[]Level{{inf, 0}, {nan, -1}, {1, 1}}, 1},
		{[]Level{{-1, 1}}, nan},
		{[]Level{{nan, 1}}, nan},
	} {
		got := Total(r.levels)
		switch {
		case math.IsNaN(r.want) && math.IsNaN(got), got == r.want:
		case !(got >= r.want && got <= r.want*(1+1e-13)):
			t.Errorf("Total(%v) = %.17g, want %g or a little more", r.levels, got, r.want)
		}
	}
}

func TestCompactSpecial(t *testing.T) {
	inf := math.Inf(1)
	for _, r := range []struct {
		name   string
		levels []Level
		limit  int
		want   []Level
	}{
		{"none", nil, 3, nil},
		{"no rows", []Level{{1, 0}, {2, -1}}, 3, nil},
		{"equal costs", []Level{{2, 1}, {1, 1}, {2, 4}}, 3, []Level{{1, 1}, {2, 5}}},
		{"one level", []Level{{2, 1}, {1, 1}, {0, 4}}, 1, []Level{{2, 6}}},
		{"limit below one", []Level{{2, 1}, {1, 1}}, -5, []Level{{2, 2}}},
		{"infinite costs stay apart", []Level{{inf, 1}, {1, 1}, {2, 4}, {3, 1}}, 2, []Level{{3, 6}, {inf, 1}}},
		{"infinite cost takes all", []Level{{inf, 1}, {1, 1}}, 1, []Level{{inf, 2}}},
		{"the cheapest neighbours join", []Level{{1, 10}, {1.01, 1}, {2, 1}, {3, 1}}, 3, []Level{{1.01, 11}, {2, 1}, {3, 1}}},
		{"large costs", []Level{{1e300, 1}, {2e300, 1}, {1, 1}}, 2, []Level{{1e300, 2}, {2e300, 1}}},
	} {
		if got := Compact(r.levels, r.limit); !slices.Equal(got, r.want) {
			t.Errorf("%s: %v, want %v", r.name, got, r.want)
		}
	}
	for _, c := range []float64{-1, math.NaN()} {
		got := Compact([]Level{{c, 2}, {1, 3}}, 10)
		if len(got) != 1 || !math.IsNaN(got[0].Cost) || got[0].Rows != 5 {
			t.Errorf("a cost of %g gives %v, want one level of NaN", c, got)
		}
	}
}

// Sorted, within the limit, the same rows, every row's cost at least its own:
// the sum over the costs above any threshold must not fall.
func TestCompactProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels, limit := drawLevels(t, 60, 1000), rapid.IntRange(1, 20).Draw(t, "limit")
		before := slices.Clone(levels)
		got := Compact(levels, limit)
		if !slices.Equal(before, levels) {
			t.Fatal("the argument was changed")
		}
		if len(got) > limit || rowsOf(got) != rowsOf(merged(levels)) {
			t.Fatalf("%d levels for a limit of %d, %d rows for %d", len(got), limit, rowsOf(got), rowsOf(merged(levels)))
		}
		for i := 1; i < len(got); i++ {
			if !(got[i].Cost > got[i-1].Cost) {
				t.Fatalf("not ascending: %v", got)
			}
		}
		for _, l := range levels {
			if above(got, l.Cost) < above(levels, l.Cost) {
				t.Fatalf("fewer rows cost %g or more: %v from %v", l.Cost, got, levels)
			}
		}
		if top := Compact(levels, 1); len(top) > 0 && got[len(got)-1].Cost != top[0].Cost {
			t.Fatalf("the largest cost became %g, was %g", got[len(got)-1].Cost, top[0].Cost)
		}
	})
}

func above(levels []Level, cost float64) int64 {
	var rows int64
	for _, l := range levels {
		if l.Rows > 0 && l.Cost >= cost {
			rows += l.Rows
		}
	}
	return rows
}

// A hundred thousand costs in so many levels cost σ less than a third of a percent.
func TestCompactIsClose(t *testing.T) {
	levels := make([]Level, 100_000)
	for i := range levels {
		levels[i] = Level{Cost: float64(i) / 1e5, Rows: 1}
	}
	fine, coarse := Sigma(levels), Sigma(Compact(levels, momentLevels))
	if coarse < fine || coarse > fine*1.003 {
		t.Errorf("σ became %.9g, was %.9g", coarse, fine)
	}
}
