package analyze_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// unitRows are the rows of the private log, of units that own some of them.
type unitRows struct {
	arm  []int
	y    []float64
	unit []int
	cost []float64
}

// unitLab is the private log as one of units. Row i is of unit i²·7 mod 101 + i
// mod 2·50: they own from none to many rows, of several arms.
func unitLab(t *testing.T, source string) (*lab, *unitRows) {
	t.Helper()
	base := simulated(t, private, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
	u := &unitRows{}
	arms, last := base.columns(t, 0)
	costs := make([][]float64, len(arms))
	for arm := range arms {
		costs[arm] = base.costs(t, int64(len(arms[arm].y)), arm == last)
	}
	s := base.tableau.Slice(0)
	next := make([]int, len(arms))
	var rows []logfile.Row
	for i := range s.Chunks() {
		for _, arm := range s.Chunk(i).Arm {
			n := len(rows)
			unit := n*n*7%101 + n%2*50
			u.arm, u.unit = append(u.arm, int(arm)), append(u.unit, unit)
			u.y, u.cost = append(u.y, arms[arm].y[next[arm]]), append(u.cost, costs[arm][next[arm]])
			next[arm]++
			rows = append(rows, logfile.Row{Arm: int(arm), Reward: u.y[n], Unit: fmt.Sprint("u", unit)})
		}
	}
	l := &lab{source: strings.Replace(source, "reward: reward}", "reward: reward, unit: unit}", 1), master: base.master}
	l.parse(t)
	return rewritten(t, l, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Unit: true}, rows), u
}

// byUnit are the sums over the units of an arm.
type byUnit struct {
	n, units, mean, scatter, squares, largest float64
	sigma, tanh                               float64
}

// total are the costs of all rows of each unit, of whatever arm.
func (u *unitRows) total() map[int]float64 {
	out := map[int]float64{}
	for i := range u.arm {
		out[u.unit[i]] += u.cost[i]
	}
	return out
}

func (u *unitRows) of(arms ...int) byUnit {
	out := byUnit{}
	sum, rows, total := map[int]float64{}, map[int]float64{}, u.total()
	member := map[int]bool{}
	for _, arm := range arms {
		member[arm] = true
	}
	for i, arm := range u.arm {
		if member[arm] {
			sum[u.unit[i]] += u.y[i]
			rows[u.unit[i]]++
			out.n++
			out.mean += u.y[i]
			out.tanh += math.Tanh(total[u.unit[i]] / 4)
		}
	}
	out.mean /= out.n
	out.tanh /= out.n
	for unit, n := range rows {
		out.units++
		excess := sum[unit] - n*out.mean
		out.scatter += excess * excess
		out.squares += n * n
		out.largest = max(out.largest, n)
		out.sigma += 2 * rhoBR(total[unit])
	}
	out.sigma = math.Sqrt(out.sigma)
	return out
}

// bernstein is the radius of the two-sided empirical Bernstein interval by unit, of
// rewards in [0, 1], at level 1 − alpha.
func (u *byUnit) bernstein(alpha float64) float64 {
	l, ratio := math.Log(4/alpha), u.units/(u.units-1)
	a := math.Sqrt(2*l*ratio) / u.n
	return (a*math.Sqrt(u.scatter) + 7*u.largest*l*ratio/(3*u.n)) / (1 - a*math.Sqrt(u.squares-u.n*u.n/u.units))
}

// TestByUnit recomputes arms and tests of a private log whose units own several
// rows, from the rows and the costs of all rows of each unit.
func TestByUnit(t *testing.T) {
	l, u := unitLab(t, withTests(private,
		"id: T, arm: each, mean: 0.3, test: t", "id: H, arm: c, mean: 0.3, test: hoeffding", "id: B, arm: c, mean: 0.1, test: bernstein",
		"id: X, arm: c, mean: 0.3, test: exact", "id: Z, arm: c, mean: 0.3, test: z, sigma: 0.5", "id: D, difference: [c, a], value: 0.1, test: welch"))
	r := l.analyse(t, 2)
	e := &r.Experiments[0]
	if f := claim(t, r, conforms); f.Verdict != schemas.Verified {
		t.Fatalf("%s is %s: %s", conforms, f.Verdict, f.Reason)
	}
	for arm := range e.Arms {
		a, want := &e.Arms[arm], u.of(arm)
		deviation := math.Sqrt(want.units / (want.units - 1) * want.scatter / want.n / want.n)
		near(t, a.Label+": std_error", *a.StdError, deviation)
		near(t, a.Label+": bias_bound", *a.BiasBound, want.tanh)
		near(t, a.Label+": sigma", float64(*a.Sigma), want.sigma)
		if *a.Units != int64(want.units) {
			t.Errorf("arm %s: %d units, want %v", a.Label, *a.Units, want.units)
		}
		test := &e.Tests[arm]
		m := methods(test)
		p := twoSided((want.mean-.3)/deviation, want.units-1)
		near(t, test.ID+": p", *m[schemas.MethodNaive].P, p)
		near(t, test.ID+": corrected p", *m[schemas.MethodCorrected].P, correct(p, want.sigma))
		near(t, test.ID+": df", *m[schemas.MethodNaive].DF, want.units-1)
		if *test.Units != int64(want.units) || !m[schemas.MethodNaive].Approximate {
			t.Errorf("%+v", test)
		}
		near(t, a.Label+": the end of ci_corrected", a.CICorrected[1], min(1, want.mean+want.bernstein(raise(0.04, want.sigma))))
	}
	c := u.of(2)
	away := (c.mean - .3) * c.n
	hoeffding := min(1, 2*math.Exp(-2*away*away/c.squares))
	near(t, "Hoeffding by unit", *method(t, &e.Tests[3], schemas.MethodNaive).P, hoeffding)
	if m := method(t, &e.Tests[4], schemas.MethodCorrected); !m.Applicable || m.Approximate || *e.Tests[4].Units != int64(c.units) {
		t.Errorf("Bernstein by unit: %+v", m)
	}
	for _, i := range []int{5, 6} {
		if m := method(t, &e.Tests[i], schemas.MethodCorrected); m.Applicable || !strings.HasPrefix(m.Reason, "A4: a unit (log.unit) owns several rows") {
			t.Errorf("%s: %+v", e.Tests[i].ID, m)
		}
	}
	u.difference(t, &e.Tests[7])
	if a4 := r.Assumptions[3]; a4.Status != "checked" {
		t.Errorf("A4 is %s", a4.Status)
	}
}

