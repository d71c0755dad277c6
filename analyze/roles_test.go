package analyze_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"banditaudit/analyze"
	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// roles is a log with most of what a log can have. Its policy reads no rewards,
// so corrected p-values are the raw ones.
const roles = `version: 1
experiment: {id: roles, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: propensity, context: [x0]}
arms: [a, b, c]
reward: {range: [0, 1]}
policy: {name: uniform}
analysis:
  decide: corrected
  sequence: normal
  approximate: accept
  chosen: before
  regressions: [{name: main, covariance: HC3}]
  tests:
    - {id: H, arm: each, mean: 0.4, test: t}
`

const columns = "propensity: propensity, context: [x0]"

// rolesSpec is what the protocol above reads.
func rolesSpec() *logfile.Layout {
	return &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, Propensity: true, ContextDim: 1}
}

// rolesRows are n rounds of a uniform policy.
func rolesRows(seed uint64, n int) []logfile.Row {
	r := rand.New(rand.NewPCG(seed, 3))
	rows := make([]logfile.Row, n)
	for i := range rows {
		rows[i] = logfile.Row{
			Round: int64(i + 1), Arm: r.IntN(3), Reward: r.Float64(), Propensity: 1.0 / 3, X: []float64{r.NormFloat64()},
			PropensityByArm: []float64{1.0 / 3, 1.0 / 3, 1.0 / 3}, Batch: int64(i / 100), Unit: fmt.Sprint("u", i), RewardOrder: int64(i + 3),
		}
	}
	return rows
}

// rolesLab is the log of rows under a changed protocol.
func rolesLab(t *testing.T, before, after string, spec *logfile.Layout, rows []logfile.Row) *lab {
	t.Helper()
	return written(t, t.TempDir(), strings.Replace(roles, before, after, 1), spec, rows)
}

func one(t *testing.T, l *lab) *schemas.Experiment {
	t.Helper()
	return &l.analyse(t, 2).Experiments[0]
}

// withMissing takes every fifth reward away, and returns the rows that keep
// theirs.
func withMissing(rows []logfile.Row) (all, known []logfile.Row) {
	for i, r := range rows {
		if i%5 == 2 {
			r.Reward = math.NaN()
		} else {
			known = append(known, r)
		}
		all = append(all, r)
	}
	return all, known
}

// TestMissingRewards: rows without a reward count as pulls and nowhere else:
// every estimate, test and regression is that of the log without them.
func TestMissingRewards(t *testing.T) {
	rows := rolesRows(1, 900)
	all, known := withMissing(rows)
	spec := rolesSpec()
	spec.MissingReward = true
	l := rolesLab(t, columns, columns+", missing_reward: exclude-independent", spec, all)
	e, without := one(t, l), one(t, rolesLab(t, "", "", rolesSpec(), known))
	if e.Data.RowsRead != 900 || e.Data.RowsAnalysed != 720 {
		t.Errorf("read %d, analysed %d", e.Data.RowsRead, e.Data.RowsAnalysed)
	}
	if diff := cmp.Diff([]schemas.Exclusion{{Reason: "reward missing", Rows: 180}}, e.Data.Excluded); diff != "" {
		t.Error(diff)
	}
	pulls := make([]int64, 3)
	for _, r := range all {
		pulls[r.Arm]++
	}
	for a := range e.Arms {
		got, want := e.Arms[a], without.Arms[a]
		if got.Pulls != pulls[a] || got.IPWMean != nil {
			t.Errorf("arm %d: %d pulls, want %d; ipw_mean %v", a, got.Pulls, pulls[a], got.IPWMean)
		}
		got.Pulls, want.IPWMean = want.Pulls, nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("arm %d (-without +with):\n%s", a, diff)
		}
	}
	if diff := cmp.Diff(without.Regressions, e.Regressions); diff != "" {
		t.Errorf("regressions (-without +with):\n%s", diff)
	}
	for i := range e.Tests {
		got, want := &e.Tests[i], &without.Tests[i]
		if got.N != want.N || !strings.Contains(got.Hypothesis, "over the rounds played whose reward is known is 0.4") || strings.Contains(want.Hypothesis, "known") {
			t.Errorf("%s: n %d, want %d; %q", got.ID, got.N, want.N, got.Hypothesis)
		}
		for j := range got.Results {
			if g, w := got.Results[j], want.Results[j]; g.Method != schemas.MethodPaper && (!g.Applicable || *g.P != *w.P || *g.CI != *w.CI) {
				t.Errorf("%s, %s: %+v, want %+v", got.ID, g.Method, g, w)
			}
		}
	}
	for _, est := range e.Estimates {
		if given := est.Estimator == schemas.EstimatorSNIPW; (est.Estimate != nil) != given || !given && !strings.Contains(est.Reason, "the rewards of 180 rows are missing") {
			t.Errorf("weighted estimates of a log with missing rewards: %+v", est)
		}
	}
	warned(t, e, "ipw_mean is not given: the rewards of 180 rows are missing")
	if h03 := check.Find(e.Data.Checks, "H03"); !strings.HasPrefix(h03.Observed, "reward missing: 180 rows (a ") {
		t.Errorf("H03 observed %q", h03.Observed)
	}
	if h11 := check.Find(e.Data.Checks, "H11"); h11.P == nil || *h11.Statistic != 0.2 || h11.Status != schemas.CheckPass {
		t.Errorf("H11: %+v", h11)
	}
	if r := e.Replay; r.Matched != 900 || r.Rounds != 900 {
		t.Errorf("replay of a policy that reads no rewards: %+v", r)
	}
}

