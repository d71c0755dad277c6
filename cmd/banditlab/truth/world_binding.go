package truth

import (
	"fmt"

	"banditaudit/analyze"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// zerosMadeOnes is item 4: the log of a deployment with much noise, whose rewards of
// one arm were all set to 1 afterwards. The deployment is the project's own, for the
// log must hold its noise, bit for bit.
func zerosMadeOnes() World {
	const id = "changed"
	seed := replay.Seed(5)
	protocol := fmt.Sprintf("version: 1\nexperiment: {id: %s, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [a0, a1]\nreward: {range: [0, 1]}\npolicy: {name: ucb, width: {delta: 0.05}, bonus: quantile, seed: \"%x\"}\ncounter: {name: hybrid, epsilon: 0.05, horizon: 1000}\n", id, seed[:])
	return World{
		Name: "zeros-made-ones", Item: 4, Logs: 200, Right: true,
		Text:     "UCB under much noise, which its bonus allows for (hybrid, ε = 0.05, with its seed, 1,000 rounds). All zeros of arm a1, about 40 % of its rewards, are set to 1 afterwards.",
		Said:     "the replay finds it (policy.conformance is VIOLATED), or says beside VERIFIED that at least half of the arm's rewards could be changed",
		Before:   "0 of 200: policy.conformance was VERIFIED in all, and no number was said",
		Unseen:   "which rewards were changed; and more than the bound, where the last ones of an arm do not pass together: it is a lower one",
		Protocol: protocol,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			doc, err := analyze.Standard().Format().ParseProtocol("truth", []byte(protocol))
			if err != nil {
				panic(err) // the text above
			}
			m, err := analyze.Standard().New(&doc.Protocol, doc.Protocol.Arms)
			if err != nil {
				panic(err)
			}
			if err = m.Bandit(seed, id, coins{d}, 1_000, func(s *replay.Step) error {
				d.play(s.Arm, 1, max(s.Reward, float64(s.Arm)))
				return nil
			}); err != nil {
				panic(err)
			}
			return d.log("a0", "a1")
		},
		Count: func(f *Found) bool {
			c := &f.First().Replay
			if f.Verdict(schemas.KindConformance) == schemas.Violated {
				return true
			}
			for i := range c.Binding.Arms {
				if x := &c.Binding.Arms[i]; x.Arm == "a1" {
					return 2*x.Down.AtLeast >= x.Down.Of-1
				}
			}
			return false
		},
	}
}
