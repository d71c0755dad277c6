package analyze_test

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"testing"

	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
)

// toy is a bandit over two arms that is small enough for P(a|y) of every action
// sequence a under every vector y of rewards in {0,1}. Bit t of either is the
// arm or the reward of round t, from 0.
//
// Probabilities are exact. Noise lies on the whole numbers, as with grid: 1, and
// what a node releases is clamped to [−spread, rows + spread]: that is
// post-processing, so every cost stays what it is, and no tail need be cut.
type toy struct {
	name, policy, counter string
	rounds                int
	spread                int
	play                  func(g *toyGame, w *toyWalk)
	ucb                   float64                      // c of the width √(c·ln t/N)
	eta                   float64                      // of softmax
	node                  func(n int) (from, size int) // rows (from, n] of a stream that the node of row n holds, and how many nodes stay below it
	share                 func(n int) float64          // cost of that node
	contexts              []int                        // of every round: how far its reward moves a sum, of the two that the noise is scaled for; nil: one of one
}

// toyGame holds P(a|y).
type toyGame struct {
	toy
	law   ledger.Law
	part  func(x []float64) float64 // of the bound, by context; nil without contexts
	table [][]float64               // [actions][rewards of all rounds but the last, which nobody reads]
}

// toyWalk is a node of the tree of histories: the actions so far, the values
// that the nodes of either stream released, and for every vector of the rewards
// so far the probability of all that.
type toyWalk struct {
	round, actions int
	released       [2][]int
	rows           [2][]int // rounds that entered the stream
	weight         []float64
}

func toys() []toy {
	ucb, linear := "{name: ucb, width: {c: 0.5}}", "{name: linucb, lambda: 1, theta_bound: 1, noise_sd: 1, context_l1: 2}"
	return []toy{
		{name: "softmax × exact", policy: "{name: softmax, eta: 0.75}", counter: "{name: exact}", rounds: 6, play: (*toyGame).draw, eta: 0.75},
		{name: "softmax × exact, gentle", policy: "{name: softmax, eta: 0.1}", counter: "{name: exact}", rounds: 5, play: (*toyGame).draw, eta: 0.1},
		{
			name: "ucb × laplace", policy: ucb, counter: "{name: laplace, epsilon: 1, grid: 1}", rounds: 6, spread: 2, play: (*toyGame).lead, ucb: 0.5,
			node: func(n int) (int, int) { return n - 1, n - 1 }, share: func(int) float64 { return 1 },
		},
		{
			name: "ucb × binary", policy: ucb, counter: "{name: binary, epsilon: 2, horizon: 6, grid: 1}", rounds: 6, spread: 3, play: (*toyGame).lead, ucb: 0.5,
			node: func(n int) (int, int) { return n - n&-n, bits.OnesCount(uint(n)) - 1 }, share: func(int) float64 { return 2.0 / 3 },
		},
		{
			name: "ucb × hybrid", policy: ucb, counter: "{name: hybrid, epsilon: 2, grid: 1}", rounds: 6, spread: 3, play: (*toyGame).lead, ucb: 0.5,
			node: hybridNode, share: func(n int) float64 { k, r := toySegment(n); return 1 / float64(max(1, k*min(r, 1))) },
		},
		{
			name: "linear × laplace", policy: linear, counter: "{name: laplace, epsilon: 1, grid: 1, horizon: 5}", rounds: 5, spread: 2, play: (*toyGame).lead, ucb: 0.5,
			node: func(n int) (int, int) { return n - 1, n - 1 }, share: func(int) float64 { return 1 }, contexts: []int{1, 2, 1, 2, 1},
		},
		{
			name: "linear × binary", policy: linear, counter: "{name: binary, epsilon: 2, horizon: 6, grid: 1}", rounds: 6, spread: 3, play: (*toyGame).lead, ucb: 0.5,
			node: func(n int) (int, int) { return n - n&-n, bits.OnesCount(uint(n)) - 1 }, share: func(int) float64 { return 2.0 / 3 }, contexts: []int{2, 1, 1, 0, 2, 1},
		},
	}
}

