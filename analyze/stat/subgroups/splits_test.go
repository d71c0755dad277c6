package subgroups

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/analyze/stat/tail"
	"banditaudit/testdata/reference"
)

// alone are so many splits by partitions of two cells, without other families.
func alone(splits, arms int, deficits bool) SplitPlan {
	p := SplitPlan{Arms: arms, Level: allocationtest.SplitsLevel, Deficits: deficits}
	for f := range splits {
		p.Cells, p.Splits = append(p.Cells, 2), append(p.Splits, SplitOf{Partition: f, Sides: []Side{SideNo, SideYes}})
	}
	return p
}

// rows3 puts rows of the reference into chunks.
func rows3(rows [][]float64, deficits bool) *SplitRows {
	r := &SplitRows{Cells: make([][]uint8, 2)}
	for _, v := range rows {
		r.Arm, r.High = append(r.Arm, int32(v[0])), append(r.High, v[1])
		for f := range r.Cells {
			cell := uint8(v[2+f])
			if cell == SideUnknown {
				cell = NoCell
			}
			r.Cells[f] = append(r.Cells[f], cell)
		}
		for a := range 3 {
			if deficits {
				r.Low = append(r.Low, v[4+a])
			}
			r.Could = append(r.Could, v[7+a] == 1)
		}
	}
	return r
}

// Exact fractions: testdata/reference/splits.py.
func TestSplitsReference(t *testing.T) {
	rows := reference.Rows(t, "splits.csv", "row")
	for _, want := range reference.Rows(t, "splits.csv", "e") {
		s := NewSplits(alone(2, 3, want[0] == 1))
		n := int(want[1])
		s.next = math.MaxInt64 // no look but the last
		s.Add(rows3(rows[:7], want[0] == 1))
		s.Add(rows3(rows[7:n], want[0] == 1))
		s.look()
		total, all := math.Inf(-1), s.values
		for f := range s.plan.Splits {
			total = max(total, s.found.Without[f])
		}
		if got := tail.LogMeanExp(all); math.Abs(got-want[2]) > 1e-12 {
			t.Errorf("deficits %g, %d rows: ln e %.17g, want %.17g", want[0], n, got, want[2])
		}
		if got := s.Result().LogE; math.Abs(got-max(0, want[2])) > 1e-12 || total > got+1e-12 {
			t.Errorf("deficits %g, %d rows: ln e %.17g, without a split %.17g", want[0], n, got, total)
		}
	}
}

// TestSplitFactors: by summing over the arms, every factor has mean at most 1 for
// every probability within the ends, at every λ.
func TestSplitFactors(t *testing.T) {
	for _, p := range []float64{1e-9, .003, .2, .5, .77, 1} {
		for _, off := range []float64{0, .0005, .05} {
			low, high := max(0, p-off), min(1, p+off)
			for lambda := 0.5; lambda >= 1.0/(1<<16); lambda /= 2 {
				if mean := p*(1+lambda*(1/high-1)) + (1-p)*(1-lambda); mean > 1+1e-15 {
					t.Errorf("surplus, p %g, λ %g: %.17g", p, lambda, mean)
				}
				if mean := (1 - lambda*p) * math.Exp(lambda*low+lambda*lambda*low*low/2); mean > 1+1e-15 {
					t.Errorf("deficit, p %g, λ %g: %.17g", p, lambda, mean)
				}
			}
		}
	}
}

// splitLog is a log of arms with probability p[a], and on one side of the first
// split of p[0]·(1 + more). Sides are drawn by coins.
type splitLog struct {
	splits, rounds int
	p              []float64
	more           float64
	half           float64 // p⁺ − p
	all            bool    // propensities of all arms are logged
}

func (l *splitLog) test(draw *rand.Rand) SplitsResult {
	s := NewSplits(alone(l.splits, len(l.p), l.all))
	s.Add(l.rows(draw))
	return s.Result()
}

func (l *splitLog) rows(draw *rand.Rand) *SplitRows {
	k := len(l.p)
	r := &SplitRows{Cells: make([][]uint8, l.splits)}
	for range l.rounds {
		for f := range r.Cells {
			r.Cells[f] = append(r.Cells[f], uint8(draw.IntN(2)))
		}
		p0 := l.p[0]
		if r.Cells[0][len(r.Arm)] == SideYes {
			p0 *= 1 + l.more
		}
		arm, u := 0, draw.Float64()
		if u >= p0 {
			u = (u - p0) / (1 - p0) * (1 - l.p[0])
			for arm = 1; arm < k-1 && u >= l.p[arm]; arm++ {
				u -= l.p[arm]
			}
		}
		r.Arm, r.High = append(r.Arm, int32(arm)), append(r.High, min(1, l.p[arm]+l.half))
		if l.all {
			for _, p := range l.p {
				r.Low = append(r.Low, max(0, p-l.half))
			}
		}
	}
	return r
}

