package analyze

import (
	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// parts are those of a log that is split by time.
const parts = 4

// pastCell is what came before a round, and when it was: a cell for each of
// whether the first arm was played in the round before, whether the last reward
// that was known is above the mean of those known before it, and the quarter.
type pastCell struct {
	before, reward adaptive.Side
	part           int
}

// number is the place of a cell: of two, three and four values.
func (p pastCell) number() int { return int(p.before) + 2*int(p.reward) + 6*p.part }

// pastCells are all of so many parts of the log, in the order of their numbers.
func pastCells(parts int) []pastCell {
	var out []pastCell
	for part := range parts {
		for reward := range 3 {
			for before := range 2 {
				out = append(out, pastCell{adaptive.Side(before), adaptive.Side(reward), part})
			}
		}
	}
	return out
}

// pastPartition is what came before a round, and, of a log whose end was fixed in
// advance, in which quarter of it the round is. Of many arms, for which there are
// no splits by time, no quarters are told apart.
func (in *Input) pastPartition() partition {
	n := 1
	if in.Protocol.Experiment.Stopping == schemas.StoppingFixed && in.mostSplits() > 2 {
		n = parts
	}
	cells := pastCells(n)
	p := partition{Cells: check.Cells{Name: "the previous action and the last reward"}, cells: in.pastReader(int64(n))}
	if n > 1 {
		p.Name = "the previous action, the last reward and the quarter"
	}
	for _, is := range in.pastSplits(n) {
		s := split{Split: is.Split}
		for _, c := range cells {
			s.sides = append(s.sides, is.side(c))
		}
		p.splits = append(p.splits, s)
	}
	for _, c := range cells {
		p.Rounds = append(p.Rounds, in.pastWords(c, n))
	}
	return p
}

// pastSplit is a split by a cell of what came before.
type pastSplit struct {
	check.Split

	side func(c pastCell) adaptive.Side
}

// pastSplits are those by the round before, by the last reward, and by time.
func (in *Input) pastSplits(n int) []pastSplit {
	first := in.name(0)
	out := []pastSplit{
		{
			check.Split{Name: "the previous action", Sides: [2]string{"behind one that did not play " + first, "behind one that played " + first}, Previous: true},
			func(c pastCell) adaptive.Side { return c.before },
		},
		{
			check.Split{Name: "the last reward", Sides: rewardSides()},
			func(c pastCell) adaptive.Side { return c.reward },
		},
	}
	if n == 1 {
		return out
	}
	half := func(c pastCell) adaptive.Side { return yes(c.part < parts/2) }
	out = append(out, pastSplit{check.Split{Name: "the first half", Sides: [2]string{"of the second half", "of the first half"}}, half})
	for i, name := range quarters() {
		out = append(out, pastSplit{check.Split{Name: name, Sides: [2]string{"outside " + name, "of " + name}}, func(c pastCell) adaptive.Side { return yes(c.part == i) }})
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

func yes(is bool) adaptive.Side {
	if is {
		return adaptive.SideYes
	}
	return adaptive.SideNo
}

// pastWords are the rounds of a cell, behind "in rounds".
func (in *Input) pastWords(c pastCell, n int) string {
	words := "behind one that "
	if c.before == adaptive.SideNo {
		words += "did not play "
	} else {
		words += "played "
	}
	words += in.name(0)
	if c.reward == adaptive.SideUnknown {
		words += " and before two rewards were known"
	} else {
		words += " and " + rewardSides()[c.reward]
	}
	if n > 1 {
		words += " of " + quarters()[c.part]
	}
	return words
}

// pastReader gives the cells of rounds in their order; none for the first.
func (in *Input) pastReader(n int64) func(c *tableau.Chunk, y []float64, dst []uint8) []uint8 {
	rows, begun := in.Slice.Rows(), false
	var known adaptive.ArrivalSplit
	var at pastCell
	return func(c *tableau.Chunk, y []float64, dst []uint8) []uint8 {
		for t, round := range c.Round {
			after := round
			if c.RewardRound != nil {
				after = c.RewardRound[t]
			}
			at.reward = known.Side(round)
			known.Add(round, after, y[t])
			at.part = partOf(c.Start+int64(t), rows, n)
			cell := uint8(adaptive.NoCell)
			if begun {
				cell = uint8(at.number()) //nolint:gosec // below 24
			}
			dst = append(dst, cell)
			begun, at.before = true, yes(c.Arm[t] == 0)
		}
		return dst
	}
}

// partOf is in which of n parts of a log a row is: part i begins at row i·rows/n.
func partOf(row, rows, n int64) int {
	part := row * n / max(1, rows)
	for part+1 < n && (part+1)*rows/n <= row {
		part++
	}
	return int(part)
}
