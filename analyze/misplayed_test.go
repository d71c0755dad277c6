package analyze_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/schemas"
	"banditaudit/testdata/reproduce/truth"
)

// misplayed is a log of two arms that pay alike in every round, .3 in the first half and .7
// in the second, with propensities of ½. Arm b is played in a tenth of the first half and
// in nine tenths of the second; where even, in half of the rounds.
func misplayed(even bool) *truth.Log {
	const rounds = 2000
	r := rand.New(rand.NewPCG(31, 1))
	round, action, reward := make([]int64, rounds), make([]string, rounds), make([]float64, rounds)
	p, all := make([]float64, rounds), make([][]float64, rounds)
	for t := range rounds {
		pays, plays := .3, .1
		if t >= rounds/2 {
			pays, plays = .7, .9
		}
		if even {
			plays = .5
		}
		round[t], action[t], p[t], all[t] = int64(t+1), "a", .5, []float64{.5, .5}
		if r.Float64() < plays {
			action[t] = "b"
		}
		if r.Float64() < pays {
			reward[t] = 1
		}
	}
	return (&truth.Log{}).Put("round", round).Put("action", action).Put("reward", reward).Put("p", p).Put("all", all)
}

// tested are the tests of a log with a protocol's section of tests, by their ids.
func tested(t *testing.T, l *truth.Log, tests string) map[string]schemas.Test {
	t.Helper()
	found, err := truth.Audit(l, `version: 1
experiment: {id: x, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: p, propensity_by_arm: all}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform}
analysis:
  chosen: before
  multiplicity: none
  approximate: accept
  tests:
`+tests)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]schemas.Test{}
	for _, x := range found.First().Tests {
		out[x.ID] = x
	}
	return out
}

// Where check H17 contradicts the probabilities of the declared policy, the policy is not
// run again, and by auto nothing rests on its reading no rewards: arms that pay alike were
// rejected so.
func TestMisplayedArmsDecideNothingByThePolicy(t *testing.T) {
	t.Parallel()
	const tests = `    - {id: E, equal: all}
    - {id: D, difference: [b, a], value: 0}
    - {id: M, arm: a, mean: 0.5}
    - {id: P, p: 0.003, rows: [a], selector: declared}
`
	for id, x := range tested(t, misplayed(false), tests) {
		switch x.DecidedBy {
		case schemas.MethodRerun, schemas.MethodCorrected, schemas.MethodAssignment:
			t.Errorf("%s is %s by %s", id, x.Decision, x.DecidedBy)
		}
		if id == "E" && !strings.Contains(x.Choice, "were not played with the probabilities of the policy") {
			t.Errorf("E: %s", x.Choice)
		}
	}
	honest := tested(t, misplayed(true), tests)
	for id, by := range map[string]string{"E": schemas.MethodRerun, "D": schemas.MethodCorrected, "M": schemas.MethodCorrected, "P": schemas.MethodCorrected} {
		if x := honest[id]; x.DecidedBy != by {
			t.Errorf("%s of an honest log is decided by %q: %s", id, x.DecidedBy, x.Choice)
		}
	}
	if x := honest["E"]; x.Decision != schemas.DecisionKept || x.OnlyIf != schemas.ValidIfDrawn {
		t.Errorf("E of an honest log is %s, valid if %q", x.Decision, x.OnlyIf)
	}
}

// An answer says which rounds it is about, and its estimate lies in its interval; one of one
// side has an interval of that side, which holds the value where it does not reject.
func TestAnswersNameTheirRounds(t *testing.T) {
	t.Parallel()
	got := tested(t, misplayed(true), `    - {id: own, arm: a, mean: 0.5, decide: any-time}
    - {id: all, arm: a, mean: 0.5, decide: adaptive}
    - {id: both, difference: [b, a], value: 0, decide: any-time}
    - {id: up, difference: [b, a], value: 0, decide: any-time, alternative: greater}
    - {id: down, difference: [b, a], value: 0, decide: any-time, alternative: less}
`)
	for id, over := range map[string]string{"own": "", "all": "all rounds", "both": "all rounds", "up": "all rounds", "down": "all rounds"} {
		x := got[id]
		r := x.Result(x.DecidedBy)
		switch {
		case r == nil || r.CI == nil:
			t.Errorf("%s is not decided: %s", id, x.Choice)
		case x.Over != over, over != "" && !strings.Contains(x.Hypothesis, "over all rounds"), over == "" && !strings.Contains(x.Hypothesis, "over the rounds played"):
			t.Errorf("%s is over %q: %s", id, x.Over, x.Hypothesis)
		case *x.Estimate < r.CI[0] || *x.Estimate > r.CI[1]:
			t.Errorf("%s: %g outside %v", id, *x.Estimate, *r.CI)
		case over != "" && x.OnlyIf != schemas.ValidIfDrawn && x.OnlyIf != schemas.ValidIfLogged:
			t.Errorf("%s is valid if %q", id, x.OnlyIf)
		}
	}
	above, below := got["up"], got["down"]
	if up, down := above.Result(schemas.MethodAnyTime).CI, below.Result(schemas.MethodAnyTime).CI; up[1] != 1 || down[0] != -1 {
		t.Errorf("one-sided intervals %v and %v", *up, *down)
	}
}
