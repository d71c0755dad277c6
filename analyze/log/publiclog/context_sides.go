package publiclog

import (
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/schemas"
)

const (
	// maxSided bounds the pairs of arm and context of which something is kept: 1.5 MiB.
	maxSided = 1 << 15
	// maxContexts bounds the contexts, the first of which are looked at.
	maxContexts = 64
)

// ContextSide is on which of two sides of a context rounds are.
type ContextSide struct {
	Name string

	columns []int              // of the context; several: whether all of them are 0
	number  *subgroups.Eighths // nil: whether the column is 1
}

// ContextSides lists the sides of the declared contexts, at most maxContexts: a number is
// above the median of the numbers before it or not ([allocationtest.Eighths]), a word has a side for
// each level, and one side where it has two levels. Of contexts by arm the played arm's counts.
func (in *Log) ContextSides() []ContextSide {
	var out []ContextSide
	names, next := in.ContextNames(), 0 // column of the tableau
	number := func(j int) ContextSide {
		return ContextSide{schemas.Named(names[j]), []int{j}, &subgroups.Eighths{}}
	}
	if in.Slice.Schema().ContextByArm == 0 {
		declared := &in.Protocol.Log.Context
		for _, c := range declared.Columns {
			if len(c.Levels) == 0 {
				out = append(out, number(next))
				next++
				continue
			}
			out = append(out, levelSides(c, next)...)
			next += len(c.Levels) - 1
		}
	}
	for ; next < ContextDim(in.Slice); next++ { // of a list, or of each arm
		out = append(out, number(next))
	}
	return out[:min(len(out), maxContexts, maxSided/in.K())]
}

// levelSides are the levels of a word whose dummies begin at a column; that without one
// comes last, where it is not the opposite of the only other.
func levelSides(c schemas.ContextColumn, first int) []ContextSide {
	var out []ContextSide
	var all []int
	baseline := c.Levels[0]
	if c.Baseline != nil {
		baseline = *c.Baseline
	}
	name := schemas.Named(c.Column) + " = "
	for _, level := range c.Levels {
		if level != baseline {
			all = append(all, first+len(all))
			out = append(out, ContextSide{name + schemas.Named(level), all[len(all)-1:], nil})
		}
	}
	if len(all) > 1 {
		out = append(out, ContextSide{name + schemas.Named(baseline), all, nil})
	}
	return out
}

// Cells appends the sides of the rounds of a chunk, whose contexts are x by column: 1 on
// the side, 0 off it, and [allocationtest.NoCell] where that is not known. Chunks come in order.
func (s *ContextSide) Cells(dst []uint8, x [][]float64) []uint8 {
	if s.number == nil {
		return s.levels(dst, x)
	}
	const above = 4 // the eighths above the median
	dst = s.number.Cells(dst, x[s.columns[0]])
	for t, cell := range dst {
		switch {
		case cell == subgroups.NoCell:
		case cell >= above:
			dst[t] = 1
		default:
			dst[t] = 0
		}
	}
	return dst
}

// levels are the sides of rounds by a level.
func (s *ContextSide) levels(dst []uint8, x [][]float64) []uint8 {
	on, off := uint8(1), uint8(0)
	if len(s.columns) > 1 {
		on, off = off, on
	}
	for t := range x[s.columns[0]] {
		cell := off
		for _, j := range s.columns {
			if x[j][t] != 0 {
				cell = on
			}
		}
		dst = append(dst, cell)
	}
	return dst
}
