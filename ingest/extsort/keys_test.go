package extsort

import (
	"bytes"
	"cmp"
	"math"
	"testing"
)

// Order of the bytes is order of the values.
func FuzzInt64(f *testing.F) {
	for _, v := range []int64{0, 1, -1, math.MinInt64, math.MaxInt64} {
		f.Add(v, v+1)
		f.Add(v, int64(0))
	}
	f.Fuzz(func(t *testing.T, a, b int64) {
		x, y := AppendInt64(nil, a), AppendInt64(nil, b)
		if bytes.Compare(x, y) != cmp.Compare(a, b) {
			t.Errorf("%d and %d are %x and %x", a, b, x, y)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, a := range []string{"", "\x00", "\x00\x00", "a", "a\x00", "a\x00b", "a\x00\x01", "a\xff", "ab", "\x00\xff"} {
		f.Add([]byte(a), []byte("a"), []byte{0}, []byte{255})
		f.Add([]byte("a\x00"), []byte(a), []byte{255}, []byte{0})
	}
	f.Fuzz(func(t *testing.T, a, b, after, other []byte) {
		x, y := AppendText(nil, a), AppendText(nil, b)
		want := cmp.Or(bytes.Compare(a, b), bytes.Compare(after, other))
		if got := bytes.Compare(append(x, after...), append(y, other...)); got != want {
			t.Errorf("%q, %q and %q, %q compare as %d", a, after, b, other, got)
		}
	})
}

func FuzzUint(f *testing.F) {
	f.Add(uint64(0), uint64(0))
	f.Add(uint64(255), uint64(256))
	f.Add(uint64(math.MaxUint64), uint64(1))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		width := Width(max(a, b))
		x, y := AppendUint(nil, a, width), AppendUint(nil, b, width)
		if bytes.Compare(x, y) != cmp.Compare(a, b) || len(x) != width {
			t.Errorf("%d and %d are %x and %x", a, b, x, y)
		}
		if v, rest, err := Uint(append(x, 7), width); v != a || len(rest) != 1 || err != nil {
			t.Errorf("%d was read as %d, %v, %v", a, v, rest, err)
		}
		if max(a, b) > 0 && max(a, b)>>(8*(width-1)) == 0 {
			t.Errorf("%d bytes are more than %d needs", width, max(a, b))
		}
	})
}

func TestKeysThatAreCut(t *testing.T) {
	for n := range 8 {
		if _, _, err := Uint(make([]byte, n), n+1); err == nil {
			t.Error("a number of fewer bytes than its width")
		}
	}
}
