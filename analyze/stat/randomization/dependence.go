package randomization

import "math"

// Dependent is the value of Dependence above which rewards are taken to follow those
// before them: the tail of a normal variable of 0.0005.
const Dependent = 3.29

// Dependence is the statistic of rewards that follow those just before them,
//
//	z = Σ_blocks (Σ e_t·e_{t+1} + s²·(n − 1)/n) / √(Σ_blocks s⁴·(n − 1)),
//
// e the entries centred in their block, n their number there and s² their variance.
// Where entries are exchangeable within blocks its mean is 0, and it is about normal
// with a variance below 1 that comes near it in long blocks (about .76 in blocks of 10). A block is a run of entries; one that is NaN is passed over. It is 0
// where nothing varies.
func Dependence(entries []float64, blocks []int32) float64 {
	var sums dependence
	block := int32(-1)
	for t, v := range entries {
		if blocks[t] != block {
			sums.end()
			block = blocks[t]
		}
		if v == v {
			sums.add(v)
		}
	}
	sums.end()
	return sums.z()
}

// dependence is the sums of Dependence over the blocks that have ended.
type dependence struct {
	sum, variance float64
	entries       []float64 // of the block that has not ended
}

// add joins an entry to the block.
func (d *dependence) add(entry float64) { d.entries = append(d.entries, entry) }

// end ends the block.
func (d *dependence) end() {
	if n := float64(len(d.entries)); n > 1 {
		products, squares := lagged(d.entries)
		s2 := squares / (n - 1)
		d.sum += products + float64(s2*(n-1)/n)
		d.variance += float64(s2 * s2 * (n - 1))
	}
	d.entries = d.entries[:0]
}

// z is the statistic; 0 where nothing varies.
func (d *dependence) z() float64 {
	if d.variance == 0 {
		return 0
	}
	return d.sum / math.Sqrt(d.variance)
}

// lagged returns the sums of products of neighbours and of squares, of entries less
// their mean.
func lagged(e []float64) (products, squares float64) {
	mean := 0.0
	for _, v := range e {
		mean += v
	}
	mean /= float64(len(e))
	for i, v := range e {
		d := v - mean
		squares += float64(d * d)
		if i > 0 {
			products += float64(d * (e[i-1] - mean))
		}
	}
	return products, squares
}

// Residuals are rewards less the mean of their arm; NaN where one is not known.
func (l *Log) Residuals() []float64 {
	n, mean := make([]float64, l.Arms), make([]float64, l.Arms)
	for t, y := range l.Reward {
		if y == y {
			n[l.Arm[t]]++
			mean[l.Arm[t]] += y
		}
	}
	for a := range mean {
		mean[a] /= max(1, n[a])
	}
	out := make([]float64, len(l.Reward))
	for t, y := range l.Reward {
		out[t] = y - mean[l.Arm[t]]
	}
	return out
}

// Means returns the means of pieces of width entries, over the known ones; NaN where no entry
// of a piece is known. Entries behind the last whole piece are left out.
func Means(entries []float64, width int) []float64 {
	out := make([]float64, len(entries)/width)
	for i := range out {
		sum, n := 0.0, 0.0
		for _, v := range entries[i*width : (i+1)*width] {
			if v == v {
				sum += v
				n++
			}
		}
		out[i] = sum / n
	}
	return out
}
