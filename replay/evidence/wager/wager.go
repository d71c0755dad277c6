// Package wager holds the actions of a log against recomputed propensities, round by round,
// at any length of the log.
package wager

import (
	"math"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// Level is the rate at which the wager convicts actions that were drawn
// with the recomputed propensities, whenever it is looked at.
const Level = 0.001

// A wager on arm a at the odds e^θ multiplies what it has by
//
//	e^{θ·1{A_t = a}} / (1 − p_t(a) + p_t(a)·e^θ)  =  1 + λ_t·(1{A_t = a} − p_t(a))
//
// in round t, with λ_t = (e^θ − 1)/(1 − p_t(a) + p_t(a)·e^θ): its mean is 1 when
// a is played with probability p_t(a) given all that came before. The average of all wagers
// has mean 1 too,
//
//	M_t = 1/(K·J) Σ_a Σ_j Π_{s≤t} (1 + λ_s(a, θ_j)·(1{A_s = a} − p_s(a))),
//
// a nonnegative martingale that starts from 1: P(sup_t M_t ≥ 1/α) ≤ α (Ville,
// Étude critique de la notion de collectif, 1939), for any number of rounds. The
// odds are e^{±2^j}, j = −6 … 2: for and against each arm, from a hint to a
// conviction. Where units own several rounds, and each is declared to be drawn anew,
// there is one more such "arm" among K + 1: the arm of the unit's round before, which is
// known before the round.
const (
	leastOdds = -6
	mostOdds  = 2
	oddsCount = 2 * (mostOdds - leastOdds + 1)
)

// A wager below lost is lost for good, which only makes M_t smaller; once one is
// above won there is nothing left to show, and all stop.
const (
	lost = 1e-200
	won  = 1e+200
)

// Wager holds logged actions against recomputed propensities.
type Wager struct {
	odds  [oddsCount]float64   // e^θ
	worth [][oddsCount]float64 // by arm; behind them, where asked for, of the arm of the unit's round before
	paid  []factors            // likewise
	arms  int
	later int64   // rounds in which that arm was wagered on
	best  float64 // sup of M_t
	arm   int     // whose wagers are worth most where M_t was largest
	Level float64 // of a conviction
	round int64   // in which M_t reached 1/level; 0: it did not
	over  bool
	ahead *ahead // nil: rounds are taken as they come
}

// factors are what a round in which the arm is not played multiplies its wagers by, where
// its propensity lies between lo and hi. Many rounds have the factors of the round before.
type factors struct {
	lo, hi float64
	by     [oddsCount]float64
}

// New begins a wager on the given number of arms, and with units on the arm of the
// unit's round before.
func New(arms int, units bool) *Wager {
	n := arms
	if units {
		n++
	}
	w := &Wager{worth: make([][oddsCount]float64, n), paid: make([]factors, n), arms: arms, best: 1, Level: Level}
	for j := range w.odds {
		theta := math.Ldexp(1, leastOdds+j/2)
		if j%2 == 1 {
			theta = -theta
		}
		w.odds[j] = bitexact.Exp(theta)
	}
	for a := range w.worth {
		for j := range w.worth[a] {
			w.worth[a][j], w.paid[a].by[j] = 1, 1 // at a propensity of 0
		}
	}
	return w
}

// Take looks at a round in which arm was played and want were the propensities;
// before is the arm of the unit's round before, −1 where there is none.
func (w *Wager) Take(round int64, arm, before int, want []float64) {
	w.Within(round, arm, before, want, want)
}

// Within is take where it is only known between what the propensities are: a
// wager for an arm pays by the larger end, and one against it by the smaller, so
// that its mean is at most 1 whatever they are.
func (w *Wager) Within(round int64, arm, before int, lo, hi []float64) {
	if w.ahead != nil {
		w.ahead.gather(w, bet{round, arm, before, lo, hi})
		return
	}
	w.bet(bet{round, arm, before, lo, hi})
}

// bet is a round that is wagered on.
type bet struct {
	round       int64
	arm, before int
	lo, hi      []float64
}

// bet takes a round.
func (w *Wager) bet(b bet) {
	if w.over {
		return
	}
	arm, before, lo, hi := b.arm, b.before, b.lo, b.hi
	if !(hi[arm] > 0) {
		w.won(b.round, arm, math.Inf(1))
		return
	}
	total, most, at := 0.0, -1.0, 0
	for a := range w.worth {
		on := a
		if a == w.arms {
			on = before
		}
		sum := 0.0
		if on >= 0 {
			sum = w.multiply(a, on == arm, lo[on], hi[on])
		} else {
			for _, v := range w.worth[a] {
				sum += v
			}
		}
		if total += sum; sum > most {
			most, at = sum, a
		}
	}
	if before >= 0 && len(w.worth) > w.arms {
		w.later++
	}
	w.won(b.round, at, total/float64(oddsCount*len(w.worth)))
}

// multiply takes a round into the wagers on an arm, which was played or not, with a
// propensity between lo and hi, and returns what they are worth together.
func (w *Wager) multiply(a int, played bool, lo, hi float64) (sum float64) {
	paid, worth := &w.paid[a], &w.worth[a]
	if lo != paid.lo || hi != paid.hi {
		paid.lo, paid.hi = lo, hi
		for j, odds := range w.odds {
			p := hi
			if odds < 1 {
				p = lo
			}
			paid.by[j] = 1 / (1 - p + float64(p*odds))
		}
	}
	for j, factor := range paid.by {
		if played {
			factor *= w.odds[j]
		}
		v := float64(worth[j] * factor)
		if !(v > lost) {
			v = 0
		}
		worth[j] = v
		sum += v
	}
	return sum
}

// won notes what all wagers are worth after a round.
func (w *Wager) won(round int64, arm int, m float64) {
	if m > w.best {
		w.best, w.arm = m, arm
	}
	if w.round == 0 && m >= 1/w.Level {
		w.round = round
	}
	w.over = m > won
}

// Result is the test that the wager is.
func (w *Wager) Result(label func(arm int) string) *schemas.AllocationTest {
	w.ahead.settle(w)
	out := &schemas.AllocationTest{Level: w.Level, P: 1 / w.best, Later: w.later, Rejected: w.round > 0}
	switch {
	case !(w.best > 1):
	case w.arm == w.arms:
		out.Before = true
	default:
		out.Arm = label(w.arm)
	}
	if out.Rejected {
		out.Round = new(w.round)
	}
	return out
}

// Arms returns the number of arms.
func (w *Wager) Arms() int { return w.arms }

// Of the odds that a wager can take, the nearest to the best are off it by a factor of √2
// at most, and of the growth D²/(2V) of the best leave this part; see Deviations.
const (
	gridGrowth = 0.828 // 2√2 − 2
	power80    = 0.842 // normal quantile of 0.8
)

// Deviations returns Deviations of the wager's own arms and level.
func (w *Wager) Deviations() float64 { return Deviations(len(w.worth), w.Level) }

// Deviations returns how many standard deviations √V the plays of one of several arms have to
// be off for a wager to convict in four of five logs: with gridGrowth and power80
//
//	√(2·ln(n/level)/gridGrowth) + power80,  n the number of wagers
func Deviations(arms int, level float64) float64 {
	return math.Sqrt(2*math.Log(float64(oddsCount*arms)/level)/gridGrowth) + power80
}
