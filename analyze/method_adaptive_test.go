package analyze_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// adaptiveRows are rounds of three arms that pay .3, .4 and .45, drawn with propensities
// that change with the round, and are written in full.
func adaptiveRows(n int) []logfile.Row {
	r := rand.New(rand.NewPCG(26, 1))
	rows := make([]logfile.Row, n)
	for i := range rows {
		p := [][]float64{{.5, .3, .2}, {.2, .3, .5}, {.25, .5, .25}}[i*3/n]
		p[0], p[1], p[2] = p[0]+inFull, p[1]+inFull, p[2]-2*inFull
		u, arm := r.Float64(), 0
		for ; u >= p[arm] && arm < 2; arm++ {
			u -= p[arm]
		}
		rows[i] = logfile.Row{Arm: arm, Propensity: p[arm], PropensityByArm: p}
		if r.Float64() < []float64{.3, .4, .45}[arm] {
			rows[i].Reward = 1
		}
	}
	return rows
}

// adaptiveLog is a log of them; all says that the propensities of all arms are logged.
func adaptiveLog(t *testing.T, all bool, analysis string) *lab {
	t.Helper()
	columns := "propensity: propensity"
	if all {
		columns += ", propensity_by_arm: propensity_by_arm"
	}
	source := protocolOf(columns, "[a, b]", "[a, b, c]") + analysis
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Propensity: true, PropensityByArm: all}, adaptiveRows(4000))
}

const adaptiveTests = `analysis:
  chosen: before
  means: constant
  decide: adaptive
  approximate: accept
  multiplicity: none
  tests:
    - {id: M, arm: b, mean: 0.35}
    - {id: S, arm: b, mean: 0.35, alternative: greater}
    - {id: D, difference: [b, a], value: 0}
    - {id: R, difference: [a, b], value: 0, alternative: less}
    - {id: P, difference: [c, b], value: 0.02}
    - {id: X, arm: most-pulled, mean: 0.35}
    - {id: A, arm: b, mean: 0.35, decide: any-time}
`

// normalTail is P(Z > z).
func normalTail(z float64) float64 { return .5 * math.Erfc(z/math.Sqrt2) }

// The p and the interval of a decision by adaptive are those of the estimate and its
// standard error, which [TestEstimatesReference] holds against a second program: by √p
// where the propensities of all arms are logged and means are declared constant, else
// plain; of any two arms, in either order; a chosen arm pays the number of arms.
func TestAdaptive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		all           bool
		means, method string
	}{{true, "constant", "aipw-sqrt"}, {false, "constant", "aipw"}, {true, "varying", "aipw"}} {
		r := adaptiveLog(t, c.all, strings.Replace(adaptiveTests, "means: constant", "means: "+c.means, 1)).analyse(t, 2)
		e := &r.Experiments[0]
		const q, one, third = 1.959963984540054, 1.6448536269514722, 2.3939797998185104 // of .05, one-sided .05, .05/3
		for _, w := range []struct {
			id, label, against string
			turned             bool
			value, q, times    float64
			p                  func(z float64) float64
			open               float64 // the end that a one-sided interval has instead; NaN
		}{
			{"M", "b", "", false, .35, q, 1, func(z float64) float64 { return 2 * normalTail(math.Abs(z)) }, math.NaN()},
			{"S", "b", "", false, .35, one, 1, normalTail, 1},
			{"D", "b", "a", false, 0, q, 1, func(z float64) float64 { return 2 * normalTail(math.Abs(z)) }, math.NaN()},
			{"R", "b", "a", true, 0, one, 1, func(z float64) float64 { return normalTail(-z) }, -1},
			{"P", "c", "b", false, .02, q, 1, func(z float64) float64 { return 2 * normalTail(math.Abs(z)) }, math.NaN()},
			{"X", "b", "", false, .35, third, 3, func(z float64) float64 { return 2 * normalTail(math.Abs(z)) }, math.NaN()},
		} {
			test, got := decidedBy(t, r, w.id, c.method)
			x := estimateOf(t, e, c.method, w.label, w.against)
			at := *x.Estimate
			if w.turned {
				at = -at
			}
			z := (at - w.value) / *x.StdError
			near(t, w.id+": z", *got.Statistic, z)
			near(t, w.id+": p", *got.P, min(1, w.times*w.p(z)))
			lo, hi := at-w.q**x.StdError, at+w.q**x.StdError
			switch w.open {
			case 1:
				hi = 1
			case -1:
				lo = -1
			}
			near(t, w.id+": lower end", got.CI[0], lo)
			near(t, w.id+": upper end", got.CI[1], hi)
			if !got.Approximate || got.ValidFor != "fixed-arm" || !strings.Contains(test.Choice, "adaptive is declared to decide (analysis.decide), by "+c.method) {
				t.Errorf("%s: %+v, %s", w.id, got, test.Choice)
			}
			if decided := *got.P <= .05; decided != (test.Decision == schemas.DecisionRejected) {
				t.Errorf("%s: %s with p %g", w.id, test.Decision, *got.P)
			}
			if (c.means == "constant") != strings.Contains(got.Reason, "which is declared to be constant (analysis.means), is so") {
				t.Errorf("%s: %s", w.id, got.Reason)
			}
			if test.Comparison != nil && (!strings.Contains(test.Comparison.ValidIf, schemas.ValidIfLogged) || (c.means == "constant") != strings.Contains(test.Comparison.ValidIf, schemas.ValidIfDeclared)) {
				t.Errorf("%s is valid if %s", w.id, test.Comparison.ValidIf)
			}
		}
		if test, _ := decidedBy(t, r, "A", schemas.MethodAnyTime); methods(test)[c.method] != nil {
			t.Errorf("%s: nobody asked for it", c.method)
		}
	}
}

