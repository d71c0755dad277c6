package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/tables"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

func reportCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "results.json → HTML, Markdown, figures, tables",
		UsageText: "banditaudit report -o DIR [--format html,md,parquet,csv] results.json",
		Description: kit.Manual(`Renders a results.json, and reads nothing else. The tables are flat; help reading
says how to open them.`,
			"banditaudit report -o rendered out/results.json",
			"banditaudit report -o csv --format csv out/results.json"),
		Flags: flags("out quiet no-progress max-memory force",
			&cli.StringFlag{Name: "format", EnvVars: kit.Variable("FORMAT"), Value: "html,md,parquet", Usage: "`LIST` of html, md, parquet, csv"}),
		Action: action(p, needs{out: true, operands: "the results.json to render"}, reportOnly),
	}
}

// formats are what report can write.
func formats() []string { return []string{"html", "md", "parquet", "csv"} }

func parseFormats(text string) (map[string]bool, error) {
	chosen := map[string]bool{}
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if !slices.Contains(formats(), word) {
			return nil, kit.Usagef("--format: %s is not one of %s", schemas.Quoted(word), strings.Join(formats(), ", "))
		}
		chosen[word] = true
	}
	return chosen, nil
}

func reportOnly(c *cli.Context, p *process, s *settings) error {
	if c.NArg() != 1 {
		return kit.Usagef("report renders one results.json, got %d arguments", c.NArg())
	}
	if info, err := os.Stat(c.Args().First()); err == nil && info.IsDir() {
		return kit.BadInput(fmt.Errorf("%s is a directory; report renders a results.json: of a bundle give %s", schemas.Printable(c.Args().First()), schemas.Printable(filepath.Join(c.Args().First(), kit.ResultsFile))))
	}
	if err := kit.CheckApart(s.Out, []string{c.Args().First()}, nil); err != nil {
		return err
	}
	chosen, err := parseFormats(c.String("format"))
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(s.MaxMemory)
	results, err := bundle.OpenResults(p.catalogue.Format(), c.Args().First(), s.MaxMemory)
	if err != nil {
		return err
	}
	dir, err := kit.NewOutputDir(s.Out, s.Force)
	if err != nil {
		return err
	}
	defer dir.Discard() //nolint:errcheck // see ingestOnly
	bar := s.NewProgress("report")
	bar.Unit = "experiments"
	defer bar.End()
	d, err := readFindings(c.Context, p, results, dir, chosen, bar)
	if err != nil {
		return err
	}
	if err := render(c.Context, dir, d, chosen); err != nil {
		return err
	}
	if err := kit.Unstopped(c.Context); err != nil {
		return err
	}
	return dir.Shown(func() error {
		return s.Line("report of run %.12s written to %s: %s", d.RunID, s.Out, d.Overall)
	})
}

// readFindings reads claims and experiments one after another into the tables and
// into what the documents show.
func readFindings(ctx context.Context, p *process, results *resultsfile.File, dir *kit.OutputDir, formats map[string]bool, bar *kit.Progress) (d *digest.Digest, err error) {
	started, err := startTables(dir, results.Head.Tool, formats)
	defer func() {
		for _, t := range started {
			err = errors.Join(err, kit.NotWritten(t.Abandon()))
		}
	}()
	if err != nil {
		return nil, err
	}
	d = p.newDigest()
	var writing error // the disk's fault, not the input's
	write := func(to func(t *tables.Writer) error) error {
		for _, t := range started {
			writing = errors.Join(writing, kit.NotWritten(to(t)))
		}
		return errors.Join(writing, ctx.Err())
	}
	err = someClaims(results, func(claims []schemas.Finding) error {
		d.AddClaims(claims)
		return write(func(t *tables.Writer) error { return t.AddClaims(claims) })
	})
	if err == nil {
		err = results.Experiments(func(x *schemas.Experiment) error {
			d.Add(x)
			bar.Count(1)
			return write(func(t *tables.Writer) error { return t.Add(x) })
		})
	}
	if writing != nil || ctx.Err() != nil {
		return nil, errors.Join(writing, ctx.Err())
	}
	if err != nil {
		return nil, bundle.ResultsError(err)
	}
	d.Finish(results.Head)
	for _, t := range started {
		if err := t.Finish(results.Head); err != nil {
			return nil, kit.NotWritten(err)
		}
	}
	return d, nil
}

// someClaims hands over all claims, the claims of an experiment at once, as an audit does:
// pages of tables end where what is handed over does.
func someClaims(results *resultsfile.File, take func([]schemas.Finding) error) error {
	var some []schemas.Finding
	err := results.Claims(func(c *schemas.Finding) (err error) {
		if len(some) > 0 && some[0].Experiment != c.Experiment {
			err, some = take(some), some[:0]
		}
		some = append(some, *c)
		return err
	})
	if err != nil {
		return err
	}
	return take(some)
}

// startTables starts the tables of the chosen formats.
func startTables(dir *kit.OutputDir, tool schemas.Tool, formats map[string]bool) (started []*tables.Writer, err error) {
	if formats["csv"] {
		t, err := tables.NewCSV(dir.Create)
		if err != nil {
			return started, kit.NotWritten(err)
		}
		started = append(started, t)
	}
	if formats["parquet"] {
		t, err := tables.NewParquet(dir.Create, tool)
		if err != nil {
			return started, kit.NotWritten(err)
		}
		started = append(started, t)
	}
	return started, nil
}

// renderOne writes one document of the report.
func renderOne(dir *kit.OutputDir, name string, d *digest.Digest, renderer func(io.Writer, *digest.Digest) error) error {
	file, err := dir.Create(name)
	if err != nil {
		return kit.NotWritten(err)
	}
	err = renderer(unwritten{file}, d)
	return errors.Join(err, kit.NotWritten(file.Close()))
}

// unwritten tells errors of a writer from errors of the caller who writes.
type unwritten struct{ io.Writer }

// Write returns an output error where w fails.
func (u unwritten) Write(p []byte) (int, error) {
	n, err := u.Writer.Write(p)
	return n, kit.NotWritten(err)
}

// writeFigures writes the figures.
func writeFigures(dir *kit.OutputDir, d *digest.Digest) error {
	files, err := figure.Files(d)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := dir.Write(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}
