package estimate

import "math"

// Weighting is how rounds are weighed in an arm's mean of scores.
type Weighting func(p float64) float64

// Uniform weighs every round alike.
func Uniform(float64) float64 { return 1 }

// Root weighs by √p, under which the variance settles whatever the policy does
// (constant allocation, Hadad et al. 2021).
func Root(p float64) float64 { return math.Sqrt(p) }

// Share weighs by p.
func Share(p float64) float64 { return p }

// Round is a round of the log: the arm that was played, the probability of each arm,
// and the reward in [0,1]. An arm that could not be played has probability 0 and is
// left out of the round. Where that of the played arm alone is known, the others are
// NaN, and nothing but [Uniform] weighs.
type Round struct {
	Arm    int
	P      []float64
	Reward float64
}

// Arms are the estimates of all arms by one weighting, and of contrasts.
type Arms struct {
	weigh     Weighting
	plugin    Plugin
	ipw       []Mean
	ratio     []Mean
	scored    []Mean
	pairs     [][2]int
	contrasts []Contrast
	score, h  []float64
}

// NewArms returns estimates of so many arms, and of pairs of them, before the rounds
// that follow those of a plug-in.
func NewArms(before *Plugin, weigh Weighting, pairs [][2]int) *Arms {
	k := len(before.n)
	return &Arms{
		weigh: weigh, plugin: before.Clone(),
		ipw: make([]Mean, k), ratio: make([]Mean, k), scored: make([]Mean, k),
		pairs: pairs, contrasts: make([]Contrast, len(pairs)),
		score: make([]float64, k), h: make([]float64, k),
	}
}

// Add joins a round.
func (a *Arms) Add(r *Round) {
	for i, p := range r.P {
		a.h[i] = 0
		if p == 0 {
			continue
		}
		a.h[i] = a.weigh(p)
		a.score[i] = a.plugin.Mean(i)
		if i == r.Arm {
			w := 1 / p
			a.score[i] += float64(w * (r.Reward - a.score[i]))
			a.ipw[i].Add(1, float64(w*r.Reward))
			a.ratio[i].Add(w, r.Reward)
		} else {
			a.ipw[i].Add(1, 0)
		}
		a.scored[i].Add(a.h[i], a.score[i])
	}
	for i, pair := range a.pairs {
		if x, y := pair[0], pair[1]; r.P[x] != 0 && r.P[y] != 0 {
			a.contrasts[i].Add(a.h[x], a.score[x], a.h[y], a.score[y])
		}
	}
	a.plugin.Add(r.Arm, r.Reward)
}

// Merge joins the estimates of the rounds that follow, whose plug-in began where that
// of these ended. o stays as it is.
func (a *Arms) Merge(o *Arms) {
	for i := range a.ipw {
		a.ipw[i].Merge(&o.ipw[i])
		a.ratio[i].Merge(&o.ratio[i])
		a.scored[i].Merge(&o.scored[i])
	}
	for i := range a.contrasts {
		a.contrasts[i].Merge(&o.contrasts[i])
	}
	a.plugin = o.plugin.Clone()
}

// IPW is the weighted mean of an arm over the rounds in which it could be played.
func (a *Arms) IPW(arm int) *Mean { return &a.ipw[arm] }

// SNIPW is that mean divided by the mean of the weights.
func (a *Arms) SNIPW(arm int) *Mean { return &a.ratio[arm] }

// AIPW is the mean of an arm's scores by the weighting.
func (a *Arms) AIPW(arm int) *Mean { return &a.scored[arm] }

// Against is the contrast of a pair, by its place among the pairs: over the rounds in
// which both arms could be played.
func (a *Arms) Against(pair int) *Contrast { return &a.contrasts[pair] }
