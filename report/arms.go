package report

import (
	"slices"
	"strings"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// arms adds what was found about each arm.
func (s *experimentView) arms(b *page.Builder) {
	at := s.pointer("arms")
	b.Heading(s.level, "Arms", at)
	b.Opening("What did each arm pay in the rounds that played it?", answers.Arms(s.x))
	s.verdict(b, schemas.KindBiasBound)
	if len(s.x.Arms) == 0 {
		b.Say("The results hold no arms.")
		return
	}
	b.Add(s.armTable(at))
	s.figure(b, figure.Means, "")
	b.Add(page.List{Items: page.Items(s.armNotes()...)})
}

// armTable shows a column only if some arm has a value in it; armNotes says
// what the others would need.
func (s *experimentView) armTable(at string) page.Table {
	t := page.Table{Caption: "Arms, in units of the reward", Pointer: at, RowHead: true}
	return page.PartTable(t, s.x.Arms, func(*schemas.Arm) bool { return true }, s.armColumns())
}

func (s *experimentView) armColumns() []page.PartColumn[schemas.Arm] {
	level := s.protocol.Level()
	return []page.PartColumn[schemas.Arm]{
		{Head: page.Column{Title: "Arm"}, Cell: func(a *schemas.Arm, _ string) page.Cell { return page.Text(page.Label(a.Label)) }},
		{Head: page.Numeric("Pulls"), Cell: func(a *schemas.Arm, at string) page.Cell {
			return page.Number(page.Group(a.Pulls), page.Member(at, "pulls"))
		}},
		{Head: page.Numeric("Share"), Cell: func(a *schemas.Arm, at string) page.Cell {
			return page.Number(page.Share(a.Pulls, s.x.Rounds), page.Member(at, "pulls"))
		}},
		{
			Head: page.Column{Title: "Units", Note: "with a reward", Numeric: true},
			Cell: armCell("units", func(a *schemas.Arm) string { return page.Count(a.Units) }),
			Has:  func(a *schemas.Arm) bool { return a.Units != nil },
		},
		{Head: page.Column{Title: "Mean", Note: s.meanNote(), Numeric: true}, Cell: armCell("mean", func(a *schemas.Arm) string { return page.Opt(a.Mean, page.Sig) })},
		{Head: page.Numeric("SE"), Cell: armCell("std_error", func(a *schemas.Arm) string { return page.Opt(a.StdError, page.Sig) })},
		{
			Head: page.Column{Title: "Raw " + level + " interval", Note: fixedShort, Numeric: true, Quiet: true},
			Cell: armCell("ci", func(a *schemas.Arm) string { return page.Interval(a.CI) }),
		},
		{
			Head: page.Column{Title: "Bias bound", Note: qualified(s.ofMechanism(), "published form below it"), Numeric: true},
			Cell: biasCell, Has: func(a *schemas.Arm) bool { return a.BiasBound != nil || a.BiasBoundPaper != nil },
		},
		{
			Head: page.Column{Title: "Bias bound by ε and δ", Note: "on request; averaged over the actions", Numeric: true},
			Cell: armCell("bias_bound_approximate", func(a *schemas.Arm) string { return page.Opt(a.BiasBoundDelta, page.Up) }),
			Has:  func(a *schemas.Arm) bool { return a.BiasBoundDelta != nil },
		},
		{
			Head: page.Column{Title: "Corrected " + level + " interval", Note: qualified(s.ofMechanism(), s.protocol.Averaged()), Numeric: true},
			Cell: armCell("ci_corrected", func(a *schemas.Arm) string { return page.Interval(a.CICorrected) }),
			Has:  func(a *schemas.Arm) bool { return a.CICorrected != nil },
		},
		{
			Head: page.Column{Title: "Confidence sequence", Note: level + ", simultaneous, anytime-valid", Numeric: true},
			Cell: armCell("confidence_sequence", func(a *schemas.Arm) string { return page.Interval(a.ConfidenceSequence) }),
			Has:  func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil },
		},
		{
			Head: page.Column{Title: "IPW mean", Note: s.ipwNote(), Numeric: true}, Cell: armCell("ipw_mean", func(a *schemas.Arm) string { return page.Opt(a.IPWMean, page.Sig) }),
			Has: func(a *schemas.Arm) bool { return a.IPWMean != nil },
		},
		{
			Head: page.Numeric("σ"),
			Cell: armCell("sigma", func(a *schemas.Arm) string { return page.Ext(a.Sigma, page.Sig) }), Has: func(a *schemas.Arm) bool { return a.Sigma != nil },
		},
	}
}

// ipwNote heads the weighted means.
func (s *experimentView) ipwNote() string {
	if s.x.Data.PropensitiesContradicted() {
		return "logged propensities contradicted"
	}
	return ""
}

// armCell shows one field of an arm, with its flag.
func armCell(field string, write func(*schemas.Arm) string) func(*schemas.Arm, string) page.Cell {
	return func(a *schemas.Arm, at string) page.Cell {
		c := page.Number(write(a), page.Member(at, field))
		if slices.Contains(a.Vacuous, field) {
			return page.Flagged(c, "VACUOUS")
		}
		return c
	}
}

// biasCell is the bias bound with the published form small below it.
func biasCell(a *schemas.Arm, at string) page.Cell {
	c := armCell("bias_bound", func(a *schemas.Arm) string { return page.Opt(a.BiasBound, page.Up) })(a, at)
	c.Below(page.Opt(a.BiasBoundPaper, page.Up))
	if slices.Contains(a.Vacuous, "bias_bound_paper") {
		return page.Flagged(c, "VACUOUS")
	}
	return c
}

