package analyze_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// constantProtocol declares constant means beside a context.
const constantProtocol = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: arm, reward: wonPROPENSITY, context: [x]}
arms: [a, b]
reward: {range: [0, 1]}
analysis:
  chosen: before
  means: constant
  approximate: accept
  decide: DECIDE
  tests: [{id: H, difference: [b, a], value: 0}]
`

func constantSource(propensity, decide string) string {
	return strings.NewReplacer("PROPENSITY", propensity, "DECIDE", decide).Replace(constantProtocol)
}

// steeredLog is of ε-greedy (.2) with a memory for each of two equally likely contexts, or
// one for both; pays is the mean reward by context, then arm.
func steeredLog(seed uint64, rounds int, pays [2][2]float64, sees bool) *truth.Log {
	r := rand.New(rand.NewPCG(seed, 40))
	var n, s [2][2]float64
	var round []int64
	var arm []string
	var won []bool
	var x []float64
	var p [][]float64
	for t := range rounds {
		c, seen := r.IntN(2), 0
		if sees {
			seen = c
		}
		best := 0
		if (s[seen][1]+1)/(n[seen][1]+2) > (s[seen][0]+1)/(n[seen][0]+2) {
			best = 1
		}
		law := []float64{.1, .1}
		law[best] = .9
		k := 0
		if r.Float64() >= law[0] {
			k = 1
		}
		y := r.Float64() < pays[c][k]
		n[seen][k]++
		if y {
			s[seen][k]++
		}
		round, arm, won, x, p = append(round, int64(t)), append(arm, []string{"a", "b"}[k]), append(won, y), append(x, float64(c)), append(p, law)
	}
	return (&truth.Log{}).Put("round", round).Put("arm", arm).Put("won", won).Put("x", x).Put("p", p)
}

// Arms that a context decides, in logs of 300 and 600 rounds without propensities: each arm
// was played in one context, so that no check within an arm can find that rewards follow it.
// No test decides that they pay otherwise.
func TestContextDecidesTheArm(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 41))
		var round []int64
		var arm []string
		var won []bool
		var x []float64
		for t := range 300 + 300*(seed%2) {
			c := r.IntN(2)
			round, arm, won, x = append(round, int64(t)), append(arm, []string{"a", "b"}[c]), append(won, r.Float64() < []float64{.7, .3}[c]), append(x, float64(c))
		}
		e := audited(t, (&truth.Log{}).Put("round", round).Put("arm", arm).Put("won", won).Put("x", x), constantSource("", "auto")).First()
		if !contradicts(e, schemas.MeansBySteering) || e.Tests[0].DecidedBy != "" || e.Steering == nil || len(e.Cautions) == 0 {
			t.Errorf("%d: means %+v, decided by %q, cautions %q", seed, e.Means, e.Tests[0].DecidedBy, e.Cautions)
		}
	}
}

// meansCheck is a check of constant means; nil where it was not carried out.
func meansCheck(e *schemas.Experiment, name string) *schemas.MeansCheck {
	if e.Means == nil {
		return nil
	}
	if i := slices.IndexFunc(e.Means.Checks, func(c schemas.MeansCheck) bool { return c.Check == name }); i >= 0 {
		return &e.Means.Checks[i]
	}
	return nil
}

// contradicts reports whether a check does.
func contradicts(e *schemas.Experiment, name string) bool {
	c := meansCheck(e, name)
	return c != nil && c.Contradicts
}

// Both arms pay .35 on average in every round, .2 and .4 in one context, .5 and .3 in the
// other, which steers the policy: the declaration is contradicted in each of 12 logs, a
// caution says so, and nothing that needs it decides. By weights the true hypothesis is
// rejected in at most 2 of them: .03 of 200 logs are.
func TestConstantBesideSteeringContext(t *testing.T) {
	t.Parallel()
	rejected := 0
	for seed := range uint64(12) {
		log := steeredLog(seed, 4_000, [2][2]float64{{.2, .4}, {.5, .3}}, true)
		e := audited(t, log, constantSource("", "auto")).First()
		test := &e.Tests[0]
		if !contradicts(e, schemas.MeansByContexts) || e.Means.Code != schemas.CodeMeansContradicted || e.Steering == nil {
			t.Errorf("%d: means %+v, steering %+v", seed, e.Means, e.Steering)
		}
		if test.DecidedBy != "" || !strings.Contains(test.Result(schemas.MethodAnyTime).Reason, "means are not constant") {
			t.Errorf("%d: decided by %q; %s", seed, test.DecidedBy, test.Result(schemas.MethodAnyTime).Reason)
		}
		if len(e.Cautions) == 0 || !strings.Contains(e.Cautions[0], "rewards follow the context x") {
			t.Errorf("%d: cautions %q", seed, e.Cautions)
		}
		e = audited(t, log, constantSource(", propensity_by_arm: p", "adaptive")).First()
		if !contradicts(e, schemas.MeansByContexts) || !contradicts(e, schemas.MeansByWeights) || e.Tests[0].DecidedBy != schemas.EstimatorAIPW {
			t.Errorf("%d: means %+v, decided by %q", seed, e.Means, e.Tests[0].DecidedBy)
		}
		if e.Tests[0].Decision == schemas.DecisionRejected {
			rejected++
		}
		for i := range e.Estimates {
			if x := &e.Estimates[i]; x.Estimator == schemas.EstimatorSqrt && (x.Estimate != nil || !strings.Contains(x.Reason, "means are not constant")) {
				t.Errorf("%d: %+v", seed, x)
			}
		}
		if r := schemas.RankArms(e); !r.Steered || r.Weighted == nil {
			t.Errorf("%d: arms are ranked by means as played", seed)
		}
	}
	if rejected > 2 {
		t.Errorf("a true hypothesis is rejected in %d of 12 logs", rejected)
	}
}

// Rewards free of the context, which steers the policy or does not: the declaration is
// contradicted in at most 2 of 20 logs (.025 of 200), and else aipw-sqrt decides. Only
// where it steers, arms are found to follow it.
func TestConstantMeansStand(t *testing.T) {
	t.Parallel()
	for _, sees := range []bool{true, false} {
		against, followed := 0, 0
		for seed := range uint64(20) {
			pays := [2][2]float64{{.3, .4}, {.3, .4}}
			e := audited(t, steeredLog(100+seed, 2_000, pays, sees), constantSource(", propensity_by_arm: p", "adaptive")).First()
			switch by := e.Tests[0].DecidedBy; {
			case e.Means.Code != "":
				against++
			case by != schemas.EstimatorSqrt && by != "":
				t.Errorf("%d: decided by %q", seed, by)
			}
			if meansCheck(e, schemas.MeansByWeights).Looked != 2 || meansCheck(e, schemas.MeansByContexts).Looked != 2 {
				t.Errorf("%d: %+v", seed, e.Means.Checks)
			}
			if e.Steering != nil {
				followed++
			}
		}
		if against > 2 {
			t.Errorf("contradicted in %d of 20 logs", against)
		}
		if !sees && followed > 0 {
			t.Errorf("arms are found to follow the context in %d of 20 logs", followed)
		}
	}
}

// An arm whose first 22 rewards are 1, and half of 2,000 others: no mean fits at all times,
// and H13, which sees little of the first rewards, is silent.
func TestConstantMeansEmptySequence(t *testing.T) {
	t.Parallel()
	var round []int64
	var arm []string
	var won []bool
	for i := range 4_120 {
		n := i / 2
		round, arm, won = append(round, int64(i)), append(arm, []string{"a", "b"}[i%2]), append(won, i%2 == 0 && n < 22 || n%2 == 0)
	}
	log := (&truth.Log{}).Put("round", round).Put("arm", arm).Put("won", won)
	e := audited(t, log, strings.Replace(constantSource("", "auto"), ", context: [x]", "", 1)).First()
	if !contradicts(e, schemas.MeansBySequence) || contradicts(e, schemas.MeansByDrift) || e.Tests[0].DecidedBy != "" {
		t.Errorf("means %+v, decided by %q", e.Means, e.Tests[0].DecidedBy)
	}
	for i := range e.Arms {
		if e.Arms[i].ConfidenceSequence == nil {
			t.Errorf("arm %s has no confidence sequence, which at the end needs no constant mean", e.Arms[i].Label)
		}
	}
}
