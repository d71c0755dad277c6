package files

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
)

func TestConstantCursor(t *testing.T) {
	for name, c := range map[string]*Constant{
		"text":         {Column: &pages.Column{Kind: pages.Text}, text: []byte("x")},
		"number":       {Column: &pages.Column{Kind: pages.Int}, number: 7},
		"null text":    {Column: &pages.Column{Kind: pages.Text}, null: true},
		"null number":  {Column: &pages.Column{Kind: pages.Int}, null: true},
		"null float":   {Column: &pages.Column{Kind: pages.Float}, null: true},
		"decimal":      {Column: &pages.Column{Kind: pages.Decimal, Scale: 1}, number: 75},
		"over":         {Column: &pages.Column{Kind: pages.Int}, number: 7, over: true},
		"null of list": {Column: &pages.Column{Kind: pages.Float, List: true}, null: true},
	} {
		t.Run(name, func(t *testing.T) {
			cur := c.Cursor(5, 2)
			defer cur.Close()
			b := pages.Block{Nulls: 9, Null: []bool{true, true, true}, Int: []int64{1, 2, 3}, Text: [][]byte{nil, []byte("old")}, Length: []int32{4}, ItemNulls: []bool{true}}
			for _, want := range []int{3, 2} {
				if n, err := cur.Next(&b, 3); n != want || err != nil {
					t.Fatalf("%d, %v", n, err)
				}
				for i := range want {
					checkConstant(t, c, &b, i)
				}
				if c.null != (b.Nulls == want) || !c.null && b.Nulls != 0 {
					t.Errorf("%d nulls", b.Nulls)
				}
			}
			if n, err := cur.Next(&b, 3); n != 0 || !errors.Is(err, io.EOF) {
				t.Errorf("after the end: %d, %v", n, err)
			}
		})
	}
}

func checkConstant(t *testing.T, c *Constant, b *pages.Block, i int) {
	t.Helper()
	switch {
	case b.Null[i] != c.null:
		t.Errorf("row %d: null is %v", i, b.Null[i])
	case c.Column.List:
		if b.Length[i] != 0 || b.ItemNulls[i] || len(b.Float) != 2*len(b.Null) {
			t.Errorf("row %d: %+v", i, b)
		}
	case c.Column.Kind == pages.Text:
		if !bytes.Equal(b.Text[i], c.text) {
			t.Errorf("row %d: %q", i, b.Text[i])
		}
	case c.Column.Kind == pages.Int:
		if b.Int[i] != c.number || cell.Over(b, i) != c.over {
			t.Errorf("row %d: %d, %v", i, b.Int[i], cell.Over(b, i))
		}
	case c.Column.Kind == pages.Decimal:
		if b.Int[i] != c.number || b.Float[i] != 7.5 || cell.Over(b, i) {
			t.Errorf("row %d: %d, %g", i, b.Int[i], b.Float[i])
		}
	case b.Float[i] != 0:
		t.Errorf("row %d: %g", i, b.Float[i])
	}
}