// toySegment returns k = ⌊log2 n⌋ and r = n − 2^k.
func toySegment(n int) (k, r int) {
	k = bits.Len(uint(n)) - 1
	return k, n - 1<<k
}

// hybridNode is the node of row n of the hybrid mechanism: at a power of two
// the rows since half of it, on the k nodes before, else those of a binary tree
// that starts after the power of two, on the k+1.
func hybridNode(n int) (from, below int) {
	k, r := toySegment(n)
	if r == 0 {
		return n / 2, k
	}
	return n - r&-r, k + bits.OnesCount(uint(r))
}

func newToyGame(t *testing.T, y toy) *toyGame {
	t.Helper()
	m := twoArms(t, y.policy, y.counter)
	g := &toyGame{toy: y, law: m.LawOver(int64(y.rounds)), part: m.ContextShare(), table: make([][]float64, 1<<y.rounds)}
	for a := range g.table {
		g.table[a] = make([]float64, 1<<(y.rounds-1))
	}
	g.walk(&toyWalk{weight: []float64{1}})
	return g
}

func twoArms(t *testing.T, policy, counter string) *replay.Mechanism {
	t.Helper()
	return mechanismOf(t, "[a, b]", policy, counter)
}

func (g *toyGame) walk(w *toyWalk) { g.play(g, w) }

// draw lets softmax choose by the exact sums.
func (g *toyGame) draw(w *toyWalk) {
	for arm := range 2 {
		next := *w
		next.weight = make([]float64, len(w.weight))
		for y, p := range w.weight {
			lead := bits.OnesCount(uint(y&w.actions)) - bits.OnesCount(uint(y&^w.actions)) // of arm 1
			if arm == 0 {
				lead = -lead
			}
			next.weight[y] = p / (1 + math.Exp(-g.eta*float64(lead)))
		}
		next.actions |= arm << w.round
		if g.end(&next) {
			continue
		}
		next.round++
		next.weight = append(next.weight, next.weight...) // the new reward is the highest bit
		g.walk(&next)
	}
}

// end takes the probabilities of a whole action sequence.
func (g *toyGame) end(w *toyWalk) bool {
	if w.round < g.rounds-1 {
		return false
	}
	for y, p := range w.weight {
		g.table[w.actions][y] += p
	}
	return true
}

// lead lets UCB choose by the released sums, and goes on with every value that
// the node of the new row can release.
func (g *toyGame) lead(w *toyWalk) {
	next := *w
	arm := g.choose(w)
	next.actions |= arm << w.round
	if g.end(&next) {
		return
	}
	next.round++
	next.rows[arm] = append(slices.Clone(w.rows[arm]), w.round)
	from, below := g.node(len(next.rows[arm]))
	held, size := 0, 0
	for _, t := range next.rows[arm][from:] {
		held |= 1 << t
		size += g.moves(t)
	}
	cost := g.share(len(next.rows[arm]))
	if g.contexts != nil {
		cost /= toyBound
	}
	for z := -g.spread; z <= size+g.spread; z++ {
		leaf := next
		leaf.released[arm] = append(slices.Clone(w.released[arm][:below]), z)
		leaf.weight = append(append([]float64(nil), w.weight...), w.weight...)
		for y := range leaf.weight {
			leaf.weight[y] *= clamped(z-g.sum(y&held), z == -g.spread || z == size+g.spread, cost)
		}
		g.walk(&leaf)
	}
}

// toyBound is the declared bound of contexts.
const toyBound = 2

// moves is how far the reward of a round moves a sum.
func (g *toyGame) moves(t int) int {
	if g.contexts == nil {
		return 1
	}
	return g.contexts[t]
}

