package allocation

import (
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// parts is the number of parts of a log that is split by time.
const parts = 4

// pastCell is what came before a round, and when it was: a cell for each of
// whether the first arm was played in the round before, whether the last reward
// that was known is above the mean of those known before it, and the quarter.
type pastCell struct {
	before, reward subgroups.Side
	part           int
}

// number is the place of a cell: of two, three and four values.
func (p pastCell) number() int { return int(p.before) + 2*int(p.reward) + 6*p.part }

// pastCells lists the cells of a log in parts, in the order of their numbers.
func pastCells(parts int) []pastCell {
	var out []pastCell
	for part := range parts {
		for reward := range 3 {
			for before := range 2 {
				out = append(out, pastCell{subgroups.Side(before), subgroups.Side(reward), part})
			}
		}
	}
	return out
}

// pastPartitions are what came before a round, what came two rounds before, and what
// came earlier otherwise.
func pastPartitions(in *publiclog.Log) []partition {
	past := newPast(in)
	return slices.Concat([]partition{pastPartition(in, past)}, earlierPartition(in, past), earlierPartitions(in, past))
}

// pastParts is in how many parts the log is cut by time.
func pastParts(in *publiclog.Log) int {
	if in.Protocol.Experiment.Stopping == schemas.StoppingFixed && mostSplits(in) > 2 {
		return parts
	}
	return 1
}

// pastPartition is what came before a round, and, of a log whose end was fixed in
// advance, in which quarter of it the round is. Of many arms, for which there are
// no splits by time, no quarters are told apart.
func pastPartition(in *publiclog.Log, past *pastReader) partition {
	n := pastParts(in)
	cells := pastCells(n)
	p := partition{Cells: check.Cells{Name: "the previous action and the last reward"}, cells: past.cells}
	if n > 1 {
		p.Name = "the previous action, the last reward and the quarter"
	}
	for _, is := range pastSplits(in, n) {
		s := split{Split: is.Split}
		for _, c := range cells {
			s.sides = append(s.sides, is.side(c))
		}
		p.splits = append(p.splits, s)
	}
	p.most, p.name = len(cells), func() []string {
		var out []string
		for _, c := range cells {
			out = append(out, pastWords(in, c, n))
		}
		return out
	}
	return p
}

// pastSplit is a split by a cell of what came before.
type pastSplit struct {
	check.Split

	side func(c pastCell) subgroups.Side
}

// pastSplits lists the splits by the round before, by the last reward and, of n > 1 parts, by time.
func pastSplits(in *publiclog.Log, n int) []pastSplit {
	first := in.Name(0)
	out := []pastSplit{
		{
			check.Split{Name: "the previous action", Sides: [2]string{"behind one that did not play " + first, "behind one that played " + first}, Previous: true},
			func(c pastCell) subgroups.Side { return c.before },
		},
		{
			check.Split{Name: "the last reward", Sides: rewardSides()},
			func(c pastCell) subgroups.Side { return c.reward },
		},
	}
	if n == 1 {
		return out
	}
	half := func(c pastCell) subgroups.Side { return yes(c.part < parts/2) }
	out = append(out, pastSplit{check.Split{Name: "the first half", Sides: [2]string{"of the second half", "of the first half"}}, half})
	for i, name := range quarters() {
		out = append(out, pastSplit{check.Split{Name: name, Sides: [2]string{"outside " + name, "of " + name}}, func(c pastCell) subgroups.Side { return yes(c.part == i) }})
	}
	return out
}

// rewardSides are the rounds by the last reward, behind "in rounds".
func rewardSides() [2]string {
	return [2]string{"behind a reward not above the mean of those before it", "behind a reward above the mean of those before it"}
}

func quarters() [parts]string {
	return [parts]string{"the first quarter", "the second quarter", "the third quarter", "the last quarter"}
}

func yes(is bool) subgroups.Side {
	if is {
		return subgroups.SideYes
	}
	return subgroups.SideNo
}

// pastWords are the rounds of a cell, behind "in rounds".
func pastWords(in *publiclog.Log, c pastCell, n int) string {
	words := "behind one that "
	if c.before == subgroups.SideNo {
		words += "did not play "
	} else {
		words += "played "
	}
	words += in.Name(0)
	if c.reward == subgroups.SideUnknown {
		words += " and before two rewards were known"
	} else {
		words += " and " + rewardSides()[c.reward]
	}
	if n > 1 {
		words += " of " + quarters()[c.part]
	}
	return words
}

// pastReader gives the cells of rounds in their order; none for the first, nor, of
// what came two rounds before, for the second.
type pastReader struct {
	rows, parts int64
	begun       int64 // rounds that were read, at most 2
	known       subgroups.ArrivalSplit
	at          pastCell
	twice       subgroups.Side // whether the first arm was played two rounds before
	earlier     []uint8        // the cells of earlierPartition of the chunk read last
	bands       []uint8        // the cells of bandPartition
}

func newPast(in *publiclog.Log) *pastReader {
	return &pastReader{rows: in.Slice.Rows(), parts: int64(pastParts(in))}
}

func (r *pastReader) cells(c *tableau.Chunk, y []float64, dst []uint8) []uint8 {
	r.earlier, r.bands = r.earlier[:0], r.bands[:0]
	for t, round := range c.Round {
		after := round
		if c.RewardRound != nil {
			after = c.RewardRound[t]
		}
		r.at.reward = r.known.Side(round)
		second := r.known.Earlier()
		r.bands = append(r.bands, r.known.Band())
		r.known.Add(round, after, y[t])
		r.at.part = partOf(c.Start+int64(t), r.rows, r.parts)
		cell, earlier := uint8(subgroups.NoCell), uint8(subgroups.NoCell)
		if r.begun > 0 {
			cell = uint8(r.at.number()) //nolint:gosec // below 24
		}
		if r.begun > 1 {
			earlier = r.at.before + 2*r.twice + 4*second
		}
		dst, r.earlier = append(dst, cell), append(r.earlier, earlier)
		r.begun, r.twice, r.at.before = min(2, r.begun+1), r.at.before, yes(c.Arm[t] == 0)
	}
	return dst
}

// partOf is in which of n parts of a log a row is: part i begins at row i·rows/n.
func partOf(row, rows, n int64) int {
	part := row * n / max(1, rows)
	for part+1 < n && (part+1)*rows/n <= row {
		part++
	}
	return int(part)
}
