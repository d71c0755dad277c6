package analyze

import (
	"fmt"
	"math"
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
	blocks    int64   // rows, units or batches with one of the rows
	sigma     float64 // √(2Σρ_BR) over them
	headline  maxinfo.Correction
	note      string              // why the headline is another than the protocol's method; "" where it is that
	moments   maxinfo.Conditional // the one-dimensional search
	anyLaw    maxinfo.Conditional
	recursion maxinfo.Conditional // nil unless asked for and possible
}

// correctionsOf makes the corrections of a set of rows, once.
func (a *analysis) correctionsOf(rows rowSet) (*corrections, error) {
	if c, ok := a.corrected[rows.key()]; ok {
		return c, nil
	}
	levels, err := a.levelsOf(rows)
	if err != nil {
		return nil, err
	}
	c := &corrections{
		blocks: blocksOf(levels), sigma: maxinfo.Sigma(levels),
		moments: &atAlpha{Conditional: maxinfo.Moments(levels)}, anyLaw: maxinfo.AnyLaw(levels),
	}
	if method := a.method(); (method == correctRecursion || method == correctBest) && c.blocks <= maxinfo.RecursionRows {
		recursion, err := maxinfo.Recursion(levels)
		if err != nil {
			return nil, fmt.Errorf("analyze: correction by recursion: %w", err)
		}
		c.recursion = &atAlpha{Conditional: recursion}
	}
	a.choose(c, rows, maxinfo.Renyi(levels))
	if a.corrected == nil {
		a.corrected = map[string]*corrections{}
	}
	a.corrected[rows.key()] = c
	return c, nil
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

// method is the declared method of correction.
func (a *analysis) method() string {
	if m := a.Protocol.Analysis.Correction.Method; m != "" {
		return m
	}
	return correctConditional
}

// choose makes the headline.
func (a *analysis) choose(c *corrections, rows rowSet, renyi maxinfo.Conditional) {
	c.headline = renyi
	switch a.method() {
	case correctPublished:
		c.headline = a.published(rows.block, a.beta()).Theorem
	case correctRecursion:
		c.headline = c.moments
		if c.recursion != nil {
			c.headline = c.recursion
		} else {
			c.note = fmt.Sprintf("the recursion is for up to %s rows, and the test reads %s: the moments form stands in its place", schemas.Grouped(maxinfo.RecursionRows), schemas.Grouped(c.blocks))
		}
	case correctBest:
		candidates := []maxinfo.Conditional{renyi, c.moments, c.anyLaw}
		if c.recursion != nil {
			candidates = append(candidates, c.recursion)
		}
		c.headline = &atAlpha{Conditional: maxinfo.Least(candidates...)}
	}
}

// beta is the declared β of Theorem 20, nil for the best one.
func (a *analysis) beta() *float64 {
	beta, err := strconv.ParseFloat(a.Protocol.Analysis.Correction.Beta, 64)
	if err != nil { // the word best; the protocol's checks refuse others
		return nil
	}
	return &beta
}

// published is the correction by Theorem 20.
type published struct {
	maxinfo.Theorem

	reason string // why it does not exist; "" where it does
}

// published takes ε of the declared mechanism and n = T rounds; where a unit
// owns several rows, those of a unit together and as many as there are units.
// It has no form for batches, of which it leaves nothing.
func (a *analysis) published(kind blockKind, beta *float64) published {
	eps, n, reason := a.law.Epsilon().Up(), a.pub.rounds, ""
	switch {
	case kind == batchBlocks:
		eps, reason = math.Inf(1), "A4: Theorem 20 is of independent rows or units, and the regression takes batches as independent"
	case a.repeated():
		eps, n = a.law.Epsilon().Times(*a.account.LargestUnit).Up(), a.Slice.UnitCount()
	}
	if beta != nil {
		return published{maxinfo.PublishedAt(eps, n, *beta), reason}
	}
	return published{maxinfo.Published(eps, n), reason}
}
