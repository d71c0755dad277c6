package extsort

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errKey is returned for bytes that are not what an encoder wrote.
var errKey = errors.New("extsort: not a key that was encoded so")

// AppendInt64 appends v as eight bytes, the highest first and the sign turned,
// which compare as the numbers do.
func AppendInt64(dst []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(v)^(1<<63)) //nolint:gosec // the bits
}

// How a text ends, and how a zero byte in it is written. Both begin with a zero,
// so that the end of a text comes before anything that could follow there.
const (
	textEnd  = 0x01
	textZero = 0xff
)

// AppendText appends text so that the bytes compare as the texts do, bytewise,
// whatever follows: every zero byte is followed by 0xff, and the text ends with
// 0x00 0x01.
func AppendText(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, 0)
		if i < 0 {
			break
		}
		dst = append(dst, text[:i+1]...)
		dst = append(dst, textZero)
		text = text[i+1:]
	}
	dst = append(dst, text...)
	return append(dst, 0, textEnd)
}

// AppendUint appends v as width bytes, the highest first. Values of 2^(8·width)
// and more do not fit. Width is 0 to 8.
func AppendUint(dst []byte, v uint64, width int) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], v)
	return append(dst, b[8-width:]...)
}

// Uint reads what AppendUint wrote and returns the bytes after it.
func Uint(key []byte, width int) (v uint64, rest []byte, err error) {
	if len(key) < width || width > 8 {
		return 0, nil, errKey
	}
	for _, b := range key[:width] {
		v = v<<8 | uint64(b)
	}
	return v, key[width:], nil
}

// Width is the number of bytes that AppendUint needs for values up to v.
func Width(v uint64) int {
	n := 0
	for ; v > 0; v >>= 8 {
		n++
	}
	return n
}
