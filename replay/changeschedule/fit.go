package changeschedule

import (
	"math"
	"slices"
)

// off is the share of changes that a clock is given to come at any time.
const off = 0.1

// fit holds changes against grids of a period. It keeps its memory.
type fit struct{ opens, closes []edge }

// edge is where an arc of phases begins or ends, and the weight of its change.
type edge struct{ at, weight float64 }

// fitted is the best grid b, b + τ, b + 2τ, … of a period τ.
type fitted struct {
	gain float64 // ln of the likelihood ratio
	b    float64 // in [0, τ), from the first moment
	told int     // changes that are shorter than the period
	on   int     // of these, those that hold a point of the grid
}

// best finds the phase at which a grid of the period gains most. A stretch that is
// d long holds a point of a grid of any phase with probability q = d/τ where no
// clock runs, and with (1 − off) + off·q where one does, so that a change that
// holds a point gains ln((1 − off + off·q)/q), and one that holds none ln off.
// Changes as long as the period say nothing.
func (f *fit) best(changes []stretch, period float64) fitted {
	f.opens, f.closes = f.opens[:0], f.closes[:0]
	out, now := fitted{}, 0.0
	for _, c := range changes {
		d := c.e - c.s
		if d >= period {
			continue
		}
		out.told++
		q := d / period
		weight := math.Log((1-off+float64(off*q))/q) - math.Log(off)
		at := math.Mod(c.s, period)
		f.opens = append(f.opens, edge{at, weight})
		if at+d >= period { // the arc holds 0
			now += weight
			f.closes = append(f.closes, edge{at + d - period, weight})
			continue
		}
		f.closes = append(f.closes, edge{at + d, weight})
	}
	order := func(a, b edge) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	}
	slices.SortFunc(f.opens, order)
	slices.SortFunc(f.closes, order)
	top, opened := 0.0, 0
	for _, c := range f.closes { // the most arcs overlap where one of them ends
		for ; opened < len(f.opens) && f.opens[opened].at < c.at; opened++ {
			now += f.opens[opened].weight
		}
		if now > top {
			top, out.b = now, c.at
		}
		now -= c.weight
	}
	out.gain = top + float64(float64(out.told)*math.Log(off))
	return out
}

// count sets how many changes hold a point of the grid.
func (g *fitted) count(changes []stretch, period float64) {
	for _, c := range changes {
		if c.e-c.s < period && math.Floor((c.e-g.b)/period) > math.Floor((c.s-g.b)/period) {
			g.on++
		}
	}
}
