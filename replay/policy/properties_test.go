package policy

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// each is every policy, under its name and what else there is to say. What all of
// them promise is tested here once; a new policy is one more line.
func each() []specimen {
	wide, flat0 := Width{Delta: 0.05}, Bonus(nil)
	return []specimen{
		{"uniform", false, func(_ int, d Draws) Policy { return NewUniform(d.Choice) }},
		{"thompson", false, func(k int, d Draws) Policy { return NewBetaThompson(k, BetaPrior{0.5, 1}, d.Choice) }},
		{"thompson, normal", false, func(k int, d Draws) Policy {
			return NewGaussianThompson(k, GaussianPrior{Mean: 0.5, Variance: 1, Noise: 0.25}, d.Choice)
		}},
		{"thompson, of the best two", false, func(k int, d Draws) Policy {
			p := NewBetaThompson(k, BetaPrior{1, 1}, d.Choice)
			p.rule.top = true
			return p
		}},
		{"thompson, normal, of the best two, by sample variances", false, func(k int, d Draws) Policy {
			p := NewGaussianThompson(k, GaussianPrior{Mean: 0.25, Variance: 2}, d.Choice)
			p.rule.top, p.sampled = true, true
			return p
		}},
		{"thompson, from two rows of every arm on", false, func(k int, d Draws) Policy {
			p := NewBetaThompson(k, BetaPrior{1, 2}, d.Choice)
			p.rule.minRows = 2
			return p
		}},
		{"softmax", false, func(k int, d Draws) Policy { return NewSoftmax(k, 0.3, d.Choice) }},
		{"softmax, of means", false, func(k int, d Draws) Policy {
			p := NewSoftmax(k, 2.5, d.Choice)
			p.begin(true, 1, Start{Word: StartNone, Mean: 0.5})
			return p
		}},
		{"softmax, beginning at random", false, func(k int, d Draws) Policy {
			p := NewSoftmax(k, 2.5, d.Choice)
			p.begin(true, 0, Start{Word: StartRandom, src: d.Start})
			return p
		}},
		{"inverse-gap", true, func(k int, d Draws) Policy { return NewInverseGap(k, Gamma{Scale: 20}, false, d) }},
		{"inverse-gap, of costs, with a γ that grows", true, func(k int, d Draws) Policy {
			return NewInverseGap(k, Gamma{Scale: 10, Exponent: 0.5, Grows: true, Clock: NewClock(ClockPlays, 0, 0)}, true, d)
		}},
		{"exp3", false, func(k int, d Draws) Policy { return NewExp3(k, 0.2, Start{Word: StartNone}, d.Choice) }},
		{"exp3, beginning at random", false, func(k int, d Draws) Policy { return NewExp3(k, 1, Start{Word: StartRandom, src: d.Start}, d.Choice) }},
		{"epsilon-greedy, exponential", true, func(k int, d Draws) Policy {
			return NewEpsilonGreedy(k, Explore{Exponential: 0.01, From: 0.9, Clock: NewClock(ClockPlays, 0, 0)}, d)
		}},
		{"epsilon-greedy, harmonic", true, func(k int, d Draws) Policy { return NewEpsilonGreedy(k, Explore{Harmonic: 0.1, From: 1, To: 0.01}, d) }},
		{"epsilon-greedy, linear", true, func(k int, d Draws) Policy { return NewEpsilonGreedy(k, Explore{From: 1, To: 0.05, Rounds: 100}, d) }},
		{"ucb", true, func(k int, d Draws) Policy { return NewUCB(k, wide, flat0, d.Ties) }},
		{"ucb, by plays", true, func(k int, d Draws) Policy {
			return NewUCB(k, Width{C: 2, Clock: NewClock(ClockPlays, 0, 0)}, flat0, d.Ties)
		}},
		{"ucb, by what was learned", true, func(k int, d Draws) Policy {
			return NewUCB(k, Width{C: 2, Clock: NewClock(ClockLearned, 2, 0)}.Shared(), flat0, d.Ties)
		}},
		{"ucb, by a horizon", true, func(k int, d Draws) Policy {
			return NewUCB(k, Width{Delta: 0.1, Clock: NewClock("", 0, 50)}, flat0, d.Ties)
		}},
		{"ucb, with a bonus", true, func(k int, d Draws) Policy { return NewUCB(k, Width{C: 2}, flat{}, d.Ties) }},
		{"epsilon-greedy", true, func(k int, d Draws) Policy { return NewEpsilonGreedy(k, Explore{Constant: 0.2}, d) }},
		{"ucb, from means", true, func(k int, d Draws) Policy {
			u := NewUCB(k, Width{C: 2, Clock: NewClock(ClockPlays, 0, 0)}, flat0, d.Ties)
			u.begin(rule{start: Start{Word: StartNone, Mean: 0.25}}.with(d))
			return u
		}},
		{"ucb, with pseudo-rows", true, func(k int, d Draws) Policy {
			u := NewUCB(k, Width{C: 2}, flat{}, d.Ties)
			u.begin(rule{start: Start{Rows: 1, Sum: 1}}.with(d))
			return u
		}},
		{"ucb, beginning at random", true, func(k int, d Draws) Policy {
			u := NewUCB(k, Width{C: 2}, flat0, d.Ties)
			u.begin(rule{start: Start{Word: StartRandom}}.with(d))
			return u
		}},
		{"epsilon-greedy, from means", true, func(k int, d Draws) Policy {
			p := NewEpsilonGreedy(k, Explore{Constant: 0.2}, d)
			p.begin(rule{start: Start{Word: StartNone}}.with(d))
			return p
		}},
		{"epsilon-greedy, beginning at random", true, func(k int, d Draws) Policy {
			p := NewEpsilonGreedy(k, Explore{Constant: 0.2}, d)
			p.begin(rule{start: Start{Word: StartRandom}}.with(d))
			return p
		}},
		{"epsilon-greedy, never exploring", true, func(k int, d Draws) Policy { return NewEpsilonGreedy(k, Explore{}, d) }},
		{"epsilon-greedy, decaying", true, func(k int, d Draws) Policy { return NewEpsilonGreedy(k, Explore{Decay: 9}, d) }},
		{"successive-elimination", true, func(k int, d Draws) Policy { return NewSuccessiveElimination(k, Width{C: 0.1}, flat0, d.Ties) }},
		{"successive-elimination, with a bonus", true, func(k int, d Draws) Policy { return NewSuccessiveElimination(k, Width{C: 0.01}, Paper(0.5), d.Ties) }},
		{"fixed", false, func(k int, d Draws) Policy { return NewFixed(triangle(k), d.Choice) }},
		{"linucb", true, func(k int, d Draws) Policy { return NewLinUCB(k, oful(), nil, d.Ties) }},
		{"linucb, by a factor", true, func(k int, d Draws) Policy {
			return NewLinUCB(k, LinUCBSpec{Lambda: 2, Delta: DefaultDelta, Alpha: 0.5, Identity: true}, nil, d.Ties)
		}},
		{"linucb, with an allowance", true, func(k int, d Draws) Policy {
			return NewLinUCB(k, oful(), func(int) Bonus { return flat{} }, d.Ties)
		}},
		{"lints", false, func(k int, d Draws) Policy { return NewLinTS(k, LinTSSpec{Lambda: 1, NoiseSD: 0.5}, d.Choice) }},
	}
}

