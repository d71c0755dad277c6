package counter

import (
	"fmt"
	"math/big"
	"strconv"
)

// longestStream bounds the rows of a stream whatever the grid, so that no
// computation on numbers of rows and levels leaves 64 bits.
const longestStream = int64(1) << 40

// longest returns the most rows that a stream on the lattice may have.
func (l *lattice) longest() int64 { return min(l.maxRows, longestStream) }

// needEpsilon returns a fault unless ε is above 0.
func needEpsilon(s Spec) error {
	value := "not given"
	if s.Epsilon != nil {
		if s.Epsilon.Sign() > 0 {
			return nil
		}
		value = s.Epsilon.RatString()
	}
	return &ParamError{"epsilon", value, "the " + s.Name + " counter needs an ε above 0", "write the ε of each arm's counter, such as 0.25"}
}

// needHorizon returns a fault unless the horizon is one that a stream on the
// lattice can reach.
func needHorizon(s Spec, l *lattice) error {
	if s.Horizon >= 1 && s.Horizon <= l.longest() {
		return nil
	}
	return &ParamError{
		"horizon", strconv.FormatInt(s.Horizon, 10),
		fmt.Sprintf("the %s counter is built for the most rows that one arm can have, between 1 and %d at grid 2^-%d", s.Name, l.longest(), l.m),
		"write the planned number of rounds",
	}
}

// noExponent returns a fault when an exponent is given.
func noExponent(s Spec) error {
	if s.Exponent == nil {
		return nil
	}
	return &ParamError{"exponent", s.Exponent.RatString(), "the " + s.Name + " counter has no exponent", "leave it out, or declare interval"}
}

// lawOf returns the noise of a node that may spend loss, or the fault of an ε
// whose literal would overflow the sampler.
func (l *lattice) lawOf(loss, epsilon *big.Rat, of string) (discreteLaplace, error) {
	law, ok := l.law(loss)
	if ok {
		return law, nil
	}
	return discreteLaplace{}, &ParamError{
		"epsilon", epsilon.RatString(),
		fmt.Sprintf("with the grid 2^-%d the noise of %s does not fit the sampler's integers (scale at most 2^46, numerator at most 2^56)", l.m, of),
		"write ε with fewer digits (at most 8 decimals with the default grid), take a larger ε, or a coarser grid",
	}
}

// full is the error of a row too many for the grid.
func (l *lattice) full(name string, rows int64) error {
	return fmt.Errorf("counter: a stream has more than %d rows, more than the %s counter holds at grid 2^-%d; declare a coarser grid", rows, name, l.m)
}

// beyond is the error of a row after the last one of a declared horizon.
func beyond(name string, horizon int64) error {
	return fmt.Errorf("counter: a stream has more than %d rows, the horizon for which the %s counter was built; declare a larger counter.horizon if the counter had one", horizon, name)
}
