package ingest

import (
	"fmt"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableau"
)

// drawsRule converts by how many draws the propensities of a row were estimated:
// a whole number in [1, tableau.MostDraws] of any type of numbers.
type drawsRule struct {
	want   int
	column string
}

func newDraws(c *converter, i int) columnRule {
	return &drawsRule{want: i, column: c.log.wants[i].Name}
}

const mendDraws = "write by how many draws the propensities of the row were estimated, or log.propensity_draws: unknown"

func (rule *drawsRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Draws = cell.Resize(out.Draws, r.n)
	b, c := r.cols[rule.want], r.types[rule.want]
	for i := range out.Draws {
		if b.Nulls > 0 && b.Null[i] {
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the column of propensity_draws", mendDraws)
			continue
		}
		n := cell.NumberAt(b, c, i)
		if n >= 1 && n <= tableau.MostDraws && n == math.Trunc(n) {
			out.Draws[i] = int64(n)
			continue
		}
		rule.refuse(n, r.place(i), f)
	}
	return nil
}

// refuse says what is wrong with a number of draws.
func (rule *drawsRule) refuse(n float64, at fault.Place, f *fault.List) {
	switch {
	case !cell.IsFinite(n):
		f.Row(fault.RuleNotFinite, rule.column, at, "NaN or an infinity", mendDraws)
	case n > tableau.MostDraws:
		f.Row(fault.RuleDraws, rule.column, at, fmt.Sprintf("a number of draws above %d, beyond which recomputed propensities are not exact enough to be told from shares of so many", tableau.MostDraws),
			"check that the column has numbers of draws; where all are so large, leave log.propensity_draws out of the protocol")
	case n < 1:
		f.Row(fault.RuleDraws, rule.column, at, "a number of draws below 1", mendDraws)
	default:
		f.Row(fault.RuleDraws, rule.column, at, "a number of draws that is not whole", mendDraws)
	}
}
