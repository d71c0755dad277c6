//go:build unix

package tableau

import (
	"errors"
	"os"
	"testing"
	"time"
)

// A tableau that somebody writes to while it is open is not what it was, also where its
// size and the time of its modification are; what panics over it says so, and what
// panics over one that is as it was goes on.
func TestChanged(t *testing.T) {
	for _, second := range []bool{false, true} {
		s, b := sampleAll(0, 2*BatchRows)
		path, _ := write(t, s, b)
		tab := open(t, path, s)
		units, _ := writeUnits(t, s, b)
		if err := tab.OpenUnits(units); err != nil {
			t.Fatal(err)
		}
		if err := tab.Unchanged(); err != nil {
			t.Errorf("as it was: %v", err)
		}
		if second {
			path = units
		}
		was, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // longer than a tick of the clock of file systems
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteAt([]byte{0x7f}, was.Size()/2)
		if err = errors.Join(err, f.Close(), os.Chtimes(path, was.ModTime(), was.ModTime())); err != nil {
			t.Fatal(err)
		}
		if err := tab.Unchanged(); !errors.Is(err, ErrChanged) {
			t.Errorf("changed: %v", err)
		}
		if err := tab.Guard(func() error { panic("an arm beyond a list") }); !errors.Is(err, ErrChanged) {
			t.Errorf("a panic over it: %v", err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := tab.Unchanged(); !errors.Is(err, ErrChanged) || !errors.Is(err, os.ErrNotExist) {
			t.Errorf("removed: %v", err)
		}
	}
}
