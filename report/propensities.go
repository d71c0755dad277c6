package report

import (
	"fmt"

	"banditaudit/report/answers"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// maxBatches is how many lines the table of propensities by batch has: neighbours
// are joined where there are more.
const maxBatches = 40

// propensities adds the comparison of propensities batch by batch, and what
// would explain that they differ.
func (s *experimentView) propensities(b *page.Builder, p *schemas.PropensityReplay, at string) {
	if p == nil {
		return
	}
	if p.Draws != nil {
		b.Say("Where logged propensities differ from recomputed ones they were held against the law of shares of draws: " +
			page.OrDash(p.Draws.Words) + ".")
	}
	if p.FirstMismatch == nil {
		return
	}
	if p.Draws != nil && len(p.Hypotheses) > 0 {
		b.Say("The explanations below are compared round by round, to the decimals, which shares of draws meet of no law: that none fits says nothing against the law that they lean to.")
	}
	addHypotheses(b, "What would explain the logged propensities", p.Hypotheses, page.Member(at, "hypotheses"))
	if len(p.Batches) > 0 {
		b.Add(page.Fold{Title: "Propensities by batch, or by stretch of rounds", Blocks: []page.Block{batchTable(p.Batches, page.Member(at, "batches"))}})
	}
}

// drawsFacts are the rows on propensities that are shares of draws.
func drawsFacts(d *schemas.PropensityDraws, at string) []page.Row {
	if d == nil {
		return nil
	}
	declared := d.Declared
	if declared == "" {
		declared = "not declared"
	}
	rows := []page.Row{page.Fact("Draws by which they were estimated", page.Label(declared)+", "+d.Drawn, page.Member(at, "declared"))}
	if d.Least != nil {
		rows = append(rows, page.Fact("Draws in an update", answers.NumbersOf(d)+", the median is "+page.Group(*d.Median),
			page.Member(at, "median")))
	}
	if d.Lattice != nil {
		rows = append(rows, page.Fact("All but a few are multiples of", "1/"+page.Group(*d.Lattice), page.Member(at, "lattice")))
	}
	if d.Estimate != nil {
		rows = append(rows, page.Fact("Draws that they look like",
			"about "+page.Short(*d.Estimate)+" ("+page.Short(*d.Low)+" to "+page.Short(*d.High)+" at 95 %)", page.Member(at, "estimate")))
	}
	if d.D != nil {
		rows = append(rows, page.Fact("D of all together",
			page.Short(*d.D)+", about "+page.Group(d.Degrees)+" is expected; p = "+page.Short(*d.P)+" by "+page.Group(d.Redraws)+" redraws",
			page.Member(at, "d")))
	}
	if d.CellP != nil {
		rows = append(rows, page.Fact("Least likely of "+page.Group(d.Cells)+" shares", propensityPlace(d.Worst)+"; p = "+page.Short(*d.CellP),
			page.Member(at, "cell_p")))
	}
	if d.RepeatP != nil && d.Updates > 0 {
		rows = append(rows, page.Fact("Different shares in "+page.Group(d.Updates)+" updates",
			page.Group(d.Values)+"; p that they stand still so "+page.Short(*d.RepeatP), page.Member(at, "repeat_p")))
	}
	if d.OffLattice > 0 {
		rows = append(rows, page.Fact("Rounds that no draws give", page.Group(d.OffLattice)+", the first is round "+page.Group(*d.FirstOff),
			page.Member(at, "off_lattice")))
	}
	if d.Zero > 0 {
		rows = append(rows, page.Fact("Rounds whose action has propensity 0", page.Group(d.Zero), page.Member(at, "zero")))
	}
	return rows
}

// batchTable has the rounds beyond tolerance of each batch.
func batchTable(batches []schemas.PropensityBatch, at string) page.Table {
	t := page.Table{
		Caption: "Propensities by batch",
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{{Title: "Rounds"}, page.Numeric("Compared"), page.Numeric("Beyond tolerance"), page.Numeric("Share"), page.Numeric("Largest deviation")},
	}
	size := (len(batches) + maxBatches - 1) / maxBatches
	for from := 0; from < len(batches); from += size {
		j := joinBatches(batches[from:min(from+size, len(batches))])
		here := ""
		if size == 1 {
			here = page.Element(at, from)
		}
		t.Rows.Add(here,
			page.Text(page.Group(j.First)+" to "+page.Group(j.Last)),
			page.Number(page.Group(j.Rounds), here),
			page.Number(page.Group(j.Beyond), here),
			page.Number(page.Share(j.Beyond, j.Rounds), here),
			page.Number(page.Short(j.Largest), here),
		)
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

// addHypotheses adds what was tried to explain something that contradicts the
// declaration, in the order of the results; nothing where nothing was tried.
func addHypotheses(b *page.Builder, caption string, tried []schemas.Hypothesis, at string) {
	if len(tried) == 0 {
		return
	}
	t := page.Table{
		Caption: caption,
		Pointer: at,
		RowHead: true,
		Columns: []page.Column{
			{Title: "Explanation"},
			{Title: "Fits"},
			{Title: "Fitted value", Note: "what it is, and its interval, below it", Numeric: true},
			{Title: "Rows explained", Note: "of those tried, and by the declared policy", Numeric: true},
			page.Numeric("Largest deviation left"), page.Numeric("p"),
		},
	}
	for i := range tried {
		h, here := &tried[i], page.Element(at, i)
		name := page.Text(h.Words)
		if h.Fits && h.Settles != nil {
			name.Below("if that is what ran, declare " + *h.Settles)
		}
		value := page.Number(page.Opt(h.Value, page.Sig), page.Member(here, "value"))
		if what := h.Fitted(); what != "" && h.Value != nil {
			value = page.BelowNumber(value, what)
		}
		if h.Lo != nil && h.Hi != nil {
			value = page.BelowNumber(value, "("+page.Sig(*h.Lo)+", "+page.Sig(*h.Hi)+")")
		}
		t.Rows.Add(here,
			name,
			page.Number(page.YesNo(h.Fits), page.Member(here, "fits")),
			value,
			declaredRows(page.Number(explainedRows(h), page.Member(here, "explained")), h),
			page.Number(page.Opt(h.Largest, page.Short), page.Member(here, "largest")),
			page.Number(page.PValue(h.P, nil), page.Member(here, "p")),
		)
	}
	b.Add(t)
	b.Note("An explanation that fits is one under which nearly all rows are within tolerance, and more than under the declared policy, or whose test does not reject it. It names what could have written this log, and does not show that it did; one that was not tried may fit as well.")
}

// declaredRows adds below a cell how many of the rows the declared policy explains.
func declaredRows(c page.Cell, h *schemas.Hypothesis) page.Cell {
	if h.Declared == nil {
		return c
	}
	return page.BelowNumber(c, "declared: "+page.Group(*h.Declared))
}

// explainedRows counts the rows within tolerance; what was tested and not compared
// row by row has none to count.
func explainedRows(h *schemas.Hypothesis) string {
	if !h.Compared() {
		return page.Dash
	}
	return fmt.Sprintf("%s of %s", page.Group(h.Explained), page.Group(h.Rows))
}

func propensityPlace(m *schemas.PropensityMismatch) string {
	return fmt.Sprintf("round %s, arm %s: logged %.10g, the policy's %.10g", page.Group(m.Round), page.Label(m.Arm), m.Logged, m.Replayed)
}
