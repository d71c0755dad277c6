package facts

import (
	"context"

	"banditaudit/ingest/decimals"
	"banditaudit/ingest/tableau"
)

// PropensityEnds say between which ends logged propensities lie: that of the
// action, and those of all arms. Both columns are known to their own decimals.
type PropensityEnds struct{ Action, All decimals.Ends }

// PropensityEnds finds the decimals of the columns of propensities, in one pass
// over them.
func (in *Log) PropensityEnds(ctx context.Context) (PropensityEnds, error) {
	type columns struct{ action, all decimals.Column }
	var found columns
	if s := in.Slice; s.Schema().Propensity {
		err := Fold(ctx, s, in.Jobs, func(i int) (*columns, error) {
			c, part := s.Chunk(i), &columns{}
			part.action.Take(c.Propensity)
			part.all.TakeRows(c.PropensityByArm, in.K(), c.Again)
			return part, nil
		}, func(part *columns) {
			found.action.Merge(&part.action)
			found.all.Merge(&part.all)
		})
		if err != nil {
			return PropensityEnds{}, err
		}
	}
	r := in.Protocol.Log.PropensityResolution
	return PropensityEnds{Action: decimals.Of(&found.action, r), All: decimals.Of(&found.all, r)}, nil
}

// Allocation are the ends that an allocation is held against: those of all arms
// where they are logged.
func (e PropensityEnds) Allocation(s tableau.Schema) decimals.Ends {
	if s.PropensityByArm {
		return e.All
	}
	return e.Action
}
