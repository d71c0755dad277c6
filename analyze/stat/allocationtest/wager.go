package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// WagerSteps is the number of sizes of a wager: ½, ¼, …, 2^−16. Fixed in
// advance and not tuned to the log, they make the bound hold for any
// propensities and any stopping; the smallest serves logs of 10⁹ rounds.
const WagerSteps = 16

// wager is an account that bets, in every round and at even odds or worse, on a
// quantity X_t ≥ 0 whose mean given the past is at most 1:
//
//	M(λ) = Π_t (1 + λ·(X_t − 1))
//
// is a non-negative supermartingale for each λ in [0, 1], so that the mean M of
// M(λ) over the sizes satisfies P(M ≥ 1/α) ≤ α (Ville 1939; for bets see
// Waudby-Smith & Ramdas 2024, doi 10.1093/jrsssb/qkad009). Nothing is asked of
// the size of X_t or of its variance. Rounds with X_t = 0 are only counted, at
// the end.
type wager struct {
	rows    int64
	product [WagerSteps]float64 // of the factors that are not yet in logs
	logs    [WagerSteps]float64
	x       float64             // of the round before
	factor  [WagerSteps]float64 // 1 + λ·(x − 1)
}

func newWager() *wager {
	w := &wager{}
	w.clear()
	return w
}

// clear sets the products to 1.
func (w *wager) clear() {
	for j := range w.product {
		w.product[j] = 1
	}
}

// add takes up a round with X_t = x > 0.
func (w *wager) add(x float64) {
	// Between two looks products grow by a factor of 10¹²⁰ at most.
	const large, every = 1e15, 8
	if x > large {
		w.settle()
	}
	w.rows++
	if x != w.x { // many rounds have the same
		w.x = x
		bet := x - 1
		for j := range w.factor {
			bet = float64(bet / 2)
			w.factor[j] = 1 + bet
		}
	}
	for j, by := range &w.factor {
		w.product[j] *= by
	}
	if x > large || w.rows%every == 0 {
		w.look()
	}
}

// look settles where a product is far from 1.
func (w *wager) look() {
	const high, low = 1e150, 1e-150
	for _, p := range w.product {
		if p > high || p < low {
			w.settle()
			return
		}
	}
}

// settle takes the products into the logarithms.
func (w *wager) settle() {
	for j, p := range w.product {
		w.logs[j] += math.Log(p)
	}
	w.clear()
}

// merge joins the account of other rounds, which stays as it is.
func (w *wager) merge(o *wager) {
	w.settle()
	w.rows += o.rows
	for j, p := range o.product {
		w.logs[j] += o.logs[j] + math.Log(p)
	}
}

// logE returns ln M after the given number of rounds, and what it would be with
// the rows that have X_t > 0 repeated scale times; scale 1 is the log as it is.
func (w *wager) logE(rounds int64, scale float64) float64 {
	var terms [WagerSteps]float64
	idle := max(0, float64(rounds)-float64(scale*float64(w.rows)))
	lambda := 1.0
	for j := range terms {
		lambda /= 2
		terms[j] = float64(scale*(w.logs[j]+math.Log(w.product[j]))) + float64(idle*math.Log1p(-lambda))
	}
	return tail.LogMeanExp(terms[:])
}

// detectable is the share by which Σ X_t must exceed the rounds for the account
// to reach −logLevel in 80 % of logs: rows like the log's are repeated until it does, and
// sd, the standard error of Σ X_t, is added for the chance that the excess is not met in
// full. Special cases are:
//
//	no such rows, or not reached when there is nothing else: +Inf
func (w *wager) detectable(rounds int64, sum, sd, logLevel float64) float64 {
	if w.rows == 0 || !(sum > 0) {
		return math.Inf(1)
	}
	t := float64(rounds)
	low, high := min(1, t/sum), t/float64(w.rows)
	if w.logE(rounds, high) < -logLevel {
		return math.Inf(1)
	}
	const halvings = 60
	for range halvings {
		middle := (low + high) / 2
		if w.logE(rounds, middle) < -logLevel {
			low = middle
		} else {
			high = middle
		}
	}
	return high*sum/t - 1 + float64(tail.NormalQuantile(math.Log(1-allocationPower))*sd*math.Sqrt(high))/t
}
