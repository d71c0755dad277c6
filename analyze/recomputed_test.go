package analyze_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

const askedOfArms = `analysis:
  chosen: before
  multiplicity: none
  means: constant
  evaluate: [{id: V, target: uniform}]
  tests:
    - {id: D, difference: [b, a], value: 0, decide: any-time}
    - {id: E, equal: [b, a], decide: assignment}
    - {id: A, equal: all, decide: assignment}
`

// unlogged is the protocol of a simulated log of two or three arms, with columns of
// propensities.
func unlogged(arms, log, policy string) string {
	return "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [round], action: action, reward: reward, propensity: propensity, propensity_by_arm: propensity_by_arm" + log + "}\narms: [" + arms +
		"]\nreward: {range: [0, 1]}\npolicy: " + policy + "\n" + askedOfArms
}

const propensityColumns = ", propensity: propensity, propensity_by_arm: propensity_by_arm"

// withAndWithout are a simulated log whose propensities are read, and the same without them.
func withAndWithout(t *testing.T, source string, s *world.Spec, more changes) (with, without *lab) {
	t.Helper()
	dir := t.TempDir()
	l := &lab{source: source, master: replay.Seed(7)}
	l.parse(t)
	s.Protocol, s.Master, s.CreatedBy = l.protocol, l.master, "test"
	if _, err := world.Simulate(context.Background(), s, dir+"/log"); err != nil {
		t.Fatal(err)
	}
	l.open(t, dir)
	none := &lab{source: strings.Replace(source, propensityColumns, "", 1), master: l.master}
	for before, after := range more {
		if !strings.Contains(none.source, before) {
			t.Fatalf("%q does not stand in\n%s", before, none.source)
		}
		none.source = strings.Replace(none.source, before, after, 1)
	}
	none.parse(t)
	none.open(t, dir)
	return l, none
}

// TestRecomputedPropensities: a log audited once with the propensities that it logs, and
// once without them, of a policy that learns. What is estimated is the same, and what
// wagers won differs by no more than what recomputation may be off by.
func TestRecomputedPropensities(t *testing.T) {
	t.Parallel()
	const (
		drawn    = ", seed: {file: s.hex}}"
		seed     = drawn + "\ncounter: {name: exact}"
		hybrid   = drawn + "\ncounter: {name: hybrid, epsilon: 1, horizon: 900}"
		released = ", released_by_arm: released_by_arm"
	)
	three := &world.Spec{Means: []float64{.3, .5, .45}, Rounds: 900}
	late, batches, eligible := *three, *three, *three
	late.Delay, batches.Batch, eligible.Eligible = world.Delay{Mean: 5}, 30, .8
	for _, tt := range []struct {
		name, log, policy string
		spec              world.Spec
		more              changes
		mode              string
		verdict           schemas.Verdict
	}{
		{"epsilon-greedy", "", "{name: epsilon-greedy, explore: 0.2" + seed, *three, nil, schemas.ModeSeed, schemas.Verified},
		{"softmax", "", "{name: softmax, eta: 0.02" + seed, *three, nil, schemas.ModeSeed, schemas.Verified},
		{"thompson", "", "{name: thompson, prior: {alpha: 1, beta: 1}, floor: 0.05" + seed, *three, nil, schemas.ModeSeed, schemas.Verified},
		{"ucb with a floor", "", "{name: ucb, width: {c: 2}, floor: 0.1" + seed, *three, nil, schemas.ModeSeed, schemas.Verified},
		{"noise of the seed", "", "{name: softmax, eta: 0.02" + hybrid, *three, nil, schemas.ModeSeed, schemas.Verified},
		{"released", released, "{name: softmax, eta: 0.02" + hybrid, *three, changes{", seed: {file: s.hex}": ""}, schemas.ModeReleased, schemas.Consistent},
		{"batches", ", batch: batch", "{name: thompson, prior: {alpha: 1, beta: 1}, floor: 0.05, update: batch" + seed, batches, nil, schemas.ModeSeed, schemas.Verified},
		{"every 50", "", "{name: thompson, prior: {alpha: 1, beta: 1}, floor: 0.05, update: {every: 50}" + seed, *three, nil, schemas.ModeSeed, schemas.Verified},
		{"delays", ", reward_order: reward_round", "{name: softmax, eta: 0.02" + seed, late, nil, schemas.ModeSeed, schemas.Verified},
		{"eligible arms", ", eligible: eligible, eligible_by: schedule", "{name: softmax, eta: 0.02" + seed, eligible, nil, schemas.ModeSeed, schemas.Verified},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			with, without := withAndWithout(t, unlogged("a, b, c", tt.log, tt.policy), &tt.spec, tt.more)
			if c := &without.replays[0].Conformance; c.Mode != tt.mode {
				t.Fatalf("mode %s", c.Mode)
			}
			r := without.analyse(t, 1)
			if f := claim(t, r, schemas.KindConformance); f.Verdict != tt.verdict {
				t.Fatalf("%s: %s", f.Verdict, f.Reason)
			}
			logged := with.analyse(t, 1)
			equalEstimates(t, &logged.Experiments[0], &r.Experiments[0])
			equalWagers(t, &logged.Experiments[0], &r.Experiments[0])
			if !bytes.Equal(encode(t, r), encode(t, without.analyse(t, 2))) {
				t.Error("two workers give other results than one")
			}
		})
	}
}

