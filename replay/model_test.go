package replay

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// story is an experiment with everything in it that a schedule has to do with:
// batches, eligible arms, and rewards that become known later or never.
type story struct {
	rewards  [][]float64 // by round, by arm
	eligible [][]bool
	batches  []int32
	known    []int64 // of round t; NeverKnown for never
}

func drawStory(t *rapid.T, k int) *story {
	s := &story{}
	batch, late := int32(0), rapid.Bool().Draw(t, "rewards come late")
	rounds := rapid.Int64Range(1, 40).Draw(t, "rounds")
	for round := int64(1); round <= rounds; round++ {
		pay := make([]float64, k)
		for i := range pay {
			pay[i] = float64(rapid.IntRange(0, 4).Draw(t, "reward")) / 4
		}
		var eligible []bool
		if rapid.IntRange(0, 3).Draw(t, "not all are eligible") == 0 {
			eligible = make([]bool, k)
			for i := range eligible {
				eligible[i] = rapid.Bool().Draw(t, "eligible")
			}
			eligible[rapid.IntRange(0, k-1).Draw(t, "sure")] = true
		}
		if rapid.IntRange(0, 4).Draw(t, "another batch") == 0 {
			batch += rapid.Int32Range(1, 3).Draw(t, "batches")
		}
		known := round
		if late {
			known += rapid.Int64Range(0, 12).Draw(t, "delay")
			if rapid.IntRange(0, 9).Draw(t, "never") == 0 {
				known = NeverKnown
			}
		}
		s.rewards, s.eligible = append(s.rewards, pay), append(s.eligible, eligible)
		s.batches, s.known = append(s.batches, batch), append(s.known, known)
	}
	return s
}

func (s *story) rounds() int64 { return int64(len(s.rewards)) }

// A story is a Setting.
func (*story) Dim() int { return 0 }

func (*story) Context(int64, []float64) {}

func (s *story) Reward(t int64, arm int) float64 { return s.rewards[t-1][arm] }

func (s *story) Known(t int64) int64 { return s.known[t-1] }

func (s *story) Enter(t int64, in *Round) { in.Eligible, in.Batch = s.eligible[t-1], s.batches[t-1] }

// told is a story as a dataset, whose rewards reach a run when they are known,
// as those of a log do.
type told struct {
	*story
	run *Runner
	out Arrivals
}

func (d *told) Rounds() int64 { return d.rounds() }

func (d *told) Round(t int64) *Round {
	in := &Round{}
	d.Enter(t, in)
	return in
}

func (d *told) Reveal(t int64, arm int) error {
	d.run.Hold(arm)
	if d.known[t-1] == NeverKnown {
		d.run.Forget(t)
	} else {
		d.out.Push(Arrival{Known: d.known[t-1], Round: t, Arm: arm, Reward: d.Reward(t, arm)})
	}
	for a, ok := d.out.Pop(t); ok; a, ok = d.out.Pop(t) {
		d.run.Due(a.Round)
		d.run.Add(a.Arm, a.Reward)
	}
	return d.run.Err()
}

// naive computes what a policy may see in a round from the whole history,
// without anything kept from the round before.
type naive struct {
	*story
	k     int
	every int64 // 0: by batch
	sums  counter.Counter
	src   func(arm int) rand.Source // the same every time
	arms  []int                     // that were played
}

// learnt returns the last round, the present one or before, at whose beginning
// the policy learned.
func (n *naive) learnt(t int64) int64 {
	for ; t > 1; t-- {
		if n.every > 0 && (t-1)%n.every == 0 || n.every == 0 && n.batches[t-1] != n.batches[t-2] {
			return t
		}
	}
	return 1
}

