package cell

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/ingest/pages"
)

// A finder finds what the labels say, whatever came before: many more labels
// than slots, texts and numbers that share slots, and labels that are added
// between two looks.
func TestFinderAgrees(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := NewLabels(nil)
		f := NewFinder(l)
		text, number := &pages.Column{Kind: pages.Text}, &pages.Column{Kind: pages.Int}
		for range rapid.IntRange(1, 20).Draw(r, "blocks") {
			for range rapid.IntRange(0, 40).Draw(r, "new") {
				name := rapid.OneOf(rapid.StringN(0, 10, 12), rapid.Map(rapid.Int64Range(-600, 600), func(v int64) string { return strconv.FormatInt(v, 10) })).Draw(r, "label")
				if _, ok := l.codes[name]; !ok {
					l.Add(name)
				}
			}
			texts := rapid.SliceOfN(rapid.StringN(0, 3, 4), 1, 30).Draw(r, "texts")
			if len(l.Names) > 0 {
				texts = append(texts, rapid.SampledFrom(l.Names).Draw(r, "known"))
			}
			values := rapid.SliceOfN(rapid.Int64Range(-700, 700), len(texts), len(texts)).Draw(r, "values")
			nulls := rapid.SliceOfN(rapid.Bool(), len(texts), len(texts)).Draw(r, "nulls")
			agrees(r, f, text, &pages.Block{Text: bytesOf(texts), Null: nulls, Nulls: 1})
			agrees(r, f, number, &pages.Block{Int: values, Null: nulls, Nulls: 0})
			agrees(r, f, &pages.Column{Kind: pages.Date}, &pages.Block{Int: values, Null: nulls, Nulls: 1})
		}
	})
}

func bytesOf(texts []string) [][]byte {
	b := make([][]byte, len(texts))
	for i, s := range texts {
		b[i] = []byte(s)
	}
	return b
}

func agrees(r *rapid.T, f *Finder, c *pages.Column, b *pages.Block) {
	codes := make([]int32, len(b.Null))
	missing := 0
	want := make([]int32, len(codes))
	for i := range want {
		code, ok := f.Labels.codes[LabelAt(b, c, i)]
		if !ok || b.Nulls > 0 && b.Null[i] {
			code = -1
			missing++
		}
		want[i] = code
	}
	if got := f.Block(b, c, codes); got != missing {
		r.Fatalf("%d are missing, not %d", got, missing)
	}
	if diff := cmp.Diff(want, codes); diff != "" {
		r.Fatal(diff)
	}
}

// Equal numbers of different kinds are different labels.
func TestFinderForgetsOtherKinds(t *testing.T) {
	f := NewFinder(NewLabels([]string{"1", "1970-01-02", "true"}))
	for _, tc := range []struct {
		column pages.Column
		want   int32
	}{
		{pages.Column{Kind: pages.Int}, 0},
		{pages.Column{Kind: pages.Date}, 1},
		{pages.Column{Kind: pages.Bool}, 2},
		{pages.Column{Kind: pages.Uint}, 0},
		{pages.Column{Kind: pages.Decimal}, 0},
	} {
		codes := []int32{7}
		f.Block(&pages.Block{Int: []int64{1}, Null: []bool{false}}, &tc.column, codes)
		if codes[0] != tc.want {
			t.Errorf("%+v: got %d", tc.column, codes[0])
		}
	}
}
