//go:build unix

package tableau

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// A file that is cut while it is mapped faults when its lost pages are read;
// the fault is an error wherever the package reads, and under Guard.
func TestGuardTurnsFaultIntoError(t *testing.T) {
	s, b := sample(true, 2, 2*BatchRows, 5)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	slice := tab.Slice(0)
	rewards, err := slice.Disclose(&ledgerBook{}, "before")
	if err != nil {
		t.Fatal(err)
	}
	feed, err := slice.Feed(&ledgerBook{}, "before", &adds{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Digest(); !errors.Is(err, ErrFault) {
		t.Errorf("Digest: %v", err)
	}
	if _, err := tab.Slice(1).Disclose(&ledgerBook{}, "after"); !errors.Is(err, ErrFault) {
		t.Errorf("Disclose: %v", err)
	}
	if _, err := tab.Slice(1).Feed(&ledgerBook{}, "after", &adds{}); !errors.Is(err, ErrFault) {
		t.Errorf("Feed: %v", err)
	}
	total := 0.0 // what was read before a fault, so that the compiler does not leave the reading out
	for name, read := range map[string]func(){
		"arms":    func() { total += float64(sumInts(slice.Chunk(1).Arm)) },
		"context": func() { total += sumFloats(slice.Chunk(1).X[1]) },
		"rewards": func() { total += sumFloats(rewards.Chunk(1)) },
		"feed":    func() { feed.Row(BatchRows + 100) },
	} {
		if err := slice.Guard(func() error { read(); return nil }); !errors.Is(err, ErrFault) {
			t.Errorf("%s: %v (%g was read)", name, err, total)
		}
	}
}

// So does an order by unit that is cut.
func TestGuardOfUnits(t *testing.T) {
	s, b := sampleAll(0, 2*BatchRows)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	units, _ := writeUnits(t, s, b)
	if err := tab.OpenUnits(units); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(units, 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.UnitsDigest(); !errors.Is(err, ErrFault) {
		t.Errorf("UnitsDigest: %v", err)
	}
	rows := 0
	err := tab.Guard(func() error {
		for c := range tab.Slice(0).Units() {
			rows += len(c.Row)
		}
		return nil
	})
	if !errors.Is(err, ErrFault) {
		t.Errorf("Units: %v (%d rows were read)", err, rows)
	}
	if err := tab.each(4, func(i int) error { return tab.units.touch(i) }); !errors.Is(err, ErrFault) {
		t.Errorf("on other goroutines: %v", err)
	}
}

// With both files open, a fault on either is told by its own name.
func TestGuardNamesTheFile(t *testing.T) {
	s, b := sampleAll(0, 2*BatchRows)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	units, _ := writeUnits(t, s, b)
	if err := tab.OpenUnits(units); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	err := tab.Guard(func() error { return tab.rounds.touch(1) })
	if !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	if err := tab.Guard(func() error { return tab.units.touch(1) }); err != nil {
		t.Errorf("the other file: %v", err)
	}
}

// touch reads a byte of the i-th page beyond the first.
func (m *mapping) touch(i int) error {
	if m.data[(i+1)<<16] == 1 {
		return errors.New("a byte that is gone was read")
	}
	return nil
}

func sumInts(v []int32) (n int32) {
	for _, x := range v {
		n += x
	}
	return n
}

func sumFloats(v []float64) (n float64) {
	for _, x := range v {
		n += x
	}
	return n
}

func TestGuardPassesOn(t *testing.T) {
	s, b := sample(false, 0, 3)
	path, _ := write(t, s, b)
	tab := open(t, path, s)
	want := errors.New("its own error")
	if err := tab.Guard(func() error { return want }); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
	defer func() {
		if p := recover(); p == nil {
			t.Error("another panic was swallowed")
		}
	}()
	_ = tab.Guard(func() error {
		panic("not a fault")
	})
}
