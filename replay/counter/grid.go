package counter

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Bounds of the lattice 2^-m.
const (
	defaultGrid = 20
	maxGrid     = 30
)

// errReward is in the chain of every error about a reward outside [0,1].
var errReward = errors.New("a counter takes rewards rescaled to [0,1]")

// rewardError names the arm but not the reward: no reward is ever printed.
func rewardError(arm int, y float64) error {
	what := "above 1"
	if math.IsNaN(y) {
		what = "NaN"
	} else if y < 0 {
		what = "below 0"
	}
	return fmt.Errorf("counter: a reward of arm %d is %s: %w; declare a reward range that holds it", arm, what, errReward)
}

// gridBits returns m of the grid 2^-m; nil is the default.
func gridBits(grid *big.Rat) (uint, *ParamError) {
	if grid == nil {
		return defaultGrid, nil
	}
	den := grid.Denom()
	m := den.BitLen() - 1
	power := grid.Sign() > 0 && grid.Num().IsInt64() && grid.Num().Int64() == 1 && den.TrailingZeroBits() == uint(m)
	if !power || m > maxGrid {
		return 0, &ParamError{
			"grid", grid.RatString(),
			fmt.Sprintf("it must be a power of two between 2^-%d and 1", maxGrid), "write 2^-20",
		}
	}
	return uint(m), nil
}
