package truth

import (
	"fmt"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/schemas"
)

// periods are item 14: what is said of a policy that learns after every few
// rounds, where only the propensity of the logged action is known.
func periods() []World {
	var out []World
	for _, every := range []int{7, 24, 25, 100} {
		out = append(out, period(every), periodDeclaredOtherwise(every))
	}
	return append(out, byTheClock(), fewChanges())
}

const periodRounds, periodArms = 10_000, 3

func (d *deployment) everySo(rounds, every int) *Log {
	d.learnt(rounds, every, .01, spread(periodArms))
	return d.log(labels(periodArms)...)
}

// periodBefore is how often H10 said just that.
func periodBefore(every int) string {
	return map[int]string{7: "30 of 100", 24: "10 of 100", 25: "12 of 100", 100: "0 of 100"}[every]
}

func period(every int) World {
	return World{
		Name: fmt.Sprintf("batches-of-%d", every), Item: 14, Logs: 200, Right: true,
		Text:     fmt.Sprintf("A softmax of %d arms learns after every %d of %d rounds. The propensity of the logged action is logged; no policy and no batch is declared.", periodArms, every, periodRounds),
		Said:     fmt.Sprintf("H10 names a period of %d rounds, and no other", every),
		Before:   periodBefore(every),
		Unseen:   "a schedule of fewer than about five changes; one whose changes show in few of them, as of a policy that seldom changes its best arm where only the propensity of the logged action is logged: then H10 says that no period could be told",
		Protocol: head("period", periodArms, "propensity: p"),
		Deploy:   func(run int64) *Log { return newDeployment(run).everySo(periodRounds, every) },
		Count: func(f *Found) bool {
			h10 := check.Find(f.First().Data.Checks, "H10")
			return strings.HasSuffix(h10.Observed, fmt.Sprintf(" every %d rounds", every))
		},
	}
}

func periodDeclaredOtherwise(every int) World {
	return World{
		Name: fmt.Sprintf("batches-of-%d-declared-otherwise", every), Item: 14, Logs: 200, Right: true,
		Text:     fmt.Sprintf("A softmax of %d arms learns after every %d of 1,000 rounds, and an update after every 10 is declared.", periodArms, every),
		Said:     fmt.Sprintf("policy.conformance is VIOLATED, and what fits is an update after every %d rounds", every),
		Before:   periodOtherwiseBefore(every),
		Unseen:   "a schedule that is none in rounds, where no batch is logged",
		Protocol: head("period", periodArms, "propensity: p") + "policy: {name: softmax, eta: 0.01, update: {every: 10}}\n" + exact,
		Deploy:   func(run int64) *Log { return newDeployment(run).everySo(1_000, every) },
		Count: func(f *Found) bool {
			c := f.First().Replay.Propensities
			if c == nil || f.Verdict(schemas.KindConformance) != schemas.Violated {
				return false
			}
			h := schemas.Fitting(c.Hypotheses)
			return h != nil && strings.Contains(h.Words, fmt.Sprintf("after every %d rounds", every))
		},
	}
}

// periodOtherwiseBefore: 100 was among the schedules that are always tried.
func periodOtherwiseBefore(every int) string {
	if every == 100 {
		return "100 of 100"
	}
	return "0 of 100"
}

// byTheClock is a policy whose schedule is none of rounds.
func byTheClock() World {
	const rounds, arms = 1_000, 3
	return World{
		Name: "learns-by-a-clock", Item: 14, Logs: 200, Right: true,
		Text:     "A softmax of 3 arms learns after every minute, of about 40 rounds that come at random; an update after every 10 rounds is declared, and the propensities of all arms are logged.",
		Said:     "policy.conformance is VIOLATED, and what fits is an update whenever the logged propensities change",
		Before:   "0 of 100",
		Unseen:   "the schedule, where the propensity of the logged action alone is logged: it does not show in which round the others changed",
		Protocol: head("clock", arms, "propensity: p, propensity_by_arm: all") + "policy: {name: softmax, eta: 0.01, update: {every: 10}}\n" + exact,
		Deploy: func(run int64) *Log {
			d := newDeployment(run)
			now, seen, at, minute := make([]float64, arms), make([]float64, arms), 0.0, 0
			for range rounds {
				at += d.draw.ExpFloat64() * 1.5
				if int(at/60) != minute {
					minute = int(at / 60)
					copy(seen, now)
				}
				p := softmax(.01, seen, nil)
				arm := d.pick(p)
				y := d.coin(spread(arms)[arm])
				now[arm] += y
				d.chosen(arm, p, y)
			}
			return d.log(labels(arms)...)
		},
		Count: func(f *Found) bool {
			c := f.First().Replay.Propensities
			if c == nil || f.Verdict(schemas.KindConformance) != schemas.Violated {
				return false
			}
			h := schemas.Fitting(c.Hypotheses)
			return h != nil && strings.Contains(h.Words, "learns when the logged propensities change")
		},
	}
}