// equalEstimates holds what is estimated by recomputed propensities against what is by
// logged ones.
func equalEstimates(t *testing.T, logged, recomputed *schemas.Experiment) {
	t.Helper()
	if len(logged.Estimates) != len(recomputed.Estimates) || len(logged.Estimates) < 6 {
		t.Fatalf("%d estimates, and %d: %+v", len(logged.Estimates), len(recomputed.Estimates), recomputed.Estimates[0])
	}
	for i := range logged.Estimates {
		a, b := &logged.Estimates[i], &recomputed.Estimates[i]
		if (a.Estimate == nil) != (b.Estimate == nil) || (a.CI == nil) != (b.CI == nil) || a.Estimate == nil && !a.Anytime {
			t.Errorf("%s of the %s: %+v, and %+v (%s; %s)", a.Estimator, a.Target, a.Estimate, b.Estimate, a.Reason, b.Reason)
			continue
		}
		if !strings.Contains(b.ValidUnder, "recomputed") || strings.Contains(b.ValidUnder, "logged propensity is") || strings.Contains(b.ValidUnder, "declared probability") {
			t.Errorf("%s: valid under %s", b.Estimator, b.ValidUnder)
		}
		if a.Anytime {
			continue
		}
		if *a.Rounds != *b.Rounds || *a.LeftOut != *b.LeftOut {
			t.Errorf("%s: %d rounds, %d left out, and %d, %d", a.Estimator, *a.Rounds, *a.LeftOut, *b.Rounds, *b.LeftOut)
		}
		for name, pair := range map[string][2]*float64{"estimate": {a.Estimate, b.Estimate}, "standard error": {a.StdError, b.StdError}, "ess": {a.ESS, b.ESS}, "largest weight": {a.LargestWeight, b.LargestWeight}} {
			if x, y := pair[0], pair[1]; (x == nil) != (y == nil) || x != nil && math.Abs(*x-*y) > 1e-6*math.Abs(*x) {
				t.Errorf("%s of %s: %v, and %v", name, a.Estimator, deref(x), deref(y))
			}
		}
	}
}

// equalWagers holds p and intervals of wagers by recomputed propensities against those
// by logged ones: a propensity differs by 10⁻⁹ + 10⁻⁷·p at most, a weight by some 10⁻⁷ of
// it, and over hundreds of rounds evidence by some 10⁻⁴.
func equalWagers(t *testing.T, logged, recomputed *schemas.Experiment) {
	t.Helper()
	for i := range logged.Tests {
		a, b := &logged.Tests[i], &recomputed.Tests[i]
		if a.DecidedBy == "" || a.DecidedBy != b.DecidedBy {
			t.Fatalf("%s is decided by %q (%s), and %q (%s)", a.ID, a.DecidedBy, a.Choice, b.DecidedBy, b.Choice)
		}
		x, y := method(t, a, a.DecidedBy), method(t, b, b.DecidedBy)
		if !strings.Contains(y.Reason, "recomputed") || !strings.Contains(y.Reason, "policy.conformance is ") {
			t.Errorf("%s: %s", b.ID, y.Reason)
		}
		if d := math.Log(*y.P) - math.Log(*x.P); math.Abs(d) > 1e-3 {
			t.Errorf("%s: p %g, and %g", a.ID, *x.P, *y.P)
		}
		if x.CI == nil {
			continue
		}
		if math.Abs(y.CI[0]-x.CI[0]) > 1e-4 || math.Abs(y.CI[1]-x.CI[1]) > 1e-4 {
			t.Errorf("%s: %v, and %v", a.ID, x.CI, y.CI)
		}
	}
}

