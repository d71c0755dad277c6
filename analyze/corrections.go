package analyze

import (
	"context"
	"fmt"
	"slices"

	"banditaudit/analyze/maxinfo"
	"banditaudit/schemas"
)

// Correction is all that is known of a way to correct a raw p. It has one of
// Given, Best and Average.
type Correction struct {
	Name      string // what it is called
	Asked     string // key of analysis.correction that may name it: method, for the headline, or also, to print it; "" for none
	Method    string // of its results beside the headline
	Sigma     bool   // these show σ
	Selective bool   // it holds for what Benjamini and Hochberg's procedure rejects
	Best      bool   // the least of all that hold given the actions
	Slow      bool   // made on request, and for rows that a test reads
	Rows      int64  // rows, units or batches that it is made for at most; 0 for any number
	Instead   string // name of the headline where it is not made

	// Given holds given the actions, and is made of the costs of the rows that a
	// test reads.
	Given func(levels []maxinfo.Level) (maxinfo.Conditional, error)
	// Average is averaged over the actions; or what stands against it.
	Average func(a *accounts, kind blockKind) (maxinfo.Correction, objection)
}

// Keys of analysis.correction.
const (
	byMethod = "method"
	byAlso   = "also"
)

// Corrections are all corrections, in the order of their results. The first is
// the default.
func Corrections() []Correction {
	return []Correction{
		{Name: "conditional", Asked: byMethod, Selective: true, Method: schemas.MethodConditional, Sigma: true, Given: always(maxinfo.Renyi)},
		{Name: "moments", Method: schemas.MethodMoments, Given: always(maxinfo.Moments)},
		{Name: "recursion", Asked: byMethod, Method: schemas.MethodRecursion, Given: maxinfo.Recursion, Slow: true, Rows: maxinfo.RecursionRows, Instead: "moments"},
		{Name: "any-law", Method: schemas.MethodAnyLaw, Given: always(maxinfo.AnyLaw)},
		{Name: "best", Asked: byMethod, Best: true},
		{Name: correctPublished, Asked: byMethod, Average: headlinePublished},
		{Name: schemas.AlsoZCDP, Asked: byAlso, Method: schemas.MethodZCDP, Average: (*accounts).concentrated},
		{Name: schemas.AlsoApproximate, Asked: byAlso, Method: schemas.MethodDelta, Average: (*accounts).approximated},
	}
}

// always makes a correction that there is for all costs.
func always(of func([]maxinfo.Level) maxinfo.Conditional) func([]maxinfo.Level) (maxinfo.Conditional, error) {
	return func(levels []maxinfo.Level) (maxinfo.Conditional, error) { return of(levels), nil }
}

// correction is the one of a name, nil where there is none.
func (a *accounts) correction(name string) *Correction {
	if i := slices.IndexFunc(a.kinds, func(d Correction) bool { return d.Name == name }); i >= 0 {
		return &a.kinds[i]
	}
	return nil
}

// headline is the declared correction.
func (a *accounts) headline() *Correction {
	if d := a.correction(a.Protocol.Analysis.Correction.Method); d != nil && d.Asked == byMethod {
		return d
	}
	return &a.kinds[0]
}

// made reports whether a correction that holds given the actions is made for a
// number of rows, units or batches.
func (a *accounts) made(d *Correction, blocks int64) bool {
	head := a.headline()
	return d.Given != nil && (d.Rows == 0 || blocks <= d.Rows) && (!d.Slow || head == d || head.Best)
}

// beside are the corrections that hold given the actions and that the headline is
// not, for a test that reads a number of rows, units or batches.
func (a *accounts) beside(blocks int64) []*Correction {
	head := a.headline()
	if head.Given != nil && !a.made(head, blocks) {
		head = a.correction(head.Instead)
	}
	var out []*Correction
	for i := range a.kinds {
		if d := &a.kinds[i]; d != head && a.made(d, blocks) {
			out = append(out, d)
		}
	}
	return out
}

// corrections are those of any raw p that reads one set of rows. All but an
// averaged headline hold given the actions, so that they may be compared; which
// of them is the headline is said by the protocol and not by what comes out.
type corrections struct {
	blocks   int64                          // rows, units or batches with one of the rows
	sigma    float64                        // √(2Σρ_BR) over them
	headline maxinfo.Correction             // nil where against stands
	against  objection                      // to the headline; there is none where it stands
	note     string                         // why the headline is another than the protocol's method; "" where it is that
	given    map[string]maxinfo.Conditional // by name, those that were made and hold given the actions
}

// correctionsOf makes the corrections of a set of rows, once.
func (a *accounts) correctionsOf(ctx context.Context, rows rowSet) (*corrections, error) {
	if c, ok := a.corrected[rows.key()]; ok {
		return c, nil
	}
	if err := ctx.Err(); err != nil { // a slow one takes its time
		return nil, err
	}
	levels, err := a.levelsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	c := &corrections{blocks: blocksOf(levels), sigma: maxinfo.Sigma(levels), given: map[string]maxinfo.Conditional{}}
	var quick, slow []maxinfo.Conditional
	for i := range a.kinds {
		d := &a.kinds[i]
		if !a.made(d, c.blocks) || d.Slow && !a.asked[rows.key()] {
			continue
		}
		given, err := d.Given(levels)
		if err != nil {
			return nil, fmt.Errorf("analyze: correction by %s: %w", d.Name, err)
		}
		given = &atAlpha{Conditional: given}
		if c.given[d.Name] = given; d.Slow {
			slow = append(slow, given)
		} else {
			quick = append(quick, given)
		}
	}
	a.choose(c, rows.block, append(quick, slow...))
	a.corrected[rows.key()] = c
	return c, nil
}

// choose makes the headline.
func (a *accounts) choose(c *corrections, kind blockKind, all []maxinfo.Conditional) {
	head := a.headline()
	switch given, ok := c.given[head.Name]; {
	case ok:
		c.headline = given
	case head.Best:
		c.headline = &atAlpha{Conditional: maxinfo.Least(all...)}
	case head.Average != nil:
		c.headline, c.against = head.Average(a, kind)
	default:
		c.headline = c.given[head.Instead]
		c.note = fmt.Sprintf("the %s is for up to %s rows, and the test reads %s: the %s form stands in its place", head.Name, schemas.Grouped(head.Rows), schemas.Grouped(c.blocks), head.Instead)
	}
}

// without says of corrected numbers that belong to no test which corrections were not
// made for them.
func (a *accounts) without(c *corrections, of string) []string {
	var out []string
	for i := range a.kinds {
		if d := &a.kinds[i]; d.Slow && a.made(d, 0) && c.given[d.Name] == nil {
			out = append(out, fmt.Sprintf("%s is without the %s where no declared test reads just those rows, or they are more than %s: with method %s the %s form stands in its place, with best the least of the others",
				of, d.Name, schemas.Grouped(d.Rows), d.Name, d.Instead))
		}
	}
	return out
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
