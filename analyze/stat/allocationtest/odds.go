package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// OddsLevel is what the test of splits gives away of its level where it is known
// which arm is the likelier one: how often that is played is then held against its
// own propensity.
const OddsLevel = SplitsLevel / 5

// oddsNear is the propensity from which on rounds have accounts of their own.
const oddsNear = .8

// Odds holds the rounds against the size of their own propensities. Let B be the arm
// with the largest logged propensity among those that could be played, the first of
// several. Where the propensities of all arms are logged B is known before the arm A
// is drawn, and so are the ends p⁻ ≤ p_B ≤ p⁺ that the decimals allow. The account
//
//	M(λ) = Π (1 + λ·(X − 1)),  λ = 2⁻¹ … 2⁻¹⁶ with equal weights
//
// with X = 1{A=B}/p⁺ is on B being played too often, and that with
// X = 1{A≠B}/(1 − p⁻) on its being played too seldom. Two more are on the rounds with
// p⁺ ≥ .8 alone. Each X has mean at most 1 given all earlier rounds.
//
// Of two arms the propensity of the played arm alone, between q⁻ and q⁺, is enough:
//
//	X = 1{q⁻ > ½}/q⁺ and X = 1{q⁺ < ½}/q⁺
//
// in every round. At most one arm has a propensity above ½, and that has q⁻ > ½ only
// if it does; likewise below ½. So the mean of X is at most 1 whatever the rounding. A
// round in which neither holds is not passed over, since that may depend on the arm
// that was played: X is 0.
//
// e is the average of the accounts, at the end of the log alone: its mean is at most
// 1, and P(e ≥ 1/level) ≤ level (Markov). A product does not depend on the order of
// its factors, so that rounds may be added in any order. An Odds is not safe for
// concurrent use.
type Odds struct {
	level float64
	all   bool
	sides [2]oddsSide // all rounds, and those with p⁺ ≥ .8
	idle  int64       // rounds in which neither arm is known to be the likelier one
}

// oddsSide are the accounts of some rounds.
type oddsSide struct {
	OddsRounds

	often, seldom oddsAccount
}

// oddsAccount is one of them; variance is Σ(X² − X).
type oddsAccount struct {
	*wager

	variance float64
}

func (a *oddsAccount) take(x float64) {
	a.variance += float64(x*x) - x
	a.add(x)
}

// NewOdds returns empty accounts. level is the level of e in this experiment; all says that
// the propensities of all arms are logged.
func NewOdds(level float64, all bool) *Odds {
	o := &Odds{level: level, all: all}
	for i := range o.sides {
		o.sides[i].often.wager, o.sides[i].seldom.wager = newWager(), newWager()
	}
	return o
}

// Add takes up a round of which the propensities of all arms are logged, and in which
// more than one could be played: whether the likelier arm was, its logged propensity
// p, and the ends of that in [0, 1]. A round whose lower end is 1 is passed over.
func (o *Odds) Add(likelier bool, p, low, high float64) {
	if low >= 1 {
		return
	}
	o.sides[0].round(likelier, p, low, high)
	if high >= oddsNear {
		o.sides[1].round(likelier, p, low, high)
	}
}

func (s *oddsSide) round(likelier bool, p, low, high float64) {
	s.Rounds++
	s.Expected += p
	if !likelier {
		s.seldom.take(1 / (1 - low))
		return
	}
	s.Likelier++
	s.often.take(1 / high)
}

// AddPlayed takes up a round of two arms, by the logged propensity p of the one that
// was played and its ends in (0, 1].
func (o *Odds) AddPlayed(p, low, high float64) {
	s := &o.sides[0]
	switch {
	case low > .5:
		s.Rounds++
		s.Likelier++
		s.Expected += p
		s.often.take(1 / high)
	case high < .5:
		s.Rounds++
		s.Expected += 1 - p
		s.seldom.take(1 / high)
	default:
		o.idle++
	}
}

// OddsRounds counts rounds that have a likelier arm.
type OddsRounds struct {
	Rounds   int64
	Likelier int64   // of these, those that played it
	Expected float64 // the sum of its logged propensities
}

// Deviation is 100·(Likelier/Expected − 1), in per cent; NaN without rounds.
func (r *OddsRounds) Deviation() float64 {
	return float64(100*float64(r.Likelier))/r.Expected - 100
}

// OddsResult is what the accounts say.
type OddsResult struct {
	Overall, Near OddsRounds // all rounds, and those in which p⁺ of the likelier arm is at least .8; of the played arm alone there are none of these
	Accounts      int        // that are averaged
	Level         float64    // of the average, in this experiment
	LogE          float64    // ln of the average
	Rejected      bool       // it reached 1/Level
	ByNear        bool       // the largest account is on the rounds of Near
	Seldom        bool       // the largest account is on a likelier arm that is played too seldom
	// LeastOften is how much more often than by its propensity the likelier arm would
	// be played to be found in about three of four logs, and LeastSeldom how much more
	// often the others, together; in per cent of that propensity, over all rounds. NaN:
	// no deviation would be.
	LeastOften, LeastSeldom float64
}

// Told are the rounds that the largest account is on.
func (r *OddsResult) Told() *OddsRounds {
	if r.ByNear {
		return &r.Near
	}
	return &r.Overall
}

// Result is the outcome of the rounds that were added. Special cases are:
//
//	no rounds: LogE is 0, nothing is rejected
func (o *Odds) Result() OddsResult {
	out := OddsResult{Level: o.level, Overall: o.sides[0].OddsRounds, Near: o.sides[1].OddsRounds}
	sides := o.sides[:1]
	if o.all {
		sides = o.sides[:]
	}
	var values []float64
	largest := 0
	for i := range sides {
		s := &sides[i]
		for _, a := range []*oddsAccount{&s.often, &s.seldom} {
			values = append(values, a.logE(s.Rounds+o.idle, 1))
			if at := len(values) - 1; values[at] > values[largest] {
				largest = at
			}
		}
	}
	out.Accounts, out.LogE = len(values), tail.LogMeanExp(values)
	out.Rejected = out.LogE >= -math.Log(o.level)
	out.ByNear, out.Seldom = largest/2 == 1, largest%2 == 1
	out.LeastOften, out.LeastSeldom = o.least(&o.sides[0].often), o.least(&o.sides[0].seldom)
	return out
}

// least is the smallest deviation of an account over all rounds, in per cent. With n
// rounds that have a likelier arm, and i that have none, it is the smallest ρ over λ
// with
//
//	n·(a·ln(1+λV) + (1−a)·ln(1−λ)) + i·ln(1−λ) = ln(16·accounts/level) + 5,  a = (1+ρ)/(1+V)
//
// V the mean of X² − X, as Splits has it; there is no ρ above V.
func (o *Odds) least(a *oddsAccount) float64 {
	accounts := 2.
	if o.all {
		accounts = 4
	}
	n := float64(o.sides[0].Rounds)
	need, v := math.Log(WagerSteps*accounts/o.level)+5, a.variance/n
	out, lambda := math.Inf(1), 1.
	for range WagerSteps {
		lambda /= 2
		lost := -math.Log1p(-lambda)
		share := (need/n + float64(lost*(1+float64(o.idle)/n))) / (math.Log1p(float64(lambda*v)) + lost)
		out = min(out, float64(share*(1+v))-1)
	}
	if !(v > 0) || !(out <= v) {
		return math.NaN()
	}
	return 100 * out
}
