package pages

import (
	"errors"
	"math"
	"testing"
)

func TestBudget(t *testing.T) {
	b := NewBudget(100)
	if err := b.Take(60); err != nil {
		t.Fatal(err)
	}
	if err := b.Take(41); !errors.Is(err, ErrLimit) {
		t.Errorf("41 beside 60 of 100: %v", err)
	}
	if err := b.Take(40); err != nil {
		t.Errorf("what was refused was booked: %v", err)
	}
	b.Give(100)
	if b.Used() != 0 {
		t.Errorf("%d are in use", b.Used())
	}
	var none *Budget
	if err := none.Take(1 << 60); err != nil || none.Used() != 0 {
		t.Errorf("no budget has a limit: %v", err)
	}
	none.Give(1)
}

func TestBufferGrowsWithinBudget(t *testing.T) {
	b := NewBudget(100)
	buf := buffer{budget: b}
	for _, n := range []int{10, 50, 20} {
		if got, err := buf.grow(n); err != nil || len(got) != n {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if b.Used() != 50 {
		t.Errorf("%d bytes are booked", b.Used())
	}
	if _, err := buf.grow(101); !errors.Is(err, ErrLimit) || b.Used() != 50 {
		t.Errorf("101 of 100: %v, %d booked", err, b.Used())
	}
	buf.free()
	if b.Used() != 0 {
		t.Errorf("%d bytes are still booked", b.Used())
	}
}

func TestBudgetLimit(t *testing.T) {
	var none *Budget
	if none.Limit() != math.MaxInt64 || NewBudget(5).Limit() != 5 {
		t.Errorf("limits %d and %d", none.Limit(), NewBudget(5).Limit())
	}
}

// The size of a block is that of the memory it holds, whoever made it.
func TestBlockSize(t *testing.T) {
	var b Block
	if b.Size() != 0 {
		t.Errorf("an empty block has %d bytes", b.Size())
	}
	b.Int, b.Float, b.Null = make([]int64, 10), make([]float64, 100), make([]bool, 7)
	if want := int64(8*110 + 7); b.Size() != want {
		t.Errorf("%d bytes, not %d", b.Size(), want)
	}
	f := openFixture(t, "duckdb-snappy.parquet")
	for _, c := range f.Columns() {
		if !c.Readable() {
			continue
		}
		cursor, err := openCursor(f, 0, c)
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		n, err := cursor.Next(&b, 100)
		if err != nil {
			t.Fatal(err)
		}
		cursor.Close()
		if int(b.Size()) < n {
			t.Errorf("%s: %d bytes for %d rows", c.Path, b.Size(), n)
		}
	}
}
