package analyze_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
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
func tested(t *testing.T, l *truth.Log, tests string, with ...string) map[string]schemas.Test {
	t.Helper()
	with = append(with, "policy: {name: uniform}", "chosen: before")
	found, err := truth.Audit(l, `version: 1
experiment: {id: x, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: p, propensity_by_arm: all}
arms: [a, b]
reward: {range: [0, 1]}
`+with[0]+`
analysis:
  `+with[1]+`
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
// run again, and nothing rests on its reading no rewards, by name either: arms that pay
// alike were rejected so.
func TestMisplayedArmsDecideNothingByThePolicy(t *testing.T) {
	t.Parallel()
	const tests = `    - {id: E, equal: all}
    - {id: D, difference: [b, a], value: 0}
    - {id: M, arm: a, mean: 0.5}
    - {id: P, p: 0.003, rows: [a], selector: declared}
    - {id: Dn, difference: [b, a], value: 0, decide: corrected}
    - {id: Mn, arm: a, mean: 0.5, decide: corrected}
    - {id: Pn, p: 0.003, rows: [a], selector: declared, decide: corrected}
`
	for id, x := range tested(t, misplayed(false), tests) {
		switch x.DecidedBy {
		case schemas.MethodRerun, schemas.MethodCorrected, schemas.MethodAssignment:
			t.Errorf("%s is %s by %s", id, x.Decision, x.DecidedBy)
		}
		if why := x.Result(schemas.MethodCorrected).Reason; id != "E" && !strings.HasPrefix(why, "A1: the arms were not played with the probabilities of the declared policy (check H17: arm ") {
			t.Errorf("%s: %s", id, why)
		}
		if id == "E" && !strings.Contains(x.Choice, "were not played with the probabilities of the policy") {
			t.Errorf("E: %s", x.Choice)
		}
	}
	honest := tested(t, misplayed(true), tests)
	for id, by := range map[string]string{"E": schemas.MethodAssignment, "D": schemas.MethodCorrected, "M": schemas.MethodCorrected, "P": schemas.MethodCorrected, "Dn": schemas.MethodCorrected, "Mn": schemas.MethodCorrected, "Pn": schemas.MethodCorrected} {
		if x := honest[id]; x.DecidedBy != by {
			t.Errorf("%s of an honest log is decided by %q: %s", id, x.DecidedBy, x.Choice)
		}
	}
	for id, x := range honest {
		want := schemas.ValidIfDrawn
		if id == "E" {
			want = schemas.ValidIfLogged
		}
		if x.OnlyIf != want || id == "E" && x.Decision != schemas.DecisionKept {
			t.Errorf("%s of an honest log is %s, valid if %q", id, x.Decision, x.OnlyIf)
		}
	}
}

// Arm a is declared to be played in a tenth of the rounds, and is played until its own
// rewards look good. Where that is seen nothing is decided by the ledger; it rejected a true
// mean in some 10 % of logs at level .05 (sheet, second part, 26).
func TestMisplayedArmsKeepTheLevel(t *testing.T) {
	const logs, rounds = 40, 200
	rejected, decided := 0, 0
	for i := range logs {
		r, n, ones := rand.New(rand.NewPCG(17, uint64(i))), 0, 0.0
		round, action, reward := make([]int64, rounds), make([]string, rounds), make([]bool, rounds)
		p, all := make([]float64, rounds), make([][]float64, rounds)
		for t := range rounds {
			round[t], action[t], p[t], all[t] = int64(t+1), "b", .9, []float64{.1, .9}
			y := float64(r.IntN(2))
			reward[t] = y == 1
			if n < 8 || n < 34 && 2*ones-float64(n) < 1.95*math.Sqrt(float64(n)) {
				action[t], p[t], n, ones = "a", .1, n+1, ones+y
			}
		}
		l := (&truth.Log{}).Put("round", round).Put("action", action).Put("reward", reward).Put("p", p).Put("all", all)
		x := tested(t, l, "    - {id: M, arm: a, mean: 0.5, alternative: greater, decide: corrected}\n", "policy: {name: fixed, probabilities: [0.1, 0.9]}", "chosen: before")["M"]
		if x.DecidedBy != "" {
			decided++
		}
		if x.Decision == schemas.DecisionRejected {
			rejected++
		}
	}
	if rejected > 2 || decided > 4 {
		t.Errorf("%d of %d logs are decided, and %d rejected", decided, logs, rejected)
	}
}

// A side that may have been chosen by looking is one of two: p is twice what it is where it
// was named before, as often for every arm or pair. A question without a side pays nothing
// for one.
func TestChosenSidesPay(t *testing.T) {
	t.Parallel()
	const tests = `    - {id: mean, arm: b, mean: 0.3, alternative: greater, decide: any-time}
    - {id: mean2, arm: b, mean: 0.3, decide: any-time}
    - {id: pair, difference: [b, a], value: 0, alternative: greater, decide: assignment}
    - {id: pair2, difference: [b, a], value: 0, decide: assignment}
    - {id: effect, difference: [b, a], value: -0.5, alternative: greater, decide: any-time}
    - {id: rerun, difference: [b, a], value: 0, alternative: greater, decide: rerun}
    - {id: rerun2, difference: [b, a], value: 0, decide: rerun}
`
	log := better(41, 400)
	const policy = "policy: {name: uniform}"
	const draws = "\n  rerun: {draws: 299}" // p of a re-run has steps of one in so many
	before := tested(t, log, tests, policy, "chosen: before"+draws)
	for chosen, factors := range map[string]map[string]float64{
		"chosen: from-actions":  {"mean": 4, "mean2": 2, "pair": 2, "pair2": 1, "effect": 2, "rerun": 2, "rerun2": 1},
		"chosen: after-rewards": {"mean": 4, "mean2": 2, "pair": 2, "pair2": 1, "effect": 2},
	} {
		after := tested(t, log, tests, policy, chosen+draws)
		for id, factor := range factors {
			x, was := after[id], before[id]
			if x.DecidedBy == "" || was.DecidedBy == "" {
				t.Errorf("%s, %s is not decided: %s", chosen, id, x.Choice)
				continue
			}
			r, first := x.Result(x.DecidedBy), was.Result(x.DecidedBy)
			if want := min(1, factor**first.P); *first.P > .2 || math.Abs(*r.P-want) > 1e-9*want {
				t.Errorf("%s, %s: p %g of %g, want %g times it", chosen, id, *r.P, *first.P, factor)
			}
			if paid, side := strings.Contains(r.Reason, "p is multiplied by"), strings.Contains(r.Reason, "by 2, for its side"); paid != (factor > 1) || side != !strings.HasSuffix(id, "2") {
				t.Errorf("%s, %s: %s", chosen, id, r.Reason)
			}
			if r.CI != nil && factor > 1 && r.CI[0] >= first.CI[0] {
				t.Errorf("%s, %s: interval %v within %v", chosen, id, *r.CI, *first.CI)
			}
		}
	}
}

// The interval beside Fisher's test is a box of two means: it may hold the value that is
// rejected, which the test knows of itself. No other interval does.
func TestIntervalsThatHoldWhatIsRejected(t *testing.T) {
	t.Parallel()
	holds := 0
	for seed := range uint64(12) {
		got := tested(t, better(seed, 150), `    - {id: D, difference: [b, a], value: 0, decide: corrected}
    - {id: V, difference: [b, a], value: -0.2, decide: corrected}
    - {id: M, arm: b, mean: 0.4, decide: corrected}
    - {id: T, difference: [b, a], value: -0.3, decide: any-time}
`)
		for id, x := range got {
			ci := x.Result(x.DecidedBy).CI
			if rejected, within := x.Decision == schemas.DecisionRejected, ci[0] <= x.Value && x.Value <= ci[1]; id != "D" && rejected == within || (x.HoldsRejected() == schemas.HoldsBox) != (rejected && within) {
				t.Errorf("%d, %s: %s, %v", seed, id, x.Decision, *ci)
			}
		}
		if x := got["D"]; x.HoldsRejected() != "" {
			holds++
		}
	}
	if holds == 0 {
		t.Error("no interval of a difference holds the 0 that is rejected")
	}
}

// better is a log of two arms of which b pays .2 more.
func better(seed uint64, rounds int) *truth.Log {
	r := rand.New(rand.NewPCG(seed, 1))
	round, action, reward := make([]int64, rounds), make([]string, rounds), make([]bool, rounds)
	p, all := make([]float64, rounds), make([][]float64, rounds)
	for t := range rounds {
		pays := .4
		round[t], action[t], p[t], all[t] = int64(t+1), "a", .5, []float64{.5, .5}
		if r.Float64() < .5 {
			action[t], pays = "b", .6
		}
		reward[t] = r.Float64() < pays
	}
	return (&truth.Log{}).Put("round", round).Put("action", action).Put("reward", reward).Put("p", p).Put("all", all)
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
		case over != "" && x.OnlyIf != schemas.ValidIfGiven+"; "+schemas.ValidIfDrawn && x.OnlyIf != schemas.ValidIfGiven+"; "+schemas.ValidIfLogged:
			t.Errorf("%s is valid if %q", id, x.OnlyIf)
		}
	}
	above, below := got["up"], got["down"]
	if up, down := above.Result(schemas.MethodAnyTime).CI, below.Result(schemas.MethodAnyTime).CI; up[1] != 1 || down[0] != -1 {
		t.Errorf("one-sided intervals %v and %v", *up, *down)
	}
}

// TestAnswersCountTheirRounds: n, units and over are of the rounds that enter the answer which
// decides, whatever the raw test counts: 300 rounds of 60 units, of every third of which the
// reward is missing, or of none.
func TestAnswersCountTheirRounds(t *testing.T) {
	t.Parallel()
	const tests = `analysis:
  chosen: before
  approximate: accept
  tests:
    - {id: E, equal: all, decide: assignment}
    - {id: P, equal: [a, b], decide: assignment}
    - {id: W, equal: all, decide: any-time}
    - {id: D, difference: [b, a], value: 0, decide: any-time}
    - {id: A, difference: [b, a], value: 0, decide: adaptive}
    - {id: M, arm: a, mean: 0.5, decide: adaptive}
`
	type entered struct {
		over     string
		n, units int64
	}
	first, all, known, every := "the first rounds of units", "all first rounds of 60 units", entered{"", 200, 0}, entered{"all rounds", 300, 0}
	byUnit, mean := entered{first, 60, 60}, entered{all, 60, 60}
	for _, c := range []struct {
		keys, draw string
		want       map[string]entered
	}{
		{", missing_reward: exclude-independent", "", map[string]entered{"E": known, "P": known, "W": every, "D": every}},
		{", unit: unit", "unit", map[string]entered{"E": byUnit, "P": byUnit, "W": byUnit, "D": byUnit, "A": mean, "M": mean}},
		{", unit: unit", "round", map[string]entered{"E": {"", 300, 60}, "P": {"", 300, 60}, "W": {"all rounds", 300, 60}, "D": {"all rounds", 300, 60}, "A": {"all rounds", 300, 60}, "M": {"all rounds", 300, 60}}},
		{", unit: unit, missing_reward: exclude-independent", "unit", map[string]entered{"W": byUnit, "D": byUnit}},
	} {
		source := protocolOf("propensity: propensity"+c.keys) + tests
		if c.draw != "" {
			source += "policy: {draw: {by: " + c.draw + "}}\n"
		}
		e := twoArmed(t, source, logfile.RewardBool, 300, always(.5, .5, .5), func(i int, r *logfile.Row) {
			r.Propensity = .5
			if c.draw != "" {
				r.Unit = strconv.Itoa(i % 60)
			}
			if c.draw == "unit" {
				r.Arm = i % 60 * 7 % 11 % 2
			}
			if strings.Contains(c.keys, "missing") && i%60%3 == 0 {
				r.Reward = math.NaN()
			}
		})
		for i := range e.Tests {
			x := &e.Tests[i]
			got := entered{over: x.Over, n: x.N}
			if x.Units != nil {
				got.units = *x.Units
			}
			if want, ok := c.want[x.ID]; ok != (x.DecidedBy != "") || ok && got != want {
				t.Errorf("%s, by %s: %s by %q: %+v, want %+v (%s)", c.keys, c.draw, x.ID, x.DecidedBy, got, want, x.Choice)
			}
		}
	}
}
