package ingest

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/pages"
)

func TestConstantCursor(t *testing.T) {
	for name, c := range map[string]*constant{
		"text":         {column: &pages.Column{Kind: pages.Text}, text: []byte("x")},
		"number":       {column: &pages.Column{Kind: pages.Int}, number: 7},
		"null text":    {column: &pages.Column{Kind: pages.Text}, null: true},
		"null number":  {column: &pages.Column{Kind: pages.Int}, null: true},
		"null float":   {column: &pages.Column{Kind: pages.Float}, null: true},
		"decimal":      {column: &pages.Column{Kind: pages.Decimal, Scale: 1}, number: 75},
		"over":         {column: &pages.Column{Kind: pages.Int}, number: 7, over: true},
		"null of list": {column: &pages.Column{Kind: pages.Float, List: true}, null: true},
	} {
		t.Run(name, func(t *testing.T) {
			cur := c.cursor(5, 2)
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

func checkConstant(t *testing.T, c *constant, b *pages.Block, i int) {
	t.Helper()
	switch {
	case b.Null[i] != c.null:
		t.Errorf("row %d: null is %v", i, b.Null[i])
	case c.column.List:
		if b.Length[i] != 0 || b.ItemNulls[i] || len(b.Float) != 2*len(b.Null) {
			t.Errorf("row %d: %+v", i, b)
		}
	case c.column.Kind == pages.Text:
		if !bytes.Equal(b.Text[i], c.text) {
			t.Errorf("row %d: %q", i, b.Text[i])
		}
	case c.column.Kind == pages.Int:
		if b.Int[i] != c.number || over(b, i) != c.over {
			t.Errorf("row %d: %d, %v", i, b.Int[i], over(b, i))
		}
	case c.column.Kind == pages.Decimal:
		if b.Int[i] != c.number || b.Float[i] != 7.5 || over(b, i) {
			t.Errorf("row %d: %d, %g", i, b.Int[i], b.Float[i])
		}
	case b.Float[i] != 0:
		t.Errorf("row %d: %g", i, b.Float[i])
	}
}

// A partition that orders is brought to the scale of the other files, and of
// reward_order; what leaves 64 bits there is a fault of its rows.
func TestConstantScale(t *testing.T) {
	type tenths struct {
		At     int64   `parquet:"at,decimal(1:18)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type bare struct {
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	dir := t.TempDir()
	writeParquet(t, filepath.Join(dir, "b.parquet"), []tenths{{49, "a", 0.25}, {51, "a", 0.75}})
	writeParquet(t, filepath.Join(dir, "at=5", "a.parquet"), []bare{{"a", 0.5}})
	for _, jobs := range []int{1, 2} {
		got, _, err := ingestAll(t, atProtocol(), Options{Jobs: jobs}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]float64{0.25, 0.5, 0.75}, got[0].Reward); diff != "" {
			t.Error(diff)
		}
	}
	src, err := Discover(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	in, err := Inspect(t.Context(), atProtocol(), src, Options{})
	if err != nil || in.Columns[0].Becomes != "order key, all brought to 10^-1" {
		t.Errorf("%+v, %v", in, err)
	}
	for at, fits := range map[string]bool{"922337203685477580": true, "922337203685477581": false, "-922337203685477580": true, "-922337203685477581": false} {
		far := t.TempDir()
		writeParquet(t, filepath.Join(far, "b.parquet"), []tenths{{49, "a", 0.25}})
		writeParquet(t, filepath.Join(far, "at="+at, "a.parquet"), []bare{{"a", 0.5}})
		_, _, err := ingestAll(t, atProtocol(), Options{}, far)
		if fits {
			if err != nil {
				t.Errorf("%s: %v", at, err)
			}
			continue
		}
		if e := wantFault(t, err, RuleNotExact); e.Column != "at" || e.Row != 0 || e.File != "at="+at+"/a.parquet" {
			t.Errorf("%s: %v", at, e)
		}
	}
}

// A reward's time that is a partition, or null in one, is compared with the
// order on one scale.
func TestConstantRewardOrder(t *testing.T) {
	type tenths struct {
		At     int64   `parquet:"at,decimal(1:18)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	dir := t.TempDir()
	writeParquet(t, filepath.Join(dir, "known=6", "a.parquet"), []tenths{{10, "a", 0}, {50, "a", 0}, {60, "a", 0}})
	writeParquet(t, filepath.Join(dir, "known="+hiveNull, "b.parquet"), []tenths{{61, "a", 0}})
	writeParquet(t, filepath.Join(dir, "known=7", "c.parquet"), []tenths{{65, "a", 0}, {70, "a", 0}})
	p := atProtocol()
	p.Log.RewardOrder = "known"
	got, _, err := ingestAll(t, p, Options{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{3, 3, 3, never, 6, 6}, got[0].RewardRound); diff != "" {
		t.Error(diff)
	}
}
