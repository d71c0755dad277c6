package tableau

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
)

// Arrow's own reader is the oracle: what Writer writes is an Arrow IPC file
// with these columns, in batches of BatchRows rows.
func TestWriterWritesArrow(t *testing.T) {
	s, b := sample(true, 2, BatchRows-3, 10, 2*BatchRows)
	path, _ := write(t, s, b)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := ipc.NewFileReader(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	row := 0
	for i := range r.NumRecords() {
		rec, err := r.Record(i)
		if err != nil {
			t.Fatal(err)
		}
		if want := [...]int{BatchRows - 3, 10, BatchRows, BatchRows}[i]; int(rec.NumRows()) != want {
			t.Fatalf("record batch %d has %d rows, not %d", i, rec.NumRows(), want)
		}
		for j := range int(rec.NumRows()) {
			got := [...]float64{
				float64(rec.Column(0).(*array.Int32).Value(j)), float64(rec.Column(1).(*array.Int64).Value(j)),
				float64(rec.Column(2).(*array.Int32).Value(j)), rec.Column(3).(*array.Float64).Value(j),
				rec.Column(4).(*array.Float64).Value(j), rec.Column(5).(*array.Float64).Value(j), rec.Column(6).(*array.Float64).Value(j),
			}
			want := [...]float64{
				float64(b.Experiment[row]), float64(b.Round[row]), float64(b.Arm[row]), b.Reward[row],
				b.Propensity[row], b.X[0][row], b.X[1][row],
			}
			if got != want {
				t.Fatalf("row %d is %v, not %v", row, got, want)
			}
			row++
		}
	}
	if row != len(b.Arm) {
		t.Errorf("Arrow reads %d rows of %d", row, len(b.Arm))
	}
	var names []string
	for _, f := range r.Schema().Fields() {
		names = append(names, f.Name)
	}
	if got, want := strings.Join(names, " "), "experiment round arm reward propensity x0 x1"; got != want {
		t.Errorf("columns %q, not %q", got, want)
	}
}

func TestWriterBytesDoNotDependOnBatches(t *testing.T) {
	s, b := sample(true, 1, 3*BatchRows/2)
	whole, digest := write(t, s, b)
	path := filepath.Join(t.TempDir(), "rounds.arrow")
	w, err := NewWriter(path, s)
	if err != nil {
		t.Fatal(err)
	}
	for from, step := 0, 1; from < len(b.Arm); step = step*3%9973 + 1 {
		to := min(len(b.Arm), from+step)
		part := rowsOf(&b, &s, from, to)
		if err = w.Append(&part); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	parts, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if parts != digest {
		t.Error("the digest depends on how rows were divided")
	}
	for _, p := range []string{whole, path} {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != digest {
			t.Errorf("%s does not have the digest that Close returned", p)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	s, b := sample(true, 2, 4)
	for name, spoil := range map[string]func(b *Batch){
		"no propensity":     func(b *Batch) { b.Propensity = nil },
		"short round":       func(b *Batch) { b.Round = b.Round[:3] },
		"short reward":      func(b *Batch) { b.Reward = b.Reward[:3] },
		"long arm":          func(b *Batch) { b.Arm = append(b.Arm, 0) },
		"a context missing": func(b *Batch) { b.X = b.X[:1] },
		"a short context":   func(b *Batch) { b.X = [][]float64{b.X[0], b.X[1][:1]} },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rounds.arrow")
			w, err := NewWriter(path, s)
			if err != nil {
				t.Fatal(err)
			}
			bad := b
			spoil(&bad)
			if err := w.Append(&bad); err == nil {
				t.Fatal("the batch was taken")
			}
			if err := w.Append(&b); err == nil {
				t.Error("a good batch was taken after a bad one")
			}
			if _, err := w.Close(); err == nil {
				t.Error("Close said nothing")
			}
			if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the file is still there: %v", err)
			}
		})
	}
}

func TestWriterSpecialCases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rounds.arrow")
	w, err := NewWriter(path, Schema{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = NewWriter(path, Schema{}); !errors.Is(err, os.ErrExist) {
		t.Errorf("an existing file: %v", err)
	}
	if _, err = w.Close(); err == nil || !strings.Contains(err.Error(), "no rows") {
		t.Errorf("an empty tableau: %v", err)
	}
	if _, err = w.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
	if err = w.Append(&Batch{}); !errors.Is(err, ErrClosed) {
		t.Errorf("appended after closing: %v", err)
	}
	if err = w.Discard(); err != nil {
		t.Errorf("discarded after closing: %v", err)
	}
	if _, err = NewWriter(path, Schema{ContextDim: -1}); err == nil {
		t.Error("a negative number of contexts was taken")
	}
	if w, err = NewWriter(path, Schema{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Discard(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a discarded file is still there: %v", err)
	}
}
