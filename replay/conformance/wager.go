package conformance

import (
	"math"

	"banditaudit/schemas"
)

// wagerLevel is the rate at which the wager convicts actions that were drawn
// with the recomputed propensities, whenever it is looked at.
const wagerLevel = 0.001

// A wager on arm a at the odds e^θ multiplies what it has by
//
//	e^{θ·1{A_t = a}} / (1 − p_t(a) + p_t(a)·e^θ)  =  1 + λ_t·(1{A_t = a} − p_t(a))
//
// in round t, with λ_t = (e^θ − 1)/(1 − p_t(a) + p_t(a)·e^θ): its mean is 1 when
// a is played with probability p_t(a) given all that came before, and so is that
// of the mean of all wagers,
//
//	M_t = 1/(K·J) Σ_a Σ_j Π_{s≤t} (1 + λ_s(a, θ_j)·(1{A_s = a} − p_s(a))),
//
// a nonnegative martingale that starts from 1: P(sup_t M_t ≥ 1/α) ≤ α (Ville,
// Étude critique de la notion de collectif, 1939), for any number of rounds. The
// odds are e^{±2^j}, j = −6 … 2: for and against each arm, from a hint to a
// conviction.
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

// wager holds logged actions against recomputed propensities.
type wager struct {
	odds  [oddsCount]float64   // e^θ
	worth [][oddsCount]float64 // by arm
	best  float64              // sup of M_t
	arm   int                  // whose wagers are worth most where M_t was largest
	round int64                // in which M_t reached 1/wagerLevel; 0: it did not
	over  bool
}

func newWager(arms int) *wager {
	w := &wager{worth: make([][oddsCount]float64, arms), best: 1}
	for j := range w.odds {
		theta := math.Ldexp(1, leastOdds+j/2)
		if j%2 == 1 {
			theta = -theta
		}
		w.odds[j] = math.Exp(theta)
	}
	for a := range w.worth {
		for j := range w.worth[a] {
			w.worth[a][j] = 1
		}
	}
	return w
}

// take looks at a round in which arm was played and want were the propensities.
func (w *wager) take(round int64, arm int, want []float64) { w.within(round, arm, want, want) }

// within is take where it is only known between what the propensities are: a
// wager for an arm pays by the larger end, and one against it by the smaller, so
// that its mean is at most 1 whatever they are.
func (w *wager) within(round int64, arm int, lo, hi []float64) {
	if w.over {
		return
	}
	if !(hi[arm] > 0) {
		w.won(round, arm, math.Inf(1))
		return
	}
	total, most, at := 0.0, -1.0, 0
	for a := range w.worth {
		sum := 0.0
		for j, odds := range w.odds {
			p := hi[a]
			if odds < 1 {
				p = lo[a]
			}
			factor := 1 / (1 - p + float64(p*odds))
			if a == arm {
				factor *= odds
			}
			v := float64(w.worth[a][j] * factor)
			if !(v > lost) {
				v = 0
			}
			w.worth[a][j] = v
			sum += v
		}
		if total += sum; sum > most {
			most, at = sum, a
		}
	}
	w.won(round, at, total/float64(oddsCount*len(w.worth)))
}

// won notes what all wagers are worth after a round.
func (w *wager) won(round int64, arm int, m float64) {
	if m > w.best {
		w.best, w.arm = m, arm
	}
	if w.round == 0 && m >= 1/wagerLevel {
		w.round = round
	}
	w.over = m > won
}

// result is the test that the wager is.
func (w *wager) result(j *job) *schemas.AllocationTest {
	out := &schemas.AllocationTest{Level: wagerLevel, P: 1 / w.best, Rejected: w.round > 0}
	if w.best > 1 {
		out.Arm = j.label(w.arm)
	}
	if out.Rejected {
		out.Round = new(w.round)
	}
	return out
}
