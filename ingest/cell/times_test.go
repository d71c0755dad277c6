package cell

import (
	"testing"
	"time"
)

// Texts are times by ISO 8601 alone, and what there is no time of is none.
func TestWrittenTime(t *testing.T) {
	for text, want := range map[string]string{
		"2019-11-24":                           "2019-11-24T00:00:00Z",
		"2019-11-24Z":                          "2019-11-24T00:00:00Z",
		"2019-11-24 10:05":                     "2019-11-24T10:05:00Z",
		"2019-11-24T10:05:06":                  "2019-11-24T10:05:06Z",
		"2019-11-24 10:05:06.5+01:30":          "2019-11-24T08:35:06.5Z",
		"2019-11-24T10:05:06.123456789123Z":    "2019-11-24T10:05:06.123456789Z",
		"2019-12-31 23:59:59-0100":             "2020-01-01T00:59:59Z",
		"2020-02-29":                           "2020-02-29T00:00:00Z",
		"2019-02-29":                           "",
		"2019-11-24 24:00":                     "",
		"2019-11-24 10:60":                     "",
		"2019-11-24 10:05:61":                  "",
		"2019-11-24 10:05:06.":                 "",
		"2019-11-24 10":                        "",
		"2019-11-24 10:05:06 UTC":              "2019-11-24T10:05:06Z",
		"2019-11-24 UTC":                       "2019-11-24T00:00:00Z",
		"2019-11-24 10:05:06+05":               "2019-11-24T05:05:06Z",
		"2019-11-24t10:05:06,25z":              "2019-11-24T10:05:06.25Z",
		"2019-11-24 10:05:06 CET":              "",
		"2019-11-24 10:05:06+5:00":             "",
		"2019-11-24 10:05+1":                   "",
		"2019-1-24":                            "",
		"11/24/2019":                           "",
		"2019-11-24T10:05:06+25:00":            "",
		"20191124":                             "",
		"":                                     "",
		"2019-00-10":                           "",
		"+019-11-24":                           "",
		"2019-11-24 10:05:06.123456789x+01:00": "",
	} {
		seconds, nanoseconds, _, ok := WrittenTime([]byte(text))
		if got := time.Unix(seconds, nanoseconds).UTC().Format(time.RFC3339Nano); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %s, %v; want %q", text, got, ok, want)
		}
	}
}

func FuzzWrittenTime(f *testing.F) {
	f.Add("2019-11-24T10:05:06.5+01:00")
	f.Add("2019-11-24 Z")
	f.Fuzz(func(t *testing.T, text string) {
		seconds, nanoseconds, zone, ok := WrittenTime([]byte(text))
		if !ok {
			return
		}
		at := time.Unix(seconds, nanoseconds).UTC()
		again, more, _, ok := WrittenTime([]byte(at.Format("2006-01-02T15:04:05.999999999Z")))
		if at.Year() >= 0 && at.Year() < 10000 && (!ok || again != seconds || more != nanoseconds) || len(zone) > 6 {
			t.Errorf("%q: %v, read again as %d, %d", text, at, again, more)
		}
	})
}

// Every day of 800 years, and of the first and the last of four digits, is that of the
// standard library.
func TestDaysUntil(t *testing.T) {
	for _, from := range []int{0, 1600, 9900} {
		at := time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC)
		for ; at.Year() < min(from+800, 10000); at = at.AddDate(0, 0, 1) {
			seconds, _, _, ok := WrittenTime([]byte(at.Format(time.DateOnly)))
			if !ok || seconds != at.Unix() {
				t.Fatalf("%s is %d, %v", at, seconds, ok)
			}
		}
	}
}

// Ends are those of each experiment, in any unit, and none where years have no four
// digits.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		unit        int64
		numbers     []int64
		first, last string
	}{
		{1, []int64{5, -1, 3}, "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00.000000005Z"},
		{1e6, []int64{-1500, 1500}, "1969-12-31T23:59:58.5Z", "1970-01-01T00:00:01.5Z"},
		{86400e9, []int64{18000}, "2019-04-14T00:00:00Z", "2019-04-14T00:00:00Z"},
		{86400e9, []int64{18000, 1 << 40}, "", ""},
		{1e6, []int64{0, 1 << 62}, "", ""},
		{1e3, nil, "", ""},
	} {
		s := Span{Unit: c.unit}
		for _, v := range c.numbers {
			s.Add(2, v)
		}
		if first, last := s.Ends(2); first != c.first || last != c.last {
			t.Errorf("%d × %v: %q to %q", c.unit, c.numbers, first, last)
		}
		if first, last := s.Ends(1); first != "" || last != "" {
			t.Errorf("an experiment without rows: %q to %q", first, last)
		}
	}
	for text, other := range map[string]bool{"2019-11-24": false, "soon": true, "1066-10-14": true} {
		s := Span{Unit: 1}
		s.AddText(0, []byte("2020-01-01"))
		if s.AddText(0, []byte(text)); s.Other != other {
			t.Errorf("%q: other %v", text, s.Other)
		}
	}
}
