package guess

import (
	"context"
	"fmt"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/files"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// named scores a name.
func (g *guesser) named(r role.Role, p *profile) (int, []string) {
	switch g.roles.Of(r).Match(p.name) {
	case role.NameWhole:
		return role.NameWhole, []string{"by its name"}
	case role.NamePart:
		return role.NamePart, []string{"by a part of its name"}
	}
	return 0, nil
}

// isLabel reports whether a column's values can be labels.
func (p *profile) isLabel() bool {
	k := p.column.Kind
	return p.column.Depth == 0 && (k == pages.Text || k == pages.Bool || cell.WholeNumbers(&p.column))
}

// maxGuessedArms bounds the arms of a column that is taken for the action.
const maxGuessedArms = 1000

// judgeAction looks for labels, few of them and each in many rows. Where no
// name says so, a column whose number of labels is the mean of one over a
// column of probabilities is the action: E[1/p(A)] = K.
func (g *guesser) judgeAction(p *profile) *guess {
	if !p.isLabel() {
		return nil
	}
	score, why := g.named(role.Action, p)
	n := p.distinct(maxProfiled)
	if g.s.taken > 0 && (n > maxGuessedArms || n > 2 && n*2 > p.rows-p.nulls) {
		if n > maxGuessedArms && g.roles.Of(role.Action).Match(p.name) > 0 {
			g.unfit[p] = "named like the action, and it has more than 1,000 values: an id? log.action names the arm that was played"
		}
		return nil // nearly every row has its own
	}
	if n >= 2 {
		score += 15
		why = append(why, fmt.Sprintf("%d labels in the sample", n))
	}
	if q := g.inverse(n); q != nil && n >= 2 {
		score += 20
		why = append(why, fmt.Sprintf("the mean of 1/%s is near %d", schemas.Printable(q.name), n))
	}
	if p.nulls > 0 {
		score -= 20
		why = append(why, "it has nulls, which an action may not have")
	}
	if pairs := schemas.SameNumbers(p.names(), schemas.WholeOf, schemas.PaddedOf); len(pairs) > 0 {
		why = append(why, fmt.Sprintf("%s and %s are one number in two writings, and count as two arms; %s",
			schemas.Quoted(pairs[0][0]), schemas.Quoted(pairs[0][1]), schemas.CastLabels))
	}
	if p.labels[""] > 0 {
		why = append(why, "it has an empty label, which names no action and is refused")
	}
	if p.notText() {
		why = append(why, "it has labels that are not texts in UTF-8, which are refused")
	}
	if len(why) == 0 || score <= 20 {
		return nil
	}
	if g.roles.Of(role.Action).Match(p.name) == 0 {
		if !g.unnamed(p) {
			return nil
		}
		score += 10 // content alone makes it possible at most
	}
	return &guess{score: score, why: why}
}

// IDs says, in words, that the column which a protocol names as the action looks like an
// id: of the rows that Guess would look at, more than 1,000 values, each in fewer than two
// rows on average. It says "" of another column, and where the sample cannot be read.
func IDs(ctx context.Context, column string, src []files.Source, memory int64) string {
	s, err := takeSample(ctx, column, src, memory)
	if err != nil || s.index[column] == nil {
		return ""
	}
	values, rows := map[uint64]bool{}, 0
	for _, h := range s.index[column].hashes {
		if h != 0 {
			values[h] = true
			rows++
		}
	}
	if len(values) <= maxGuessedArms || rows >= 2*len(values) {
		return ""
	}
	return fmt.Sprintf("column %s has %s values in the %s rows that were looked at: it looks like an id, and log.action names the arm that was played; every value becomes an arm of its own, with a row in each table",
		schemas.Quoted(column), schemas.Grouped(int64(len(values))), schemas.Grouped(int64(rows)))
}

// unnamed reports whether a name speaks for no role at all.
func (g *guesser) unnamed(p *profile) bool {
	for _, r := range []role.Role{role.Experiment, role.Order, role.Reward, role.Propensity, role.Draws, role.Batch, role.Context} {
		if g.roles.Of(r).Match(p.name) > 0 {
			return false
		}
	}
	return !role.IsUnitName(p.name)
}

// inverseWithin is how far the mean of 1/p may be from K.
const inverseWithin = 0.2

// inverse returns a column of probabilities whose inverse averages near n.
func (g *guesser) inverse(n int) *profile {
	for _, q := range g.s.columns {
		if q.isProbability() && !q.binary() && nearTo(q.numbers.meanInverse(), n) {
			return q
		}
	}
	return nil
}

func nearTo(mean float64, n int) bool {
	return math.Abs(mean-float64(n)) <= inverseWithin*float64(n)
}

// isProbability reports whether a column is of floats in (0, 1].
func (p *profile) isProbability() bool {
	return p.column.Depth == 0 && cell.Fractions(&p.column) && p.numbers.seen > 0 && p.numbers.unit && p.numbers.positive
}

func (p *profile) binary() bool { return p.numbers.seen > 0 && p.numbers.binary }
