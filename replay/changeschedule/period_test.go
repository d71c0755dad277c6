package changeschedule

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// keeping is a log of rounds of arms that are drawn evenly, whose propensities
// change after every n rounds, first before round first. In a share of rounds, by
// chance, something else is logged.
func keeping(rng *rand.Rand, rounds, n, first int64, arms int, odd float64) *Changes {
	c := &Changes{}
	for t := int64(1); t <= rounds; t++ {
		p := math.Floor(float64(t-first) / float64(n))
		if rng.Float64() < odd {
			p = rng.Float64()
		}
		c.Add(int64(rng.IntN(arms)), float64(t), []float64{p})
	}
	return c
}

// A schedule is found, and neither a divisor of its period nor a multiple.
func TestWholeFindsSchedules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		arms := rapid.IntRange(1, 8).Draw(t, "arms")
		n := rapid.Int64Range(int64(2+arms), 200).Draw(t, "n")
		first := 1 + rapid.Int64Range(1, n).Draw(t, "first")
		rounds := n * rapid.Int64Range(60, 80).Draw(t, "windows")
		odd := rapid.SampledFrom([]float64{0, 0.01 / float64(n)}).Draw(t, "odd")
		got := keeping(rng, rounds, n, first, arms, odd).Whole(1e-3, 1<<27)
		if got.Rounds != n || got.Cut || got.On > got.Told {
			t.Fatalf("%+v, want %d", got, n)
		}
		if off := (got.First - first) % n; arms == 1 && off != 0 {
			t.Fatalf("%+v, want a boundary before round %d", got, first)
		}
	})
}

// A few windows are enough where the changes are known to the round.
func TestWholeOfFewWindows(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	if got := keeping(rng, 1000, 200, 201, 1, 0).Whole(1e-3, 1<<27); got.Rounds != 200 || got.First != 201 || got.Told != 4 || got.On != 4 {
		t.Errorf("%+v", got)
	}
	if got := keeping(rng, 400, 200, 201, 1, 0).Whole(1e-3, 1<<27); got.Rounds != 0 {
		t.Errorf("one change: %+v", got)
	}
	if got := (&Changes{}).Whole(1e-3, 1<<27); got != (Schedule{}) {
		t.Errorf("nothing: %+v", got)
	}
}

// What changes at random rounds keeps to no schedule: at level 0.05 in 400 logs, of
// which more than 36 would be found with probability below 1e-3.
func TestWholeFindsNothingByChance(t *testing.T) {
	t.Parallel()
	const logs, level, most = 400, 0.05, 36
	found := 0
	for i := range logs {
		rng := rand.New(rand.NewPCG(uint64(i), 2))
		c, p, rate, arms := &Changes{}, 0.0, []float64{0.005, 0.02, 0.1, 0.5}[i%4], []int{1, 3, 10}[i%3]
		for t := range 1000 {
			if rng.Float64() < rate {
				p = rng.Float64()
			}
			c.Add(int64(rng.IntN(arms)), float64(t), []float64{p})
		}
		if c.Whole(level, 1<<27).Rounds > 0 {
			found++
		}
	}
	t.Logf("%d of %d logs without a schedule have one at level %g", found, logs, level)
	if found > most {
		t.Errorf("%d of %d logs without a schedule have one at level %g", found, logs, level)
	}
}

// What changes in every round, and what changes after 2, 4, 8, 16, … rounds, keeps
// to no period of two rounds or more.
func TestWholeOfOtherSchedules(t *testing.T) {
	t.Parallel()
	always, doubling := &Changes{}, &Changes{}
	for i := range 1 << 16 {
		always.Add(0, float64(i), []float64{float64(i)})
		doubling.Add(0, float64(i), []float64{math.Floor(math.Log2(float64(max(1, i))))})
	}
	if got := always.Whole(0.05, 1<<22); got.Rounds != 0 || !got.Cut || got.Tried != 1<<13 {
		t.Errorf("always: %+v", got)
	}
	if got := doubling.Whole(0.001, 1<<27); got.Rounds != 0 {
		t.Errorf("doubling: %+v", got)
	}
}

