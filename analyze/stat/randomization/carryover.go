package randomization

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// Tails of a normal variable by which rewards are taken to follow the arm of the round
// before: where that is possible by the protocol, and where it is declared not to happen.
const (
	CarryOverTail         = 0.025
	CarryOverDeclaredTail = 0.0005
)

// carryOverBlock is the number of rounds of a block of [CarryOver].
const carryOverBlock = 50

// CarryOverBound returns the value above which [CarryOver] contradicts that an arm changes
// no later reward, for a number of arms:
//
//	Φ⁻¹(1 − level/max(1, arms − 1))
//
// level is the level of one tail, in (0, 1). Of two arms at .025 the bound is 1.96.
func CarryOverBound(arms int, level float64) float64 {
	return tail.NormalQuantile(math.Log(level / float64(max(1, arms-1))))
}

// CarryOver is the statistic of rewards that follow the arm of the round before, given the
// arm of their own round:
//
//	max over arms j of |Σ e·c_j| / √(Σ e²·c_j²·n/(n − 1)),
//
// n the rounds of a cell of block × arm, e the reward less its mean in that cell, c_j the
// indicator that the round before played arm j, less its mean there. Blocks are of 50 rounds; a short last one
// joins its neighbour. A reward that is NaN is passed over. The first round has no round
// before it: it is in the means of its cell and in no sum. The statistic is 0 where nothing
// varies (formula sheet of answers, 6 (a), which has no n/(n − 1): without it cells of few
// rounds, as 20 arms have them, reject in 12 % of logs at 5 %, and with it in 3 %).
func CarryOver(arm []int32, reward []float64, arms int) float64 {
	c := &carryOver{
		arm: arm, reward: reward, cells: make([]carryCell, arms), prior: map[[2]int32]int{},
		sum: make([]float64, arms), variance: make([]float64, arms),
	}
	blocks := Blocks(len(arm), carryOverBlock)
	for from := 0; from < len(arm); {
		to := from
		for to < len(arm) && blocks[to] == blocks[from] {
			to++
		}
		c.block(from, to)
		from = to
	}
	z := 0.0
	for j, v := range c.variance {
		if v > 0 {
			z = max(z, math.Abs(c.sum[j])/math.Sqrt(v))
		}
	}
	return z
}

// carryOver goes over the blocks in their order.
type carryOver struct {
	arm    []int32
	reward []float64
	cells  []carryCell // by arm, of a block
	played []int32     // arms with a cell in the block
	after  []carryPair // of the block, in the order in which they came
	prior  map[[2]int32]int

	sum, variance []float64 // by arm of the round before: Σ e·c, Σ e²·c²
}

// carryCell is the rounds of a block that played one arm and have a reward.
type carryCell struct {
	n, total float64 // rounds, rewards
	squares  float64 // of e, the first round of the log left out
	first    float64 // e of the first round of the log; 0 elsewhere
}

// carryPair is the rounds of a cell whose round before played one arm.
type carryPair struct {
	arm, before     int32
	n, sum, squares float64 // rounds, e, e²
}

// block adds the rounds of one block.
func (c *carryOver) block(from, to int) {
	c.played, c.after = c.played[:0], c.after[:0]
	clear(c.prior)
	for t := from; t < to; t++ {
		if y := c.reward[t]; y == y {
			cell := &c.cells[c.arm[t]]
			if cell.n == 0 {
				c.played = append(c.played, c.arm[t])
			}
			cell.n++
			cell.total += y
		}
	}
	for t := from; t < to; t++ {
		if y := c.reward[t]; y == y {
			c.row(t, y)
		}
	}
	for i := range c.after {
		c.pair(&c.after[i])
	}
	for _, arm := range c.played {
		c.cells[arm] = carryCell{}
	}
}

// row adds a round to the sums of its cell, and of the arm before it there.
func (c *carryOver) row(t int, y float64) {
	arm := c.arm[t]
	cell := &c.cells[arm]
	e := y - cell.total/cell.n
	if t == 0 {
		cell.first = e
		return
	}
	cell.squares += float64(e * e)
	key := [2]int32{arm, c.arm[t-1]}
	i, there := c.prior[key]
	if !there {
		i = len(c.after)
		c.prior[key] = i
		c.after = append(c.after, carryPair{arm: arm, before: c.arm[t-1]})
	}
	p := &c.after[i]
	p.n++
	p.sum += e
	p.squares += float64(e * e)
}

// pair adds the sums of a cell by one arm of the round before. The sum of e over a cell is 0.
func (c *carryOver) pair(p *carryPair) {
	cell := &c.cells[p.arm]
	if cell.n < 2 {
		return
	}
	share, of := p.n/cell.n, cell.n/(cell.n-1)
	c.sum[p.before] += p.sum + float64(share*cell.first)
	c.variance[p.before] += float64(of * (float64(p.squares*(1-share)*(1-share)) + float64((cell.squares-p.squares)*share*share)))
}
