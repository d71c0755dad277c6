package analyze_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// softBatches is a log of softmax shares by batches of 50 rounds, with a context x that the
// policy does not read. The reward follows x alone: given x the arms are alike. follows has
// the arms follow x, with the policy's share of every arm over all rounds.
func softBatches(draw *rand.Rand, rounds int, follows bool) (log *truth.Log, propensity []float64) {
	var (
		sums, shown             [2]float64
		t, batch, unit          []int64
		arm                     []string
		reward, x, propensities []float64
	)
	for i := range rounds {
		if i%50 == 0 {
			shown = sums
		}
		b := 1 / (1 + math.Exp(.02*(shown[0]-shown[1])))
		at := draw.Float64()
		u, played, p, y := at, 0, 1-b, 0.0
		if !follows {
			u = draw.Float64()
		}
		if u > 1-b {
			played, p = 1, b
		}
		if draw.Float64() < at {
			y = 1
		}
		sums[played] += y
		t, batch, unit = append(t, int64(i+1)), append(batch, int64(i/50)), append(unit, int64(draw.IntN(rounds/4)))
		arm, reward, x, propensities = append(arm, []string{"a", "b"}[played]), append(reward, y), append(x, at), append(propensities, p)
	}
	log = &truth.Log{}
	return log.Put("t", t).Put("arm", arm).Put("y", reward).Put("x", x).Put("b", batch).Put("u", unit), propensities
}

const softBatched = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [t], action: arm, reward: y, batch: b, unit: u, context: [x]}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: softmax, eta: 0.02, update: batch, draw: {by: round}}
counter: {name: exact}
analysis:
  chosen: before
  multiplicity: none
  rerun: {draws: 99}
  evaluate: [{id: V, target: uniform}]
  tests:
    - {id: R, difference: [b, a], value: 0, decide: rerun}
    - {id: A, equal: all, decide: assignment}
    - {id: T, difference: [b, a], value: 0, decide: any-time}
    - {id: W, difference: [b, a], value: 0, decide: adaptive}
