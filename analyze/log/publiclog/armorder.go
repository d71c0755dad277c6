package publiclog

import (
	"context"

	"banditaudit/ingest/armorder"
	"banditaudit/ingest/tableau"
)

// readArmOrder finds, where log.propensity is not what log.propensity_by_arm says of
// the logged arm, the only order of arms under which it is so in all rows. It is one
// more pass over the log, which no other log pays for. Special cases are:
//
//	no order, more than one, or more than 64 arms: none is known
func (f *Facts) readArmOrder(ctx context.Context) error {
	k := f.K()
	if f.Pub.byArm.Disagree == 0 || k > armorder.MostArms {
		return nil
	}
	m := armorder.New(k)
	err := EachChunk(ctx, f.Slice, func(_ int, c *tableau.Chunk) error {
		for t, arm := range c.Arm {
			list := c.PropensityByArm[t*k : t*k+k]
			m.Keep(int(arm), func(entry int) bool { return f.Pub.byArm.Agree(c.Propensity[t], list[entry]) })
		}
		return nil
	})
	if err != nil {
		return err
	}
	if entries := m.Only(); entries != nil {
		f.Pub.byArm.Order = make([]int, k)
		for arm, entry := range entries {
			f.Pub.byArm.Order[entry] = arm
		}
	}
	return nil
}
