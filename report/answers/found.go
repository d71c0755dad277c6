package answers

import (
	"fmt"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Read says how much was read, and what was left out.
func Read(r *digest.Digest) string {
	out := schemas.Plural(r.Read, "round was", "rounds were") + " read from " + schemas.Counted(len(r.Inputs), "file")
	if left := r.Read - r.Analysed; left > 0 {
		return out + ", of which " + page.Group(left) + " are left out of every estimate"
	}
	return out + ", and none was left out"
}

// Verdicts counts the claims by outcome.
func Verdicts(s *schemas.ClaimSums) string {
	v := &s.Verdicts
	return fmt.Sprintf("of %s, %s", schemas.Counted(s.Claims, "claim"), counted(
		tally{v.Verified + v.Consistent, "held as far as this log can show"},
		tally{v.Violated, schemas.Agree(v.Violated, "was", "were") + " contradicted"},
		tally{v.NotEstablished + v.NotRun, "could not be settled"},
		tally{v.NotApplicable, "did not apply"},
	))
}

// Checks counts the checks by what came out, with the names of those to look at.
func Checks(checks []schemas.Check) string {
	if len(checks) == 0 {
		return "no data check was run"
	}
	ids := map[schemas.CheckStatus][]string{}
	for i := range checks {
		ids[checks[i].Status] = append(ids[checks[i].Status], checks[i].ID)
	}
	named := func(status schemas.CheckStatus, says string) tally {
		return tally{len(ids[status]), says + " (" + page.Listed(ids[status]) + ")"}
	}
	return "of " + schemas.Counted(len(checks), "check") + ", " +
		counted(named(schemas.CheckFail, "failed"), named(schemas.CheckNote, "found something to read"),
			tally{len(ids[schemas.CheckPass]), "passed"}, tally{len(ids[schemas.CheckNotRun]), "could not be run"})
}

// Verdict answers a question of a claim by its verdict: "No:". Where there is no
// claim nobody asked.
func Verdict(c *schemas.Finding) string {
	if c == nil {
		return "this was not asked"
	}
	switch c.Verdict {
	case schemas.Verified:
		return "yes"
	case schemas.Consistent:
		return "nothing speaks against it"
	case schemas.Violated:
		return "no"
	case schemas.NotApplicable:
		return "this was not asked"
	case schemas.NotEstablished, schemas.NotRun:
	}
	return "that is not settled"
}

// Arms says which arm paid most on average, and which least.
func Arms(x *schemas.Experiment) string {
	if x.Steering != nil {
		return steeredFound(x)
	}
	var known []*schemas.Arm
	for _, a := range schemas.BestFirst(x.Arms) {
		if a.Mean != nil {
			known = append(known, a)
		}
	}
	if len(known) == 0 {
		return "no reward of an arm is known"
	}
	best, last := known[0], known[len(known)-1]
	out := fmt.Sprintf("%s paid %s on average, in %s", page.ArmName(best.Label), page.Short(*best.Mean), schemas.Counted(best.Pulls, "round"))
	if len(known) > 1 {
		out = fmt.Sprintf("the highest average is that of %s, %s in %s, and the lowest that of %s, %s", page.ArmName(best.Label),
			page.Short(*best.Mean), schemas.Counted(best.Pulls, "round"),
			page.ArmName(last.Label), page.Short(*last.Mean))
	}
	return out
}

// Tests counts what the tests of the experiment decide.
func Tests(tests []schemas.Test) string {
	if len(tests) == 0 {
		return "no hypothesis was declared, so none was tested"
	}
	count := map[string]int{}
	for i := range tests {
		count[tests[i].Decision]++
	}
	rejected, kept := count[schemas.DecisionRejected], count[schemas.DecisionKept]
	return decisions(rejected, kept, len(tests)-rejected-kept)
}

// Estimates counts estimates that are given.
func Estimates(estimates []schemas.Estimate) string {
	given, with := 0, 0
	for i := range estimates {
		if estimates[i].Estimate != nil {
			given++
		}
		if estimates[i].CI != nil {
			with++
		}
	}
	switch {
	case len(estimates) == 0:
		return "no propensity is logged, so nothing was estimated beyond the arms"
	case given == 0:
		return "no estimate is given, for the reasons below"
	}
	return schemas.Plural(given, "estimate is", "estimates are") + " given, " + page.Group(int64(with)) + " with an interval"
}

// Assumptions counts assumptions by what supports them.
func Assumptions(list []schemas.Assumption) string {
	if len(list) == 0 {
		return "no corrected answer was given, so none of its assumptions was needed"
	}
	count := map[string]int{}
	for i := range list {
		count[list[i].Status]++
	}
	sum := func(statuses ...string) (n int) {
		for _, status := range statuses {
			n += count[status]
		}
		return n
	}
	return "of " + schemas.Counted(len(list), "assumption") + ", " + counted(
		tally{sum("failed", schemas.MeansContradicted), "do not hold for some answer"}, tally{sum("checked"), "could be checked"}, tally{sum("partly checked", schemas.MeansNotContradicted), "could be checked in part"},
		tally{sum("declared"), "can only be declared"}, tally{sum("not declared", "not checkable"), "can neither be checked nor is declared"}, tally{sum("not needed"), "was not needed"})
}

// Noise says what is known of the noise in released values.
func Noise(x *schemas.ReleasedReplay) string {
	if x.Changed > 0 || x.Shared != nil {
		return noiseClause(x)
	}
	return noiseFound(x.Noise)
}

// Fits counts regressions.
func Fits(n int) string {
	if n == 0 {
		return "nothing was fitted"
	}
	return schemas.Plural(n, "fit describes", "fits describe") + " this log, and decide nothing"
}

// Disclosures counts exact readings of rewards.
func Disclosures(n int) string {
	if n == 0 {
		return "it read no reward exactly"
	}
	return "each line is one exact reading, " + schemas.Counted(n, "reading") + " in all"
}

// Warnings counts warnings.
func Warnings(n int) string {
	if n == 0 {
		return "nothing: no warning was given"
	}
	return schemas.Plural(n, "warning was", "warnings were") + " given"
}