func alike(k int) []float64 {
	p := make([]float64, k)
	for i := range p {
		p[i] = 1 / float64(k)
	}
	return p
}

// found counts over logs with fixed seeds.
func (l *splitLog) found(logs int) (found int) {
	for i := range logs {
		if l.test(rand.New(rand.NewPCG(17, uint64(i)))).Rejected {
			found++
		}
	}
	return found
}

// At its printed deviation a log is found in about three of four: for one arm of
// two, .82 at p = .5 and T = 2,000; .68 at p = .1, .69 at p = .01 and T = 20,000.
func TestSplitsPower(t *testing.T) {
	for _, l := range []splitLog{
		{splits: 7, rounds: 2000, p: alike(2)},
		{splits: 7, rounds: 2000, p: alike(10)},
		{splits: 3, rounds: 20_000, p: []float64{.01, .99}},
	} {
		honest := l.test(rand.New(rand.NewPCG(1, 1)))
		power := honest.Power[0]
		l.more = power.Most / 100
		if len(l.p) == 2 && l.p[0] == .5 {
			l.more = power.Least / 100
		}
		const logs = 100
		if got := l.found(logs); got < 55 || got > 95 {
			t.Errorf("%d arms, %d rounds: at %+.3g of p = %g, %d of %d are found", len(l.p), l.rounds, l.more, l.p[0], got, logs)
		}
		if l.more /= 3; l.found(20) > 4 {
			t.Errorf("%d arms: many are found at a third of it", len(l.p))
		}
	}
}

// TestSplitsPossible: no deviation is printed that is above 1/p − 1, however often the
// arm was played by chance.
func TestSplitsPossible(t *testing.T) {
	t.Parallel()
	for _, p := range []float64{.002, .01, .1} {
		for seed := range 20 {
			l := splitLog{splits: 2, rounds: 3_000, p: []float64{p, 1 - p}}
			for _, power := range l.test(rand.New(rand.NewPCG(5, uint64(seed)))).Power {
				if power.Found > 0 && power.Most > 100*(1/p-1)*(1+1e-9) {
					t.Errorf("p = %g: %g %%, above %g %%", p, power.Most, 100*(1/p-1))
				}
			}
		}
	}
}

// Honest logs: of 200 at level .0005 one is rejected with probability .1 at most;
// evidence is much below the level.
func TestSplitsHonest(t *testing.T) {
	for _, l := range []splitLog{
		{splits: 7, rounds: 500, p: alike(2)},
		{splits: 7, rounds: 500, p: []float64{.5, .3, .19, .01}, all: true},
		{splits: 13, rounds: 300, p: alike(10), all: true},
	} {
		if got := l.found(200); got > 0 {
			t.Errorf("%d arms: %d honest logs of 200 are rejected", len(l.p), got)
		}
	}
}

// Nine arms of .0104 written .010 over 2 million rounds are honest: rounding alone
// convicts nobody. Taken as exact, the same log is rejected.
func TestSplitsRounded(t *testing.T) {
	l := splitLog{splits: 7, rounds: 2_000_000, p: []float64{.9064, .0104, .0104, .0104, .0104, .0104, .0104, .0104, .0104, .0104}}
	draw := func() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }
	s := NewSplits(alone(l.splits, len(l.p), false))
	exact := NewSplits(alone(l.splits, len(l.p), false))
	r := l.rows(draw())
	for t, arm := range r.Arm {
		written := .010
		if arm == 0 {
			written = .906
		}
		r.High[t] = written + .0005
	}
	s.Add(r)
	for t := range r.High {
		r.High[t] -= .0005
	}
	exact.Add(r)
	if got := s.Result(); got.Rejected {
		t.Errorf("rounded to three decimals: rejected, ln e %g", got.LogE)
	}
	if got := exact.Result(); !got.Rejected {
		t.Errorf("taken as exact: not rejected, ln e %g", got.LogE)
	}
}

// A side rests on rewards known before the round, the last of them being the one
// that became known last, and of these the later row.
func TestArrivalSplitBySearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "rounds")
		after, y := make([]int64, n), make([]float64, n)
		var a ArrivalSplit
		for i := range n {
			round := int64(i + 1)
			if got, want := a.Side(round), sideBySearch(after[:i], y[:i], round); got != want {
				t.Fatalf("round %d: side %d, want %d (after %v, rewards %v)", round, got, want, after[:i], y[:i])
			}
			after[i] = round + rapid.Int64Range(0, 4).Draw(t, "later")
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				after[i] = math.MaxInt64
			}
			y[i] = float64(rapid.IntRange(0, 3).Draw(t, "reward"))
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				y[i] = math.NaN()
			}
			a.Add(round, after[i], y[i])
		}
	})
}

