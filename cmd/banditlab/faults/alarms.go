package faults

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/schemas"
)

// Tally counts what one test says of clean logs.
type Tally struct {
	Mechanism string
	Evidence  Evidence
	Test      string
	Level     float64 // of the test; 0 where it decides by recomputing
	Logs      int     // on which it said anything
	Alarms    int     // rejections, failures, mismatches
	Small     int     // p ≤ 0.05; −1 where the test has no p
}

// verdict is what one test says of one log.
type verdict struct {
	test  string
	level float64
	alarm bool
	p     *float64
}

// Clean audits logs of a declared bandit that did what is declared, under all
// evidence, and counts what each test says. Runs are numbered from first.
func Clean(m Mechanism, rounds, first int64, logs int) ([]Tally, error) {
	runs, err := mechanisms.Each(logs, func(i int) (map[Evidence][]verdict, error) {
		return cleanRun(m, rounds, first+int64(i))
	})
	if err != nil {
		return nil, err
	}
	var out []Tally
	for _, e := range Evidences() {
		from := len(out)
		for _, run := range runs {
			for _, v := range run[e] {
				i := slices.IndexFunc(out[from:], func(t Tally) bool { return t.Test == v.test })
				if i < 0 {
					i = len(out) - from
					out = append(out, Tally{Mechanism: m.Name, Evidence: e, Test: v.test, Level: v.level})
				}
				out[from+i].add(v)
			}
		}
	}
	return out, nil
}

func (t *Tally) add(v verdict) {
	t.Logs++
	if v.alarm {
		t.Alarms++
	}
	if v.p == nil {
		t.Small = -1
	} else if t.Small >= 0 && *v.p <= smallP {
		t.Small++
	}
}

// smallP is where p are looked at besides the level of their test, which is too
// small for logs that can be counted to reach it.
const smallP = 0.05

func cleanRun(m Mechanism, rounds, run int64) (out map[Evidence][]verdict, err error) {
	l, _, err := play(m, nil, run, rounds)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.remove()) }()
	out = map[Evidence][]verdict{}
	for _, e := range Evidences() {
		if !m.Has(e) {
			continue
		}
		found, err := l.audit(e)
		if err != nil {
			return nil, err
		}
		out[e] = verdicts(found)
	}
	return out, nil
}

// verdicts lists what the tests of conformance say.
func verdicts(o *aggregate.Outcome) []verdict {
	var out []verdict
	e := &o.Experiment
	for i := range o.Claims {
		if f := &o.Claims[i]; judged(f) {
			out = append(out, verdict{test: "claim " + f.Kind, alarm: f.Verdict == schemas.Violated})
		}
	}
	if r := &e.Replay; r.Replayable > 0 && (r.Released == nil || r.Released.Actions == "exact") && r.Mode != schemas.ModePropensity {
		out = append(out, verdict{test: "actions", alarm: r.Matched < r.Replayable})
	}
	out = append(out, ofReleased(e.Replay.Released)...)
	if p := e.Replay.Propensities; p != nil {
		out = append(out, verdict{test: "propensities", alarm: p.Matched < p.Rounds})
	}
	for _, c := range e.Data.Checks {
		if slices.Contains([]string{"H05", "H10", "H14", "H17"}, c.ID) && (c.Status == schemas.CheckPass || c.Status == schemas.CheckFail) {
			out = append(out, verdict{test: c.ID + ", " + strings.ToLower(c.Title[:1]) + c.Title[1:], alarm: c.Status == schemas.CheckFail, p: c.P})
		}
	}
	fits := func(h schemas.Hypothesis) bool { return h.Fits }
	return append(out, verdict{test: "an explanation of a mismatch fits", alarm: slices.ContainsFunc(hypotheses(e), fits)})
}

// judged reports whether a claim about conformance could have been violated.
func judged(f *schemas.Finding) bool {
	switch f.Kind {
	case schemas.KindConformance, schemas.KindPrivacyNoise, schemas.KindAllocation:
		return f.Verdict == schemas.Verified || f.Verdict == schemas.Consistent || f.Verdict == schemas.Violated
	}
	return false
}

// ofReleased are the tests of released values.
func ofReleased(r *schemas.ReleasedReplay) []verdict {
	if r == nil {
		return nil
	}
	out := []verdict{{test: "value changed without a release", alarm: r.Changed > 0}}
	if a := r.Allocation; a != nil {
		out = append(out, verdict{test: "wager on every arm", level: a.Level, alarm: a.Rejected, p: &a.P})
	}
	if r.Noise == nil {
		return out
	}
	for _, t := range r.Noise.Tests {
		if t.P != nil {
			out = append(out, verdict{test: "noise: " + t.Name, level: t.Level, alarm: t.Rejected, p: t.P})
		}
	}
	return out
}

// Rate writes k of n as the page does, with the interval of [hypothesis.Share].
func Rate(k, n int) string {
	_, lo, hi := hypothesis.Share(int64(k), int64(n))
	return fmt.Sprintf("%d of %d (%s to %s)", k, n, percent(lo), percent(hi))
}

// percent has two digits, and more where these would be 100%.
func percent(p float64) string {
	const roundsUp = .995
	if p >= roundsUp {
		return fmt.Sprintf("%.4g%%", 100*p)
	}
	return fmt.Sprintf("%.2g%%", 100*p)
}
