package pages

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
	"pgregory.net/rapid"
)

// nearestDecimal is the float64 nearest to v/10^scale, by math/big.
func nearestDecimal(v *big.Int, scale int) float64 {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	x, _ := new(big.Rat).SetFrac(v, power).Float64()
	return x
}

// twosComplement is v in size bytes, high byte first.
func twosComplement(v *big.Int, size int) []byte {
	if v.Sign() < 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	return v.FillBytes(make([]byte, size))
}

// Every decimal of 64 bits is the nearest float64, ties to even. math/big is
// the oracle, and shares no code with the reader.
func TestDecimalOfInt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.SampledFrom([]int64{0, 1, -1, 1 << 53, 1<<53 + 1, -1<<53 - 1, 1<<53 + 3, math.MaxInt64, math.MinInt64, 5, 15, 123456789012345678})
		v := rapid.OneOf(edges, rapid.Int64(), rapid.Int64Range(-1e6, 1e6)).Draw(t, "v")
		scale := rapid.OneOf(rapid.IntRange(0, 38), rapid.SampledFrom([]int{22, 23, 307})).Draw(t, "scale")
		s := newScaled(scale)
		got := s.ofInt(v)
		if want := nearestDecimal(big.NewInt(v), scale); math.Float64bits(got.value) != math.Float64bits(want) || got.unscaled != v || got.over {
			t.Fatalf("%de-%d is %v, not %v", v, scale, got, want)
		}
	})
}

// So is every decimal in bytes, however many, with sign bytes to spare or none.
func TestDecimalOfBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 120).Draw(t, "bytes"))
		if rapid.Bool().Draw(t, "negative") {
			v.Neg(v)
		}
		size := v.BitLen()/8 + 1 + rapid.IntRange(0, 7).Draw(t, "spare")
		scale := rapid.IntRange(0, maxPrecision).Draw(t, "scale")
		s := newScaled(scale)
		got, err := s.ofBytes(twosComplement(v, size))
		want := wide{value: nearestDecimal(v, scale), over: !v.IsInt64()}
		if v.IsInt64() {
			want.unscaled = v.Int64()
		}
		if err != nil || got != want {
			t.Fatalf("%de-%d in %d bytes is %v, %v; want %v", v, scale, size, got, err, want)
		}
	})
	s := newScaled(0)
	for _, bad := range [][]byte{nil, {}, make([]byte, maxDecimalBytes+1)} {
		if _, err := s.ofBytes(bad); err == nil {
			t.Errorf("a decimal of %d bytes was read", len(bad))
		}
	}
	most, err := s.ofBytes(append([]byte{0x7F}, slices.Repeat([]byte{0xFF}, maxDecimalBytes-1)...))
	if err != nil || math.IsInf(most.value, 0) {
		t.Errorf("the largest is %v, %v", most, err)
	}
}

// Decimals half-way between two float64 go to the even one, whatever follows in
// the digits.
func TestDecimalTies(t *testing.T) {
	for text, want := range map[string]float64{
		"9007199254740993":                      9007199254740992, // 2^53 + 1
		"9007199254740995":                      9007199254740996, // 2^53 + 3
		"9007199254740993.0000000000000000001":  9007199254740994,
		"-9007199254740993.0000000000000000001": -9007199254740994,
		"9007199254740992.9999999999999999999":  9007199254740992,
	} {
		whole, fraction, _ := strings.Cut(text, ".")
		v, _ := new(big.Int).SetString(whole+fraction, 10)
		s := newScaled(len(fraction))
		if got, err := s.ofBytes(twosComplement(v, 32)); err != nil || got.value != want {
			t.Errorf("%s is %v, %v; want %v", text, got.value, err, want)
		}
	}
}

