package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"banditaudit/ingest/files"
	"banditaudit/ingest/stored"
	"banditaudit/ingest/tableau"
	"banditaudit/report"
	"banditaudit/report/tables"
	"banditaudit/schemas"
)

func auditCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "audit", Usage: "the whole pipeline: log in, bundle out",
		UsageText: "banditaudit audit -p protocol.yaml -o DIR LOG...",
		Description: manual(`Checks the log, recomputes what the declared policy chose, answers the declared
tests, and writes DIR: report.html, report.md, results.json, tables and figures
(help reading). LOG is a Parquet file, a directory of them, or a glob (help log).
The summary goes to stdout. The exit code says whether to go on (help exit-codes).`,
			"banditaudit audit -p protocol.yaml -o out log/",
			"banditaudit audit -p protocol.yaml -o out --force --fail-on caution 'log/dt=2026-11-*'"),
		Flags: flags("protocol out json quiet verbose no-progress jobs max-memory force keep-tableau allow-exec fail-on",
			&cli.BoolFlag{Name: "openlineage", EnvVars: variable("OPENLINEAGE"), Usage: "write openlineage.json too, an event for a data catalogue"},
			&cli.StringFlag{Name: "commitment", EnvVars: variable("COMMITMENT"), Usage: "hold the protocol against `FILE`, which commit wrote before the first round"},
			commitmentKeyFlag()),
		Action: action(p, needs{protocol: true, out: true, operands: anyLog}, audit),
	}
}

// audit runs everything and leaves a bundle, or, where it fails, no bundle and
// DIR.failed.json with the reason.
func audit(c *cli.Context, p *process, s *settings) error {
	if err := checkFailureFile(s.out); err != nil {
		return err
	}
	s.openLineage = c.Bool("openlineage")
	run := startRun(p, s)
	var overall schemas.Overall
	var err error
	if s.commitment, err = readCommitment(c.String("commitment"), c.String("commitment-key")); err == nil {
		overall, err = auditInto(c.Context, p, s, c.Args().Slice(), run)
	}
	if err != nil {
		return run.fail(c.Context, err)
	}
	// What an earlier run left must not stand beside a bundle that is there.
	if err := os.Remove(failureFile(s.out)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return notWritten(err)
	}
	staleEnvelope(p, s, s.out)
	return gate(overall, s.failOn)
}

// auditInto returns what the claims and cautions come to.
func auditInto(ctx context.Context, p *process, s *settings, operands []string, run *runRecord) (overall schemas.Overall, err error) {
	pl, err := newPipeline(p, s)
	if err != nil {
		return overall, err
	}
	if err = pl.buildable(); err != nil {
		return overall, err
	}
	if pl.committed, err = s.commitment.judge(p, pl.doc); err != nil {
		return overall, err
	}
	sources, err := pl.discover(ctx, operands)
	if err != nil {
		return overall, err
	}
	dir, err := newOutputDir(s.out, s.force)
	if err != nil {
		return overall, err
	}
	defer func() { err = errors.Join(err, dir.discard()) }()
	digest, err := pl.auditTableau(ctx, sources, dir, run)
	if err != nil {
		return overall, err
	}
	if err := pl.writeBundle(ctx, dir, digest, run); err != nil {
		return overall, err
	}
	// The bundle has its name before anything is printed. A summary that cannot
	// be printed is an output that was not written: then the bundle is taken back,
	// for beside exit code 5 a retry would find it there.
	if err := unstopped(ctx); err != nil {
		return overall, err
	}
	if err := dir.place(); err != nil {
		return overall, err
	}
	if err := printResults(p, s, digest, filepath.Join(dir.final, resultsFile)); err != nil {
		return overall, err
	}
	return schemas.OverallOf(digest.Claims, digest.Cautions), dir.settle()
}

// auditTableau goes from the log to results.json and the tables over a scratch
// tableau.
func (pl *pipeline) auditTableau(ctx context.Context, sources []files.Source, dir *outputDir, run *runRecord) (digest *report.Digest, err error) {
	tmp, err := newScratch(pl.s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tmp.discard()) }()
	manifest, err := pl.ingest(ctx, sources, tmp.dir)
	if err != nil {
		return nil, err
	}
	run.rows = manifest.Rows
	run.lap("ingest")
	if err = writeManifest(dir, manifest); err != nil {
		return nil, err
	}
	t, manifest, err := pl.open(tmp.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	digest, err = pl.findInto(ctx, t, manifest, dir)
	run.lap("replay and analyze")
	if err != nil {
		return nil, err
	}
	return digest, tmp.finish()
}

// writeManifest writes the manifest into a bundle.
func writeManifest(dir *outputDir, m *schemas.Manifest) error {
	file, err := dir.create(stored.ManifestFile)
	if err != nil {
		return notWritten(err)
	}
	return notWritten(errors.Join(schemas.WriteManifest(file, m), file.Close()))
}

// findInto replays and analyses into results.json and the tables.
func (pl *pipeline) findInto(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, dir *outputDir) (digest *report.Digest, err error) {
	found, err := pl.newFindings(dir.temp, m.Inputs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.discard()) }()
	parquet, err := tables.NewParquet(dir.create, tool())
	if err != nil {
		return nil, notWritten(err)
	}
	found.tables = append(found.tables, parquet)
	if err = pl.findings(ctx, t, m, pl.replay(t), found.add); err != nil {
		return nil, err
	}
	out, err := dir.create(resultsFile)
	if err != nil {
		return nil, notWritten(err)
	}
	if err := errors.Join(found.finish(out), notWritten(out.Close())); err != nil {
		return nil, err
	}
	return found.digest, nil
}