func deref(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// Over several chunks, which are worked at one time where propensities are logged, and in
// their order where they are recomputed.
func TestRecomputedOverChunks(t *testing.T) {
	if testing.Short() {
		t.Skip("a log of 70,000 rounds")
	}
	t.Parallel()
	source := strings.Replace(unlogged("a, b", "", "{name: epsilon-greedy, explore: 0.3, seed: {file: s.hex}}\ncounter: {name: exact}"), askedOfArms, "analysis: {means: constant}\n", 1)
	with, without := withAndWithout(t, source, &world.Spec{Means: []float64{.5, .505}, Rounds: 70_000}, nil)
	if n := without.tableau.Slice(0).Chunks(); n < 2 {
		t.Fatalf("%d chunks", n)
	}
	r := without.analyse(t, 1)
	equalEstimates(t, &with.analyse(t, 2).Experiments[0], &r.Experiments[0])
	if !bytes.Equal(encode(t, r), encode(t, without.analyse(t, 2))) {
		t.Error("two workers give other results than one")
	}
}

// TestRecomputedByLaw: without a seed, a released value or a logged propensity, those of a
// policy that draws are recomputed from the logged rewards, and count as logged.
func TestRecomputedByLaw(t *testing.T) {
	t.Parallel()
	const seed = ", seed: {file: s.hex}"
	s := world.Spec{Means: []float64{.3, .5}, Rounds: 400}
	_, l := withAndWithout(t, unlogged("a, b", "", "{name: softmax, eta: 0.02"+seed+"}\ncounter: {name: exact}"), &s, changes{seed: ""})
	r := l.analyse(t, 1)
	f := claim(t, r, schemas.KindConformance)
	law := r.Experiments[0].Replay.Law
	if f.Verdict != schemas.Consistent || law == nil || law.Rounds != 400 || law.Detectable == nil || law.Allocation.Rejected || r.Experiments[0].Replay.Mode != schemas.ModeLaw {
		t.Errorf("%s: %s, %+v", f.Verdict, f.Reason, law)
	}
	given := false
	for _, x := range r.Experiments[0].Estimates {
		given = given || x.Estimate != nil && x.Estimator == schemas.EstimatorIPW
	}
	if !given {
		t.Error("no mean is weighed by the recomputed propensities")
	}
}

// TestRecomputedNot: what stands against recomputed propensities, in every place where
// they would be read.
func TestRecomputedNot(t *testing.T) {
	t.Parallel()
	const seed = ", seed: {file: s.hex}"
	spec := world.Spec{Means: []float64{.3, .5}, Rounds: 400}
	rounded := func(l *lab) *lab {
		return l.replayed(func(c *schemas.Conformance) { c.Released.Rounding = new(.005) })
	}
	for _, tt := range []struct {
		name, log, policy, counter string
		more                       changes
		change                     func(*lab) *lab
		reason                     string
		estimates                  bool // there is a record of every estimator, without a number
	}{
		{"another seed", "", "{name: softmax, eta: 0.02" + seed + "}", "{name: exact}", nil, func(l *lab) *lab {
			out := *l
			out.master = replay.Seed(8)
			return out.but(t, nil)
		}, "policy.conformance is VIOLATED", true},
		{"no seed", "", "{name: softmax, eta: 0.02" + seed + "}", "{name: hybrid, epsilon: 1, horizon: 400}", changes{seed: ""}, nil, "it is NOT ESTABLISHED, and its reason says what would settle it (policy.seed", true},
		{"no replay", "", "{name: softmax, eta: 0.02" + seed + "}", "{name: exact}", nil, func(l *lab) *lab {
			out := *l
			out.replays = nil
			return &out
		}, "it is NOT RUN", true},
		{"nothing is drawn", "", "{name: ucb, width: {c: 2}" + seed + "}", "{name: exact}", nil, nil, "every recomputed probability is 0 or 1, and what another arm would have earned in a round was left to no chance (positivity)", false},
		{"rounded", ", released_by_arm: released_by_arm", "{name: softmax, eta: 0.02" + seed + "}", "{name: hybrid, epsilon: 1, horizon: 400}", changes{seed: ""}, rounded, "less than full precision", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			source := unlogged("a, b", tt.log, tt.policy+"\ncounter: "+tt.counter)
			if strings.Contains(tt.policy, "ucb") { // of which simulate logs no propensities
				source = strings.Replace(source, propensityColumns, "", 1)
			}
			s := spec
			_, l := withAndWithout(t, source, &s, tt.more)
			if tt.change != nil {
				l = tt.change(l)
			}
			e := &l.analyse(t, 1).Experiments[0]
			for i := range e.Tests {
				if x := &e.Tests[i]; x.ID != "D" && (x.DecidedBy != "" || !strings.Contains(method(t, x, schemas.MethodAssignment).Reason, tt.reason)) {
					t.Errorf("%s: %s", x.ID, x.Choice)
				}
			}
			arms := 0
			for _, x := range e.Estimates {
				if x.Estimate != nil || x.CI != nil || !strings.Contains(x.Reason, tt.reason) {
					t.Errorf("%s: %+v", x.Estimator, x)
				}
				if x.EvaluationPolicy == "" {
					arms++
				}
			}
			if (arms > 0) != tt.estimates {
				t.Errorf("%d estimates of arms", arms)
			}
		})
	}
}

