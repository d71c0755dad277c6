package guess

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/pages"
)

func TestProfileNumbers(t *testing.T) {
	for name, tc := range map[string]struct {
		values                           []float64
		whole, binary, unit, pos, single bool
		inverse                          float64
	}{
		"0 and 1":       {[]float64{0, 1, 1}, true, true, true, false, false, 0},
		"probabilities": {[]float64{0.5, 0.25}, false, false, true, true, false, 3},
		"one value":     {[]float64{0.25, 0.25}, false, false, true, true, true, 4},
		"whole":         {[]float64{-2, 7}, true, false, false, false, false, 0},
		"ones":          {[]float64{1, 1}, true, true, true, true, true, 1},
	} {
		p := newProfile("x", &pages.Column{Kind: pages.Float})
		p.add(&pages.Block{Float: tc.values}, &p.column, len(tc.values))
		n := &p.numbers
		if n.whole != tc.whole || n.binary != tc.binary || n.unit != tc.unit || n.positive != tc.pos || n.constant != tc.single {
			t.Errorf("%s: %+v", name, n)
		}
		if tc.inverse > 0 && n.meanInverse() != tc.inverse {
			t.Errorf("%s: the mean of 1/x is %g", name, n.meanInverse())
		}
	}
}

func TestProfileLabels(t *testing.T) {
	p := newProfile("x", &pages.Column{Kind: pages.Int})
	p.add(&pages.Block{Int: []int64{10, 9, 10, 0}, Nulls: 1, Null: []bool{false, false, false, true}}, &p.column, 4)
	p.add(&pages.Block{Text: [][]byte{[]byte("9"), []byte("x")}}, &pages.Column{Kind: pages.Text}, 2)
	if p.rows != 6 || p.nulls != 1 || p.distinct(10) != 3 || p.distinct(1) != 2 || p.mostFrequent() != "10" {
		t.Errorf("got %+v", p)
	}
	if diff := cmp.Diff([]string{"10", "9", "x"}, p.names()); diff != "" {
		t.Error(diff)
	}
	many := newProfile("x", &pages.Column{Kind: pages.Text})
	for i := range maxProfiled + 1 {
		many.count(fmt.Sprintf("v%d", i))
	}
	if many.labels != nil || many.names() != nil || many.mostFrequent() != "" || many.distinct(maxProfiled) != maxProfiled+1 {
		t.Errorf("%d labels are kept", len(many.labels))
	}
}

func TestProfileLists(t *testing.T) {
	column := &pages.Column{Kind: pages.Float, List: true, Depth: 1}
	for name, tc := range map[string]struct {
		values [][]float64
		length int
		sums   bool
	}{
		"of one length":     {[][]float64{{0.5, 0.5}, {0, 1}}, 2, true},
		"of two lengths":    {[][]float64{{0.5, 0.5}, {1}}, -1, true},
		"not probabilities": {[][]float64{{2, -1}}, 2, false},
		"less than one":     {[][]float64{{0.5, 0.25}}, 2, false},
		"empty":             {[][]float64{{}}, 0, false},
	} {
		b := pages.Block{Width: 2, ItemNulls: make([]bool, len(tc.values))}
		for _, list := range tc.values {
			b.Length = append(b.Length, int32(len(list)))
			b.Float = append(append(b.Float, list...), make([]float64, 2-len(list))...)
		}
		p := newProfile("x", column)
		p.add(&b, column, len(tc.values))
		if p.lists.length != tc.length || p.lists.sums != tc.sums || p.lists.seen != len(tc.values) {
			t.Errorf("%s: %+v", name, p.lists)
		}
	}
}
