package analyze

import (
	"context"
	"fmt"
	"math"

	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// keeping is what the later rounds of units say of whether a unit keeps its arm.
type keeping struct {
	later    int64   // rounds that are not the first of their unit
	same     int64   // of these, those that play the arm of the unit's round before
	expected float64 // of these, what the logged propensities give, were each drawn by itself; NaN where they do not say

	stood int64 // later rounds in the version of the unit's first, while weights stand still
	moved int64 // of these, those that play another arm than the first
	round int64 // the first such round, as logged; 0: none
}

// readKeeping walks the rows by unit where units repeat and every round is not
// declared to be drawn by itself; nil elsewhere, and where the tableau's units are
// not at hand.
func (f *facts) readKeeping(ctx context.Context) (*keeping, error) {
	if f.draws == conformance.DrawsByRound || !f.repeated() || !f.Slice.HasUnits() {
		return nil, nil //nolint:nilnil // there is nothing to say
	}
	w := &keepingWalk{keeping: &keeping{}, facts: f, unit: -1, still: f.standStill()}
	if !f.Slice.Schema().PropensityByArm {
		w.expected = math.NaN()
	}
	return w.keeping, unitRows(ctx, f.Slice, w.see, func() error { return nil })
}

// standStill reports whether the weights of a unit are the same in all rounds of a
// version: of a batch where batches are declared, and of the log where the declared
// policy never changes them.
func (f *facts) standStill() bool {
	m := f.Mechanism
	return m != nil && !varying(f.Slice) && (m.Known() || f.Slice.Schema().Batch && f.Protocol.Policy.Update.Batch)
}

// keepingWalk goes through the rows in order of unit, then row.
type keepingWalk struct {
	*keeping
	facts *facts
	still bool

	unit      int64
	arm, last int32 // of the unit's first row, and of the row before
	batch     int32 // of the unit's first row
}

// see takes up a row.
func (w *keepingWalk) see(v *chunkView, r unitRow) error {
	arm, batch := v.arm[r.at], int32(0)
	if v.batch != nil && !w.known() {
		batch = v.batch[r.at]
	}
	if r.unit != w.unit {
		w.unit, w.arm, w.last, w.batch = r.unit, arm, arm, batch
		return nil
	}
	w.later++
	if arm == w.last {
		w.same++
	}
	if k := len(w.facts.Manifest.Arms); v.all != nil {
		w.expected += v.all[r.at*k+int(w.last)]
	}
	if w.still && batch == w.batch {
		w.stand(arm, v.round[r.at])
	}
	w.last = arm
	return nil
}

// known reports whether weights stand still in the whole log.
func (w *keepingWalk) known() bool { return w.facts.Mechanism != nil && w.facts.Mechanism.Known() }

// stand takes up a later round in the version of the unit's first.
func (w *keepingWalk) stand(arm int32, round int64) {
	w.stood++
	if arm == w.arm {
		return
	}
	if w.moved++; w.round == 0 || round < w.round {
		w.round = round
	}
}

// words say how often units played the arm of their round before; "" where nothing
// is known.
func (k *keeping) words() string {
	if k == nil || k.later == 0 {
		return ""
	}
	out := fmt.Sprintf("In %s of %s of units, the arm is that of the unit's round before", schemas.Grouped(k.same), schemas.Counted(k.later, "later round"))
	if math.IsNaN(k.expected) {
		return out + "."
	}
	return out + fmt.Sprintf("; by the logged propensities %s would be, were every round drawn by itself.", schemas.Grouped(int64(math.Round(k.expected))))
}

// moves says that units do not keep the arm that one draw gave them; "" where they
// do, or nobody says that they should.
func (f *facts) moves() string {
	if f.kept == nil || f.draws != conformance.DrawsByUnit || f.kept.moved == 0 {
		return ""
	}
	return fmt.Sprintf("policy.draw is {by: unit}, and in %s of %s in which its weights stood still a unit plays another arm than in its first round; the first is round %s",
		schemas.Grouped(f.kept.moved), schemas.Counted(f.kept.stood, "later round"), schemas.Grouped(f.kept.round))
}
