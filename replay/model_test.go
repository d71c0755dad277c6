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

func (s *story) Enter(t int64, in *Round) {
	in.Eligible, in.Batch, in.Scores = s.eligible[t-1], s.batches[t-1], scoresOf(t, len(s.rewards[t-1]))
}

// scoresOf are those of round t, hundredths of which some are equal, as policies.py has them.
func scoresOf(t int64, k int) []float64 {
	out := make([]float64, k)
	for i := range out {
		out[i] = float64(t*int64(7+5*i)%int64(11+i)) / 100
	}
	return out
}

// late is a story as a dataset, whose rewards reach a run when they are known,
// as those of a log do.
type late struct {
	*story
	enter func(t int64, in *Round)
	run   *Runner
	out   Arrivals
}

func (d *late) Rounds() int64 { return d.rounds() }

func (d *late) Round(t int64) *Round {
	in := &Round{}
	d.enter(t, in)
	return in
}

func (d *late) Reveal(t int64, arm int) error {
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

// contextual is a story in which x_t is (0, 1), (½, ½) or (1, 0).
type contextual struct{ *story }

func (contextual) Dim() int { return 2 }

func (contextual) Context(t int64, dst []float64) {
	dst[0] = float64(t%3) / 2
	dst[1] = 1 - dst[0]
}

func (c contextual) Enter(t int64, in *Round) {
	in.X = []float64{0, 0}
	c.Context(t, in.X)
	c.story.Enter(t, in)
}

// naive computes what a policy may see in a round from the whole history,
// without anything kept from the round before.
type naive struct {
	contextual
	k     int
	every int64 // 0: by batch
	sums  counter.Counter
	src   func(arm int) rand.Source // the same every time
	arms  []int                     // that were played

	vectors bool
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
	if n.vectors {
		return s, n.sumVectors(s, seen, n.sums.VectorBank(sources, 2))
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

// sumVectors is the end of state for a policy that reads vectors. What it has
// learned of features is, beside, written to Sums.
func (n *naive) sumVectors(s *policy.State, seen []Arrival, bank counter.VectorBank) error {
	s.Vectors = zeros(n.k, 2)
	phi := []float64{0, 0}
	for _, a := range seen {
		n.Context(a.Round, phi)
		var err error
		if s.Pulls[a.Arm], err = bank.Add(a.Arm, phi, a.Reward, s.Vectors[a.Arm]); err != nil {
			return err
		}
		s.Sums[a.Arm] += mark(phi)
	}
	return nil
}

// mark makes one exact number of a feature.
func mark(phi []float64) float64 { return phi[0] + 1024*phi[1] }

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
		if !slices.Equal(s.Played, want.Played) || !slices.Equal(s.Pulls, want.Pulls) || !slices.Equal(s.Sums, want.Sums) ||
			!slices.EqualFunc(s.Vectors, want.Vectors, slices.Equal) {
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

// linearSpy is a spy that reads vectors. What it has learned of features it
// keeps in the place of sums, which the run leaves alone.
type linearSpy struct {
	*spy
	learned []float64
}

func (p *linearSpy) Size(d int) { p.shown.Vectors = zeros(p.naive.k, d) }

func (*linearSpy) Feature(s *policy.State, _ int) []float64 { return s.X }

func (p *linearSpy) Learn(arm int, phi []float64, _ int64) { p.learned[arm] += mark(phi) }

func (p *linearSpy) Observe(s *policy.State, arm int) {
	p.spy.Observe(s, arm)
	p.shown.Sums[arm] = p.learned[arm]
	copy(p.shown.Vectors[arm], s.Vectors[arm])
}

func (p *linearSpy) Select(s *policy.State) int {
	seen := *s
	seen.Sums = p.shown.Sums
	return p.spy.Select(&seen)
}

// In every round of any experiment, with any schedule, a policy sees what a
// computation from the whole history gives it: nothing of the present batch, a
// reward first in the round after the last that was chosen without it, sums
// with the noise of the rewards in the order in which they became known. It
// holds for a run against a world and for one that is forced along a log.
func TestRunnerShowsWhatTheHistoryGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 4).Draw(t, "k")
		world := contextual{drawStory(t, k)}
		p := declare(schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 1.0}}, &schemas.Counter{Name: "exact"})
		if rapid.Bool().Draw(t, "noise") {
			p.Counter = &schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational("1")}
		}
		every := rapid.Int64Range(0, 5).Draw(t, "every")
		p.Policy.Update = &schemas.Update{Every: every, Batch: every == 0}
		m, err := Standard().New(p, labels(k))
		if err != nil {
			t.Fatal(err)
		}
		choice := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "choices")))
		plays := func(s *policy.State) int {
			for {
				if arm := choice.IntN(k); s.CanPlay(arm) {
					return arm
				}
			}
		}
		src := func(arm int) rand.Source { return Stream(Seed(7), PurposeCounter, "e", arm) }
		n := &naive{contextual: world, k: k, every: every, sums: m.counter, src: src, vectors: rapid.Bool().Draw(t, "vectors")}
		m.policy = func(policy.Draws) policy.Policy {
			n.arms = nil
			p := &spy{t, n, policy.NewState(k), plays}
			if n.vectors {
				return &linearSpy{p, make([]float64, k)}
			}
			return p
		}
		r := m.NewRunner(Seed(7), "e")
		err = r.bandit(world, world.rounds(), func(*Step) error { return nil })
		if err != nil || len(n.arms) != len(world.rewards) {
			t.Fatalf("%d rounds, error %v", len(n.arms), err)
		}
		r = m.NewRunner(Seed(7), "e")
		err = r.InteractQuery(&late{story: world.story, enter: world.Enter, run: r}, nil, func(int64, int) error { return nil })
		if err != nil || len(n.arms) != len(world.rewards) {
			t.Fatalf("%d rounds of a log, error %v", len(n.arms), err)
		}
	})
}