func sideBySearch(after []int64, y []float64, round int64) Side {
	last, sum, known := -1, 0.0, 0
	for i := range y {
		if after[i] < round && !math.IsNaN(y[i]) {
			sum += y[i]
			known++
			if last < 0 || after[i] >= after[last] {
				last = i
			}
		}
	}
	switch {
	case known < 2:
		return SideUnknown
	case y[last] > (sum-y[last])/float64(known-1):
		return SideYes
	}
	return SideNo
}

// While as many rewards are waited for as there is room for, others are passed
// over.
func TestArrivalSplitIsBounded(t *testing.T) {
	var a ArrivalSplit
	for i := range int64(waitingMost + 10) {
		a.Add(i+1, waitingMost+100, 1)
	}
	if n := len(a.waiting); n != waitingMost {
		t.Errorf("%d are waited for", n)
	}
	if a.Side(waitingMost+100) != SideUnknown || a.Side(waitingMost+101) != SideNo || len(a.waiting) != 0 {
		t.Errorf("%d are waited for at the end", len(a.waiting))
	}
}

// The band is that of the last reward that became known, among those known before it.
func TestArrivalSplitBand(t *testing.T) {
	var a ArrivalSplit
	var got []uint8
	for i, y := range []float64{1, 2, 3, 4, 5, 6, 7, 8, 4.5, 9, 0, math.NaN()} {
		a.Side(int64(i + 1))
		got = append(got, a.Band())
		a.Add(int64(i+1), int64(i+1), y)
	}
	a.Side(13)
	got = append(got, a.Band())
	// before rounds 10, 11, 12 and 13 the last known are 4.5, 9, 0 and 0, among 1 … 8
	if want := []uint8{1, 2, 0, 0}; got[0] != NoCell || got[1] != NoCell || !slices.Equal(got[9:], want) {
		t.Errorf("%v, want %v at the end", got, want)
	}
}

// A cell is that of the quantiles of the numbers before it, refreshed at powers of
// two, by counting.
func TestEighthsByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-9, 9).Draw(t, "x")) }), 1, 200).Draw(t, "numbers")
		var m Eighths
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		got := m.Cells(m.Cells(nil, x[:cut]), x[cut:])
		for i := range x {
			if want := cellByCounting(x, i); got[i] != want {
				t.Fatalf("number %d of %v: cell %d, want %d", i, x, got[i], want)
			}
		}
	})
}

func cellByCounting(x []float64, i int) uint8 {
	if i == 0 {
		return NoCell
	}
	first := 1
	for 2*first <= i {
		first *= 2
	}
	before := slices.Sorted(slices.Values(x[:first]))
	cell := uint8(0)
	for j := 1; j < 8; j++ {
		q := before[(first-1)*j/8]
		above, equal := 0, 0
		for _, v := range before {
			if v > q {
				above++
			}
			if v == q {
				equal++
			}
		}
		// of "above" and "at or above", which is nearer to its share of the numbers
		strict, loose := abs(8*above-(8-j)*first), abs(8*(above+equal)-(8-j)*first)
		if x[i] > q || x[i] == q && loose < strict {
			cell++
		}
	}
	return cell
}

// Of many numbers some 8,192 are kept, whatever their period; a coin of .9 is
// split into its two sides.
func TestEighthsOfMany(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 5))
	var smooth, period, coin Eighths
	var a, b, c []uint8
	const n = 1 << 18
	for i := range n {
		a = smooth.Cells(a, []float64{draw.NormFloat64()})
		b = period.Cells(b, []float64{float64(i % 2)})
		heads := 0.0
		if draw.Float64() < .9 {
			heads = 1
		}
		c = coin.Cells(c, []float64{heads})
	}
	for name, got := range map[string]struct {
		cells    []uint8
		least, m float64
	}{"normal": {a, .47, .53}, "0 and 1 in turn": {b, .5, .5}, "a coin of .9": {c, .895, .905}} {
		yes := 0
		for _, cell := range got.cells[n/2:] {
			yes += int(cell / 4)
		}
		if share := float64(yes) / (n / 2); share < got.least || share > got.m {
			t.Errorf("%s: %g above the median", name, share)
		}
	}
	var each [8]int
	for _, cell := range a[n/2:] {
		each[cell]++
	}
	for cell, rows := range each {
		if share := float64(rows) / (n / 2); share < .11 || share > .14 {
			t.Errorf("normal: %g in eighth %d", share, cell)
		}
	}
	if kept := len(smooth.sample); kept < eighthRows/4 || kept > 2*eighthRows {
		t.Errorf("%d numbers are kept", kept)
	}
}
