package publiclog

import (
	"math"

	"banditaudit/analyze/log/check"
	"banditaudit/replay/montecarlo"
)

const (
	// latticeRows is the number of rows, spread evenly over the log, among whose
	// propensities a lattice is looked for: 1 MiB.
	latticeRows = 1 << 14
	// latticeValues is how many different propensities there have to be: a few
	// fractions are always multiples of something.
	latticeValues = 20
	// latticePlaces is how many rounds off a lattice are named.
	latticePlaces = 8
	// latticeFloat is how exactly a float64 between 0 and 1 is known that was written
	// in full: 2⁻⁵⁰.
	latticeFloat = 0x1p-50
	// latticeDecimals is the largest number of decimals at which a number counts as rounded.
	latticeDecimals = 12
)

// lattice is the lattice of 1/N on which all but 1 % of the logged action's
// propensities lie (sheet 27.3), as the shares of N draws do: found among some
// rows, and counted over all. nil where there is none, and where there are fewer than
// twenty different propensities. It reads the public column of propensities twice.
// Numbers with at most latticeDecimals written decimals are known to half a unit of the
// last one.
func (f *Facts) lattice(written int) *check.Lattice {
	tau := latticeFloat
	if written <= latticeDecimals {
		tau = 0.5 / math.Pow10(written)
	}
	rows := f.spreadPropensities()
	if montecarlo.Distinct(rows, tau) < latticeValues {
		return nil
	}
	n := montecarlo.Lattice(rows, tau, 1, math.Inf(1))
	if n == 0 {
		return nil
	}
	out := &check.Lattice{N: int64(n)}
	for i := range f.Slice.Chunks() {
		c := f.Slice.Chunk(i)
		for row, p := range c.Propensity {
			if montecarlo.On(p, n, tau) {
				continue
			}
			if out.Off++; len(out.At) < latticePlaces {
				out.At = append(out.At, c.Start+int64(row))
			}
		}
	}
	if float64(out.Off) > float64(montecarlo.Astray*float64(f.Slice.Rows())) {
		return nil
	}
	return out
}

// spreadPropensities are the propensities of at most latticeRows rows, one in each
// list, evenly spread over the log.
func (f *Facts) spreadPropensities() [][]float64 {
	step := (f.Slice.Rows() + latticeRows - 1) / latticeRows
	var out [][]float64
	for i := range f.Slice.Chunks() {
		c := f.Slice.Chunk(i)
		for row, p := range c.Propensity {
			if (c.Start+int64(row))%step == 0 {
				out = append(out, []float64{p})
			}
		}
	}
	return out
}
