package analyze_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"banditaudit/replay"
	"banditaudit/replay/world"
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
	if len(logged.Estimates) != len(recomputed.Estimates) || len(logged.Estimates) < 12 {
		t.Fatalf("%d estimates, and %d", len(logged.Estimates), len(recomputed.Estimates))
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
