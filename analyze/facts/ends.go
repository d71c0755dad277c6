package facts

import (
	"context"

	"banditaudit/ingest/decimals"
	"banditaudit/ingest/tableau"
)

// PropensityEnds say between which ends logged propensities lie: that of the
// action, and those of all arms. Both columns are known to their own decimals.
type PropensityEnds struct {
	Action, All decimals.Ends
	Rounded     int // different ones of an arm, where they look rounded to two decimals (see decimals.Hundredths); else 0
}

// roundedValues is how many there have to be.
const roundedValues = 10

// PropensityEnds finds the decimals of the columns of propensities, in one pass
// over them.
func (in *Log) PropensityEnds(ctx context.Context) (PropensityEnds, error) {
	type columns struct {
		action, all decimals.Column
		coarse      decimals.Hundredths
	}
	var found columns
	if s := in.Slice; s.Schema().Propensity {
		err := Fold(ctx, s, in.Jobs, func(i int) (*columns, error) {
			c, part := s.Chunk(i), &columns{}
			part.action.Take(c.Propensity)
			part.coarse.Take(in.K(), c.Arm, c.Propensity)
			part.all.TakeRows(c.PropensityByArm, in.K(), c.Again)
			return part, nil
		}, func(part *columns) {
			found.action.Merge(&part.action)
			found.all.Merge(&part.all)
			found.coarse.Merge(&part.coarse)
		})
		if err != nil {
			return PropensityEnds{}, err
		}
	}
	r := in.Protocol.Log.PropensityResolution
	return PropensityEnds{Action: decimals.Of(&found.action, r), All: decimals.Of(&found.all, r), Rounded: found.coarse.Rounded(roundedValues)}, nil
}

// Allocation are the ends that an allocation is held against: those of all arms
// where they are logged.
func (e PropensityEnds) Allocation(s tableau.Schema) decimals.Ends {
	if s.PropensityByArm {
		return e.All
	}
	return e.Action
}
