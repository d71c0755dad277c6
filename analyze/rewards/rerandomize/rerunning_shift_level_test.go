package rerandomize

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/analyze/stat/randomization"
	"banditaudit/replay"
)

// shiftedLog is a log of two arms in which the first pays what the second would have paid,
// free, and delta more.
func shiftedLog(tb testing.TB, m *replay.Mechanism, free []float64, delta float64) (*randomization.Log, *rerunPolicy) {
	tb.Helper()
	r := &rerunRecords{arms: 2, arm: make([]int32, len(free)), reward: free, constant: true}
	play, order := newRerunPolicy(tb.Context(), m.Unbounded(), "e", r), make([]int32, len(free))
	for t := range order {
		order[t] = int32(t)
	}
	play.shifted, play.delta = 0, delta
	if err := play.Play(order, rand.NewPCG(1, uint64(len(free))), func(t, arm int) { r.arm[t] = int32(arm) }); err != nil {
		tb.Fatal(err)
	}
	seen := make([]float64, len(free))
	for t, u := range free {
		if seen[t] = u; r.arm[t] == 0 {
			seen[t] += delta
		}
	}
	seenRecords := *r
	seenRecords.reward = seen
	return &randomization.Log{Arms: 2, Arm: r.arm, Reward: seen, Groups: randomization.Blocks(len(seen), min(rerunBlock, len(seen)))}, newRerunPolicy(tb.Context(), m.Unbounded(), "e", &seenRecords)
}

// uniforms are rewards between 0 and .8.
func uniforms(seed uint64, rounds int) []float64 {
	source, out := rand.New(rand.NewPCG(seed, 21)), make([]float64, rounds)
	for t := range out {
		out[t] = .8 * source.Float64()
	}
	return out
}

