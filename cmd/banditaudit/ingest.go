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
		UsageText: "banditaudit ingest -p protocol.yaml -o DIR LOG...", Description: logHelp,
		Flags:  flags(),
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

// logHelp says what LOG means.
const logHelp = `LOG is a Parquet file; a directory, searched at every depth; a glob that the
shell did not expand; or @FILE, a list of such paths: one per line, relative to
FILE, blank lines and lines that begin with # passed over. (A file whose name
begins with @ is given as ./@name.) Files are named by their path below what was
given; where two would have one name, as with log/dt=* that the shell expanded,
below the deepest directory that is above all of them.

In directories, *.parquet, *.parq and *.pq count, and files without an
extension that begin as Parquet does. What begins with . or _ (_SUCCESS,
_metadata, _temporary, _committed_*) and *.crc is passed over. Directories of
Delta Lake, Iceberg and Hudi are refused, with how to export them: their files
also hold rows that were deleted or replaced. Messages count rows and row groups
of a file from 0, as pandas and DuckDB do, and rounds of an experiment from 1.

Directories named key=value are columns of the files below them (URL-decoded;
__HIVE_DEFAULT_PARTITION__ is null): of whole numbers where every value is one,
else of text. A column of the same name in the file itself wins.`