// TestMissingByValue: where rewards may be missing by their value, nothing that
// rests on the ledger applies; the confidence sequence of known rewards does.
func TestMissingByValue(t *testing.T) {
	all, _ := withMissing(rolesRows(1, 300))
	spec := rolesSpec()
	spec.MissingReward = true
	more := "privacy: {definition: pure, epsilon: 1}\nclaims:\n  - {id: B, kind: bias.bound, comparator: \"<=\", threshold: 0.5, arms: all}\nanalysis:"
	l := rolesLab(t, columns, columns+", missing_reward: exclude", spec, all).but(t, changes{"analysis:": more})
	r := l.analyse(t, 1)
	e := &r.Experiments[0]
	for _, test := range e.Tests {
		m := method(t, &test, schemas.MethodCorrected)
		if m.Applicable || m.Reason != "A8: missing rewards are left out and may depend on the reward (missing_reward: exclude)" {
			t.Errorf("%s: %+v", test.ID, m)
		}
		if s := method(t, &test, schemas.MethodSequence); !s.Applicable || !strings.HasSuffix(s.Reason, "about the rounds whose reward is known") {
			t.Errorf("%s: %+v", test.ID, s)
		}
	}
	for _, a := range e.Arms {
		if a.BiasBound != nil || a.Sigma != nil || a.CICorrected != nil || a.ConfidenceSequence == nil {
			t.Errorf("arm %s: %+v", a.Label, a)
		}
	}
	for _, c := range r.Claims {
		switch c.Kind {
		case schemas.KindPrivacyTotal, schemas.KindBiasBound:
			if c.Verdict != schemas.NotApplicable || !strings.Contains(c.Reason, "missing_reward: exclude") {
				t.Errorf("%s: %s, %s", c.ID, c.Verdict, c.Reason)
			}
		case schemas.KindDataQuality:
			if c.Verdict != schemas.Verified || c.Observed != "300 rows, 60 of them without a reward" {
				t.Errorf("%s: %s, %s", c.ID, c.Verdict, c.Observed)
			}
		}
	}
	if a8 := r.Assumptions[7]; a8.Status != "failed" {
		t.Errorf("A8 is %s", a8.Status)
	}
}

// TestManifestMustCount: a manifest that counts other missing rewards than the
// tableau has is refused.
func TestManifestMustCount(t *testing.T) {
	all, _ := withMissing(rolesRows(1, 50))
	spec := rolesSpec()
	spec.MissingReward = true
	l := rolesLab(t, columns, columns+", missing_reward: exclude", spec, all)
	for _, spoil := range []func(*schemas.ArmCount){
		func(c *schemas.ArmCount) { c.Rows++ }, func(c *schemas.ArmCount) { c.Arm = 3 }, func(c *schemas.ArmCount) { c.Reason = "other" },
	} {
		in := l.input(0, 1)
		m := *l.manifest
		m.Experiments = append([]schemas.ManifestExperiment{}, m.Experiments...)
		m.Experiments[0].Counts = append([]schemas.ArmCount{}, m.Experiments[0].Counts...)
		spoil(&m.Experiments[0].Counts[0])
		in.Manifest = &m
		if _, err := analyze.Run(context.Background(), in); err == nil || !strings.Contains(err.Error(), "ingest the log again") {
			t.Errorf("got %v", err)
		}
	}
}

