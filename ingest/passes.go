package ingest

import (
	"context"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/role"
)

// read makes both passes. Faults are in the collector.
func (r *intake) read(ctx context.Context) error {
	defer r.free()
	if err := r.pass(ctx); err != nil {
		return err
	}
	r.rank, r.ids = ranks(r.first.experiments.Names)
	arms := r.p.Arms
	if r.first.arms != nil {
		arms = cell.SortedLabels(r.first.arms.Names)
	}
	if c := r.log.clock; c != nil {
		c.first = c.tick(r.first.keys.columns[0].least)
	}
	var err error
	if r.convert, err = newConverter(r.p, r.log, r.first.experiments, cell.NewLabels(arms)); err != nil {
		return err
	}
	r.keepTimes()
	if w := max(r.log.position(role.Batch), r.log.position(role.Clock)); w >= 0 {
		r.batches = newBatchNumbers(r.log, w, r.convert, len(r.rank))
	}
	if w := r.log.position(role.Stratum); w >= 0 {
		r.strata = &strataNumbers{log: r.log, want: w, most: mostStrata(len(arms))}
	}
	if r.log.position(role.Unit) >= 0 {
		r.unitsBy = r.newUnitRows(ctx)
	}
	s := &scanner{log: r.log, shapes: r.convert.shapes, progress: r.progress}
	if r.first.sorted {
		err = r.stream(ctx, s)
	} else {
		r.walks++
		err = r.sort(ctx, s)
	}
	if err != nil {
		return err
	}
	if r.batches != nil {
		r.batches.report()
	}
	if r.strata != nil {
		r.strata.report()
	}
	if r.faults.Any() {
		return nil
	}
	return r.writeUnits()
}

// pass makes the first pass, and numbers units and rewards' rounds by it.
func (r *intake) pass(ctx context.Context) error {
	if err := r.severalTimes(ctx); err != nil {
		return err
	}
	r.walks += 2
	r.first, r.log.clock = newFirstPass(r.p, r.log), r.newClock()
	if err := r.first.run(ctx, r.newBeside(ctx), r.progress); err != nil {
		return err
	}
	if r.faults.Any() {
		return nil
	}
	return r.beside.number(r.first, r.progress)
}

// stream writes rows that come in order.
func (r *intake) stream(ctx context.Context, s *scanner) error {
	if !r.faults.Any() {
		if err := r.open(); err != nil {
			return err
		}
	}
	s.ask = func(w *role.Want) bool {
		if w.Role == role.Order {
			return r.times != nil && w.Name == r.times.column
		}
		return w.Reads(role.Second)
	}
	e := newEmitter(r)
	var at []int64
	return s.scan(ctx, func(b *rows) error {
		c, err := r.block(b)
		if err != nil {
			return err
		}
		at = cell.Resize(at, b.n)
		for i := range at {
			at[i] = b.first + int64(i)
			if code := c.Experiment[i]; code >= 0 {
				c.Experiment[i] = r.rank[code]
			}
		}
		return e.add(c, at)
	})
}

// block converts a block, and adds what the first pass found.
func (r *intake) block(b *rows) (*converted, error) {
	c, err := r.convert.block(b)
	if err != nil {
		return nil, err
	}
	if err := r.beside.fill(c, b.first, b.n); err != nil {
		return nil, err
	}
	return c, r.convert.never(c)
}

// sort sorts the rows, and writes them. After a fault nothing is written, but
// ties and batches that are come back to are still found.
func (r *intake) sort(ctx context.Context, s *scanner) error {
	part := shareRows
	if r.beside.any() {
		part = shareBeside
	}
	all := newSorter(r.log, r.first.keys, r.rank, r.spillConfig(ctx, part))
	defer all.close()
	s.ask = func(w *role.Want) bool { return w.Reads(role.Second) }
	err := s.scan(ctx, func(b *rows) error {
		c, err := r.block(b)
		if err != nil {
			return err
		}
		return all.add(b, c)
	})
	if err != nil {
		return err
	}
	r.beside.close()
	r.first.ties.reset()
	see := inspector{ties: &r.first.ties}
	if r.first.step > 0 {
		see.gaps, see.step = make([]int64, len(r.rank)), uint64(r.first.step)
	}
	if err = r.openBeside(all); err != nil {
		return err
	}
	e := newEmitter(r)
	err = all.emit(rowsPerBlock(r.convert.shapes), see, func(c *converted, at []int64) error {
		r.progress(int64(len(at)))
		return e.add(c, at)
	})
	see.ties.report()
	for code, index := range r.rank {
		if see.gaps != nil {
			r.first.gaps[code] = see.gaps[index]
		}
	}
	return err
}
