package main

import (
	"context"

	"golang.org/x/sync/errgroup"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
)

// shared holds the noise of all experiments of a log against each other, and
// returns what an experiment shares with another, by its place in the manifest. It
// keeps a few hashes of every experiment.
func (pl *pipeline) shared(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest) (map[int]*schemas.SharedNoise, error) {
	n := len(m.Experiments)
	if n < 2 || !pl.declared.Comparable(t.Slice(0)) {
		return nil, nil //nolint:nilnil // nothing to compare is no error
	}
	prints, ids := make([][]noise.Print, n), make([]string, n)
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(pl.s.jobs)
	for i := range prints {
		ids[i] = m.Experiments[i].ID
		group.Go(func() error {
			return recovered(func() (err error) {
				// Its book is that of the replay, which reads the same rows: see replay.
				prints[i], err = pl.declared.Prints(inside, t.Slice(i), &ledger.Disclosures{}, n)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, placed(pl.doc, damaged(err))
	}
	return pl.declared.Shared(ids, prints), nil
}
