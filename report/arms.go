package report

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

// fixedNote heads every raw interval and p-value.
const fixedNote = "valid only if the allocation had been fixed in advance"

// arms adds what was found about each arm.
func (s *experimentView) arms(b *builder) {
	at := s.pointer("arms")
	b.heading(s.level, "Arms", at)
	b.opening("What did each arm pay in the rounds that played it?", armsFound(s.x))
	s.verdict(b, schemas.KindBiasBound)
	if len(s.x.Arms) == 0 {
		b.say("The results hold no arms.")
		return
	}
	b.add(s.armTable(at))
	s.figure(b, figureMeans, "")
	b.add(list{Items: items(s.armNotes()...)})
}

// armTable shows a column only if some arm has a value in it; armNotes says
// what the others would need.
func (s *experimentView) armTable(at string) table {
	t := table{Caption: "Arms, in units of the reward", Pointer: at, RowHead: true}
	return partTable(t, s.x.Arms, func(*schemas.Arm) bool { return true }, s.armColumns())
}

func (s *experimentView) armColumns() []partColumn[schemas.Arm] {
	level := s.protocol.level()
	return []partColumn[schemas.Arm]{
		{head: column{Title: "Arm"}, cell: func(a *schemas.Arm, _ string) cell { return txt(label(a.Label)) }},
		{head: numeric("Pulls"), cell: func(a *schemas.Arm, at string) cell {
			return number(group(a.Pulls), sub(at, "pulls"))
		}},
		{head: numeric("Share"), cell: func(a *schemas.Arm, at string) cell {
			return number(share(a.Pulls, s.x.Rounds), sub(at, "pulls"))
		}},
		{
			head: column{Title: "Units", Note: "with a reward", Numeric: true},
			cell: armCell("units", func(a *schemas.Arm) string { return count(a.Units) }),
			has:  func(a *schemas.Arm) bool { return a.Units != nil },
		},
		{head: column{Title: "Mean", Note: s.meanNote(), Numeric: true}, cell: armCell("mean", func(a *schemas.Arm) string { return opt(a.Mean, sig) })},
		{head: numeric("SE"), cell: armCell("std_error", func(a *schemas.Arm) string { return opt(a.StdError, sig) })},
		{
			head: column{Title: "Raw " + level + " interval", Note: fixedNote, Numeric: true, Quiet: true},
			cell: armCell("ci", func(a *schemas.Arm) string { return interval(a.CI) }),
		},
		{
			head: column{Title: "Bias bound", Note: qualified(s.ofMechanism(), "the published e^ε−1 form below it"), Numeric: true},
			cell: biasCell, has: func(a *schemas.Arm) bool { return a.BiasBound != nil || a.BiasBoundPaper != nil },
		},
		{
			head: column{Title: "Bias bound by ε and δ", Note: "on request; averaged over the actions", Numeric: true},
			cell: armCell("bias_bound_approximate", func(a *schemas.Arm) string { return opt(a.BiasBoundDelta, up) }),
			has:  func(a *schemas.Arm) bool { return a.BiasBoundDelta != nil },
		},
		{
			head: column{Title: "Corrected " + level + " interval", Note: qualified(s.ofMechanism(), s.protocol.averaged()), Numeric: true},
			cell: armCell("ci_corrected", func(a *schemas.Arm) string { return interval(a.CICorrected) }),
			has:  func(a *schemas.Arm) bool { return a.CICorrected != nil },
		},
		{
			head: column{Title: "Confidence sequence", Note: level + ", at any time, all arms together", Numeric: true},
			cell: armCell("confidence_sequence", func(a *schemas.Arm) string { return interval(a.ConfidenceSequence) }),
			has:  func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil },
		},
		{
			head: column{Title: "IPW mean", Note: s.ipwNote(), Numeric: true}, cell: armCell("ipw_mean", func(a *schemas.Arm) string { return opt(a.IPWMean, sig) }),
			has: func(a *schemas.Arm) bool { return a.IPWMean != nil },
		},
		{
			head: column{Title: "σ", Note: "of the correction by σ", Numeric: true},
			cell: armCell("sigma", func(a *schemas.Arm) string { return ext(a.Sigma, sig) }), has: func(a *schemas.Arm) bool { return a.Sigma != nil },
		},
	}
}

// ipwNote heads the weighted means.
func (s *experimentView) ipwNote() string {
	if contradicted(s.x) {
		return "logged propensities contradicted"
	}
	return ""
}

// armCell shows one field of an arm, with its flag.
func armCell(field string, write func(*schemas.Arm) string) func(*schemas.Arm, string) cell {
	return func(a *schemas.Arm, at string) cell {
		c := number(write(a), sub(at, field))
		if slices.Contains(a.Vacuous, field) {
			return flagged(c, "VACUOUS")
		}
		return c
	}
}

// biasCell is the bias bound with the published form small below it.
func biasCell(a *schemas.Arm, at string) cell {
	c := armCell("bias_bound", func(a *schemas.Arm) string { return opt(a.BiasBound, up) })(a, at)
	c.below(opt(a.BiasBoundPaper, up))
	if slices.Contains(a.Vacuous, "bias_bound_paper") {
		return flagged(c, "VACUOUS")
	}
	return c
}

