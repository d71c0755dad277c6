package replay

import (
	"math"
	"strings"
	"testing"

	"banditaudit/schemas"
)

func TestRunnerRefusals(t *testing.T) {
	clip := ucb1()
	clip.Reward.OutOfRange = "clip"
	for _, tt := range []struct {
		name   string
		p      *schemas.Protocol
		arm    int
		reward float64
		bad    bool
	}{
		{"inside", ucb1(), 1, 0.5, false},
		{"ends", ucb1(), 1, 1, false},
		{"above", ucb1(), 1, 1.25, true},
		{"below", ucb1(), 1, -0.25, true},
		{"NaN", ucb1(), 1, math.NaN(), true},
		{"infinite", ucb1(), 1, math.Inf(1), true},
		{"above, clipped", clip, 1, 1.25, false},
		{"below, clipped", clip, 1, -0.25, false},
		{"infinite, clipped", clip, 1, math.Inf(-1), false},
		{"NaN, clipped", clip, 1, math.NaN(), true},
		{"nobody looks", uniform(), 1, math.NaN(), false},
		{"arm too large", uniform(), 2, 0, true},
		{"negative arm", uniform(), -1, 0, true},
	} {
		r := build(t, tt.p, 2).NewRunner(Seed(1), "e")
		r.Next(nil)
		r.Add(tt.arm, tt.reward)
		if (r.Err() != nil) != tt.bad {
			t.Errorf("%s: error %v", tt.name, r.Err())
		}
		if err := r.Err(); err != nil && (!strings.Contains(err.Error(), "round 1") || strings.Contains(err.Error(), "0.25") || strings.Contains(err.Error(), "1.25")) {
			t.Errorf("%s: the error must name the round and no reward: %v", tt.name, err)
		}
		first := r.Err()
		r.Next(nil)
		r.Add(0, 1)
		if r.Err() != first { //nolint:errorlint // the same error value is what is promised
			t.Errorf("%s: the first error was replaced by %v", tt.name, r.Err())
		}
	}
}

func TestRunnerRescalesRewards(t *testing.T) {
	p := ucb1()
	p.Reward.Range = []float64{-2, 6}
	r := build(t, p, 1).NewRunner(Seed(1), "e")
	want := 0.0
	for _, y := range []float64{-2, 6, 0, 2} {
		r.Next(nil)
		r.Add(0, y)
		want += (y + 2) / 8
		if got := r.Released(0); got != want || r.Err() != nil {
			t.Errorf("after %v: sum %v (%v), want %v", y, got, r.Err(), want)
		}
	}
}

func TestRunnerPropensity(t *testing.T) {
	r := build(t, uniform(), 4).NewRunner(Seed(1), "e")
	r.Next(nil)
	if r.Propensity(3) != 0.25 || r.Propensity(4) != 0 || r.Propensity(-1) != 0 {
		t.Error("uniform over four arms, or arms that do not exist")
	}
	r = build(t, ucb1(), 2).NewRunner(Seed(1), "e")
	if arm := r.Next(nil); r.Propensity(arm) != 1 || r.Propensity(1-arm) != 0 {
		t.Error("ucb plays one arm with probability 1")
	}
}

// A teacher-forced run asks the policy once per round and goes on with the
// logged action: forced with its own free history it answers that history, and
// a changed action is answered differently in that round only where streams
// and sums allow, without putting other arms' noise out of step.
func TestInteractQueryTeacherForced(t *testing.T) {
	m := build(t, privUCB("8", "none", 0), 3)
	world := keyed{5, []float64{0.2, 0.5, 0.7}}
	tab := world.tab(400)
	free, err := m.InteractQuery(Seed(3), "e", tab)
	if err != nil {
		t.Fatal(err)
	}
	force := func(history []int) []int {
		r := m.NewRunner(Seed(3), "e")
		var answers []int
		err := r.InteractQuery(fullTableau{tab, r},
			func(round int64, _ int) int { return history[round-1] },
			func(_ int64, answer int) error { answers = append(answers, answer); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return answers
	}
	for i, a := range force(free) {
		if a != free[i] {
			t.Fatalf("round %d: answer %d on its own history, free %d", i+1, a, free[i])
		}
	}
	changed := append([]int(nil), free...)
	changed[99] = (changed[99] + 1) % 3
	same := 0
	for i, a := range force(changed) {
		if i <= 99 && a != free[i] {
			t.Errorf("round %d: an action changed in round 100 is seen before it is played", i+1)
		}
		if a == changed[i] {
			same++
		}
	}
	if same == len(free) || same < 200 {
		t.Errorf("%d of 400 answers equal the changed history", same)
	}
}

// A round in which nothing can be played ends a run before the policy is asked,
// in every mode.
func TestRunnerNeedsAnEligibleArm(t *testing.T) {
	for _, p := range []*schemas.Protocol{uniform(), with(ucb1(), func(p *schemas.Policy) { p.Ties = "seeded" })} {
		m := build(t, p, 2)
		s := &story{rewards: [][]float64{{1, 0}, {1, 0}, {1, 0}}, known: []int64{1, 2, 3}, batches: []int32{0, 0, 0}, eligible: [][]bool{nil, {false, false}, nil}}
		rounds := 0
		err := m.NewRunner(Seed(1), "e").bandit(s, 3, func(*Step) error { rounds++; return nil })
		if err == nil || !strings.Contains(err.Error(), "round 2: no arm is eligible") || rounds != 1 {
			t.Errorf("%s, free: %d rounds and error %v", p.Policy.Name, rounds, err)
		}
		r := m.NewRunner(Seed(1), "e")
		rounds = 0
		err = r.InteractQuery(&late{story: s, enter: s.Enter, run: r}, nil, func(int64, int) error {
			rounds++
			_ = r.Propensities()
			return nil
		})
		if err == nil || r.Err() == nil || rounds != 1 {
			t.Errorf("%s, from a dataset: %d rounds and error %v", p.Policy.Name, rounds, err)
		}
		r.Next(nil)
		if sum := r.Propensity(0) + r.Propensity(1); sum != 1 {
			t.Errorf("%s: after the error propensities add up to %v", p.Policy.Name, sum)
		}
	}
}

func TestRunnerRefusesRewardsThatAreNotWaitedFor(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(r *Runner)
		bad  bool
	}{
		{"a held round", func(r *Runner) { r.Hold(1); r.Due(1); r.Add(1, 0.5) }, false},
		{"twice", func(r *Runner) { r.Hold(1); r.Due(1); r.Add(1, 0.5); r.Due(1); r.Add(1, 0.5) }, true},
		{"another arm", func(r *Runner) { r.Hold(1); r.Due(1); r.Add(0, 0.5) }, true},
		{"another round", func(r *Runner) { r.Hold(1); r.Due(2); r.Add(1, 0.5) }, true},
		{"a forgotten round", func(r *Runner) { r.Hold(1); r.Forget(1); r.Due(1); r.Add(1, 0.5) }, true},
		{"due, forgotten, and the next round", func(r *Runner) { r.Hold(1); r.Due(1); r.Forget(1); r.Next(nil); r.Add(0, 0.5) }, false},
		{"an arm that does not exist", func(r *Runner) { r.Hold(2) }, true},
		{"a reward outside", func(r *Runner) { r.Hold(1); r.Due(1); r.Add(1, 2) }, true},
	} {
		r := build(t, ucb1(), 2).NewRunner(Seed(1), "e")
		r.Next(nil)
		tt.do(r)
		if (r.Err() != nil) != tt.bad {
			t.Errorf("%s: error %v", tt.name, r.Err())
		}
	}
}
