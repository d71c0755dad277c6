package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/schemas"
)

func ingestCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "ingest", Usage: "Parquet log → tableau (rounds.arrow, manifest.json)",
		UsageText: "banditaudit ingest -p protocol.yaml -o DIR LOG...",
		Description: manual(`The first stage of an audit by itself. It checks every row against the protocol
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
	dir, err := newOutputDir(s.out, s.force)
	if err != nil {
		return err
	}
	defer dir.discard() //nolint:errcheck // a left-over temporary directory is reported by the error that led here
	manifest, err := pl.ingest(c.Context, sources, dir.temp)
	if err != nil {
		return err
	}
	if err := unstopped(c.Context); err != nil {
		return err
	}
	return dir.shown(func() error {
		if s.json {
			return notWritten(schemas.WriteManifest(p.stdout, manifest))
		}
		return printDocument(p, s, manifest, func() error { return terminal.Manifest(p.stdout, s.out, manifest) })
	})
}

// printDocument prints a document as JSON with --json, else its summary.
func printDocument(p *process, s *settings, document any, summary func() error) error {
	if s.json {
		b, err := schemas.Encode(document)
		if err != nil {
			return err
		}
		_, err = p.stdout.Write(b)
		return notWritten(err)
	}
	if s.quiet {
		return nil
	}
	return notWritten(summary())
}

// line prints one line of a summary.
func line(p *process, s *settings, format string, args ...any) error {
	if s.quiet {
		return nil
	}
	_, err := fmt.Fprintf(p.stdout, format+"\n", args...)
	return notWritten(err)
}
