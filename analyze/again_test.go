package analyze_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// comeAgain are 1,200 rounds of 100 users in turns, of three arms. p gives the
// propensities of a round, and again whether the user is drawn anew.
func comeAgain(p func(t int) []float64, anew func(t int) bool) *truth.Log {
	draw := rand.New(rand.NewPCG(5, 7))
	var at, unit, version []int64
	var actions []string
	var played, rewards []float64
	var all [][]float64
	var may [][]bool
	of := map[int64]int{}
	for t := range 1200 {
		u, q := int64(t%100), p(t)
		arm, ok := of[u]
		if !ok || anew(t) || q[arm] == 0 {
			arm = 0
			for v := draw.Float64(); arm < len(q)-1 && v >= q[arm]; arm++ {
				v -= q[arm]
			}
			of[u] = arm
		}
		at, unit, version = append(at, int64(t+1)), append(unit, u), append(version, int64(t/400))
		actions, played, all = append(actions, string("abc"[arm])), append(played, q[arm]), append(all, q)
		rewards, may = append(rewards, float64(draw.IntN(2))), append(may, []bool{q[0] > 0, q[1] > 0, q[2] > 0})
	}
	return (&truth.Log{}).Put("round", at).Put("user", unit).Put("version", version).Put("action", actions).Put("reward", rewards).Put("p", played).Put("all", all).Put("may", may)
}

// What later rounds of units say of the declared draw, and what of it decides.
func TestRepeatedArms(t *testing.T) {
	t.Parallel()
	same := func(int) []float64 { return []float64{.5, .25, .25} }
	turned := func(t int) []float64 { return [][]float64{{.5, .25, .25}, {.25, .25, .5}, {.5, .25, .25}}[t/400] }
	paused := func(t int) []float64 {
		return [][]float64{{.5, .25, .25}, {0, .5, .5}, {.5, .25, .25}}[t/400]
	}
	always, never := func(int) bool { return true }, func(int) bool { return false }
	versions := func(t int) bool { return t%400 < 100 }
	const all, batch = ", propensity_by_arm: all", ", batch: version"
	for _, c := range []struct {
		name, columns, by string
		p                 func(int) []float64
		anew              func(int) bool
		want              schemas.Verdict
		words             string
		later, moved      int64 // of what a unit has to keep; −1: nothing is asked
	}{
		{"by round, kept", "", "round", same, never, schemas.Violated, "draws that are kept for several rounds of a unit look like this: declare policy.draw: {by: unit}", -1, 0},
		{"by round, kept, all", all, "round", turned, never, schemas.Violated, "the arm of the unit's round before", -1, 0},
		{"by round, drawn", "", "round", same, always, schemas.Consistent, "Looked at too, at half of the level: the arm of the unit's round before. It was played again in ", -1, 0},
		{"by unit, kept", "", "unit", same, never, schemas.Consistent, "in 0 of these the arm is another", 1100, 0},
		{"by unit, drawn", "", "unit", same, always, schemas.NotEstablished, "Write policy.draw: {by: round} where every round drew anew", 1100, 1},
		{"by unit, drawn, all", all, "unit", same, always, schemas.NotEstablished, "name the versions in log.batch", 1100, 1},
		{"by unit, versions", all, "unit", turned, versions, schemas.Consistent, "in 0 of these", 900, 0},
		{"by unit, versions, played", "", "unit", turned, versions, schemas.Consistent, "was not looked at", 0, 0},
		{"by unit, versions in a column", batch, "unit", turned, versions, schemas.Consistent, "in 0 of these", 900, 0},
		{"by unit, versions that look alike", batch, "unit", same, versions, schemas.Consistent, "in 0 of these", 900, 0},
		{"by unit, drawn in versions", batch + all, "unit", turned, always, schemas.NotEstablished, "the arm is another", 900, 1},
		{"by unit, a pause", all + ", eligible: may, eligible_by: schedule", "unit", paused, never, schemas.Consistent, "in 0 of these", 900, 0},
	} {
		found, err := truth.Audit(comeAgain(c.p, c.anew), "version: 1\nexperiment: {id: users}\nlog: {order: [round], action: action, reward: reward, unit: user, propensity: p"+c.columns+"}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {draw: {by: "+c.by+"}}\n")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, why := claimed(found, schemas.KindAllocation); got != c.want || !strings.Contains(why, c.words) {
			t.Errorf("%s: %s, %s", c.name, got, why)
		}
		checkRepeats(t, c.name, found.First().Data.Repeats, c.later, c.moved, c.want)
	}
}

// claimed is the first claim of a kind.
func claimed(f *truth.Found, kind string) (schemas.Verdict, string) {
	for i := range f.Head.Claims {
		if c := &f.Head.Claims[i]; c.Kind == kind {
			return c.Verdict, c.Reason
		}
	}
	return "", ""
}

func checkRepeats(t *testing.T, name string, r *schemas.Repeats, later, moved int64, verdict schemas.Verdict) {
	t.Helper()
	switch {
	case r == nil || r.Later != 1100:
		t.Errorf("%s: %+v", name, r)
	case later < 0:
		if r.Kept != nil || r.Anew == nil || r.Anew.Rejected != (verdict == schemas.Violated) || r.Anew.Least == nil || r.Anew.Level != .00025 {
			t.Errorf("%s: %+v, %+v", name, r, r.Anew)
		}
	case r.Anew != nil || r.Kept.Rounds != later || (r.Kept.Moved > 0) != (moved > 0) || (r.Kept.First != nil) != (moved > 0):
		t.Errorf("%s: %+v", name, r.Kept)
	}
}

// Pulls that contradict a policy because units keep their arm say so.
func TestPullsOfUnitsThatStay(t *testing.T) {
	t.Parallel()
	never := func(int) bool { return false }
	found, err := truth.Audit(comeAgain(func(int) []float64 { return []float64{.2, .4, .4} }, never),
		"version: 1\nexperiment: {id: users}\nlog: {order: [round], action: action, reward: reward, unit: user, propensity: p}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {name: fixed, probabilities: [0.5, 0.25, 0.25], draw: {by: round}}\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, why := claimed(found, schemas.KindConformance); got != schemas.Violated || !strings.Contains(why, "then declare policy.draw: {by: unit}") {
		t.Errorf("%s, %s", got, why)
	}
}
