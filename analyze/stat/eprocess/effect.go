package eprocess

// DifferenceProcess bets on the difference of two arms' means over all rounds,
//
//	δ = (1/T)·Σ_t E[y_t(a) − y_t(b) | past, x_t]
//
// by the weights w_i = 1{A_t = i}/p_t(i). X = w_a·y + w_b·(1−y) has mean 1 + δ_t and
// X' = w_b·y + w_a·(1−y) has mean 1 − δ_t. With the guesses m̂ of earlier rewards,
//
//	φ = m̂_a − m̂_b + w_a·(y − m̂_a) − w_b·(y − m̂_b)
//
// has mean δ_t, and b bounds −φ: the largest, over what the round can bring, of
// m̂_a/p_a, (1−m̂_b)/p_b and 0, less m̂_a − m̂_b, and 1 at least.
//
// Valid at any time, for any policy and any drift, if the propensities are true.
// Evidence against δ = 0 is also evidence against equal laws in every round, for
// which its largest value counts. Rounds with p_t(a) = 0 or p_t(b) = 0 may enter
// without the plug-in: the means are then at most 1 ± δ_t and the interval stays
// valid, for all rounds. Own proof, internally reviewed; X' is after Waudby-Smith,
// Wu, Ramdas, Karampatziakis & Mineiro, https://arxiv.org/abs/2210.10768.
type DifferenceProcess struct {
	bets   *weighted
	plugin plugin
}

// NewEffect returns bets on a pair before its first round.
func NewEffect() *DifferenceProcess {
	return &DifferenceProcess{bets: newWeighted(1, 1, -1), plugin: newPlugin(2)}
}

// Neither is the arm of a round that played neither arm of a pair, or whose reward is
// missing or not yet known and counts as 0 on both sides.
const Neither = -1

// Played is a round as a pair sees it: which of the two was played, 0 or 1 or
// [Neither], with what propensities, and the reward in [0,1]. Where the propensity of
// the played arm alone is known, the other is the zero Span.
type Played struct {
	Arm    int
	P      [2]Span
	Reward float64
}

// Add takes up a round. A propensity between two ends enters by the one that leaves
// less evidence. A round in which one of the two propensities is 0 or not known ends
// the use of the plug-in, for all rounds.
func (e *DifferenceProcess) Add(r Played) {
	a, known := e.around(&r)
	var x, mirrored float64
	if r.Arm >= 0 {
		w := 1 / r.P[r.Arm].Hi
		x, mirrored = w*r.Reward, w*(1-r.Reward)
	}
	if r.Arm == 1 {
		x, mirrored = mirrored, x
	}
	e.bets.add(x, mirrored, &a, known)
	if r.Arm >= 0 {
		e.plugin.add(r.Arm, r.Reward)
	}
}

// around is what the plug-in makes of a round; known is false where it cannot be used.
func (e *DifferenceProcess) around(r *Played) (out around, known bool) {
	if !(r.P[0].Lo > 0 && r.P[1].Lo > 0) {
		return out, false
	}
	ma, mb := e.plugin.mean(0), e.plugin.mean(1)
	d := ma - mb
	out = around{
		score:     Exactly(d),
		below:     max(1, max(ma/r.P[0].Lo, (1-mb)/r.P[1].Lo)-d, -d),
		belowDown: max(1, max((1-ma)/r.P[0].Lo, mb/r.P[1].Lo)+d, d),
	}
	switch r.Arm {
	case 0:
		out.score = weighed(d, r.Reward-ma, r.P[0])
	case 1:
		out.score = weighed(d, mb-r.Reward, r.P[1])
	}
	return out, true
}

// weighed is d + x/p where p lies between two ends.
func weighed(d, x float64, p Span) Span {
	u, v := d+float64(x/p.Lo), d+float64(x/p.Hi)
	return Span{Lo: min(u, v), Hi: max(u, v)}
}

// Rounds returns how many rounds were taken up.
func (e *DifferenceProcess) Rounds() int64 { return int64(e.bets.n) }

// Evidence returns the evidence against δ after the last round, without the largest.
func (e *DifferenceProcess) Evidence(delta float64) Evidence { return e.bets.evidence(delta) }

// NoDifference returns the evidence against δ = 0, with the largest that it was.
func (e *DifferenceProcess) NoDifference() Evidence { return e.bets.atZero() }

// Estimate returns the δ in [−1,1] against which there is least evidence, which lies in
// every interval that holds anything; NaN before the first round.
func (e *DifferenceProcess) Estimate() float64 { return e.bets.estimate() }

// Interval returns the values of δ in [−1,1] with e < 1/α, and false where there is
// none: then propensities or range of rewards are wrong. of says whether e is the evidence
// of both sides, or of one, by which the interval has one end: each is a wager by itself.
func (e *DifferenceProcess) Interval(logAlpha float64, of func(Sides) float64) (lo, hi float64, ok bool) {
	return e.bets.interval(logAlpha, of)
}

// plugin guesses the mean of each arm's rewards from the rounds before,
// (S + ½)/(N + 1), between 0 and 1.
type plugin struct{ n, sum []float64 }

func newPlugin(arms int) plugin {
	return plugin{n: make([]float64, arms), sum: make([]float64, arms)}
}

func (p *plugin) mean(arm int) float64 { return (p.sum[arm] + 0.5) / (p.n[arm] + 1) }

func (p *plugin) add(arm int, y float64) {
	p.n[arm]++
	p.sum[arm] += y
}
