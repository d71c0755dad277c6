package replay

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

// declare returns a protocol with rewards in [0,1].
func declare(policy schemas.Policy, counter *schemas.Counter) *schemas.Protocol {
	return &schemas.Protocol{Policy: &policy, Counter: counter, Reward: schemas.RewardSpec{Range: []float64{0, 1}}}
}

func uniform() *schemas.Protocol { return declare(schemas.Policy{Name: "uniform"}, nil) }

func ucb1() *schemas.Protocol {
	return declare(schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 2.0}}}, &schemas.Counter{Name: "exact"})
}

func privUCB(epsilon, bonus string, horizon int64) *schemas.Protocol {
	return declare(schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"delta": 0.05}, "bonus": bonus}},
		&schemas.Counter{Name: "hybrid", Epsilon: schemas.MustRational(epsilon), Horizon: horizon})
}

func labels(k int) []string {
	l := make([]string, k)
	for i := range l {
		l[i] = "arm " + strconv.Itoa(i)
	}
	return l
}

func build(tb testing.TB, p *schemas.Protocol, k int) *Mechanism {
	tb.Helper()
	declared := *p
	declared.Arms = labels(k)
	m, err := Standard().New(&declared, labels(k))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// keyed is a Bernoulli world whose rewards are a function of (seed, t, arm),
// so that they are the same whether they are drawn early or late.
type keyed struct {
	seed  uint64
	means []float64
}

func (keyed) Dim() int { return 0 }

func (keyed) Context(int64, []float64) {}

func (w keyed) Reward(t int64, arm int) float64 {
	z := w.seed + uint64(t)*0x9e3779b97f4a7c15 + uint64(arm)*0xd1342543de82ef95
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9 // the finaliser of SplitMix64
	z = (z ^ z>>27) * 0x94d049bb133111eb
	// 1 when (z^z>>31)>>11 is below mean·2⁵³, without a branch that the processor
	// would guess wrong every other time.
	_, below := bits.Sub64((z^z>>31)>>11, uint64(math.Ceil(w.means[arm]*0x1p53)), 0)
	return float64(below)
}

// tab draws the whole tableau in advance.
func (w keyed) tab(rounds int) *Tab {
	tab := &Tab{Rewards: make([][]float64, rounds)}
	for t := range tab.Rewards {
		tab.Rewards[t] = make([]float64, len(w.means))
		for arm := range w.means {
			tab.Rewards[t][arm] = w.Reward(int64(t+1), arm)
		}
	}
	return tab
}

// A private run in the world of testdata/reference/replay.py: every action,
// every reward and every released sum are those of that program.
func TestBanditEqualsTheReferenceProgram(t *testing.T) { playPrivUCB(t) }

// playPrivUCB returns the protocol that was played.
func playPrivUCB(t *testing.T) []*schemas.Protocol {
	t.Helper()
	rows := reference(t, "replay_privucb.csv")
	p := privUCB("2.5", "quantile", 3000)
	m := build(t, p, 3)
	env := &streamed{means: []float64{0.2, 0.5, 0.8}}
	for arm := range 3 {
		env.words = append(env.words, Stream(Seed(11), PurposeReward, "reference", arm).Uint64)
	}
	r := m.NewRunner(Seed(11), "reference")
	err := r.bandit(env, int64(len(rows)), func(s *Step) error {
		row := rows[s.Round-1]
		got := []string{strconv.FormatInt(s.Round, 10), strconv.Itoa(s.Arm), strconv.FormatFloat(s.Reward, 'f', -1, 64)}
		for i := range got {
			if got[i] != row[i] {
				t.Fatalf("round %d: got %v, want %v", s.Round, got, row)
			}
		}
		if want, err := strconv.ParseFloat(row[3], 64); err != nil || r.Released(s.Arm) != want {
			t.Fatalf("round %d: released %v, want %v", s.Round, r.Released(s.Arm), want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return []*schemas.Protocol{p}
}

// streamed draws one word per arm and round, as the reference program does.
type streamed struct {
	means []float64
	words []func() uint64
	pay   [3]uint64
	round int64
}

func (*streamed) Dim() int { return 0 }

func (*streamed) Context(int64, []float64) {}

func (w *streamed) Reward(t int64, arm int) float64 {
	if w.round != t {
		w.round = t
		for i, word := range w.words {
			w.pay[i] = word()
		}
	}
	if float64(w.pay[arm]>>11)*0x1p-53 < w.means[arm] {
		return 1
	}
	return 0
}

func TestBanditShowsContextsAndPropensities(t *testing.T) {
	m := build(t, uniform(), 4)
	var seen []float64
	err := m.Bandit(Seed(1), "e", stepped{}, 3, func(s *Step) error {
		if s.Propensity != 0.25 {
			t.Errorf("round %d: propensity %v", s.Round, s.Propensity)
		}
		seen = append(seen, s.Public.X...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, -1, 2, -2, 3, -3} {
		if seen[i] != want {
			t.Fatalf("contexts %v", seen)
		}
	}
	err = build(t, ucb1(), 4).Bandit(Seed(1), "e", stepped{}, 5, func(s *Step) error {
		if !math.IsNaN(s.Propensity) {
			t.Errorf("ucb has propensity %v", s.Propensity)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// stepped has the context (t, −t) and pays ½.
type stepped struct{}

func (stepped) Dim() int { return 2 }

func (stepped) Context(t int64, dst []float64) { dst[0], dst[1] = float64(t), -float64(t) }

func (stepped) Reward(int64, int) float64 { return 0.5 }

func TestBanditStops(t *testing.T) {
	m := build(t, ucb1(), 2)
	stop := errors.New("enough")
	rounds := 0
	err := m.Bandit(Seed(1), "e", keyed{1, []float64{0.5, 0.5}}, 100, func(*Step) error {
		if rounds++; rounds == 7 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || rounds != 7 {
		t.Errorf("error %v after %d rounds", err, rounds)
	}
	if err := m.Bandit(Seed(1), "e", bad{}, 100, func(*Step) error { return nil }); err == nil {
		t.Error("a reward of 1.2 passed")
	}
}

type bad struct{ stepped }

func (bad) Reward(t int64, _ int) float64 {
	if t == 5 {
		return 1.2
	}
	return 1
}

// BenchmarkBandit times rounds of one long run; BenchmarkReplicates those of
// runs of 100,000 rounds, one after the other, as a simulation repeats them.
// Both draw the reward of every round, which BenchmarkWorld does alone.
func BenchmarkBandit(b *testing.B) {
	benchmark(b, func(b *testing.B, m *Mechanism) {
		b.Helper()
		if err := m.Bandit(Seed(1), "bench", fiveArms(), int64(b.N), ignore); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkReplicates(b *testing.B) {
	const rounds = 100_000
	benchmark(b, func(b *testing.B, m *Mechanism) {
		b.Helper()
		for left := int64(b.N); left > 0; left -= rounds {
			if err := m.Bandit(Seed(left), "bench", fiveArms(), min(left, rounds), ignore); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func fiveArms() Environment { return keyed{3, []float64{0.3, 0.4, 0.45, 0.5, 0.6}} }

func ignore(*Step) error { return nil }

func benchmark(b *testing.B, run func(*testing.B, *Mechanism)) {
	b.Helper()
	for _, bench := range []struct {
		name string
		p    *schemas.Protocol
	}{{"uniform", uniform()}, {"ucb×exact", ucb1()}, {"ucb×hybrid", privUCB("0.25", "quantile", 1_000_000)}} {
		b.Run(bench.name, func(b *testing.B) {
			m := build(b, bench.p, 5)
			b.ResetTimer()
			run(b, m)
		})
	}
}

func BenchmarkWorld(b *testing.B) {
	env := fiveArms()
	var sum float64
	arm := 4
	for t := range int64(b.N) {
		y := env.Reward(t, arm)
		sum += y
		if arm--; arm < 0 || y == 1 { // the next arm depends on the reward, as in a run
			arm = 4
		}
	}
	if sum < 0 {
		b.Fatal(sum)
	}
}

// A bare round of Bandit is Next and Add: the same actions, rewards, releases
// and errors.
func TestBareRoundsAreNextAndAdd(t *testing.T) {
	tree, laplace := privUCB("0.5", "quantile", 4000), privUCB("0.5", "quantile", 4000)
	tree.Counter.Name, laplace.Counter.Name = "tree", "laplace"
	for _, p := range []*schemas.Protocol{ucb1(), privUCB("0.5", "quantile", 4000), tree, laplace} {
		m := build(t, p, 3)
		fast, slow := m.NewRunner(Seed(5), "e"), m.NewRunner(Seed(5), "e")
		if !fast.bare() {
			t.Fatal("rounds are not bare")
		}
		env := keyed{7, []float64{0.2, 0.5, 0.55}}
		err := fast.bandit(env, 4000, func(s *Step) error {
			arm := slow.Next(nil)
			want := Step{Round: s.Round, Arm: arm, Reward: env.Reward(s.Round, arm), Released: slow.seen(nil), Known: s.Round}
			slow.Add(arm, want.Reward)
			got := Step{Round: s.Round, Arm: s.Arm, Reward: s.Reward, Released: s.Released, Known: s.Known}
			if diff := cmp.Diff(want, got); diff != "" || !math.IsNaN(s.Propensity) || s.Public == nil {
				t.Fatalf("round %d (-want +got):\n%s", s.Round, diff)
			}
			if diff := cmp.Diff(slow.state, fast.state); diff != "" {
				t.Fatalf("round %d, state (-want +got):\n%s", s.Round, diff)
			}
			return nil
		})
		if err != nil || slow.Err() != nil {
			t.Fatal(err, slow.Err())
		}
	}
}

// A counter that is full ends a bare run as it ends any other.
func TestBareRoundsStopWithTheCounter(t *testing.T) {
	p := privUCB("0.5", "none", 10)
	p.Counter.Name = "tree"
	m := build(t, p, 1)
	rounds := 0
	err := m.Bandit(Seed(1), "e", keyed{1, []float64{0.5}}, 100, func(*Step) error { rounds++; return nil })
	r := m.NewRunner(Seed(1), "e")
	for range 11 {
		r.Add(r.Next(nil), 0.5)
	}
	if rounds != 10 || err == nil || r.Err() == nil || err.Error() != r.Err().Error() {
		t.Errorf("%d rounds, error %v, want 10 and %v", rounds, err, r.Err())
	}
}
