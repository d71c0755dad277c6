package anytime

import (
	"math"
	"slices"
)

// A fortune is what one bet has won: a product of factors, of which a number is
// kept, and the logarithm of what was taken out of it before it overflowed.
type fortune struct {
	logged float64
	factor float64
}

// What a product of factors may reach before its logarithm is taken.
const (
	leastFactor = 1e-100
	mostFactor  = 1e100
)

// log is ln of the fortune; −Inf where the bet has lost all.
func (f *fortune) log() float64 { return f.logged + math.Log(f.factor) }

// A purse is bets that start with 1 each, in blocks of equal size. The average of
// what the bets of some blocks have won is evidence, and the largest that it ever
// was is kept for the unions of blocks that were asked for.
type purse struct {
	block  int // bets of a block
	bets   []fortune
	unions [][]int   // of blocks
	peaks  []float64 // the largest average of each union so far, times e^−top; before the first round it is 1. +Inf where that is beyond the numbers, and then no average reaches it
	held   []float64 // ln of the largest average of each union when a logarithm was last taken
	share  []float64 // e^(logged − top) of each bet
	sums   []float64 // of each block, times e^−top
	top    float64
	logged bool // a logarithm was taken since the shares were
}

func newPurse(blocks, block int, unions ...[]int) *purse {
	p := &purse{
		block: block, bets: make([]fortune, blocks*block), unions: unions,
		peaks: make([]float64, len(unions)), held: make([]float64, len(unions)), share: make([]float64, blocks*block), sums: make([]float64, blocks),
	}
	for i := range p.bets {
		p.bets[i].factor, p.share[i] = 1, 1
	}
	for u := range p.peaks {
		p.peaks[u] = 1
	}
	return p
}

// multiply lets a bet win a factor of at least 0. One that wins 0 stays at 0.
func (p *purse) multiply(bet int, by float64) {
	f := &p.bets[bet]
	f.factor *= by
	if !(f.factor >= leastFactor && f.factor <= mostFactor) {
		f.logged, f.factor, p.logged = f.log(), 1, true
	}
}

// multiplyLog lets a bet win a factor that is given by its logarithm and may be beyond
// the numbers.
func (p *purse) multiplyLog(bet int, log float64) {
	p.bets[bet].logged += log
	p.logged = true
}

// abandon takes from a bet all that it has.
func (p *purse) abandon(bet int) { p.multiply(bet, 0) }

// round ends a round: it moves the largest averages.
//
// What is smaller than the largest fortune by e⁷⁰⁰ counts as 0 here, so that a peak
// can only be too low.
func (p *purse) round() {
	if p.logged {
		p.weigh()
	}
	for b := range p.sums {
		sum := 0.0
		for i := b * p.block; i < (b+1)*p.block; i++ {
			sum += float64(p.bets[i].factor * p.share[i])
		}
		p.sums[b] = sum
	}
	for u, union := range p.unions {
		sum := 0.0
		for _, b := range union {
			sum += p.sums[b]
		}
		p.peaks[u] = max(p.peaks[u], sum/float64(p.block*len(union)))
	}
}

// weigh takes the scale of the shares from the largest fortune.
func (p *purse) weigh() {
	p.logged = false
	top := math.Inf(-1)
	for i := range p.bets {
		top = max(top, p.bets[i].logged)
	}
	if math.IsInf(top, -1) { // every bet was abandoned
		top = p.top
	}
	for i := range p.bets {
		p.share[i] = math.Exp(p.bets[i].logged - top)
	}
	for u := range p.peaks {
		p.held[u] = p.peak(u)
		p.peaks[u] = math.Exp(p.held[u] - top)
	}
	p.top = top
}

// peak is ln of the largest average of a union at the end of any round, at least 0.
//
// Fortunes may all have fallen so far below a peak, that of before the first round
// included, that in their scale it is no number.
func (p *purse) peak(union int) float64 {
	if math.IsInf(p.peaks[union], 1) {
		return p.held[union]
	}
	return max(p.held[union], math.Log(p.peaks[union])+p.top)
}

// logs are the logarithms of the fortunes of a block.
func (p *purse) logs(block int) []float64 {
	out := make([]float64, p.block)
	for i := range out {
		out[i] = p.bets[block*p.block+i].log()
	}
	return out
}

// logMean is ln of the average of e^x, −Inf where all are −Inf.
func logMean(x ...float64) float64 {
	top := slices.Max(x)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - top)
	}
	return top + math.Log(sum/float64(len(x)))
}
