package publiclog

import (
	"context"
	"math"
	"slices"
	"sort"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// DrawnAnew reports whether every round of a unit is declared to be drawn anew:
// check H17 then also looks at the arm of the unit's round before, for half of its
// level. It goes by the protocol alone, so that no log decides on its own level.
func (in *Log) DrawnAnew() bool {
	return in.Slice.Schema().Unit && in.Protocol.DrawnBy() == schemas.DrawByRound
}

// Wagered is the wager on the arm of the unit's round before, which has no rounds
// where there was nothing to look at; nil where rounds are not declared to be drawn
// anew.
func (f *Facts) Wagered() *check.RepeatedArms {
	if f.Sticky != nil && f.Sticky.again != nil {
		return f.Sticky.again
	}
	return f.newAgain().found()
}

// Stays says, behind pulls that contradict a policy whose rounds are declared to be
// drawn anew, that units keep their arm, which moves pulls as far; "" where H17 does
// not find that.
func (f *Facts) Stays() string {
	if f.Sticky == nil || f.Sticky.again == nil {
		return ""
	}
	if r := f.Sticky.again.Result; !r.Rejected || r.Underserved || !(r.Deviation > 0) {
		return ""
	}
	return ". Units play the arm of their round before more often than its propensity (check H17): where one draw serves several rounds of a unit, pulls vary by more; then declare policy.draw: {by: unit}"
}

// again wagers on the arm of the unit's round before, and where the propensities of all arms
// are known on the arms of all its earlier rounds.
type again struct {
	*allocationtest.Repeats

	ends     precision.Ends
	arms     int
	deficits bool

	past, low, high []float64 // of Repeats.Plays: of the unit, and by arm of the round
}

// newAgain begins a wager; nil where rounds are not declared to be drawn anew, no
// propensity is logged, the action was drawn by one more draw, or rows may have been
// dropped by their arm.
func (f *Facts) newAgain() *again {
	s := f.Slice.Schema()
	if !f.DrawnAnew() || !s.Propensity || OneMore(f.Protocol) || f.Sampled.Selected() {
		return nil
	}
	two := f.Manifest.Declared && f.K() == 2
	a := &again{ends: f.Ends.Allocation(s), arms: f.K(), deficits: s.PropensityByArm || two}
	a.Repeats = allocationtest.NewRepeats(allocationtest.RepeatsLevel/float64(max(1, f.Whole().Experiments)), a.deficits)
	if a.deficits && a.arms <= MostFollowed {
		a.Plays = allocationtest.NewUnitPlays(a.arms)
		a.past, a.low, a.high = make([]float64, a.Plays.PastSize()), make([]float64, a.arms), make([]float64, a.arms)
	}
	return a
}

// MostFollowed is how many arms there can be that are held against all earlier rounds of
// their unit.
const MostFollowed = 1 << 12

// follow takes up any round of a unit; fresh says that it is the first.
func (a *again) follow(v *ChunkView, row int, fresh bool) {
	if a.Plays == nil {
		return
	}
	if fresh {
		clear(a.past)
	}
	played := int(v.Arm[row])
	for arm := range a.low {
		switch {
		case v.all != nil:
			a.low[arm], a.high[arm] = a.endsOf(v, row, arm, v.all[row*a.arms+arm])
		case arm == played:
			a.low[arm], a.high[arm] = a.endsOf(v, row, arm, v.p[row])
		default: // of two arms
			a.low[arm], a.high[arm] = a.endsOf(v, row, arm, 1-v.p[row])
		}
	}
	if a.high[played] > 0 { // else it is a fault that H04 names
		a.Plays.Add(a.past, played, a.low, a.high)
	}
}

// endsOf are the ends of a propensity of an arm; both 0 where it could not be played.
func (a *again) endsOf(v *ChunkView, row, arm int, p float64) (low, high float64) {
	if !(p > 0) || !v.could(row, arm) {
		return 0, 0
	}
	return a.ends.Lower(p), a.ends.Upper(p)
}

// found is what the wager came to; nil where there is none.
func (a *again) found() *check.RepeatedArms {
	if a == nil {
		return nil
	}
	return &check.RepeatedArms{Result: a.Result(), Deficits: a.deficits}
}

// see takes up a later round of a unit, and the arm of its round before.
func (a *again) see(v *ChunkView, row int, before int32) {
	arm, b, p := int(v.Arm[row]), int(before), v.p[row]
	at := func(arm int) float64 { return v.all[row*a.arms+arm] }
	if v.all != nil {
		p = at(arm)
	}
	if !(p > 0) || !v.could(row, b) || v.all != nil && !(at(b) > 0) {
		return // the first is a fault that H04 names
	}
	low := 0.0
	switch {
	case v.all != nil:
		low = a.ends.Lower(at(b))
	case arm == b:
		low = a.ends.Lower(p)
	case a.deficits: // of two arms
		low = max(0, 1-a.ends.Upper(p))
	}
	a.Add(arm == b, a.ends.Upper(p), low)
	switch {
	case v.all != nil:
		a.Expect(at(b))
	case arm == b && a.deficits:
		a.Expect(p)
	case a.deficits: // of two arms
		a.Expect(1 - p)
	}
}

// mostVersions bounds the versions that are told apart: 2 MiB.
const mostVersions = 1 << 18

// versions are runs of rounds in which nothing that is logged of the weights
// changes: batch, arms that could be played, propensities.
type versions struct{ starts []int64 }

// of is the version of a row.
func (v *versions) of(row int64) int {
	if v == nil {
		return 0
	}
	return sort.Search(len(v.starts), func(i int) bool { return v.starts[i] > row })
}

// readVersions finds the versions where one draw a unit is declared; nil elsewhere,
// where no propensity is logged, where there are more than 262,144, and where propensities
// logged for the action alone, of more than two arms, change inside a batch: while other
// arms are played it is not known when the propensity of an arm changed.
func (f *Facts) readVersions(ctx context.Context) (*versions, error) {
	s := f.Slice.Schema()
	if f.Drawn != conformance.DrawsByUnit || !s.Propensity {
		return nil, nil //nolint:nilnil // they are not asked for
	}
	r := &versionReader{versions: &versions{}, k: f.K(), batch: -1, could: make([]bool, f.K()), known: make([]float64, f.K())}
	if r.all = s.PropensityByArm; !r.all && f.Manifest.Declared && f.K() == 2 {
		r.two, r.room = true, 2*(f.Ends.Action.Upper(.5)-.5)+1e-12
	}
	err := f.Slice.Guard(func() error {
		for i := 0; i < f.Slice.Chunks() && !r.lost; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := f.Slice.Chunk(i)
			r.read(&c)
		}
		return nil
	})
	if err != nil || r.lost {
		return nil, err
	}
	return r.versions, nil
}

