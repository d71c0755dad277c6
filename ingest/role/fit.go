package role

import (
	"slices"
	"strings"
	"unicode"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
)

// fit says which columns can have a role.
type fit struct {
	depths []int // of lists: 0 for one value per row
	takes  func(c *pages.Column) bool
	needs  string // what the role is, for columns whose depth or type is another
	mend   string
}

// fit returns what a want asks of a column.
func (w *Want) fit() fit {
	flat, list := []int{0}, []int{1}
	switch w.Role {
	case Experiment, Action, Unit:
		return fit{flat, cell.IsLabel, "labels are whole numbers, text, booleans or dates, one per row", "cast it to VARCHAR, or take one element of it in SQL"}
	case Order, RewardOrder:
		return fit{flat, isOrdered, "an order is numbers, text, dates or times, one per row", "cast it in SQL: to BIGINT, VARCHAR or TIMESTAMP"}
	case Reward:
		return fit{flat, cell.IsNumber, "a reward is a boolean or a number, one per row", "cast it to DOUBLE"}
	case Propensity:
		return fit{flat, IsProbability, "a propensity is a number, one per row", "cast it to DOUBLE; the propensities of all arms are declared as propensity_by_arm"}
	case Context:
		return w.fitContext()
	case ContextList:
		return fit{list, cell.IsNumber, "a list context is a list of numbers", "cast it, for instance CAST(column AS DOUBLE[]), or list flat columns in log.context"}
	case Draws:
		return fit{flat, IsProbability, "a number of draws is a whole number, one per row", "cast it to BIGINT"}
	case Target:
		return fit{[]int{0, 1}, IsProbability, "probabilities of an evaluated policy are a list of numbers, one for each arm, or one number, that of the played arm", "cast it, for instance CAST(column AS DOUBLE[]) or CAST(column AS DOUBLE)"}
	case PropensityByArm:
		return fit{list, IsProbability, "propensities by arm are a list of numbers, one for each arm", mendByArm}
	case RewardByArm:
		return fit{list, cell.IsNumber, "rewards by arm are a list of numbers, one for each arm", mendByArm}
	case ContextByArm:
		return fit{[]int{2}, cell.IsNumber, "contexts by arm are a list of lists of numbers, one list for each arm", "cast it, for instance CAST(column AS DOUBLE[][])"}
	case ReleasedByArm:
		return fit{[]int{1, 2}, cell.IsNumber, "released values by arm are a list of numbers, or of lists of numbers, one for each arm", mendByArm}
	case Eligible:
		return fit{list, cell.IsLabel, "eligible arms are a list of their labels, or of a boolean for each arm", "cast it, for instance CAST(column AS VARCHAR[])"}
	case Batch:
		return fit{flat, isBatch, "a batch is a whole number, a text, a boolean, a date or a timestamp, one per row", "cast it to BIGINT if its values are whole numbers (as text, 1.0 of one file is another batch than 1 of the next)"}
	}
	return fit{takes: func(*pages.Column) bool { return false }}
}

const mendByArm = "cast it, for instance CAST(column AS DOUBLE[])"

func (w *Want) fitContext() fit {
	if len(w.Context.Levels) > 0 {
		return fit{[]int{0}, cell.IsLabel, "a context with levels is text, a whole number, a boolean or a date, one per row", "cast it to VARCHAR, or declare it without levels"}
	}
	return fit{[]int{0}, cell.IsNumber, "a context is a boolean or a number, one per row", "declare its levels, or cast it to DOUBLE; a context that is a list is declared as {list: " + w.Name + "}"}
}

// Unfit says why a column cannot have a role, or "", and how to mend it.
func (w *Want) Unfit(c *pages.Column) (why, mend string) {
	fit := w.fit()
	switch {
	case c.Readable() && slices.Contains(fit.depths, c.Depth) && fit.takes(c):
		return "", ""
	case w.Role == Reward && c.Depth == 0 && c.Kind == pages.Text:
		return fit.needs, "write a condition that is true or false, such as " + SQLName(w.Name) + " = 'yes', or cast it to DOUBLE"
	}
	return fit.needs, fit.mend
}

// SQLName is a column's name as SQL writes it.
func SQLName(name string) string {
	for i, r := range name {
		if !unicode.IsLetter(r) && r != '_' && r != '.' && (i == 0 || !unicode.IsDigit(r)) {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// IsProbability reports whether the values of a column can be probabilities.
func IsProbability(c *pages.Column) bool { return cell.IsNumber(c) && c.Kind != pages.Bool }

// isOrdered reports whether the values of a column can be compared.
func isOrdered(c *pages.Column) bool { return c.Kind != pages.Other }

// isBatch reports whether the values of a column can name batches.
func isBatch(c *pages.Column) bool { return cell.IsLabel(c) || c.Kind == pages.Timestamp }