// TestArmWithoutKnownReward: an arm that was played and has no reward has no
// estimate, and says so.
func TestArmWithoutKnownReward(t *testing.T) {
	rows := rolesRows(2, 60)
	for i := range rows {
		if rows[i].Arm == 1 {
			rows[i].Reward = math.NaN()
		}
	}
	spec := rolesSpec()
	spec.MissingReward = true
	e := one(t, rolesLab(t, columns, columns+", missing_reward: exclude-independent", spec, rows))
	if a := e.Arms[1]; a.Pulls == 0 || a.Mean != nil || a.CI != nil || a.ConfidenceSequence != nil || a.BiasBound != nil {
		t.Errorf("%+v", a)
	}
	warned(t, e, "arm b has no reward that is known")
	warned(t, e, "regression main, arm b: there are no rows with a reward")
	if m := method(t, &e.Tests[1], schemas.MethodSequence); m.Applicable || m.Reason != "no reward of the arm is known" {
		t.Errorf("%+v", m)
	}
	if h11 := check.Find(e.Data.Checks, "H11"); h11.Status != schemas.CheckNote {
		t.Errorf("H11: %+v", h11)
	}
}

// TestUnits: where a unit owns several rows, arms and tests are by unit, and
// regressions that do not say so have no errors; where each owns one, nothing
// changes.
func TestUnits(t *testing.T) {
	rows := rolesRows(3, 300)
	spec := rolesSpec()
	spec.Unit = true
	with := columns + ", unit: unit"
	single, none := rolesLab(t, columns, with, spec, rows).analyse(t, 1), rolesLab(t, "", "", rolesSpec(), rows).analyse(t, 1)
	for i := range single.Experiments[0].Arms {
		if a := &single.Experiments[0].Arms[i]; a.Units == nil || *a.Units != a.Pulls {
			t.Errorf("arm %d: %v units of one row, want %d", i, a.Units, a.Pulls)
		}
	}
	if diff := cmp.Diff(none.Experiments[0].Arms, single.Experiments[0].Arms, cmpopts.IgnoreFields(schemas.Arm{}, "Units")); diff != "" {
		t.Errorf("units of one row (-none +units):\n%s", diff)
	}
	if a4 := single.Assumptions[3]; a4.Status != "checked" {
		t.Errorf("A4 is %s", a4.Status)
	}
	for i := range rows {
		rows[i].Unit = fmt.Sprint("u", i%100)
	}
	r := rolesLab(t, columns, with, spec, rows).analyse(t, 1)
	e := &r.Experiments[0]
	for a := range e.Arms {
		got, want := &e.Arms[a], &none.Experiments[0].Arms[a]
		if *got.Mean != *want.Mean {
			t.Errorf("arm %d: what needs no independence changed: %+v, want %+v", a, got, want)
		}
		if got.StdError == nil || *got.StdError == *want.StdError || got.CI == nil || got.CICorrected == nil || got.BiasBound == nil || got.Units == nil || got.ConfidenceSequence != nil {
			t.Errorf("arm %d: %+v", a, got)
		}
		if got.IPWMean != nil {
			t.Errorf("arm %d: a weighted mean %g, and nothing says that rounds were drawn by themselves", a, *got.IPWMean)
		}
	}
	for _, est := range e.Estimates {
		if est.Estimate != nil || est.CI != nil || !strings.Contains(est.Reason, "write policy.draw: {by: round}") {
			t.Errorf("estimate %+v", est)
		}
	}
	for i := range e.Tests {
		for _, m := range e.Tests[i].Results {
			if m.Applicable == (m.Method == schemas.MethodSequence) {
				t.Errorf("%s, %s: applicable %v: %s", e.Tests[i].ID, m.Method, m.Applicable, m.Reason)
			}
		}
	}
	warned(t, e, "arms: confidence_sequence is NOT APPLICABLE: A4: a unit (log.unit) owns several rows")
	for _, f := range e.Regressions {
		if f.FP != nil || f.FStatistic != nil {
			t.Errorf("regression %s: F is given", f.Label)
		}
		for _, c := range f.Coefficients {
			if c.Estimate == nil || c.StdError != nil || c.P != nil || c.Log2P != nil || c.CI != nil || c.Statistic != nil {
				t.Errorf("regression %s: %+v", f.Label, c)
			}
		}
	}
	warned(t, e, "regressions: A4: a unit (log.unit) owns several rows")
	if a4 := r.Assumptions[3]; a4.Status != "checked" {
		t.Errorf("A4 is %s", a4.Status)
	}
}

