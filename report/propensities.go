package report

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// maxBatches is how many lines the table of propensities by batch has: neighbours
// are joined where there are more.
const maxBatches = 40

// propensities adds the comparison of propensities batch by batch, and what
// would explain that they differ.
func (s *experimentView) propensities(b *builder, p *schemas.PropensityReplay, at string) {
	if p == nil {
		return
	}
	if p.Draws != nil {
		b.say("Where logged propensities differ from recomputed ones they were held against the law of shares of draws: " + words(p.Draws.Words) + ".")
	}
	if p.FirstMismatch == nil {
		return
	}
	if p.Draws != nil && len(p.Hypotheses) > 0 {
		b.say("The explanations below are compared round by round, to the decimals, which shares of draws meet of no law: that none fits says nothing against the law that they lean to.")
	}
	addHypotheses(b, "What would explain the logged propensities", p.Hypotheses, sub(at, "hypotheses"))
	if len(p.Batches) > 0 {
		b.add(fold{Title: "Propensities by batch, or by stretch of rounds", Blocks: []block{batchTable(p.Batches, sub(at, "batches"))}})
	}
}

// drawsFacts are the rows on propensities that are shares of draws.
func drawsFacts(d *schemas.PropensityDraws, at string) []row {
	if d == nil {
		return nil
	}
	declared := d.Declared
	if declared == "" {
		declared = "not declared"
	}
	rows := []row{fact("Draws by which they were estimated", label(declared)+", "+d.Drawn, sub(at, "declared"))}
	if d.Least != nil {
		rows = append(rows, fact("Draws in an update", numbersOf(d)+", the median is "+group(*d.Median), sub(at, "median")))
	}
	if d.Lattice != nil {
		rows = append(rows, fact("All but a few are multiples of", "1/"+group(*d.Lattice), sub(at, "lattice")))
	}
	if d.Estimate != nil {
		rows = append(rows, fact("Draws that they look like", "about "+short(*d.Estimate)+" ("+short(*d.Low)+" to "+short(*d.High)+" at 95 %)", sub(at, "estimate")))
	}
	if d.D != nil {
		rows = append(rows, fact("D of all together", short(*d.D)+", about "+group(d.Degrees)+" is expected; p = "+short(*d.P)+" by "+group(d.Redraws)+" redraws", sub(at, "d")))
	}
	if d.CellP != nil {
		rows = append(rows, fact("Least likely of "+group(d.Cells)+" shares", propensityPlace(d.Worst)+"; p = "+short(*d.CellP), sub(at, "cell_p")))
	}
	if d.RepeatP != nil && d.Updates > 0 {
		rows = append(rows, fact("Different shares in "+group(d.Updates)+" updates", group(d.Values)+"; p that they stand still so "+short(*d.RepeatP), sub(at, "repeat_p")))
	}
	if d.OffLattice > 0 {
		rows = append(rows, fact("Rounds that no draws give", group(d.OffLattice)+", the first is round "+group(*d.FirstOff), sub(at, "off_lattice")))
	}
	if d.Zero > 0 {
		rows = append(rows, fact("Rounds whose action has propensity 0", group(d.Zero), sub(at, "zero")))
	}
	return rows
}

// numbersOf says how many draws updates have that have numbers of their own.
func numbersOf(d *schemas.PropensityDraws) string {
	if *d.Least == *d.Most {
		return group(*d.Least) + " draws"
	}
	return group(*d.Least) + " to " + group(*d.Most) + " draws"
}

// batchTable has the rounds beyond tolerance of each batch.
func batchTable(batches []schemas.PropensityBatch, at string) table {
	t := table{
		Caption: "Propensities by batch",
		Pointer: at,
		RowHead: true,
		Columns: []column{{Title: "Rounds"}, numeric("Compared"), numeric("Beyond tolerance"), numeric("Share"), numeric("Largest deviation")},
	}
	size := (len(batches) + maxBatches - 1) / maxBatches
	for from := 0; from < len(batches); from += size {
		j := joinBatches(batches[from:min(from+size, len(batches))])
		here := ""
		if size == 1 {
			here = item(at, from)
		}
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			txt(group(j.First) + " to " + group(j.Last)),
			number(group(j.Rounds), here),
			number(group(j.Beyond), here),
			number(share(j.Beyond, j.Rounds), here),
			number(short(j.Largest), here),
		}})
	}
	return t
}

// joinBatches is one batch made of neighbours.
func joinBatches(list []schemas.PropensityBatch) schemas.PropensityBatch {
	out := list[0]
	for _, next := range list[1:] {
		out.Last, out.Rounds, out.Beyond = next.Last, out.Rounds+next.Rounds, out.Beyond+next.Beyond
		out.Largest = max(out.Largest, next.Largest)
	}
	return out
}

func abs(x float64) float64 { return math.Abs(x) }

// addHypotheses adds what was tried to explain something that contradicts the
// declaration, in the order of the results; nothing where nothing was tried.
func addHypotheses(b *builder, caption string, tried []schemas.Hypothesis, at string) {
	if len(tried) == 0 {
		return
	}
	t := table{
		Caption: caption,
		Pointer: at,
		RowHead: true,
		Columns: []column{
			{Title: "Explanation"},
			{Title: "Fits"},
			{Title: "Fitted value", Note: "what it is, and its interval, below it", Numeric: true},
			{Title: "Rows explained", Note: "of those tried, and by the declared policy", Numeric: true},
			numeric("Largest deviation left"), numeric("p"),
		},
	}
	for i := range tried {
		h, here := &tried[i], item(at, i)
		name := txt(h.Words)
		if h.Fits && h.Settles != nil {
			name.below("if that is what ran, declare " + *h.Settles)
		}
		value := number(opt(h.Value, sig), sub(here, "value"))
		if what := h.Fitted(); what != "" && h.Value != nil {
			value = below(value, what)
		}
		if h.Lo != nil && h.Hi != nil {
			value = below(value, "("+sig(*h.Lo)+", "+sig(*h.Hi)+")")
		}
		t.Rows = append(t.Rows, row{Pointer: here, Cells: []cell{
			name,
			number(yesNo(h.Fits), sub(here, "fits")),
			value,
			declaredRows(number(explainedRows(h), sub(here, "explained")), h),
			number(opt(h.Largest, short), sub(here, "largest")),
			number(pvalue(h.P, nil), sub(here, "p")),
		}})
	}
	b.add(t)
	b.note("An explanation that fits is one under which nearly all rows are within tolerance, and more than under the declared policy, or whose test does not reject it. It names what could have written this log, and does not show that it did; one that was not tried may fit as well.")
}

// declaredRows adds below a cell how many of the rows the declared policy explains.
func declaredRows(c cell, h *schemas.Hypothesis) cell {
	if h.Declared == nil {
		return c
	}
	return below(c, "declared: "+group(*h.Declared))
}

// explainedRows counts the rows within tolerance; what was tested and not compared
// row by row has none to count.
func explainedRows(h *schemas.Hypothesis) string {
	if !h.Compared() {
		return dash
	}
	return fmt.Sprintf("%s of %s", group(h.Explained), group(h.Rows))
}
