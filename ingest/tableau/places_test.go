package tableau

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// writeIn writes rows in record batches of at most 2^shift rows, in random parts,
// and opens what was written.
func writeIn(t *testing.T, r *rand.Rand, s Schema, b Batch, shift uint) (*Tableau, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rounds.arrow")
	w, err := NewWriter(path, s)
	if err != nil {
		t.Fatal(err)
	}
	w.rows.limit = 1 << shift
	for from := 0; from < len(b.Arm); {
		to := min(len(b.Arm), from+1+r.IntN(30))
		part := rowsOf(&b, &s, from, to)
		if err = w.Append(&part); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	if _, err = w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := openMapping(path)
	if err != nil {
		t.Fatal(err)
	}
	tab := newTableau(m, s)
	t.Cleanup(func() {
		if cerr := tab.Close(); cerr != nil {
			t.Error(cerr)
		}
	})
	tab.layout.shift = shift
	err = tab.load()
	return tab, err
}

// An experiment's chunks depend on its rows alone: all but the last are full,
// wherever the experiment lies, and every column comes back in them.
func TestChunksDoNotDependOnThePlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		rows := make([]int64, 1+r.IntN(12))
		for i := range rows {
			rows[i] = 1 + r.Int64N(25)
		}
		s, b := sampleAll(1, rows...)
		tab, err := writeIn(t, r, s, b, 3)
		if err != nil {
			t.Fatalf("%v: %v", rows, err)
		}
		for e := range s.Experiments {
			checkPlaces(t, &s, &b, tab.Slice(e), 8)
			checkPlaces(t, &s, &b, tab.Slice(e).Finer(3), 2)
		}
	}
}

// checkPlaces holds chunks of so many rows against the rows that were written.
func checkPlaces(t *testing.T, s *Schema, b *Batch, slice *Slice, rows int) {
	t.Helper()
	first, at := int(slice.rng.Offset), 0
	if want := (int(slice.Rows()) + rows - 1) / rows; slice.Chunks() != want {
		t.Fatalf("%v has %d chunks of %d, not %d", slice.rng, slice.Chunks(), rows, want)
	}
	rewards, err := slice.Disclose(new(ledgerBook), "test", RewardByArm)
	if err != nil {
		t.Fatal(err)
	}
	for i := range slice.Chunks() {
		c := slice.Chunk(i)
		n := len(c.Arm)
		if n < rows && i+1 < slice.Chunks() || c.Start != int64(at) || len(rewards.Arms(i)) != n {
			t.Fatalf("%v: chunk %d has %d rows from %d on", slice.rng, i, n, c.Start)
		}
		for row := range n {
			if chunk, place := slice.Locate(int64(at + row)); chunk != i || place != row {
				t.Fatalf("%v: row %d is located in chunk %d at %d", slice.rng, at+row, chunk, place)
			}
		}
		sameRows(t, s, rowsOf(b, s, first+at, first+at+n), &c, rewards, i)
		at += n
	}
	if at != int(slice.Rows()) {
		t.Errorf("%v: %d rows in chunks", slice.rng, at)
	}
}

func sameRows(t *testing.T, s *Schema, want Batch, c *Chunk, rewards *Rewards, chunk int) {
	t.Helper()
	if !reflect.DeepEqual(c.Round, want.Round) || !reflect.DeepEqual(c.X, want.X) || !reflect.DeepEqual(c.PropensityByArm, want.PropensityByArm) ||
		!reflect.DeepEqual(c.Unit, want.Unit) || !reflect.DeepEqual(c.Targets, want.Targets) || !reflect.DeepEqual(c.Batch, want.Batch) {
		t.Fatalf("%+v is not %+v", c, want)
	}
	for i, y := range rewards.AllArms(chunk) {
		if want := want.RewardByArm[i]; y != want && y == y {
			t.Fatalf("reward %d is %v, not %v", i, y, want)
		}
	}
	for i, could := range want.Eligible {
		if c.Eligible(i/s.Arms, i%s.Arms) != could {
			t.Fatalf("eligible %d of %d is %v", i, len(want.Eligible), !could)
		}
	}
}

// A file whose experiments go on where they may not is damaged: so were those of
// versions before 0.2.
func TestPlacesAreChecked(t *testing.T) {
	s, b := sampleAll(0, 5, 6)
	one := s
	one.Experiments = []Range{{ID: "e0", Rows: 11}}
	for i := range b.Experiment {
		b.Experiment[i], b.Round[i] = 0, int64(i+1)
	}
	r := rand.New(rand.NewPCG(3, 4))
	tab, err := writeIn(t, r, one, b, 3)
	if err != nil && !strings.Contains(err.Error(), "batch") {
		t.Fatal(err)
	}
	tab.schema = s
	if err := tab.checkPlaces(); err == nil || !strings.Contains(err.Error(), "experiment 1 goes on behind record batch 0") {
		t.Errorf("experiments of 5 and 6 rows in batches of 8: %v", err)
	}
}

// Units come in chunks that depend on the experiment alone, too.
func TestUnitChunksDoNotDependOnThePlace(t *testing.T) {
	lengths := func(rows ...int64) (out []int) {
		s, b := sampleAll(0, rows...)
		path, _ := write(t, s, b)
		tab := open(t, path, s)
		units, _ := writeUnits(t, s, b)
		if err := tab.OpenUnits(units); err != nil {
			t.Fatal(err)
		}
		for c := range tab.Slice(len(rows) - 1).Units() {
			out = append(out, len(c.Row))
		}
		return out
	}
	if alone, behind := lengths(70000), lengths(3, 30001, 70000); !reflect.DeepEqual(alone, behind) {
		t.Errorf("chunks of %v rows, and %v behind other experiments", alone, behind)
	}
}
