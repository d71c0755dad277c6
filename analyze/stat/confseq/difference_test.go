package confseq_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/confseq"
)

// TestDifferenceSequence: the interval is as wide as those of the two arms
// together, and its p is the level at which it ends at the value.
func TestDifferenceSequence(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := confseq.Both{
			N:    [2]int64{rapid.Int64Range(1, 1e6).Draw(r, "n"), rapid.Int64Range(1, 1e6).Draw(r, "m")},
			Mean: [2]float64{rapid.Float64Range(-1, 3).Draw(r, "mean"), rapid.Float64Range(-1, 3).Draw(r, "other")},
		}
		s := confseq.Sequence{Lo: -1, Hi: 3, K: rapid.IntRange(2, 50).Draw(r, "k"), LogAlpha: -rapid.Float64Range(0, 800).Draw(r, "level")}
		lo, hi := confseq.DifferenceSequence(b, s)
		lo1, hi1 := confseq.ConfidenceSequence(b.N[0], b.Mean[0], s)
		lo2, hi2 := confseq.ConfidenceSequence(b.N[1], b.Mean[1], s)
		if d := (hi - lo) - (hi1 - lo1) - (hi2 - lo2); math.Abs(d) > 1e-9*(hi-lo) {
			r.Fatalf("width %v, those of the arms %v and %v", hi-lo, hi1-lo1, hi2-lo2)
		}
		if d := (lo + hi) / 2; math.Abs(d-(b.Mean[0]-b.Mean[1])) > 1e-9*(1+hi-lo) {
			r.Fatalf("middle %v", d)
		}
		logP := confseq.DifferenceSequenceP(b, 0, s)
		if logP == 0 {
			return
		}
		s.LogAlpha = logP
		lo, hi = confseq.DifferenceSequence(b, s)
		if end := min(math.Abs(lo), math.Abs(hi)); logP > 0 || end > 1e-9*(hi-lo) {
			r.Fatalf("ln p %v: the interval at that level is [%v, %v]", logP, lo, hi)
		}
	})
}

// TestDifferenceSequenceSpecial goes through the special cases.
func TestDifferenceSequenceSpecial(t *testing.T) {
	s := confseq.Sequence{Lo: 0, Hi: 1, K: 2, LogAlpha: -3}
	none := confseq.Both{N: [2]int64{0, 5}, Mean: [2]float64{math.NaN(), .5}}
	if lo, hi := confseq.DifferenceSequence(none, s); !math.IsInf(lo, -1) || !math.IsInf(hi, 1) || confseq.DifferenceSequenceP(none, 0, s) != 0 {
		t.Errorf("without rows: [%v, %v]", lo, hi)
	}
	some := confseq.Both{N: [2]int64{5, 5}, Mean: [2]float64{.5, .5}}
	for _, bad := range []confseq.Sequence{{Lo: 1, Hi: 1, K: 2, LogAlpha: -3}, {Lo: 0, Hi: 1, LogAlpha: -3}} {
		if lo, hi := confseq.DifferenceSequence(some, bad); !math.IsNaN(lo) || !math.IsNaN(hi) || !math.IsNaN(confseq.DifferenceSequenceP(some, 0, bad)) {
			t.Errorf("%+v: [%v, %v]", bad, lo, hi)
		}
	}
	if lo, hi := confseq.DifferenceSequence(some, confseq.Sequence{Lo: 0, Hi: 1, K: 2, LogAlpha: 1}); !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Errorf("a level above 1: [%v, %v]", lo, hi)
	}
	if p := confseq.DifferenceSequenceP(some, math.NaN(), s); !math.IsNaN(p) {
		t.Errorf("a NaN value: %v", p)
	}
}
