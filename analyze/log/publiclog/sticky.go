package publiclog

import (
	"context"
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// stickiness is what the later rounds of units say of whether a unit keeps its arm.
type stickiness struct {
	draws    conformance.Draws
	Later    int64   // rounds that are not the first of their unit
	same     int64   // of these, those that play the arm of the unit's round before
	expected float64 // of these, what the logged propensities give, were each drawn by itself; NaN where they do not say

	Still  stood // in the version of the unit's first round, while the declared policy's weights stand still
	logged stood // since the unit's round before nothing that is logged of the weights changed; by unit only

	again *check.RepeatedArms // the wager on the arm of the round before; nil unless every round is declared to be drawn anew and propensities are logged
}

// stood are later rounds of units in which weights have not changed.
type stood struct {
	Rounds int64
	moved  int64 // of these, those that play another arm than the round they are held against
	first  int64 // the first such round, as logged; 0: none
}

// see takes up such a round.
func (s *stood) see(moved bool, round int64) {
	s.Rounds++
	if !moved {
		return
	}
	if s.moved++; s.first == 0 || round < s.first {
		s.first = round
	}
}

// readKeeping walks the rows by unit where units repeat; nil elsewhere, and where
// the tableau's units are not at hand.
func (f *Facts) readKeeping(ctx context.Context) (*stickiness, error) {
	if !Repeated(f.Slice) || !f.Slice.HasUnits() {
		return nil, nil //nolint:nilnil // there is nothing to say
	}
	w := &keepingWalk{stickiness: &stickiness{draws: f.Drawn}, facts: f, unit: -1, still: f.standStill(), again: f.newAgain()}
	var err error
	if w.versions, err = f.readVersions(ctx); err != nil {
		return nil, err
	}
	if !f.Slice.Schema().PropensityByArm {
		w.expected = math.NaN()
	}
	if err = UnitRows(ctx, f.Slice, w.see, func() error { return nil }); err != nil {
		return nil, err
	}
	w.stickiness.again = w.again.found()
	return w.stickiness, nil
}

// standStill reports whether the weights of a unit are the same in all rounds of a
// version: of a batch where batches are declared, and of the log where the declared
// policy never changes them.
func (f *Facts) standStill() bool {
	m, policy := f.Mechanism, f.Protocol.Policy
	return m != nil && !Varying(f.Slice) && (m.Known() || f.Slice.Schema().Batch && policy.Update.Batch)
}

// keepingWalk goes through the rows in order of unit, then row.
type keepingWalk struct {
	*stickiness
	facts    *Facts
	still    bool
	versions *versions // nil where they are not asked for, or are too many
	again    *again    // nil where nothing is wagered

	unit      int64
	arm, last int32 // of the unit's first row, and of the row before
	batch     int32 // of the unit's first row
	version   int   // of the row before
}

// see takes up a row.
func (w *keepingWalk) see(v *ChunkView, r UnitRow) error {
	arm, batch := v.Arm[r.At], int32(0)
	if v.batch != nil && !w.known() {
		batch = v.batch[r.At]
	}
	version := w.versions.of(v.start + int64(r.At))
	if w.again != nil {
		w.again.follow(v, r.At, r.Unit != w.unit)
	}
	if r.Unit != w.unit {
		w.unit, w.arm, w.last, w.batch, w.version = r.Unit, arm, arm, batch, version
		return nil
	}
	w.Later++
	if arm == w.last {
		w.same++
	}
	if k := len(w.facts.Manifest.Arms); v.all != nil {
		w.expected += v.all[r.At*k+int(w.last)]
	}
	if w.still && batch == w.batch {
		w.Still.see(arm != w.arm, v.round[r.At])
	}
	if w.versions != nil && version == w.version {
		w.logged.see(arm != w.last, v.round[r.At])
	}
	if w.again != nil {
		w.again.see(v, r.At, w.last)
	}
	w.last, w.version = arm, version
	return nil
}

// known reports whether weights stand still in the whole log.
func (w *keepingWalk) known() bool { return w.facts.Mechanism != nil && w.facts.Mechanism.Known() }

// Words say how often units played the arm of their round before, and whether they
// had to; "" where nothing is known, and where a wager on it says more.
func (k *stickiness) Words() string {
	if k == nil || k.again != nil {
		return ""
	}
	return k.SameWords() + k.stoodWords()
}

// SameWords say how often units played the arm of their round before.
func (k *stickiness) SameWords() string {
	out := fmt.Sprintf("In %s of %s of units, the arm is that of the unit's round before", schemas.Grouped(k.same), schemas.Counted(k.Later, "later round"))
	if !math.IsNaN(k.expected) {
		out += fmt.Sprintf("; by the logged propensities %s would be, were every round drawn by itself", schemas.Grouped(int64(math.Round(k.expected))))
	}
	return out + "."
}

// stoodWords say in how many later rounds a unit had to keep its arm, by what is
// logged of the weights, and did; "" where it need not.
func (k *stickiness) stoodWords() string {
	switch {
	case k.draws != conformance.DrawsByUnit:
		return ""
	case k.logged.Rounds == 0:
		return " By what is logged, whether units keep their arm was not looked at: no later round is known in which batch, arms that could be played and propensities are those of the unit's round before, and of all rounds between."
	}
	return fmt.Sprintf(" In %s of them nothing that is logged of the weights (batch, arms that could be played, propensities) had changed since the unit's round before; in %s of these the arm is another.",
		schemas.Grouped(k.logged.Rounds), schemas.Grouped(k.logged.moved))
}

// Moves says that units do not keep the arm that one draw gave them, by the declared
// policy; "" where they do, or nobody says that they should.
func (f *Facts) Moves() string {
	if f.Sticky == nil || f.Drawn != conformance.DrawsByUnit || f.Sticky.Still.moved == 0 {
		return ""
	}
	return fmt.Sprintf("%s, and in %s of %s in which its weights stood still a unit plays another arm than in its first round; the first is round %s", f.byUnit(),
		schemas.Grouped(f.Sticky.Still.moved), schemas.Counted(f.Sticky.Still.Rounds, "later round"), schemas.Grouped(f.Sticky.Still.first))
}

// MovedRounds are the later rounds that Moves counts, as what fails; nil where it says nothing.
func (f *Facts) MovedRounds() []schemas.Failing {
	if f.Moves() == "" {
		return nil
	}
	s := &f.Sticky.Still
	return []schemas.Failing{{Kind: schemas.FailingUnit, Count: s.moved, Of: s.Rounds, First: &schemas.FirstFailing{Round: s.first}}}
}

// byUnit says that one draw a unit is declared.
func (f *Facts) byUnit() string { return strings.Replace(f.Protocol.DrawWords(), ":", " is", 1) }

// Moved says that units do not keep their arm where nothing that is logged of the
// weights changed, or the declared policy's weights stood still, and what would
// settle it; "" where they do, or nobody says that they should.
func (f *Facts) Moved() string {
	if f.Sticky == nil || f.Drawn != conformance.DrawsByUnit {
		return ""
	}
	out := f.Moves()
	if s := &f.Sticky.logged; out == "" && s.moved > 0 {
		out = fmt.Sprintf("%s, and in %s of %s in which nothing that is logged of the weights had changed since the unit's round before (batch, arms that could be played, propensities) the arm is another; the first is round %s", f.byUnit(),
			schemas.Grouped(s.moved), schemas.Counted(s.Rounds, "later round"), schemas.Grouped(s.first))
	}
	if out == "" {
		return ""
	}
	return out + ": with which probabilities later rounds were played is then not known. Write policy.draw: {by: round} where every round drew anew; where a unit is drawn anew in each version of the weights, name the versions in log.batch"
}
