package schemas

import (
	"fmt"
	"math"
)

// Numbers of rewards are squared and divided by. Between these bounds that
// neither overflows nor vanishes.
const (
	smallestSize = 1e-150
	largestSize  = 1e150
)

// narrowest is the smallest width of a range in terms of its largest end. Half
// of the 53 bits of a reward are then left for how rewards differ.
const narrowest = 0x1p-30

// slack is how far a bound that was computed from two ends of a range can be
// off, in terms of the largest end: 0.3 − 0.1 is less than 0.2.
const slack = 0x1p-50

// rangeSize judges the size of an ordered range.
func (c *checker) rangeSize(lo, hi float64) {
	const path = "reward.range"
	what := fmt.Sprintf("is [%v, %v]", lo, hi)
	switch largest := max(math.Abs(lo), math.Abs(hi)); {
	case largest > largestSize, hi-lo < smallestSize:
		c.fail(path, what, fmt.Sprintf("squares of rewards and of their width must be numbers, so its ends are at most %g in size and at least %g apart", largestSize, smallestSize), "rescale the reward")
	case hi-lo < narrowest*largest:
		c.fail(path, what, fmt.Sprintf("its width is below 2^-30 of its end %v, which leaves too few digits for how rewards differ", largest), "rescale the reward, or subtract the lower end from it")
	}
}

// rewardRange is the declared range; false where there is none that is sound.
func (c *checker) rewardRange() (lo, hi float64, ok bool) {
	r := c.p.Reward.Range
	if !c.sound("reward.range") || len(r) != 2 {
		return 0, 0, false
	}
	return r[0], r[1], true
}

// differenceInRange judges the value of a difference of two means.
func (c *checker) differenceInRange(path string, value float64) {
	lo, hi, ok := c.rewardRange()
	if width := hi - lo; ok && math.Abs(value) > width+slack*max(math.Abs(lo), math.Abs(hi)) {
		c.fail(path, fmt.Sprintf("is %g", value), fmt.Sprintf("no difference of means of rewards in [%g, %g] has that value", lo, hi), fmt.Sprintf("write a number from %g to %g", -width, width))
	}
}

// size judges a number that may have either sign.
func (c *checker) size(path string, value float64) {
	if math.Abs(value) >= largestSize {
		c.fail(path, fmt.Sprintf("is %g", value), fmt.Sprintf("its square must be a number, so it is below %g in size", largestSize), "rescale the reward or the column")
	}
}

// sigma judges the known standard deviation of a reward.
func (c *checker) sigma(path string, sigma *float64) {
	if sigma == nil {
		return
	}
	what := fmt.Sprintf("is %g", *sigma)
	lo, hi, ok := c.rewardRange()
	switch largest := max(math.Abs(lo), math.Abs(hi)); {
	case !(*sigma > 0):
		c.fail(path, what, "it must be more than 0", "write a number in that range")
	case *sigma < smallestSize || *sigma > largestSize:
		c.fail(path, what, fmt.Sprintf("its square must be a number, so it is from %g to %g", smallestSize, largestSize), "rescale the reward")
	case ok && *sigma > (hi-lo)/2+slack*largest:
		c.fail(path, what, fmt.Sprintf("the standard deviation of rewards in [%g, %g] is at most half the width", lo, hi), fmt.Sprintf("write a number up to %g", (hi-lo)/2))
	}
}