// state returns what is seen at round t: rounds before the last that the policy
// learned at, and of their rewards those known by then.
func (n *naive) state(t int64) (*policy.State, error) {
	s := policy.NewState(n.k)
	s.Round, s.Eligible = t, n.eligible[t-1]
	now := n.learnt(t)
	var seen []Arrival
	for past := int64(1); past < now; past++ {
		arm := n.arms[past-1]
		s.Played[arm]++
		if n.known[past-1] < now {
			seen = append(seen, Arrival{Known: n.known[past-1], Round: past, Arm: arm, Reward: n.Reward(past, arm)})
		}
	}
	slices.SortFunc(seen, func(a, b Arrival) int {
		return cmp.Or(cmp.Compare(a.Known, b.Known), cmp.Compare(a.Round, b.Round))
	})
	sources := make([]rand.Source, n.k)
	for i := range sources {
		sources[i] = n.src(i)
	}
	bank := n.sums.Bank(sources)
	for _, a := range seen {
		var err error
		if s.Sums[a.Arm], s.Pulls[a.Arm], err = bank.Add(a.Arm, a.Reward); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// spy is a policy that plays what it is told, and compares what it sees and
// what it has been shown with the naive computation.
type spy struct {
	t     *rapid.T
	naive *naive
	shown *policy.State // of every arm, what it was at its last Observe
	plays func(s *policy.State) int
}

func (p *spy) Select(s *policy.State) int {
	want, err := p.naive.state(s.Round)
	if err != nil {
		p.t.Fatal(err)
	}
	same := func(what string, s *policy.State) {
		if !slices.Equal(s.Played, want.Played) || !slices.Equal(s.Pulls, want.Pulls) || !slices.Equal(s.Sums, want.Sums) {
			p.t.Fatalf("round %d: the policy %s %+v, want %+v", want.Round, what, s, want)
		}
	}
	same("sees", s)
	p.shown.Round = s.Round
	same("was shown", p.shown)
	if s.Round != want.Round || !slices.Equal(s.Eligible, want.Eligible) {
		p.t.Fatalf("round %d with eligible arms %v, want %d with %v", s.Round, s.Eligible, want.Round, want.Eligible)
	}
	arm := p.plays(s)
	p.naive.arms = append(p.naive.arms, arm)
	return arm
}

func (p *spy) Observe(s *policy.State, arm int) {
	p.shown.Played[arm], p.shown.Pulls[arm], p.shown.Sums[arm] = s.Played[arm], s.Pulls[arm], s.Sums[arm]
}

func (*spy) Propensities(*policy.State, []float64) {}

func (*spy) Random() bool { return false }

func (*spy) ReadsRewards() bool { return true }

// In every round of any experiment, with any schedule, a policy sees what a
// computation from the whole history gives it: nothing of the present batch, a
// reward first in the round after the last that was chosen without it, sums
// with the noise of the rewards in the order in which they became known. It
// holds for a run against a world and for one that is forced along a log.
func TestRunnerShowsWhatTheHistoryGives(t *testing.T) {
	counters := []*schemas.Counter{{Name: "exact"}, {Name: "hybrid", Epsilon: schemas.MustRational("1")}}
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 4).Draw(t, "k")
		story := drawStory(t, k)
		p := declare(schemas.Policy{Name: "softmax", Eta: new(1.0)}, counters[rapid.IntRange(0, 1).Draw(t, "counter")])
		every := rapid.Int64Range(0, 5).Draw(t, "every")
		p.Policy.Update = &schemas.Update{Every: every, Batch: every == 0}
		m, err := New(p, labels(k))
		if err != nil {
			t.Fatal(err)
		}
		src := func(arm int) rand.Source { return Stream(Seed(7), PurposeCounter, "e", arm) }
		choice := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "choices")))
		for _, forced := range []bool{false, true} {
			n := &naive{story: story, k: k, every: every, sums: m.counter, src: src}
			m.policy = func(policy.Draws) policy.Policy {
				return &spy{t, n, policy.NewState(k), func(s *policy.State) int {
					for {
						if arm := choice.IntN(k); s.CanPlay(arm) {
							return arm
						}
					}
				}}
			}
			r := m.NewRunner(Seed(7), "e")
			if forced {
				err = r.InteractQuery(&told{story: story, run: r}, nil, func(int64, int) error { return nil })
			} else {
				err = r.bandit(story, story.rounds(), func(*Step) error { return nil })
			}
			if err != nil || len(n.arms) != len(story.rewards) || len(r.waiting) > len(story.rewards) {
				t.Fatalf("%d rounds, error %v", len(n.arms), err)
			}
		}
	})
}
