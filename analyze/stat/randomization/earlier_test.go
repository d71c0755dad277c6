package randomization

import (
	"math"
	"testing"
)

// patterned is the log of the sheet's vectors (formula sheet of answers, appendix B), of
// any length: three arms, rewards of 0 and 1, from fractions of multiples.
func patterned(rounds int) (arm []int32, reward []float64) {
	fraction := func(x float64) float64 { return x - math.Floor(x) }
	for t := range rounds {
		p := [2]float64{.1, .2}
		if t%100 < 50 {
			p = [2]float64{.5, .8}
		}
		a, u := int32(2), fraction(float64(t)*0.6180339887498949)
		if u < p[0] {
			a = 0
		} else if u < p[1] {
			a = 1
		}
		y := 0.0
		if fraction(float64(t)*0.7548776662466927) < [3]float64{.2, .3, .4}[a] {
			y = 1
		}
		arm, reward = append(arm, a), append(reward, y)
	}
	return arm, reward
}

// The values are of a second program (numpy): the sheet's zcarry and zserial with n/(n − 1) in
// the variance of a cell, n − 1 in that of a block, and windows of 500 rounds. Without these it
// gives the sheet's 0.8950276268385999 and 0.4409336130833449 at 400 rounds.
func TestEarlierRounds(t *testing.T) {
	for _, of := range []struct {
		rounds            int
		carry, neighbours float64
	}{
		{400, 0.8791558886376233, 0.5821747898673965},
		{437, 0.8503304142375178, 0.5037940076932068},
		{1234, 0.5819766915505744, 0.7996141037551656},
	} {
		arm, reward := patterned(of.rounds)
		if z := CarryOver(arm, reward, 3); math.Abs(z-of.carry) > 1e-12 {
			t.Errorf("%d rounds: carry-over %.16g, want %.16g", of.rounds, z, of.carry)
		}
		n := NewNeighbours(3)
		for i, a := range arm {
			n.Add(a, reward[i])
		}
		if z := n.End(); math.Abs(z-of.neighbours) > 1e-12 {
			t.Errorf("%d rounds: neighbours %.16g, want %.16g", of.rounds, z, of.neighbours)
		}
	}
}

// Rounds without a reward are in no sum, and still the round before the next one.
func TestEarlierRoundsMissing(t *testing.T) {
	nan := math.NaN()
	arm := []int32{0, 0, 1, 0, 1, 1, 0, 0, 1, 0}
	reward := []float64{1, nan, 0, 0, 1, nan, 1, 0, 0, 1}
	// Arm 0: rewards 1 (first), 0 after 1, 1 after 1, 0 after 0, 1 after 1; mean 3/5. After
	// arm 0 its mean of c is 1/5. Arm 1: three rewards, all after arm 0, so that c is 0.
	e := []float64{-.6, .4, -.6, .4}
	c := []float64{-.2, -.2, .8, -.2}
	sum, variance := 0.0, 0.0
	for i := range e {
		sum += e[i] * c[i]
		variance += e[i] * e[i] * c[i] * c[i] * 5 / 4 // n/(n − 1) of the cell
	}
	if z, want := CarryOver(arm, reward, 2), math.Abs(sum)/math.Sqrt(variance); math.Abs(z-want) > 1e-12 {
		t.Errorf("carry-over %g, want %g", z, want)
	}
	for _, of := range [][]float64{nil, {1}, {1, 1, 1, 1}, {nan, nan}} {
		n := NewNeighbours(2)
		for _, y := range of {
			n.Add(0, y)
		}
		if z := n.End(); z != 0 {
			t.Errorf("%v: neighbours %g, want 0", of, z)
		}
		if z := CarryOver(make([]int32, len(of)), of, 2); z != 0 {
			t.Errorf("%v: carry-over %g, want 0", of, z)
		}
	}
}

func TestCarryOverBound(t *testing.T) {
	for _, of := range []struct {
		arms       int
		tail, want float64
	}{{1, CarryOverTail, 1.959963984540054}, {2, CarryOverTail, 1.959963984540054}, {3, CarryOverTail, 2.241402727604947}, {2, CarryOverDeclaredTail, 3.290526731491894}} {
		if got := CarryOverBound(of.arms, of.tail); math.Abs(got-of.want) > 1e-9 {
			t.Errorf("%d arms, %g: %.15g, want %.15g", of.arms, of.tail, got, of.want)
		}
	}
}
