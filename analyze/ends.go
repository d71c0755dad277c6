package analyze

import (
	"context"

	"banditaudit/ingest/decimals"
	"banditaudit/ingest/tableau"
)

// propensityEnds say between which ends logged propensities lie: that of the
// action, and those of all arms. Both columns are known to their own decimals.
type propensityEnds struct{ action, all decimals.Ends }

// propensityEnds finds the decimals of the columns of propensities, in one pass
// over them.
func (in *Log) propensityEnds(ctx context.Context) (propensityEnds, error) {
	type columns struct{ action, all decimals.Column }
	var found columns
	if s := in.Slice; s.Schema().Propensity {
		err := fold(ctx, s, in.Jobs, func(i int) (*columns, error) {
			c, part := s.Chunk(i), &columns{}
			part.action.Take(c.Propensity)
			part.all.Take(c.PropensityByArm)
			return part, nil
		}, func(part *columns) {
			found.action.Merge(&part.action)
			found.all.Merge(&part.all)
		})
		if err != nil {
			return propensityEnds{}, err
		}
	}
	r := in.Protocol.Log.PropensityResolution
	return propensityEnds{action: decimals.Of(&found.action, r), all: decimals.Of(&found.all, r)}, nil
}

// allocation are the ends that an allocation is held against: those of all arms
// where they are logged.
func (e propensityEnds) allocation(s tableau.Schema) decimals.Ends {
	if s.PropensityByArm {
		return e.all
	}
	return e.action
}
