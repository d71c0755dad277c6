package analyze

import (
	"context"
	"fmt"
	"strconv"

	"banditaudit/analyze/maxinfo"
	"banditaudit/schemas"
)

// Methods of correction, by their names in the protocol. The first is the
// default.
const (
	correctConditional = "conditional"
	correctRecursion   = "recursion"
	correctPublished   = "theorem20"
	correctBest        = "best"
)

// corrections are those of any raw p that reads one set of rows. All but a
// published headline hold given the actions, so that they may be compared; which
// of them is the headline is said by the protocol and not by what comes out.
type corrections struct {
	blocks    int64              // rows, units or batches with one of the rows
	sigma     float64            // √(2Σρ_BR) over them
	headline  maxinfo.Correction // nil where against stands
	against   objection          // to the headline; there is none where it stands
	note      string             // why the headline is another than the protocol's method; "" where it is that
	renyi     maxinfo.Conditional
	moments   maxinfo.Conditional // the one-dimensional search
	anyLaw    maxinfo.Conditional
	recursion maxinfo.Conditional // nil unless asked for and possible
}

// correctionsOf makes the corrections of a set of rows, once.
func (a *accounts) correctionsOf(ctx context.Context, rows rowSet) (*corrections, error) {
	if c, ok := a.corrected[rows.key()]; ok {
		return c, nil
	}
	if err := ctx.Err(); err != nil { // the recursion takes its time
		return nil, err
	}
	levels, err := a.levelsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	c := &corrections{
		blocks: blocksOf(levels), sigma: maxinfo.Sigma(levels), renyi: maxinfo.Renyi(levels),
		moments: &atAlpha{Conditional: maxinfo.Moments(levels)}, anyLaw: maxinfo.AnyLaw(levels),
	}
	if recurs(a.Protocol) && c.blocks <= maxinfo.RecursionRows && a.tested(rows) {
		recursion, err := maxinfo.Recursion(levels)
		if err != nil {
			return nil, fmt.Errorf("analyze: correction by recursion: %w", err)
		}
		c.recursion = &atAlpha{Conditional: recursion}
	}
	a.choose(c, rows)
	a.corrected[rows.key()] = c
	return c, nil
}

// tested reports whether a declared test reads just this set of rows. The
// recursion, which takes seconds, is made for those alone.
func (f *facts) tested(rows rowSet) bool { return f.asked[rows.key()] }

// recurs reports whether the declared method asks for the recursion.
func recurs(p *schemas.Protocol) bool {
	method := correctionMethod(p)
	return method == correctRecursion || method == correctBest
}

// warnRecursion says of corrected numbers that belong to no test that the
// recursion was not made for them.
func (w *warnings) warnRecursion(p *schemas.Protocol, c *corrections, of string) {
	if recurs(p) && c.recursion == nil {
		w.warn(fmt.Sprintf("%s is without the recursion where no declared test reads just those rows, or they are more than %s: with method recursion the moments form stands in its place, with best the least of the others",
			of, schemas.Grouped(maxinfo.RecursionRows)))
	}
}

// atAlpha remembers the raw level that a correction turns into α: all tests of
// one set of rows ask for it, and to find it is a search.
type atAlpha struct {
	maxinfo.Conditional

	known           bool
	logAlpha, level float64
}

// Level is that of the correction.
func (c *atAlpha) Level(logAlpha float64) float64 {
	if !c.known || logAlpha != c.logAlpha {
		c.known, c.logAlpha, c.level = true, logAlpha, c.Conditional.Level(logAlpha)
	}
	return c.level
}

// blocksOf counts the rows of levels.
func blocksOf(levels []maxinfo.Level) int64 {
	n := int64(0)
	for _, l := range levels {
		n += l.Rows
	}
	return n
}

// correctionMethod is the declared method of correction.
func correctionMethod(p *schemas.Protocol) string {
	if m := p.Analysis.Correction.Method; m != "" {
		return m
	}
	return correctConditional
}

// choose makes the headline.
func (a *accounts) choose(c *corrections, rows rowSet) {
	switch correctionMethod(a.Protocol) {
	case correctPublished:
		theorem, against := a.published(rows.block, declaredBeta(a.Protocol))
		if c.against = against; !against.stands() {
			c.headline = theorem
		}
	case correctRecursion:
		c.headline = c.moments
		if c.recursion != nil {
			c.headline = c.recursion
		} else {
			c.note = fmt.Sprintf("the recursion is for up to %s rows, and the test reads %s: the moments form stands in its place", schemas.Grouped(maxinfo.RecursionRows), schemas.Grouped(c.blocks))
		}
	case correctBest:
		candidates := []maxinfo.Conditional{c.renyi, c.moments, c.anyLaw}
		if c.recursion != nil {
			candidates = append(candidates, c.recursion)
		}
		c.headline = &atAlpha{Conditional: maxinfo.Least(candidates...)}
	default:
		c.headline = c.renyi
	}
}

// declaredBeta is the declared β of Theorem 20, nil for the best one.
func declaredBeta(p *schemas.Protocol) *float64 {
	beta, err := strconv.ParseFloat(p.Analysis.Correction.Beta, 64)
	if err != nil { // the word best; the protocol's checks refuse others
		return nil
	}
	return &beta
}

// published is the correction by Theorem 20, or why it does not exist. It takes
// ε of the declared mechanism and n = T rounds; where a unit owns several rows,
// those of a unit together and as many as there are units.
func (a *accounts) published(kind blockKind, beta *float64) (theorem maxinfo.Theorem, against objection) {
	loss, why := a.publishedLoss(kind)
	if why != "" {
		return theorem, objection{"A4", "Theorem 20 is of independent rows or units, and " + why}
	}
	eps, n := loss.Up(), a.pub.rounds
	if a.repeated() {
		n = a.Slice.UnitCount()
	}
	if beta != nil {
		return maxinfo.PublishedAt(eps, n, *beta), objection{}
	}
	return maxinfo.Published(eps, n), objection{}
}
