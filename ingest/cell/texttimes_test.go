package cell

import (
	"bytes"
	"cmp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// writings are ways in which programs write times, as layouts of package time.
var writings = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05.000Z07:00", "2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999-07:00",
	"2006-01-02 15:04:05.000000-0700", "2006-01-02 15:04:05-07", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05 UTC", "2006-01-02t15:04:05,000z",
}

// Times compare in the order of time, whatever they are written as: byte by byte where
// Look finds one writing, and as instants where it finds several.
func TestTextTimes(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		layouts := rapid.SliceOfNDistinct(rapid.SampledFrom(writings), 1, 3, rapid.ID).Draw(r, "layouts")
		zones := rapid.SliceOfNDistinct(rapid.SampledFrom([]int{0, 5 * 60, -4 * 60, 5*60 + 30}), 1, 2, rapid.ID).Draw(r, "zones")
		var texts [][]byte
		var at []int64
		for range rapid.IntRange(1, 12).Draw(r, "times") {
			moment := time.Unix(1_774_742_400+rapid.Int64Range(0, 40_000).Draw(r, "second"), rapid.SampledFrom([]int64{0, 0, 500_000_000, 123_456_000}).Draw(r, "nanosecond"))
			layout := rapid.SampledFrom(layouts).Draw(r, "layout")
			zone := rapid.SampledFrom(zones).Draw(r, "zone")
			if strings.HasSuffix(layout, "UTC") || strings.HasSuffix(layout, "z") || strings.HasSuffix(layout, "-07") && zone%60 != 0 {
				zone = 0
			}
			texts = append(texts, []byte(moment.In(time.FixedZone("", zone*60)).Format(layout)))
			seconds, nanoseconds, _, _ := WrittenTime(texts[len(texts)-1])
			at = append(at, seconds*1_000_000_000+nanoseconds)
		}
		var look TextTimes
		if several := look.Look(texts, nil); several {
			for i := range texts {
				instant, zoned, ok := AppendInstant(nil, texts[i])
				if !ok || !zoned || len(instant) != InstantBytes {
					r.Fatalf("%q: %v, %v", texts[i], zoned, ok)
				}
				texts[i] = instant
			}
		}
		for i := range texts {
			for j := range texts {
				if got, want := bytes.Compare(texts[i], texts[j]), cmp.Compare(at[i], at[j]); got != want {
					r.Fatalf("%q and %q compare as %d, not %d", texts[i], texts[j], got, want)
				}
			}
		}
	})
}

// Texts that are no times, and places of text keys, change nothing; times that differ in
// their writing are several, with the zone of the first.
func TestTextTimesLook(t *testing.T) {
	for _, c := range []struct {
		texts          string // between bars
		several, zoned bool
	}{
		{"a|b|10|9", false, false},
		{"2026-03-29|2026-03-30", false, false},
		{"week 1|2026-03-29 00:00:00|2026-03-30 00:00:00", false, false},
		{"2026-03-29 00:00:00+00:00|2026-03-29 00:10:00+05:00", true, true},
		{"2026-03-29 00:00:00+00:00|x|2026-03-29 00:10:00Z", true, true},
		{"2026-03-29 00:00:00|2026-03-29T00:10:00", true, false},
		{"2026-03-29 00:00:00|2026-03-29 00:10:00.5", true, false},
		{"2026-03-29|2026-03-29 00:10", true, false},
		{"2026-03-29 00:00:00 CET|2026-03-29 00:10:00 CEST", true, true},
		{"2026-03-29 00:00:00 CET|2026-03-29 00:10:00 CET", false, true},
		{"2026-03-29T00:00+01:00[Europe/Paris]|2026-03-29T00:10+00:00[UTC]", true, true},
		{"2026-03-29T00:00+01:00[Europe/Paris]|2026-03-29T00:10+02:00[Europe/Paris]", true, true},
		{"2026-03-29 00:00:00-user7|2026-03-29 00:10:00-user12", false, false},
		{"2026-03-29_7|2026-03-29_12", false, false},
		{"20260329T000000+0000|20260329T001000+0500", true, true},
		{"20260329T000000+0100|20260329T001000+0100", false, true},
		{"Sun, 29 Mar 2026 00:00:00 +0000|Mon, 30 Mar 2026 00:00:00 +0500", true, true},
		{"03/29/2026 00:00 +00:00|03/29/2026 00:10 +05:00", true, true},
		{" 2026-03-29 00:00:00+00:00|2026-03-29 00:10:00+05:00", true, true},
		{"2026-03-29 00:00:00+25:00|2026-03-29 00:10:00+05:00", true, true},
		{"20260329-1234|2026032900-12345", false, false}, // names, and no times
		{"run 7:5-1200|run 17:15-12000", false, false},
	} {
		var look TextTimes
		var texts [][]byte
		for text := range strings.SplitSeq(c.texts, "|") {
			texts = append(texts, []byte(text))
		}
		if got := look.Look(texts, nil); got != c.several || look.Zoned != c.zoned {
			t.Errorf("%s: several %v, zoned %v", c.texts, got, look.Zoned)
		}
	}
}
