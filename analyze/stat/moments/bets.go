package moments

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments/simd"
)

// BetCount is the number of fixed bets of a [Bets].
const BetCount = 16

// betFlush is how many factors are multiplied before their logarithm is taken. The
// largest factor is e⁸, so that the product of 64 factors is finite.
const betFlush = 64

// BetSize returns θ_j = e^λ_j − 1 of bet j, λ_j = 2^(j−12), for j from 0 to
// BetCount − 1. The sizes depend on nothing that is observed.
func BetSize(j int) float64 { return math.Expm1(math.Ldexp(1, j-12)) }

// Bets is what fixed bets on the rewards of an arm have won. With x a reward
// rescaled to [0,1] it holds, for each bet θ_j,
//
//	Low[j] = Σ ln(1 + θ_j·x),  High[j] = Σ ln(1 + θ_j·(1 − x))
//
// that is the logarithms of the gains of bets on large and on small rewards. They
// need one pass, and no memory that grows with the rows. The zero value is empty
// and ready for use. It is not safe for concurrent use.
type Bets struct {
	N       int64 // rewards
	Outside int64 // of them, rewards outside the range, whose gains are meaningless

	logged    gains // of factors whose logarithm was taken
	factors   gains // products of factors that wait; 1 where none does
	unflushed int
}

// gains holds a number for each bet on large rewards, and for each on small ones.
type gains [2][BetCount]float64

// Betting is how rewards are bet on. It is fixed before any reward is seen.
type Betting struct {
	lo, width float64
	size      [BetCount]float64
}

// NewBetting returns the bets on rewards in [lo, hi], lo < hi.
func NewBetting(lo, hi float64) *Betting {
	out := &Betting{lo: lo, width: hi - lo}
	for j := range out.size {
		out.size[j] = BetSize(j)
	}
	return out
}

// Add joins a reward.
func (g *Betting) Add(b *Bets, y float64) { g.add(b, []float64{y}, []int32{0}) }

// AddByArm joins the rewards of a chunk: row t to dst[arm[t]]. A row whose arm is
// negative is skipped. It returns an error that names the row if an arm is
// len(dst) or more; dst then is as it was before.
func (g *Betting) AddByArm(dst []Bets, arm []int32, y []float64) error {
	if len(arm) != len(y) {
		panic(badLength)
	}
	if err := checkArms(arm, len(dst)); err != nil {
		return err
	}
	s, size := newSorter(len(dst)), min(max(sortRows, armRows*len(dst)), len(arm))
	rows := make([]int32, size+4*min(size, len(dst)))
	for from := 0; from < len(arm); from += size {
		s.sort(rows, arm, from, min(from+size, len(arm)))
		for a := range dst {
			g.add(&dst[a], y, rows[s.start(a):][:s.rows(a)])
		}
	}
	return nil
}

// add joins the rewards of some rows.
func (g *Betting) add(b *Bets, y []float64, rows []int32) {
	b.N += int64(len(rows))
	var wait [betFlush]float64
	n := 0
	for _, t := range rows {
		x := (y[t] - g.lo) / g.width
		if !(x >= 0 && x <= 1) {
			b.Outside++
			continue
		}
		wait[n] = x
		if n++; b.unflushed+n == betFlush {
			g.take(b, wait[:n])
			b.flush()
			n = 0
		}
	}
	g.take(b, wait[:n])
}

// take multiplies by what rescaled rewards gain.
func (g *Betting) take(b *Bets, x []float64) {
	if b.unflushed == 0 && len(x) > 0 {
		for j := range BetCount {
			b.factors[0][j], b.factors[1][j] = 1, 1
		}
	}
	simd.Bet((*[2][BetCount]float64)(&b.factors), &g.size, x)
	b.unflushed += len(x)
}

// flush takes the logarithms of the factors that wait.
func (b *Bets) flush() {
	if b.unflushed == 0 {
		return
	}
	for i := range b.logged {
		simd.AddLogs(b.logged[i][:], b.factors[i][:])
	}
	b.unflushed = 0
}

// Merge joins another accumulator, leaving the gains of o as they are.
func (b *Bets) Merge(o *Bets) {
	b.flush()
	won := o.won()
	b.N += o.N
	b.Outside += o.Outside
	for i := range b.logged {
		for j := range BetCount {
			b.logged[i][j] += won[i][j]
		}
	}
}

// won are the logarithms of all gains.
func (b *Bets) won() gains {
	c := *b
	c.flush()
	return c.logged
}

// Low returns the logarithms of what bets on large rewards gained.
func (b *Bets) Low() [BetCount]float64 { return b.won()[0] }

// High returns the logarithms of what bets on small rewards gained.
func (b *Bets) High() [BetCount]float64 { return b.won()[1] }

// String says how many rewards there were, so that no gain, which is made of
// rewards, is printed by accident.
func (b *Bets) String() string { return fmt.Sprintf("bets on %d rewards", b.N) }