// difference recomputes the difference of arms c and a, whose rows share units.
func (u *unitRows) difference(t *testing.T, test *schemas.Test) {
	t.Helper()
	x, y, both := u.of(2), u.of(0), u.of(0, 2)
	influence := map[int]float64{}
	for i, arm := range u.arm {
		switch arm {
		case 0:
			influence[u.unit[i]] -= (u.y[i] - y.mean) / y.n
		case 2:
			influence[u.unit[i]] += (u.y[i] - x.mean) / x.n
		}
	}
	variance, apart := 0.0, x.scatter/x.n/x.n+y.scatter/y.n/y.n
	for _, v := range influence {
		variance += v * v
	}
	if math.Abs(variance-apart) < 0.01*apart {
		t.Fatal("the arms share no units to speak of")
	}
	m := methods(test)
	near(t, "difference", *test.Estimate, x.mean-y.mean)
	near(t, "σ of a difference", float64(*m[schemas.MethodCorrected].Sigma), both.sigma)
	if s := m[schemas.MethodSequence]; s.Applicable || !strings.HasPrefix(s.Reason, "A4: a unit (log.unit) owns several rows, and a confidence sequence") {
		t.Errorf("confidence sequence of a difference by unit: %+v", s)
	}
	if *test.Units != int64(both.units) {
		t.Errorf("%d units of a difference, want %v", *test.Units, both.units)
	}
	deviation := (x.mean - y.mean - .1) / *m[schemas.MethodNaive].Statistic
	near(t, "standard error of a difference", deviation, math.Sqrt(both.units/(both.units-1)*variance))
	p := twoSided(*m[schemas.MethodNaive].Statistic, *m[schemas.MethodNaive].DF)
	near(t, "p of a difference", *m[schemas.MethodNaive].P, p)
	near(t, "corrected p of a difference", *m[schemas.MethodCorrected].P, correct(p, both.sigma))
}

// TestUnitBound: the published route counts units too, each with the ε of all
// its rounds.
func TestUnitBound(t *testing.T) {
	l, u := unitLab(t, private)
	e := &l.analyse(t, 1).Experiments[0]
	rows := map[int]float64{}
	for _, unit := range u.unit {
		rows[unit]++
	}
	largest := 0.0
	for _, n := range rows {
		largest = max(largest, n)
	}
	for i := range e.Arms {
		near(t, "bias_bound_paper", *e.Arms[i].BiasBoundPaper, math.Expm1(0.1*largest))
	}
	m := methods(&e.Tests[0])
	near(t, "paper", *m[schemas.MethodPaper].P, paperP(*m[schemas.MethodNaive].P, 0.1*largest, float64(len(rows))))
}

// TestEqualRewardsByUnit: with all rewards equal there is no clustered t, and
// the tests for bounded rewards hold.
func TestEqualRewardsByUnit(t *testing.T) {
	var rows []logfile.Row
	for i := range 60 {
		rows = append(rows, logfile.Row{Arm: i % 2, Reward: .3, Unit: strconv.Itoa(i / 7)})
	}
	source := strings.NewReplacer("reward: reward}", "reward: reward, unit: unit}", "arms: [a, b, c]", "arms: [a, b]").Replace(withTests(plain,
		"id: T, arm: a, mean: 0.5, test: t", "id: H, arm: a, mean: 0.5, test: hoeffding", "id: D, difference: [a, b], value: 0, test: welch", "id: B, difference: [a, b], value: 0, test: bernstein"))
	e := &written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, Unit: true}, rows).analyse(t, 1).Experiments[0]
	for i := range e.Tests {
		m := method(t, &e.Tests[i], schemas.MethodCorrected)
		if m.Applicable != (i%2 == 1) || !m.Applicable && !strings.HasPrefix(m.Reason, "A3: the raw test gives no p-value: ") {
			t.Errorf("%s: %+v", e.Tests[i].ID, m)
		}
	}
	if a := &e.Arms[0]; a.CI == nil || a.StdError == nil || *a.StdError != 0 || *a.Mean != .3 || *a.Units != 9 {
		t.Errorf("%+v", a)
	}
}
