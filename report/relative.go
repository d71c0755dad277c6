package report

import (
	"math"
	"strconv"

	"banditaudit/schemas"
)

// inPart is the interval of a difference as parts of what the second arm pays: for a
// difference in [l, u] and a mean in [c, d] with c > 0 the quotients lie in
//
//	[min(l/c, l/d), max(u/c, u/d)]
//
// Both intervals hold together with a chance of at least 1 − α − α/K, for the mean's is
// that of K arms together. ok is false where the test is no difference, no interval
// goes with its decision, or the mean is not known to lie above 0.
func (s *study) inPart(t *schemas.Test) (lo, hi float64, ok bool) {
	_, r := method(t, t.DecidedBy)
	if t.Kind != schemas.TestDifference || r == nil || r.CI == nil {
		return 0, 0, false
	}
	for i := range s.x.Arms {
		of := s.x.Arms[i].ConfidenceSequence
		if s.x.Arms[i].Label != t.Against || of == nil || !(of[0] > 0) {
			continue
		}
		lo, hi = min(r.CI[0]/of[0], r.CI[0]/of[1]), max(r.CI[1]/of[0], r.CI[1]/of[1])
		return lo, hi, !math.IsInf(lo, 0) && !math.IsInf(hi, 0)
	}
	return 0, 0, false
}

// inPerCent writes the parts below an interval; "" where there are none.
func (s *study) inPerCent(t *schemas.Test) string {
	lo, hi, ok := s.inPart(t)
	if !ok {
		return ""
	}
	return perCent(lo) + " to " + perCent(hi) + " % of " + label(t.Against)
}

// perCent is a part as per cent, with its sign.
func perCent(part float64) string {
	if part > 0 {
		return "+" + short(100*part)
	}
	return short(100 * part)
}

// relativeNote says below the tests what per cent are of; "" where none stand there.
func (s *study) relativeNote() string {
	for i := range min(len(s.x.Tests), maxTests) {
		if s.inPerCent(&s.x.Tests[i]) != "" {
			chance := 1 - s.protocol.Analysis.Alpha*(1+1/float64(len(s.x.Arms)))
			return "Per cent of an arm are of its own mean over its rounds: the interval of the difference, divided by the interval of that arm for all arms together, where that lies above 0. Both hold together with a chance of at least " + strconv.FormatFloat(math.Floor(1000*chance)/1000, 'g', 3, 64) + "."
		}
	}
	return ""
}
