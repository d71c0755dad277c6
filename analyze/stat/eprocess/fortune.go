package eprocess

import (
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// What a product of factors may reach before its logarithm is taken.
const (
	leastFactor = 1e-100
	mostFactor  = 1e100
)

// farFromTop is how far the logarithm of the largest fortune may lie from the scale of
// the shares before another is taken. With products between 1e−100 and 1e100 sums of
// shares then neither overflow nor lose what counts.
const farFromTop = 230

// A purse is bets that start with 1 each, in blocks of equal size. What a bet has won is
// a product of factors, of which a number is kept, and the logarithm of what was taken out
// of it before it overflowed. The average of what the bets of some blocks have won is
// evidence, and the largest that it ever was is kept for the unions of blocks that were
// asked for.
type capital struct {
	block  int       // bets of a block
	factor []float64 // of each bet: the product since the last logarithm
	logged []float64 // of each bet: the logarithm of what was taken out
	unions [][]int   // of blocks
	peaks  []peak    // the largest average of each union so far; before the first round it is 1
	share  []float64 // e^(logged − top) of each bet
	sums   []float64 // of each block, times e^−top, or what it is not above
	low    []float64 // of each block, what no product is below
	high   []float64 // likewise, or above
	part   []float64 // of each union, 1 over its bets: a power of two
	top    float64
	holder int  // the bet with the largest logarithm when the scale was looked at
	moved  bool // the scale may be far from the largest logarithm
	bound  bool // what the last round can have added to every block is in sums
}

// peak is the largest average of a union.
type peak struct {
	scaled float64 // times e^−top; +Inf where no average of the present scale comes near it
	log    float64 // ln of it when the scale was taken
}

func newPurse(blocks, block int, unions ...[]int) *capital {
	n := blocks * block
	p := &capital{
		block: block, factor: make([]float64, n), logged: make([]float64, n), unions: unions,
		peaks: make([]peak, len(unions)), share: make([]float64, n), sums: make([]float64, blocks),
		low: slices.Repeat([]float64{1}, blocks), high: slices.Repeat([]float64{1}, blocks),
	}
	for i := range p.factor {
		p.factor[i], p.share[i] = 1, 1
	}
	for b := range p.sums {
		p.sums[b] = float64(block)
	}
	for u := range p.peaks {
		p.peaks[u].scaled = 1
		p.part = append(p.part, 1/float64(block*len(unions[u])))
	}
	return p
}

// won are the products of a block, for whoever multiplies them in a round and then
// settles.
func (p *capital) won(block int) []float64 {
	return p.factor[block*p.block : (block+1)*p.block]
}

// settle ends what the first bets of a block won in a round, none of them a factor that is
// not between least and most. Where it is said of every block that has bets left, sums are
// not added up anew in a round that cannot have moved a peak.
func (p *capital) settle(block, bets int, least, most float64) {
	const above, below = 1 + 0x1p-40, 1 - 0x1p-40 // what a round's products and sums are rounded to
	p.sums[block] *= most * above
	p.low[block] *= least * below
	p.high[block] *= most * above
	if outside(p.low[block]) || outside(p.high[block]) {
		p.takeOutside(block, bets)
	}
	p.bound = true
}

// takeOutside takes the logarithms of products that are outside, of the first bets of a
// block.
func (p *capital) takeOutside(block, bets int) {
	won := p.won(block)[:bets]
	if p.low[block], p.high[block] = endsOf(won); !outside(p.low[block]) && !outside(p.high[block]) {
		return
	}
	for j, f := range won {
		if outside(f) {
			p.take(block*p.block+j, p.log(block*p.block+j))
		}
	}
	p.low[block], p.high[block] = endsOf(won)
}

// endsOf are the least and the largest of numbers of at least 0, whose bits are in their
// order.
func endsOf(of []float64) (least, most float64) {
	low, high := uint64(math.MaxUint64), uint64(0)
	for _, x := range of {
		low, high = min(low, math.Float64bits(x)), max(high, math.Float64bits(x))
	}
	return math.Float64frombits(low), math.Float64frombits(high)
}

// outside reports whether the logarithm of a product of factors is to be taken.
func outside(factor float64) bool { return !(factor >= leastFactor && factor <= mostFactor) }

// log is ln of what a bet has won; −Inf where it has lost all.
func (p *capital) log(bet int) float64 { return p.logged[bet] + math.Log(p.factor[bet]) }

// multiplyLog lets a bet win a factor that is given by its logarithm and may be beyond
// the numbers.
func (p *capital) multiplyLog(bet int, log float64) { p.take(bet, p.log(bet)+log) }

// take puts the whole of what a bet has won into its logarithm.
func (p *capital) take(bet int, log float64) {
	p.logged[bet], p.factor[bet] = log, 1
	p.low[bet/p.block], p.high[bet/p.block] = min(p.low[bet/p.block], 1), max(p.high[bet/p.block], 1)
	p.share[bet] = bitexact.Exp(log - p.top)
	p.moved = p.moved || bet == p.holder || log > p.top+farFromTop
}

// abandon takes from a bet all that it has, for good.
func (p *capital) abandon(bet int) { p.take(bet, math.Inf(-1)) }

// round ends a round: it moves the largest averages.
//
// What is smaller than the largest fortune by some e⁴⁰⁰ may count as 0 here, so that a
// peak can only be too low.
func (p *capital) round() {
	bound := p.bound
	p.bound = false
	if p.moved {
		p.weigh()
	} else if bound && !p.rises() {
		return
	}
	for b := range p.sums {
		sum := 0.0
		share := p.share[b*p.block : (b+1)*p.block]
		for i, f := range p.factor[b*p.block : (b+1)*p.block] {
			sum += float64(f * share[i])
		}
		p.sums[b] = sum
	}
	for u := range p.unions {
		p.peaks[u].scaled = max(p.peaks[u].scaled, p.average(u))
	}
}

// rises reports whether sums, as they are bounded, may move a peak.
func (p *capital) rises() bool {
	for u := range p.unions {
		if !(p.average(u) < p.peaks[u].scaled) {
			return true
		}
	}
	return false
}

// average returns the average of what the bets of a union have won, times e^−top; an upper
// bound where sums holds one.
func (p *capital) average(union int) float64 {
	sum := 0.0
	for _, b := range p.unions[union] {
		sum += p.sums[b]
	}
	return sum * p.part[union]
}

// weigh takes the scale of the shares anew from the largest fortune where that has
// moved far from it.
func (p *capital) weigh() {
	p.moved = false
	top := math.Inf(-1)
	for i, logged := range p.logged {
		if logged > top {
			top, p.holder = logged, i
		}
	}
	if math.IsInf(top, -1) || math.Abs(top-p.top) <= farFromTop { // or every bet was abandoned
		return
	}
	for u := range p.peaks {
		log := p.peak(u)
		p.peaks[u] = peak{scaled: bitexact.Exp(log - top), log: log}
	}
	p.top = top
	for i, logged := range p.logged {
		p.share[i] = bitexact.Exp(logged - top)
	}
}

// peak is ln of the largest average of a union at the end of any round, at least 0.
func (p *capital) peak(union int) float64 {
	of := &p.peaks[union]
	if math.IsInf(of.scaled, 1) {
		return of.log
	}
	return max(of.log, math.Log(of.scaled)+p.top)
}

// logs are the logarithms of the fortunes of a block.
func (p *capital) logs(block int) []float64 {
	out := make([]float64, p.block)
	for i := range out {
		out[i] = p.log(block*p.block + i)
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
		sum += bitexact.Exp(v - top)
	}
	return top + math.Log(sum/float64(len(x)))
}
