package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/facts"
	"banditaudit/ingest/decimals"
	"banditaudit/ingest/tableau"
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
	if out.both == "" && a.unlikeMissing {
		out.both = "rewards are missing at other rates in one arm than in another (check H11), or it is not known whether they are, and which arm was played would then follow from a reward being known"
	}
	out.exact, out.bols = a.againstExactBatches(t), a.againstBOLS()
	return out
}

// againstBatchColumn says why there are no batches to go by.
func (a *answers) againstBatchColumn(t *answer) string {
	switch word := a.Protocol.Log.BatchBy; {
	case t.arm < 0:
		return "it is of two arms; name them (equal: [a, b])"
	case !a.Slice.Schema().Batch:
		return "no column says where batches end (log.batch)"
	case word == schemas.SetByReleased:
		return "released values decided where a batch ends (log.batch_by: released), and they carry rewards of the batch"
	case word != schemas.SetBySchedule:
		return "rewards may have decided where a batch ends (log.batch_by: " + word + ")"
	}
	return ""
}

// againstLabels says why the order in which a batch has the arms is not known to have been
// drawn, with the same probabilities in all its rounds.
func (a *answers) againstLabels() string {
	logged, m := a.Slice.HasPropensity(), a.Mechanism
	switch {
	case a.Drawn.Open() != "":
		return a.Drawn.Open()
	case a.Misplayed:
		return "the arms were not played with their propensities (" + a.misplayedBy() + "), so that the order of the arms in a batch is not known to have been drawn"
	case a.Protocol.DrawnBy() == "" && !a.Looked:
		return "whether the order of the arms in a batch was drawn is not declared (policy.draw: {by: round}), and no propensity is logged by which check H17 could contradict it"
	case m != nil && !m.Random():
		return "the declared policy draws nothing, so that the order of the arms in a batch is none of chance (policy)"
	case logged:
		return ""
	case m == nil && facts.ContextDim(a.Slice) > 0:
		return "the policy may have read contexts (log.context), and no propensity is logged that shows the same probabilities throughout a batch (log.propensity); decide: assignment needs none of that, but propensities"
	case m == nil:
		return ""
	case !m.Known():
		return "whether the declared policy gave the arms the same probabilities throughout a batch is seen from propensities alone, and none is logged (log.propensity)"
	case a.Another() != "":
		return "the arms were not played with the declared probabilities (policy.conformance)"
	}
	return ""
}

// againstExactBatches says why batches cannot decide the question.
func (a *answers) againstExactBatches(t *answer) string {
	switch {
	case t.kind == schemas.TestDifference && *t.spec.Value != 0:
		return fmt.Sprintf("the difference is held against %g: batches tell whether arms pay alike (value: 0)", *t.spec.Value)
	case t.kind == schemas.TestDifference && !a.Binary():
		return "rewards are not 0 or 1 by type and range: two arms of equal mean need not pay alike, which is what is tested; ask equal: [a, b]"
	case !a.Binary() && !fixedEnd(a.Protocol):
		return openCount(a.Protocol)
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
	case !fixedEnd(a.Protocol):
		return openCount(a.Protocol)
	case missingRows(a.sums) > 0 && a.Protocol.Log.MissingReward == schemas.MissingExclude:
		return "missing rewards are left out and may depend on the reward (missing_reward: exclude)"
	}
	return ""
}

// unlikeWithinBatches says why the arms had other chances in one round of a batch than
// in another; "" where nothing that is logged shows that. It reads no reward. Where the
// rewards of a batch are to be held, one that is too long is ErrMemory.
func unlikeWithinBatches(ctx context.Context, in *facts.Log, held bool) (string, error) {
	w := &batchWalk{Log: in, p: make([]float64, in.K()), could: make([]bool, 0, in.K())}
	var err error
	if w.ends, err = in.PropensityEnds(ctx); err != nil {
		return "", err
	}
	err = in.Slice.Guard(func() error {
		for i := range in.Slice.Chunks() {
			if ctx.Err() != nil || w.why != "" {
				return ctx.Err()
			}
			c := in.Slice.Chunk(i)
			w.chunk(&c)
		}
		w.end()
		return nil
	})
	const bytes = 40 // of a row: what is appended to, its label, and its reward among those that change places
	if need := bytes * w.longest; err == nil && held && in.Memory > 0 && need > in.Memory/2 {
		return "", fmt.Errorf("%w: the rewards of a batch of %s take about %d MiB (method %s), and half of the %d MiB allowed may be used; raise --max-memory",
			ErrMemory, rows(w.longest), need>>20, schemas.MethodBatchExact, in.Memory>>20)
	}
	return w.why, err
}