// armNotes explains the columns, and says what would fill an empty one.
func (s *experimentView) armNotes() []string {
	var notes []string
	if n := s.x.Data.MissingRewards(); n > 0 {
		notes = append(notes, "Pulls and share count every round. The reward of "+schemas.Counted(int(n), "round")+" is missing; the mean and all that stands beside it rest on the other rounds and are about those.")
	}
	switch {
	case s.dependent():
		notes = append(notes, "No raw interval and no standard error: they take the rounds of an arm as independent, and a unit of this log has several.")
	case anyOf(s.x.Arms, func(a *schemas.Arm) bool { return a.Units != nil && *a.Units < a.Pulls && a.StdError != nil }):
		notes = append(notes, "Standard error, raw and corrected interval and the bias bound take units, not rounds, as independent: all rounds of a unit in an arm stand together. The raw interval takes the units of an arm for a sample of fixed size; under adaptive allocation it is too narrow or off centre.")
	default:
		notes = append(notes, "The raw interval and the standard error take the rounds of an arm for a sample of fixed size. Under adaptive allocation they are too narrow or off centre.")
	}
	if words := intervalWords(s.x.Arms); words != "" {
		notes = append(notes, words)
	}
	notes = append(notes, s.correctedNotes()...)
	if anyOf(s.x.Arms, func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil }) {
		notes = append(notes, "The confidence sequence holds for any policy and any stopping, for all arms at once. "+s.protocol.SequenceAbout())
	}
	if anyOf(s.x.Arms, func(a *schemas.Arm) bool { return a.IPWMean != nil }) {
		notes = append(notes, "The IPW mean weighs every reward of the arm by one over the logged propensity, and averages over all rounds in which the arm could be played. It estimates the mean reward that would have come had the arm been played in all of them, where the propensities are those that actions were drawn with; the mean is about the rounds in which it was played.")
	}
	switch weighted := anyOf(s.x.Arms, func(a *schemas.Arm) bool { return a.IPWMean != nil }); {
	case !weighted:
		notes = append(notes, noWeights(s.x))
	case s.x.Data.PropensitiesContradicted():
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
	bound, interval := anyOf(s.x.Arms, func(a *schemas.Arm) bool { return a.BiasBound != nil }),
		anyOf(s.x.Arms, func(a *schemas.Arm) bool { return a.CICorrected != nil })
	if !bound && !interval {
		return []string{"No bias bound and no corrected interval. " + whyUncorrected(s.x, s.protocol)}
	}
	var notes []string
	if bound {
		notes = append(notes, "The bias bound holds given the logged actions; it is a bound, not an estimate.")
	}
	if interval {
		notes = append(notes, s.protocol.IntervalGiven())
	}
	return notes
}

// contradictedNote stands beside means that rest on contradicted propensities.
const contradictedNote = "The logged propensities are contradicted by how often arms were played: over all rounds (H05), or in those that something known before them picks out (H17). The inverse-probability-weighted (IPW) means and the estimates like them rest on them and are not to be relied on."

// noWeights says why there is no weighted mean.
func noWeights(x *schemas.Experiment) string {
	for i := range x.Estimates {
		if e := &x.Estimates[i]; e.Estimator == schemas.EstimatorIPW && e.Label == "" && e.Reason != "" {
			return "No inverse-probability-weighted (IPW) mean: " + page.Sentence(e.Reason)
		}
	}
	return "No inverse-probability-weighted (IPW) mean: it needs a column with the propensity of the logged action."
}

// dependent reports whether a unit is declared and nothing that needs
// independent rounds was computed.
func (s *experimentView) dependent() bool {
	return s.protocol.Log.Unit != "" && !anyOf(s.x.Arms, func(a *schemas.Arm) bool { return a.StdError != nil || a.CI != nil })
}

// intervalWords say what the raw and corrected intervals of arms are; "" where
// there are none.
func intervalWords(arms []schemas.Arm) string {
	kinds := page.Distinct(arms, func(a *schemas.Arm) string { return a.Interval })
	if len(kinds) == 0 {
		return ""
	}
	return "Raw and corrected intervals: " + strings.Join(kinds, "; ") + "."
}

// whyUncorrected is the reason for which an experiment has no bias bound and no
// corrected interval: what the analysis says, else what the protocol shows.
func whyUncorrected(x *schemas.Experiment, p *digest.Protocol) string {
	for _, w := range x.Warnings {
		if why, ok := strings.CutPrefix(w, schemas.ArmsNotApplicable); ok {
			return page.Sentence(page.OrDash(why))
		}
	}
	for i := range x.Tests {
		if _, r := method(&x.Tests[i], schemas.MethodCorrected); r != nil && !r.Applicable && r.Reason != "" {
			return page.Sentence(page.OrDash(r.Reason))
		}
	}
	switch {
	case p.Policy == nil:
		return "No policy is declared, and they rest on the finite ledger of a declared one."
	case p.Counter == nil:
		return "The declared policy has no counter, and they rest on the finite ledger of one."
	}
	return "They need a finite ledger, independent rounds or units, and rewards that are not missing because of their value."
}

// meanNote heads the means as played.
func (s *experimentView) meanNote() string {
	if s.x.Steering == nil {
		return ""
	}
	return answers.AsPlayedNote
}
