package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

const repeating = `version: 1
experiment: {id: repeating, stopping: fixed}
log: {order: [round], action: action, reward: reward%s}
arms: [a, b, c]
reward: {range: [0, 1], out_of_range: error}
analysis: {chosen: before, tests: [{id: M, arm: a, mean: .9, test: bernstein}]}
`

// repeatsOf is what check H02 finds of rows.
func repeatsOf(t *testing.T, columns string, spec *logfile.Layout, rows []logfile.Row) (*schemas.Check, *schemas.Results) {
	t.Helper()
	spec.Labels, spec.Reward = []string{"a", "b", "c"}, logfile.RewardFloat
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Round = int64(i + 1)
	}
	r := written(t, t.TempDir(), fmt.Sprintf(repeating, columns), spec, rows).analyse(t, 1)
	return check.Find(r.Experiments[0].Data.Checks, "H02"), r
}

// inRow has every row k times in a row.
func inRow(rows []logfile.Row, k int) []logfile.Row {
	var out []logfile.Row
	for _, r := range rows {
		out = append(out, slices.Repeat([]logfile.Row{r}, k)...)
	}
	return out
}

// sorted has the rows by arm, then reward.
func sorted(rows []logfile.Row) []logfile.Row {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b logfile.Row) int {
		return 10*(a.Arm-b.Arm) + int(math.Round(a.Reward)-math.Round(b.Reward))
	})
	return rows
}

// rowsOf are rows made by a function of their number.
func rowsOf(n int, row func(i int) logfile.Row) []logfile.Row {
	rows := make([]logfile.Row, n)
	for i := range rows {
		rows[i] = row(i)
	}
	return rows
}

