package noise

import "math"

// delta returns Delta or its default.
func (in *Input) delta() float64 {
	if in.Delta > 0 {
		return in.Delta
	}
	return 1
}

// prefixesCost returns what row 1 of an arm pays, which is in every release of
// it, where each has fresh noise of scale b(n)·n^κ:
//
//	Σ Δ/(b(n)·n^κ) over the releases, b(n) the widest scale in N(n)
//
// of the arm that pays most. A sum of Laplace variables costs what its widest
// does: the log of its density has slope at most 1/b, which it approaches far
// out. The coordinates of a vector share Δ, so that one of them is summed.
func prefixesCost(in *Input, kappa int) float64 {
	sums := map[int]float64{}
	var largest float64
	for _, x := range in.Residues {
		if x.Coordinate == 0 {
			sums[x.Arm] += float64(in.delta() / widest(in.Law(x.Rows)) * math.Pow(float64(x.Rows), -float64(kappa)))
			largest = max(largest, sums[x.Arm])
		}
	}
	return largest
}

// nodesCost returns what a row pays where the declared draws were released as
// n^κ·N(n): a row i that moves the sums by Δ moves what would have to be drawn by
//
//	Recover(Δ·n^{−κ}·1{n ≥ i})
//
// since Recover is linear, and pays Σ|move|/b. It is the largest of the rows
// that are tried: the first and the last few, and those beside powers of two; no
// more than the row that paid most.
func nodesCost(in *Input, kappa int) float64 {
	arms := map[int][]Residue{}
	var order []int
	for _, x := range rising(in.Residues) {
		if x.Coordinate != 0 {
			continue
		}
		if arms[x.Arm] == nil {
			order = append(order, x.Arm)
		}
		arms[x.Arm] = append(arms[x.Arm], x)
	}
	var largest float64
	for _, arm := range order {
		own := arms[arm]
		moved := make([]Residue, len(own))
		for _, row := range candidates(own[len(own)-1].Rows) {
			for i, x := range own {
				moved[i] = x
				moved[i].Value = 0
				if x.Rows >= row {
					moved[i].Value = in.delta() * math.Pow(float64(x.Rows), -float64(kappa))
				}
			}
			var sum float64
			for _, d := range in.Recover(moved) {
				sum += math.Abs(d.Value) / d.Scale
			}
			largest = max(largest, sum)
		}
	}
	return largest
}

// candidates returns the rows of which the cost is computed.
func candidates(last int64) []int64 {
	const near = 4
	var rows []int64
	for power := int64(1); power <= last && power > 0; power *= 2 {
		for _, row := range []int64{power - 1, power, power + 1} {
			if row >= 1 && row <= last {
				rows = append(rows, row)
			}
		}
	}
	for row := max(1, last-near); row <= last; row++ {
		rows = append(rows, row)
	}
	return rows
}
