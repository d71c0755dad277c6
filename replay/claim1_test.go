package replay

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// Claim 1 of Neel and Roth (2018): Bandit, which draws a reward after the arm
// is chosen, and InteractQuery, which asks a tableau that was drawn before the
// first round, induce the same joint distribution of histories.
//
// Small cases are enumerated: arm i pays 1 with probability 1/(i+2), and the
// probability of every history is an exact rational. Nothing is tolerated.

// choices is a policy's source that plays a script of arms.
type choices struct {
	arms []int
	next int
}

func (c *choices) Uint64() uint64 {
	c.next++
	return uint64(c.arms[c.next-1])
}

// law is an exact distribution of histories.
type law map[string]*big.Rat

func (l law) add(history string, p *big.Rat) {
	if l[history] == nil {
		l[history] = new(big.Rat)
	}
	l[history].Add(l[history], p)
}

// unequal counts histories with different probabilities under l and o.
func (l law) unequal(o law) int {
	n := 0
	for h, p := range l {
		if o[h] == nil || p.Cmp(o[h]) != 0 {
			n++
		}
	}
	for h := range o {
		if l[h] == nil {
			n++
		}
	}
	return n
}

func (l law) total() *big.Rat {
	sum := new(big.Rat)
	for _, p := range l {
		sum.Add(sum, p)
	}
	return sum
}

// tuples calls f with every tuple of n numbers below base.
func tuples(n, base int, f func([]int)) {
	tuple := make([]int, n)
	for {
		f(tuple)
		i := 0
		for ; i < n; i++ {
			if tuple[i]++; tuple[i] < base {
				break
			}
			tuple[i] = 0
		}
		if i == n {
			return
		}
	}
}

// pay returns the probability that arm pays y, 0 or 1.
func pay(arm, y int) *big.Rat {
	p := big.NewRat(1, int64(arm+2))
	if y == 0 {
		return p.Sub(big.NewRat(1, 1), p)
	}
	return p
}

// enumeration is one case of Claim 1.
type enumeration struct {
	m    *Mechanism
	t, k int
}

// scripts calls f with every script of the policy's own choices and its
// probability: one empty script for a policy that draws nothing.
func (e enumeration) scripts(f func(script []int, p *big.Rat)) {
	if !e.m.Random() {
		f(nil, big.NewRat(1, 1))
		return
	}
	p := big.NewRat(1, 1)
	for range e.t {
		p.Mul(p, big.NewRat(1, int64(e.k)))
	}
	tuples(e.t, e.k, func(script []int) { f(script, p) })
}

func (e enumeration) run(script []int) *Runner {
	return &Runner{run: newRun(e.m, policy.Draws{Choice: &choices{arms: script}}, nil, make([]rand.Source, e.k))}
}

// lazy pays the next reward of a script, whatever the arm, and keeps the
// probability of what was paid.
type lazy struct {
	rewards []int
	p       *big.Rat
}

func (*lazy) Dim() int { return 0 }

func (*lazy) Context(int64, []float64) {}

func (l *lazy) Reward(t int64, arm int) float64 {
	l.p.Mul(l.p, pay(arm, l.rewards[t-1]))
	return float64(l.rewards[t-1])
}

