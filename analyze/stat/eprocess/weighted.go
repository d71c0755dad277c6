package eprocess

import (
	"math"

	"banditaudit/analyze/stat/convex"
	"banditaudit/analyze/stat/moments"
)

// The blocks of bets of a [weighted]: on the plain weights and on those around a
// plug-in, each for the number above and below what is asked.
const (
	plainUp = iota
	plainDown
	aroundUp
	aroundDown
	weightedBlocks
)

// The unions of blocks of which the largest average is kept.
const (
	plainBoth = iota
	plainOnlyUp
	plainOnlyDown
	allBoth
	allUp
	allDown
)

// weighted is evidence about a number δ by sixteen fixed bets θ_j of [moments.BetSize]
// on each of four blocks. In every round
//
//	X ≥ 0 has mean up + δ_t,   X' ≥ 0 has mean down − δ_t         (plain)
//	φ ≥ −b has mean δ_t,       −φ ≥ −b' has mean −δ_t             (around a plug-in)
//
// given the past, with δ the mean of δ_t over the rounds, and the evidence against δ is
// the average of
//
//	Π(1 + θ·X)/(1 + θ·(up + δ)),  Π(1 + θ·X')/(1 + θ·(down − δ))
//	Π(1 + θ·φ)/(1 + θ·δ),         Π(1 − θ·φ)/(1 − θ·δ)
//
// A bet around a plug-in with θ·b ≥ 1 is abandoned for good; b is known before the
// round. ln is concave, so that each product is at most a martingale with mean 1 where
// δ is true (own proof, internally reviewed).
type weighted struct {
	n        float64
	up, down float64
	least    float64 // of δ, for the interval
	size     [moments.BetCount]float64
	price    [2][moments.BetCount]float64 // 1/(1 + θ·up), 1/(1 + θ·down)
	alive    [2]int                       // bets around a plug-in that are not abandoned, upwards and downwards: the smallest sizes
	known    [2][4]plainRound             // of either plain block, from rounds before
	next     [2]int                       // which of these is the oldest
	purse    *capital
	bare     bool // a round had nothing around a plug-in
}

// plainRound is what the bets of a plain block win in a round, and the ends of that: many
// rounds have one of few x.
type plainRound struct {
	x, least, most float64
	won            [moments.BetCount]float64
}

func newWeighted(up, down, least float64) *weighted {
	w := &weighted{up: up, down: down, least: least, alive: [2]int{moments.BetCount, moments.BetCount}}
	w.purse = newPurse(weightedBlocks, moments.BetCount,
		[]int{plainUp, plainDown}, []int{plainUp}, []int{plainDown},
		[]int{plainUp, plainDown, aroundUp, aroundDown}, []int{plainUp, aroundUp}, []int{plainDown, aroundDown})
	for j := range w.size {
		size := moments.BetSize(j)
		w.size[j], w.price[0][j], w.price[1][j] = size, 1/(1+float64(size*up)), 1/(1+float64(size*down))
	}
	for block := range w.known {
		for i := range w.known[block] {
			w.known[block][i].x = math.NaN()
		}
	}
	return w
}

// around is what a plug-in makes of a round: φ between its two ends, and how far
// below 0 φ and −φ can fall, known before the round.
type around struct {
	score     Span
	below     float64 // b ≥ 1
	belowDown float64 // b' ≥ 1
}

// add takes up a round. Where nothing is known around a plug-in the bets around one are
// left out from then on, and of what they won nothing counts.
func (w *weighted) add(x, mirrored float64, a *around, known bool) {
	w.n++
	w.bare = w.bare || !known
	w.plain(plainUp, x)
	w.plain(plainDown, mirrored)
	if !w.bare {
		w.bet(0, a.below, a.score.Lo)
		w.bet(1, a.belowDown, -a.score.Hi)
	}
	w.purse.round()
}

// plain lets the bets of a plain block win (1 + θ·x)/(1 + θ·up), or down for up.
func (w *weighted) plain(block int, x float64) {
	round := w.plainRound(block, x)
	won := (*[moments.BetCount]float64)(w.purse.won(block))
	for j, by := range &round.won {
		won[j] *= by
	}
	w.purse.settle(block, moments.BetCount, round.least, round.most)
}

