package pages

import (
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/parquet-go/parquet-go/format"
)

// newFixed returns the values of a page of byte arrays of one length.
func newFixed(c *Column, e format.Encoding, data []byte) (source[[]byte], error) {
	switch e {
	case format.Plain:
		return &plainFixed{data, c.size}, nil
	case format.DeltaByteArray:
		src, err := newDeltaTexts(data)
		return &sameLength{src, c.size}, err
	case format.ByteStreamSplit:
		return &splitFixed{src: data, size: c.size}, nil
	default:
		return nil, unknownEncoding(e, c)
	}
}

type plainFixed struct {
	src  []byte
	size int
}

func (p *plainFixed) read(dst [][]byte) error {
	if len(p.src)/p.size < len(dst) {
		return errValues
	}
	for i := range dst {
		dst[i], p.src = p.src[:p.size:p.size], p.src[p.size:]
	}
	return nil
}

// sameLength wants every text to have one length.
type sameLength struct {
	src  source[[]byte]
	size int
}

func (s *sameLength) read(dst [][]byte) error {
	if err := s.src.read(dst); err != nil {
		return err
	}
	for _, text := range dst {
		if len(text) != s.size {
			return damaged("a value of %d bytes in a column of %d each", len(text), s.size)
		}
	}
	return nil
}

// splitFixed reads BYTE_STREAM_SPLIT: first every value's first byte, then
// every value's second, and so on. It takes no more memory than the page.
type splitFixed struct {
	src  []byte
	size int
	at   int
	buf  []byte
}

func (s *splitFixed) read(dst [][]byte) error {
	n := len(s.src) / s.size
	if len(s.src)%s.size != 0 || len(dst) > n-s.at {
		return errValues
	}
	s.buf = resize(s.buf, len(dst)*s.size)
	for b := range s.size {
		for i, v := range s.src[b*n+s.at : b*n+s.at+len(dst)] {
			s.buf[i*s.size+b] = v
		}
	}
	for i := range dst {
		dst[i] = s.buf[i*s.size : (i+1)*s.size : (i+1)*s.size]
	}
	s.at += len(dst)
	return nil
}

// float16s are numbers of half precision.
type float16s struct{ src source[[]byte] }

func newFloat16s(c *Column, e format.Encoding, data []byte) (source[float64], error) {
	src, err := newFixed(c, e, data)
	return &float16s{src}, err
}

func (f *float16s) read(dst []float64) error {
	var buf [256][]byte
	for chunk := range slices.Chunk(dst, textStep(f.src, len(buf))) {
		texts := buf[:len(chunk)]
		if err := f.src.read(texts); err != nil {
			return err
		}
		for i, b := range texts {
			chunk[i] = float16(binary.LittleEndian.Uint16(b))
		}
	}
	return nil
}

const (
	uuidBytes = 16
	uuidText  = 36
)

// appendUUID appends 16 bytes in the canonical form of RFC 9562: 36 characters,
// lower case.
func appendUUID(dst, id []byte) []byte {
	for i, group := range [][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, group)
	}
	return dst
}