type specimen struct {
	name string
	ties bool // has ties, which the tests seed
	make func(k int, d Draws) Policy
}

// policy returns the name of the policy: what stands before a comma.
func (e specimen) policy() string {
	name, _, _ := strings.Cut(e.name, ",")
	return name
}

// Every policy is among those whose promises are tested, and is what its
// descriptor says.
func TestEveryPolicyHasASpecimen(t *testing.T) {
	for _, d := range All() {
		found := false
		for _, e := range each() {
			if e.policy() != d.Name {
				continue
			}
			found = true
			p := e.make(2, Draws{})
			if _, linear := p.(Linear); e.ties != d.Compares || p.ReadsRewards() != d.Learns() || linear != d.Linear() {
				t.Errorf("%s compares: %v, learns: %v, is linear: %v, which is not what its descriptor says", e.name, e.ties, p.ReadsRewards(), linear)
			}
		}
		if !found {
			t.Errorf("each has no %s", d.Name)
		}
	}
}

// triangle returns probabilities in proportion 0, 1, …, k−1.
func triangle(k int) []float64 {
	p := make([]float64, k)
	for i := range p {
		p[i] = float64(2*i) / float64(max(k*(k-1), 1))
	}
	return p
}

// drawState draws a state with few different numbers, so that there are ties.
// Arms without released rows are drawn where fresh says so.
func drawState(t *rapid.T, k int, fresh bool) *State {
	s := NewState(k)
	least := int64(1)
	if fresh {
		least = 0
	}
	for i := range k {
		s.Pulls[i] = rapid.Int64Range(least, 3).Draw(t, "pulls")
		s.Played[i] = s.Pulls[i] + rapid.Int64Range(0, 2).Draw(t, "waiting")
		if s.Pulls[i] > 0 {
			s.Sums[i] = float64(rapid.Int64Range(-2, 8).Draw(t, "sum")) / 2
		}
		s.Round += s.Played[i]
	}
	if rapid.Bool().Draw(t, "not all are eligible") {
		s.Eligible = drawEligible(t, k)
	}
	return inContext(s)
}

