package truth

import (
	"math"
	"strings"

	"banditaudit/schemas"
)

// Worlds of which a replay finds differences, and of which what is said of these is
// looked at.
func accused() []World {
	return []World{firstWithoutReward(), firstWithoutRewardByActions(), coarseIntegral()}
}

// saysOf reports whether policy.conformance is VIOLATED, no explanation is named, and
// the reason has the words.
func (f *Found) saysOf(words string) bool {
	p := f.First().Replay.Propensities
	for i := range f.Head.Claims {
		c := &f.Head.Claims[i]
		if c.Kind == schemas.KindConformance && c.Verdict == schemas.Violated {
			return (p == nil || schemas.Fitting(p.Hypotheses) == nil) && strings.Contains(c.Reason, words)
		}
	}
	return false
}

// firstWithoutReward is a log whose program begins by another rule than the tool's.
func firstWithoutReward() World {
	const k, rounds, explore, late = 4, 1_000, .2, 40
	return World{
		Name: "first-arm-without-a-reward", Item: 12, Logs: 200, Right: true,
		Text: "ε-greedy over four arms as declared, but for its beginning: rewards are known 40 rounds late, and of the arms without a known reward the program takes the first, not the one that was played least.",
		Said: "policy.conformance is VIOLATED, its reason says that all rounds that differ lie before every arm had a known reward, and no explanation is named", Before: "0 of 10: explanations were named, or said not to fit",
		Unseen:   "another cause that differs in those rounds alone",
		Protocol: head("begins", k, "propensity: p, propensity_by_arm: all, reward_order: known") + "policy: {name: epsilon-greedy, explore: 0.2}\n" + exact,
		Deploy: func(run int64) *Log {
			d, known := newDeployment(run), make([]int64, rounds)
			sums, n := make([]float64, k), make([]float64, k)
			for t := range rounds {
				if t >= late {
					sums[d.action[t-late]] += d.rewards[t-late]
					n[d.action[t-late]]++
				}
				p, plays := make([]float64, k), leader(sums, n)
				for i := range p {
					p[i] = explore / k
				}
				p[plays] += 1 - explore
				arm := d.pick(p)
				d.chosen(arm, p, d.coin(spread(k)[arm]))
				known[t] = int64(t + late)
			}
			return d.log(labels(k)...).Put("known", known)
		},
		Count: func(f *Found) bool { return f.saysOf("before every arm that could be played had a known reward") },
	}
}

// firstWithoutRewardByActions is the same of a policy that draws nothing.
func firstWithoutRewardByActions() World {
	const k, rounds, late = 4, 600, 40
	return World{
		Name: "first-arm-without-a-reward-of-ucb", Item: 12, Logs: 200, Right: true,
		Text: "The same of UCB1, of which actions alone are logged.",
		Said: "policy.conformance is VIOLATED, and its reason says that all rounds that differ lie before every arm had a known reward", Before: "by construction none: no words named the rule",
		Unseen:   "another cause that differs in those rounds alone",
		Protocol: head("begins", k, "reward_order: known") + "policy: {name: ucb, width: {c: 2}}\n" + exact,
		Deploy: func(run int64) *Log {
			d, known := newDeployment(run), make([]int64, rounds)
			sums, n := make([]float64, k), make([]float64, k)
			for t := range rounds {
				if t >= late {
					sums[d.action[t-late]] += d.rewards[t-late]
					n[d.action[t-late]]++
				}
				bounds := make([]float64, k)
				for i := range bounds {
					bounds[i] = n[i] * (sums[i]/n[i] + math.Sqrt(2*math.Log(float64(t+1))/n[i])) // over n it is the index
				}
				arm := leader(bounds, n)
				d.play(arm, 1, d.coin(spread(k)[arm]))
				known[t] = int64(t + late)
			}
			return d.log(labels(k)...).Put("known", known)
		},
		Count: func(f *Found) bool { return f.saysOf("before every arm that could be played had a known reward") },
	}
}

// coarseIntegral are propensities that are off by as much as a coarse integral is.
func coarseIntegral() World {
	return World{
		Name: "propensities-off-by-2e-6", Item: 10, Logs: 200, Right: true,
		Text: "The declared policy runs, and its propensities are logged with what 8,000 points of a quadrature make of them: two millionths nearer to 1/4, and a little more.",
		Said: "policy.conformance is VIOLATED, its reason names log.propensity_resolution, and no explanation is named", Before: "0 of 10: the reason did not name the key",
		Unseen:   "a law that differs from the declared one by no more",
		Protocol: head("off", 4, "propensity: p, propensity_by_arm: all") + "policy: {name: softmax, eta: 0.02}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			d.learnt(1_000, 1, .02, spread(4))
			for t, arm := range d.action {
				for i, p := range d.all[t] {
					d.all[t][i] = p + float64(2e-6*(.25-p)) + float64(3e-7*p)
				}
				d.p[t] = d.all[t][arm]
			}
			return d.log(labels(4)...)
		},
		Count: func(f *Found) bool { return f.saysOf("say by how much in log.propensity_resolution") },
	}
}
