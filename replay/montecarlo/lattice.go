package montecarlo

import (
	"cmp"
	"math"
	"slices"
)

// Most is the largest number of draws whose lattice is looked for.
const Most = 10_000_000

const (
	// Astray is the largest share of rows that may lie off a lattice.
	Astray = 0.01
	// byChance is below what the chance of a false lattice has to be.
	byChance = 1e-6
	// mostBetween bounds the candidates in an interval.
	mostBetween = 10_000
)

// On reports whether q is a multiple of 1/n, written to within tau:
//
//	|n·q − round(n·q)| ≤ n·τ
func On(q, n, tau float64) bool {
	x := float64(n * q)
	return math.Abs(x-math.Round(x)) <= float64(n*tau)
}

// OnAll reports whether all are.
func OnAll(q []float64, n, tau float64) bool {
	for _, v := range q {
		if !On(v, n, tau) {
			return false
		}
	}
	return true
}

// Lattice finds the smallest N such that all but 1 % of the rows of shares are
// multiples of 1/N, written to within tau, and chance does not make them so. The
// candidates are 1, 2 and 5 times powers of ten up to 10⁷, powers of two, the
// inverse of the smallest gap between different shares, and the whole numbers
// between lo and hi where these are fewer than 10⁴. Leave out the shares of the last arm,
// which are 1 less the others. The other n different shares all lie on some lattice by
// chance with a probability of at most
//
//	candidates · (2Nτ)ⁿ
//
// and N is found only where that is below 10⁻⁶; it is then divided by what it and
// all multiples have in common. It returns 0 where none is found.
func Lattice(rows [][]float64, tau, lo, hi float64) float64 {
	values, told := distinct(rows, tau), float64(len(distinct(but(rows), tau)))
	if told == 0 {
		return 0
	}
	all := candidates(values, lo, hi)
	for _, n := range all {
		ln := math.Log(float64(len(all))) + float64(told*math.Log(2*n*tau))
		if ln < math.Log(byChance) && Nearly(rows, n, tau) {
			return coarsest(rows, n, tau)
		}
	}
	return 0
}

// coarsest returns the smallest lattice that shares on the lattice of 1/n lie on: n divided
// by what n and all their multiples of 1/n have in common. Shares of 400 draws are on the
// lattice of 2,000, and no shares of 2,000 draws.
func coarsest(rows [][]float64, n, tau float64) float64 {
	common := int64(n)
	for _, row := range rows {
		if !OnAll(row, n, tau) {
			continue
		}
		for _, q := range row {
			for x := int64(math.Round(float64(n * q))); x != 0; {
				common, x = x, common%x
			}
		}
	}
	return n / float64(common)
}

// Distinct counts the different shares strictly between 0 and 1; of two that are
// within 2τ of each other one counts.
func Distinct(rows [][]float64, tau float64) int { return len(distinct(rows, tau)) }

// distinct are the shares strictly between 0 and 1, each once: what is within 2τ of
// another is the same with dust on it.
func distinct(rows [][]float64, tau float64) []float64 {
	var out []float64
	for _, row := range rows {
		for _, q := range row {
			if q > 0 && q < 1 {
				out = append(out, q)
			}
		}
	}
	slices.Sort(out)
	return slices.CompactFunc(out, func(a, b float64) bool { return math.Abs(a-b) <= 2*tau })
}

// but are rows of the shares of all arms without the last of each.
func but(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = row[:max(min(1, len(row)), len(row)-1)]
	}
	return out
}

// candidates are the numbers of draws that are tried, ascending.
func candidates(values []float64, lo, hi float64) []float64 {
	var out []float64
	add := func(n float64) {
		if n >= 2 && n <= Most {
			out = append(out, n)
		}
	}
	for unit := 1.0; unit <= Most; unit *= 10 {
		add(unit)
		add(2 * unit)
		add(5 * unit)
	}
	for n := 2.0; n <= Most; n *= 2 {
		add(n)
	}
	gap := values[0]
	for i := 1; i < len(values); i++ {
		gap = min(gap, values[i]-values[i-1])
	}
	add(math.Round(1 / gap))
	if hi-lo < mostBetween {
		for n := math.Ceil(lo); n <= hi; n++ {
			add(n)
		}
	}
	slices.SortFunc(out, cmp.Compare[float64])
	return slices.Compact(out)
}

// Few reports whether so few different probabilities are written that they lie on
// a lattice themselves: below fewValues, all multiples of one fraction. Shares on a
// lattice are then no sign of draws.
func Few(laws [][]float64) bool {
	return len(distinct(laws, computed)) < fewValues && Lattice(laws, computed, 1, math.Inf(1)) > 0
}

const (
	fewValues = 8
	computed  = 0x1p-44 // room for the roundings of what is computed
)

// Nearly reports whether all but 1 % of the rows lie on the lattice of 1/n.
func Nearly(rows [][]float64, n, tau float64) bool {
	off, most := 0, int(Astray*float64(len(rows)))
	for _, row := range rows {
		if OnAll(row, n, tau) {
			continue
		}
		if off++; off > most {
			return false
		}
	}
	return true
}
