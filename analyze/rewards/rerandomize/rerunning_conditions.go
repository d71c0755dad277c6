package rerandomize

import (
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// againstRerun is what stands against a test by running the policy again, for all that is
// known before a column is read; "" where nothing does.
func (s *Subject) againstRerun(q Question) string {
	for _, condition := range []func(*Subject, Question) string{
		(*Subject).againstQuestion, (*Subject).againstPolicy, (*Subject).againstMissing, (*Subject).againstShift, (*Subject).againstExtent, (*Subject).againstColumns, (*Subject).againstUnitDraws,
	} {
		if why := condition(s, q); why != "" {
			return why
		}
	}
	return ""
}

// againstQuestion says why runs cannot answer it: they are made as if all arms paid alike.
func (s *Subject) againstQuestion(q Question) string {
	switch {
	case s.Facts.K() < 2:
		return "there is one arm, and nothing to compare it with"
	case q.Arms != nil && s.Facts.K() > 2:
		return fmt.Sprintf("the hypothesis is of two of %d arms, and leaves open what the others would have paid: the policy cannot be run again under it", s.Facts.K())
	case q.Difference && s.Facts.Binary() && q.Value != 0:
		return fmt.Sprintf("the difference is held against %g: rewards are 0 or 1, and one arm cannot pay the other's reward and a constant more, other than 0", q.Value)
	}
	switch s.Protocol.Analysis.Chosen {
	case schemas.ChosenAfterRewards:
		return "A5: the test was chosen after the rewards were seen (analysis.chosen)"
	case "":
		return "A5: what whoever chose the test had seen is declared nowhere (analysis.chosen)"
	}
	return ""
}

// againstPolicy says why the policy that ran is not one that can be run again.
func (s *Subject) againstPolicy(Question) string {
	switch {
	case s.Facts.Sampled.Dropped():
		return "A8: " + s.Facts.Sampled.Gone() + ", and a run would need all rounds"
	case s.Protocol.Program == nil && (s.Protocol.Policy == nil || s.Facts.Mechanism == nil):
		return "A1: no policy is declared that could be run again"
	case !s.Facts.Manifest.Declared:
		return "A1: arms are those that the log shows, and the policy may have had more (arms are not declared)"
	case s.Verdict != schemas.Verified && s.Verdict != schemas.Consistent:
		return fmt.Sprintf("A1: policy.conformance is %s (%s), so that the policy to be run again is not known to be the one that ran", s.Verdict, s.Why)
	case s.Validity.Misplayed:
		return "A1: the arms were not played with the probabilities of the policy that would be run again (" + s.Validity.MisplayedBy() + ")"
	case s.Protocol.Program != nil:
		return s.againstProgram()
	case s.Facts.Mechanism.Given() > 0:
		return fmt.Sprintf("A1: the policy did not choose the first %s (policy.start: {given: %d}), and a run would", schemas.Counted(s.Facts.Mechanism.Given(), "round"), s.Facts.Mechanism.Given())
	case s.Facts.Mechanism.Free():
		return "A1: which of several arms is played is left open (policy.ties: any, policy.start: any), and a run has to choose: declare first or random where that is so"
	case s.Facts.Mechanism.Capacity() < s.Facts.Slice.Rows()-1:
		return fmt.Sprintf("A1: a run may play one arm in every round, and the declared counter takes %s (counter.horizon)", schemas.Counted(s.Facts.Mechanism.Capacity(), "row"))
	}
	return ""
}

// againstMissing says why a record, of which it is a part that its reward is missing, would
// not have been the same under another arm.
func (s *Subject) againstMissing(q Question) string { return q.Missing }

// againstExtent says why the number of rounds may have depended on rewards.
func (s *Subject) againstExtent(Question) string {
	if word := s.Protocol.Experiment.Stopping; word != schemas.StoppingFixed {
		return fmt.Sprintf("A8: the log may end because of its rewards (experiment.stopping: %s), and a run does not", word)
	}
	return ""
}

// againstColumns says which column may follow from rewards, or from arms by what was
// released of them: it would be another one in a run.
func (s *Subject) againstColumns(Question) string {
	for _, d := range publiclog.DecidedBy(s.Protocol) {
		if d.Word == schemas.SetBySchedule || d.Key == eligibleBy {
			continue
		}
		return fmt.Sprintf("%s: %s may depend on rewards and on the arms that were played (%s), and a run takes it from the log", d.Assumption, d.What, d.Said())
	}
	return ""
}

// eligibleBy is the key that says who decided which arms could be played.
const eligibleBy = "eligible_by"

// againstEligible is againstColumns of which arms could be played: where these were the
// same in every round, nobody decided anything.
func (s *Subject) againstEligible(r *rerunRecords) string {
	for _, d := range publiclog.DecidedBy(s.Protocol) {
		if d.Key == eligibleBy && d.Word != schemas.SetBySchedule && !r.constant {
			return fmt.Sprintf("%s: %s may depend on rewards and on the arms that were played (%s), and a run takes it from the log", d.Assumption, d.What, d.Said())
		}
	}
	return ""
}

// againstUnitDraws says why rounds of a unit may share a draw, which a run does not give
// them.
func (s *Subject) againstUnitDraws(Question) string {
	switch s.Facts.Drawn {
	case conformance.DrawsByUnit:
		return "A1: a unit keeps the arm of one draw (" + s.Protocol.DrawWords() + "), and a run draws in every round"
	case conformance.DrawsHidden:
		return "A1: " + s.Facts.Drawn.Open()
	case conformance.DrawsOpen:
		if p := s.Protocol.Program; p == nil && s.Facts.Mechanism.Random() || p != nil && drawsByAnswers(p) {
			return "A1: " + s.Facts.Drawn.Open()
		}
	case conformance.DrawsByRound:
	}
	return ""
}

// Budget of the runs of a test, in elementary steps: M runs of T rounds and K arms, each
// of d² where the policy reads contexts of d numbers, and of 500 where a choice takes
// integrals or is a program's. It is a number and never a time, so
// that every machine makes as many runs.
const (
	rerunSteps   = 2e10
	programSteps = 500
)

// Numbers of runs: the default, and the fewest by which anything is tested.
const (
	mostRuns   = 999
	fewestRuns = 99
	runsALevel = 20 // times m/α
)

// rerunDraws is M, the most runs: the declared number, else the larger of 999 and
// ⌈20·m/α⌉ − 1 for m tests, twice as many for a side that may have been chosen; at most what the budget allows. why says that not even
// max(99, ⌈m/α⌉ − 1) are allowed; "" where they are.
func (s *Subject) rerunDraws(q Question) (draws int, why string) {
	analysis := &s.Protocol.Analysis
	perLevel := float64(max(1, q.Tests)) * q.sides() / analysis.Alpha
	runs := func(times float64) float64 { return math.Ceil(times*perLevel) - 1 }
	most := math.Max(mostRuns, runs(runsALevel))
	if d := analysis.Rerun.Draws; d > 0 {
		most = float64(d)
	}
	fit, fewest := math.Floor(rerunSteps/s.rerunStep()), math.Max(fewestRuns, runs(1))
	switch {
	case fit < math.Min(most, fewest):
		return 0, fmt.Sprintf("%s of %d arms allow %s of the policy within %.0g steps, and %s are needed", schemas.Counted(s.Facts.Slice.Rows(), "round"), s.Facts.K(), schemas.Counted(int64(fit), "run"), float64(rerunSteps), schemas.Grouped(int64(fewest)))
	case s.rerunBytes(q, 1) > mostRerunBytes:
		return 0, fmt.Sprintf("the records of %s would take more than %d MiB", schemas.Counted(s.Facts.Slice.Rows(), "round"), mostRerunBytes>>20)
	}
	return int(math.Min(most, fit)), ""
}

// moreRuns is M', to which runs go on where none of M reaches the statistic: 1/(M + 1) is then
// not small enough for one family over all experiments of the log. It is
// ⌈5·n/(4·α)⌉ − 1 of the n tests of the log, a quarter more runs than the least level of the
// family asks for (of by, times ln n + 1), at most what each experiment's share of the budget of
// the log allows; the log has the budget of one test. 0: runs do not go on, as draws are
// declared, the policy is a program, the family is not adjusted or goes by e-values, or the
// budget does not allow what the least level asks for. It depends on nothing but the
// protocol, the number of experiments, rounds and arms: parts of a log come to the same.
func (s *Subject) moreRuns(q Question, draws int) int {
	experiments := float64(s.Facts.Whole().Experiments)
	analysis := &s.Protocol.Analysis
	method := analysis.Multiplicity
	if experiments < 2 || analysis.Rerun.Draws > 0 || s.Protocol.Program != nil || method == schemas.AdjustNone || method == schemas.AdjustEBH {
		return 0
	}
	perLevel := experiments * float64(max(1, q.Tests)) * q.sides() / analysis.Alpha
	if method == schemas.AdjustBY {
		perLevel *= math.Log(experiments*float64(max(1, q.Tests))) + 1
	}
	const room = 1.25
	fewest := math.Ceil(perLevel) - 1
	most := math.Min(math.Ceil(room*perLevel)-1, math.Floor(rerunSteps/experiments/s.rerunStep()))
	if most < fewest || most <= float64(draws) {
		return 0
	}
	return int(most)
}

// rerunStep is the number of elementary steps of one run.
func (s *Subject) rerunStep() float64 {
	step := float64(s.Facts.Slice.Rows()) * float64(s.Facts.K())
	if s.Protocol.Program != nil {
		return step * programSteps
	}
	step *= s.Facts.Mechanism.ChoiceSteps()
	if s.Facts.Mechanism.Linear() {
		d := float64(publiclog.ContextDim(s.Facts.Slice))
		step *= math.Max(1, d*d)
	}
	return step
}