// bandit is the law of Bandit's histories.
func (e enumeration) bandit(t *testing.T) law {
	t.Helper()
	out := law{}
	e.scripts(func(script []int, p *big.Rat) {
		tuples(e.t, 2, func(rewards []int) {
			env := &lazy{rewards, new(big.Rat).Set(p)}
			var history strings.Builder
			err := e.run(script).bandit(env, int64(e.t), func(s *Step) error {
				fmt.Fprintf(&history, "%d:%v ", s.Arm, s.Reward)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			out.add(history.String(), env.p)
		})
	})
	return out
}

// query is the law of Λ_T(D) under InteractQuery on a random tableau D. play
// runs one tableau; row says which row the reward of round t comes from.
func (e enumeration) query(t *testing.T, row func(t int) int, play func(*Runner, *Tab) ([]int, error)) law {
	t.Helper()
	out := law{}
	e.scripts(func(script []int, p *big.Rat) {
		tuples(e.t*e.k, 2, func(bits []int) {
			drawn := &Tab{Rewards: make([][]float64, e.t)}
			weight := new(big.Rat).Set(p)
			for i := range drawn.Rewards {
				drawn.Rewards[i] = make([]float64, e.k)
				for arm := range e.k {
					y := bits[i*e.k+arm]
					drawn.Rewards[i][arm] = float64(y)
					weight.Mul(weight, pay(arm, y))
				}
			}
			seen := &Tab{Rewards: make([][]float64, e.t)}
			for i := range seen.Rewards {
				seen.Rewards[i] = drawn.Rewards[row(i)]
			}
			actions, err := play(e.run(script), seen)
			if err != nil {
				t.Fatal(err)
			}
			var history strings.Builder
			for i, arm := range actions {
				fmt.Fprintf(&history, "%d:%v ", arm, seen.Rewards[i][arm])
			}
			out.add(history.String(), weight)
		})
	})
	return out
}

func own(t int) int { return t }

// previous is the fault of the negative control: round t re-reads row t−1.
func previous(t int) int { return max(t-1, 0) }

func TestClaim1ByEnumeration(t *testing.T) {
	for _, size := range [][2]int{{4, 2}, {5, 2}, {3, 3}} {
		for _, p := range []*schemas.Protocol{ucb1(), uniform(), fixedWidth()} {
			e := enumeration{m: build(t, p, size[1]), t: size[0], k: size[1]}
			name := fmt.Sprintf("%s, T = %d, K = %d", p.Policy.Name, e.t, e.k)
			bandit := e.bandit(t)
			if bandit.total().Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("%s: probabilities sum to %s", name, bandit.total())
			}
			if n := bandit.unequal(e.query(t, own, (*Runner).queryTab)); n != 0 {
				t.Errorf("%s: %d of %d histories have another probability under InteractQuery", name, n, len(bandit))
			}
			if n := bandit.unequal(e.query(t, own, (*Runner).interact)); n != 0 {
				t.Errorf("%s: %d of %d histories have another probability under Interact", name, n, len(bandit))
			}
		}
	}
}

// fixedWidth is ucb with the other width.
func fixedWidth() *schemas.Protocol {
	return declare(schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"delta": 0.05}}}, &schemas.Counter{Name: "exact"})
}

// A query that reads the wrong row is caught: its rewards repeat. Actions of
// uniform do not depend on rewards, so a history must hold rewards to show it.
func TestClaim1NegativeControl(t *testing.T) {
	for _, size := range [][2]int{{4, 2}, {5, 2}, {3, 3}} {
		e := enumeration{m: build(t, uniform(), size[1]), t: size[0], k: size[1]}
		bandit := e.bandit(t)
		if n := bandit.unequal(e.query(t, previous, (*Runner).queryTab)); n < len(bandit)/10 {
			t.Errorf("T = %d, K = %d: a query of the wrong row changes only %d of %d probabilities", e.t, e.k, n, len(bandit))
		}
	}
}

// With common random numbers (rewards a function of seed, round and arm; the
// policy's and the counters' noise from their own streams) the transcripts are
// identical, not just alike: T = 500, K = 20.
func TestClaim1CommonRandomNumbers(t *testing.T) {
	const rounds, k = 500, 20
	runs := 1000
	if testing.Short() {
		runs = 50
	}
	means := make([]float64, k)
	for i := range means {
		means[i] = 1 - float64(i)/k
	}
	for _, p := range []*schemas.Protocol{ucb1(), privUCB("10", "none", 0), privUCB("0.25", "quantile", rounds), uniform()} {
		m := build(t, p, k)
		for run := range runs {
			world, master := keyed{uint64(run) * 0x5851f42d4c957f2d, means}, Seed(int64(run))
			var lazily []int
			err := m.Bandit(master, "e", world, rounds, func(s *Step) error {
				lazily = append(lazily, s.Arm)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			tab := world.tab(rounds)
			asked, err := m.InteractQuery(master, "e", tab)
			if err != nil || !slices.Equal(lazily, asked) {
				t.Fatalf("%s, run %d: InteractQuery plays other arms than Bandit (%v)", m.Law().Name(), run, err)
			}
			shown, err := m.Interact(master, "e", tab)
			if err != nil || !slices.Equal(lazily, shown) {
				t.Fatalf("%s, run %d: Interact plays other arms than Bandit (%v)", m.Law().Name(), run, err)
			}
		}
	}
}