// versionReader goes over the rounds in their order.
type versionReader struct {
	*versions

	k     int
	all   bool // the propensities of all arms are logged
	two   bool // the propensities of the actions are logged, of two arms
	room  float64
	lost  bool // versions are not known
	begun bool
	batch int32
	could []bool
	known []float64 // by arm, since the version began; NaN: not known
}

// read takes up a chunk.
func (r *versionReader) read(c *tableau.Chunk) {
	for t := range c.Arm {
		other := r.reset(c, t) || !r.begun
		moved := !other && r.moved(c, t)
		if moved && !r.all && !r.two || len(r.starts) == mostVersions {
			r.lost = true
			return
		}
		if r.begun = true; moved || other {
			r.starts = append(r.starts, c.Start+int64(t))
			for a := range r.known {
				r.known[a] = math.NaN()
			}
		}
		r.keep(c, t)
	}
}

// moved reports whether a propensity of a round is another than in its version.
func (r *versionReader) moved(c *tableau.Chunk, t int) bool {
	if r.all {
		return !slices.Equal(c.PropensityByArm[t*r.k:t*r.k+r.k], r.known)
	}
	arm, p := r.played(c, t)
	return math.Abs(p-r.known[arm]) > r.room // not where it is not known
}

// played is the arm whose propensity a round says, and that; of two arms always the
// first.
func (r *versionReader) played(c *tableau.Chunk, t int) (arm int32, p float64) {
	if arm, p = c.Arm[t], c.Propensity[t]; r.two && arm == 1 {
		return 0, 1 - p
	}
	return arm, p
}

// keep takes up the propensities of a round.
func (r *versionReader) keep(c *tableau.Chunk, t int) {
	if r.all {
		copy(r.known, c.PropensityByArm[t*r.k:t*r.k+r.k])
		return
	}
	arm, p := r.played(c, t)
	r.known[arm] = p
}

// reset reports whether the batch or the arms that could be played are other ones
// than in the round before, and takes them up.
func (r *versionReader) reset(c *tableau.Chunk, t int) bool {
	other := false
	if len(c.Batch) > 0 && c.Batch[t] != r.batch {
		r.batch, other = c.Batch[t], true
	}
	for a := range r.could {
		if could := c.Eligible(t, a); could != r.could[a] {
			r.could[a], other = could, true
		}
	}
	return other
}

// Record is what is said of the later rounds of units, among it the wager of check H17 on
// them; nil where there are none, or they are not at hand.
func (k *stickiness) Record(again *check.RepeatedArms) *schemas.Repeats {
	if k == nil {
		return nil
	}
	out := &schemas.Repeats{Later: k.Later, Same: k.same, Expected: schemas.Finite(k.expected), Anew: anewRecord(again)}
	if k.draws == conformance.DrawsByUnit {
		s := &k.logged
		out.Kept = &schemas.Kept{Rounds: s.Rounds, Moved: s.moved}
		if s.moved > 0 {
			out.Kept.First = new(s.first)
		}
	}
	return out
}

// anewRecord converts the carry-over test, on the unit's previous arm, to JSON; nil where there
// is none.
func anewRecord(a *check.RepeatedArms) *schemas.Anew {
	if a == nil {
		return nil
	}
	r := &a.Result
	out := &schemas.Anew{
		Rounds: r.Rounds, Repeated: r.Repeated, Deficits: a.Deficits, Level: r.Level, LogE: r.LogE, Rejected: r.Rejected,
		Deficit: r.Underserved, ByPlays: r.ByPlays, Favoured: r.Favoured, Deviation: schemas.Finite(r.Deviation), Least: schemas.Finite(r.Least),
	}
	if r.Favouring > 0 {
		out.Favouring = schemas.Finite(r.Favouring)
	}
	return out
}
