package shares

import "banditaudit/replay/montecarlo"

// lowest are the least numbers of draws that the updates can be shares of, by how
// these are written; numbers is nil where a number is declared, or nothing says how
// few there can have been.
type lowest struct {
	numbers []float64
	tau     float64 // precision in which they are
	loose   bool    // more draws can be written so too: they are rounded
	chance  bool    // chance alone may put the shares there: they are too few to tell
}

// lowest finds them for shares with few decimals that are on some lattice, for those
// that are written in full and on a lattice of each update, and likewise for float32,
// where chance does not put them there, or the shares are too few to tell.
func (e *Estimated) lowest() lowest {
	if e.own || e.n > 0 {
		return lowest{}
	}
	switch {
	case e.decimal() == 0 || e.singles && e.lattice == 0 && e.grid == 0: // some float32 look like seven decimals
	case e.lattice == 0 && e.grid == 0:
		return lowest{}
	default:
		numbers, _ := e.shares.Lowest(e.rough())
		return lowest{numbers: numbers, tau: e.rough(), loose: true}
	}
	if e.shares.Fractions() || !e.log.Mechanism.ReadsRewards() && montecarlo.Few(e.shares.Recomputed()) {
		return lowest{} // what was computed may lie on lattices too
	}
	if numbers := e.shares.Own(e.widened(exactShare)); numbers != nil {
		return lowest{numbers: numbers, tau: e.widened(exactShare)}
	}
	if e.singles {
		tau := max(e.widened(singleShare), e.rough())
		if numbers, sure := e.shares.Lowest(tau); sure || e.lattice > 0 || e.shares.Scant(tau) {
			return lowest{numbers: numbers, tau: tau, chance: !sure && e.lattice == 0}
		}
	}
	return lowest{}
}

// ByRow returns the least numbers of draws of rows in which shares are new.
func (e *Estimated) ByRow(rows []int64) map[int64]float64 {
	out := map[int64]float64{}
	for i, row := range rows {
		if i < len(e.low.numbers) {
			out[row] = e.low.numbers[i]
		}
	}
	return out
}

// computedSo reports whether something that was tried explains shares exactly: then
// they were computed, and are none of draws. A number that was fitted fits one share by
// itself, and has to fit more.
func (e *Estimated) computedSo() bool {
	if e.low.loose {
		return false // to its decimals much fits by chance
	}
	for _, h := range e.log.Compared.Hypotheses {
		if h.Fits && (h.Value == nil || e.shares.Free(e.low.tau) > 1) {
			return true
		}
	}
	return false
}