`

// Arms that follow a context contradict the policy's propensities where nobody logged them
// as where somebody did, and no method goes by these: the arms pay alike given the context,
// and a rejection would be false.
func TestRecomputedAreChecked(t *testing.T) {
	t.Parallel()
	for _, logged := range []bool{false, true} {
		log, p := softBatches(rand.New(rand.NewPCG(7, 4)), 1500, true)
		source, kind := softBatched, schemas.KindConformance
		if logged {
			log.Put("p", p)
			source, kind = strings.Replace(source, "reward: y,", "reward: y, propensity: p,", 1), schemas.KindAllocation
		}
		found := audited(t, log, source)
		if v := found.Verdict(kind); v != schemas.Violated {
			t.Errorf("logged %t: %s is %s", logged, kind, v)
		}
		x := found.First()
		h05, h17 := check.Find(x.Data.Checks, "H05"), check.Find(x.Data.Checks, "H17")
		if h05.Status != schemas.CheckPass || h17.Status != schemas.CheckFail || !strings.Contains(h17.Observed, " x ") {
			t.Errorf("logged %t: H05 %s, H17 %s, %q", logged, h05.Status, h17.Status, h17.Observed)
		}
		for i := range x.Tests {
			if d := &x.Tests[i]; d.Decision != schemas.DecisionNone && d.ID != "W" || !logged && d.Decision != schemas.DecisionNone {
				t.Errorf("logged %t: %s is %s by %q", logged, d.ID, d.Decision, d.DecidedBy)
			}
		}
		if logged {
			continue
		}
		for _, e := range x.Estimates {
			if e.Estimate != nil {
				t.Errorf("%s of %s is given", e.Estimator, e.Target)
			}
		}
		if x.Data.Splits.By != schemas.ByRecomputed || !x.Data.Splits.Deficits {
			t.Errorf("%+v", x.Data.Splits)
		}
		for i := range found.Head.Claims {
			if f := &found.Head.Claims[i]; f.Kind == kind && (!strings.HasPrefix(f.Observed, "arm ") || !strings.Contains(f.Reason, "(check H17, p ") || f.ObservedValue != nil) {
				t.Errorf("%q, %v: %q", f.Observed, f.ObservedValue, f.Reason)
			}
		}
	}
}

// Honest logs of a policy that learns, with contexts, batches and units that it does not
// read, are accused in 0.001 of logs at most: none of 12 is, which chance would break in one
// of 80 sets of logs. Every method then has its answer.
func TestRecomputedAccuseNobody(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(8, 4))
	for i := range 5 {
		log, _ := softBatches(draw, 400, false)
		found := audited(t, log, softBatched)
		x := found.First()
		h05, h17 := check.Find(x.Data.Checks, "H05"), check.Find(x.Data.Checks, "H17")
		if v := found.Verdict(schemas.KindConformance); v != schemas.Consistent || h05.Status != schemas.CheckPass || h17.Status != schemas.CheckPass {
			t.Errorf("log %d: %s, H05 %s (%s), H17 %s (%s)", i, v, h05.Status, h05.Observed, h17.Status, h17.Observed)
		}
		if l := x.Replay.Law.Allocation.Level; l != .00025 {
			t.Fatalf("the wager has the level %g", l)
		}
		for j := range x.Tests {
			if d := &x.Tests[j]; d.ID != "W" && d.DecidedBy == "" {
				t.Errorf("log %d: %s: %s", i, d.ID, d.Choice)
			}
		}
	}
}

// Arms that are played too often in every other batch, and too seldom in the rest, are
// found batch by batch: over all rounds they are as the propensities say.
func TestRecomputedBatches(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(9, 4))
	var (
		sums, shown [2]float64
		n, batch    []int64
		arm         []string
		reward      []float64
	)
	for i := range 1000 {
		if i%50 == 0 {
			shown = sums
		}
		b, played, y := 1/(1+math.Exp(.02*(shown[0]-shown[1]))), 0, float64(draw.IntN(2))
		if draw.Float64() < b+.2-.4*float64(i/50%2) {
			played = 1
		}
		sums[played] += y
		n, batch, arm, reward = append(n, int64(i+1)), append(batch, int64(i/50)), append(arm, []string{"a", "b"}[played]), append(reward, y)
	}
	log := &truth.Log{}
	log.Put("t", n).Put("arm", arm).Put("y", reward).Put("b", batch)
	source, _, _ := strings.Cut(strings.Replace(softBatched, ", unit: u, context: [x]", "", 1), "analysis:")
	found := audited(t, log, source)
	h05 := check.Find(found.First().Data.Checks, "H05")
	if h05.Status != schemas.CheckFail || !strings.Contains(h05.Detail, "of the 20 batches with one propensity for each arm") || !strings.Contains(h05.Title, "recomputed") || found.Verdict(schemas.KindConformance) != schemas.Violated {
		t.Errorf("%s, %q, %q; conformance %s", h05.Status, h05.Observed, h05.Detail, found.Verdict(schemas.KindConformance))
	}
}

// beta draws from Beta(a, b), with whole numbers.
func beta(draw *rand.Rand, a, b int) float64 {
	gamma := func(n int) (sum float64) {
		for range n {
			sum += draw.ExpFloat64()
		}
		return sum
	}
	x := gamma(a)
	return x / (x + gamma(b))
}

// router is a log of Thompson sampling whose propensities are shares of draws, the number of
// them in a column, with the action drawn by one more; explore plays any arm so often.
func router(draw *rand.Rand, arms, rounds int, number func() int, prior int, explore float64) *truth.Log {
	won, lost := make([]int, arms), make([]int, arms)
	best := func() (at int) {
		most := -1.0
		for a := range won {
			if v := beta(draw, prior+won[a], 1+lost[a]); v > most {
				most, at = v, a
			}
		}
		return at
	}
	var (
		n, many   []int64
		label     []string
		reward, p []float64
		all       [][]float64
	)
	for i := range rounds {
		of, shares := number(), make([]float64, arms)
		for range of {
			shares[best()]++
		}
		for a := range shares {
			shares[a] /= float64(of)
		}
		played, y := best(), 0.0
		if draw.Float64() < explore {
			played = draw.IntN(arms)
		}
		if draw.Float64() < .3+.15*float64(played) {
			y = 1
			won[played]++
		} else {
			lost[played]++
		}
		n, many, label = append(n, int64(i+1)), append(many, int64(of)), append(label, fmt.Sprintf("m%d", played))
		reward, p, all = append(reward, y), append(p, shares[played]), append(all, shares)
	}
	log := &truth.Log{}
	return log.Put("t", n).Put("model", label).Put("y", reward).Put("p", p).Put("all", all).Put("n", many)
}

// Honest logs of a router are CONSISTENT, whether the propensity of the played arm or those
// of all arms are logged, and the number of draws is one or another in every round; another
// prior, and exploring that is not declared, are VIOLATED.
func TestRouterDraws(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(10, 4))
	const one, every = "propensity: p", "propensity: p, propensity_by_arm: all"
	fixed, varying := func() int { return 40 }, func() int { return 10 + draw.IntN(60) }
	for _, c := range []struct {
		arms    int
		number  func() int
		columns string
		prior   int
		explore float64
		want    string
	}{
		{2, fixed, one, 1, 0, "CONSISTENT CONSISTENT"},
		{2, varying, every, 1, 0, "CONSISTENT CONSISTENT"},
		{3, varying, one, 1, 0, "CONSISTENT CONSISTENT"},
		{5, fixed, every, 1, 0, "CONSISTENT CONSISTENT"},
		{3, varying, one, 6, 0, "NOT ESTABLISHED VIOLATED"},
		{3, varying, one, 1, .3, "VIOLATED CONSISTENT"},
	} {
		labels := "m0, m1, m2, m3, m4"[:4*c.arms-2]
		found := audited(t, router(draw, c.arms, 300, c.number, c.prior, c.explore), `version: 1
experiment: {id: router, stopping: fixed}
log: {order: [t], action: model, reward: y, `+c.columns+`, propensity_draws: {column: n}, drawn: one-more}
arms: [`+labels+`]
reward: {range: [0, 1]}
policy: {name: thompson, prior: {alpha: 1, beta: 1}, draw: {by: round}}
counter: {name: exact}
`)
		got := fmt.Sprint(found.Verdict(schemas.KindAllocation), " ", found.Verdict(schemas.KindConformance))
		if got != c.want {
			t.Errorf("%d arms, %s, prior %d, explore %g: %s, want %s", c.arms, c.columns, c.prior, c.explore, got, c.want)
			for i := range found.Head.Claims {
				t.Log(found.Head.Claims[i].Kind, found.Head.Claims[i].Reason)
			}
		}
	}
}
