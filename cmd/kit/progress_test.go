package kit

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestProgress draws on a terminal after two seconds, not more often than five
// times a second, and leaves nothing on the line.
func TestProgress(t *testing.T) {
	now := time.Unix(0, 0)
	var errs bytes.Buffer
	p := &Process{Stderr: &errs, Now: func() time.Time { return now }}
	bar := (&Settings{Process: p, progress: true}).NewProgress("ingest")
	step := func(d time.Duration, done, total int64) string {
		errs.Reset()
		now = now.Add(d)
		bar.Update(done, total)
		return errs.String()
	}
	if got := step(1900*time.Millisecond, 19, 200); got != "" {
		t.Errorf("before two seconds: %q", got)
	}
	if got := step(100*time.Millisecond, 0, 200); got != "" {
		t.Errorf("nothing is done: %q", got)
	}
	if got := step(0, 20, 200); got != "\r\x1b[Kingest: 20 of 200 rows (10 %), 10 rows/s, 18s left" {
		t.Errorf("at two seconds: %q", got)
	}
	if got := step(100*time.Millisecond, 30, 200); got != "" {
		t.Errorf("too often: %q", got)
	}
	if got := step(7900*time.Millisecond, 2_000_000, 4_000_000); !strings.Contains(got, "2.0 M of 4.0 M rows (50 %), 200 k rows/s, 10s left") {
		t.Errorf("at ten seconds: %q", got)
	}
	if got := step(time.Second, 5, 4); !strings.Contains(got, "(100 %)") || !strings.Contains(got, "0s left") {
		t.Errorf("more than all: %q", got)
	}
	errs.Reset()
	bar.End()
	if errs.String() != "\r\x1b[K" {
		t.Errorf("at the end: %q", errs.String())
	}
	again := (&Settings{Process: p, progress: true}).NewProgress("again")
	again.Unit = "rounds"
	for range 2 { // the second time as the first
		now = now.Add(time.Hour)
		errs.Reset()
		again.Again(0, 400)
		now = now.Add(2 * time.Second)
		again.Again(100, 400)
		again.Again(400, 400)
		if got := errs.String(); got != "\r\x1b[Kagain: 100 of 400 rounds (25 %), 50 rounds/s, 6s left\r\x1b[K" {
			t.Errorf("again: %q", got)
		}
	}
	reading := (&Settings{Process: p, progress: true}).NewProgress("analyze")
	now = now.Add(2 * time.Second)
	errs.Reset()
	reading.Count(100)
	now = now.Add(time.Second)
	reading.Count(200) // of nobody knows how many
	if got := errs.String(); got != "\r\x1b[Kanalyze: 100 rows read, 50 rows/s, 2s\r\x1b[Kanalyze: 300 rows read, 100 rows/s, 3s" {
		t.Errorf("without a total: %q", got)
	}
	errs.Reset()
	off := (&Settings{Process: p}).NewProgress("ingest")
	now = now.Add(time.Hour)
	off.Update(1, 2)
	off.End()
	if errs.Len() > 0 {
		t.Errorf("without a terminal: %q", errs.String())
	}
}

func TestShortNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 7: "7", 999: "999", 9999: "9999", 10_000: "10.0 k", 123_456: "123 k", 1_234_567: "1.2 M", 25_000_000: "25.0 M", 123_456_789: "123 M", 2.5e9: "2.5 G"} {
		if got := shortNumber(v); got != want {
			t.Errorf("%g: %s", v, got)
		}
	}
}
