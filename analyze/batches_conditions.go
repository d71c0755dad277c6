package analyze

import (
	"cmp"
	"fmt"

	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/schemas"
)

// batchObjections are what stands against what batches say: against all of it, against
// what decides, and against the approximate answer; each "" where nothing does.
type batchObjections struct{ both, exact, bols string }

// againstBatches is what stands against an answer by batches, for all that is known
// before the rounds are read (formula sheet 24.6, (a) to (f)).
func (a *answers) againstBatches(t *answer) batchObjections {
	out := batchObjections{both: a.againstBatchColumn(t)}
	if out.both == "" {
		out.both = a.againstLabels()
	}
	if out.both == "" {
		out.both = cmp.Or(a.againstKept(t), a.facts.Sampled.ByRewards(), a.facts.Sampled.ByUnit(), a.missingByArm(), a.missingByValue())
	}
	out.exact, out.bols = a.againstExactBatches(t), a.againstBOLS()
	return out
}

// againstBatchColumn says why there are no batches to go by.
func (a *answers) againstBatchColumn(t *answer) string {
	switch word := a.protocol.Log.BatchBy; {
	case t.arm < 0:
		return "it is of two arms; name them (equal: [a, b])"
	case !a.facts.Slice.Schema().Batch:
		return "no column says where batches end (log.batch)"
	case word == schemas.SetByReleased:
		return "released values decided where a batch ends (log.batch_by: released), and they carry rewards of the batch"
	case word != schemas.SetBySchedule && a.protocol.Clock() == nil:
		return "rewards may have decided where a batch ends (log.batch_by: " + word + ")"
	}
	return ""
}

// againstLabels says why the order in which a batch has the arms is not known to have been
// drawn, with the same probabilities in all its rounds.
func (a *answers) againstLabels() string {
	logged, m := a.facts.Slice.HasPropensity(), a.facts.Mechanism
	switch {
	case a.facts.Drawn.Open() != "":
		return a.facts.Drawn.Open()
	case a.sample.validity.Misplayed:
		return "the arms were not played with their propensities (" + a.sample.validity.MisplayedBy() + "), so that the order of the arms in a batch is not known to have been drawn"
	case a.protocol.DrawnBy() == "" && !a.sample.validity.Looked:
		return "whether the order of the arms in a batch was drawn is not declared (policy.draw: {by: round}), and no propensity is logged by which check H17 could contradict it"
	case m != nil && !m.Random():
		return "the declared policy draws nothing, so that the order of the arms in a batch is none of chance (policy)"
	case logged:
		return ""
	case m == nil && publiclog.ContextDim(a.facts.Slice) > 0:
		return "the policy may have read contexts (log.context), and no propensity is logged that shows the same probabilities throughout a batch (log.propensity); decide: assignment needs none of that, but propensities"
	case m == nil:
		return ""
	case !m.Known():
		return "whether the declared policy gave the arms the same probabilities throughout a batch is seen from propensities alone, and none is logged (log.propensity)"
	case a.evidence.Another() != "":
		return "the arms were not played with the declared probabilities (policy.conformance)"
	}
	return ""
}

// missingByValue says why batches of known rewards alone tell nothing where one may be
// missing because of its value; "" where none is. The formula sheet lets rewards be
// missing so in the wagers on the arm (23.0 (e)) and in runs of the policy (21.3 (g)), and
// not here.
func (a *answers) missingByValue() string {
	if a.sample.rewards.MissingRows() == 0 || a.protocol.Log.MissingReward != schemas.MissingExclude {
		return ""
	}
	return "rewards are missing and may be missing because of their value, in one arm by another rule than in the other: the arms whose reward is known are then in no order that was drawn (log.missing_reward: exclude-independent declares that it is not so)"
}

// againstExactBatches says why batches cannot decide the question.
func (a *answers) againstExactBatches(t *answer) string {
	switch {
	case t.kind == schemas.TestDifference && *t.spec.Value != 0:
		return fmt.Sprintf("the difference is held against %g: batches tell whether arms pay alike (value: 0)", *t.spec.Value)
	case t.kind == schemas.TestDifference && !a.facts.Binary():
		return "rewards are not 0 or 1 by type and range: two arms of equal mean need not pay alike, which is what is tested; ask equal: [a, b]" + a.facts.CastHint()
	case !a.facts.Binary() && !rewards.FixedEnd(a.protocol):
		return openCount(a.protocol)
	}
	return ""
}

// openCount says why the number of batches may have depended on rewards.
func openCount(protocol *schemas.Protocol) string {
	return fmt.Sprintf("the number of batches has to be fixed before the rewards, and the log may end because of them (experiment.stopping: %s)", protocol.Experiment.Stopping)
}

// againstBOLS says why batches cannot be standardised.
func (a *answers) againstBOLS() string {
	switch {
	case !rewards.FixedEnd(a.protocol):
		return openCount(a.protocol)
	case a.sample.rewards.MissingRows() > 0 && a.protocol.Log.MissingReward == schemas.MissingExclude:
		return "missing rewards are left out and may depend on the reward (missing_reward: exclude)"
	}
	return ""
}
