package hypothesis

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/convex"
	"banditaudit/analyze/stat/moments"
	"banditaudit/replay/policy/bitexact"
)

// BetLooks keeps what the fixed bets of [Bets] had won on an arm after ⌈1.1^k⌉ of its
// rounds, k = 0, 1, …: times that are fixed before any reward is seen. They are 106 after
// 100,000 rounds and 179 after 10⁸, of 264 bytes each. It is not safe for concurrent use.
type BetLooks struct {
	betting *moments.Betting
	bets    moments.Bets
	power   int
	next    int64
	looks   []look
}

// look is what each bet on large and on small rewards had won after n rounds.
type look struct {
	n         float64
	low, high [moments.BetCount]float64
}

// NewBetLooks returns the looks before the first round of an arm with rewards in
// [lo, hi], lo < hi.
func NewBetLooks(lo, hi float64) *BetLooks {
	return &BetLooks{betting: moments.NewBetting(lo, hi), next: 1}
}

// Add joins the reward of the arm's next round.
func (l *BetLooks) Add(y float64) {
	l.betting.Add(&l.bets, y)
	l.look()
}

// Miss joins a round whose reward is not known, and counts as 0 for the bets in both
// directions.
func (l *BetLooks) Miss() {
	l.bets.N++
	l.look()
}

func (l *BetLooks) look() {
	if l.bets.N != l.next {
		return
	}
	l.looks = append(l.looks, lookAt(&l.bets))
	for l.next <= l.bets.N {
		l.power++
		l.next = int64(math.Ceil(bitexact.Pow(1.1, float64(l.power))))
	}
}

func lookAt(b *moments.Bets) look { return look{float64(b.N), b.Low(), b.High()} }

// RunningBets tests the mean of an arm that is one number in all its rounds, given
// everything before each, by the bets of [Bets] at their best: with e_n the evidence of
// [Bets] after n rounds of the arm,
//
//	p = min(1, 1/max e_n),  n = ⌈1.1^k⌉, k = 0, 1, …, and the last
//
// one-sided with E_low or E_high in place of e. At that mean each is a supermartingale, so
// that P(max e_n ≥ 1/α) ≤ α (Ville 1939); with a mean that moves none of this holds, and
// [Bets] does. The interval holds the values with p > α, which every look keeps: formula
// sheet, second part, 22.1. Special cases are the same as in [Bets], and
//
//	no value is kept by every look: the interval is NaN, with a warning; by chance at most with probability α
func RunningBets(b *Betted, before *BetLooks, value float64, alt Alternative, logAlpha float64) Result {
	r := Bets(b, value, alt, logAlpha)
	if math.IsNaN(r.LogP) || b.N == 0 {
		return r
	}
	all := slices.Concat(before.looks, []look{lookAt(&b.Bets)})
	r.LogP = min(0, -most(all, alt, b.unit(value)))
	inside := 1.0 // which bets on large rewards never leave
	switch alt {
	case Greater:
	case Less:
		inside = 0
	case TwoSided:
		var least float64
		if inside, least = convex.Least(0, 1, func(m float64) float64 { return most(all, alt, m) }); !(least < -logAlpha) {
			r.Lo, r.Hi = math.NaN(), math.NaN()
			r.Warnings = []string{"bets: no mean fits the rewards at all times: it is not one number in all rounds"}
			return r
		}
	}
	lo, hi := inverted(0, 1, inside, alt, func(m float64) bool { return most(all, alt, m) < -logAlpha })
	r.Lo, r.Hi = b.scaled(lo), b.scaled(hi)
	return r
}

// most is ln of the largest evidence of looks against m on the side of an alternative.
func most(looks []look, alt Alternative, m float64) float64 {
	low, high, out := costs(m), costs(1-m), math.Inf(-1)
	for i := len(looks) - 1; i >= 0; i-- {
		l := &looks[i]
		x, topX := l.left(&l.low, &low)
		y, topY := l.left(&l.high, &high)
		switch { // an average is at most its largest part
		case alt == Greater && topX > out:
			out = max(out, logAverage(x))
		case alt == Less && topY > out:
			out = max(out, logAverage(y))
		case alt == TwoSided && max(topX, topY) > out:
			out = max(out, logHalf(logAverage(x), logAverage(y)))
		}
	}
	return out
}

// costs are what each bet pays for a round, ln(1 + θ·m).
func costs(m float64) (out [moments.BetCount]float64) {
	for j := range out {
		out[j] = math.Log1p(float64(moments.BetSize(j) * m))
	}
	return out
}

// left is what gains leave of each bet after its costs, and the most of it.
func (l *look) left(gains, cost *[moments.BetCount]float64) (out [moments.BetCount]float64, top float64) {
	top = math.Inf(-1)
	for j := range out {
		out[j] = gains[j] - float64(l.n*cost[j])
		top = max(top, out[j])
	}
	return out, top
}
