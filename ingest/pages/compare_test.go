package pages

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func compare(t *testing.T, c *Column, got, want []any) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d values, not %d", c.Path, len(got), len(want))
		return
	}
	for i := range got {
		if !same(c, got[i], want[i]) {
			t.Errorf("%s (%s): row %d is %v, not %v", c.Path, c.Type, i, got[i], want[i])
			return
		}
	}
}

// same compares a value with that of expected.json.
func same(c *Column, got, want any) bool {
	switch v := got.(type) {
	case list:
		items, ok := want.([]any)
		return ok && sameList(c, v, items)
	case number:
		text, ok := want.(string)
		return ok && v.is(text)
	case float64:
		w, err := strconv.ParseFloat(fmt.Sprint(want), 64)
		return err == nil && (math.Float64bits(v) == math.Float64bits(w) || math.IsNaN(v) && math.IsNaN(w))
	case string:
		return v == want || "hex:"+hex.EncodeToString([]byte(v)) == want
	case int64, uint64:
		return fmt.Sprint(v) == fmt.Sprint(want)
	case tooLarge:
		w, ok := new(big.Int).SetString(fmt.Sprint(want), 10)
		return ok && !w.IsInt64()
	}
	return got == want
}

// is compares a decimal with its digits. The nearest float64 is that of
// math/big, which shares no code with the reader's.
func (v number) is(text string) bool {
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return false
	}
	whole, fraction, _ := strings.Cut(text, ".")
	unscaled, _ := new(big.Int).SetString(whole+fraction, 10)
	nearest, _ := exact.Float64()
	if v.over == unscaled.IsInt64() || v.over && v.unscaled != 0 || !v.over && v.unscaled != unscaled.Int64() {
		return false
	}
	return len(fraction) == v.scale && math.Float64bits(nearest) == math.Float64bits(v.value)
}

// sameList compares what is kept of a list, or of a list of lists, with all
// that it has.
func sameList(c *Column, got list, want []any) bool {
	w := list{length: len(want), kept: make([]any, len(got.kept))}
	if c.Depth == 1 {
		w.holes = slices.Contains(want, nil)
		copy(w.kept, want)
	} else {
		w.nest(want)
	}
	if got.length != w.length || got.inner != w.inner || got.holes != w.holes {
		return false
	}
	for k, v := range got.kept {
		if w.kept[k] == nil && v != zeroOf(c) || w.kept[k] != nil && !same(c, v, w.kept[k]) {
			return false
		}
	}
	return true
}

// nest is what is kept of a list of lists.
func (l *list) nest(lists []any) {
	for k, inner := range lists {
		items, ok := inner.([]any)
		switch {
		case !ok, k > 0 && l.inner != len(items):
			l.inner = -1
		default:
			l.inner = len(items)
		}
		l.holes = l.holes || slices.Contains(items, nil)
		if k < nestedOuter {
			copy(l.kept[k*nestedInner:(k+1)*nestedInner], items)
		}
	}
}
