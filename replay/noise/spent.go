package noise

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// delta returns Delta or its default.
func (in *Input) delta() float64 {
	if in.Delta > 0 {
		return in.Delta
	}
	return 1
}

// prefixesCost returns what row 1 of an arm, in its stratum, pays, which is in every release of
// it, where each has fresh noise of scale b(n)·n^κ:
//
//	Σ Δ/(b(n)·n^κ) over the releases, b(n) the widest scale in N(n)
//
// of the arm that pays most; where each row is in one release only (Forgets),
// the sum over the values shown of that release, at its largest. A sum of Laplace
// variables costs what its widest does: the log of its density has slope at most
// 1/b, which it approaches far out. The coordinates of a vector share Δ, so that
// one of them is summed.
func prefixesCost(in *Input, kappa int) float64 {
	type rows struct {
		stream  Stream
		release int64
	}
	sums := map[rows]float64{}
	var largest float64
	for _, x := range in.Residues {
		if x.Coordinate != 0 {
			continue
		}
		key := rows{stream: x.Stream}
		if in.Forgets {
			key.release = x.Rows
		}
		sums[key] += float64(in.delta() / widest(in.Law(x.Rows)) * bitexact.Pow(float64(x.Rows), -float64(kappa)))
		largest = max(largest, sums[key])
	}
	return largest
}

// nodesCost returns what a row pays where the declared draws were released as
// n^κ·N(n): a row i that moves the sums by Δ moves what would have to be drawn by
//
//	Recover(Δ·n^{−κ}·1{i is in the release of n rows})
//
// since Recover is linear, and pays Σ|move|/b. It is the largest of all rows, or,
// where they are too many, of candidates: atLeast then says that another may pay
// more, as it does where some releases reveal no draw.
func nodesCost(in *Input, kappa int) (largest float64, atLeast bool) {
	streams := map[Stream][]Residue{}
	var order []Stream
	for _, x := range rising(in.Residues) {
		if x.Coordinate != 0 {
			continue
		}
		if streams[x.Stream] == nil {
			order = append(order, x.Stream)
		}
		streams[x.Stream] = append(streams[x.Stream], x)
	}
	work, hidden := 0, false
	for _, own := range streams {
		work += len(own) * len(own)
	}
	atLeast = in.More > 0 || work > mostWork
	for _, stream := range order {
		own := streams[stream]
		moved := make([]Residue, len(own))
		for _, row := range candidates(own, work <= mostWork) {
			for i, x := range own {
				moved[i] = x
				moved[i].Value = 0
				if x.Rows == row || x.Rows > row && !in.Forgets {
					moved[i].Value = in.delta() * bitexact.Pow(float64(x.Rows), -float64(kappa))
				}
			}
			draws := in.Recover(moved)
			var sum float64
			for _, d := range draws {
				sum += math.Abs(d.Value) / d.Scale
			}
			largest = max(largest, sum)
			hidden = hidden || len(draws) < len(own)
		}
	}
	return largest, atLeast || hidden
}

// mostWork bounds the sum over streams of the squares of their releases up to which
// the cost of each row is computed.
const mostWork = 1 << 22

// candidates returns the rows of a stream of which the cost is computed, each the
// last that is in a release and not in the one before, as those between pay the
// same: all of them, or else the first and the last few, and those beside
// powers of two.
func candidates(own []Residue, all bool) []int64 {
	const near = 4
	var rows []int64
	last := int64(0)
	for i, x := range own {
		one := all || i+near >= len(own)
		for power := int64(1); power <= x.Rows+1 && power > 0 && !one; power *= 2 {
			one = last < power+1
		}
		if one {
			rows = append(rows, x.Rows)
		}
		last = x.Rows
	}
	return rows
}