// A timestamp of 12 bytes is a number of nanoseconds where int64 holds it.
func TestInt96(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day := rapid.OneOf(rapid.Int32(), rapid.Int32Range(julian1970-106760, julian1970+106760)).Draw(t, "day")
		nanos := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, dayNanos-1)).Draw(t, "nanos")
		src := binary.LittleEndian.AppendUint64(nil, uint64(nanos))
		src = binary.LittleEndian.AppendUint32(src, uint32(day))
		exact := new(big.Int).Mul(big.NewInt(int64(day)-julian1970), big.NewInt(dayNanos))
		exact.Add(exact, big.NewInt(nanos))
		want := wide{over: !exact.IsInt64()}
		if !want.over {
			want.unscaled = exact.Int64()
		}
		got := make([]wide, 1)
		if err := (&plainInt96{src}).read(got); err != nil || got[0] != want {
			t.Fatalf("day %d and %d is %v, %v; want %v", day, nanos, got[0], err, want)
		}
	})
	if err := (&plainInt96{make([]byte, 23)}).read(make([]wide, 2)); err == nil {
		t.Error("two of 23 bytes were read")
	}
}

// All 65,536 numbers of half precision, against the bits of a float32 that has
// the same value (IEEE 754-2019, section 3.4).
func TestFloat16(t *testing.T) {
	for u := range 1 << 16 {
		sign, exponent, fraction := uint32(u>>15)<<31, uint32(u>>10&0x1F), uint32(u&0x3FF)
		var bits uint32
		switch {
		case exponent == 0x1F:
			bits = sign | 0xFF<<23 | fraction<<13
		case exponent > 0:
			bits = sign | (exponent+112)<<23 | fraction<<13
		case fraction > 0: // subnormal: shift up to the leading bit
			exponent = 113
			for fraction&0x400 == 0 {
				fraction <<= 1
				exponent--
			}
			bits = sign | exponent<<23 | fraction&0x3FF<<13
		default:
			bits = sign
		}
		got, want := float16(uint16(u)), float64(math.Float32frombits(bits))
		if math.Float64bits(got) != math.Float64bits(want) && (!math.IsNaN(got) || !math.IsNaN(want)) {
			t.Fatalf("%#04x is %v, not %v", u, got, want)
		}
	}
}

// RFC 9562, appendix A.1 has this one.
func TestUUID(t *testing.T) {
	id := []byte{0xC2, 0x32, 0xAB, 0x00, 0x94, 0x14, 0x11, 0xEC, 0xB3, 0xC8, 0x9F, 0x6B, 0xDE, 0xCE, 0xD8, 0x46}
	if got := string(appendUUID([]byte("x"), id)); got != "xc232ab00-9414-11ec-b3c8-9f6bdeced846" {
		t.Errorf("got %s", got)
	}
}

func TestFixed(t *testing.T) {
	c := &Column{Kind: Text, phys: format.FixedLenByteArray, size: 3}
	for e, data := range map[format.Encoding][]byte{format.Plain: []byte("abcdef"), format.ByteStreamSplit: []byte("adbecf")} {
		src, err := newFixed(c, e, data)
		if err != nil {
			t.Fatal(err)
		}
		got := make([][]byte, 1)
		for _, want := range []string{"abc", "def"} {
			if err := src.read(got); err != nil || string(got[0]) != want {
				t.Errorf("%v: %q, %v; want %s", e, got, err, want)
			}
		}
		if err := src.read(got); err == nil {
			t.Errorf("%v: a third was read", e)
		}
	}
	if src, err := newFixed(c, format.ByteStreamSplit, []byte("abcd")); err != nil || src.read(make([][]byte, 1)) == nil {
		t.Error("four bytes in columns of three were read")
	}
	if _, err := newFixed(c, format.DeltaBinaryPacked, nil); err == nil {
		t.Error("texts of packed numbers were read")
	}
	for what, src := range map[string]source[[]byte]{"shorter": &sameLength{&plainTexts{[]byte{2, 0, 0, 0, 'a', 'b'}}, 3}, "longer": &sameLength{&plainTexts{[]byte{4, 0, 0, 0, 'a', 'b', 'c', 'd'}}, 3}} {
		if err := src.read(make([][]byte, 1)); err == nil {
			t.Errorf("a %s value was read", what)
		}
	}
}

func TestNoValues(t *testing.T) {
	if err := (noValues{}).read(nil); err != nil {
		t.Error(err)
	}
	if err := (noValues{}).read(make([]int64, 1)); err == nil {
		t.Error("a value that is always null was read")
	}
}
