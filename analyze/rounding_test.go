package analyze_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// roundedRows are those of arms that pay alike, anything between 0 and 1, drawn with p and logged with
// what is written for it.
func roundedRows(r *rand.Rand, n int, p, as []float64) []logfile.Row {
	rows := make([]logfile.Row, n)
	for i := range rows {
		u, arm := r.Float64(), 0
		for ; u >= p[arm] && arm < len(p)-1; arm++ {
			u -= p[arm]
		}
		rows[i] = logfile.Row{Arm: arm, PropensityByArm: as, Propensity: as[arm], Reward: r.Float64()}
	}
	return rows
}

// fiveArms is the protocol of such a log.
func fiveArms(resolution string) string {
	return protocolOf("propensity: propensity, propensity_by_arm: propensity_by_arm"+resolution, "[a, b]", "[a, b, c, d, e]") + `analysis:
  means: constant
  control: a
  evaluate: [{id: V1, target: uniform}, {id: V2, target: {arm: b}}, {id: V3, target: uniform, clip_weights: 3}, {id: V4, target: {policy: {name: uniform}, mode: frozen}}]
`
}

var fiveLogged = logfile.Layout{Labels: []string{"a", "b", "c", "d", "e"}, Reward: logfile.RewardFloat, Propensity: true, PropensityByArm: true}

// Honest propensities of which one, .0145, is written as .01 with log.propensity_resolution:
// 70 of 100 intervals of its arm and of the uniform policy missed when 1/p counted as exact.
// Intervals hold the truth, and what moves most is a caution.
func TestRoundedPropensities(t *testing.T) {
	t.Parallel()
	logs, given, missed := 25, map[string]int{}, map[string]int{}
	if testing.Short() {
		logs = 6
	}
	for run := range logs {
		rows := roundedRows(rand.New(rand.NewPCG(9, uint64(run))), 4000, []float64{.25, .0145, .25, .25, .2355}, []float64{.25, .01, .25, .25, .24})
		spec := fiveLogged
		e := one(t, written(t, t.TempDir(), fiveArms(", propensity_resolution: 0.005"), &spec, rows))
		for i := range e.Estimates {
			x, truth := &e.Estimates[i], .5
			if x.Against != "" {
				truth = 0
			}
			if x.Anytime || x.CI == nil {
				continue
			}
			name := x.Estimator + " " + x.EvaluationPolicy + x.Against
			given[name]++
			if x.CI[0] > truth || x.CI[1] < truth {
				missed[name]++
			}
			if !strings.Contains(x.ValidUnder, "propensities are known to their decimals, which can move it by up to ") {
				t.Fatalf("%s: %s", name, x.ValidUnder)
			}
		}
		if !strings.Contains(strings.Join(e.Cautions, "\n"), "the decimals of propensities move ") {
			t.Errorf("cautions: %q", e.Cautions)
		}
	}
	for name, n := range given { // five arms of each estimator, of which three have hardly any room
		if missed[name] > 2+n/8 {
			t.Errorf("%s: %d of %d missed", name, missed[name], n)
		}
	}
	if len(given) < 4+4+4+2 {
		t.Errorf("given: %v", given)
	}
}