// TestUnitsInBatches counts what H07 says by a plain loop, over more rows than
// a chunk has.
func TestUnitsInBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out a log of 70,000 rows; the full run has it")
	}
	rows := rolesRows(4, 70_000)
	type key struct {
		unit  string
		batch int64
	}
	arms, count, size := map[key]map[int]bool{}, map[key]int{}, map[string]int64{}
	for i := range rows {
		rows[i].Unit, rows[i].Batch = fmt.Sprint("u", i%7%5, i%9000), int64(i/20_000)
		k := key{rows[i].Unit, rows[i].Batch}
		if arms[k] == nil {
			arms[k] = map[int]bool{}
		}
		arms[k][rows[i].Arm] = true
		count[k]++
		size[k.unit]++
	}
	several, pairs, largest := 0, 0, int64(0)
	for k, n := range count {
		if n > 1 {
			pairs++
			if len(arms[k]) > 1 {
				several++
			}
		}
	}
	for _, n := range size {
		largest = max(largest, n)
	}
	spec := rolesSpec()
	spec.Unit, spec.Batch = true, true
	e := one(t, rolesLab(t, columns, columns+", unit: unit, batch: batch", spec, rows))
	want := fmt.Sprintf("%s of %s pairs of unit and batch with several rows; %s units in all, the largest with %s rows",
		schemas.Grouped(int64(several)), schemas.Grouped(int64(pairs)), schemas.Grouped(int64(len(size))), schemas.Grouped(largest))
	if h07 := check.Find(e.Data.Checks, "H07"); h07.Observed != want || several == 0 || several == pairs {
		t.Errorf("H07 observed %q, want %q", h07.Observed, want)
	}
	h05 := check.Find(e.Data.Checks, "H05")
	if !strings.Contains(h05.Detail, "12 pairs of batch and arm, which are those in which the arm could be played;") || h05.Status != schemas.CheckPass {
		t.Errorf("H05: %+v", h05)
	}
	if h10 := check.Find(e.Data.Checks, "H10"); h10.Observed != "changed within 0 of 4 batches" || h10.Status != schemas.CheckPass {
		t.Errorf("H10: %+v", h10)
	}
}

// TestPropensityByBatch: the series is the mean of the logged propensities.
func TestPropensityByBatch(t *testing.T) {
	rows := rolesRows(9, 300)
	for i := range rows {
		rows[i].PropensityByArm = []float64{0.5, 0.25, 0.25}
		if rows[i].Batch == 1 {
			rows[i].PropensityByArm = []float64{0.25, 0.25, 0.5}
		}
		rows[i].Propensity = rows[i].PropensityByArm[rows[i].Arm]
	}
	for _, all := range []bool{false, true} {
		spec := rolesSpec()
		spec.Batch, spec.PropensityByArm = true, all
		more := map[bool]string{true: ", propensity_by_arm: propensity_by_arm"}[all]
		l := written(t, t.TempDir(), strings.NewReplacer(columns, columns+", batch: batch"+more, "policy: {name: uniform}\n", "").Replace(roles), spec, rows)
		series := linesOf(one(t, l), schemas.SeriesPropensity)
		want := schemas.Series{
			ID: "propensity/c", Title: "mean logged propensity of c by batch", Unit: "probability by batch", N: 300,
			X: []float64{1, 2, 3}, Y: []float64{0.25, 0.5, 0.25}, Lo: []float64{}, Hi: []float64{},
		}
		if diff := cmp.Diff(want, series[len(series)-1]); diff != "" || len(series) != 3 {
			t.Errorf("propensities of all arms %v, %d series:\n%s", all, len(series), diff)
		}
	}
}

