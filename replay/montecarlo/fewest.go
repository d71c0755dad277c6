package montecarlo

import "math"

const (
	// mostFewest bounds the numbers of draws that are ruled out one by one, and
	// mostShares the rows by which they are.
	mostFewest = 1_000_000
	mostShares = 256
	// astrayHere of these may lie off, where they are not all rows.
	astrayHere = 12
)

// Fewest returns the smallest number of draws that rows of shares can be of, which
// are written to within tau: they are within it of multiples of 1/n, but for 1 % of
// the rows (of more than 256 rows 256 are looked at, and 12 of them may lie off).
// Of smaller numbers none is possible; of 1/(2τ) and of larger ones all are, and
// nothing above 10⁶ is ruled out.
//
// sure says that chance does not make n possible, and all rows agree:
//
//	candidates · ways to choose the rows that lie off · chance^(different shares) < 10⁻⁶
//
// where the last share of a row is 1 less the others and counts for none, and chance
// is the probability of any decimal to be possible: 2nτ, or more where n and the decimals
// have a common measure (all of three decimals are within half a unit of 1/800).
func Fewest(rows [][]float64, tau float64) (n float64, sure bool) {
	some, off := sampled(rows)
	end := math.Min(math.Floor(1/(2*tau)+0.5), mostFewest)
	for n = 2; n < end; n++ {
		if possible(some, n, tau, off) {
			break
		}
	}
	if 2*float64(n*tau) >= 1 || n == end {
		return end, false
	}
	all, _ := math.Lgamma(float64(len(some) + 1))
	in, _ := math.Lgamma(float64(off + 1))
	out, _ := math.Lgamma(float64(len(some) - off + 1))
	ln := math.Log(end) + all - in - out + float64(float64(free(some, off))*math.Log(chance(n, tau)))
	return n, ln < math.Log(byChance) && Nearly(rows, n, tau)
}

// chance is the part of the multiples of 2τ that lie on the lattice of 1/n, of 4,096
// of them.
func chance(n, tau float64) float64 {
	const some, golden = 4096, 0.6180339887498949
	all, hits := 1/(2*tau), 0.0
	if near := math.Round(all); math.Abs(all-near) < 0.01 {
		all = near
	}
	for i := range some {
		_, at := math.Modf(float64(float64(i) * golden))
		if On(math.Floor(at*all)/all, n, tau) {
			hits++
		}
	}
	return max(2*n*tau, hits/some)
}

// sampled are rows at equal distances, and how many of them may lie off.
func sampled(rows [][]float64) (some [][]float64, off int) {
	if len(rows) <= mostShares {
		return rows, int(Astray * float64(len(rows)))
	}
	for i := range mostShares {
		some = append(some, rows[i*len(rows)/mostShares])
	}
	return some, astrayHere
}

// possible reports whether all but off rows lie on the lattice of 1/n.
func possible(rows [][]float64, n, tau float64, off int) bool {
	for _, row := range rows {
		if OnAll(row, n, tau) {
			continue
		}
		if off--; off < 0 {
			return false
		}
	}
	return true
}

// free returns how many different shares strictly between 0 and 1 rows have. The share of
// the last arm of each row is left out, and so are all shares of off rows.
func free(rows [][]float64, off int) int {
	seen, arms := map[float64]bool{}, 1
	for _, row := range rows {
		arms = max(arms, len(row)-1)
		for _, q := range row[:max(1, len(row)-1)] {
			if q > 0 && q < 1 {
				seen[q] = true
			}
		}
	}
	return max(0, len(seen)-off*arms)
}