// The width of an interval is that of the standard error, and what the decimals of the
// propensities can do: by hand of rewards that are all known, on a scale of 4. A log in full
// has nothing of it.
func TestRoundedWidth(t *testing.T) {
	t.Parallel()
	const q, width = 1.959963984540054, 4
	r := rand.New(rand.NewPCG(3, 3))
	rows, full := roundedRows(r, 2000, []float64{.4, .6}, []float64{.4, .6}), []logfile.Row{}
	sum, squares := 0.0, 0.0
	for i := range rows {
		if rows[i].Arm == 1 {
			a := (1/.5995 - 1/.6) * rows[i].Reward
			sum, squares = sum+a, squares+a*a
		}
		rows[i].Reward *= width
		row := rows[i]
		row.PropensityByArm = []float64{.4 + inFull, .6 - inFull}
		row.Propensity = row.PropensityByArm[row.Arm]
		full = append(full, row)
	}
	source := protocolOf("propensity: propensity, propensity_by_arm: propensity_by_arm", "[0, 1]", "[0, 4]") + "analysis: {means: constant, evaluate: [{id: V, target: {arm: b}}]}\n"
	spec := logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, Propensity: true, PropensityByArm: true}
	same := spec
	coarse := strings.Replace(source, "propensity: propensity,", "propensity_resolution: 0.0005, propensity: propensity,", 1) // .4 and .6 in every round are exact elsewhere
	e, exact := one(t, written(t, t.TempDir(), coarse, &spec, rows)), one(t, written(t, t.TempDir(), source, &same, full))
	half := width * (sum + q*math.Sqrt(squares)) / 2000
	for _, of := range []*schemas.Experiment{e, exact} {
		for _, x := range []*schemas.Estimate{estimateOf(t, of, "ipw", "b", ""), valueOf(t, of, "V", "ips", "", false)} {
			more := half
			if of == exact {
				more = 0
			}
			within(t, x.Estimator+"'s lower end", x.CI[0], *x.Estimate-q**x.StdError-more, 1e-9)
			within(t, x.Estimator+"'s upper end", x.CI[1], *x.Estimate+q**x.StdError+more, 1e-9)
			if strings.Contains(x.ValidUnder, "decimals") != (of == e) {
				t.Error(x.ValidUnder)
			}
		}
		if strings.Contains(strings.Join(of.Cautions, "\n"), "decimals") {
			t.Errorf("cautions: %q", of.Cautions)
		}
	}
}

// Where a propensity is no larger than what its decimals leave open nothing is given of what
// it weighs, and the reason says what would help.
func TestRoundedAway(t *testing.T) {
	t.Parallel()
	p := []float64{.25, .02, .25, .25, .23}
	spec := fiveLogged
	l := written(t, t.TempDir(), fiveArms(", propensity_resolution: 0.02"), &spec, roundedRows(rand.New(rand.NewPCG(4, 4)), 4000, p, p))
	e := one(t, l)
	for _, name := range []string{"ipw", "snipw", "aipw", "aipw-sqrt"} {
		if x := estimateOf(t, e, name, "b", ""); x.Estimate == nil || x.CI != nil || !strings.Contains(x.Reason, "write more decimals (log.propensity_resolution") {
			t.Errorf("%s: %+v", name, x)
		}
		if x := estimateOf(t, e, name, "a", ""); x.CI == nil {
			t.Errorf("%s of another arm: %+v", name, x)
		}
	}
	for _, id := range []string{"V1", "V2", "V4"} {
		for _, name := range []string{"ips", "snips", "dr"} {
			if x := valueOf(t, e, id, name, "", false); x.Estimate == nil || x.CI != nil || !strings.Contains(x.Reason, "write more decimals") {
				t.Errorf("%s of %s: %+v", name, id, x)
			}
		}
	}
	if !strings.Contains(strings.Join(e.Cautions, "\n"), " without bound") {
		t.Errorf("cautions: %q", e.Cautions)
	}
	if !bytes.Equal(encode(t, l.analyse(t, 1)), encode(t, l.analyse(t, 2))) {
		t.Error("2 jobs give other bytes than 1")
	}
}