// past is the context of every round before the one that is decided.
func past() []float64 { return []float64{1, 0.5} }

// inContext returns s with a context, and with the vectors that its sums are of
// in the context past.
func inContext(s *State) *State {
	s.X, s.Vectors, s.Spreads, s.Weighed = []float64{0.5, 1}, make([][]float64, len(s.Sums)), make([]float64, len(s.Sums)), make([]float64, len(s.Sums))
	s.Scores = make([]float64, len(s.Sums))
	for i, sum := range s.Sums {
		s.Scores[i] = sum / 8
		s.Weighed[i] = 2.5 * sum
		s.Spreads[i] = 0.2 * float64(max(0, s.Pulls[i]-1)) // 0 of one row
		for _, x := range past() {
			s.Vectors[i] = append(s.Vectors[i], x*sum)
		}
	}
	return s
}

func drawEligible(t *rapid.T, k int) []bool {
	e := make([]bool, k)
	for i := range e {
		e[i] = rapid.Bool().Draw(t, "eligible")
	}
	e[rapid.IntRange(0, k-1).Draw(t, "sure")] = true
	return e
}

// told returns a policy that has been told of s.
func told(p Policy, s *State) Policy {
	l, linear := p.(Linear)
	if linear {
		l.Size(len(s.X))
	}
	for i, rows := range s.Pulls {
		for n := int64(1); linear && n <= rows; n++ {
			l.Learn(i, past(), n)
		}
		p.Observe(s, i)
	}
	return p
}

// seeded returns draws from a fixed seed.
func seeded(e specimen) Draws {
	d := Draws{Choice: rand.NewPCG(1, 2), Start: rand.NewPCG(5, 6)}
	if e.ties {
		d.Ties = rand.NewPCG(3, 4)
	}
	return d
}

// Propensities are probabilities of eligible arms, they add up to 1 within
// 10⁻¹², they are the same when asked twice, and asking draws nothing.
func TestPropensitiesAreALaw(t *testing.T) {
	for _, e := range each() {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := rapid.IntRange(1, 7).Draw(t, "k")
				s := drawState(t, k, true)
				silent := Draws{Choice: &script{}} // a script without words
				if e.ties && rapid.Bool().Draw(t, "ties are seeded") {
					silent.Ties = &script{}
				}
				p := told(e.make(k, silent), s)
				probs, again := make([]float64, k), make([]float64, k)
				p.Propensities(s, probs)
				p.Propensities(s, again)
				sum := 0.0
				for i, v := range probs {
					sum += v
					if !(v >= 0 && v <= 1) || v != again[i] || !s.CanPlay(i) && v != 0 {
						t.Fatalf("arm %d, eligible %v: propensity %v, and then %v", i, s.CanPlay(i), v, again[i])
					}
					if !p.Random() && v != 0 && v != 1 {
						t.Fatalf("nothing is random, and arm %d has propensity %v", i, v)
					}
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("propensities %v add up to %v", probs, sum)
				}
			})
		})
	}
}

// What is played is eligible and has a propensity above 0; where nothing is
// random, 1.
func TestSelectPlaysWhatHasAPropensity(t *testing.T) {
	for _, e := range each() {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := rapid.IntRange(1, 7).Draw(t, "k")
				s := drawState(t, k, true)
				d := Draws{Choice: rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0), Start: rand.NewPCG(rapid.Uint64().Draw(t, "seed of the start"), 0)}
				if e.ties && rapid.Bool().Draw(t, "ties are seeded") {
					d.Ties = rand.NewPCG(rapid.Uint64().Draw(t, "seed of ties"), 1)
				}
				p := told(e.make(k, d), s)
				probs := make([]float64, k)
				p.Propensities(s, probs)
				arm := p.Select(s)
				if !s.CanPlay(arm) || probs[arm] == 0 || !p.Random() && probs[arm] != 1 {
					t.Fatalf("arm %d of propensities %v", arm, probs)
				}
			})
		})
	}
}

