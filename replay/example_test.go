package replay_test

import (
	"fmt"
	"math/rand/v2"

	"banditaudit/replay"
)

const ucb1 = `version: 1
experiment: {id: cta, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [control, blue]
reward: {range: [0, 1]}
policy: {name: ucb, width: {c: 2}, bonus: none}
counter: {name: exact}
`

const private = `version: 1
experiment: {id: cta, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [control, blue]
reward: {range: [0, 1]}
policy: {name: ucb, width: {c: 2}, bonus: none}
counter: {name: tree, epsilon: 0.1, horizon: 1000}
`

// declared returns the bandit that a protocol declares over its arms.
func declared(protocol string) *replay.Mechanism {
	catalogue := replay.Standard()
	d, err := catalogue.Format().ParseProtocol("protocol.yaml", []byte(protocol))
	if err != nil {
		panic(err)
	}
	m, err := catalogue.New(&d.Protocol, d.Protocol.Arms)
	if err != nil {
		panic(err)
	}
	return m
}

// The policy chooses by what the counter has released, so that the pair costs what
// the counter costs: 1/10, or without noise more than any number.
func ExampleCatalogue_New() {
	catalogue := replay.Standard()
	for _, protocol := range []string{private, ucb1} {
		d, err := catalogue.Format().ParseProtocol("protocol.yaml", []byte(protocol))
		if err != nil {
			fmt.Println(err)
			return
		}
		m, err := catalogue.New(&d.Protocol, []string{"control", "blue"})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Law().Name(), "costs", m.Law().Epsilon())
	}
	// Output:
	// ucb × tree costs 1/10
	// ucb × exact costs inf
}

// pays is a world in which every arm always pays the same.
type pays []float64

func (pays) Dim() int                          { return 0 }
func (pays) Context(int64, []float64)          {}
func (p pays) Reward(_ int64, arm int) float64 { return p[arm] }

// UCB1 plays each of two arms once, then the one with the largest mean + √(2·ln t/N):
// of arms that pay 0 and 1 in round 6 √(2·ln 6) = 1.893 against 1 + √(2·ln 6/4) = 1.947,
// in round 7 √(2·ln 7) = 1.973 against 1 + √(2·ln 7/5) = 1.882.
func ExampleMechanism_Bandit() {
	m := declared(ucb1)
	err := m.Bandit(replay.Seed(1), "cta", pays{0, 1}, 8, func(s *replay.Step) error {
		fmt.Printf("round %d: arm %d pays %g, sums %g\n", s.Round, s.Arm, s.Reward, s.Released)
		return nil
	})
	fmt.Println(err)
	// Output:
	// round 1: arm 0 pays 0, sums [0 0]
	// round 2: arm 1 pays 1, sums [0 0]
	// round 3: arm 1 pays 1, sums [0 1]
	// round 4: arm 1 pays 1, sums [0 2]
	// round 5: arm 1 pays 1, sums [0 3]
	// round 6: arm 1 pays 1, sums [0 4]
	// round 7: arm 0 pays 0, sums [0 5]
	// round 8: arm 1 pays 1, sums [0 5]
	// <nil>
}

// A bandit plays on a tableau that holds what every arm would have paid: the
// actions are those of ExampleMechanism_Bandit.
func ExampleMechanism_InteractQuery() {
	tab := &replay.Tab{Rewards: [][]float64{{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}}}
	fmt.Println(declared(ucb1).InteractQuery(replay.Seed(1), "cta", tab))
	// Output: [0 1 1 1 1 1 0 1] <nil>
}

// logged is a log of actions and their rewards, revealed to one run.
type logged struct {
	run     *replay.Runner
	actions []int
	rewards []float64
}

func (l *logged) Rounds() int64             { return int64(len(l.actions)) }
func (l *logged) Round(int64) *replay.Round { return nil }
func (l *logged) Reveal(t int64, arm int) error {
	l.run.Add(arm, l.rewards[t-1])
	return l.run.Err()
}

// A run that is teacher-forced along a log answers what the policy would have
// played next, and goes on with what was played. Round 3 was not UCB1's: both arms
// had been played once, and arm 1 had paid more.
func ExampleRunner_InteractQuery() {
	run := declared(ucb1).NewRunner(replay.Seed(1), "cta")
	log := &logged{run: run, actions: []int{0, 1, 0, 1, 1}, rewards: []float64{0, 1, 0, 1, 1}}
	err := run.InteractQuery(log,
		func(t int64, _ int) int { return log.actions[t-1] },
		func(t int64, answer int) error {
			if answer != log.actions[t-1] {
				fmt.Printf("round %d: logged arm %d, the policy plays arm %d\n", t, log.actions[t-1], answer)
			}
			return nil
		})
	fmt.Println(err)
	// Output:
	// round 3: logged arm 0, the policy plays arm 1
	// <nil>
}

// Master seeds and streams can be made by another program:
//
//	printf 'banditaudit seed\0\0\0\0\0\0\0\7' | sha256sum
//
// is Seed(7). Each purpose, experiment and arm has a stream of its own.
func ExampleSeed() {
	master := replay.Seed(7)
	fmt.Printf("%x\n", master)
	policy := rand.New(replay.Stream(master, replay.PurposePolicy, "cta", replay.NoArm))
	again := rand.New(replay.Stream(master, replay.PurposePolicy, "cta", replay.NoArm))
	fmt.Println(policy.Uint64() == again.Uint64())
	// Output:
	// d22b317eb83f7686b2e7f2d29b58ca0024f10f4ccccb0bf0a5f6a0248af0b2de
	// true
}
