package allocationtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// learner makes probabilities from what was seen: pulls and sums of rewards, and
// the pulls that were expected of each arm.
type learner struct {
	round          int
	pulls, sums    []float64
	expected, var0 []float64 // Σp and Σp(1−p)
}

func (l *learner) mean(a int) float64 { return (l.sums[a] + 0.5) / (l.pulls[a] + 1) }

func (l *learner) best() int {
	best := 0
	for a := range l.pulls {
		if l.mean(a) > l.mean(best) {
			best = a
		}
	}
	return best
}

// normal makes probabilities of weights.
func normal(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for a := range p {
		p[a] /= sum
	}
}

// softmax over sums of rewards: all but one arm is soon given up.
func softmax(eta float64) func(*learner, []float64) {
	return func(l *learner, p []float64) {
		most := math.Inf(-1)
		for a := range p {
			most = max(most, l.sums[a])
		}
		for a := range p {
			p[a] = math.Exp(eta * (l.sums[a] - most))
		}
		normal(p)
	}
}

// maillard gives arm a the weight exp(−N_a·gap²·2), much like Thompson sampling.
func maillard(l *learner, p []float64) {
	best := l.mean(l.best())
	for a := range p {
		gap := best - l.mean(a)
		p[a] = math.Exp(-2 * l.pulls[a] * gap * gap)
	}
	normal(p)
}

// greedy explores with probability ε/√t, at least floor.
func greedy(explore, floor float64) func(*learner, []float64) {
	return func(l *learner, p []float64) {
		e := max(floor, explore/math.Sqrt(float64(l.round+1)))
		for a := range p {
			p[a] = e / float64(len(p))
		}
		p[l.best()] += 1 - e
	}
}

// hostile keeps the deviation of arm 0: once it is three standard deviations
// from what was expected, either way, the arm is as good as given up.
func hostile(l *learner, p []float64) {
	even(0, p)
	if d := l.pulls[0] - l.expected[0]; l.round > 20 && d*d > 9*l.var0[0] {
		for a := range p {
			p[a] = 1 / float64(len(p)-1)
		}
		p[0] = 1e-10
		normal(p)
	}
}

// rich plays arm 0 with vanishing probability, which makes weights of 10³ to 10⁸.
func rich(l *learner, p []float64) {
	even(0, p)
	if l.round%2 == 1 {
		p[0] = math.Pow10(-3 - l.round%6)
		normal(p)
	}
}

// simulated is a log of a learner: the actions, the propensities of all arms,
// and those of the actions. wrong, where it is not nil, draws the actions from
// other probabilities than are logged.
func simulated(r *rand.Rand, arms, rounds int, policy func(*learner, []float64), wrong func(t int, p []float64)) (arm []int32, all, logged []float64) {
	l := &learner{pulls: make([]float64, arms), sums: make([]float64, arms), expected: make([]float64, arms), var0: make([]float64, arms)}
	p, used := make([]float64, arms), make([]float64, arms)
	for t := range rounds {
		l.round = t
		policy(l, p)
		copy(used, p)
		if wrong != nil {
			wrong(t, used)
		}
		u, k := r.Float64(), 0
		for k < arms-1 && u >= used[k] {
			u -= used[k]
			k++
		}
		if p[k] == 0 { // the last arm took what rounding left
			k = l.best()
		}
		arm, all, logged = append(arm, int32(k)), append(all, p...), append(logged, p[k])
		for a, v := range p {
			l.expected[a] += v
			l.var0[a] += v * (1 - v)
		}
		l.pulls[k]++
		if r.Float64() < 0.3+0.3*float64(k)/float64(arms-1) {
			l.sums[k]++
		}
	}
	return arm, all, logged
}

// verdicts are those of the check on one log: by the logged action's propensity,
// the same where the arms are all there are, and by those of all arms.
func verdicts(t *testing.T, arms int, arm []int32, all, logged []float64) [3]AllocationResult {
	t.Helper()
	const size = 100
	var out [3]AllocationResult
	batch := make([]int32, len(arm))
	for i := range batch {
		batch[i] = int32(i / size)
	}
	for i := range 2 {
		a := NewAllocation(arms)
		a.Complete = i == 1
		if err := a.Add(arm, logged); err != nil {
			t.Fatal(err)
		}
		out[i] = a.Test(AllocationLevel, nil, batchesOf(arms, batch, arm, logged, nil, false))
	}
	out[2] = exactOf(t, arms, arm, all).Test(AllocationLevel, batchesOf(arms, batch, arm, all, nil, true))
	return out
}

