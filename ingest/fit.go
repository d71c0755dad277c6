package ingest

import (
	"slices"
	"strings"
	"unicode"

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
func (w *want) fit() fit {
	flat, list := []int{0}, []int{1}
	switch w.role {
	case roleExperiment, roleAction, roleUnit:
		return fit{flat, isLabel, "labels are whole numbers, text, booleans or dates, one per row", "cast it to VARCHAR, or take one element of it in SQL"}
	case roleOrder, roleRewardOrder:
		return fit{flat, isOrdered, "an order is numbers, text, dates or times, one per row", "cast it in SQL: to BIGINT, VARCHAR or TIMESTAMP"}
	case roleReward:
		return fit{flat, isNumber, "a reward is a boolean or a number, one per row", "cast it to DOUBLE"}
	case rolePropensity:
		return fit{flat, isProbability, "a propensity is a number, one per row", "cast it to DOUBLE; the propensities of all arms are declared as propensity_by_arm"}
	case roleContext:
		return w.fitContext()
	case roleContextList:
		return fit{list, isNumber, "a list context is a list of numbers", "cast it, for instance CAST(column AS DOUBLE[]), or list flat columns in log.context"}
	case roleDraws:
		return fit{flat, isProbability, "a number of draws is a whole number, one per row", "cast it to BIGINT"}
	case roleTarget:
		return fit{[]int{0, 1}, isProbability, "probabilities of an evaluated policy are a list of numbers, one for each arm, or one number, that of the played arm", "cast it, for instance CAST(column AS DOUBLE[]) or CAST(column AS DOUBLE)"}
	case rolePropensityByArm:
		return fit{list, isProbability, "propensities by arm are a list of numbers, one for each arm", mendByArm}
	case roleRewardByArm:
		return fit{list, isNumber, "rewards by arm are a list of numbers, one for each arm", mendByArm}
	case roleContextByArm:
		return fit{[]int{2}, isNumber, "contexts by arm are a list of lists of numbers, one list for each arm", "cast it, for instance CAST(column AS DOUBLE[][])"}
	case roleReleasedByArm:
		return fit{[]int{1, 2}, isNumber, "released values by arm are a list of numbers, or of lists of numbers, one for each arm", mendByArm}
	case roleEligible:
		return fit{list, isLabel, "eligible arms are a list of their labels, or of a boolean for each arm", "cast it, for instance CAST(column AS VARCHAR[])"}
	case roleBatch:
		return fit{flat, isBatch, "a batch is a whole number, a text, a boolean, a date or a timestamp, one per row", "cast it to BIGINT if its values are whole numbers (as text, 1.0 of one file is another batch than 1 of the next)"}
	}
	return fit{takes: func(*pages.Column) bool { return false }}
}

const mendByArm = "cast it, for instance CAST(column AS DOUBLE[])"

func (w *want) fitContext() fit {
	if len(w.context.Levels) > 0 {
		return fit{[]int{0}, isLabel, "a context with levels is text, a whole number, a boolean or a date, one per row", "cast it to VARCHAR, or declare it without levels"}
	}
	return fit{[]int{0}, isNumber, "a context is a boolean or a number, one per row", "declare its levels, or cast it to DOUBLE; a context that is a list is declared as {list: " + w.name + "}"}
}

// unfit says why a column cannot have a role, or "", and how to mend it.
func (w *want) unfit(c *pages.Column) (why, mend string) {
	fit := w.fit()
	switch {
	case c.Readable() && slices.Contains(fit.depths, c.Depth) && fit.takes(c):
		return "", ""
	case w.role == roleReward && c.Depth == 0 && c.Kind == pages.Text:
		return fit.needs, "write a condition that is true or false, such as " + sqlName(w.name) + " = 'yes', or cast it to DOUBLE"
	}
	return fit.needs, fit.mend
}

// sqlName is a column's name as SQL writes it.
func sqlName(name string) string {
	for i, r := range name {
		if !unicode.IsLetter(r) && r != '_' && r != '.' && (i == 0 || !unicode.IsDigit(r)) {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// isProbability reports whether the values of a column can be probabilities.
func isProbability(c *pages.Column) bool { return isNumber(c) && c.Kind != pages.Bool }

// isOrdered reports whether the values of a column can be compared.
func isOrdered(c *pages.Column) bool { return c.Kind != pages.Other }

// isBatch reports whether the values of a column can name batches.
func isBatch(c *pages.Column) bool { return isLabel(c) || c.Kind == pages.Timestamp }
