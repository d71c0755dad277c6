package tableau

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestOpenReadsWhatWriterWrote(t *testing.T) {
	for _, propensity := range []bool{false, true} {
		for _, dim := range []int{0, 3} {
			s, b := sample(propensity, dim, 1, BatchRows-1, BatchRows, 5, BatchRows+7)
			path, digest := write(t, s, b)
			tab := open(t, path, s)
			if got, err := tab.Digest(); err != nil || got != digest {
				t.Errorf("digest %q, %v; the writer's was %q", got, err, digest)
			}
			if tab.Rows() != int64(len(b.Arm)) || tab.Experiments() != 5 || tab.Arms() != 5 {
				t.Errorf("%d rows, %d experiments, %d arms", tab.Rows(), tab.Experiments(), tab.Arms())
			}
			for i, e := range s.Experiments {
				checkSlice(t, tab.Slice(i), e, &b)
			}
		}
	}
}

// checkSlice compares one experiment with the rows it was made of.
func checkSlice(t *testing.T, s *Slice, e Range, b *Batch) {
	t.Helper()
	if s.ID() != e.ID || s.Rows() != e.Rows || s.ContextDim() != len(b.X) || s.HasPropensity() != (b.Propensity != nil) || s.Arms() != 5 {
		t.Errorf("slice %q of %d rows", s.ID(), s.Rows())
	}
	next := int64(0)
	for i := range s.Chunks() {
		c := s.Chunk(i)
		if c.Start != next || len(c.Arm) == 0 {
			t.Fatalf("%s: chunk %d begins at %d with %d rows, not at %d", e.ID, i, c.Start, len(c.Arm), next)
		}
		from := e.Offset + next
		to := from + int64(len(c.Arm))
		if !slices.Equal(c.Arm, b.Arm[from:to]) || !slices.Equal(c.Round, b.Round[from:to]) {
			t.Errorf("%s: chunk %d has other arms or rounds", e.ID, i)
		}
		if b.Propensity == nil && c.Propensity != nil || b.Propensity != nil && !slices.Equal(c.Propensity, b.Propensity[from:to]) {
			t.Errorf("%s: chunk %d has other propensities", e.ID, i)
		}
		for j := range b.X {
			if !slices.Equal(c.X[j], b.X[j][from:to]) {
				t.Errorf("%s: chunk %d has another x%d", e.ID, i, j)
			}
		}
		if cap(c.Arm) != len(c.Arm) {
			t.Errorf("%s: chunk %d can be appended to, which would reach into the next experiment", e.ID, i)
		}
		next += int64(len(c.Arm))
	}
	if next != e.Rows {
		t.Errorf("%s: %d rows in chunks, not %d", e.ID, next, e.Rows)
	}
}

func TestOpenChecksValues(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(b *Batch)
		says  string
	}{
		"arm beyond K":      {func(b *Batch) { b.Arm[7] = 5 }, "row 7: arm 5"},
		"negative arm":      {func(b *Batch) { b.Arm[0] = -1 }, "row 0: arm -1"},
		"wrong experiment":  {func(b *Batch) { b.Experiment[9] = 1 }, "row 9: experiment 1"},
		"round again":       {func(b *Batch) { b.Round[3] = 3 }, "row 3: round 3 after round 3"},
		"round zero":        {func(b *Batch) { b.Round[10] = 0 }, "row 10: round 0 after round 0"},
		"propensity -0":     {func(b *Batch) { b.Propensity[4] = math.Copysign(0, -1) }, "row 4: the propensity"},
		"propensity NaN":    {func(b *Batch) { b.Propensity[4] = math.NaN() }, "row 4: the propensity"},
		"propensity over 1": {func(b *Batch) { b.Propensity[4] = math.Nextafter(1, 2) }, "row 4: the propensity"},
		"propensity tiny":   {func(b *Batch) { b.Propensity[4] = math.Nextafter(MinPropensity, 0) }, "row 4: the propensity is outside [1e-100, 1], and not 0"},
		"denormal":          {func(b *Batch) { b.Propensity[4] = 1e-320 }, "row 4: the propensity"},
		"context NaN":       {func(b *Batch) { b.X[1][12] = math.NaN() }, "row 12: column x1"},
		"context infinite":  {func(b *Batch) { b.X[0][12] = math.Inf(-1) }, "row 12: column x0"},
		"fewer rows claimed": {func(b *Batch) {
			*b = rowsOf(b, &Schema{Propensity: true, ContextDim: 2, Arms: 5}, 0, 14)
		}, "14 rows where the manifest says 15"},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := sample(true, 2, 10, 5)
			tc.spoil(&b)
			path, _ := write(t, s, b)
			_, err := Open(path, s)
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v, which should say %q", err, tc.says)
			}
		})
	}
}

