package replay

import (
	"slices"
	"testing"

	"banditaudit/schemas"
)

// kept is a log in memory, as a dataset of one run.
type kept struct {
	run      *Runner
	arms     []int
	rewards  []float64
	x        []float64 // d numbers a round
	d        int
	released []float64 // width numbers a round; nil: not shown
	width    int
	in       Round
}

func (k *kept) Rounds() int64 { return int64(len(k.arms)) }

func (k *kept) Round(t int64) *Round {
	if i := int(t - 1); k.d > 0 {
		k.in.X = k.x[i*k.d : (i+1)*k.d]
	}
	if i := int(t - 1); k.released != nil {
		k.in.Released = k.released[i*k.width : (i+1)*k.width]
	}
	return &k.in
}

func (k *kept) Reveal(t int64, arm int) error {
	k.run.Add(arm, k.rewards[t-1])
	return k.run.err
}

// BenchmarkReplay is a round of a teacher-forced replay of a log of 50,000
// rounds with K = d = 5: with the seed; with the released values, by a run
// without noise that is asked what noise there was; and, where the policy draws,
// with the propensities of all arms. The log is in memory.
func BenchmarkReplay(b *testing.B) {
	beta, normal := betaPriorOf(1, 1), normalPriorOf(0.5, 1, 0.25)
	hybrid := privUCB("0.25", "quantile", 1_000_000)
	for _, bench := range []struct {
		name string
		p    *schemas.Protocol
		env  Environment
	}{
		{"ucb×exact", ucb1(), fiveArms()},
		{"ucb×hybrid", hybrid, fiveArms()},
		{"linucb×exact", linUCB(), five(3)},
		{"linucb×hybrid", linPriv(linUCB(), "1", "5", 1_000_000), five(3)},
		{"thompson-beta×exact", declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": beta}}, &schemas.Counter{Name: "exact"}), fiveArms()},
		{"thompson-normal×hybrid", declare(schemas.Policy{Name: "thompson", Own: schemas.Values{"prior": normal}}, hybrid.Counter), fiveArms()},
	} {
		m := build(b, bench.p, 5)
		rounds := int64(50_000)
		if m.Random() {
			rounds = 2000
		}
		log := &kept{d: bench.env.Dim()}
		var released []float64
		err := m.Bandit(Seed(1), "bench", bench.env, rounds, func(s *Step) error {
			log.arms, log.rewards = append(log.arms, s.Arm), append(log.rewards, s.Reward)
			log.x, released = append(log.x, s.Public.X...), append(released, s.Released...)
			log.width = len(s.Released)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(bench.name+"/seed", func(b *testing.B) { again(b, m, *log, false) })
		log.released = released
		b.Run(bench.name+"/released", func(b *testing.B) { again(b, m, *log, true) })
	}
}

// again forces run after run along a log, b.N rounds in all.
func again(b *testing.B, m *Mechanism, log kept, observe bool) {
	b.Helper()
	b.ReportAllocs()
	rounds, left := len(log.arms), b.N
	for ; left > 0; left -= rounds {
		n := min(left, rounds)
		one := log
		one.arms = slices.Clip(log.arms[:n])
		one.run = m.NewRunner(Seed(1), "bench")
		if observe {
			one.run = m.NewObserver("bench")
		}
		wrong, sum := 0, 0.0
		err := one.run.InteractQuery(&one, func(t int64, _ int) int { return one.arms[t-1] }, func(t int64, answer int) error {
			if answer != one.arms[t-1] {
				wrong++
			}
			if observe {
				sum += one.run.Exact()[0]
			}
			if m.Random() {
				sum += one.run.Propensities()[0]
			}
			return nil
		})
		if err != nil || sum < 0 || wrong > 0 && !m.Random() {
			b.Fatal(wrong, sum, err)
		}
	}
}
