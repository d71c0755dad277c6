package pages

import (
	"errors"
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
