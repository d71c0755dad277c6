package cell

import (
	"math"
	"strconv"
	"time"
)

// WrittenTime reads a date, or a time of a date, in text: 2006-01-02, or
// 2006-01-02 15:04[:05[.999999999]] with a blank or a T between and a point or a comma
// before the fraction, and behind either a zone: Z, UTC or GMT, ±01:00, ±0100 or ±01; T
// and Z in small letters too. Without one it is taken for UTC. The time is in seconds since 1970
// and nanoseconds from 0 to 999,999,999, zone is as it is written, and ok reports whether
// the text has that form and names a time that there is.
func WrittenTime(text []byte) (seconds, nanoseconds int64, zone []byte, ok bool) {
	if len(text) < len(time.DateOnly) || text[4] != '-' || text[7] != '-' {
		return 0, 0, nil, false
	}
	year, month, day := digits(text[:4]), digits(text[5:7]), digits(text[8:10])
	clock, rest, ok := clockOf(text[10:])
	offset, okZone := zoneOf(rest)
	if year|month|day < 0 || !ok || !okZone || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) {
		return 0, 0, nil, false
	}
	seconds = daysUntil(year, month, day)*(24*3600) + int64((clock.Truncate(time.Second)-offset)/time.Second)
	return seconds, int64(clock % time.Second), rest, true
}

// monthDays is the number of days of a month.
func monthDays(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysUntil is the number of days from 1970-01-01 to a date, by years that begin in March,
// so that the day that some have more is their last.
func daysUntil(year, month, day int) int64 {
	if month -= 3; month < 0 {
		month, year = month+12, year-1
	}
	year += 400 // none is negative
	return int64(365*year+year/4-year/100+year/400) + int64((153*month+2)/5+day-1) - 719468 - 146097
}

// clockOf is the time of day at the beginning of what follows a date, and what stands
// behind it.
func clockOf(text []byte) (clock time.Duration, rest []byte, ok bool) {
	if len(text) < 6 || text[0] != ' ' && text[0] != 'T' && text[0] != 't' {
		return 0, text, true
	}
	h, m := digits(text[1:3]), digits(text[4:6])
	if h|m < 0 || h > 23 || m > 59 || text[3] != ':' {
		return 0, nil, false
	}
	clock = time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if text = text[6:]; len(text) < 3 || text[0] != ':' {
		return clock, text, true
	}
	s := digits(text[1:3])
	if s < 0 || s > 59 {
		return 0, nil, false
	}
	clock += time.Duration(s) * time.Second
	if text = text[3:]; len(text) < 2 || text[0] != '.' && text[0] != ',' {
		return clock, text, true
	}
	n := 1
	for place := time.Second / 10; n < len(text) && text[n] >= '0' && text[n] <= '9'; n, place = n+1, place/10 {
		clock += time.Duration(text[n]-'0') * place // beyond nanoseconds: 0
	}
	return clock, text[n:], n > 1
}

// zoneOf is how far a zone is before UTC.
func zoneOf(text []byte) (time.Duration, bool) {
	switch string(text) {
	case "", "Z", "z", "UTC", " UTC", "GMT", " GMT":
		return 0, true
	}
	if len(text) != 3 && len(text) != 5 && (len(text) != 6 || text[3] != ':') || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	h, m := digits(text[1:3]), 0
	if len(text) > 3 {
		m = digits(text[len(text)-2:])
	}
	if h|m < 0 || h > 23 || m > 59 {
		return 0, false
	}
	offset := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute
	if text[0] == '-' {
		offset = -offset
	}
	return offset, true
}

// digits is the number that text is in decimal digits; -1 where it is none.
func digits(text []byte) int {
	n := 0
	for _, b := range text {
		if b < '0' || b > '9' {
			return -1
		}
		n = 10*n + int(b-'0')
	}
	return n
}

// SpanBytes is about what the span of an experiment takes in memory, of one column: the
// two numbers of it, and the two texts of the manifest.
const SpanBytes = 16 + 2*(16+32)

// Span is the smallest and the largest time of each experiment in one column. Unit has the
// nanoseconds of one unit of its numbers, which count from 1970.
type Span struct {
	Unit  int64
	Other bool // a text that is no time, or lies beyond 64 bits in nanoseconds

	ends [][2]int64 // by experiment; the first above the second where there is none
}

// Add takes the number of a row of an experiment.
func (s *Span) Add(experiment int32, v int64) {
	for int(experiment) >= len(s.ends) {
		s.ends = append(s.ends, [2]int64{math.MaxInt64, math.MinInt64})
	}
	e := &s.ends[experiment]
	e[0], e[1] = min(e[0], v), max(e[1], v)
}

// AddText takes the text of a row of an experiment; Unit is 1.
func (s *Span) AddText(experiment int32, text []byte) {
	seconds, nanoseconds, _, ok := WrittenTime(text)
	if most := int64(math.MaxInt64/1_000_000_000 - 1); !ok || seconds > most || seconds < -most {
		s.Other, s.ends = true, nil
		return
	}
	s.Add(experiment, seconds*1_000_000_000+nanoseconds)
}

// Ends are the first and the last time of an experiment in UTC, by RFC 3339 with as many
// decimals as it takes; "" where there are none, or the years do not have four digits.
func (s *Span) Ends(experiment int) (first, last string) {
	if s.Other || experiment >= len(s.ends) || s.ends[experiment][0] > s.ends[experiment][1] {
		return "", ""
	}
	first, last = s.written(s.ends[experiment][0]), s.written(s.ends[experiment][1])
	if first == "" || last == "" {
		return "", ""
	}
	return first, last
}

// written is a number of the column as a time; "" beyond the years 0 to 9999.
func (s *Span) written(v int64) string {
	const second, farthest = int64(time.Second), 1 << 39 // seconds of 17,000 years
	var at time.Time
	switch {
	case s.Unit < second:
		at = time.Unix(v/(second/s.Unit), v%(second/s.Unit)*s.Unit)
	case v > farthest || v < -farthest:
		return ""
	default:
		at = time.Unix(v*(s.Unit/second), 0)
	}
	text := at.UTC().Format(time.RFC3339Nano)
	if _, err := strconv.Atoi(text[:4]); err != nil || text[4] != '-' {
		return ""
	}
	return text
}