func coin(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// Logs that repeat themselves fail, with what is to be done, and data.quality with them.
func TestLogRepeatsItself(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	binary := rowsOf(300, func(int) logfile.Row { return logfile.Row{Arm: r.IntN(3), Reward: coin(r, .5)} })
	rare := rowsOf(6000, func(int) logfile.Row { return logfile.Row{Arm: r.IntN(3), Reward: coin(r, .01)} })
	measured := rowsOf(60, func(int) logfile.Row { return logfile.Row{Arm: r.IntN(3), Reward: r.Float64()} })
	long := rowsOf(40_000, func(int) logfile.Row { return logfile.Row{Arm: r.IntN(3), Reward: coin(r, .5)} }) // copies lie across chunks
	inTurn := rowsOf(300, func(i int) logfile.Row { return logfile.Row{Arm: i % 3, Reward: coin(r, .3)} })
	for name, c := range map[string]struct {
		rows     []logfile.Row
		observed string
		failing  string
		narrow   string
	}{
		"appended twice":   {slices.Repeat(binary, 2), "rows 301 to 600 are rows 1 to 300 again", "300 of 600 rows are earlier ones again (first: round 301)", "1.41"},
		"appended thrice":  {slices.Repeat(binary, 3), "rows 301 to 900 are rows 1 to 300 again, 2 times", "600 of 900 rows are earlier ones again (first: round 301)", "1.73"},
		"each row twice":   {inRow(binary, 2), "every row stands 2 times in a row", "300 of 600 rows are earlier ones again (first: round 2)", "1.41"},
		"each row thrice":  {inRow(binary, 3), "every row stands 3 times in a row", "600 of 900 rows are earlier ones again (first: round 2)", "1.73"},
		"both":             {slices.Repeat(inRow(binary, 2), 2), "every row stands 2 times in a row; rows 601 to 1,200 are rows 1 to 600 again", "900 of 1,200 rows are earlier ones again (first: round 2)", "2"},
		"rare rewards":     {slices.Repeat(rare, 2), "rows 6,001 to 12,000 are rows 1 to 6,000 again", "6,000 of 12,000 rows are earlier ones again (first: round 6,001)", "1.41"},
		"rare, each twice": {inRow(rare, 2), "every row stands 2 times in a row", "6,000 of 12,000 rows are earlier ones again (first: round 2)", "1.41"},
		"over chunks":      {slices.Repeat(long, 2), "rows 40,001 to 80,000 are rows 1 to 40,000 again", "40,000 of 80,000 rows are earlier ones again (first: round 40,001)", "1.41"},
		"real values":      {slices.Repeat(measured, 2), "rows 61 to 120 are rows 1 to 60 again", "60 of 120 rows are earlier ones again (first: round 61)", "1.41"},
		"real, each twice": {inRow(measured, 2), "every row stands 2 times in a row", "60 of 120 rows are earlier ones again (first: round 2)", "1.41"},
		"arms in turn":     {slices.Repeat(inTurn, 7), "rows 301 to 2,100 are rows 1 to 300 again, 6 times", "1,800 of 2,100 rows are earlier ones again (first: round 301)", "2.65"},
	} {
		t.Run(name, func(t *testing.T) {
			h, results := repeatsOf(t, "", &logfile.Layout{}, c.rows)
			if h.Status != schemas.CheckFail || h.Observed != c.observed || schemas.FailingIn(h.Failing) != c.failing || !strings.Contains(h.Detail, " "+c.narrow+" times too narrow") {
				t.Errorf("%+v: %s", h, schemas.FailingIn(h.Failing))
			}
			for i := range results.Claims {
				if f := &results.Claims[i]; f.Kind == schemas.KindDataQuality && (f.Verdict != schemas.Violated || f.Observed != c.failing) {
					t.Errorf("data.quality is %s: %s", f.Verdict, f.Observed)
				}
			}
			if x := &results.Experiments[0].Tests[0]; x.Decision != schemas.DecisionNone || !strings.Contains(x.Choice, "check H02") || slices.ContainsFunc(x.Results, func(r schemas.TestResult) bool { return r.Applicable && r.Method != schemas.MethodNaive }) {
				t.Errorf("%s: %s", x.Decision, x.Choice)
			}
		})
	}
}

// What a row was is compared in every column: a log whose halves differ in one of them
// does not repeat itself.
func TestRepeatsInEveryColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 7))
	rows := rowsOf(300, func(int) logfile.Row {
		return logfile.Row{
			Arm: r.IntN(3), Reward: coin(r, .5), Propensity: 1. / 3, X: []float64{r.Float64()}, PropensityByArm: []float64{1. / 3, 1. / 3, 1. / 3},
			Eligible: []bool{true, true, true}, ScoreByArm: []float64{1, 2, 3}, Batch: int64(r.IntN(3)),
		}
	})
	slices.SortStableFunc(rows, func(a, b logfile.Row) int { return int(a.Batch - b.Batch) })
	const columns = ", propensity: propensity, propensity_by_arm: propensity_by_arm, context: [x0], eligible: eligible, score_by_arm: score_by_arm, eligible_by: schedule"
	spec := logfile.Layout{Propensity: true, PropensityByArm: true, ContextDim: 1, Eligible: logfile.EligibleFlags, ScoreByArm: true}
	for name, change := range map[string]func(r *logfile.Row){
		"":           func(*logfile.Row) {},
		"arm":        func(r *logfile.Row) { r.Arm = (r.Arm + 1) % 3 },
		"reward":     func(r *logfile.Row) { r.Reward = 1 - r.Reward },
		"propensity": func(r *logfile.Row) { r.Propensity = .25 },
		"context":    func(r *logfile.Row) { r.X = []float64{2} },
		"all arms":   func(r *logfile.Row) { r.PropensityByArm = []float64{.5, .25, .25} },
		"eligible":   func(r *logfile.Row) { r.Eligible = []bool{r.Arm == 0, r.Arm == 1, r.Arm == 2} },
		"scores":     func(r *logfile.Row) { r.ScoreByArm = []float64{1, 2, 4} },
	} {
		twice := slices.Repeat(rows, 2)
		change(&twice[len(twice)-1])
		h, _ := repeatsOf(t, columns, &spec, twice)
		if failed := h.Status == schemas.CheckFail; failed != (name == "") {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

// Each experiment of a log is looked at by itself.
func TestRepeatsOfOneExperiment(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 7))
	once := rowsOf(300, func(int) logfile.Row { return logfile.Row{Arm: r.IntN(3), Reward: coin(r, .5), Experiment: 1} })
	rows := append(slices.Clone(once), inRow(once, 2)...)
	for i := range rows {
		if rows[i].Round = int64(i + 1); i >= len(once) {
			rows[i].Experiment = 2
		}
	}
	source := strings.Replace(fmt.Sprintf(repeating, ""), "{id: repeating,", "{column: experiment,", 1)
	results := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, Experiments: true}, rows).analyse(t, 2)
	for i, want := range []string{"0 ties", "every row stands 2 times in a row"} {
		if h := check.Find(results.Experiments[i].Data.Checks, "H02"); h.Observed != want {
			t.Errorf("experiment %d: %+v", i, h)
		}
	}
}

// Units may have equal rows: what repeats itself is noted.
func TestRepeatsOfUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 7))
	rows := rowsOf(300, func(i int) logfile.Row {
		return logfile.Row{Arm: r.IntN(3), Reward: coin(r, .5), Unit: fmt.Sprint("u", i)}
	})
	h, results := repeatsOf(t, ", unit: unit", &logfile.Layout{Unit: true}, inRow(rows, 2))
	if h.Status != schemas.CheckNote || h.Observed != "every row stands 2 times in a row" || h.Failing != nil || results.Claims[0].Verdict == schemas.Violated || strings.Contains(results.Experiments[0].Tests[0].Choice, "H02") {
		t.Errorf("%+v", h)
	}
}

