package cell

import (
	"bytes"
	"encoding/binary"
	"regexp"
)

// TextTimes finds out whether texts that are compared with each other are times in
// several writings: with different zones or separators, or more digits in one than in
// another. Times in one writing are in their order byte by byte; others are not, as
// "00:10+05:00" is before "00:00Z". Texts that are no times change nothing.
type TextTimes struct {
	Several bool // writings: the texts compare as instants
	Zoned   bool // the first time has a zone

	first []byte // time
	zone  int    // bytes of its zone
}

// Look looks at the values of a block that are not null, and reports whether the times
// so far are in several writings.
func (t *TextTimes) Look(texts [][]byte, null []bool) bool {
	for i, text := range texts {
		if t.Several {
			break
		}
		if i < len(null) && null[i] || t.alike(text) {
			continue
		}
		zone, ok := timeLike(text)
		switch {
		case !ok:
		case t.first == nil:
			t.first, t.zone, t.Zoned = bytes.Clone(text), len(zone), len(zone) > 0
		default:
			t.Several = true
		}
	}
	return t.Several
}

// alike reports whether a text has digits where the first time has some, the same zone,
// and is otherwise the same.
func (t *TextTimes) alike(text []byte) bool {
	if t.first == nil || len(text) != len(t.first) {
		return false
	}
	body := len(text) - t.zone
	for i, c := range text[:body] {
		if c != t.first[i] && (!isDigit(c) || !isDigit(t.first[i])) {
			return false
		}
	}
	return bytes.Equal(text[body:], t.first[body:])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// namedZone is a zone by its name, or behind an offset, at the end of a text.
var namedZone = regexp.MustCompile(`(?: ?[A-Z]{2,5}| ?[A-Za-z_]+(?:/[A-Za-z_+\-0-9]+)+|\[[A-Za-z_/+\-0-9:]+\])$`)

// clockZone is a time of day with an offset at the end of a text that is no time of
// WrittenTime: 20060102T150405+0100, Mon, 02 Jan 2006 15:04:05 +0100.
var clockZone = regexp.MustCompile(`(?:T\d{6}|\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)? ?([+-]\d{2}:?\d{2})$`)

// timeLike reports whether a text is a time of WrittenTime, or would be one without the
// name of its zone, or is another one with an offset.
func timeLike(text []byte) (zone []byte, ok bool) {
	if zone, ok = dateLike(text); ok {
		return zone, true
	}
	if m := clockZone.FindSubmatch(text); m != nil {
		return m[1], true
	}
	return nil, false
}

// dateLike is timeLike of texts that begin as 2006-01-02 does.
func dateLike(text []byte) (zone []byte, ok bool) {
	if len(text) < len("2006-01-02") || text[4] != '-' || text[7] != '-' {
		return nil, false
	}
	if _, _, zone, ok = WrittenTime(text); ok {
		return zone, true
	}
	const clock = len("2006-01-02 15:04")
	if len(text) <= clock {
		return nil, false
	}
	at := namedZone.FindIndex(text[clock:])
	if at == nil {
		return nil, false
	}
	body := text[:clock+at[0]]
	if _, _, zone, ok = WrittenTime(body); !ok {
		return nil, false
	}
	return text[len(body)-len(zone):], true
}

// InstantBytes is the size of an instant.
const InstantBytes = 12

// AppendInstant appends the time that a text is as InstantBytes bytes, which compare
// as the instants do. zoned reports whether a zone is written; where ok is false the
// text is no time of WrittenTime, and dst is as it was.
func AppendInstant(dst, text []byte) (out []byte, zoned, ok bool) {
	seconds, nanoseconds, zone, ok := WrittenTime(text)
	if !ok {
		return dst, false, false
	}
	dst = binary.BigEndian.AppendUint64(dst, uint64(seconds)^1<<63)                     //nolint:gosec // the bits
	return binary.BigEndian.AppendUint32(dst, uint32(nanoseconds)), len(zone) > 0, true //nolint:gosec // below 10⁹
}
