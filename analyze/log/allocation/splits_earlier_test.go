package allocation

import (
	"fmt"
	"slices"
	"testing"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// TestPreviousPartition: the cell is the arm of the round before, also across chunks;
// arms behind the first 15 share one, and of two arms there is none.
func TestPreviousPartition(t *testing.T) {
	t.Parallel()
	of := func(k int) *publiclog.Log {
		m := &schemas.Manifest{}
		for arm := range k {
			m.Arms = append(m.Arms, fmt.Sprint("a", arm))
		}
		return &publiclog.Log{Manifest: m}
	}
	if got := previousPartition(of(2)); got != nil {
		t.Errorf("%+v", got)
	}
	if p := previousPartition(of(16))[0]; p.rounds[15] != "behind one that played a15" {
		t.Errorf("%q", p.rounds)
	}
	p := previousPartition(of(18))[0]
	got := p.cells(&tableau.Chunk{Arm: []int32{3, 17}}, nil, nil)
	got = p.cells(&tableau.Chunk{Arm: []int32{15, 14, 0}}, nil, got)
	if want := []uint8{subgroups.NoCell, 3, 15, 15, 14}; !slices.Equal(got, want) || p.count() != 16 || p.rounds[15] != "behind one that played another arm than the first 15" {
		t.Errorf("%v, want %v: %q", got, want, p.rounds)
	}
}

// TestVisitPartition: visits are counted by unit, from 1, and long ones together.
func TestVisitPartition(t *testing.T) {
	t.Parallel()
	p := visitPartition()
	got := p.cells(&tableau.Chunk{Unit: []int64{5, 5, 0, 5, 5, 5, 5, 5}}, nil, nil)
	got = p.cells(&tableau.Chunk{Unit: []int64{5, 0, 5}}, nil, got)
	if want := []uint8{0, 1, 0, 2, 3, 3, 3, 3, 4, 1, 4}; !slices.Equal(got, want) || p.count() != 5 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestBefore: the cells are those of the first two contexts one round later, numbers by
// quarters and words by levels; none behind a round that has none.
func TestBefore(t *testing.T) {
	t.Parallel()
	in := &publiclog.Log{Manifest: &schemas.Manifest{Arms: []string{"a", "b"}}}
	word := levelPartition(schemas.ContextColumn{Column: "w", Levels: []string{"r", "g"}}, 0)
	got := before(in, []partition{{}, numberPartition("x", nil), word, numberPartition("y", nil)})
	if len(got) != 2 || got[0].Name != "x of the round before" || got[1].Name != "w of the round before" || got[1].rounds[1] != "behind one with w = g" || !got[1].Earlier {
		t.Fatalf("%+v", got)
	}
	cells := [][]uint8{nil, {subgroups.NoCell, 7, 2}, {1, 0, 1}}
	first, second := got[0].derived(cells, nil), got[1].derived(cells, nil)
	first = got[0].derived(cells, first)
	if want := []uint8{subgroups.NoCell, subgroups.NoCell, 3, 1, subgroups.NoCell, 3}; !slices.Equal(first, want) {
		t.Errorf("%v, want %v", first, want)
	}
	if want := []uint8{subgroups.NoCell, 1, 0}; !slices.Equal(second, want) {
		t.Errorf("%v, want %v", second, want)
	}
}
