package pages

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	godelta "github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"pgregory.net/rapid"
)

// parquet-go's encoders are the oracle: what they write is read back, in
// pieces of any size.

func TestHybridReadsParquetGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 31).Draw(t, "width")
		var want []int32
		for range rapid.IntRange(1, 6).Draw(t, "runs") {
			v := rapid.Int32Range(0, int32(1)<<width-1)
			if rapid.Bool().Draw(t, "repeat") {
				want = append(want, slices.Repeat([]int32{v.Draw(t, "v")}, rapid.IntRange(1, 200).Draw(t, "n"))...)
			} else {
				want = append(want, rapid.SliceOfN(v, 1, 50).Draw(t, "vs")...)
			}
		}
		src, err := (&rle.Encoding{BitWidth: width}).EncodeInt32(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		h := newHybrid(src, width)
		for at := 0; at < len(want); {
			n := min(len(want)-at, rapid.IntRange(1, 40).Draw(t, "step"))
			got := make([]uint32, n)
			if err := readHybrid(&h, got); err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				if int32(v) != want[at+i] {
					t.Fatalf("value %d is %d, not %d", at+i, v, want[at+i])
				}
			}
			at += n
		}
	})
}

func TestHybridSpecialCases(t *testing.T) {
	var dst [20]uint8
	empty := newHybrid(nil, 0)
	if err := readHybrid(&empty, dst[:]); err != nil {
		t.Errorf("width 0 needs no bytes: %v", err)
	}
	packed := newHybrid([]byte{5}, 0) // two groups of eight, of no bits each
	if err := readHybrid(&packed, dst[:16]); err != nil {
		t.Errorf("a bit-packed run of width 0: %v", err)
	}
	for name, h := range map[string]hybrid{
		"no bytes":                newHybrid(nil, 1),
		"a cut run":               newHybrid([]byte{40}, 8),
		"a cut bit-packed run":    newHybrid([]byte{5, 1, 2, 3}, 2),
		"a value beyond its bits": newHybrid([]byte{40, 4}, 2),
		"too few values":          newHybrid([]byte{10, 1}, 1),
		"a header without end":    newHybrid(bytes.Repeat([]byte{0x80}, 12), 1),
		"only empty runs":         newHybrid([]byte{0, 1, 0, 1}, 1),
	} {
		if err := readHybrid(&h, dst[:]); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}

func TestDeltaReadsParquetGo(t *testing.T) {
	sizes := []int{1, 2, 31, 32, 33, 127, 128, 129, 130, 255, 257, 1000}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(sizes).Draw(t, "n")
		want := rapid.SliceOfN(rapid.OneOf(rapid.Int64(), rapid.Int64Range(-100, 100), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0})), n, n).Draw(t, "values")
		src, err := (&godelta.BinaryPackedEncoding{}).EncodeInt64(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDelta(append(src, "rest"...))
		if err != nil {
			t.Fatal(err)
		}
		rest, err := d.after()
		if err != nil || string(rest) != "rest" {
			t.Fatalf("%q follows, %v", rest, err)
		}
		got := make([]int64, n)
		if err := (&deltaInts{d: d, wide: true}).read(got); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, %v; want %v", got, err, want)
		}
	})
}

func TestDeltaRefuses(t *testing.T) {
	head := func(block, mini, total uint64) []byte {
		return append(binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(nil, block), mini), total), 0)
	}
	for name, src := range map[string][]byte{
		"empty":               {},
		"a block of 0":        head(0, 4, 1),
		"a block of 100":      head(100, 4, 1),
		"a huge block":        head(1<<40, 4, 1),
		"no miniblocks":       head(128, 0, 1),
		"miniblocks of 16":    head(128, 8, 1),
		"miniblocks of 42.67": head(128, 3, 1),
		"more miniblocks":     head(128, 256, 1),
		"no first value":      head(128, 4, 1)[:4],
	} {
		if _, err := newDelta(src); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
	for name, block := range map[string][]byte{
		"no block":       {},
		"no widths":      {0, 1},
		"a width of 65":  {0, 65, 0, 0, 0},
		"too few deltas": {0, 64, 0, 0, 0, 1, 2, 3},
	} {
		d, err := newDelta(append(head(128, 4, 3), block...))
		if err != nil {
			t.Fatal(err)
		}
		if err := (&deltaInts{d: d, wide: true}).read(make([]int64, 3)); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
}

func TestDeltaTextRefusesPrefix(t *testing.T) {
	ints := func(v ...int32) []byte {
		b, err := (&godelta.BinaryPackedEncoding{}).EncodeInt32(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, prefixes := range map[string][]int32{"of nothing": {1, 0}, "beyond the last": {0, 4}, "negative": {0, -1}} {
		data := slices.Concat(ints(prefixes...), ints(3, 3), []byte("abcdef"))
		src, err := newDeltaTexts(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := src.read(make([][]byte, 2)); err == nil {
			t.Errorf("a prefix %s was read", name)
		}
	}
}

// A prefix makes a long text of few bytes; no text grows beyond maxDeltaText.
func TestDeltaTextIsBounded(t *testing.T) {
	n := 2 * maxDeltaText
	encode := func(v []int32) []byte {
		b, err := (&godelta.BinaryPackedEncoding{}).EncodeInt32(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	data := slices.Concat(encode([]int32{0, int32(n / 2)}), encode([]int32{int32(n / 2), int32(n / 2)}), make([]byte, n))
	src, err := newDeltaTexts(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := src.read(make([][]byte, 2)); err == nil {
		t.Error("a text of 2 MiB was read")
	}
}