// TestHonestLearners plays honest logs of policies that learn, whose
// propensities go to 0 or follow the very deviation that is tested. At the level
// of 0.001 more than 6 rejections in 500 logs have probability below 1e-6, for
// each of the three ways to test them, and so have more than 52 at 0.05 (Poisson
// tails 9.4e-7 and 6e-7). The ratio z, held against the normal law, would refuse
// most of the first.
func TestHonestLearners(t *testing.T) {
	logs := 500
	if testing.Short() {
		logs = 30
	}
	for _, c := range []struct {
		name         string
		arms, rounds int
		policy       func(*learner, []float64)
	}{
		{"softmax", 3, 2000, softmax(0.1)},
		{"softmax, two arms", 2, 1000, softmax(0.1)},
		{"hard softmax", 5, 300, softmax(1)},
		{"Thompson-like", 3, 1000, maillard},
		{"Thompson-like, two arms", 2, 1000, maillard},
		{"greedy", 4, 1000, greedy(1, 0)},
		{"greedy, two arms", 2, 1000, greedy(0.3, 0)},
		{"floor", 3, 1000, greedy(1, 0.02)},
		{"hostile", 3, 1000, hostile},
		{"hostile, two arms", 2, 1000, hostile},
		{"large weights", 3, 1000, rich},
		{"large weights, two arms", 2, 1000, rich},
	} {
		r := rand.New(rand.NewPCG(20180601, 50))
		var refused, doubted [3]int
		plain := 0
		for range logs {
			arm, all, logged := simulated(r, c.arms, c.rounds, c.policy, nil)
			for i, v := range verdicts(t, c.arms, arm, all, logged) {
				if v.Rejected {
					refused[i]++
				}
				if v.LogP <= math.Log(0.05) {
					doubted[i]++
				}
				if i == 0 && slices.ContainsFunc(v.Arms, func(a AllocationArm) bool { return a.Testable && math.Abs(a.Z) > 5 }) {
					plain++
				}
			}
		}
		t.Logf("%s: %v of %d honest logs refused, %v with p ≤ 0.05; %d with |z| > 5", c.name, refused, logs, doubted, plain)
		if max(doubted[0], doubted[1], doubted[2]) > 52 {
			t.Errorf("%s: p ≤ 0.05 for %v of %d honest logs", c.name, doubted, logs)
		}
		if c.name == "softmax" && plain < logs/2 {
			t.Errorf("the logs do not lead the normal law astray: |z| > 5 in %d of %d", plain, logs)
		}
		if max(refused[0], refused[1], refused[2]) > 6 {
			t.Errorf("%s: %v of %d honest logs refused", c.name, refused, logs)
		}
	}
}

// TestDishonestLearners: logs whose actions were drawn from other probabilities
// than logged are refused, by each of the three ways to test them, in at least
// 32 of 40 logs; seeds are fixed.
func TestDishonestLearners(t *testing.T) {
	shares := func(s ...float64) func(int, []float64) { return func(_ int, p []float64) { copy(p, s) } }
	constant := func(s ...float64) func(*learner, []float64) { return func(_ *learner, p []float64) { copy(p, s) } }
	flip := func(_ int, p []float64) { p[0], p[len(p)-1] = p[len(p)-1], p[0] }
	stale := func() func(int, []float64) {
		var kept []float64
		return func(t int, p []float64) {
			if t%200 == 0 {
				kept = append(kept[:0], p...)
			}
			copy(p, kept)
		}
	}
	unexplored := func(_ int, p []float64) {
		most := 0
		for a, v := range p {
			if v > p[most] {
				most = a
			}
		}
		for a := range p {
			p[a] = 0
		}
		p[most] = 1
	}
	for _, c := range []struct {
		name         string
		arms, rounds int
		policy       func(*learner, []float64)
		wrong        func(t int, p []float64)
	}{
		{"uniform logged, skewed drawn", 3, 1000, constant(1./3, 1./3, 1./3), shares(0.45, 0.33, 0.22)},
		{"uniform logged, slightly skewed", 3, 20_000, constant(1./3, 1./3, 1./3), shares(0.355, 0.333, 0.312)},
		{"skewed logged, uniform drawn", 3, 1000, constant(0.5, 0.3, 0.2), shares(1./3, 1./3, 1./3)},
		{"skewed logged, a little less", 3, 20_000, constant(0.5, 0.3, 0.2), shares(0.46, 0.32, 0.22)},
		{"two arms", 2, 1000, constant(0.7, 0.3), shares(0.6, 0.4)},
		{"two arms, far", 2, 5000, constant(0.95, 0.05), shares(0.97, 0.03)},
		{"an arm never drawn", 4, 1000, constant(0.4, 0.3, 0.2, 0.1), shares(0.4, 0.3, 0.3, 0)},
		{"softmax logged, evenly drawn", 3, 1000, softmax(0.1), even},
		{"swapped greedy", 3, 1000, greedy(1, 0.1), flip},
		{"stale softmax", 3, 5000, softmax(0.1), stale()},
		{"stale greedy", 3, 20_000, greedy(1, 0.1), stale()},
		{"exploration logged, none drawn", 3, 5000, greedy(0.1, 0.1), unexplored},
	} {
		r := rand.New(rand.NewPCG(20180601, 51))
		var found [3]int
		const logs, most = 40, 32
		for range logs {
			arm, all, logged := simulated(r, c.arms, c.rounds, c.policy, c.wrong)
			for i, v := range verdicts(t, c.arms, arm, all, logged) {
				if v.Rejected {
					found[i]++
				}
			}
		}
		t.Logf("%s: found in %v of %d logs", c.name, found, logs)
		if min(found[0], found[1], found[2]) < most {
			t.Errorf("%s: found in %v of %d logs", c.name, found, logs)
		}
	}
}