// batchWalk holds the public columns of each round against those of the first of its
// batch.
type batchWalk struct {
	*facts.Log

	ends          facts.PropensityEnds
	batch         int32
	rows, longest int64
	p             []float64 // of each arm, as the batch had it first; NaN: not yet
	could         []bool    // the arms that could be played in its first round
	why           string
}

func (w *batchWalk) chunk(c *tableau.Chunk) {
	for t, b := range c.Batch {
		if b != w.batch {
			w.end()
			w.batch = b
		}
		if w.rows++; w.rows == 1 {
			w.begin(c, t)
		}
		if w.why == "" {
			w.eligible(c, t)
			w.propensities(c, t)
		}
	}
}

func (w *batchWalk) begin(c *tableau.Chunk, t int) {
	w.could = w.could[:0]
	for arm := range w.p {
		w.p[arm] = math.NaN()
		w.could = append(w.could, c.Eligible(t, arm))
	}
}

// eligible holds the arms that could be played against those of the first round.
func (w *batchWalk) eligible(c *tableau.Chunk, t int) {
	if !w.Slice.Schema().Eligible {
		return
	}
	for arm, could := range w.could {
		if c.Eligible(t, arm) != could {
			w.why = w.unlike("the arms that could be played are others")
			return
		}
	}
}

// propensities hold those of a round against those of the first.
func (w *batchWalk) propensities(c *tableau.Chunk, t int) {
	switch k := w.K(); {
	case c.PropensityByArm != nil:
		for arm, p := range c.PropensityByArm[t*k : t*k+k] {
			w.hold(arm, p, w.ends.All)
		}
	case c.Propensity != nil:
		w.hold(int(c.Arm[t]), c.Propensity[t], w.ends.Action)
	}
}

// hold compares a propensity, which is written as that of the first round where it is the
// same, whatever its decimals.
func (w *batchWalk) hold(arm int, p float64, ends decimals.Ends) {
	switch before := w.p[arm]; {
	case before != before:
		w.p[arm] = p
	case !(math.Abs(p-before) <= ends.At(p)/2+float64(2*ends.Relative*p)):
		w.why = w.unlike(fmt.Sprintf("the propensity of arm %s is %.6g and %.6g", w.Name(arm), before, p))
	}
}

// unlike says what is unlike in rounds of the batch.
func (w *batchWalk) unlike(what string) string {
	return fmt.Sprintf("%s in rounds of one batch (log.batch, number %s in the order of the log), and batches tell only where every round of a batch had the same chances; decide: assignment needs no batches", what, schemas.Grouped(int64(w.batch)+1))
}

// end is that of a batch. Of two arms in all the propensities of both add up to 1.
func (w *batchWalk) end() {
	w.longest = max(w.longest, w.rows)
	w.rows = 0
	if w.why != "" || w.Slice.Schema().PropensityByArm || !w.Slice.HasPropensity() || w.K() != 2 || !w.Manifest.Declared || slices.Contains(w.could, false) {
		return
	}
	ends, room := w.ends.Action, 0.0
	for _, p := range w.p {
		room += ends.At(p) + float64(ends.Relative*p)
	}
	const digits = 2
	if decimals.Write(w.p[0], digits) && decimals.Write(w.p[1], digits) {
		room = max(room, twoDecimals)
	}
	if off := math.Abs(w.p[0] + w.p[1] - 1); off > room {
		w.why = w.unlike(fmt.Sprintf("the propensities of the two arms are %.6g and %.6g", w.p[0], w.p[1]))
	}
}

// twoDecimals is how far two probabilities that are rounded to two decimals may be from
// adding up to 1, and some rounding.
const twoDecimals = 0.0100001
