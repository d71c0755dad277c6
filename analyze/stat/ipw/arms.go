package ipw

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/moments/simd"
)

// Weighting is how rounds are weighed in an arm's mean of scores; nil weighs all alike.
type Weighting func(p float64) float64

// Root weighs by √p, under which the variance settles whatever the policy does
// (constant allocation, Hadad et al. 2021).
func Root(p float64) float64 { return math.Sqrt(p) }

// Round is a round of the log: the arm that was played, the probability of each arm,
// and the reward in [0,1]. An arm that could not be played has probability 0 and is
// left out of the round. Where the probability of the played arm alone is known, the others
// are NaN, and all rounds weigh alike. Where P is known spare two ends, Least has the lower
// ones: of the arm that was played, and of all where another weighting weighs. Of one sum
// all rounds have them, or none.
type Round struct {
	Arm    int
	P      []float64
	Same   bool      // P is the P of the round before
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
	weighs    bool // some weigh rounds differently
	known     bool // the propensities of all arms are
	plugin    Plugin
	ipw       []Mean
	ratio     []Mean
	scored    [][]Scores // by weighting, then arm
	pairs     [][2]int
	contrasts []Contrast
	moved     []ratioMoves // of an arm

	size   int         // of a block, in rounds
	rounds int         // in the block
	reward []float64   // by round
	own    []float64   // by round, the propensity of the arm that was played
	score  []float64   // likewise, its score
	guess  []float64   // likewise, its plug-in, from which the score was made
	after  []float64   // likewise, behind the round
	pulled [][]int     // of an arm, the rounds that played it
	stood  []float64   // of an arm, its plug-in where the block begins
	next   []float64   // of an arm, its plug-in in the next round
	stands []int       // by round, which of the propensities below are its own
	laws   [][]float64 // propensities of all arms
	p, g   [][]float64 // by arm, then round: propensities and scores
	flat   []float64   // g, apart from each other, and what pads it
	joint  []float64   // of an arm, see evenMeans
	h      [][]float64 // likewise, weights
	ones   []float64   // the weights of rounds that weigh alike
	kept   bool        // rounds have their own probability of being in the log
	gone   []bool      // of an arm: it is left out of some round
	began  int         // where the last of these begin
	few    []int       // the arms of which its rounds say little
	shares repeated
	last   worth
	shown  []Overlap // of an arm that could be played in all rounds, where propensities are known
	block  []Scores  // of an arm, by one weighting
	alone  [2][]float64

	least [][]float64 // as p: the lower ends; nil where p is exact
}

// NewArms returns estimates of the arms of a plug-in, and of pairs of them, before the
// first round that follows the rounds of the plug-in. known says that the propensities of
// all arms are known in every round.
func NewArms(before *Plugin, known bool, pairs [][2]int, weighings ...Weighting) *Arms {
	k := len(before.n)
	a := &Arms{
		weighings: weighings, weighs: slices.ContainsFunc(weighings, func(w Weighting) bool { return w != nil }), known: known, plugin: before.Clone(),
		ipw: make([]Mean, k), ratio: make([]Mean, k),
		pairs: pairs, contrasts: make([]Contrast, len(pairs)), moved: make([]ratioMoves, k), next: make([]float64, k), size: blockRounds,
	}
	for range weighings {
		a.scored = append(a.scored, make([]Scores, k))
	}
	for i := range a.next {
		a.next[i] = a.plugin.Mean(i)
	}
	return a
}

// Within says that at most the given number of rounds will be added; call it before the
// first. Few rounds take less room.
func (a *Arms) Within(rounds int) *Arms {
	a.size = min(rounds, blockRounds)
	return a
}

