package subgroups

import (
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
)

// past is what came before and when: the previous action, the last reward,
// and the quarter, with the seven splits of them.
func (p *SplitPlan) past() {
	of := len(p.Cells)
	p.Cells = append(p.Cells, 24)
	for f := range 7 {
		sides := make([]Side, 24)
		for c := range sides {
			before, reward, quarter := c%2, c/2%3, c/6
			switch {
			case f == 0:
				sides[c] = Side(before)
			case f == 1:
				sides[c] = Side(reward)
			case f == 2 && quarter < 2 || f > 2 && quarter == f-3:
				sides[c] = SideYes
			}
		}
		p.Splits = append(p.Splits, SplitOf{Partition: of, Sides: sides})
	}
}

// number is a number by its eighths, with its two splits.
func (p *SplitPlan) number() {
	of := len(p.Cells)
	p.Cells = append(p.Cells, 8)
	p.Splits = append(p.Splits,
		SplitOf{Partition: of, Sides: []Side{0, 0, 0, 0, 1, 1, 1, 1}},
		SplitOf{Partition: of, Sides: []Side{1, 1, 0, 0, 0, 0, 1, 1}, Tail: true})
}

// earlierThings are the previous arm, where there are several, the last reward by bands,
// and two numbers of the round before.
func (p *SplitPlan) earlierThings(numbers int) {
	p.Earlier = make([]bool, len(p.Cells))
	cells := []int{3}
	if p.Arms > 2 {
		cells = append(cells, p.Arms)
	}
	for range min(2, numbers) {
		cells = append(cells, 4)
	}
	for _, n := range cells {
		p.Cells, p.Earlier, p.Crossed = append(p.Cells, n), append(p.Earlier, true), append(p.Crossed, false)
	}
}

// whole is what an audit of a log with so many numbers looks at.
func whole(arms, numbers int, deficits bool) SplitPlan {
	p := SplitPlan{Arms: arms, Level: allocationtest.SplitsLevel, Deficits: deficits, Tides: true, EachCell: true}
	p.past()
	for range numbers {
		p.number()
	}
	p.Crossed = make([]bool, len(p.Cells), len(p.Cells)+numbers)
	p.earlierThings(numbers)
	for range min(4, numbers) { // each with the previous action
		p.Cells, p.Crossed = append(p.Cells, 4), append(p.Crossed, true)
	}
	return p
}

// BenchmarkSplits is 13 splits of 10 arms, by the past, time and 6 numbers, with
// tails, tides, cells and four crossings: ns/op is that of a round. Propensities are those of
// the arms that were played, of all arms, and of all arms the same in every round.
func BenchmarkSplits(b *testing.B) {
	const arms, n = 10, 1 << 14
	for _, name := range []string{"played", "all", "alike"} {
		all := name != "played"
		b.Run(name, func(b *testing.B) {
			draw := rand.New(rand.NewPCG(1, 2))
			plan := whole(arms, 6, all)
			rows := &SplitRows{Cells: make([][]uint8, len(plan.Cells)), Arm: make([]int32, n), High: make([]float64, n)}
			for f, cells := range plan.Cells {
				if f == 0 {
					cells = 4 // in a quarter
				}
				rows.Cells[f] = make([]uint8, n)
				for t := range rows.Cells[f] {
					rows.Cells[f][t] = uint8(draw.IntN(cells))
				}
			}
			for t := range rows.Arm {
				rows.Arm[t], rows.High[t] = int32(draw.IntN(arms)), .05+.1*draw.Float64()
			}
			if all {
				rows.Low = make([]float64, n*arms)
				for i := range rows.Low {
					rows.Low[i] = .05 + .1*draw.Float64()
				}
			}
			if name == "alike" {
				rows.Again = make([]bool, n)
				for i := range rows.Low {
					rows.Low[i], rows.High[i/arms], rows.Again[i/arms] = .1, .1, true
				}
			}
			s := NewSplits(plan)
			b.ResetTimer()
			for range b.N/n + 1 {
				s.Add(rows)
			}
			s.Result()
		})
	}
}