// Work bounds the periods that are tried, and what is left untried is said.
func TestWholeIsCut(t *testing.T) {
	t.Parallel()
	c := keeping(rand.New(rand.NewPCG(3, 1)), 4000, 100, 101, 1, 0)
	if got := c.Whole(1e-3, 90*stepsEach); got.Tried != 90 || !got.Cut || got.Rounds == 100 {
		t.Errorf("%+v", got)
	}
	if got := c.Whole(1e-3, 100*stepsEach); got.Tried != 100 || !got.Cut || got.Rounds != 100 {
		t.Errorf("%+v", got)
	}
	if got := c.Whole(1e-3, 1000*stepsEach); got.Tried != 1000 || got.Cut || got.Rounds != 100 {
		t.Errorf("%+v", got)
	}
}

// The best phase gains what its formula says, and no other gains more.
func TestFitIsItsFormula(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		period := float64(rapid.IntRange(2, 40).Draw(t, "period"))
		var all []stretch
		at := 0
		for range rapid.IntRange(0, 12).Draw(t, "changes") {
			s := at + rapid.IntRange(0, 9).Draw(t, "gap")
			at = s + rapid.IntRange(1, 9).Draw(t, "length")
			all = append(all, stretch{float64(s), float64(at)})
		}
		gain := func(b float64) float64 {
			sum := 0.0
			for _, c := range all {
				q := (c.e - c.s) / period
				switch {
				case q >= 1:
				case math.Floor((c.e-b)/period) > math.Floor((c.s-b)/period):
					sum += math.Log((1 - off + off*q) / q)
				default:
					sum += math.Log(off)
				}
			}
			return sum
		}
		want := math.Inf(-1)
		for b := range int(period) {
			want = max(want, gain(float64(b)))
		}
		var f fit
		got := f.best(all, period)
		if math.Abs(got.gain-want) > 1e-9 || math.Abs(gain(got.b)-want) > 1e-9 {
			t.Fatalf("%+v gains %g at its phase, want %g", got, gain(got.b), want)
		}
	})
}

// Of a period and its multiples that is taken to which the changes keep.
func TestSlowest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 1))
	const period, start = 63.7, 17.0
	c, at := &Changes{}, 0.0
	for range 20_000 {
		at += rng.ExpFloat64()
		c.Add(int64(rng.IntN(3)), at, []float64{math.Floor((at - start) / period)})
	}
	for _, k := range []int{1, 2, 5, 16} {
		got, first := c.Slowest(period / float64(k))
		if off := math.Remainder(first-start, period); got != k || math.Abs(off) > 2 {
			t.Errorf("a %dth of the period: %d times, %g off", k, got, off)
		}
	}
	if got, _ := c.Slowest(2 * period); got != 1 {
		t.Errorf("twice the period: %d times", got)
	}
}

func ExampleChanges_Whole() {
	var c Changes
	for t := range 240 {
		c.Add(0, float64(t+1), []float64{1 / float64(2+t/24)}) // propensities of every day
	}
	s := c.Whole(1e-3, 1<<20)
	fmt.Println(s.Rounds, "rounds, first before round", s.First, "-", s.On, "of", s.Told, "changes")
	// Output: 24 rounds, first before round 25 - 9 of 9 changes
}

// Changes that are all of a schedule have its period, also where there is one of them;
// those that lack one, or are elsewhere, have none.
func TestEvery(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(2, 30).Draw(t, "n")
		first := rapid.Int64Range(2, n+1).Draw(t, "first")
		rounds := rapid.Int64Range(first, 6*n).Draw(t, "rounds")
		gone := rapid.Int64Range(0, 6).Draw(t, "gone")
		c, windows, kept := &Changes{}, int64(0), int64(0)
		p := 0.0
		for at := int64(1); at <= rounds; at++ {
			if at >= first && (at-first)%n == 0 {
				if windows++; windows != gone {
					p++
					kept++
				}
			}
			c.Add(-1, float64(at), []float64{p})
		}
		got, begin := c.Every()
		switch {
		case kept != int64(c.Count()):
			t.Fatalf("%d changes, want %d", c.Count(), kept)
		case gone == 0 || gone > windows: // one change alone is that of the schedule that begins with the log
			if kept == 1 && (first != n+1 || rounds >= 2*n+1) {
				return
			}
			if got != n || begin != first {
				t.Fatalf("%d from %d, want %d from %d", got, begin, n, first)
			}
		case windows == 3 && gone == 2 && got == 2*n: // without the middle one of three, two are left, of a schedule half as fast
		case gone > 1 && gone < windows && got != 0:
			t.Fatalf("%d from %d where one of %d is missing", got, begin, windows)
		}
	})
	var wide Changes
	wide.Between(1, 4, true)
	if n, _ := wide.Every(); n != 0 {
		t.Error(n)
	}
}