// sum is what the rewards of some rounds add up to.
func (g *toyGame) sum(y int) int {
	out := 0
	for ; y != 0; y &= y - 1 {
		out += g.moves(bits.TrailingZeros(uint(y)))
	}
	return out
}

// choose returns the arm with the largest index, the first of equal ones.
func (g *toyGame) choose(w *toyWalk) int {
	best, top := 0, math.Inf(-1)
	for arm := range 2 {
		n := float64(len(w.rows[arm]))
		index := math.Inf(1)
		if n > 0 {
			sum := 0
			for _, z := range w.released[arm] {
				sum += z
			}
			index = float64(sum)/n + math.Sqrt(g.ucb*math.Log(float64(w.round+1))/n)
		}
		if index > top {
			best, top = arm, index
		}
	}
	return best
}

// clamped is the probability that discrete Laplace noise of cost c per unit is
// off by z, or at least that where values beyond are clamped to it.
func clamped(z int, end bool, c float64) float64 {
	q := math.Exp(-c)
	p := math.Exp(-c*float64(max(z, -z))) / (1 + q)
	if end {
		return p
	}
	return p * (1 - q)
}

// costs returns c_t(a) as the ledger accounts for it.
func (g *toyGame) costs(a int) []float64 {
	out := make([]float64, g.rounds)
	path, drawn := g.law.(*ledger.PathLaw)
	var place, read [2]int64
	for t := range g.rounds - 1 {
		read[a>>t&1]++
	}
	for t := range g.rounds - 1 {
		arm := a >> t & 1
		place[arm]++
		out[t] = g.law.Cost(place[arm], read[arm]).Up()
		if g.part != nil {
			out[t] *= g.part([]float64{float64(g.contexts[t])})
		}
		if drawn {
			later := a >> (t + 1)
			same := bits.OnesCount(uint(later))
			if arm == 0 {
				same = g.rounds - 1 - t - same
			}
			out[t] = ledger.NewPath(path, 2).Row(arm, int64(g.rounds-1-t), int64(same))
		}
	}
	return out
}

// rewardLaws lists laws of independent rewards in {0,1}: the mean of the row of
// every round. c is the largest cost of a row.
func rewardLaws(c float64) map[string][]float64 {
	worst := 1 / (1 + math.Exp(c/2)) // at which tanh(c/4) is attained
	return map[string][]float64{
		"fair":    {.5, .5, .5, .5, .5, .5},
		"rare":    {.1, .1, .1, .1, .1, .1},
		"worst":   {worst, worst, worst, worst, worst, worst},
		"unequal": {.05, .3, .6, .95, .2, .8},
		"drift":   {.7, .6, .5, .4, .3, .2},
	}
}

// tightness keeps, by what was bounded, how much of the bound was used at most.
type tightness map[string]float64

func (u tightness) see(what string, share float64) { u[what] = max(u[what], share) }

// Every statement that is made given the actions holds exactly on small bandits:
// for every action sequence, under every law of rewards above, the means of
// single rewards and of arms stay within their bounds, and no event about the
// rewards of an arm, or of all rows, becomes more probable than each correction
// of its probability says. Of the events those suffice that hold the outcomes
// whose probability grew most (Neyman and Pearson), and their mixtures.
func TestExhaustive(t *testing.T) {
	t.Parallel()
	for _, y := range toys() {
		t.Run(y.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				y.rounds = min(y.rounds, 4)
			}
			g := newToyGame(t, y)
			g.sums(t)
			used := tightness{}
			for a, given := range g.table {
				if slices.Max(given) > 0 && (y.ucb > 0 || a&1 == 0) { // softmax treats both arms alike
					e := &toyEvents{t: t, game: g, actions: a, costs: g.costs(a), used: used}
					e.check()
				}
			}
			for _, what := range slices.Sorted(maps.Keys(used)) {
				t.Logf("%.4f of the bound is used at most: %s", used[what], what)
				// With costs short by a tenth the bounds of the shift and of the recursion do not hold.
				if y.ucb > 0 && !testing.Short() && used[what] < 0.5 {
					t.Errorf("%s: only %.4f of the bound is used, which tells little", what, used[what])
				}
			}
		})
	}
}