// plainRound is what those bets win. In θ it goes one way, so that no bet wins more, or
// less, than both the first and the last.
func (w *weighted) plainRound(block int, x float64) *plainRound {
	known := &w.known[block]
	for i := range known {
		if known[i].x == x {
			return &known[i]
		}
	}
	round, price := &known[w.next[block]], &w.price[block]
	w.next[block] = (w.next[block] + 1) % len(known)
	round.x = x
	for j, size := range &w.size {
		round.won[j] = float64((1 + float64(size*x)) * price[j])
	}
	first, last := round.won[0], round.won[moments.BetCount-1]
	round.least, round.most = min(first, last), max(first, last)
	return round
}

// bet lets the bets around a plug-in on one side win 1 + θ·gain, after those are
// abandoned that could lose more than they have.
func (w *weighted) bet(side int, most, gain float64) {
	block := aroundUp + side
	alive := w.alive[side]
	for alive > 0 && float64(w.size[alive-1]*most) >= 1 {
		alive--
		w.purse.abandon(block*moments.BetCount + alive)
	}
	if w.alive[side] = alive; alive == 0 {
		return
	}
	won := w.purse.won(block)[:alive]
	for j, size := range w.size[:alive] {
		won[j] *= 1 + float64(size*gain)
	}
	first, last := 1+float64(w.size[0]*gain), 1+float64(w.size[alive-1]*gain)
	w.purse.settle(block, alive, min(first, last), max(first, last))
}

// against is ln of the evidence of a block against δ.
func (w *weighted) against(block int, delta float64) float64 {
	logs := w.purse.logs(block)
	for j, size := range &w.size {
		switch block {
		case plainUp:
			logs[j] += float64(w.n * (math.Log1p(float64(size*w.up)) - math.Log1p(float64(size*(w.up+delta)))))
		case plainDown:
			logs[j] += float64(w.n * (math.Log1p(float64(size*w.down)) - math.Log1p(float64(size*(w.down-delta)))))
		case aroundUp:
			logs[j] = less(logs[j], float64(w.n*math.Log1p(float64(size*delta))))
		case aroundDown:
			logs[j] = less(logs[j], float64(w.n*math.Log1p(-float64(size*delta))))
		}
	}
	return logMean(logs...)
}

// less is x − y, and −Inf where a bet was abandoned.
func less(x, y float64) float64 {
	if math.IsInf(x, -1) {
		return x
	}
	return x - y
}

// evidence is ln of the evidence against δ.
func (w *weighted) evidence(delta float64) Evidence {
	out := Evidence{Up: w.against(plainUp, delta), Down: w.against(plainDown, delta)}
	if !w.bare {
		out.Up = logMean(out.Up, w.against(aroundUp, delta))
		out.Down = logMean(out.Down, w.against(aroundDown, delta))
	}
	out.Both = logMean(out.Up, out.Down)
	return out
}

// atZero is the evidence against δ = 0, with the largest that it was.
func (w *weighted) atZero() Evidence {
	out := w.evidence(0)
	both, up, down := plainBoth, plainOnlyUp, plainOnlyDown
	if !w.bare {
		both, up, down = allBoth, allUp, allDown
	}
	out.Largest = Sides{Both: w.purse.peak(both), Up: w.purse.peak(up), Down: w.purse.peak(down)}
	return out
}

// estimate is the δ against which there is least evidence, NaN before the first round. It
// lies in every interval that is not empty.
func (w *weighted) estimate() float64 {
	if w.n == 0 {
		return math.NaN()
	}
	at, _ := convex.Least(w.least, 1, func(delta float64) float64 { return w.evidence(delta).Both })
	return at
}

// interval is the set of δ with e < 1/α, e by both sides or one of them; ok is false
// where no δ is in it.
func (w *weighted) interval(logAlpha float64, of func(Sides) float64) (lo, hi float64, ok bool) {
	if w.n == 0 {
		return w.least, 1, true
	}
	return convex.Below(w.least, 1, -logAlpha, func(delta float64) float64 { return of(w.evidence(delta).Sides()) })
}