// TestPlayable: an arm's weighted mean is over the rounds in which it could be
// played, by the eligible arms or by the propensities of all of them.
func TestPlayable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	rows := rolesRows(5, 2000)
	sums, could := make([]float64, 3), make([]int64, 3)
	for i := range rows {
		row := &rows[i]
		row.Eligible, row.PropensityByArm = []bool{true, i%2 == 0, true}, []float64{0.5, 0, 0.5}
		row.Arm = 2 * r.IntN(2)
		if i%2 == 0 {
			row.PropensityByArm, row.Arm = []float64{0.25, 0.5, 0.25}, []int{0, 1, 1, 2}[r.IntN(4)]
		}
		row.Propensity = row.PropensityByArm[row.Arm]
		sums[row.Arm] += row.Reward / row.Propensity
		for a, p := range row.PropensityByArm {
			if p > 0 {
				could[a]++
			}
		}
	}
	for name, c := range map[string]struct {
		columns string
		spec    func(*logfile.Layout)
	}{
		"eligible":          {columns + ", eligible: eligible", func(s *logfile.Layout) { s.Eligible = logfile.EligibleFlags }},
		"labels":            {columns + ", eligible: eligible", func(s *logfile.Layout) { s.Eligible = logfile.EligibleLabels }},
		"propensity_by_arm": {"propensity_by_arm: propensity_by_arm, context: [x0]", func(s *logfile.Layout) { s.Propensity, s.PropensityByArm = false, true }},
		"both": {columns + ", eligible: eligible, propensity_by_arm: propensity_by_arm", func(s *logfile.Layout) {
			s.Eligible, s.PropensityByArm = logfile.EligibleFlags, true
		}},
	} {
		spec := rolesSpec()
		c.spec(spec)
		l := written(t, t.TempDir(), strings.NewReplacer(columns, c.columns, "policy: {name: uniform}\n", "").Replace(roles), spec, rows)
		e := one(t, l)
		for a := range e.Arms {
			near(t, name+": ipw_mean", *e.Arms[a].IPWMean, sums[a]/float64(could[a]))
		}
		if !strings.HasSuffix(e.Estimates[1].Target, "over the rounds in which it could be played") {
			t.Errorf("%s: target %q", name, e.Estimates[1].Target)
		}
		if h05 := check.Find(e.Data.Checks, "H05"); h05.Status != schemas.CheckPass {
			t.Errorf("%s: H05: %+v", name, h05)
		}
		if h14 := check.Find(e.Data.Checks, "H14"); h14.Expected != "mean of 1/p near 2.5, the arms that could be played on average" {
			t.Errorf("%s: H14 expected %q", name, h14.Expected)
		}
		if h04 := check.Find(e.Data.Checks, "H04"); h04.Status != schemas.CheckPass {
			t.Errorf("%s: H04: %+v", name, h04)
		}
	}
}

// TestPropensitiesThatAreNone: sums that are not 1 contradict the log's quality.
func TestPropensitiesThatAreNone(t *testing.T) {
	rows := rolesRows(6, 100)
	rows[41].PropensityByArm = []float64{0.5, 0.5, 0.5}
	rows[41].Propensity = 0.5
	spec := rolesSpec()
	spec.PropensityByArm = true
	l := written(t, t.TempDir(), strings.NewReplacer(columns, columns+", propensity_by_arm: propensity_by_arm", "policy: {name: uniform}\n", "").Replace(roles), spec, rows)
	r := l.analyse(t, 1)
	h04 := check.Find(r.Experiments[0].Data.Checks, "H04")
	if h04.Status != schemas.CheckFail || !strings.HasPrefix(h04.Detail, "The first is round 42.") || r.Claims[0].Verdict != schemas.Violated {
		t.Errorf("H04: %+v, %s", h04, r.Claims[0].Verdict)
	}
	if u := l.but(t, changes{"analysis:": "policy: {name: uniform}\nanalysis:"}).analyse(t, 1).Claims[2]; u.Verdict != schemas.Violated {
		t.Errorf("conformance to uniform: %s, %s", u.Verdict, u.Reason)
	}
}