// sums checks that the probabilities of all action sequences add up to 1, and
// that some depend on rewards.
func (g *toyGame) sums(t *testing.T) {
	t.Helper()
	moves := 0.0
	for y := range g.table[0] {
		sum := 0.0
		for a := range g.table {
			sum += g.table[a][y]
			if p := g.table[a][0]; p > 0 {
				moves = max(moves, math.Abs(math.Log(g.table[a][y]/p)))
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("rewards %b: the probabilities add up to %v", y, sum)
		}
	}
	if moves < 0.1 {
		t.Fatalf("no action depends on any reward: ln of the largest ratio is %v", moves)
	}
}

// toyEvents checks one action sequence.
type toyEvents struct {
	t       *testing.T
	game    *toyGame
	actions int
	costs   []float64
	used    tightness
	name    string // of the law of rewards
	prior   []float64
	post    []float64
}

func (e *toyEvents) check() {
	fixes := map[string]corrections{}
	for _, arm := range []string{"arm 0", "arm 1", "all rows"} {
		fixes[arm] = e.corrections(e.rows(arm))
	}
	laws := rewardLaws(slices.Max(e.costs))
	for name, means := range laws {
		e.name = name
		e.weigh(func(y int) float64 { return product(means, y, e.game.rounds) })
		e.means(means)
		for arm, fix := range fixes {
			e.events(arm, fix.conditional)
		}
	}
	for name, joint := range e.dependent() {
		e.name = name
		e.weigh(joint)
		e.events("all rows", fixes["all rows"].any)
	}
}

// rows returns the rounds of an arm, or all, as a mask.
func (e *toyEvents) rows(which string) int {
	all := 1<<e.game.rounds - 1
	switch which {
	case "arm 0":
		return all &^ e.actions
	case "arm 1":
		return e.actions
	}
	return all
}

func product(means []float64, y, rounds int) float64 {
	p := 1.0
	for t := range rounds {
		if y>>t&1 == 1 {
			p *= means[t]
		} else {
			p *= 1 - means[t]
		}
	}
	return p
}

// dependent lists laws under which rows depend on each other.
func (e *toyEvents) dependent() map[string]func(y int) float64 {
	rounds := e.game.rounds
	return map[string]func(y int) float64{
		"one coin for all rows": func(y int) float64 {
			switch y {
			case 0:
				return .6
			case 1<<rounds - 1:
				return .4
			}
			return 0
		},
		"a mixture": func(y int) float64 {
			low, high := []float64{.1, .1, .1, .1, .1, .1}, []float64{.8, .8, .8, .8, .8, .8}
			return .5*product(low, y, rounds) + .5*product(high, y, rounds)
		},
	}
}

// weigh makes the law of all rewards before and after the actions are known.
// The reward of the last round is read by no decision.
func (e *toyEvents) weigh(law func(y int) float64) {
	n := 1 << e.game.rounds
	e.prior, e.post = make([]float64, n), make([]float64, n)
	total := 0.0
	for y := range n {
		e.prior[y] = law(y)
		e.post[y] = e.prior[y] * e.game.table[e.actions][y&(n/2-1)]
		total += e.post[y]
	}
	for y := range e.post {
		e.post[y] /= total
	}
}

// means checks E[y_t | a] of every row, and the mean of either arm.
func (e *toyEvents) means(mu []float64) {
	var off [2]float64
	var levels [2][]bias.Level
	for t := range e.game.rounds {
		given := 0.0
		for y, p := range e.post {
			given += p * float64(y>>t&1)
		}
		lo, hi := bias.Shift(e.costs[t], mu[t])
		shift := given - mu[t]
		if shift > hi+1e-12 || shift < lo-1e-12 {
			e.t.Errorf("%s, actions %b: E[y|a]−μ of row %d is %v, outside [%v, %v]", e.name, e.actions, t, shift, lo, hi)
		}
		if hi > 0 {
			e.used.see("shift of a reward, U(c, μ)", max(shift/hi, shift/lo))
			e.used.see("shift of a reward, tanh(c/4)", math.Abs(shift)/math.Tanh(e.costs[t]/4))
		}
		arm := e.actions >> t & 1
		off[arm] += shift
		levels[arm] = append(levels[arm], bias.Level{Cost: e.costs[t], Rows: 1})
	}
	for arm, l := range levels {
		if len(l) == 0 {
			continue
		}
		got, bound := math.Abs(off[arm])/float64(len(l)), bias.ArmMean(l)
		if got > bound+1e-12 {
			e.t.Errorf("%s, actions %b: bias of arm %d is %v > %v", e.name, e.actions, arm, got, bound)
		}
		if bound > 0 {
			e.used.see("bias of an arm mean, mean of tanh(c/4)", got/bound)
		}
	}
}

// corrections of one set of rows.
type corrections struct {
	conditional, any map[string]maxinfo.Conditional
}

func (e *toyEvents) corrections(mask int) corrections {
	var levels []maxinfo.Level
	for t, c := range e.costs {
		if mask>>t&1 == 1 {
			levels = append(levels, maxinfo.Level{Cost: c, Rows: 1})
		}
	}
	recursion, err := maxinfo.Recursion(levels)
	if err != nil {
		e.t.Fatal(err)
	}
	out := corrections{any: map[string]maxinfo.Conditional{"any law": maxinfo.AnyLaw(levels)}}
	out.conditional = map[string]maxinfo.Conditional{
		"Renyi": maxinfo.Renyi(levels), "moments": maxinfo.Moments(levels), "recursion": recursion, "any law": maxinfo.AnyLaw(levels),
	}
	return out
}

// events checks every event of the rewards of some rows.
func (e *toyEvents) events(which string, fixes map[string]maxinfo.Conditional) {
	mask := e.rows(which)
	type outcome struct{ p, q float64 }
	marginal := map[int]outcome{}
	for y, p := range e.prior {
		o := marginal[y&mask]
		marginal[y&mask] = outcome{o.p + p, o.q + e.post[y]}
	}
	var outcomes []outcome
	for y := range len(e.prior) { // in this order, so that sums do not depend on that of the map
		if o, ok := marginal[y]; ok && o.p > 0 {
			outcomes = append(outcomes, o)
		}
	}
	slices.SortStableFunc(outcomes, func(a, b outcome) int { return cmp.Compare(b.q*a.p, a.q*b.p) })
	p, q := 0.0, 0.0
	for _, o := range outcomes {
		e.event(which, fixes, p+.5*o.p, q+.5*o.q)
		e.event(which, fixes, p+o.p, q+o.q)
		p, q = p+o.p, q+o.q
	}
}

// event checks that an event of probability p has probability q at most of what
// each correction says, given the actions.
func (e *toyEvents) event(which string, fixes map[string]maxinfo.Conditional, p, q float64) {
	if p >= 1-1e-12 {
		return
	}
	logP := math.Log(p)
	for name, fix := range fixes {
		logBound := fix.Apply(logP)
		if math.Log(q) > logBound+1e-9 {
			e.t.Errorf("%s, actions %b, %s: an event of probability %v has %v given the actions, %s says %v", e.name, e.actions, which, p, q, name, math.Exp(logBound))
		}
		if logBound < 0 && logBound > logP {
			e.used.see(name+": ln of the factor", (math.Log(q)-logP)/(logBound-logP))
			if p <= 0.05 {
				e.used.see(name+": probability of events with p ≤ .05", q/math.Exp(logBound))
			}
		}
	}
}
