package main

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/report"
	"banditaudit/schemas"
)

func reportCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "results.json → HTML, Markdown, figures, tables",
		UsageText: "banditaudit report -o DIR [--format html,md,parquet,csv] results.json",
		Flags: flags(
			&cli.StringFlag{Name: "format", EnvVars: variable("FORMAT"), Value: "html,md,parquet", Usage: "`LIST` of html, md, parquet, csv"}),
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
			return nil, usagef("--format: %q is not one of %s", word, strings.Join(formats(), ", "))
		}
		chosen[word] = true
	}
	return chosen, nil
}

func reportOnly(c *cli.Context, p *process, s *settings) error {
	if c.NArg() != 1 {
		return usagef("report renders one results.json, got %d arguments", c.NArg())
	}
	if err := checkApart(s.out, []string{c.Args().First()}, nil); err != nil {
		return err
	}
	chosen, err := parseFormats(c.String("format"))
	if err != nil {
		return err
	}
	b, err := readDocument(c.Args().First())
	if err != nil {
		return &inputError{err}
	}
	if err = schemas.ValidateResults(b); err != nil {
		return &inputError{err}
	}
	results, err := schemas.DecodeResults(b)
	if err != nil {
		return &inputError{err}
	}
	dir, err := newOutputDir(s.out, s.force)
	if err != nil {
		return err
	}
	defer dir.discard() //nolint:errcheck // see ingestOnly
	if err := render(c.Context, dir, results, chosen); err != nil {
		return err
	}
	if err := dir.commit(); err != nil {
		return err
	}
	return line(p, s, "report of run %.12s written to %s: %s", results.RunID, s.out, results.Overall)
}

// renderOne writes one document of the report.
func renderOne(dir *outputDir, name string, r *schemas.Results, renderer func(io.Writer, *schemas.Results) error) error {
	var b bytes.Buffer
	if err := renderer(&b, r); err != nil {
		return err
	}
	return dir.write(name, b.Bytes())
}

// writeFiles writes figures or tables.
func writeFiles(dir *outputDir, r *schemas.Results, renderer func(*schemas.Results) ([]report.File, error)) error {
	files, err := renderer(r)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := dir.write(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}