// Logs that honestly repeat themselves, or nearly so, pass.
func TestHonestRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 7))
	binary := rowsOf(300, func(int) logfile.Row { return logfile.Row{Arm: r.IntN(3), Reward: coin(r, .5)} })
	few := rowsOf(20, func(int) logfile.Row { return logfile.Row{Arm: r.IntN(3), Reward: coin(r, .5)} })
	contexts := rowsOf(200, func(i int) logfile.Row { // a design with 20 cells, met in turn, that decide the reward
		return logfile.Row{Arm: i % 3, X: []float64{float64(i % 20)}, Reward: float64(i * i % 20 % 2)}
	})
	random := rowsOf(300, func(int) logfile.Row { // the same cells in any order
		x := r.IntN(20)
		return logfile.Row{Arm: x % 3, X: []float64{float64(x)}, Reward: float64(x * x % 7 % 2)}
	})
	broken := slices.Repeat(binary, 2)
	broken[len(broken)-1].Reward = 1 - broken[len(broken)-1].Reward
	for name, rows := range map[string][]logfile.Row{
		"in turn, constant":     rowsOf(600, func(i int) logfile.Row { return logfile.Row{Arm: i % 3, Reward: .5} }),
		"in turn, by arm":       rowsOf(600, func(i int) logfile.Row { return logfile.Row{Arm: i % 3, Reward: float64(i%3) / 2} }),
		"in turn, alternating":  rowsOf(1200, func(i int) logfile.Row { return logfile.Row{Arm: i % 3, Reward: float64(i / 3 % 2)} }),
		"blocks of two":         rowsOf(1200, func(i int) logfile.Row { return logfile.Row{Arm: i / 2 % 3, Reward: float64(i/2%3) / 2} }),
		"one arm, constant":     rowsOf(4000, func(int) logfile.Row { return logfile.Row{Reward: 1} }),
		"few rows":              slices.Repeat(few, 2),
		"one row differs":       broken,
		"one row more":          append(slices.Repeat(binary, 2), binary[0]),
		"sorted":                sorted(binary),
		"sorted, each in parts": append(sorted(binary), sorted(binary)...),
		"a design of contexts":  slices.Repeat(contexts, 2),
		"contexts decide":       inRow(random, 2),
	} {
		if rows[0].X == nil {
			for i := range rows {
				rows[i].X = []float64{1}
			}
		}
		h, results := repeatsOf(t, ", context: [x0]", &logfile.Layout{ContextDim: 1}, rows)
		if h.Status != schemas.CheckPass || strings.Contains(results.Experiments[0].Tests[0].Choice, "H02") {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

// Of 240 honest logs none is accused: six policies, four kinds of rewards, ten logs of
// each. The stated rate is 2·10⁻¹².
func TestHonestLogsDoNotRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("96 logs, each also sorted")
	}
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 7))
	sums, pulls := make([]float64, 3), make([]float64, 3)
	policies := []func(i int, last logfile.Row) int{
		func(int, logfile.Row) int { return r.IntN(3) },
		func(i int, _ logfile.Row) int { return i % 3 },
		func(i int, _ logfile.Row) int { return i / 2 % 3 },
		func(i int, _ logfile.Row) int { return 3 * i / 400 },
		func(_ int, last logfile.Row) int { // wins stay
			if last.Reward > .5 {
				return last.Arm
			}
			return (last.Arm + 1) % 3
		},
		func(i int, _ logfile.Row) int { // UCB1
			best := 0
			for a := range pulls {
				if u := func(a int) float64 { return sums[a]/pulls[a] + math.Sqrt(2*math.Log(float64(i+1))/pulls[a]) }; pulls[a] == 0 || pulls[best] > 0 && u(a) > u(best) {
					best = a
				}
			}
			return best
		},
	}
	state := 0.
	rewards := []func(arm int) float64{
		func(arm int) float64 { return coin(r, .3+.2*float64(arm)) },
		func(int) float64 { return coin(r, .01) },
		func(int) float64 { // stays for long
			if r.Float64() < .02 {
				state = 1 - state
			}
			return state
		},
		func(int) float64 { return math.Round(100*r.Float64()) / 100 },
	}
	for p, policy := range policies {
		for y, reward := range rewards {
			for range 4 {
				clear(sums)
				clear(pulls)
				rows := make([]logfile.Row, 400)
				last := logfile.Row{}
				for i := range rows {
					last = logfile.Row{Arm: policy(i, last)}
					last.Reward = reward(last.Arm)
					sums[last.Arm] += last.Reward
					pulls[last.Arm]++
					rows[i] = last
				}
				for _, rows := range [][]logfile.Row{rows, sorted(rows)} {
					if h, _ := repeatsOf(t, "", &logfile.Layout{}, rows); h.Status != schemas.CheckPass {
						t.Errorf("policy %d, rewards %d: %+v", p, y, h)
					}
				}
			}
		}
	}
}
