package conformance

import (
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// begun is a log of 300 rounds of a policy that learns every 25 rounds. In the first 25,
// in which no reward is known, begin says which arm the greedy choice is, by how often each was played.
func begun(t *testing.T, p *schemas.Protocol, begin func(played [2]int) int) *log {
	t.Helper()
	m := mechanismOf(t, p, arms())
	r, l := m.NewRunner(replay.Seed(7), "shop"), &log{tableau.Batch{X: make([][]float64, 1)}}
	var played [2]int
	for round := int64(1); round <= 300; round++ {
		arm, all := r.Next(nil), r.Propensities()
		greedy := 0 // in the first rounds
		if round <= 25 {
			greedy = begin(played)
			if !r.Explored() {
				arm = greedy
			}
		}
		p := all[arm]
		if round <= 25 {
			p = all[1]
			if arm == greedy {
				p = all[0]
			}
		}
		y := coin{}.Reward(round, arm)
		r.Add(arm, y)
		played[arm]++
		l.Experiment, l.Round, l.Arm = append(l.Experiment, 0), append(l.Round, round), append(l.Arm, int32(arm))
		l.Reward, l.X[0] = append(l.Reward, y), append(l.X[0], 0)
		if m.Random() {
			l.Propensity = append(l.Propensity, p)
		}
	}
	return l
}

// TestInTurn: until a reward is known a policy that learns at updates goes on with one
// arm. A log that goes through the arms in turn there, as a program does that counts its
// plays itself, is known by that, and no other log is.
func TestInTurn(t *testing.T) {
	least := func(first int) func(played [2]int) int {
		return func(played [2]int) int {
			if played[1-first] < played[first] {
				return 1 - first
			}
			return first
		}
	}
	turn, first := least(0), func([2]int) int { return 0 }
	for name, c := range map[string]struct {
		begin   func(played [2]int) int
		change  bool // a later action, or propensity
		matches bool
		inTurn  bool
	}{
		"as declared":         {begin: first, matches: true},
		"in turn":             {begin: turn, inTurn: true},
		"in turn, one round":  {begin: turn, change: true},
		"the last arm alone":  {begin: func([2]int) int { return 1 }},
		"in turn from arm 1":  {begin: least(1)},
		"declared, one round": {begin: first, change: true},
	} {
		for _, policy := range []string{"ucb", "epsilon-greedy", "epsilon-greedy, seed"} {
			p := protocol("ucb", "exact")
			if policy != "ucb" {
				p = protocol("epsilon-greedy", "exact")
				p.Policy.Set("explore", 0.1)
			}
			p.Policy.Update = &schemas.Update{Every: 25}
			l := begun(t, p, c.begin)
			if policy == "epsilon-greedy, seed" {
				p = seeded(p, 7)
			}
			if at := 150; c.change {
				l.Arm[at] = 1 - l.Arm[at]
			}
			out, _ := run(t, p, l.write(t), nil)
			got := &out.Conformance
			if whole := got.Matched == got.Replayable; whole != c.matches || got.PlaysInTurn() != c.inTurn {
				t.Errorf("%s, %s: %d of %d rounds match, %d more in turn", policy, name, got.Matched, got.Replayable, got.InTurn)
			}
		}
	}
}