// room allocates the columns of a block. Estimates which others are merged into need none.
func (a *Arms) room() {
	k, n := len(a.next), a.size
	a.pulled, a.stood, a.joint = make([][]int, k), make([]float64, k), make([]float64, k)
	a.gone, a.shown, a.block = make([]bool, k), make([]Overlap, k), make([]Scores, k)
	a.stands, a.laws, a.p, a.h = make([]int, n), columns(n, k), columns(k, n), columns(k, n)
	padded := columns((k+columnsTogether-1)/columnsTogether*columnsTogether, n)
	a.flat, a.g = padded[0][:cap(padded[0])], padded[:k]
	for _, column := range []*[]float64{&a.reward, &a.own, &a.score, &a.guess, &a.after, &a.ones, &a.alone[0], &a.alone[1]} {
		*column = make([]float64, n)
	}
	for t := range a.ones {
		a.ones[t] = 1
	}
}

// spare is how much more than their length columns lie apart, so that the columns of many
// arms do not meet in the same lines of the cache.
const spare = 8

// apart is how far columns of a block lie apart.
func (a *Arms) apart() int { return a.size + spare }

// columns returns n columns, one behind the other; as much as [simd.Runs] may write is
// behind the last.
func columns(n, length int) [][]float64 {
	apart := length + spare
	all, out := make([]float64, n*apart+spare), make([][]float64, n)
	for i := range out {
		out[i] = all[i*apart : i*apart+length]
	}
	return out
}

// Add joins a round.
func (a *Arms) Add(r *Round) {
	t, arm := a.rounds, r.Arm
	if a.reward == nil {
		a.room()
	}
	if t == 0 {
		copy(a.stood, a.next)
	}
	a.law(r)
	p, m := r.P[arm], a.next[arm]
	a.reward[t], a.own[t], a.score[t], a.guess[t] = r.Reward, p, m, m
	a.pulled[arm] = append(a.pulled[arm], t)
	if r.Least != nil {
		a.rounded(r)
	}
	if p != 0 {
		w := 1 / p
		a.score[t] = m + float64(w*(r.Reward-m))
		a.addIPW(r, w)
		a.ratio[arm].Add(w, r.Reward)
	}
	a.plugin.Add(arm, r.Reward)
	a.next[arm] = a.plugin.Mean(arm)
	a.after[t] = a.next[arm]
	if a.rounds++; a.rounds == a.size {
		a.flush()
	}
}

// law takes up the propensities of a round.
func (a *Arms) law(r *Round) {
	t := a.rounds
	if t > 0 && r.Same {
		a.stands[t] = a.stands[t-1]
	} else {
		a.begin(r.P)
	}
}

// begin begins a stretch of rounds with the same propensities.
func (a *Arms) begin(p []float64) {
	t := a.rounds
	a.end()
	if a.stands[t] = 0; t > 0 {
		a.stands[t] = a.stands[t-1] + 1
	}
	copy(a.laws[a.stands[t]], p)
	a.began = t
	for arm, v := range p {
		switch {
		case v == 0:
			a.gone[arm] = true
		case a.known:
			a.shown[arm].ends(v, v)
			if v < low {
				a.few = append(a.few, arm)
			}
		}
	}
}

// end ends the stretch before a round: what its rounds say of arms with small propensities.
func (a *Arms) end() {
	n := a.rounds - a.began
	for _, arm := range a.few {
		s := &a.shown[arm]
		s.Low += float64(n)
		s.LowShare = a.shares.of(s.LowShare, a.laws[a.stands[a.began]][arm], n)
	}
	a.few = a.few[:0]
}

// repeated is what a number added n times comes to, one after the other, once for all
// arms and blocks that have the same.
type repeated struct {
	from, by, sum float64
	n             int
}

func (r *repeated) of(from, by float64, n int) float64 {
	if from != r.from || by != r.by || n != r.n {
		*r = repeated{from, by, from, n}
		for range n {
			r.sum += by
		}
	}
	return r.sum
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
	a.end()
	a.fill()
	for w, weigh := range a.weighings {
		if weigh == nil {
			a.evenMeans()
		}
		for i := range a.block {
			a.block[i] = a.blockOf(i, weigh)
			a.scored[w][i].Merge(&a.block[i])
		}
	}
	for i := range a.block {
		if a.kept { // [Arms.addIPW] has taken them up
			break
		}
		a.ipw[i].repeat(a.block[i].N-a.block[i].Pulls, 0)
	}
	a.contrast()
	a.rounds = 0
	clear(a.gone)
	clear(a.shown)
	for i := range a.pulled {
		a.pulled[i] = a.pulled[i][:0]
	}
}

