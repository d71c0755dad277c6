package role

import (
	"slices"
	"strings"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Column describes a role, but for the arithmetic that converts it, which stands in package
// ingest (see conversions there), and for its place in a tableau, which is a line of package
// tableau. What is not given is what most columns are.
type Column struct {
	Role Role
	Path string // of its key, for messages. Defaults to log.KEY.

	// Asked lists the columns that a protocol asks for. Defaults to the one that its
	// key names: see schemas.LogColumns.
	Asked func(p *schemas.Protocol) []Want
	// Fit is what a column has to be. Refine says where that depends on what is
	// declared beside the name, or on what the column is.
	Fit    Fit
	Refine func(w *Want, c *pages.Column, f Fit) Fit
	// Names holds the names by which init guesses the role; with Outcome, a column with such a
	// name is known only after the action, and is no context and no order.
	Names   Vocabulary
	Outcome bool

	Labels   bool       // labels, one per row, which have to mean the same in all files
	Private  bool       // rewards: a tableau gives them through its gate alone
	Pass     Pass       // in which pass over the rows it is read. Defaults to Second.
	Compares Comparison // with which values its own are compared. Defaults to None.
	ByArm    bool       // its lists have at most one entry for each arm
	// InOrder says in which columns by arm the entries are in the order of arms.
	// Defaults to all lists.
	InOrder func(c *pages.Column) bool

	// Becomes says in words what the column becomes in a tableau. Defaults to its key.
	Becomes func(b *Becoming) string
	// Store notes in the schema of a tableau that the column is there. What has a
	// width stands in the manifest, and needs none.
	Store func(s *tableau.Schema)
}

// Pass is in which pass over the rows a column is read.
type Pass int

// The first pass finds out who is in the log and in which order; the second
// converts the columns.
const (
	Second Pass = iota
	First
	Both
)

// Reads reports whether a column is read in pass p.
func (c *Column) Reads(p Pass) bool { return c.Pass == p || c.Pass == Both }

// Comparison says on which axis the values of a column are compared.
type Comparison int

// The axes: none; one of its own, over all files; the axis of the first column of the
// order.
const (
	None Comparison = iota
	OwnAxis
	FirstAxis
)

// Fit says which columns can have a role.
type Fit struct {
	Depths []int // of lists: 0 for one value per row
	Takes  func(c *pages.Column) bool
	Needs  string // what the role is, for columns whose depth or type is another
	Mend   string
}

// Unfit says why a column cannot have a role, or "", and how to mend it.
func (w *Want) Unfit(c *pages.Column) (why, mend string) {
	fit := w.Fit
	if w.Refine != nil {
		fit = w.Refine(w, c, fit)
	}
	if c.Readable() && slices.Contains(fit.Depths, c.Depth) && fit.Takes(c) {
		return "", ""
	}
	return fit.Needs, fit.Mend
}

// wholeLabels is the Refine of labels: those that are written as fractions are cast to
// whole numbers. A cast to text would keep the point: 1.0 is another label than the 1 of
// a file with whole numbers.
func wholeLabels(_ *Want, c *pages.Column, f Fit) Fit {
	if c.Readable() && cell.Fractions(c) {
		f.Mend = "cast it to BIGINT" + strings.Repeat("[]", c.Depth) +
			" if its values are whole numbers; as VARCHAR, the 1.0 of one file is another label than the 1 of the next"
	}
	return f
}

// Ordered reports whether the lists of a column are read in the order of arms.
func (c *Column) Ordered(of *pages.Column) bool {
	return c.ByArm && of.Depth > 0 && (c.InOrder == nil || c.InOrder(of))
}

// asked lists the columns that a protocol asks for.
func (c *Column) asked(p *schemas.Protocol) []Want {
	if c.Asked == nil {
		return wants(schemas.NamedColumn(p, c.Key()))
	}
	return c.Asked(p)
}

// Key is the column's name in the manifest: the protocol's key.
func (c *Column) Key() string { return c.Role.String() }

// At is the path of its key in a protocol.
func (c *Column) At() string {
	if c.Path != "" {
		return c.Path
	}
	return "log." + c.Key()
}

// Match says how well a name goes with the role: NameWhole, NamePart or 0.
func (c *Column) Match(name string) int { return c.Names.match(name) }

// List is the columns that a protocol may ask for, in the order in which they
// are asked for. It is handed down, and not changed once it is in use.
type List []Column

// Of returns the column of a role, which is in the list.
func (l List) Of(r Role) *Column {
	return &l[slices.IndexFunc(l, func(c Column) bool { return c.Role == r })]
}

// IsOutcomeName reports whether a column with the name is known only after the
// action.
func (l List) IsOutcomeName(name string) bool {
	return slices.ContainsFunc(l, func(c Column) bool { return c.Outcome && c.Match(name) > 0 })
}

// wants are the columns of these names that are not empty.
func wants(names ...string) []Want {
	var all []Want
	for _, name := range names {
		if name != "" {
			all = append(all, Want{Name: name})
		}
	}
	return all
}

// Depths of columns: one value per row, a list, a list of lists.
func flat() []int { return []int{0} }
func list() []int { return []int{1} }

// words splits a text at its blanks.
func words(text string) []string { return strings.Fields(text) }

const mendByArm = "cast it, for instance CAST(column AS DOUBLE[])"

// IsProbability reports whether the values of a column can be probabilities.
func IsProbability(c *pages.Column) bool { return cell.IsNumber(c) && c.Kind != pages.Bool }
