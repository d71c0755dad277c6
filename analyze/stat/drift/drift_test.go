package drift

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/testdata/reference"
)

func repeat(out []float64, y float64, n int) []float64 {
	for range n {
		out = append(out, y)
	}
	return out
}

func driftOf(y []float64) *Drift {
	d := NewDrift()
	for _, v := range y {
		d.Add(v)
	}
	return d
}

// stepping are n rewards of 0 and 1 whose mean steps from a to b at half of them.
func stepping(n int, a, b float64, r *rand.Rand) *Drift {
	d := NewDrift()
	for t := range n {
		mean := a
		if 2*t >= n {
			mean = b
		}
		y := 0.0
		if r.Float64() < mean {
			y = 1
		}
		d.Add(y)
	}
	return d
}

// References by mpmath 1.3.0 with 40 digits: testdata/reference/drift.py.
func TestDriftReference(t *testing.T) {
	for i, row := range reference.Rows(t, "drift.csv", "drift") {
		d := driftOf(row[2:])
		r := d.Result(1)
		if math.Abs(r.LogE-row[0]) > 1e-9 || math.Abs(d.most-row[1]) > 1e-9 || r.LogP != min(0, -d.most) {
			t.Errorf("line %d: ln E %.12f, at most %.12f, ln p %v; want %v and %v", i+1, r.LogE, d.most, r.LogP, row[0], row[1])
		}
	}
	for _, row := range reference.Rows(t, "drift.csv", "step") {
		got := SmallestStep(int64(row[0]), row[1], row[2])
		if want := row[3]; want == 0 && !math.IsNaN(got) || want > 0 && !(math.Abs(got/want-1) < 1e-9) {
			t.Errorf("%v: step %v", row, got)
		}
	}
}

// Rewards outside [0, 1] count as the nearer end, and a look in between changes
// nothing.
func TestDriftEdges(t *testing.T) {
	if got, want := driftOf(repeat(repeat(nil, -1, 50), 7, 50)).Result(1), driftOf(repeat(repeat(nil, 0, 50), 1, 50)).Result(1); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	twice := driftOf(repeat(repeat(nil, 0, 505), 1, 505))
	if twice.Result(1) != twice.Result(1) {
		t.Error("a second look differs from the first")
	}
	none := Drifts([]*Drift{nil, NewDrift(), driftOf(repeat(repeat(nil, 0, 50), 1, 50))})
	if none[0].N != 0 || none[0].LogP != 0 || none[0].Drifts || none[1].Drifts || !none[2].Drifts {
		t.Errorf("%+v", none)
	}
}

// A constant sequence of .5 is never rejected: its evidence is 1 throughout.
func TestDriftConstant(t *testing.T) {
	r := driftOf(repeat(nil, .5, 100_000)).Result(1)
	if r.Drifts || r.LogP < -1e-9 || math.Abs(r.LogE) > 1e-9 {
		t.Errorf("%+v", r)
	}
}

// Holm's adjustment: of three arms the strongest must pass a third of the level,
// and the next one half of it.
func TestDriftHolm(t *testing.T) {
	with := func(logE float64) *Drift { return &Drift{n: 1, seen: 1, sum: .5, most: logE, last: logE} }
	for _, c := range []struct {
		p    [3]float64
		want [3]bool
	}{
		{[3]float64{.016, .024, .049}, [3]bool{true, true, true}},
		{[3]float64{.016, .026, .049}, [3]bool{true, false, false}},
		{[3]float64{.017, .001, .051}, [3]bool{true, true, false}},
		{[3]float64{.017, .018, .02}, [3]bool{false, false, false}},
	} {
		var arms []*Drift
		for _, p := range c.p {
			arms = append(arms, with(-math.Log(p)))
		}
		for i, r := range Drifts(arms) {
			if r.Drifts != c.want[i] {
				t.Errorf("%v: arm %d moves: %t", c.p, i, r.Drifts)
			}
		}
	}
}

// False alarms at .05, of arms that UCB plays (so that the number of plays, and
// when they come, follow the rewards): the bound is .05, and of 1,000 logs of 500
// rounds none has been seen. With a rate of .002, more than 8 have probability
// below 3e-4.
func TestDriftFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 1))
	found := 0
	for range 1000 {
		arms, n, sum := []*Drift{NewDrift(), NewDrift()}, [2]float64{}, [2]float64{}
		for at := range 500 {
			index := func(i int) float64 { return sum[i]/n[i] + math.Sqrt(2*math.Log(float64(at))/n[i]) }
			arm := at % 2
			if at >= 2 && index(0) != index(1) {
				arm = 0
				if index(1) > index(0) {
					arm = 1
				}
			}
			y := 0.0
			if r.Float64() < .3 {
				y = 1
			}
			arms[arm].Add(y)
			n[arm]++
			sum[arm] += y
		}
		for _, d := range Drifts(arms) {
			if d.Drifts {
				found++
				break
			}
		}
	}
	if found > 8 {
		t.Errorf("%d of 1,000 honest logs are found to move", found)
	}
}

// The sheet has .934 for a step .1 to .2 at half of 2,000 rewards, 1.000 at 8,000,
// and .53 for .3 to .306 at 10⁶ (eight predictors find 0 there). Bounds are about
// four standard errors away.
func TestDriftFinds(t *testing.T) {
	for _, c := range []struct {
		n, logs, least int
		a, b           float64
	}{
		{2_000, 200, 172, .1, .2},
		{8_000, 50, 50, .1, .2},
		{1_000_000, 40, 1, .3, .306},
	} {
		if testing.Short() && c.n > 10_000 {
			continue
		}
		r := rand.New(rand.NewPCG(29, uint64(c.n)))
		found := 0
		for range c.logs {
			if stepping(c.n, c.a, c.b, r).Result(1).Drifts {
				found++
			}
		}
		t.Logf("%d rewards, %g to %g: %d of %d", c.n, c.a, c.b, found, c.logs)
		if found < c.least {
			t.Errorf("%d rewards, %g to %g: found %d times of %d", c.n, c.a, c.b, found, c.logs)
		}
	}
}

// At the printed step at least four of five logs are found: of 200, fewer than 138
// have probability below 1e-3 at .8.
func TestDriftFindsItsStep(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 80))
	for _, c := range []struct {
		n    int
		mean float64
	}{{1_000, .3}, {4_000, .05}, {300, .5}} {
		step, found := SmallestStep(int64(c.n), c.mean, DriftLevel), 0
		for range 200 {
			if stepping(c.n, c.mean-step/2, c.mean+step/2, r).Result(1).Drifts {
				found++
			}
		}
		t.Logf("%d rewards of mean %g, step %.3g: %d of 200", c.n, c.mean, step, found)
		if found < 138 {
			t.Errorf("%d rewards of mean %g, step %g: found %d times of 200", c.n, c.mean, step, found)
		}
	}
}

// The goal is 20 M rewards of 0 and 1 in about 1.1 s: 55 ns each.
func BenchmarkDrift(b *testing.B) {
	r := rand.New(rand.NewPCG(29, 2))
	y := make([]float64, 1<<16)
	for i := range y {
		y[i] = float64(r.IntN(2))
	}
	b.Run("binary", func(b *testing.B) {
		d := NewDrift()
		for i := range b.N {
			d.Add(y[i&(1<<16-1)])
		}
	})
	b.Run("real", func(b *testing.B) {
		d := NewDrift()
		for i := range b.N {
			d.Add(.25 + y[i&(1<<16-1)]/2)
		}
	})
}