// Renaming arms renames propensities, where ties do not go to the first and
// every arm has rows. Sums are added in another order, so up to rounding.
func TestRenamingArmsRenamesPropensities(t *testing.T) {
	for _, e := range each() {
		if e.policy() == "fixed" {
			continue // its probabilities would have to be renamed too
		}
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := rapid.IntRange(1, 7).Draw(t, "k")
				s := drawState(t, k, false)
				to := rapid.Permutation(identity(k)).Draw(t, "names")
				renamed := NewState(k)
				renamed.Round = s.Round
				if s.Eligible != nil {
					renamed.Eligible = make([]bool, k)
				}
				for i, j := range to {
					renamed.Played[j], renamed.Pulls[j], renamed.Sums[j] = s.Played[i], s.Pulls[i], s.Sums[i]
					if s.Eligible != nil {
						renamed.Eligible[j] = s.Eligible[i]
					}
				}
				probs, other := make([]float64, k), make([]float64, k)
				told(e.make(k, seeded(e)), s).Propensities(s, probs)
				inContext(renamed)
				told(e.make(k, seeded(e)), renamed).Propensities(renamed, other)
				for i, j := range to {
					if math.Abs(probs[i]-other[j]) > 1e-14 {
						t.Fatalf("%v, and with the names %v %v", probs, to, other)
					}
				}
			})
		})
	}
}

func identity(k int) []int {
	to := make([]int, k)
	for i := range to {
		to[i] = i
	}
	return to
}

// How often arms are played agrees with their propensities: chi-square over
// 20 000 choices in each of six states, at level 10⁻⁸ each. A right program fails
// for less than one in 10⁶ of all seeds, and the seeds are fixed.
func TestFrequenciesEqualPropensities(t *testing.T) {
	for _, e := range each() {
		for i, s := range states() {
			p := told(e.make(len(s.Pulls), seeded(e)), s)
			probs, counts := make([]float64, len(s.Pulls)), make([]float64, len(s.Pulls))
			p.Propensities(s, probs)
			const n = 20_000
			for range n {
				counts[p.Select(s)]++
			}
			if level := fit(probs, counts, n); level < chance {
				t.Errorf("%s, state %d: counts %v with propensities %v, p-value %v", e.name, i, counts, probs, level)
			}
		}
	}
}

// chance is the level of one test of frequencies.
const chance = 1e-8

// states returns six states, with ties, arms that are not eligible and arms
// without released rows.
func states() []*State {
	pulls, equal := []int64{9, 9, 9, 5}, []float64{4, 4, 4, 4}
	list := []*State{
		{Round: 33, Played: pulls, Pulls: pulls, Sums: []float64{2, 4, 6, 3}},
		{Round: 33, Played: pulls, Pulls: pulls, Sums: []float64{2, 4, 4, 2}},
		{Round: 33, Played: pulls, Pulls: pulls, Sums: []float64{2, 4, 4, 2}, Eligible: []bool{true, false, true, true}},
		{Round: 33, Played: pulls, Pulls: []int64{9, 9, 0, 0}, Sums: []float64{2, 4, 0, 0}},
		{Round: 33, Played: []int64{9, 9, 9, 9}, Pulls: []int64{8, 8, 8, 8}, Sums: equal},
		{Round: 33, Played: pulls, Pulls: pulls, Sums: equal, Eligible: []bool{true, false, false, false}},
	}
	for _, s := range list {
		inContext(s)
	}
	return list
}

// fit returns the p-value of Pearson's test of counts against probs; 0 when an
// arm of probability 0 was played. Arms expected less than five times are one.
func fit(probs, counts []float64, n float64) float64 {
	var chi, rare, rareWant float64
	cells := 0
	add := func(got, want float64) {
		chi += (got - want) * (got - want) / want
		cells++
	}
	for i, p := range probs {
		switch want := p * n; {
		case p == 0 && counts[i] > 0:
			return 0
		case want < 5:
			rare, rareWant = rare+counts[i], rareWant+want
		default:
			add(counts[i], want)
		}
	}
	if rareWant > 0 {
		add(rare, rareWant)
	}
	if cells < 2 {
		return 1
	}
	return distuv.ChiSquared{K: float64(cells - 1)}.Survival(chi)
}

// One round of a policy that has rows of every arm and learns of one more.
func BenchmarkPolicies(b *testing.B) {
	for _, e := range each() {
		b.Run(e.name, func(b *testing.B) {
			s, pay := inContext(NewState(5)), rand.NewPCG(3, 4)
			p := told(e.make(5, Draws{Choice: rand.NewPCG(1, 2)}), s)
			l, linear := p.(Linear)
			for b.Loop() {
				arm := p.Select(s)
				s.Round++
				s.Played[arm]++
				s.Pulls[arm]++
				y := float64(pay.Uint64() & 1)
				s.Sums[arm] += y
				if linear {
					phi := l.Feature(s, arm)
					for j, x := range phi {
						s.Vectors[arm][j] += x * y
					}
					l.Learn(arm, phi, s.Pulls[arm])
				}
				p.Observe(s, arm)
			}
		})
	}
}