// TestPropensitiesOfOthers: a uniform policy has 1/K for the arms that were not
// played too.
func TestPropensitiesOfOthers(t *testing.T) {
	rows := rolesRows(6, 100)
	arm := rows[41].Arm
	rows[41].PropensityByArm = []float64{0.5, 0.5, 0.5}
	rows[41].PropensityByArm[arm], rows[41].PropensityByArm[(arm+1)%3] = 1.0/3, 1.0/6
	spec := rolesSpec()
	spec.PropensityByArm = true
	r := rolesLab(t, columns, columns+", propensity_by_arm: propensity_by_arm", spec, rows).analyse(t, 1)
	if c := r.Claims[2]; c.Verdict != schemas.Violated || !strings.HasPrefix(c.Reason, "round 42: ") {
		t.Errorf("conformance: %s, %s", c.Verdict, c.Reason)
	}
	if h04 := check.Find(r.Experiments[0].Data.Checks, "H04"); h04.Status != schemas.CheckPass {
		t.Errorf("H04: %+v", h04)
	}
}

// TestContextByArm: a regression of an arm reads the context of the arm that
// was played.
func TestContextByArm(t *testing.T) {
	rows := rolesRows(7, 400)
	r := rand.New(rand.NewPCG(7, 7))
	for i := range rows {
		rows[i].ContextByArm = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		rows[i].X = []float64{rows[i].ContextByArm[rows[i].Arm]}
	}
	flat := one(t, rolesLab(t, "", "", rolesSpec(), rows))
	spec := rolesSpec()
	spec.ContextDim, spec.ContextByArm = 0, 1
	for i := range rows {
		rows[i].X = nil
	}
	e := one(t, rolesLab(t, "context: [x0]", "context_by_arm: context_by_arm", spec, rows))
	if e.ContextDim != 1 || len(e.Regressions) != 3 {
		t.Fatalf("context of dimension %d, %d regressions", e.ContextDim, len(e.Regressions))
	}
	for i := range e.Regressions {
		got, want := e.Regressions[i].Coefficients[1], flat.Regressions[i].Coefficients[1]
		if got.Name != "context_by_arm[0]" || *got.Estimate != *want.Estimate || *got.StdError != *want.StdError {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestOtherRoles: the rewards of all arms, the time at which a reward became
// known, released values and batches leave every estimate as it is.
func TestOtherRoles(t *testing.T) {
	rows := rolesRows(8, 300)
	want := one(t, rolesLab(t, "", "", rolesSpec(), rows))
	for i := range rows {
		rows[i].RewardByArm, rows[i].ReleasedByArm = []float64{0, 1, 0.5}, []float64{1, 2, 3}
		rows[i].RewardByArm[rows[i].Arm] = rows[i].Reward
	}
	rows[0].RewardOrder = tableau.NeverKnown
	spec := rolesSpec()
	spec.RewardByArm, spec.RewardOrder, spec.ReleasedByArm, spec.Batch = true, true, 1, true
	e := one(t, rolesLab(t, "reward: reward, "+columns, "reward_by_arm: reward_by_arm, reward_order: reward_order, released_by_arm: released_by_arm, batch: batch, "+columns, spec, rows))
	if diff := cmp.Diff(want.Arms, e.Arms); diff != "" {
		t.Errorf("arms (-plain +roles):\n%s", diff)
	}
	if diff := cmp.Diff(want.Tests, e.Tests); diff != "" {
		t.Errorf("tests (-plain +roles):\n%s", diff)
	}
	if diff := cmp.Diff(want.Regressions, e.Regressions); diff != "" {
		t.Errorf("regressions (-plain +roles):\n%s", diff)
	}
	for _, want := range []string{
		"log.reward_order is carried into the tableau; only the replay of a policy that learns from rewards uses it, and there was none",
		"log.reward_by_arm is carried into the tableau; this version analyses the reward of the logged arm",
		"log.released_by_arm is carried into the tableau; only the replay of a policy that reads released values uses it, and there was none",
	} {
		warned(t, e, want)
	}
	for _, w := range want.Warnings {
		if strings.Contains(w, "is carried") {
			t.Errorf("a log without such columns warns %q", w)
		}
	}
}
