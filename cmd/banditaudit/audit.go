package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableaudir"
	"banditaudit/report/digest"
	"banditaudit/report/tables"
	"banditaudit/schemas"
)

func auditCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "audit", Usage: "the whole pipeline: log in, bundle out",
		UsageText: "banditaudit audit -p protocol.yaml -o DIR LOG...\n       banditaudit audit -p protocol.yaml --part I/N -o FILE.frag LOG...\n       banditaudit audit -p protocol.yaml --log log.json -o FILE.frag PART...",
		Description: kit.Manual(`Checks the log, recomputes what the declared policy chose, answers the declared
tests, and writes DIR: report.html, report.md, results.json, tables and figures
(help reading). LOG is a Parquet file, a directory of them, or a glob (help log).
The summary goes to stdout. The exit code says whether to go on (help exit-codes).
With --part it keeps to a part of the experiments and leaves one file, for merge; with
--log the files are a part of a log that an engine shuffled. 0 then means that the file
was written, and says nothing of verdicts (help parts).`,
			"banditaudit audit -p protocol.yaml -o out log/",
			"banditaudit audit -p protocol.yaml -o out --force --fail-on caution 'log/dt=2026-11-*'"),
		Flags: flags("protocol out json quiet verbose no-progress jobs max-memory force keep-tableau allow-exec fail-on",
			&cli.BoolFlag{Name: "openlineage", EnvVars: kit.Variable("OPENLINEAGE"), Usage: "write openlineage.json too, an event for a data catalogue"},
			&cli.StringFlag{Name: "part", Usage: "audit part `I/N` of the experiments only, I from 0, and write a fragment for merge; auto/N takes I from the scheduler"},
			logFlag("the files hold whole experiments of the log that `FILE` describes, as census writes it; write a fragment for merge"),
			&cli.StringFlag{Name: "commitment", EnvVars: kit.Variable("COMMITMENT"), Usage: "hold the protocol against `FILE`, which commit wrote before the first round"},
			commitmentKeyFlag()),
		Action: action(p, needs{protocol: true, out: true, operands: anyLog}, func(c *cli.Context, p *process, s *settings) (err error) {
			s.openLineage = c.Bool("openlineage")
			if c.IsSet("part") || c.IsSet("log") {
				part, err := partOf(c, s)
				if err != nil {
					return err
				}
				return auditPart(c.Context, p, s, c.Args().Slice(), part)
			}
			return left(c.Context, p, s, func(run *runRecord) (overall schemas.Overall, err error) {
				if s.commitment, err = bundle.ReadCommitment(c.String("commitment"), c.String("commitment-key")); err != nil {
					return overall, err
				}
				return auditInto(c.Context, p, s, c.Args().Slice(), run)
			})
		}),
	}
}

// left runs what leaves a bundle, or, where it fails, no bundle and DIR.failed.json with
// the reason.
func left(ctx context.Context, p *process, s *settings, work func(run *runRecord) (schemas.Overall, error)) error {
	if err := checkFailureFile(s.Out); err != nil {
		return err
	}
	run := startRun(p, s)
	overall, err := work(run)
	if err != nil {
		return run.fail(ctx, err)
	}
	// What an earlier run left must not stand beside a bundle that is there.
	if err := os.Remove(failureFile(s.Out)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return kit.NotWritten(err)
	}
	staleEnvelope(p, s, s.Out)
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
	if pl.committed, err = s.commitment.Judge(p.catalogue.Format(), pl.doc); err != nil {
		return overall, err
	}
	sources, err := pl.discover(ctx, operands)
	if err != nil {
		return overall, err
	}
	return pl.bundled(ctx, run, func(dir *kit.OutputDir) (*digest.Digest, error) { return pl.auditTableau(ctx, sources, dir, run) })
}

// bundled fills a bundle, gives it its name and prints the summary.
func (pl *pipeline) bundled(ctx context.Context, run *runRecord, fill func(*kit.OutputDir) (*digest.Digest, error)) (overall schemas.Overall, err error) {
	dir, err := kit.NewOutputDir(pl.s.Out, pl.s.Force)
	if err != nil {
		return overall, err
	}
	defer func() { err = errors.Join(err, dir.Discard()) }()
	d, err := fill(dir)
	if err != nil {
		return overall, err
	}
	if err := pl.writeBundle(ctx, dir, d, run); err != nil {
		return overall, err
	}
	// The bundle has its name before anything is printed. A summary that cannot
	// be printed is an output that was not written: then the bundle is taken back,
	// for beside exit code 5 a retry would find it there.
	if err := kit.Unstopped(ctx); err != nil {
		return overall, err
	}
	if err := dir.Place(); err != nil {
		return overall, err
	}
	if err := printResults(pl.p, pl.s, d, filepath.Join(dir.Final, kit.ResultsFile)); err != nil {
		return overall, err
	}
	return d.Outcome(), dir.Settle()
}

// auditTableau goes from the log to results.json and the tables over a scratch
// tableau.
func (pl *pipeline) auditTableau(ctx context.Context, sources []files.Source, dir *kit.OutputDir, run *runRecord) (d *digest.Digest, err error) {
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
	d, err = pl.findInto(dir, manifest.Inputs, func(take func(*aggregate.Outcome) error) error {
		return pl.findings(ctx, t, manifest, pl.replay(t), take)
	})
	run.shared(pl.spent.laps())
	if err != nil {
		return nil, err
	}
	return d, tmp.finish()
}

// writeManifest writes the manifest into a bundle.
func writeManifest(dir *kit.OutputDir, m *schemas.Manifest) error {
	file, err := dir.Create(tableaudir.ManifestFile)
	if err != nil {
		return kit.NotWritten(err)
	}
	return kit.NotWritten(errors.Join(schemas.WriteManifest(file, m), file.Close()))
}

// findInto puts outcomes, which find hands over one after another, into results.json and
// the tables.
func (pl *pipeline) findInto(dir *kit.OutputDir, inputs []schemas.Input, find func(take func(*aggregate.Outcome) error) error) (d *digest.Digest, err error) {
	found, err := pl.newFindings(dir.Path(kit.ResultsFile), inputs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.discard()) }()
	parquet, err := tables.NewParquet(dir.Create, bundle.Tool())
	if err != nil {
		return nil, kit.NotWritten(err)
	}
	found.tables = append(found.tables, parquet)
	if err = find(found.add); err != nil {
		return nil, err
	}
	out, err := dir.Create(kit.ResultsFile)
	if err != nil {
		return nil, kit.NotWritten(err)
	}
	if err = errors.Join(found.finish(out), kit.NotWritten(out.Close())); err != nil {
		return nil, err
	}
	pl.asserted = found.asserted
	cases, err := dir.Create(kit.JUnitFile)
	if err != nil {
		return nil, kit.NotWritten(err)
	}
	return found.digest, kit.NotWritten(errors.Join(found.junit.Finish(cases, bundle.Tool().Name), cases.Close()))
}