// armNotes explains the columns, and says what would fill an empty one.
func (s *experimentView) armNotes() []string {
	var notes []string
	if n := missingRounds(s.x); n > 0 {
		notes = append(notes, "Pulls and share count every round. The reward of "+plural(int(n), "round", "rounds")+" is missing; the mean and all that stands beside it rest on the other rounds and are about those.")
	}
	switch {
	case s.dependent():
		notes = append(notes, "No raw interval and no standard error: they take the rounds of an arm as independent, and a unit of this log has several.")
	case anyArm(s.x.Arms, func(a *schemas.Arm) bool { return a.Units != nil && *a.Units < a.Pulls && a.StdError != nil }):
		notes = append(notes, "Standard error, raw and corrected interval and the bias bound take units, not rounds, as independent: all rounds of a unit in an arm stand together. The raw interval takes the units of an arm for a sample of fixed size; under adaptive allocation it is too narrow or off centre.")
	default:
		notes = append(notes, "The raw interval and the standard error take the rounds of an arm for a sample of fixed size. Under adaptive allocation they are too narrow or off centre.")
	}
	if words := intervalWords(s.x.Arms); words != "" {
		notes = append(notes, words)
	}
	notes = append(notes, s.correctedNotes()...)
	if anyArm(s.x.Arms, func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil }) {
		notes = append(notes, "The confidence sequence holds for any policy and any stopping, for all arms at once. "+s.protocol.sequenceAbout())
	}
	if anyArm(s.x.Arms, func(a *schemas.Arm) bool { return a.IPWMean != nil }) {
		notes = append(notes, "The IPW mean weighs every reward of the arm by one over the logged propensity, and averages over all rounds in which the arm could be played. It estimates the mean reward that would have come had the arm been played in all of them, where the propensities are those that actions were drawn with; the mean is about the rounds in which it was played.")
	}
	switch weighted := anyArm(s.x.Arms, func(a *schemas.Arm) bool { return a.IPWMean != nil }); {
	case !weighted:
		notes = append(notes, noWeights(s.x))
	case contradicted(s.x):
		notes = append(notes, contradictedNote)
	}
	if s.x.ContextDim > 0 {
		notes = append(notes, "Where the policy saw contexts, an arm's mean is the mean over the rounds played, not over all rounds.")
	}
	return notes
}

// correctedNotes say what the bias bound and the corrected interval hold on, or
// why there are none.
func (s *experimentView) correctedNotes() []string {
	bound, interval := anyArm(s.x.Arms, func(a *schemas.Arm) bool { return a.BiasBound != nil }), anyArm(s.x.Arms, func(a *schemas.Arm) bool { return a.CICorrected != nil })
	if !bound && !interval {
		return []string{"No bias bound and no corrected interval. " + whyUncorrected(s.x, s.protocol)}
	}
	var notes []string
	if bound {
		notes = append(notes, "The bias bound limits the mean of the raw average given the logged actions; it is a bound, not an estimate.")
	}
	if interval {
		notes = append(notes, s.protocol.intervalGiven())
	}
	return notes
}

// contradictedNote stands beside means that rest on contradicted propensities.
const contradictedNote = "The logged propensities are contradicted by how often arms were played: over all rounds (H05), or in those that something known before them picks out (H17). The inverse-probability-weighted (IPW) means and the estimates like them rest on them and are not to be relied on."

// contradicted reports whether check H05 or H17 rejects the logged propensities.
func contradicted(x *schemas.Experiment) bool {
	for i := range x.Data.Checks {
		if c := &x.Data.Checks[i]; (c.ID == "H05" || c.ID == "H17") && c.Status == schemas.CheckFail {
			return true
		}
	}
	return false
}

// noWeights says why there is no weighted mean.
func noWeights(x *schemas.Experiment) string {
	for i := range x.Estimates {
		if e := &x.Estimates[i]; e.Estimator == schemas.EstimatorIPW && e.Label == "" && e.Reason != "" {
			return "No inverse-probability-weighted (IPW) mean: " + sentence(e.Reason)
		}
	}
	return "No inverse-probability-weighted (IPW) mean: it needs a column with the propensity of the logged action."
}

// missingRounds is the number of rounds without a reward.
func missingRounds(x *schemas.Experiment) int64 {
	total := int64(0)
	for _, e := range x.Data.Excluded {
		if e.Reason == schemas.ReasonMissing {
			total += e.Rows
		}
	}
	return total
}

// dependent reports whether a unit is declared and nothing that needs
// independent rounds was computed.
func (s *experimentView) dependent() bool {
	return s.protocol.Log.Unit != "" && !anyArm(s.x.Arms, func(a *schemas.Arm) bool { return a.StdError != nil || a.CI != nil })
}

// anyArm reports whether an arm has something.
func anyArm(arms []schemas.Arm, has func(*schemas.Arm) bool) bool {
	for i := range arms {
		if has(&arms[i]) {
			return true
		}
	}
	return false
}

// intervalWords say what the raw and corrected intervals of arms are; "" where
// there are none.
func intervalWords(arms []schemas.Arm) string {
	var kinds []string
	for i := range arms {
		if k := arms[i].Interval; k != "" && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return "Raw and corrected intervals: " + strings.Join(kinds, "; ") + "."
}
