package rerandomize

import (
	"context"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/randomization"
	"banditaudit/replay"
)

// rerunMechanism is a policy with the counter over so many arms.
func rerunMechanism(tb testing.TB, policy, counter string, arms []string) *replay.Mechanism {
	tb.Helper()
	source := "version: 1\nexperiment: {id: e}\nlog: {order: t, action: a, reward: r, context: [x]}\nreward: {range: [0, 1]}\npolicy: " + policy + "\ncounter: " + counter + "\n"
	doc, err := replay.Standard().Format().ParseProtocol("p.yaml", []byte(source))
	if err != nil {
		tb.Fatal(err)
	}
	m, err := replay.Standard().New(&doc.Protocol, arms)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// rerunBernoulli is a log of a mechanism in which every arm pays 1 with probability
// mean(t) in row t, once change has seen its records; nil changes nothing.
func rerunBernoulli(tb testing.TB, m *replay.Mechanism, rounds int, seed uint64, mean func(t int) float64, change func(*rerunRecords)) *rerunRecords {
	tb.Helper()
	r := &rerunRecords{arms: m.Arms(), arm: make([]int32, rounds), reward: make([]float64, rounds), constant: true}
	source := rand.New(rand.NewPCG(seed, 2))
	order := make([]int32, rounds)
	for t := range r.reward {
		if order[t] = int32(t); source.Float64() < mean(t) {
			r.reward[t] = 1
		}
	}
	if m.Linear() {
		for range rounds * 5 {
			r.x = append(r.x, source.Float64()/5)
		}
		r.d = 5
	}
	if change != nil {
		change(r)
	}
	play := newRerunPolicy(context.Background(), m, "e", r)
	if err := play.Play(order, source, func(t, arm int) { r.arm[t] = int32(arm) }); err != nil {
		tb.Fatal(err)
	}
	return r
}

func half(int) float64 { return .5 }

// BenchmarkRerun is a round of a run on records in blocks of ten, over five arms.
func BenchmarkRerun(b *testing.B) {
	for name, policy := range map[string]string{
		"ucb": "{name: ucb, width: {c: 2}}", "epsilon-greedy": "{name: epsilon-greedy, explore: 0.1}", "uniform": "{name: uniform}",
		"fixed": "{name: fixed, probabilities: [0.2, 0.2, 0.2, 0.2, 0.2]}", "thompson-beta": "{name: thompson, prior: {alpha: 1, beta: 1}}",
		"softmax": "{name: softmax, eta: 1}", "linucb": "{name: linucb, lambda: 1, theta_bound: 1, noise_sd: 0.5}",
		"successive-elimination": "{name: successive-elimination, width: {c: 2}}",
	} {
		b.Run(name, func(b *testing.B) {
			m := rerunMechanism(b, policy, "{name: exact}", []string{"a", "b", "c", "d", "e"})
			const rounds = 100_000
			r := rerunBernoulli(b, m, rounds, 1, half, nil)
			log := &randomization.Log{Arms: 5, Arm: r.arm, Reward: r.reward, Groups: randomization.Blocks(rounds, 10)}
			play := newRerunPolicy(context.Background(), m, "e", r)
			b.ResetTimer()
			runs := max(1, b.N/rounds)
			if _, err := randomization.Test(context.Background(), log, play, randomization.Options{Draws: runs, Exceedances: runs + 1, Jobs: 1}); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runs*rounds), "ns/round")
		})
	}
}