// A policy that may draw, and of which every recomputed p is 0 or 1, is as one that logs
// them all as 1.
func TestRecomputedWithoutADraw(t *testing.T) {
	t.Parallel()
	source := unlogged("a, b", "", "{name: epsilon-greedy, explore: 0, seed: {file: s.hex}}\ncounter: {name: exact}")
	_, l := withAndWithout(t, source, &world.Spec{Means: []float64{.3, .5}, Rounds: 300}, nil)
	for _, e := range l.analyse(t, 1).Experiments[0].Estimates {
		if !e.Anytime && (e.Estimate != nil || !strings.Contains(e.Reason, "every recomputed propensity is 0 or 1: no action was drawn")) {
			t.Errorf("%+v", e)
		}
	}
}

// Arms that pay alike, of policies that learn, with a seed and no propensity logged: what
// decides rejects in no more than its level, and three standard errors of the number of
// logs.
func TestRecomputedLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred logs")
	}
	t.Parallel()
	const logs = 40
	rejected, decided := map[string]int{}, map[string]int{}
	for _, tt := range []struct{ arms, policy string }{
		{"a, b", "{name: epsilon-greedy, explore: 0.2"},
		{"a, b, c", "{name: epsilon-greedy, explore: 0.2"},
		{"a, b", "{name: thompson, prior: {alpha: 1, beta: 1}, floor: 0.05, update: {every: 20}"},
		{"a, b, c", "{name: thompson, prior: {alpha: 1, beta: 1}, floor: 0.05, update: {every: 20}"},
	} {
		means := []float64{.5, .5, .5}[:strings.Count(tt.arms, ",")+1]
		source := "version: 1\nexperiment: {column: experiment, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [" + tt.arms + "]\nreward: {range: [0, 1]}\npolicy: " +
			tt.policy + ", seed: {file: s.hex}}\ncounter: {name: exact}\nanalysis:\n  chosen: before\n  multiplicity: none\n  tests:\n    - {id: D, equal: [b, a], decide: any-time}\n    - {id: E, equal: [b, a], decide: assignment}\n    - {id: A, equal: all, decide: assignment}\n"
		for _, e := range simulated(t, source, 3, &world.Spec{Means: means, Rounds: 300, Repeat: logs}).analyse(t, 2).Experiments {
			for i := range e.Tests {
				x := &e.Tests[i]
				decided[x.ID] += b2i(x.DecidedBy != "")
				rejected[x.ID] += b2i(x.Decision == schemas.DecisionRejected)
			}
		}
	}
	for id, n := range decided {
		most := .05*float64(n) + 3*math.Sqrt(.05*.95*float64(n))
		if n != 4*logs || float64(rejected[id]) > most {
			t.Errorf("%s: %d of %d rejected, at most %.0f", id, rejected[id], n, most)
		}
	}
}

// deployed plays the policy of a protocol for so many rounds, by streams of a seed, and
// writes what change makes of each row. A unit of two rounds keeps the arm of its first
// where units is set.
func deployed(t *testing.T, source string, spec *logfile.Layout, units bool, change func(r *rand.Rand, row *logfile.Row)) *lab {
	t.Helper()
	l := &lab{source: source}
	l.parse(t)
	d, err := conformance.Declare(analyze.Standard(), l.protocol, l.protocol.Arms)
	if err != nil {
		t.Fatal(err)
	}
	run, r, means := d.Mechanism.NewRunner(replay.Seed(7), "e"), rand.New(rand.NewPCG(1, 2)), []float64{.3, .5, .45}
	rows := make([]logfile.Row, 1000)
	for i := range rows {
		arm := run.Next(nil)
		if units && i%2 == 1 {
			arm = rows[i-1].Arm
		}
		rows[i] = logfile.Row{Arm: arm, Reward: float64(b2i(r.Float64() < means[arm])), PropensityByArm: slices.Clone(run.Propensities()), ReleasedByArm: slices.Clone(run.Exact()), Unit: strconv.Itoa(i / 2)}
		rows[i].Propensity = rows[i].PropensityByArm[arm]
		run.Add(arm, rows[i].Reward)
		change(r, &rows[i])
	}
	spec.Labels, spec.Reward = l.protocol.Arms, logfile.RewardFloat
	return written(t, t.TempDir(), source, spec, rows)
}

