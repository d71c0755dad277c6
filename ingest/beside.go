package ingest

import (
	"context"

	"banditaudit/ingest/role"
)

// beside holds what the first pass sorts beside the rows' own order, and the
// columns that come of it: units, and the rounds at which rewards became known.
type beside struct {
	units     *unitKeys
	rewards   *rewardTimes
	unit      *byRow
	round     *byRow
	before    *byRow
	unitCount []int64         // by experiment in order of first appearance
	written   map[int32]int64 // units that are another one's number in another writing; of experiments that have such
}

// newBeside makes the sorts that the protocol asks for.
func (r *intake) newBeside(ctx context.Context) *beside {
	unit, reward := r.log.position(role.Unit), r.log.position(role.RewardOrder)
	late := reward >= 0 || r.log.clock != nil
	b := &r.beside
	sorts := share(0)
	if unit >= 0 {
		sorts++
	}
	if late {
		sorts += 2
	}
	if unit >= 0 {
		b.units = newUnitKeys(r.log, unit, r.spillConfig(ctx, shareKeys/sorts))
		b.unit = r.newByRow(ctx)
		r.walks++ // the numbering
		r.walks++ // units.arrow
	}
	if late {
		b.round, b.before = r.newByRow(ctx), r.newByRow(ctx)
		b.rewards = newRewardTimes(r.log, reward, r.log.clock, b.round, b.before, r.spillConfig(ctx, shareKeys/sorts))
		r.walks++
	}
	return b
}

// any reports whether there is anything beside the rows.
func (b *beside) any() bool { return b.unit != nil || b.round != nil }

// number makes the columns, after the first pass and before the second.
func (b *beside) number(f *firstPass, progress func(int64)) error {
	if b.units != nil {
		b.unitCount = make([]int64, len(f.count))
		b.written = map[int32]int64{}
		err := b.units.number(b.unit, func(code int32, units, written int64) {
			if b.unitCount[code] = units; written > 0 {
				b.written[code] = written
			}
		}, progress)
		if err != nil {
			return err
		}
	}
	if b.rewards != nil {
		if err := b.rewards.number(progress); err != nil {
			return err
		}
	}
	b.closeKeys()
	for _, column := range []*byRow{b.unit, b.round, b.before} {
		if column != nil {
			if err := column.sort(); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill gives a block the columns, for n rows of the log from first on. After a
// fault of the first pass there are none.
func (b *beside) fill(c *converted, first int64, n int) (err error) {
	if b.unit != nil {
		if c.Unit, err = b.unit.fill(c.Unit, first, n); err != nil {
			return err
		}
	}
	if b.round != nil {
		if c.RewardRound, err = b.round.fill(c.RewardRound, first, n); err != nil {
			return err
		}
		c.RewardBefore, err = b.before.fill(c.RewardBefore, first, n)
	}
	return err
}

// closeKeys frees what only the numbering needs.
func (b *beside) closeKeys() {
	if b.units != nil {
		b.units.sorter.Close()
	}
	if b.rewards != nil {
		b.rewards.close()
	}
}

// close frees everything.
func (b *beside) close() {
	b.closeKeys()
	b.unit.close()
	b.round.close()
	b.before.close()
}
