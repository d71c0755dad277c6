package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

func ingestCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "ingest", Usage: "Parquet log → tableau (rounds.arrow, manifest.json)",
		UsageText: "banditaudit ingest -p protocol.yaml -o DIR LOG...",
		Description: kit.Manual(`The first stage of an audit by itself. It checks every row against the protocol
and writes the columns that the next stages read. The tableau holds every reward.`,
			"banditaudit ingest -p protocol.yaml -o tableau log/",
			"banditaudit ingest -p protocol.yaml -o tableau --max-memory 4GiB @files.txt"),
		Flags:  flags("protocol out json quiet verbose no-progress jobs max-memory force"),
		Action: action(p, needs{protocol: true, out: true, operands: anyLog}, ingestOnly),
	}
}

func ingestOnly(c *cli.Context, p *process, s *settings) error {
	pl, err := newPipeline(p, s)
	if err != nil {
		return err
	}
	sources, err := pl.discover(c.Context, c.Args().Slice())
	if err != nil {
		return err
	}
	dir, err := kit.NewOutputDir(s.Out, s.Force)
	if err != nil {
		return err
	}
	defer dir.Discard() //nolint:errcheck // a left-over temporary directory is reported by the error that led here
	manifest, err := pl.ingest(c.Context, sources, dir.Temp)
	if err != nil {
		return err
	}
	if err := kit.Unstopped(c.Context); err != nil {
		return err
	}
	return dir.Shown(func() error {
		if s.JSON {
			return kit.NotWritten(schemas.WriteManifest(p.Stdout, manifest))
		}
		return s.PrintDocument(manifest, func() error { return terminal.Manifest(p.Stdout, s.Out, manifest) })
	})
}

func analyzeCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "analyze", Usage: "bias bounds, regressions, corrected p-values, checks and claims of a tableau",
		UsageText: "banditaudit analyze -p protocol.yaml -t TABLEAU [--replay DIR] -o results.json",
		Description: kit.Manual(`Answers what the protocol asks and decides its claims, into one results.json.
With --replay the replay is made again and compared.`,
			"banditaudit analyze -p protocol.yaml -t tableau --replay replayed -o results.json",
			"banditaudit analyze -p protocol.yaml -t tableau -o results.json --fail-on violated"),
		Flags: flags("protocol out json quiet verbose no-progress jobs max-memory force allow-exec fail-on", tableauFlag(),
			&cli.StringFlag{Name: "replay", EnvVars: kit.Variable("REPLAY"), Usage: "`DIR` written by replay, which is made again and compared; without it policy.conformance is NOT RUN"}),
		Action: action(p, needs{protocol: true, out: true, tableau: true}, analyzeOnly),
	}
}

// openTableau is what a stage begins with that reads a tableau: the declared policy, which
// can be built, and the tableau, which the caller closes.
func openTableau(p *process, s *settings, dir string) (pl *pipeline, t *tableau.Tableau, m *schemas.Manifest, err error) {
	if pl, err = newPipeline(p, s); err == nil {
		err = pl.buildable()
	}
	if err == nil {
		t, m, err = pl.open(dir)
	}
	return pl, t, m, err
}

func analyzeOnly(c *cli.Context, p *process, s *settings) error {
	if err := checkResultsFile(s, c.String("tableau"), c.String("replay")); err != nil {
		return err
	}
	pl, t, manifest, err := openTableau(p, s, c.String("tableau"))
	if err != nil {
		return err
	}
	defer t.Close()   //nolint:errcheck // nothing was written through the mapping
	var known replays // none was run
	if dir := c.String("replay"); dir != "" {
		if known, err = pl.confirmed(dir, t, manifest); err != nil {
			return err
		}
	}
	return pl.analyzeInto(c.Context, t, manifest, known)
}

// analyzeInto writes results.json, prints the summary and applies the gate.
func (pl *pipeline) analyzeInto(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, known replays) (err error) {
	file, err := kit.NewPendingFile(pl.s.Out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Cleanup()) }()
	found, err := pl.newFindings(kit.Followed(pl.s.Out), m.Inputs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.discard()) }()
	if err := pl.findings(ctx, t, m, known, found.add); err != nil {
		return err
	}
	if err := found.finish(file); err != nil {
		return err
	}
	if err := kit.Unstopped(ctx); err != nil {
		return err
	}
	// What cannot be printed is not written either: exit code 5 asks for a retry,
	// which must not find it there.
	if err := printResults(pl.p, pl.s, found.digest, file.Name()); err != nil {
		return err
	}
	if err := file.Place(); err != nil {
		return kit.NotWritten(err)
	}
	return gate(found.digest.Outcome(), pl.s.failOn)
}

// checkResultsFile refuses an output that is not results of an earlier run,
// also with --force: "-o seed.hex" must not cost anybody their seed.
func checkResultsFile(s *settings, inputs ...string) error {
	if err := kit.CheckFree(s.Out, s.Force); err != nil {
		return err
	}
	for _, in := range append(inputs, s.Protocol) {
		if in != "" && kit.Resolved(in) == kit.Resolved(s.Out) {
			return kit.Usagef("%s is an input; give another -o", s.Out)
		}
	}
	if err := kit.CheckApart(s.Out, nil, inputs); err != nil {
		return err
	}
	b, err := kit.ReadStart(s.Out)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && bytes.Contains(b, []byte(`"`+schemas.ResultsSchema+`"`)), err == nil && len(b) == 0:
		return nil
	}
	return kit.Usagef("%s exists and is not a results.json that banditaudit wrote, so --force does not replace it; give another -o", s.Out)
}
