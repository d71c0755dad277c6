package replay

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// shown is a round of a free run with what its policy saw.
type shown struct {
	arm             int
	released, share []float64
	exact           []float64
	arrived         []int64
}

// An observer that is shown what a free run released answers with the run's
// propensities and, where the policy draws nothing, its actions; and in every
// round what the run released less what the observer has without noise is the
// run's noise: with the noise of a seeded run of the same rewards and the same
// counters, nothing is left. Every policy, every counter, all circumstances.
func TestObserverFollowsReleasedValues(t *testing.T) { everywhere(t, 240, observes) }

// observes runs m freely and follows it with an observer, and with a seeded run
// that is shown the same values.
func observes(m *Mechanism, c contextual) error {
	var log []shown
	err := m.Bandit(Seed(9), "e", c, c.rounds(), func(s *Step) error {
		log = append(log, shown{arm: s.Arm, released: slices.Clone(s.Released), share: slices.Clone(s.Propensities)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, run := range []*Runner{m.NewObserver("e"), m.NewRunner(Seed(9), "e")} {
		if err := follows(run, c, log); err != nil {
			return err
		}
	}
	return quiet(m, c, log)
}

// told is a log that says what was released.
type told struct {
	*late
	log []shown
}

func (d *told) Round(t int64) *Round {
	in := *d.late.Round(t)
	in.Released = d.log[t-1].released
	return &in
}

func forcedTold(run *Runner, c contextual, log []shown, visit func(t int64, answer int) error) error {
	played := func(t int64, _ int) int { return log[t-1].arm }
	return run.InteractQuery(&told{&late{story: c.story, enter: c.Enter, run: run}, log}, played, visit)
}

func follows(run *Runner, c contextual, log []shown) error {
	m := run.m
	return forcedTold(run, c, log, func(t int64, answer int) error {
		want := &log[t-1]
		if !m.random && answer != want.arm {
			return fmt.Errorf("round %d: answer %d, played %d", t, answer, want.arm)
		}
		if m.random && !slices.Equal(run.Propensities(), want.share) {
			return fmt.Errorf("round %d: propensities %v, were %v", t, run.Propensities(), want.share)
		}
		if got := run.seen(nil); !slices.Equal(got, want.released) {
			return fmt.Errorf("round %d: the policy sees %v, was shown %v", t, got, want.released)
		}
		exact := run.Exact()
		if len(exact) != len(want.released) {
			return fmt.Errorf("round %d: %d exact values for %d released ones", t, len(exact), len(want.released))
		}
		if want.exact != nil && !slices.Equal(exact, want.released) {
			return fmt.Errorf("round %d: the seeded run has %v, released was %v", t, exact, want.released)
		}
		want.exact, want.arrived = slices.Clone(exact), slices.Clone(run.Arrived())
		return nil
	})
}

// quiet forces a run without noise, which nobody shows anything, along the log:
// it has released what Exact said, and the rows have arrived that Arrived said.
func quiet(m *Mechanism, c contextual, log []shown) error {
	played := func(t int64, _ int) int { return log[t-1].arm }
	sums, exact := m.NewTeller("e"), m.NewObserver("e")
	var want [][]float64
	err := forcedTold(exact, c, log, func(int64, int) error {
		want = append(want, slices.Clone(exact.Exact()))
		return nil
	})
	if err != nil {
		return err
	}
	return sums.InteractQuery(&late{story: c.story, enter: c.Enter, run: sums}, played, func(t int64, _ int) error {
		if got := sums.seen(nil); !slices.Equal(got, want[t-1]) || !slices.Equal(sums.Exact(), got) {
			return fmt.Errorf("round %d: Exact %v, a run without noise has %v", t, want[t-1], got)
		}
		if !slices.Equal(sums.Arrived(), log[t-1].arrived) {
			return fmt.Errorf("round %d: %v rows had arrived, the observer says %v", t, sums.Arrived(), log[t-1].arrived)
		}
		for arm, n := range sums.Arrived() {
			if n < sums.state.Pulls[arm] || m.counter != nil && n > sums.state.Played[arm] {
				return fmt.Errorf("round %d: arm %d has %d rows in its release, %d arrived, %d played", t, arm, sums.state.Pulls[arm], n, sums.state.Played[arm])
			}
		}
		return nil
	})
}

// A run without noise that is shown its own sums with noise on top plays as a
// policy that reads these, and Step.Released says so; without a change it is
// the run itself.
func TestDistortedRun(t *testing.T) {
	for _, p := range declarable() {
		if byExactSums(&p) {
			continue
		}
		m, err := Standard().New(declare(p, &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("1"), Horizon: 80}), labels(3))
		if err != nil {
			t.Fatal(err)
		}
		c := circumstances()[0].plot(80)
		var plain []int
		err = m.NewSilent(Seed(3), "e").Bandit(c, c.rounds(), func(s *Step) error { plain = append(plain, s.Arm); return nil })
		if err != nil {
			t.Fatal(err)
		}
		var log []shown
		run := m.NewSilent(Seed(3), "e")
		run.Distort(func([]float64, []int64) []float64 { return nil })
		err = run.Bandit(c, c.rounds(), func(s *Step) error {
			if s.Arm != plain[s.Round-1] {
				return fmt.Errorf("round %d: arm %d, undistorted %d", s.Round, s.Arm, plain[s.Round-1])
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		run = m.NewSilent(Seed(3), "e")
		run.Distort(func(exact []float64, arrived []int64) []float64 {
			per := len(exact) / len(arrived)
			for i := range exact {
				if n := arrived[i/per]; n > 0 {
					exact[i] += math.Sin(float64(n)) * float64(i+1)
				}
			}
			return exact
		})
		err = run.Bandit(c, c.rounds(), func(s *Step) error {
			log = append(log, shown{arm: s.Arm, released: slices.Clone(s.Released), share: slices.Clone(s.Propensities)})
			return nil
		})
		if err == nil {
			err = follows(m.NewObserver("e"), c, log)
		}
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// What does not fit is refused by name, and is not looked at where nobody reads it.
func TestReleasedRefusals(t *testing.T) {
	for _, values := range [][]float64{{}, {1}, {1, 2, 3}, {1, math.NaN()}, {math.Inf(1), 0}} {
		r := build(t, ucb1(), 2).NewObserver("e")
		r.Next(&Round{Released: values})
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), "round 1") {
			t.Errorf("%v: error %v", values, err)
		}
	}
	r := build(t, uniform(), 2).NewObserver("e")
	if r.Next(&Round{Released: []float64{1}}); r.Err() != nil || r.Exact() != nil {
		t.Errorf("a policy that reads nothing looked at released values: %v", r.Err())
	}
}
