package eprocess

// Value bets on what another policy π would have earned in the rounds of the log,
//
//	V = (1/T)·Σ_t E[y_t under π_t | past, x_t]
//
// by ρ_t = π_t(A_t)/p_t(A_t): X = ρ·y has mean V_t and X' = ρ·(1−y) has mean 1 − V_t.
// [NewGain] bets on V less what the logging policy earned: X = ρ·y + (1−y) has mean
// 1 + δ_t and X' = ρ·(1−y) + y has mean 1 − δ_t. With the guesses m̂ of earlier
// rewards, and of V only,
//
//	φ = Σ_i π(i)·m̂_i + ρ·(y − m̂_A)
//
// has mean V_t. Valid at any time, without a bound on ρ, if the propensities are true
// and positive wherever π is. Sources as for [DifferenceProcess].
type Value struct {
	bets   *weighted
	plugin plugin
	gain   bool
}

// NewValue returns bets on the value of a policy over the given number of arms.
func NewValue(arms int) *Value {
	return &Value{bets: newWeighted(0, 1, 0), plugin: newPlugin(arms)}
}

// NewGain returns bets on the value of a policy less the value of the logging policy.
func NewGain(arms int) *Value {
	return &Value{bets: newWeighted(1, 1, -1), plugin: newPlugin(arms), gain: true}
}

// Target is a round as another policy sees it: the arm that was played, with its
// propensity P, the probability Target with which the other policy would have played
// it, or a lower bound of that, and the reward in [0,1]. All are the probabilities of all arms, of the log and of the
// other policy; they are nil where not all are known.
type Target struct {
	Arm       int
	P         Span
	Target    float64
	Reward    float64
	AllP      []float64
	AllTarget []float64
}

// Add takes up a round. One without the propensities of all arms ends the use of the
// plug-in, for all rounds, as does an arm that the other policy would play and that
// could not be played.
func (v *Value) Add(r *Target) {
	rho := Span{}
	if r.Target > 0 { // else 0 whatever p is, which may have 0 for its lower end
		rho = Span{Lo: r.Target / r.P.Hi, Hi: r.Target / r.P.Lo}
	}
	a, known := v.around(r, rho)
	x, mirrored := float64(rho.Lo*r.Reward), float64(rho.Lo*(1-r.Reward))
	if v.gain {
		x, mirrored = x+(1-r.Reward), mirrored+r.Reward
	}
	v.bets.add(x, mirrored, &a, known)
	v.plugin.add(r.Arm, r.Reward)
}

// AddMissing takes up a round whose reward is missing, or not yet known. It counts as 0
// in both directions, so that the interval stays one for all rounds, and ends the use of
// the plug-in.
func (v *Value) AddMissing() { v.bets.add(0, 0, nil, false) }

// around is what the plug-in makes of a round; known is false where it cannot be used.
func (v *Value) around(r *Target, rho Span) (out around, known bool) {
	if v.gain || v.bets.bare || r.AllP == nil || r.AllTarget == nil {
		return out, false
	}
	mean, below, above := 0.0, 0.0, 0.0
	for i, target := range r.AllTarget {
		if target == 0 {
			continue
		}
		if !(r.AllP[i] > 0) {
			return out, false
		}
		m := v.plugin.mean(i)
		mean += float64(target * m)
		below = max(below, float64(target/r.AllP[i]*m))
		above = max(above, float64(target/r.AllP[i]*(1-m)))
	}
	d := r.Reward - v.plugin.mean(r.Arm)
	one, other := mean+float64(rho.Lo*d), mean+float64(rho.Hi*d)
	return around{
		score: Span{Lo: min(one, other), Hi: max(one, other)},
		below: max(1, below-mean, -mean), belowDown: max(1, above+mean, mean),
	}, true
}

// Rounds returns how many rounds were taken up.
func (v *Value) Rounds() int64 { return int64(v.bets.n) }

// Evidence returns the evidence against a value after the last round, without the
// largest.
func (v *Value) Evidence(value float64) Evidence { return v.bets.evidence(value) }

// Estimate returns the value against which there is least evidence, which lies in every
// interval that holds anything; NaN before the first round.
func (v *Value) Estimate() float64 { return v.bets.estimate() }

// Interval returns the values with e < 1/α, between 0 and 1 and of a gain between −1
// and 1, and false where there is none: then propensities or range of rewards are
// wrong.
func (v *Value) Interval(logAlpha float64) (lo, hi float64, ok bool) {
	return v.bets.interval(logAlpha, BothSides)
}
