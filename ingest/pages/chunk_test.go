package pages

import (
	"errors"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// A row group without rows has no pages, wherever its footer says they are; but
// one whose footer claims values is damaged.
func TestChunkOfNoRows(t *testing.T) {
	for name, tc := range map[string]struct {
		meta format.ColumnMetaData
		rows int64
		ok   bool
	}{
		"as pyarrow writes it":    {format.ColumnMetaData{Type: format.Double, DictionaryPageOffset: 4, TotalCompressedSize: 15}, 0, true},
		"pages beyond the file":   {format.ColumnMetaData{Type: format.Double, DataPageOffset: 1 << 40, TotalCompressedSize: 1 << 40}, 0, true},
		"values all the same":     {format.ColumnMetaData{Type: format.Double, NumValues: 3}, 0, false},
		"rows, and no such pages": {format.ColumnMetaData{Type: format.Double, NumValues: 3, TotalCompressedSize: 15}, 3, false},
	} {
		for _, c := range []*Column{
			{Path: "x", Kind: Float, phys: format.Double},
			{Path: "l", Kind: Float, phys: format.Double, List: true, Depth: 1, maxRep: 1, maxDef: 2, itemDef: []int{1}},
		} {
			budget := NewBudget(testBudget)
			f := &File{size: 890, budget: budget, columns: []*Column{c}, meta: &footer{
				buf: marshal(t, &format.ColumnChunk{MetaData: tc.meta}), groups: []footerGroup{{rows: tc.rows, chunks: []uint32{0}}},
			}}
			got, err := groupValues(f, 0, c, 10)
			if tc.ok && (err != nil || len(got) != 0) || !tc.ok && !errors.Is(err, errDamaged) {
				t.Errorf("%s, %s: %v, %v", name, c.Path, got, err)
			}
			noLeak(t, budget)
		}
	}
}

// A cursor of no rows ends at once.
func TestCursorOfNoRows(t *testing.T) {
	f := openFixture(t, "pyarrow-empty.parquet")
	if f.Groups() != 1 || f.Rows() != 0 {
		t.Fatalf("%d row groups, %d rows", f.Groups(), f.Rows())
	}
	for _, name := range []string{"round", "action", "clicked"} {
		c := columnOf(t, f, name)
		cursor, err := f.Cursor(0, c)
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		if n, err := cursor.Next(&b, 10); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
		cursor.Close()
	}
}
