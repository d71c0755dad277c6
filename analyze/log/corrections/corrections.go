package corrections

import (
	"context"
	"fmt"
	"slices"

	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/schemas"
)

// Correction describes a way to correct a naive p. It has one of Given, Best and Average.
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
	Average func(a *Accounts, kind Kind) (maxinfo.Correction, NotApplicable)
}

// Keys of analysis.correction.
const (
	ByMethod = "method"
	ByAlso   = "also"
)

// Corrections are all corrections, in the order of their results. The first is
// the default.
func Corrections() []Correction {
	return []Correction{
		{Name: "conditional", Asked: ByMethod, Selective: true, Method: schemas.MethodConditional, Sigma: true, Given: always(maxinfo.Renyi)},
		{Name: "moments", Method: schemas.MethodMoments, Given: always(maxinfo.Moments)},
		{Name: "recursion", Asked: ByMethod, Method: schemas.MethodRecursion, Given: maxinfo.Recursion, Slow: true, Rows: maxinfo.RecursionRows, Instead: "moments"},
		{Name: "any-law", Method: schemas.MethodAnyLaw, Given: always(maxinfo.AnyLaw)},
		{Name: "best", Asked: ByMethod, Best: true},
		{Name: Theorem20, Asked: ByMethod, Average: headlinePublished},
		{Name: schemas.AlsoZCDP, Asked: ByAlso, Method: schemas.MethodZCDP, Average: (*Accounts).concentrated},
		{Name: schemas.AlsoApproximate, Asked: ByAlso, Method: schemas.MethodDelta, Average: (*Accounts).approximated},
	}
}

// always makes a correction that there is for all costs.
func always(of func([]maxinfo.Level) maxinfo.Conditional) func([]maxinfo.Level) (maxinfo.Conditional, error) {
	return func(levels []maxinfo.Level) (maxinfo.Conditional, error) { return of(levels), nil }
}

// correction is the one of a name, nil where there is none.
func (a *Accounts) correction(name string) *Correction {
	if i := slices.IndexFunc(a.Kinds, func(d Correction) bool { return d.Name == name }); i >= 0 {
		return &a.Kinds[i]
	}
	return nil
}

// Headline is the declared correction.
func (a *Accounts) Headline() *Correction {
	declared := &a.Protocol.Analysis.Correction
	if d := a.correction(declared.Method); d != nil && d.Asked == ByMethod {
		return d
	}
	return &a.Kinds[0]
}

// made reports whether a correction that holds given the actions is made for a
// number of rows, units or batches.
func (a *Accounts) made(d *Correction, blocks int64) bool {
	head := a.Headline()
	return d.Given != nil && (d.Rows == 0 || blocks <= d.Rows) && (!d.Slow || head == d || head.Best)
}

// Beside are the corrections that hold given the actions and that the headline is
// not, for a test that reads a number of rows, units or batches.
func (a *Accounts) Beside(blocks int64) []*Correction {
	head := a.Headline()
	if head.Given != nil && !a.made(head, blocks) {
		head = a.correction(head.Instead)
	}
	var out []*Correction
	for i := range a.Kinds {
		if d := &a.Kinds[i]; d != head && a.made(d, blocks) {
			out = append(out, d)
		}
	}
	return out
}

// Made are the corrections of any raw p that reads one set of rows. All but an
// averaged headline hold given the actions, so that they may be compared; which
// of them is the headline is said by the protocol and not by what comes out.
type Made struct {
	Blocks   int64                          // rows, units or batches with one of the rows
	Sigma    float64                        // √(2Σρ_BR) over them
	Headline maxinfo.Correction             // nil where against stands
	Against  NotApplicable                  // to the headline; there is none where it stands
	Note     string                         // why the headline is another than the protocol's method; "" where it is that
	Given    map[string]maxinfo.Conditional // by name, those that were made and hold given the actions
}

// CorrectionsOf makes the corrections of a set of rows, once.
func (a *Accounts) CorrectionsOf(ctx context.Context, rows Rows) (*Made, error) {
	if c, ok := a.corrected[rows.Key()]; ok {
		return c, nil
	}
	if err := ctx.Err(); err != nil { // a slow one takes its time
		return nil, err
	}
	levels, err := a.LevelsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	c := &Made{Blocks: blocksOf(levels), Sigma: maxinfo.Sigma(levels), Given: map[string]maxinfo.Conditional{}}
	var quick, slow []maxinfo.Conditional
	for i := range a.Kinds {
		d := &a.Kinds[i]
		if !a.made(d, c.Blocks) || d.Slow && !a.asked[rows.Key()] {
			continue
		}
		given, err := d.Given(levels)
		if err != nil {
			return nil, fmt.Errorf("analyze: correction by %s: %w", d.Name, err)
		}
		given = &remembered{Conditional: given, applied: map[float64]float64{}}
		if c.Given[d.Name] = given; d.Slow {
			slow = append(slow, given)
		} else {
			quick = append(quick, given)
		}
	}
	a.choose(c, rows.Block, append(quick, slow...))
	a.corrected[rows.Key()] = c
	return c, nil
}

// choose makes the headline.
func (a *Accounts) choose(c *Made, kind Kind, all []maxinfo.Conditional) {
	head := a.Headline()
	switch given, ok := c.Given[head.Name]; {
	case ok:
		c.Headline = given
	case head.Best:
		c.Headline = maxinfo.Least(all...)
	case head.Average != nil:
		c.Headline, c.Against = head.Average(a, kind)
	default:
		c.Headline = c.Given[head.Instead]
		c.Note = fmt.Sprintf("the %s is for up to %s rows, and the test reads %s: the %s form stands in its place", head.Name, schemas.Grouped(head.Rows), schemas.Grouped(c.Blocks), head.Instead)
	}
}

// Without says of corrected numbers that belong to no test which corrections were not
// made for them.
func (a *Accounts) Without(c *Made, of string) []string {
	var out []string
	for i := range a.Kinds {
		if d := &a.Kinds[i]; d.Slow && a.made(d, 0) && c.Given[d.Name] == nil {
			out = append(out, fmt.Sprintf("%s is without the %s where no declared test reads just those rows, or they are more than %s: with method %s the %s form stands in its place, with best the least of the others",
				of, d.Name, schemas.Grouped(d.Rows), d.Name, d.Instead))
		}
	}
	return out
}

// remembered keeps what a correction found: all tests of one set of rows ask for the raw
// level that it turns into α, and the least of several for what each gives. To find these is
// a search.
type remembered struct {
	maxinfo.Conditional

	known           bool
	logAlpha, level float64
	applied         map[float64]float64 // ln p_corr by ln p
}

// Level returns the correction's Level, and remembers the last one.
func (c *remembered) Level(logAlpha float64) float64 {
	if !c.known || logAlpha != c.logAlpha {
		c.known, c.logAlpha, c.level = true, logAlpha, c.Conditional.Level(logAlpha)
	}
	return c.level
}

// Apply returns the correction's ln p_corr, and remembers each.
func (c *remembered) Apply(logP float64) float64 {
	q, known := c.applied[logP]
	if !known {
		q = c.Conditional.Apply(logP)
		c.applied[logP] = q
	}
	return q
}

// blocksOf counts the rows of levels.
func blocksOf(levels []maxinfo.Level) int64 {
	n := int64(0)
	for _, l := range levels {
		n += l.Rows
	}
	return n
}