// fill fills in the scores of all arms: the plug-in, but in rounds that played the arm.
// Propensities of all rounds are filled in where more than these are asked for.
func (a *Arms) fill() {
	n := a.rounds
	for i, g := range a.g {
		simd.Runs(g[:n], a.pulled[i], a.score, a.after, a.stood[i])
		if a.weighs || a.gone[i] {
			for t, law := range a.stands[:n] {
				a.p[i][t] = a.laws[law][i]
			}
		}
	}
}

// blockOf are the scores of an arm over the rounds that wait.
func (a *Arms) blockOf(arm int, weigh Weighting) Scores {
	h := a.ones[:a.rounds]
	if weigh == nil && !a.gone[arm] {
		out := Scores{Mean: a.block[arm].Mean, moves: a.movesOf(arm, weigh, h)}
		if a.known {
			out.Overlap = a.shown[arm]
			out.All = float64(a.rounds)
		}
		a.pulls(&out, arm, h)
		return out
	}
	h = a.h[arm][:a.rounds]
	last, weight := 0.0, 0.0
	for t, v := range a.p[arm][:a.rounds] {
		if v != last {
			if last, weight = v, 0; v != 0 {
				weight = weigh.of(v)
			}
		}
		h[t] = weight
	}
	return a.scoresOf(arm, weigh, h)
}

// of is the weight of a round.
func (w Weighting) of(p float64) float64 {
	if w == nil {
		return 1
	}
	return w(p)
}

// scoresOf returns the scores of an arm over the rounds that wait, with weights h.
func (a *Arms) scoresOf(arm int, weigh Weighting, h []float64) Scores {
	out := Scores{Mean: meanOf(h, a.g[arm][:len(h)]), moves: a.movesOf(arm, weigh, h)}
	if a.known {
		out.known(h, a.p[arm])
	}
	a.pulls(&out, arm, h)
	return out
}

// pulls takes up the rounds that played an arm.
func (a *Arms) pulls(to *Scores, arm int, h []float64) {
	for _, t := range a.pulled[arm] {
		if h[t] == 0 {
			continue
		}
		of := a.last.set(h[t], a.own[t])
		to.pull(of, a.reward[t])
		if !a.known {
			to.stands(of)
		}
	}
}

// contrast takes up the rounds that wait in the contrasts of all pairs.
func (a *Arms) contrast() {
	last := len(a.weighings) - 1
	var even []int // pairs
	for j, pair := range a.pairs {
		if a.weighings[last] == nil && !a.gone[pair[0]] && !a.gone[pair[1]] {
			even = append(even, j)
			continue
		}
		c := a.contrastOf(pair[0], pair[1])
		a.contrasts[j].Merge(&c)
	}
	a.evenContrasts(even)
}

// contrastOf is the contrast of two arms over the rounds that wait in which both could
// be played.
func (a *Arms) contrastOf(x, y int) Contrast {
	n, weigh := a.rounds, a.weighings[len(a.weighings)-1]
	hx, hy := a.weightsOf(x, weigh), a.weightsOf(y, weigh)
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
	for _, arm := range []int{x, y} {
		for t, law := range a.stands[:n] {
			a.p[arm][t] = a.laws[law][arm]
		}
	}
	sx, sy := a.scoresOf(x, weigh, bothX), a.scoresOf(y, weigh, bothY)
	return contrastOf(&sx, &sy, bothX, a.g[x][:n], bothY, a.g[y][:n])
}

// weightsOf returns an arm's weights of the rounds that wait, by the last weighting.
func (a *Arms) weightsOf(arm int, weigh Weighting) []float64 {
	if weigh == nil && !a.gone[arm] {
		return a.ones[:a.rounds]
	}
	return a.h[arm][:a.rounds]
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
	copy(a.next, o.next)
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
