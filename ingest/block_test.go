package ingest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// given is a column of a block that a test makes up.
type given struct {
	role   role.Role
	column pages.Column
	block  pages.Block
	shape  shape
}

// flatOf is a column of floats; nulls are by row.
func flatOf(r role.Role, values []float64, nulls ...int) given {
	g := given{role: r, column: pages.Column{Kind: pages.Float, Type: "DOUBLE"}, block: pages.Block{Float: values}}
	g.nulls(len(values), nulls)
	return g
}

// intsOf is a column of another kind than floats and text.
func intsOf(r role.Role, kind pages.Kind, values []int64, nulls ...int) given {
	g := given{role: r, column: pages.Column{Kind: kind, Type: "INT64"}, block: pages.Block{Int: values}}
	g.nulls(len(values), nulls)
	return g
}

// textOf is a column of text.
func textOf(r role.Role, values []string, nulls ...int) given {
	g := given{role: r, column: pages.Column{Kind: pages.Text, Type: "BYTE_ARRAY (string)"}}
	for _, v := range values {
		g.block.Text = append(g.block.Text, []byte(v))
	}
	g.nulls(len(values), nulls)
	return g
}

func (g *given) nulls(n int, rows []int) {
	g.block.Null = make([]bool, n)
	g.block.Nulls = len(rows)
	for _, i := range rows {
		g.block.Null[i] = true
	}
}

// lists turns values into lists as a cursor of a shape does: a nil list is null.
func listsOf(r role.Role, s shape, lists ...[]float64) given {
	g := given{role: r, shape: s, column: pages.Column{Kind: pages.Float, List: true, Depth: 1, Type: "list of DOUBLE"}}
	g.list(len(lists), s)
	for i, list := range lists {
		g.length(i, len(list), list == nil)
		copy(g.block.Float[i*s.outer:(i+1)*s.outer], list)
	}
	return g
}

// nestedOf is listsOf for lists of lists.
func nestedOf(r role.Role, s shape, rows ...[][]float64) given {
	g := given{role: r, shape: s, column: pages.Column{Kind: pages.Float, List: true, Depth: 2, Type: "nested lists of DOUBLE"}}
	g.list(len(rows), s)
	for i, row := range rows {
		g.length(i, len(row), row == nil)
		for k, list := range row {
			if k == 0 {
				g.block.Inner[i] = int32(len(list))
			} else if int(g.block.Inner[i]) != len(list) {
				g.block.Inner[i] = -1
			}
			if k < s.outer {
				at := i*s.size() + k*s.inner
				copy(g.block.Float[at:at+s.inner], list)
			}
		}
	}
	return g
}

// namesOf is listsOf for texts.
func namesOf(r role.Role, width int, lists ...[]string) given {
	s := shape{width, 1}
	g := given{role: r, shape: s, column: pages.Column{Kind: pages.Text, List: true, Depth: 1, Type: "list of BYTE_ARRAY (string)"}}
	g.list(len(lists), s)
	g.block.Text = make([][]byte, len(lists)*width)
	for i, list := range lists {
		g.length(i, len(list), list == nil)
		for j, name := range list[:min(len(list), width)] {
			g.block.Text[i*width+j] = []byte(name)
		}
	}
	return g
}

func (g *given) list(n int, s shape) {
	g.nulls(n, nil)
	g.block.Width = s.size()
	g.block.Float, g.block.Int = make([]float64, n*s.size()), make([]int64, n*s.size())
	g.block.Length, g.block.Inner, g.block.ItemNulls = make([]int32, n), make([]int32, n), make([]bool, n)
}

func (g *given) length(i, n int, null bool) {
	g.block.Length[i] = int32(n)
	if null {
		g.block.Null[i] = true
		g.block.Nulls++
	}
}

// attempt is a converter over columns that a test makes up.
type attempt struct {
	convert *converter
	faults  *fault.List
	rows    rows
}

// newAttempt makes a converter for a protocol, whose columns have the names of
// their roles, with the given columns. Roles of the protocol that are not given
// are left out.
func newAttempt(p *schemas.Protocol, arms []string, columns ...given) *attempt {
	f := &fault.List{}
	l := &logFiles{faults: f, budget: pages.NewBudget(1 << 20)}
	t := &attempt{faults: f, rows: rows{uri: "made.parquet"}}
	var shapes []shape
	for i := range columns {
		g := &columns[i]
		g.column.Path = g.role.String()
		l.wants = append(l.wants, wantOf(g.role, g.role.String()))
		l.wants[i].Context = schemas.ContextColumn{Column: g.role.String()}
		shapes = append(shapes, g.shape)
		t.rows.cols, t.rows.types = append(t.rows.cols, &g.block), append(t.rows.types, &g.column)
		t.rows.n = len(g.block.Null)
	}
	t.convert = buildConverter(p, l, shapes, cell.NewLabels([]string{"e", "f"}), cell.NewLabels(arms))
	return t
}

// bare is a protocol with rewards in [0, 1].
func bare() *schemas.Protocol {
	return &schemas.Protocol{Reward: schemas.RewardSpec{Range: []float64{0, 1}}}
}

// run converts the block.
func (t *attempt) run(tb testing.TB) *converted {
	tb.Helper()
	out, err := t.convert.block(&t.rows)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// good converts the block, which must have no fault.
func (t *attempt) good(tb testing.TB) *converted {
	tb.Helper()
	out := t.run(tb)
	if t.faults.Any() {
		tb.Fatal(t.faults.Err())
	}
	return out
}

// broken is a fault that a test expects: its rule, and the first row with it.
type broken struct {
	Rule  string
	Row   int64
	Count int64
}

// bad converts the block, and compares its faults.
func (t *attempt) bad(tb testing.TB, want ...broken) {
	tb.Helper()
	t.run(tb)
	var got []broken
	for _, e := range ingesttest.InputErrors(t.faults.Err()) {
		got = append(got, broken{e.Rule, e.Row, e.Count})
		if e.Mend == "" || e.What == "" || e.Column == "" {
			tb.Errorf("%v does not say what, where or how to mend it", e)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Errorf("%s\n%v", diff, t.faults.Err())
	}
}

// A limit on memory is not a fault of the log.
func (t *attempt) full(tb testing.TB) {
	tb.Helper()
	if _, err := t.convert.block(&t.rows); !errors.Is(err, fault.ErrResource) {
		tb.Errorf("got %v", err)
	}
}