// A test that adaptive decides takes of all propensities with the logged decimals those that
// put the estimate nearest to its value.
func TestRoundedAdaptive(t *testing.T) {
	t.Parallel()
	const tests = "analysis:\n  means: constant\n  chosen: before\n  decide: adaptive\n  approximate: accept\n  multiplicity: none\n  tests:\n    - {id: M, arm: b, mean: 0.465}\n    - {id: G, arm: b, mean: 0.465, alternative: greater}\n    - {id: L, arm: b, mean: 0.535, alternative: less}\n"
	r := rand.New(rand.NewPCG(5, 5))
	rows := roundedRows(r, 3000, []float64{.4, .6}, []float64{.4, .6})
	find := func(resolution string) map[string]*schemas.TestResult {
		spec := logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardFloat, Propensity: true, PropensityByArm: true}
		res := written(t, t.TempDir(), protocolOf("propensity: propensity, propensity_by_arm: propensity_by_arm, propensity_resolution: "+resolution)+tests, &spec, rows).analyse(t, 1)
		out := map[string]*schemas.TestResult{}
		for i := range res.Experiments[0].Tests {
			x := &res.Experiments[0].Tests[i]
			out[x.ID] = method(t, x, schemas.EstimatorSqrt)
			if !out[x.ID].Applicable {
				t.Fatalf("%s: %s", x.ID, out[x.ID].Reason)
			}
		}
		return out
	}
	exact, rounded, coarse := find("1e-12"), find("0.005"), find("0.05")
	for id, x := range exact {
		if y, z := rounded[id], coarse[id]; !(*x.P < *y.P && *y.P < *z.P) || !(y.CI[0] <= x.CI[0] && y.CI[1] >= x.CI[1]) || !strings.Contains(y.Reason, "propensities are known to their decimals") {
			t.Errorf("%s: %+v, %+v, %+v", id, x, y, z)
		}
		if !(*exact[id].P < .01) {
			t.Errorf("%s: p %g", id, *exact[id].P)
		}
	}
	if *coarse["M"].P != 1 {
		t.Errorf("an estimate within its room of the value: p %g", *coarse["M"].P)
	}
}

// What an evaluated policy would have earned is the same by logged propensities and by those
// that are recomputed with the seed: of a policy of the catalogue in each mode, and of a
// column.
func TestEvaluateByRecomputed(t *testing.T) {
	t.Parallel()
	source := strings.Replace(unlogged("a, b, c", "", "{name: epsilon-greedy, explore: 0.4, seed: {file: s.hex}}\ncounter: {name: exact}"), askedOfArms, `analysis:
  means: constant
  evaluate:
    - {id: F, target: {policy: {name: softmax, eta: 0.02}, mode: follows-log}}
    - {id: Z, target: {policy: {name: uniform}, mode: frozen}, clip_weights: 3}
    - {id: R, target: {policy: {name: epsilon-greedy, explore: 0.5}, mode: replay, floor: 0.13}}
    - {id: C, target: {column: propensity_by_arm}}
    - {id: P, target: {column: propensity}}
`, 1)
	with, without := withAndWithout(t, source, &world.Spec{Means: []float64{.3, .5, .45}, Rounds: 900}, nil)
	r := without.analyse(t, 1)
	a, b := &with.analyse(t, 1).Experiments[0], &r.Experiments[0]
	if f := claim(t, r, schemas.KindConformance); f.Verdict != schemas.Verified || len(a.Estimates) != len(b.Estimates) {
		t.Fatalf("%s: %s; %d estimates, and %d", f.Verdict, f.Reason, len(a.Estimates), len(b.Estimates))
	}
	compared := map[string]int{}
	for i := range a.Estimates {
		x, y := &a.Estimates[i], &b.Estimates[i]
		if x.EvaluationPolicy == "" {
			continue
		}
		name := x.EvaluationPolicy + " " + x.Estimator + x.Against
		if (x.CI == nil) != (y.CI == nil) || (x.Estimate == nil) != (y.Estimate == nil) || x.Estimate == nil && x.CI == nil && x.Reason != y.Reason {
			t.Errorf("%s: %+v, and %+v", name, x, y)
			continue
		}
		if x.Estimate != nil && x.StdError != nil {
			within(t, name, *y.Estimate, *x.Estimate, 1e-9)
			within(t, name+", error", *y.StdError, *x.StdError, 1e-9)
			compared[x.EvaluationPolicy]++
		}
		if x.CI != nil {
			within(t, name+", low", y.CI[0], x.CI[0], 1e-4)
			within(t, name+", high", y.CI[1], x.CI[1], 1e-4)
			compared[x.EvaluationPolicy]++
		}
	}
	for id, least := range map[string]int{"F": 5, "Z": 4, "R": 1, "C": 3, "P": 2} {
		if compared[id] < least {
			t.Errorf("%s: %d numbers compared", id, compared[id])
		}
	}
}
