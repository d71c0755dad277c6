package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"banditaudit/schemas"
)

func auditCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "audit", Usage: "the whole pipeline: log in, bundle out",
		UsageText: "banditaudit audit -p protocol.yaml -o DIR LOG...\n\n   LOG is a Parquet file, a directory of them, or a glob.",
		Flags:     flags(),
		Action: action(p, needs{protocol: true, out: true, operands: anyLog}, func(c *cli.Context, p *process, s *settings) error {
			return audit(c.Context, p, s, c.Args().Slice())
		}),
	}
}

// audit runs everything and leaves a bundle, or, where it fails, no bundle and
// DIR.failed.json with the reason.
func audit(ctx context.Context, p *process, s *settings, operands []string) error {
	if err := checkLogApart(s, operands); err != nil {
		return err
	}
	run := startRun(p, s)
	results, err := auditInto(ctx, p, s, operands, run)
	if err != nil {
		return errors.Join(err, run.writeFailure(ctx, err))
	}
	// What an earlier run left must not stand beside a bundle that is there.
	if err := os.Remove(failureFile(s.out)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return notWritten(err)
	}
	return gate(results.Overall, s.failOn)
}

func auditInto(ctx context.Context, p *process, s *settings, operands []string, run *runRecord) (results *schemas.Results, err error) {
	pl, err := newPipeline(p, s)
	if err != nil {
		return nil, err
	}
	dir, err := newOutputDir(s.out, s.force)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.discard()) }()
	results, err = pl.auditTableau(ctx, operands, dir, run)
	if err != nil {
		return nil, err
	}
	if err := pl.writeBundle(ctx, dir, results, run); err != nil {
		return nil, err
	}
	// A summary that cannot be printed is an output that was not written: the
	// bundle must not stand beside exit code 5, or a retry would find it there.
	if err := printResults(p, s, results); err != nil {
		return nil, err
	}
	return results, dir.commit()
}

// auditTableau goes from the log to the results over a scratch tableau.
func (pl *pipeline) auditTableau(ctx context.Context, operands []string, dir *outputDir, run *runRecord) (results *schemas.Results, err error) {
	tmp, err := newScratch(pl.s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tmp.discard()) }()
	manifest, err := pl.ingest(ctx, operands, tmp.dir)
	if err != nil {
		return nil, err
	}
	run.rows = manifest.Rows
	run.lap("ingest")
	if err = encodeTo(dir, "manifest.json", manifest); err != nil {
		return nil, err
	}
	t, manifest, err := pl.open(tmp.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	replays, err := pl.replay(ctx, t, manifest)
	if err != nil {
		return nil, err
	}
	run.lap("replay")
	results, err = pl.findings(ctx, t, manifest, replays)
	run.lap("analyze")
	if err != nil {
		return nil, err
	}
	return results, tmp.finish()
}
