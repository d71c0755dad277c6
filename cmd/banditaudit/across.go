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
	prints := make([][]noise.Print, n)
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(pl.s.jobs)
	for i := range prints {
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
	out := map[int]*schemas.SharedNoise{}
	for i, twin := range noise.Across(prints) {
		out[i] = &schemas.SharedNoise{
			Arm: m.Arms[twin.Arm], Coordinate: int64(twin.Coordinate), Experiment: m.Experiments[twin.Other].ID,
			OtherArm: m.Arms[twin.Stream.Arm], OtherCoordinate: int64(twin.Stream.Coordinate),
			Draws: int64(twin.Draws), Experiments: int64(twin.Others), Level: noise.AcrossLevel,
		}
	}
	return out, nil
}
