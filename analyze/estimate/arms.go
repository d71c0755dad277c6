package estimate

import "math"

// Weighting is how rounds are weighed in an arm's mean of scores.
type Weighting func(p float64) float64

// Uniform weighs every round alike.
func Uniform(float64) float64 { return 1 }

// Root weighs by √p, under which the variance settles whatever the policy does
// (constant allocation, Hadad et al. 2021).
func Root(p float64) float64 { return math.Sqrt(p) }

// Round is a round of the log: the arm that was played, the probability of each arm,
// and the reward in [0,1]. An arm that could not be played has probability 0 and is
// left out of the round. Where that of the played arm alone is known, the others are
// NaN, and nothing but [Uniform] weighs. Where P is known between two ends, Least has the
// lower ones: of the arm that was played, and of all where another weighting weighs. Of one
// sum all rounds have them, or none.
type Round struct {
	Arm    int
	P      []float64
	Least  []float64 // nil: P is exact
	Reward float64
	Kept   float64 // o, with which the round is in the log; P then is p·o. 0: all rounds are in it alike. Of one sum all rounds have one, or none
}

// kept is what the round weighs against others: it stands for 1/kept of them.
func (r *Round) kept() float64 {
	if r.Kept == 0 {
		return 1
	}
	return r.Kept
}

// blockRounds is how many rounds are worked together.
const blockRounds = 256

// Arms are the estimates of all arms by some weightings, and of contrasts by the last
// of these.
type Arms struct {
	weighings []Weighting
	known     bool // the propensities of all arms are
	plugin    Plugin
	ipw       []Mean
	ratio     []Mean
	scored    [][]Scores // by weighting, then arm
	pairs     [][2]int
	contrasts []Contrast
	moved     []ratioMoves // of an arm

	rounds int         // in the block
	played []int       // by round
	reward []float64   // likewise
	p, g   [][]float64 // by arm, then round: propensities and scores
	h      [][]float64 // likewise, weights
	kept   bool        // rounds have their own probability of being in the log
	gone   []bool      // of an arm: it is left out of some round
	guess  []float64   // of an arm: its plug-in
	block  []Scores    // of an arm, by one weighting
	alone  [2][]float64

	least   [][]float64 // as p: the lower ends; nil where p is exact
	guessed []float64   // by round, the guess of the arm that was played; likewise
}

// NewArms returns estimates of so many arms, and of pairs of them, before the rounds
// that follow those of a plug-in. known says that the propensities of all arms are,
// in every round.
func NewArms(before *Plugin, known bool, pairs [][2]int, weighings ...Weighting) *Arms {
	k := len(before.n)
	a := &Arms{
		weighings: weighings, known: known, plugin: before.Clone(),
		ipw: make([]Mean, k), ratio: make([]Mean, k),
		pairs: pairs, contrasts: make([]Contrast, len(pairs)), moved: make([]ratioMoves, k),
		played: make([]int, blockRounds), reward: make([]float64, blockRounds),
		p: columns(k), g: columns(k), h: columns(k),
		gone: make([]bool, k), guess: make([]float64, k), block: make([]Scores, k),
	}
	for range weighings {
		a.scored = append(a.scored, make([]Scores, k))
	}
	for i := range a.guess {
		a.guess[i] = a.plugin.Mean(i)
	}
	for i := range a.alone {
		a.alone[i] = make([]float64, blockRounds)
	}
	return a
}

// columns are those of a block. They lie a cache line more apart than they are long, so
// that those of many arms do not meet in the same lines of the cache.
func columns(arms int) [][]float64 {
	const apart = blockRounds + 8
	all, out := make([]float64, arms*apart), make([][]float64, arms)
	for i := range out {
		out[i] = all[i*apart : i*apart+blockRounds]
	}
	return out
}

// Add joins a round.
func (a *Arms) Add(r *Round) {
	t := a.rounds
	for i, p := range r.P {
		a.p[i][t], a.g[i][t] = p, a.guess[i]
		if p == 0 {
			a.gone[i] = true
		}
	}
	a.played[t], a.reward[t] = r.Arm, r.Reward
	if r.Least != nil {
		a.rounded(r)
	}
	if p := r.P[r.Arm]; p != 0 {
		w, m := 1/p, a.guess[r.Arm]
		a.g[r.Arm][t] = m + float64(w*(r.Reward-m))
		a.addIPW(r, w)
		a.ratio[r.Arm].Add(w, r.Reward)
	}
	a.plugin.Add(r.Arm, r.Reward)
	a.guess[r.Arm] = a.plugin.Mean(r.Arm)
	if a.rounds++; a.rounds == blockRounds {
		a.flush()
	}
}