// The level at the true shift and the power at others (sheet 21.7: UCB1, uniform rewards,
// shift .2, T = 200; rejected at .2 .0487, at .1 .828, at 0 1.000, at .3 .745 of 1,500
// logs; it does not say how wide the rewards are, nor which records change places). With
// rewards up to .8 before the shift, blocks of 10 and 99 runs, 1,500 logs have .052, .759,
// 1.000, .691. Of 200 logs a test at .05 rejects more than 24 with probability 2·10⁻⁵; the
// powers are within four standard errors of those.
func TestShiftLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out hundreds of re-runs; the full run has them")
	}
	t.Parallel()
	const logs = 200
	m := rerunMechanism(t, "{name: ucb, width: {c: 2}}", "{name: exact}", []string{"a", "b"})
	for delta, within := range map[float64][2]int{.2: {0, 24}, .1: {128, 176}, 0: {198, 200}, .3: {112, 164}} {
		rejected := 0
		for i := range logs {
			l, play := shiftedLog(t, m, uniforms(uint64(i), 200), .2)
			out, err := newShiftRuns(l, play, 0, [2]float64{0, 1}).test(t.Context(), delta, randomization.Options{Draws: 99, Exceedances: 5, Name: "shift", Seed: replay.Seed(int64(i)), Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			if out.P <= .05 {
				rejected++
			}
		}
		if rejected < within[0] || rejected > within[1] {
			t.Errorf("shift %g: %d of %d logs rejected, want %v", delta, rejected, logs, within)
		}
	}
}

// permuted visits all orders of a slice.
func permuted(y []float64, visit func([]float64)) {
	var walk func(k int)
	walk = func(k int) {
		if k == len(y) {
			visit(y)
			return
		}
		for i := k; i < len(y); i++ {
			y[k], y[i] = y[i], y[k]
			walk(k + 1)
			y[k], y[i] = y[i], y[k]
		}
	}
	walk(0)
}

// Over all orders of five rewards that differ, each log is played by the declared policy
// with a shift; what is computed from the log alone, of all orders of its rewards less the
// shift, has P(p ≤ α) ≤ α for every α. Rewards leave the range on both sides. The runs have
// that p.
func TestShiftByEnumeration(t *testing.T) {
	t.Parallel()
	for policy, delta := range map[string]float64{"{name: ucb, width: {c: 0.3}}": .25, "{name: ucb, width: {c: 0.5}, update: {every: 2}}": -1.5} {
		m := rerunMechanism(t, policy, "{name: exact}", []string{"a", "b"})
		base := []float64{.05, .2, .4, .7, .95}
		statistic := func(l *randomization.Log) float64 {
			return spreadOf(2, l.Arm, l.Shifted(0, delta, make([]float64, len(l.Reward))).Reward)
		}
		exact := func(l *randomization.Log) float64 { // from what was seen
			q, reached, all := statistic(l), 0, 0
			permuted(l.Shifted(0, delta, make([]float64, len(l.Reward))).Reward, func(free []float64) {
				other, _ := shiftedLog(t, m, free, delta)
				if all++; reaches(statistic(other), q) {
					reached++
				}
			})
			return float64(reached) / float64(all)
		}
		byP, logs := map[float64]int{}, 0
		permuted(base, func(free []float64) {
			logs++
			l, _ := shiftedLog(t, m, slices.Clone(free), delta)
			byP[exact(l)]++
		})
		for alpha := range byP {
			level := 0
			for p, n := range byP {
				if p <= alpha+1e-12 {
					level += n
				}
			}
			if float64(level) > alpha*float64(logs)+1e-9 {
				t.Errorf("%s: P(p ≤ %g) = %d/%d", policy, alpha, level, logs)
			}
		}
		if len(byP) < 10 {
			t.Errorf("%s: p took %d values", policy, len(byP))
		}
		l, play := shiftedLog(t, m, base, delta)
		const runs = 20_000
		out, err := newShiftRuns(l, play, 0, [2]float64{0, 1}).test(t.Context(), delta, randomization.Options{Draws: runs, Exceedances: runs + 1, Name: policy, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		want := exact(l)
		if se := math.Sqrt(want*(1-want)/runs) + 1./runs; math.Abs(out.P-want) > 5*se {
			t.Errorf("%s: p %g of %d runs, want %g", policy, out.P, runs, want)
		}
	}
}

// Where records stay, runs on the rewards less the shift play the log, for the shift is
// given back to the arm: rewards known at once, and late. Rewards and shift are quarters, so
// that nothing is rounded.
func TestShiftIsGivenBack(t *testing.T) {
	t.Parallel()
	m := rerunMechanism(t, "{name: ucb, width: {c: 0.3}}", "{name: exact}", []string{"a", "b"}).Unbounded()
	const rounds = 300
	source := rand.New(rand.NewPCG(2, 7))
	free, lags, order := make([]float64, rounds), make([]int32, rounds), make([]int32, rounds)
	for t := range free {
		free[t], lags[t], order[t] = float64(source.IntN(5))/4, int32(source.IntN(9)), int32(t)
	}
	for _, lag := range [][]int32{nil, lags} {
		played := func(rewards []float64, shifted int, delta float64) (arms []int) {
			play := newRerunPolicy(t.Context(), m, "e", &rerunRecords{arms: 2, arm: make([]int32, rounds), reward: rewards, lag: lag, constant: true})
			play.shifted, play.delta = shifted, delta
			if err := play.Play(order, rand.NewPCG(1, 1), func(_, arm int) { arms = append(arms, arm) }); err != nil {
				t.Fatal(err)
			}
			return arms
		}
		with := played(free, 1, .75)
		seen := slices.Clone(free)
		for t, arm := range with {
			if arm == 1 {
				seen[t] += .75
			}
		}
		if again := played(seen, 0, 0); !slices.Equal(with, again) || slices.Equal(with, played(free, 0, 0)) {
			t.Errorf("late %v: other arms than the log's, or the shift changes none", lag != nil)
		}
	}
}
