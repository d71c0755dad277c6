package allocationtest

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/tail"
)

// RepeatsLevel is what the test of splits gives away of its level where units own
// several rounds and each is declared to be drawn anew: there the arm of a round is
// also held against the arm of the unit's round before.
const RepeatsLevel = SplitsLevel / 2

// Repeats holds the rounds of units against the arm of the unit's round before, b:
// where each is drawn anew with its propensities, that arm is played again as often
// as its propensity says. Over the rounds in which b could be played,
//
//	M(λ) = Π (1 + λ·(1{A=b}/p⁺ − 1)),  λ = 2⁻¹ … 2⁻¹⁶ with equal weights
//
// p⁺ the upper end of what the logged propensity of the action allows. b is known
// before the round, so that 1{A=b}/p⁺ has mean at most 1 given all earlier rounds, of
// whatever units, and M is a non-negative supermartingale in the order of the log.
// Where the propensity of b is known in every round there is a second account, of
// arms that are played again too seldom,
//
//	M(λ) = Π (1 − λ·1{A=b})·exp(λp⁻ + (λp⁻)²/2)
//
// see Splits, and one on all earlier rounds of the unit, UnitPlays. e is the average of the
// accounts, at the end of the log alone: its
// mean is at most 1, and P(e ≥ 1/level) ≤ level (Markov). A product does not depend
// on the order of its factors, so that rounds may be added in any order. A Repeats is
// not safe for concurrent use.
type Repeats struct {
	// Plays is one account more, on all earlier rounds of the unit; nil: there is none.
	Plays *UnitPlays

	level    float64
	deficits bool

	wager             *wager
	rounds            int64
	inverse, variance float64 // over rounds that repeat: Σ1/p⁺, Σ(1/p⁺² − 1/p⁺)
	low, squares      float64 // over all: Σp⁻, Σ(p⁻)²
	expected          float64 // over all: Σp, where it is known
}

// NewRepeats returns empty accounts. level is the level of e in this experiment; deficits
// says that Add is given the propensity of the arm of the round before.
func NewRepeats(level float64, deficits bool) *Repeats {
	return &Repeats{level: level, deficits: deficits, wager: newWager()}
}

// Add takes up a round in which the arm of the unit's round before could be played:
// whether it was, the upper end of the propensity of the action, in (0, 1], and the
// lower end of the propensity of the arm of the round before, which is read with deficits
// only.
func (r *Repeats) Add(repeats bool, high, low float64) {
	r.rounds++
	if r.deficits {
		r.low += low
		r.squares += float64(low * low)
	}
	if !repeats {
		return
	}
	x := 1 / high
	r.inverse += x
	r.variance += float64(x*x) - x
	r.wager.add(x)
}

// Expect takes up, beside Add, the propensity of the arm of the round before.
func (r *Repeats) Expect(p float64) { r.expected += p }

// RepeatsResult is what the accounts say.
type RepeatsResult struct {
	Rounds      int64   // in which the arm of the unit's round before could be played
	Repeated    int64   // of these, those that played it
	Expected    float64 // Σp of the arm of the unit's round before over these rounds; 0 where it is not known
	Accounts    int     // that are averaged
	Level       float64 // of the average, in this experiment
	LogE        float64 // ln of the average
	Rejected    bool    // it reached 1/Level
	Underserved bool    // the account on arms played again too seldom is the larger, not the one on too often
	ByPlays     bool    // the account on all earlier rounds of the unit is the largest
	Favourable  int64   // UnitPlays.Rounds; 0 without that account
	Favoured    int64   // Favoured of UnitPlays; 0 without that account
	Favouring   float64 // likewise UnitPlays.Expected
	Deviation   float64 // 100·(Σ1{A=b}/p⁺ over the rounds − 1), of a deficit 100·(repeated/Σp⁻ − 1), in per cent; NaN without rounds
	Least       float64 // how much more often than by its propensity the arm would be played again to be found in about three of four logs, in per cent of the propensity; NaN: no deviation would be
}

// Result is the outcome of the rounds that were added. Special cases are:
//
//	no rounds: LogE is 0, nothing is rejected
func (r *Repeats) Result() RepeatsResult {
	values := []float64{r.wager.logE(r.rounds, 1)}
	if r.deficits {
		values = append(values, r.deficit())
	}
	if r.Plays != nil {
		values = append(values, r.Plays.LogE())
	}
	out := RepeatsResult{Rounds: r.rounds, Repeated: r.wager.rows, Expected: r.expected, Accounts: len(values), Level: r.level, LogE: tail.LogMeanExp(values), Deviation: math.NaN(), Least: r.least(len(values))}
	out.Rejected = out.LogE >= -math.Log(r.level)
	if r.Plays != nil {
		out.ByPlays = out.LogE > 0 && values[len(values)-1] == slices.Max(values)
		out.Favourable, out.Favoured, out.Favouring = r.Plays.Rounds, r.Plays.Favoured, r.Plays.Expected
	}
	if r.rounds == 0 {
		return out
	}
	out.Deviation = float64(100*r.inverse)/float64(r.rounds) - 100
	if r.deficits && values[1] > max(0, values[0]) && r.low > 0 {
		out.Underserved, out.Deviation = true, float64(100*float64(r.wager.rows))/r.low-100
	}
	return out
}

// deficit is ln M of the account on arms that are played again too seldom.
func (r *Repeats) deficit() float64 {
	rows := float64(r.wager.rows)
	var terms [WagerSteps]float64
	lambda := 1.0
	for j := range terms {
		lambda /= 2
		terms[j] = float64(rows*math.Log1p(-lambda)) + float64(lambda*r.low) + float64(lambda*lambda*r.squares/2)
	}
	return tail.LogMeanExp(terms[:])
}

// least returns the smallest deviation, as Splits has it, over a number of accounts.
func (r *Repeats) least(accounts int) float64 {
	n := float64(r.rounds)
	v := r.variance / n
	rho := 100 * math.Sqrt(float64(2*v*(math.Log(float64(WagerSteps*accounts)/r.level)+5))/n)
	if !(v > 0) || rho > 100*v {
		return math.NaN()
	}
	return rho
}
