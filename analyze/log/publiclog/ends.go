package publiclog

import (
	"context"
	"math"

	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
)

// PropensityEnds says between which ends logged propensities lie: the propensity of the
// action, and the propensities of all arms. Both columns are known to their own decimals.
type PropensityEnds struct {
	Action, All precision.Ends
	Exactly     Exactly
	Rounded     int // different ones of an arm, where they look rounded to two decimals (see precision.Hundredths); else 0
	Partly      int // likewise where a part of them does, and the others are written in full
}

// Exactly says what shows that propensities were not rounded (see precision.Exact), of the
// action and of all arms; "" where nothing does, or log.propensity_resolution is declared.
type Exactly struct{ Action, All string }

// ActionDrawn are the ends of the propensity of the action, where what was drawn is held
// against it or weighed by it. Propensities of an exact column are taken in full, without
// an allowance for decimals.
func (e PropensityEnds) ActionDrawn() precision.Ends { return inFull(e.Action, e.Exactly.Action) }

// AllDrawn is ActionDrawn of the propensities of all arms.
func (e PropensityEnds) AllDrawn() precision.Ends { return inFull(e.All, e.Exactly.All) }

func inFull(e precision.Ends, exact string) precision.Ends {
	if exact == "" || e.Half {
		return e
	}
	return precision.Ends{Relative: e.Relative}
}

// roundedValues is how many there have to be.
const roundedValues = 10

// PropensityEnds finds the decimals of the columns of propensities, in one pass
// over them.
func (in *Log) PropensityEnds(ctx context.Context) (PropensityEnds, error) {
	type columns struct {
		action, all precision.Column
		exact       [2]precision.Exact
		coarse      precision.Hundredths
	}
	var found columns
	if s := in.Slice; s.Schema().Propensity {
		err := Fold(ctx, s, in.Jobs, func(i int) (*columns, error) {
			c, part := s.Chunk(i), &columns{}
			part.action.Take(c.Propensity)
			part.coarse.Take(in.K(), c.Arm, c.Propensity)
			part.all.TakeRows(c.PropensityByArm, in.K(), c.Again)
			if in.Protocol.Log.PropensityResolution == nil {
				part.exact[0].Take(in.K(), c.Arm, c.Propensity)
				part.exact[1].TakeRows(c.PropensityByArm, in.K(), c.Again)
			}
			return part, nil
		}, func(part *columns) {
			found.action.Merge(&part.action)
			found.all.Merge(&part.all)
			found.exact[0].Merge(&part.exact[0])
			found.exact[1].Merge(&part.exact[1])
			found.coarse.Merge(&part.coarse)
		})
		if err != nil {
			return PropensityEnds{}, err
		}
	}
	r := in.Protocol.Log.PropensityResolution
	out := PropensityEnds{Action: precision.Of(&found.action, r), All: precision.Of(&found.all, r), Rounded: found.coarse.Rounded(roundedValues)}
	if e := &out.Action; e.Room == 0 && e.Digits == 0 && e.Own == 0 && !e.Half { // of decimals one in ten has one less
		out.Partly = found.coarse.Partly(roundedValues)
	}
	out.Exactly = Exactly{
		Action: unlessMixed(found.exact[0].Played(in.Slice.Schema().Eligible), out.Action),
		All:    unlessMixed(found.exact[1].Rows(), out.All),
	}
	if d := found.exact[0].RoundedTo(in.Slice.Schema().Eligible); r == nil && out.Exactly.Action == "" && d > 0 {
		out.Action.Room = max(out.Action.Room, .5/math.Pow10(d))
	}
	return out, nil
}

// unlessMixed is what shows that a column was not rounded; "" where that is that most values
// are written in full, and others are not.
func unlessMixed(exact string, e precision.Ends) string {
	if exact == precision.ExactFull && e.Own > 0 {
		return ""
	}
	return exact
}

// Allocation returns the ends that an allocation is held against: the ends of the
// propensities of all arms where these are logged, else of the action.
func (e PropensityEnds) Allocation(s tableau.Schema) precision.Ends {
	if s.PropensityByArm {
		return e.AllDrawn()
	}
	return e.ActionDrawn()
}