// Where the protocol refuses what is approximate, where the estimate has no interval, and
// where no propensity is known, adaptive does not apply, and says which key or what; it is
// no answer to whether arms pay alike.
func TestAdaptiveNotApplicable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, from, to, why string }{
		{"refused", "approximate: accept", "approximate: refuse", "write analysis.approximate: accept"},
		{"an end that nobody declares", ", stopping: fixed", "", "(experiment.stopping: fixed)"},
		{"too few rewards", "reward: {range: [0, 1]}", "reward: {range: [0, 1000]}", "fewer than 15 successes or failures"},
		{"no propensity", "propensity: propensity, propensity_by_arm: propensity_by_arm", "", "no propensity is logged"},
		{"one more draw", "propensity: propensity,", "propensity: propensity, propensity_draws: 20, drawn: one-more,", "the action was drawn by one more"},
	} {
		source := protocolOf("propensity: propensity, propensity_by_arm: propensity_by_arm", "[a, b]", "[a, b, c]") + adaptiveTests
		source = strings.Replace(strings.Replace(source, c.from, c.to, 1), "reward: reward, }", "reward: reward}", 1)
		if !strings.Contains(source, c.to) || strings.Contains(source, c.from) && c.to == "" {
			t.Fatal(c.name)
		}
		kind := logfile.RewardBool
		if strings.Contains(c.name, "few") {
			kind = logfile.RewardFloat
		}
		e := one(t, written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: kind, Propensity: true, PropensityByArm: true}, adaptiveRows(4000)))
		for i := range e.Tests {
			test := &e.Tests[i]
			if test.ID == "A" {
				continue
			}
			if test.Decision != schemas.DecisionNone || !strings.Contains(test.Choice, c.why) {
				t.Errorf("%s, %s: %s, %s", c.name, test.ID, test.Decision, test.Choice)
			}
		}
	}
	e := one(t, adaptiveLog(t, true, "analysis: {chosen: before, decide: adaptive, tests: [{id: E, equal: all}]}\n"))
	if why := e.Tests[0].Choice; why != "adaptive does not answer a test of kind equal (analysis.decide)" {
		t.Error(why)
	}
}

// A contrast stands for every pair that a test names, beside those against the control,
// and each once: the vector of the formula sheet, second part, 24.1, for arms 3 and 2 of
// the small log.
func TestContrastsOfTests(t *testing.T) {
	t.Parallel()
	e := one(t, small(t, "analysis: {chosen: before, means: constant, control: a, tests: [{id: D, difference: [c, b], value: 0}, {id: E, equal: [b, c]}, {id: F, difference: [a, b], value: 0}]}\n", true))
	var pairs []string
	for i := range e.Estimates {
		if x := &e.Estimates[i]; x.Against != "" {
			pairs = append(pairs, x.Label+x.Against)
		}
	}
	if got := strings.Join(pairs, " "); got != "ba ca cb" {
		t.Errorf("contrasts %s", got)
	}
	x := estimateOf(t, e, "aipw-sqrt", "c", "b")
	if math.Abs(raw(x)-1.0805546223) > 5e-11 || math.Abs(*x.StdError-.1706640356) > 5e-11 {
		t.Errorf("%.12g, %.12g", raw(x), *x.StdError)
	}
}
