package guess

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// maxLevels bounds the levels of a text that is taken for a context.
const maxLevels = 20

// numeric reports whether a context goes in as it is.
func (p *profile) numeric() bool { return p.every(cell.IsNumber) }

// guessContexts takes every column that is left and can be a context: lists
// named so, or else flat columns. Contexts by arm go before both, as a log with
// them has them for a reason.
func (g *guesser) guessContexts() {
	if g.best(role.ContextByArm, g.judgeContextByArm) != nil {
		return
	}
	if g.best(role.ContextList, g.judgeContextList) != nil {
		return
	}
	for _, p := range g.s.columns {
		if it := g.judgeContext(p); it != nil && g.taken[p] == nil {
			g.take(p, role.Context, it)
		}
	}
}

func (g *guesser) judgeContextByArm(p *profile) *guess {
	if p.column.Depth != 2 || !cell.IsNumber(&p.column) {
		return nil
	}
	score, why := g.named(role.ContextByArm, p)
	it := g.perArm(p, score, why)
	if it == nil || p.lists.seen > 0 && p.lists.inner < 1 {
		return nil
	}
	if p.lists.seen > 0 {
		it.score += possibleScore // what else would have as many lists as actions
		it.why = append(it.why, fmt.Sprintf("%d numbers in each", p.lists.inner))
	}
	return it
}

func (g *guesser) judgeContextList(p *profile) *guess {
	if p.column.Depth != 1 || !cell.IsNumber(&p.column) || p.lists.seen > 0 && p.lists.length < 1 {
		return nil
	}
	score, why := g.named(role.ContextList, p)
	if score == 0 {
		return nil
	}
	if p.lists.seen > 0 {
		why = append(why, fmt.Sprintf("lists of %d numbers", p.lists.length))
	}
	return &guess{score: score + 20, why: why}
}

// judgeContext takes numbers, booleans and texts of few values that nothing
// else speaks of.
func (g *guesser) judgeContext(p *profile) *guess {
	if !p.column.Readable() || g.whyNot(p) != "" {
		return nil
	}
	if it := g.misfit(p, role.Context); it != "" {
		g.unfit[p] = "it is " + it
		return nil
	}
	if p.numeric() {
		return &guess{score: possibleScore, why: []string{"a number that has no other role"}}
	}
	return &guess{score: possibleScore, why: []string{fmt.Sprintf("text of %d values in the sample", p.distinct(maxLevels))}}
}

// listWhyNot says which role a list may have that it was not given, or a column that is one
// entry of a list. A list of texts is no context.
func (g *guesser) listWhyNot(p *profile) string {
	if slices.Contains(g.spread, p) {
		return "by its name and values the propensity of one arm, which is no context; log.propensity_by_arm takes one column of lists"
	}
	c, name := &p.column, schemas.Printable(p.name)
	eligible := fmt.Sprintf("log.eligible: %s, with eligible_by, if these are the arms that could be played", name)
	context := fmt.Sprintf("log.context: {list: %s} if it is the context", name)
	arms := c.Depth == 1 && cell.IsLabel(c) && g.holdsArms(p)
	switch {
	case arms && p.numeric():
		return "a list of labels of arms that has no role; write " + eligible + ", or " + context
	case arms:
		return "a list of labels of arms that has no role; write " + eligible
	case c.Depth == 1 && p.numeric():
		return "a list that has no role; write " + context
	case p.numeric():
		return "lists of lists that have no role; write log.context_by_arm: " + name + " if they are the contexts of the arms"
	}
	return "a list of texts that are no labels of arms, which has no role"
}

// whyNot says why a column without a role is no context, or "".
func (g *guesser) whyNot(p *profile) string {
	k := p.column.Kind
	n := p.distinct(maxProfiled)
	switch {
	case k == pages.Null:
		return "every value is null, so that it has no type"
	case !p.column.Readable():
		return "this type is not read"
	case cmp.Or(g.unfit[p], g.fractionsOfLabels(p)) != "":
		return cmp.Or(g.unfit[p], g.fractionsOfLabels(p))
	case p.column.Depth > 0 || slices.Contains(g.spread, p):
		return g.listWhyNot(p)
	case p.rows == 0 && g.s.taken > 0:
		return "not looked at: there are too many columns"
	case g.roles.IsOutcomeName(p.name):
		return "named like an outcome, which is known only after the action"
	case p.inText() && !p.sortedText():
		return "a time in text that does not sort in time; cast it to TIMESTAMP in SQL if it orders the rounds"
	case p.rises() && !cell.Fractions(&p.column):
		return "unique, and rises from row to row, as a row number does"
	case k == pages.Timestamp || k == pages.Date || k == pages.Time || p.inText():
		return "a time; derive numbers from it in SQL, such as the hour, if it is a context"
	case p.partition:
		return "a partition, which mostly says when or where a row was written"
	case p.rows > 0 && p.nulls == p.rows:
		return "null in all of the sample"
	case p.nulls > 0:
		return "it has nulls, which a context may not have; fill them in SQL"
	case n == 1 && p.rows > 1:
		return "one value in all of the sample"
	case role.IsKeyName(p.name) && n > maxLevels:
		return "named like an identifier"
	case p.notText():
		return "it has labels that are not texts in UTF-8"
	case !p.numeric() && n > maxLevels:
		return fmt.Sprintf("text of more than %d values; group them in SQL if it is a context", maxLevels)
	case p.isLabel() && p.rows > 2 && n == p.rows:
		return "every row has its own value, as an identifier has"
	case !p.numeric() && p.labels == nil:
		return "text of many values"
	}
	return ""
}

// mostFrequent is the label that most rows have; of equals the first.
func (p *profile) mostFrequent() string {
	if len(p.labels) == 0 {
		return ""
	}
	return slices.MaxFunc(slices.Sorted(maps.Keys(p.labels)), func(a, b string) int {
		return cmp.Compare(p.labels[a], p.labels[b])
	})
}