// An action that was drawn by one more draw may have a share of 0.
func TestOpenTakesZeroPropensity(t *testing.T) {
	s, b := sample(true, 0, 3)
	b.Propensity[1], b.Propensity[2] = 0, 0
	path, _ := write(t, s, b)
	if got := open(t, path, s).Slice(0).Chunk(0).Propensity[1]; got != 0 {
		t.Errorf("got %g", got)
	}
}

// The least propensity is one that a tableau holds, and sums of squares of its
// weights are finite.
func TestOpenTakesLeastPropensity(t *testing.T) {
	s, b := sample(true, 0, 3)
	b.Propensity[1] = MinPropensity
	path, _ := write(t, s, b)
	if got := open(t, path, s).Slice(0).Chunk(0).Propensity[1]; got != MinPropensity {
		t.Errorf("got %g", got)
	}
	if w := 1 / MinPropensity; math.IsInf(w*w*math.MaxInt64, 0) {
		t.Error("sums of squares of weights overflow")
	}
}

func TestOpenChecksSchema(t *testing.T) {
	s, b := sample(true, 2, 10)
	path, _ := write(t, s, b)
	for name, other := range map[string]func(s *Schema){
		"no propensity":  func(s *Schema) { s.Propensity = false },
		"one context":    func(s *Schema) { s.ContextDim = 1 },
		"three contexts": func(s *Schema) { s.ContextDim = 3 },
		"same width":     func(s *Schema) { s.Propensity, s.ContextDim = false, 3 },
		"fewer arms":     func(s *Schema) { s.Arms = 4 },
		"more rows":      func(s *Schema) { s.Experiments[0].Rows = 11 },
	} {
		t.Run(name, func(t *testing.T) {
			bad := s
			bad.Experiments = slices.Clone(s.Experiments)
			other(&bad)
			if _, err := Open(path, bad); !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestSchemaValidate(t *testing.T) {
	good := Schema{Arms: 1, Experiments: []Range{{"a", 0, 2}, {"b", 2, 1}}}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for name, s := range map[string]Schema{
		"no experiments":    {Arms: 1},
		"overlap":           {Arms: 1, Experiments: []Range{{"a", 0, 2}, {"b", 1, 1}}},
		"gap":               {Arms: 1, Experiments: []Range{{"a", 0, 2}, {"b", 3, 1}}},
		"not from 0":        {Arms: 1, Experiments: []Range{{"a", 1, 2}}},
		"empty experiment":  {Arms: 1, Experiments: []Range{{"a", 0, 0}}},
		"too long":          {Arms: 1, Experiments: []Range{{"a", 0, math.MaxInt64}, {"b", math.MaxInt64, 1}}},
		"no arms":           {Experiments: []Range{{"a", 0, 2}}},
		"NaN in the range":  {Arms: 1, Reward: [2]float64{0, math.NaN()}, Experiments: []Range{{"a", 0, 2}}},
		"infinite range":    {Arms: 1, Reward: [2]float64{0, math.Inf(1)}, Experiments: []Range{{"a", 0, 2}}},
		"range backwards":   {Arms: 1, Reward: [2]float64{1, 0}, Experiments: []Range{{"a", 0, 2}}},
		"negative contexts": {Arms: 1, ContextDim: -1, Experiments: []Range{{"a", 0, 2}}},
		"too many contexts": {Arms: 1, ContextDim: maxContextDim + 1, Experiments: []Range{{"a", 0, 2}}},
	} {
		if err := s.Validate(); err == nil {
			t.Errorf("%s: no fault found", name)
		}
	}
	all := Schema{ContextDim: -1, Reward: [2]float64{1, 0}}
	if got := strings.Count(all.Validate().Error(), "tableau:"); got != 4 {
		t.Errorf("%d faults reported of 4", got)
	}
}

func TestOpenMissingAndOdd(t *testing.T) {
	s, _ := sample(false, 0, 1)
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none"), s); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(dir, s); err == nil {
		t.Error("a directory was opened")
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(empty, s); !errors.Is(err, ErrDamaged) {
		t.Errorf("an empty file: %v", err)
	}
}

func TestOpenCutFile(t *testing.T) {
	s, b := sample(false, 1, 50)
	path, _ := write(t, s, b)
	for _, size := range []int64{2000, 700, 64, 9, 1} {
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, s); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d bytes: %v", size, err)
		}
	}
}

func TestCloseTwice(t *testing.T) {
	s, b := sample(false, 0, 1)
	path, _ := write(t, s, b)
	tab, err := Open(path, s)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	}
}
