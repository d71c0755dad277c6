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
func (in *Input) propensityEnds(ctx context.Context) (propensityEnds, error) {
	var action, all decimals.Column
	s := in.Slice.Schema()
	err := in.Slice.Guard(func() error {
		for i := 0; s.Propensity && i < in.Slice.Chunks(); i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := in.Slice.Chunk(i)
			action.Take(c.Propensity)
			all.Take(c.PropensityByArm)
		}
		return nil
	})
	r := in.Protocol.Log.PropensityResolution
	return propensityEnds{action: decimals.Of(&action, r), all: decimals.Of(&all, r)}, err
}

// allocation are the ends that an allocation is held against: those of all arms
// where they are logged.
func (e propensityEnds) allocation(s tableau.Schema) decimals.Ends {
	if s.PropensityByArm {
		return e.all
	}
	return e.action
}
