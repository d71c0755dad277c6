package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/replay/noise"
	"banditaudit/replay/transcript"
	"banditaudit/schemas"
)

// tableauFlag is -t of the commands that read a tableau.
func tableauFlag() cli.Flag {
	return &cli.StringFlag{Name: "tableau", Aliases: []string{"t"}, EnvVars: kit.Variable("TABLEAU"), Usage: "tableau `DIR` (from ingest)"}
}

func replayCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "the declared policy over a tableau: conformance, ledger, transcript",
		UsageText: "banditaudit replay -p protocol.yaml -t TABLEAU -o DIR",
		Description: kit.Manual(`Runs the declared policy over the logged history and writes replay.json (what
matches, what it cost) and transcript.arrow (each round's arm and propensities).`,
			"banditaudit replay -p protocol.yaml -t tableau -o replayed",
			"banditaudit replay -p protocol.yaml -t tableau -o replayed --allow-exec"),
		Flags:  flags("protocol out json quiet verbose no-progress max-memory force allow-exec", tableauFlag()),
		Action: action(p, needs{protocol: true, out: true, tableau: true}, replayOnly),
	}
}

func replayOnly(c *cli.Context, p *process, s *settings) error {
	if err := kit.CheckApart(s.Out, []string{s.Protocol}, []string{c.String("tableau")}); err != nil {
		return err
	}
	pl, t, manifest, err := openTableau(p, s, c.String("tableau"))
	if err != nil {
		return err
	}
	defer t.Close() //nolint:errcheck // nothing was written through the mapping
	dir, err := kit.NewOutputDir(s.Out, s.Force)
	if err != nil {
		return err
	}
	defer dir.Discard() //nolint:errcheck // see ingestOnly
	var document *schemas.Replay
	err = pl.withPrograms(func() error {
		document, err = pl.replayInto(c.Context, t, manifest, dir)
		return err
	})
	if err != nil {
		return err
	}
	if err := kit.Unstopped(c.Context); err != nil {
		return err
	}
	return dir.Shown(func() error {
		return s.PrintDocument(document, func() error { return terminal.Replay(p.Stdout, s.Out, document) })
	})
}

// replayInto replays every experiment in turn, so that the transcript streams.
func (pl *pipeline) replayInto(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, dir *kit.OutputDir) (document *schemas.Replay, err error) {
	file, err := os.Create(dir.Path(kit.TranscriptFile))
	if err != nil {
		return nil, kit.NotWritten(err)
	}
	defer func() { err = errors.Join(err, kit.NotWritten(file.Close())) }()
	arms := 0
	if d := pl.declared; d.Mechanism != nil && d.Mechanism.Random() {
		arms = d.Mechanism.Arms()
	}
	if pl.doc.Protocol.Program.AnswersPropensities() {
		arms = len(pl.declared.Arms)
	}
	rows, err := transcript.NewWriter(file, len(m.Experiments) > 1, arms)
	if err != nil {
		return nil, kit.NotWritten(err)
	}
	bar := pl.s.NewProgress("replay")
	t.Watch(bar.Count)
	defer bar.End()
	pl.declared.Jobs, pl.declared.Spare = pl.s.Jobs, spare(pl.s.MaxMemory)
	document = &schemas.Replay{Schema: schemas.ReplaySchema, Tool: bundle.Tool(), TableauSHA256: m.SHA256, Protocol: pl.doc.Protocol.MechanismDigest()}
	for i := range m.Experiments {
		sink := func(row transcript.Row) error { return kit.NotWritten(rows.Append(int32(i), row)) } //nolint:gosec // ingest bounds the number of experiments
		if err := ctx.Err(); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		var rep schemas.ReplayExperiment
		err := over(t, func() (err error) {
			if err = pl.affordStates(t.Slice(i), pl.s.MaxMemory); err == nil {
				rep, err = pl.declared.Run(ctx, t.Slice(i), &ledger.Disclosures{}, sink)
			}
			return err
		})
		if err != nil {
			return nil, errors.Join(damaged(err), rows.Close())
		}
		document.Experiments = append(document.Experiments, rep)
	}
	if err := rows.Close(); err != nil {
		return nil, kit.NotWritten(err)
	}
	return document, encodeTo(dir, kit.ReplayFile, document)
}

// readReplay reads replay.json and checks that it is of the tableau and of the
// declared mechanism. Whether it is what they give, confirmed sees.
func (pl *pipeline) readReplay(path string, m *schemas.Manifest) ([]schemas.ReplayExperiment, error) {
	b, err := kit.ReadDocument(path)
	if err != nil {
		return nil, kit.BadInput(err)
	}
	document, err := schemas.DecodeReplay(b)
	if err != nil {
		return nil, kit.BadInput(err)
	}
	switch {
	case document.Tool != bundle.Tool():
		err = fmt.Errorf("%s: made by %s %s, and this is version %s; run banditaudit replay again", path, schemas.Quoted(document.Tool.Name), schemas.Quoted(document.Tool.Version), schemas.Quoted(kit.Version))
	case document.TableauSHA256 != m.SHA256 || len(document.Experiments) != len(m.Experiments):
		err = errors.New(path + ": made from another tableau; run banditaudit replay on this one")
	case document.Protocol != pl.doc.Protocol.MechanismDigest():
		err = errors.New(path + ": made with another policy, counter, seed or privacy claim; run banditaudit replay with this protocol")
	}
	if err != nil {
		return nil, kit.BadInput(err)
	}
	return document.Experiments, nil
}

// confirmed makes the replay of every experiment again and refuses a replay.json
// that says anything else.
func (pl *pipeline) confirmed(dir string, t *tableau.Tableau, m *schemas.Manifest) (replays, error) {
	path := filepath.Join(dir, kit.ReplayFile)
	given, err := pl.readReplay(path, m)
	if err != nil {
		return nil, err
	}
	again := pl.replay(t)
	return func(ctx context.Context, i int) (r *schemas.ReplayExperiment, err error) {
		if r, err = again(ctx, i); err != nil {
			return nil, err
		}
		at, err := conformance.Difference(&given[i], r)
		if err == nil && at != "" {
			err = fmt.Errorf("%s: experiment %s: %s is not what the replay of this tableau gives; run banditaudit replay again", path, schemas.Quoted(m.Experiments[i].ID), at)
		}
		return r, err
	}, nil
}

// shared holds the noise of all experiments of a log against each other, and
// returns what an experiment shares with another, by its place in the manifest. It
// keeps a few hashes of every experiment.
func (pl *pipeline) shared(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest) (map[int]*schemas.SharedNoise, error) {
	prints, err := pl.prints(ctx, t, m, len(m.Experiments))
	if err != nil || prints == nil {
		return nil, err
	}
	ids := make([]string, len(prints))
	for i := range ids {
		ids[i] = m.Experiments[i].ID
	}
	return pl.declared.Shared(ids, prints), nil
}

// prints are what the noise of every experiment, of n of the log, is known again by; nil
// where there is nothing to compare.
func (pl *pipeline) prints(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, n int) ([][]noise.Print, error) {
	if n < 2 || !pl.declared.Comparable(t.Slice(0)) {
		return nil, nil
	}
	prints := make([][]noise.Print, len(m.Experiments))
	group, inside := errgroup.WithContext(ctx)
	group.SetLimit(pl.s.Jobs)
	for i := range prints {
		group.Go(func() error {
			return over(t, func() (err error) {
				// The replay books for it, as it reads the same rows: see replay.
				prints[i], err = pl.declared.Prints(inside, t.Slice(i), &ledger.Disclosures{}, n)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, placed(pl.doc, damaged(err))
	}
	return prints, nil
}
