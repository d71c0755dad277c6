package pages

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// A column's buffers are used again for its next row group, stay booked until
// the file is closed, and are not shared by two cursors.
func TestWorksets(t *testing.T) {
	budget := NewBudget(testBudget)
	data := grouped(t)
	f := openedBytes(t, data, budget)
	c := columnOf(t, f, "x")
	first, second := f.workset(c), f.workset(c)
	if _, err := first.body.grow(1000); err != nil {
		t.Fatal(err)
	}
	f.spares.put(c.index, first)
	f.spares.put(c.index, second) // there is one already
	if budget.Used() < 1000 {
		t.Errorf("%d bytes are booked of what is kept", budget.Used())
	}
	if again := f.workset(c); again != first {
		t.Error("the workset that was kept is not used")
	}
	f.spares.put(c.index, first)
	f.Close()
	if _, err := second.body.grow(10); err != nil {
		t.Fatal(err)
	}
	f.spares.put(c.index, second) // after the file was closed
	noLeak(t, budget)
}

// Row groups can be read at once by many goroutines, which share the file.
func TestConcurrentCursors(t *testing.T) {
	budget := NewBudget(testBudget)
	f, err := openBytes(grouped(t), budget)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string][]any)
	for _, c := range f.Columns() {
		if want[c.Path], err = values(f, c, 100); err != nil {
			t.Fatal(err)
		}
	}
	var group sync.WaitGroup
	for range 4 {
		for _, c := range f.Columns() {
			group.Go(func() {
				got, err := values(f, c, 77)
				if err != nil || fmt.Sprint(got) != fmt.Sprint(want[c.Path]) {
					t.Errorf("%s: other values, %v", c.Path, err)
				}
			})
		}
	}
	group.Wait()
	f.Close()
	noLeak(t, budget)
}

// grouped is a file of a few row groups, compressed with zstd.
func grouped(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	w := parquet.NewGenericWriter[wideRow](&file, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(500))
	if _, err := w.Write(drawWide(rand.New(rand.NewPCG(7, 8)), 1600, 9)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
