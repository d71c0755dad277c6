package replay

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/replay/ledger"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// pathwise is a pair of policy and counter with a finite law, small enough for
// every action sequence and every vector of rewards in {0,1} over two arms.
type pathwise struct {
	name   string
	p      *schemas.Protocol
	rounds int // with -short and noise 4 at most
	// losses lists the losses of the draws that row n of a stream takes; nil: the
	// one draw, or none, that Cost(n, n) tells: that of the node which ends with
	// row n. Over a run there are fewer draws than rounds.
	losses   func(law ledger.Law, n int64) []*big.Rat
	contexts []float64 // of a linear policy, one number for each round: whole, as the grid is 1, and within a bound of 2
}

// contextBound is the declared policy.context_l1 of linear policies here.
const contextBound = 2

func pathwisePairs() []pathwise {
	exact := func(p schemas.Policy) *schemas.Protocol { return declare(p, &schemas.Counter{Name: "exact"}) }
	noisy := func(p schemas.Policy, name, epsilon string) *schemas.Protocol {
		c := &schemas.Counter{Name: name, Epsilon: schemas.MustRational(epsilon), Grid: schemas.MustRational("1")}
		if name == "binary" || name == "interval" || name == "tree" || p.Name == "linucb" {
			c.Horizon = 6
		}
		return declare(p, c)
	}
	ucb := schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 0.5}}}
	floored := ucb
	floored.Floor = schemas.Mix(0.1)
	softmax := schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 0.75}}
	rare, rarer := softmax, softmax
	rare.Update = &schemas.Update{Every: 2}
	rarer.Floor = schemas.Mix(0.2)
	over := func(p schemas.Policy, kind string, value float64) *schemas.Protocol {
		p.Floor = &schemas.Floor{Kind: kind, Value: value}
		return exact(p)
	}
	steep := schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 3.0}}
	greedy := schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.3}}
	decaying := schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 1.5}}}
	seldom := decaying
	seldom.Update, seldom.Floor, seldom.Ties = &schemas.Update{Every: 3}, schemas.Mix(0.05), "seeded"
	linucb := schemas.Policy{Name: "linucb", Own: schemas.Values{"lambda": 1.0, "theta_bound": 0.1, "noise_sd": 0.1, "width": schemas.Values{"delta": 0.5}, "context_l1": schemas.MustRational("2")}}
	return []pathwise{
		{"softmax × exact", exact(softmax), 6, nil, nil},
		{"softmax × exact, every 2", exact(rare), 6, nil, nil},
		{"softmax × exact, floor", exact(rarer), 6, nil, nil},
		{"softmax × exact, clipped", over(steep, "clip", 0.2), 6, nil, nil},
		{"softmax × exact, clipped, by its own loss", over(softmax, "clip", 0.05), 6, nil, nil},
		{"softmax × exact, water", over(steep, "water", 0.1), 6, nil, nil},
		{"softmax × exact, the best has the rest", over(steep, "rest", 0.1), 6, nil, nil},
		{"epsilon-greedy × exact, decaying, clipped", over(decaying, "clip", 0.1), 6, nil, nil},
		{"ucb × exact, clipped", over(ucb, "clip", 0.1), 6, nil, nil},
		{"softmax × exact, of means", exact(schemas.Policy{Name: "softmax", Own: schemas.Values{"temperature": 0.5}}), 6, nil, nil},
		{"softmax × exact, of shrunk means", exact(schemas.Policy{Name: "softmax", Own: schemas.Values{"eta": 2.0, "of": "means", "shrink": 1.0, "start": "random"}}), 6, nil, nil},
		{"epsilon-greedy × exact, by plays", exact(schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"decay": 1.5, "clock": "plays"}, "start": "none"}}), 6, nil, nil},
		{"epsilon-greedy × exact, harmonic", exact(schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"harmonic": 1.0, "from": 1.0, "to": 0.1}}, Ties: "shared"}), 6, nil, nil},
		{"epsilon-greedy × exact, linear", exact(schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": schemas.Values{"linear": []float64{0.8, 0.2, 4}}}}), 6, nil, nil},
		{"exp3 × exact", exact(schemas.Policy{Name: "exp3", Own: schemas.Values{"gamma": 0.3}}), 6, nil, nil},
		{"exp3 × exact, steep, beginning at random", exact(schemas.Policy{Name: "exp3", Own: schemas.Values{"gamma": 0.9, "start": "random"}}), 6, nil, nil},
		{"epsilon-greedy × exact", exact(greedy), 6, nil, nil},
		{"epsilon-greedy × exact, decaying", exact(decaying), 6, nil, nil},
		{"epsilon-greedy × exact, decaying, floor, every 3, seeded ties", exact(seldom), 6, nil, nil},
		{"ucb × exact, floor", exact(floored), 6, nil, nil},
		{"ucb × laplace", noisy(ucb, "laplace", "2"), 5, nil, nil},
		{"ucb × binary", noisy(ucb, "binary", "6"), 6, nil, nil},
		{"ucb × hybrid", noisy(ucb, "hybrid", "4"), 6, nil, nil},
		{"ucb × interval", noisy(ucb, "interval", "1"), 4, nil, nil},
		{"ucb × epochs", noisy(ucb, "epochs", "2"), 6, nil, nil},
		{"ucb × tree", noisy(ucb, "tree", "2"), 5, nil, nil},
		{"successive-elimination × hybrid", noisy(schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": schemas.Values{"delta": 0.5}}}, "hybrid", "4"), 5, nil, nil},
		{"ucb × hybrid, floor", noisy(floored, "hybrid", "4"), 4, nil, nil},
		{"softmax × hybrid", noisy(softmax, "hybrid", "4"), 4, nil, nil},
		{"epsilon-greedy × binary", noisy(greedy, "binary", "6"), 4, nil, nil},
		{"linucb × laplace", noisy(linucb, "laplace", "3"), 5, nil, []float64{1, 2, 0, 1, 2}},
		{"linucb × binary", noisy(linucb, "binary", "6"), 5, nil, []float64{2, 1, 1, 2, 1}},
		{"linucb × epochs", noisy(linucb, "epochs", "3"), 5, nil, []float64{1, 1, 2, 1, 1}},
	}
}

// The pathwise bound holds for every pair, every action sequence and every two
// reward vectors that differ in one row. Probabilities are exact for policies
// that read exact sums. Noise is enumerated draw by draw: P_m(a|s) is the
// probability of a together with no draw beyond ±m. Replacing a row moves every
// sum by at most D, which is 1, or the largest context of a linear policy, so that
// what the bound says of P it says of
//
//	P_m(a|s) ≤ e^{c_t(a)} · P_{m+D}(a|s')
//
// too, and the tails that are cut cannot hide anything.
func TestPathwiseBound(t *testing.T) {
	for _, pair := range pathwisePairs() {
		t.Run(pair.name, func(t *testing.T) {
			m, rounds := build(t, pair.p, 2), pair.rounds
			if m.noisy && testing.Short() {
				rounds = min(rounds, 4)
			}
			e := &sequences{pathwise: &pair, m: m, rounds: rounds}
			if e.law().Epsilon().IsInf() {
				t.Fatal("the law is infinite")
			}
			e.enumerate()
			tightest, cut := e.check(t)
			t.Logf("%d rounds: largest |ln P(a|s)/P(a|s')| / c_t(a) is at least %.4f; mass cut %.2g", rounds, tightest, cut)
			if !e.moves() {
				t.Error("no action depends on any reward: the test compares nothing")
			}
		})
	}
}

// widest is m+D: draws are enumerated within ±widest.
const widest = 3

// sequences holds P_m and P_{m+D} of every action sequence under every reward
// vector; bit t of either is the arm or the reward of round t, from 0.
type sequences struct {
	*pathwise
	m            *Mechanism
	rounds       int
	drawn        [][]discrete // by row of a stream
	inner, outer [][]float64  // [actions][rewards]
}

func (e *sequences) law() ledger.Law { return e.m.LawOver(int64(e.rounds)) }

// enumerate fills the table. The last round's reward is fed to nobody.
func (e *sequences) enumerate() {
	all, rewards := 1<<e.rounds, 1<<(e.rounds-1)
	for range all {
		e.inner, e.outer = append(e.inner, make([]float64, rewards)), append(e.outer, make([]float64, rewards))
	}
	for n := range e.rounds {
		e.drawn = append(e.drawn, e.draws(int64(n)))
	}
	scripts := 1
	if e.m.noisy {
		for range e.rounds - 1 { // no counter here takes more than a draw for each row
			scripts *= 2*widest + 1
		}
	}
	for script := range scripts {
		for s := range rewards {
			if !e.m.Random() {
				e.play(script, s, -1)
				continue
			}
			for a := range all {
				e.play(script, s, a)
			}
		}
	}
}

// play adds one run: with the noise of a script, the rewards s, and the actions
// a; for a < 0 the policy, which draws nothing, makes them.
func (e *sequences) play(script, s, a int) {
	var words [2]scripted
	r := &Runner{run: newRun(e.m, policy.Draws{Choice: still{}, Ties: still{}}, still{}, []rand.Source{&words[0], &words[1]})}
	p, beyond, actions := 1.0, false, 0
	var pulls [2]int64
	for t := range e.rounds {
		arm := r.Next(e.entered(t))
		if a >= 0 {
			arm = a >> t & 1
			p *= r.Propensity(arm)
		}
		if p == 0 {
			return
		}
		actions |= arm << t
		if t == e.rounds-1 {
			break
		}
		pulls[arm]++
		for _, law := range e.drawn[pulls[arm]] {
			noise := (script%(2*widest+1) + 1) / 2 // 0, 1, −1, 2, −2, …
			if script%(2*widest+1)%2 == 0 {
				noise = -noise
			}
			script /= 2*widest + 1
			p *= words[arm].push(noise, law)
			beyond = beyond || max(noise, -noise) > widest-e.reach()
		}
		r.Add(arm, float64(s>>t&1))
		if len(words[arm]) > 0 || r.Err() != nil {
			panic("the counter draws otherwise than its losses say")
		}
	}
	if script != 0 {
		return // it has noise for draws that were not made; the one with 0 there stands for it
	}
	e.outer[actions][s] += p
	if !beyond {
		e.inner[actions][s] += p
	}
}

// entered is what a round shows the policy.
func (e *sequences) entered(t int) *Round {
	if e.contexts == nil {
		return nil
	}
	return &Round{X: e.contexts[t : t+1]}
}

// reach is D.
func (e *sequences) reach() int {
	if e.contexts == nil {
		return 1
	}
	return int(slices.Max(e.contexts))
}

// moved is c times what the row of a round moves a sum by, over the bound that its
// noise is scaled for.
func (e *sequences) moved(c ledger.Loss, row int) ledger.Loss {
	if e.contexts == nil {
		return c
	}
	return ledger.NewLoss(new(big.Rat).Mul(c.Rat(), big.NewRat(int64(e.contexts[row]), contextBound)))
}

// draws returns the noise of the draws that row n of a stream takes.
func (e *sequences) draws(n int64) []discrete {
	var losses []*big.Rat
	switch {
	case !e.m.noisy:
	case e.losses != nil:
		losses = e.losses(e.m.Law(), n)
	default:
		if loss := e.m.Law().Cost(n, n); !loss.IsZero() {
			losses = []*big.Rat{loss.Rat()}
		}
	}
	var out []discrete
	for _, l := range losses {
		if e.contexts != nil {
			l.Quo(l, big.NewRat(contextBound, 1)) // scale context_l1/loss
		}
		out = append(out, discrete{t: l.Denom().Uint64(), s: l.Num().Uint64(), q: math.Exp(-float64(l.Num().Uint64()) / float64(l.Denom().Uint64()))})
	}
	return out
}

// check compares all neighbours. It returns the largest ratio of a log
// likelihood ratio to its bound that is certain with what was cut, and the
// largest mass that was cut.
func (e *sequences) check(t *testing.T) (tightest, cut float64) {
	t.Helper()
	missing := make([]float64, len(e.outer[0]))
	for s := range missing {
		mass := 0.0
		for a := range e.outer {
			mass += e.outer[a][s]
		}
		missing[s] = max(0, 1-mass)
		cut = max(cut, missing[s])
	}
	for a := range e.outer {
		costs := e.costs(a)
		for s := range e.outer[a] {
			for row := range e.rounds - 1 {
				other, c := s^1<<row, costs[row]
				if e.inner[a][s] > math.Exp(c)*e.outer[a][other]*(1+1e-12) {
					t.Errorf("actions %b, rewards %b and %b: %v > e^%v·%v", a, s, other, e.inner[a][s], c, e.outer[a][other])
				}
				if p := e.outer[a][s]; c > 0 && p > 0 {
					tightest = max(tightest, math.Log(p/(e.outer[a][other]+missing[other]))/c)
				}
			}
		}
	}
	return tightest, cut
}

// moves reports whether the probability of some action sequence depends on a
// reward.
func (e *sequences) moves() bool {
	for _, p := range e.outer {
		if slices.Max(p) > slices.Min(p)*1.01 {
			return true
		}
	}
	return false
}

// costs returns c_t(a) of every row, from the definition of which decisions
// could use it.
func (e *sequences) costs(a int) []float64 {
	seen := make([]int, e.rounds) // rows before it were known when the policy last learned
	for t, last := 0, 0; t < e.rounds; t++ {
		if e.m.Learns(int64(t+1), false) {
			last = t
		}
		seen[t] = last
	}
	var read [2]int64
	place := make([]int64, e.rounds)
	for t := range seen[e.rounds-1] {
		read[a>>t&1]++
		place[t] = read[a>>t&1]
	}
	law := e.law()
	path, drawn := law.(*ledger.PathLaw)
	out := make([]float64, e.rounds)
	for row := range out {
		if !drawn {
			out[row] = e.moved(law.Cost(place[row], read[a>>row&1]), row).Up()
			continue
		}
		var later, same int64
		for t, before := range seen {
			if row < before {
				later++
				same += int64(1 - (a>>row^a>>t)&1)
			}
		}
		out[row] = ledger.NewPath(path, 2).Row(a>>row&1, later, same)
	}
	return out
}

// still is a source for policies whose draws nobody looks at.
type still struct{}

func (still) Uint64() uint64 { return 0 }

// scripted is a source that makes the sampler of package counter draw what was
// pushed.
type scripted []uint64

// Uint64 returns the next word; it panics where the sampler asks for more than
// was foreseen.
func (s *scripted) Uint64() uint64 {
	w := (*s)[0]
	*s = (*s)[1:]
	return w
}

// discrete is the discrete Laplace law P(n) = ((1−q)/(1+q))·q^|n|, q = e^{−s/t}.
type discrete struct {
	t, s uint64
	q    float64
}

// push adds the words for which the sampler of a law returns n, and returns the
// probability of n. With ⌊(U+t·V)/s⌋ = |n| they are: U; t−1, for which the trial
// of U succeeds at once; 0 and 1 for each of V successes with probability 1/e; 1
// for the failure; and the sign.
func (s *scripted) push(n int, law discrete) float64 {
	size := uint64(max(n, -n))
	if law.t > 1 {
		*s = append(*s, size*law.s%law.t, law.t-1)
	}
	for range size * law.s / law.t {
		*s = append(*s, 0, 1)
	}
	sign := uint64(0)
	if n < 0 {
		sign = 1
	}
	*s = append(*s, 1, sign)
	p := (1 - law.q) / (1 + law.q)
	for range size {
		p *= law.q
	}
	return p
}

// TestEveryClaimedLossIsEnumerated: a policy that says what its decisions give
// away of exact sums, or that rewards pull them opposite ways, is among the pairs
// on which the ledger is held against the truth.
func TestEveryClaimedLossIsEnumerated(t *testing.T) {
	enumerated := map[string]bool{}
	for _, pair := range pathwisePairs() {
		enumerated[pair.p.Policy.Name] = enumerated[pair.p.Policy.Name] || pair.p.Counter.Name == "exact"
	}
	for _, d := range Standard().Policies {
		if (d.Loss != nil || d.CrossArmEffect) && !enumerated[d.Name] {
			t.Errorf("%s claims a loss or is opposed, and no pair of pathwisePairs has it on exact sums", d.Name)
		}
	}
}
