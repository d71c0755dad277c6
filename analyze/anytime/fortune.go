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

// farFromTop is how far the logarithm of the largest fortune may lie from the scale of
// the shares before another is taken. With products between 1e−100 and 1e100 sums of
// shares then neither overflow nor lose what counts.
const farFromTop = 230

// log is ln of the fortune; −Inf where the bet has lost all.
func (f *fortune) log() float64 { return f.logged + math.Log(f.factor) }

// A purse is bets that start with 1 each, in blocks of equal size. The average of
// what the bets of some blocks have won is evidence, and the largest that it ever
// was is kept for the unions of blocks that were asked for.
type purse struct {
	block  int // bets of a block
	bets   []fortune
	unions [][]int   // of blocks
	peaks  []peak    // the largest average of each union so far; before the first round it is 1
	share  []float64 // e^(logged − top) of each bet
	sums   []float64 // of each block, times e^−top
	top    float64
	moved  bool // a logarithm was taken since the scale was looked at
}

// peak is the largest average of a union.
type peak struct {
	scaled float64 // times e^−top; +Inf where no average of the present scale comes near it
	log    float64 // ln of it when the scale was taken
}

func newPurse(blocks, block int, unions ...[]int) *purse {
	p := &purse{
		block: block, bets: make([]fortune, blocks*block), unions: unions,
		peaks: make([]peak, len(unions)), share: make([]float64, blocks*block), sums: make([]float64, blocks),
	}
	for i := range p.bets {
		p.bets[i].factor, p.share[i] = 1, 1
	}
	for u := range p.peaks {
		p.peaks[u].scaled = 1
	}
	return p
}

// multiply lets a bet win a factor of at least 0. One that wins 0 stays at 0.
func (p *purse) multiply(bet int, by float64) {
	f := &p.bets[bet]
	f.factor *= by
	if !(f.factor >= leastFactor && f.factor <= mostFactor) {
		p.take(bet, f.log())
	}
}

// multiplyLog lets a bet win a factor that is given by its logarithm and may be beyond
// the numbers.
func (p *purse) multiplyLog(bet int, log float64) { p.take(bet, p.bets[bet].log()+log) }

// take puts the whole of a fortune into its logarithm.
func (p *purse) take(bet int, log float64) {
	p.bets[bet] = fortune{logged: log, factor: 1}
	p.share[bet] = math.Exp(log - p.top)
	p.moved = true
}

// abandon takes from a bet all that it has, for good.
func (p *purse) abandon(bet int) { p.take(bet, math.Inf(-1)) }

// round ends a round: it moves the largest averages.
//
// What is smaller than the largest fortune by some e⁴⁰⁰ may count as 0 here, so that a
// peak can only be too low.
func (p *purse) round() {
	if p.moved {
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
		p.peaks[u].scaled = max(p.peaks[u].scaled, sum/float64(p.block*len(union)))
	}
}

// weigh takes the scale of the shares anew from the largest fortune where that has
// moved far from it.
func (p *purse) weigh() {
	p.moved = false
	top := math.Inf(-1)
	for i := range p.bets {
		top = max(top, p.bets[i].logged)
	}
	if math.IsInf(top, -1) || math.Abs(top-p.top) <= farFromTop { // or every bet was abandoned
		return
	}
	for u := range p.peaks {
		log := p.peak(u)
		p.peaks[u] = peak{scaled: math.Exp(log - top), log: log}
	}
	p.top = top
	for i := range p.bets {
		p.share[i] = math.Exp(p.bets[i].logged - top)
	}
}

// peak is ln of the largest average of a union at the end of any round, at least 0.
func (p *purse) peak(union int) float64 {
	of := &p.peaks[union]
	if math.IsInf(of.scaled, 1) {
		return of.log
	}
	return max(of.log, math.Log(of.scaled)+p.top)
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