// addIPW takes up a round with weight w: where rounds have their own probability of being
// in the log also for the arms that it did not play, whose terms are 0.
func (a *Arms) addIPW(r *Round, w float64) {
	kept := r.kept()
	a.ipw[r.Arm].Add(1/kept, float64(w*kept*r.Reward))
	if a.kept = r.Kept != 0; !a.kept {
		return
	}
	for i, p := range r.P {
		if i != r.Arm && p != 0 {
			a.ipw[i].Add(1/kept, 0)
		}
	}
}

// flush takes up the rounds that wait.
func (a *Arms) flush() {
	n := a.rounds
	if n == 0 {
		return
	}
	for w, weigh := range a.weighings {
		for i := range a.block {
			h, p, last, weight := a.h[i][:n], a.p[i][:n], 0.0, 0.0
			for t, v := range p {
				if v != last {
					if last, weight = v, 0; v != 0 {
						weight = weigh(v)
					}
				}
				h[t] = weight
			}
			a.block[i] = a.scoresOf(i, weigh, h)
			a.scored[w][i].Merge(&a.block[i])
		}
	}
	for i := range a.block {
		if a.kept { // [Arms.addIPW] has taken them up
			break
		}
		a.ipw[i].repeat(a.block[i].N-a.block[i].Pulls, 0)
	}
	for j, pair := range a.pairs {
		c := a.contrastOf(pair[0], pair[1])
		a.contrasts[j].Merge(&c)
	}
	a.rounds = 0
	clear(a.gone)
}

// scoresOf are those of an arm over the rounds that wait, with weights h.
func (a *Arms) scoresOf(arm int, weigh Weighting, h []float64) Scores {
	out := Scores{Mean: meanOf(h, a.g[arm][:len(h)]), moves: a.movesOf(arm, weigh, h)}
	p := a.p[arm]
	if a.known {
		out.known(h, p)
	}
	for t, played := range a.played[:len(h)] {
		if played != arm || h[t] == 0 {
			continue
		}
		out.pull(h[t], p[t], a.reward[t])
		if !a.known {
			out.stands(h[t], p[t])
		}
	}
	return out
}

// contrastOf is the contrast of two arms over the rounds that wait in which both could
// be played.
func (a *Arms) contrastOf(x, y int) Contrast {
	n := a.rounds
	hx, hy := a.h[x][:n], a.h[y][:n]
	if !a.gone[x] && !a.gone[y] {
		return contrastOf(&a.block[x], &a.block[y], hx, a.g[x][:n], hy, a.g[y][:n])
	}
	bothX, bothY := a.alone[0][:n], a.alone[1][:n]
	for t, h := range hx {
		bothX[t], bothY[t] = h, hy[t]
		if h == 0 || hy[t] == 0 {
			bothX[t], bothY[t] = 0, 0
		}
	}
	weigh := a.weighings[len(a.weighings)-1]
	sx, sy := a.scoresOf(x, weigh, bothX), a.scoresOf(y, weigh, bothY)
	return contrastOf(&sx, &sy, bothX, a.g[x][:n], bothY, a.g[y][:n])
}

// Merge joins the estimates of the rounds that follow, whose plug-in began where that
// of these ended.
func (a *Arms) Merge(o *Arms) {
	a.flush()
	o.flush()
	for i := range a.ipw {
		a.ipw[i].Merge(&o.ipw[i])
		a.ratio[i].Merge(&o.ratio[i])
		a.moved[i].merge(&o.moved[i])
		for w := range a.scored {
			a.scored[w][i].Merge(&o.scored[w][i])
		}
	}
	for i := range a.contrasts {
		a.contrasts[i].Merge(&o.contrasts[i])
	}
	a.plugin = o.plugin.Clone()
	copy(a.guess, o.guess)
}

// IPW is the weighted mean of an arm over the rounds in which it could be played.
func (a *Arms) IPW(arm int) *Mean {
	a.flush()
	return &a.ipw[arm]
}

// SNIPW is that mean divided by the mean of the weights.
func (a *Arms) SNIPW(arm int) *Mean { return &a.ratio[arm] }

// AIPW is the mean of an arm's scores by a weighting, by its place among them.
func (a *Arms) AIPW(weighting, arm int) *Scores {
	a.flush()
	return &a.scored[weighting][arm]
}

// Against is the contrast of a pair, by its place among the pairs: over the rounds in
// which both arms could be played.
func (a *Arms) Against(pair int) *Contrast {
	a.flush()
	return &a.contrasts[pair]
}