// Where one draw serves a unit the first rounds of units count, as with logged
// propensities.
func TestRecomputedByUnit(t *testing.T) {
	t.Parallel()
	source := unlogged("a, b, c", ", unit: unit, released_by_arm: released_by_arm", "{name: softmax, eta: 0.02, draw: {by: unit}}\ncounter: {name: exact}")
	find := func(source string) *schemas.Results {
		spec := &logfile.Layout{Propensity: true, PropensityByArm: true, Unit: true, ReleasedByArm: 1}
		return deployed(t, source, spec, true, func(*rand.Rand, *logfile.Row) {}).analyse(t, 1)
	}
	logged, recomputed := find(source), find(strings.Replace(source, propensityColumns, "", 1))
	if f := claim(t, recomputed, schemas.KindConformance); f.Verdict != schemas.Consistent {
		t.Fatalf("%s: %s", f.Verdict, f.Reason)
	}
	equalEstimates(t, &logged.Experiments[0], &recomputed.Experiments[0])
	equalWagers(t, &logged.Experiments[0], &recomputed.Experiments[0])
	if n := *recomputed.Experiments[0].Estimates[0].Rounds; n != 500 {
		t.Errorf("over %d rounds", n)
	}
}

// Where logged propensities are shares of draws, and the action is one more, answers go
// by recomputed ones, and are those of a log of the exact ones.
func TestRecomputedOneMore(t *testing.T) {
	t.Parallel()
	const of = 1000
	exact := unlogged("a, b, c", "", "{name: softmax, eta: 0.02, update: {every: 50}}\ncounter: {name: exact}")
	source := strings.Replace(exact, propensityColumns, propensityColumns+", propensity_draws: 1000, drawn: one-more", 1)
	spec := logfile.Layout{Propensity: true, PropensityByArm: true}
	logged := deployed(t, exact, &spec, false, func(*rand.Rand, *logfile.Row) {}).analyse(t, 1)
	spec.Improper = true // a share may be 0
	var shares []float64
	l := deployed(t, source, &spec, false, func(_ *rand.Rand, row *logfile.Row) {
		r := rand.New(rand.NewPCG(3, math.Float64bits(row.PropensityByArm[0]))) // draws stand until the weights change
		shares = make([]float64, 3)
		for range of {
			u, arm := r.Float64(), 0
			for arm < 2 && u >= row.PropensityByArm[arm] {
				u -= row.PropensityByArm[arm]
				arm++
			}
			shares[arm] += 1. / of
		}
		for i := range shares {
			shares[i] = math.Round(shares[i]*of) / of
		}
		row.PropensityByArm, row.Propensity = shares, shares[row.Arm]
	})
	recomputed := l.analyse(t, 1)
	if f := claim(t, recomputed, schemas.KindConformance); f.Verdict != schemas.Consistent {
		t.Fatalf("%s: %s", f.Verdict, f.Reason)
	}
	equalEstimates(t, &logged.Experiments[0], &recomputed.Experiments[0])
	equalWagers(t, &logged.Experiments[0], &recomputed.Experiments[0])
	// Where a wager finds that arms were not played so, nothing goes by them.
	p := *l.replays[0].Conformance.Propensities
	draws, wager := *p.Draws, *p.Draws.Allocation
	wager.Rejected, wager.P, draws.Allocation, p.Draws = true, 1e-9, &wager, &draws
	l.replays[0].Conformance.Propensities = &p
	other := &l.analyse(t, 1).Experiments[0]
	const reason = "not played with the recomputed propensities (allocation.matches_propensity)"
	if x := &other.Tests[1]; x.DecidedBy != "" || !strings.Contains(x.Choice, reason) {
		t.Errorf("%s: decided by %q, %s", x.ID, x.DecidedBy, x.Choice)
	}
	if e := &other.Estimates[0]; e.CI != nil || !strings.Contains(e.Reason, "1/p is too large") {
		t.Errorf("%+v", e)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
