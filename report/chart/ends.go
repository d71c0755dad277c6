package chart

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// End is a label to the right of the axes, at the height at which what it names ends
// there: a legend that is read without colours.
type End struct {
	Key
	At float64
}

const (
	maxEndArea = 150 // of the labels, their samples and what leads to them, in points
	leader     = 12  // from the axes to a sample
	endSample  = 14
	endGap     = 4 // between a sample and its text
	endLine    = 1.25 * fontSize
)

// endArea is the width that labels at the right take.
func endArea(ends []End) vg.Length {
	if len(ends) == 0 {
		return 10
	}
	var widest vg.Length
	for _, e := range ends {
		widest = max(widest, measure(face(fontSize, draw.XLeft), e.Text))
	}
	return min(leader+endSample+endGap+widest+4, maxEndArea)
}

// drawEnds draws labels beside the axes, none over another.
func drawEnds(ends []End, c *draw.Canvas, y func(float64) vg.Length) {
	list := slices.Clone(ends)
	slices.Reverse(list) // of those at one height the last is the highest
	slices.SortStableFunc(list, func(a, b End) int { return cmp.Compare(b.At, a.At) })
	at := make([]vg.Length, len(list))
	for i, e := range list {
		at[i] = min(max(y(e.At), c.Min.Y), c.Max.Y)
	}
	for i, place := range spread(at, c.Min.Y, endLine) {
		x := c.Max.X + leader
		c.StrokeLine2(Link().line(), c.Max.X+1, at[i], x-2, place)
		list[i].sample(c, vg.Point{X: x, Y: place}, endSample)
		c.FillText(face(fontSize, draw.XLeft), vg.Point{X: x + endSample + endGap, Y: place}, list[i].Text)
	}
}

// spread moves places that fall apart by gap at least, the first as it is if it can be, and
// none below lowest while there is room.
func spread(places []vg.Length, lowest, gap vg.Length) []vg.Length {
	out := slices.Clone(places)
	for i := 1; i < len(out); i++ {
		out[i] = min(out[i], out[i-1]-gap)
	}
	if n := len(out); n > 0 && out[n-1] < lowest {
		out[n-1] = lowest
	}
	for i := len(out) - 2; i >= 0; i-- {
		out[i] = max(out[i], out[i+1]+gap)
	}
	return out
}
