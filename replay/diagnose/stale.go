package diagnose

import (
	"math"
	"slices"
)

// stale weighs propensities of another moment than the moment of the choice: of the update
// before, of the update after, and of the round before. Whoever logs the propensities of
// the update before may also have chosen by them: then the policy learns an update late,
// and the actions can tell. That is another cadence.
//
// Of actions it says that they follow what was logged of another update.
func stale() Cause {
	return Cause{Name: staleName, Replay: staleReplay, Actions: staleActions}
}

const staleName = "stale"

// leastChance stands for a propensity of 0 in a logarithm.
const leastChance = 1e-12

// telling is the gain, in either direction, from which on the actions decide: a
// likelihood ratio of 1000.
const telling = 6.907755278982137

func staleReplay(r *Replay) Trial {
	var before, after tally
	gain := 0.0 // Σ ln of the late policy's propensity of the logged arm, less the declared policy's
	late := r.scheduled(r.declaredSchedule(), 0)
	t := Trial{
		Before: func(o *Row, want []float64) { before.add(&r.Tolerance, o, want) },
		After:  func(o *Row, want []float64) { after.add(&r.Tolerance, o, want) },
	}
	if late != nil {
		late.Late = true
		take := late.take
		late.take = func(o *Row, want []float64) {
			take(o, want)
			gain += math.Log(max(leastChance, want[o.Arm])) - math.Log(max(leastChance, o.Want[o.Arm]))
		}
		t.Runs = []*Run{late}
	}
	t.Leans = func() []AlternativeFit {
		var out []AlternativeFit
		if late != nil {
			out = late.tally.leans("the propensities before the last update", "")
		}
		return append(out, before.leans("the propensities of the round before", "")...)
	}
	t.Say = func() ([]Explanation, error) {
		var out []Explanation
		add := func(t *tally, name, words string) { out = append(out, r.Tolerance.says(t, name, words, "")) }
		if late != nil && late.Runner.Err() == nil {
			switch {
			case gain >= telling:
				add(&late.tally, cadenceName, "the policy learns one update late, and the actions follow it")
			case gain <= -telling:
				add(&late.tally, staleName, "the propensities are those before the last update, and the actions are not drawn with them")
			default:
				add(&late.tally, staleName, "the propensities are those before the last update; whether the policy learned an update late as well, the actions do not tell")
			}
		}
		if after.rows > 0 {
			add(&after, staleName, "the propensities are those after the next update, and not those of the choice")
		}
		if before.rows > 0 {
			add(&before, staleName, "the propensities are those of the round before")
		}
		return out, nil
	}
	return t
}

func staleActions(a *Actions) []Explanation {
	if !a.ByArm {
		return nil
	}
	return []Explanation{
		a.tries(staleName, "actions follow the propensities logged one update earlier", updateBefore),
		a.tries(staleName, "the logged propensities are out of date: actions follow those logged after the next update", updateAfter(a.Rounds)),
	}
}

// updateBefore is the law of the propensities that were logged before the last update.
// It remembers the rounds before, and is made anew for every walk over them.
func updateBefore() Law {
	var now, before []float64
	return func(_ *Row, from, dst []float64) {
		switch {
		case now == nil:
			now, before = slices.Clone(from), slices.Clone(from)
		case !slices.Equal(now, from):
			copy(before, now)
			copy(now, from)
		}
		copy(dst, before)
	}
}

// updateAfter makes the law of the propensities that are logged after the next update,
// for every walk anew.
func updateAfter(rounds Rounds) func() Law {
	// ends[i] is the round, from 0, in which the i-th stretch of equal propensities
	// ends; the next one begins there.
	var (
		ends []int64
		next [][]float64
		last []float64
		row  int64
	)
	rounds(func(r *Row) {
		if last != nil && !slices.Equal(last, r.ByArm) {
			ends, next = append(ends, row), append(next, r.ByArm)
		}
		last = r.ByArm
		row++
	})
	return func() Law {
		at, row := 0, int64(0)
		return func(_ *Row, from, dst []float64) {
			for at < len(ends) && row >= ends[at] {
				at++
			}
			row++
			if at == len(ends) {
				copy(dst, from) // nothing was logged after the last stretch
				return
			}
			copy(dst, next[at])
		}
	}
}
