package pages

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/snappy"
	"pgregory.net/rapid"
)

// joined are the bytes that pieces stand for.
func joined(src []byte, pieces []piece) []byte {
	var out []byte
	for _, p := range pieces {
		out = append(out, src[p.from:p.to]...)
	}
	return out
}

// What does not compress is found in place, and is what inflating it gives.
func TestSnappyPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 100, 65_536, 65_537, 1 << 20} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		src := snappy.Encode(nil, data)
		pieces := snappyPieces(src, size, nil)
		if pieces == nil || !bytes.Equal(joined(src, pieces), data) {
			t.Errorf("%d bytes: %d pieces do not hold them", size, len(pieces))
		}
		if snappyPieces(src, size+1, nil) != nil || snappyPieces(src[:len(src)-1], size, nil) != nil {
			t.Errorf("%d bytes: another size, or a cut page, is read in pieces", size)
		}
	}
	if src := snappy.Encode(nil, make([]byte, 1<<20)); snappyPieces(src, 1<<20, nil) != nil {
		t.Error("a page of zeros is read in pieces")
	}
}

// snappyBlock makes a snappy block of literals and copies by hand.
func snappyBlock(size int, elements ...[]byte) []byte {
	return slices.Concat(append([][]byte{{byte(size&127) | 128, byte(size >> 7)}}, elements...)...)
}

func literal(b []byte) []byte {
	n := len(b) - 1
	return append([]byte{61 << 2, byte(n), byte(n >> 8)}, b...)
}

func TestSnappyPiecesOfCopies(t *testing.T) {
	text := make([]byte, 1500)
	for i := range text {
		text[i] = byte(i * 7)
	}
	for name, tc := range map[string]struct {
		size     int
		elements [][]byte
		inPieces bool
	}{
		"a copy of a literal":         {1500 + 10, [][]byte{literal(text), {9<<2 | 2, 100, 0}}, true},
		"one of four offset bytes":    {1500 + 10, [][]byte{literal(text), {9<<2 | 3, 100, 0, 0, 0}}, true},
		"a short one":                 {1500 + 5, [][]byte{literal(text), {1<<2 | 1, 100}}, true},
		"a copy of a copy":            {1500 + 14, [][]byte{literal(text), {9<<2 | 2, 100, 0}, {3<<2 | 2, 8, 0}}, true},
		"one that overlaps itself":    {1500 + 10, [][]byte{literal(text), {9<<2 | 2, 3, 0}}, false},
		"one across two literals":     {1600, [][]byte{literal(text[:1490]), literal(text[:100]), {9<<2 | 2, 105, 0}}, false},
		"one from before the block":   {1500 + 10, [][]byte{literal(text), {9<<2 | 2, 255, 255}}, false},
		"an offset of nothing":        {1500 + 10, [][]byte{literal(text), {9<<2 | 2, 0, 0}}, false},
		"a copy that is cut":          {1500 + 10, [][]byte{literal(text), {9<<2 | 2, 1}}, false},
		"a literal that is cut":       {1600, [][]byte{literal(text), {99 << 2 & 255}}, false},
		"a literal beyond all bounds": {1500, [][]byte{append([]byte{63 << 2, 255, 255, 255, 255}, text...)}, false},
		"more than it claims":         {1400, [][]byte{literal(text)}, false},
	} {
		src := snappyBlock(tc.size, tc.elements...)
		pieces := snappyPieces(src, tc.size, nil)
		if (pieces != nil) != tc.inPieces {
			t.Errorf("%s: in %d pieces", name, len(pieces))
		}
		want, err := snappy.Decode(nil, src)
		if pieces != nil && (err != nil || !bytes.Equal(joined(src, pieces), want)) {
			t.Errorf("%s: the pieces are not what it inflates to (%v)", name, err)
		}
	}
}

// A stream in pieces hands out what one in one slice does.
func TestStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "src")
		var pieces []piece
		for range rapid.IntRange(1, 10).Draw(t, "pieces") {
			from := rapid.IntRange(0, len(src)-1).Draw(t, "from")
			pieces = append(pieces, piece{uint32(from), uint32(rapid.IntRange(from+1, len(src)).Draw(t, "to"))})
		}
		want := joined(src, pieces)
		s := stream{src: src, rest: pieces}
		for len(want) > 0 {
			if s.left() != uint64(len(want)) {
				t.Fatalf("%d bytes are left, not %d", s.left(), len(want))
			}
			n := rapid.IntRange(1, len(want)).Draw(t, "n")
			var got []byte
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				got = make([]byte, n)
				if !s.read(got) {
					t.Fatal("there are not enough bytes")
				}
			case 1:
				var word [8]byte
				width := min(n, 8)
				got = bytes.Clone(s.some(3, width, &word))
				if len(got)%width != 0 || len(got) == 0 {
					t.Fatalf("%d bytes of values of %d", len(got), width)
				}
			default:
				v, ok := s.view(n)
				if !ok {
					continue
				}
				got = v
			}
			if !bytes.Equal(got, want[:len(got)]) {
				t.Fatal("other bytes")
			}
			want = want[len(got):]
		}
		if s.read(make([]byte, 1)) || s.some(1, 1, new([8]byte)) != nil {
			t.Fatal("bytes beyond the end")
		}
		if _, ok := s.view(1); ok {
			t.Fatal("a view beyond the end")
		}
	})
}

func FuzzSnappyPieces(f *testing.F) {
	f.Add(snappy.Encode(nil, []byte("some text that is long enough, some text")), 40)
	f.Add(snappyBlock(1500, literal(make([]byte, 1500))), 1500)
	f.Fuzz(func(t *testing.T, src []byte, size int) {
		pieces := snappyPieces(src, size, nil)
		if pieces == nil {
			return
		}
		want, err := snappy.Decode(nil, src)
		if err != nil || len(want) != size || !bytes.Equal(joined(src, pieces), want) {
			t.Errorf("%d pieces of %d bytes, which inflating calls %v", len(pieces), size, err)
		}
	})
}
