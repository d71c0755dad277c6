package main

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze/reproduce"
	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/report"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// allExperiments is the name of all of them.
const allExperiments = "all"

func reproduceCommand(p *process) *cli.Command {
	return &cli.Command{
		Name:      "reproduce",
		Usage:     "run the experiments of Neel and Roth (2018) again and hold them against what the paper prints",
		UsageText: "banditaudit reproduce -o DIR [--short] [" + strings.Join(reproduce.Names(), "|") + "|" + allExperiments + "]...",
		Description: manual(`Runs the paper's experiments, or those that are named, and holds each printed
figure against what comes out.`,
			"banditaudit reproduce --short -o DIR",
			"banditaudit reproduce -o DIR E1 E3"),
		Flags: flags("out json quiet no-progress jobs force seed",
			&cli.BoolFlag{Name: "short", EnvVars: variable("SHORT"), Usage: "few runs, in seconds: verdicts are then not to be quoted"}),
		Action: action(p, needs{out: true, operands: "experiments: " + experimentWords(), optional: true}, reproducePaper),
	}
}

// experimentWords are the names that reproduce takes.
func experimentWords() string {
	return strings.Join(append(reproduce.Names(), allExperiments), ", ")
}

// experimentNames reads the operands; none are all.
func experimentNames(words []string) ([]string, error) {
	for _, w := range words {
		if w != allExperiments && !slices.Contains(reproduce.Names(), w) {
			return nil, usagef("there is no experiment %s; names are case-sensitive: %s", schemas.Quoted(w), experimentWords())
		}
	}
	if slices.Contains(words, allExperiments) {
		return nil, nil
	}
	return words, nil
}

func reproducePaper(c *cli.Context, p *process, s *settings) error {
	names, err := experimentNames(c.Args().Slice())
	if err != nil {
		return err
	}
	size := reproduce.Full
	if c.Bool("short") {
		size = reproduce.Short
	}
	dir, err := newOutputDir(s.out, s.force)
	if err != nil {
		return err
	}
	defer dir.discard() //nolint:errcheck // see ingestOnly
	r, err := reproduced(c.Context, p, s, names, size)
	if err != nil {
		return err
	}
	if err = writeReproduction(dir, r); err != nil {
		return err
	}
	if err = unstopped(c.Context); err != nil {
		return err
	}
	err = dir.shown(func() error {
		return printDocument(p, s, r, func() error { return terminal.Reproduction(p.stdout, s.out+"/"+reproducePage, r) })
	})
	if err != nil {
		return err
	}
	return passed(r)
}

// passed is nil, or the error that ends a run in which a gate was not.
func passed(r *schemas.Reproduction) error {
	if _, failed := report.Gates(r); len(failed) > 0 {
		return &gateError{exitExceptions, failed[0].What}
	}
	return nil
}

// reproduced runs the experiments under a progress line.
func reproduced(ctx context.Context, p *process, s *settings, names []string, size string) (*schemas.Reproduction, error) {
	bar := newProgress(p, s, "reproduce")
	bar.unit = "rounds"
	defer bar.end()
	r, err := reproduce.Run(ctx, names, reproduce.Options{Size: size, Seed: s.seed, Jobs: s.jobs, Progress: bar.update})
	if err != nil {
		return nil, err
	}
	r.Tool = tool()
	return r, nil
}

// writeReproduction writes the document, the page and the figures.
func writeReproduction(dir *outputDir, r *schemas.Reproduction) error {
	encoded, err := schemas.Encode(r)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err = report.Reproduction(&text, r); err != nil {
		return err
	}
	files, err := report.ReproductionFigures(r)
	if err != nil {
		return err
	}
	files = append(files, page.File{Name: reproduceFile, Data: encoded}, page.File{Name: reproducePage, Data: text.Bytes()})
	for _, f := range files {
		if err := dir.write(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}
