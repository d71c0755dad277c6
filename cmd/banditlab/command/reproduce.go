package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/banditlab/pages"
	"banditaudit/cmd/banditlab/paper"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/layout"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// allExperiments is the name of all of them.
const allExperiments = "all"

func reproduceCommand(p *process) *cli.Command {
	return &cli.Command{
		Name:      "reproduce",
		Usage:     "run the experiments of Neel and Roth (2018) again and hold them against what the paper prints",
		UsageText: "banditlab reproduce -o DIR [--short] [" + strings.Join(paper.Names(), "|") + "|" + allExperiments + "]...",
		Description: kit.Manual(`Runs the paper's experiments, or those that are named, and holds each printed
figure against what comes out.`,
			"banditlab reproduce --short -o DIR",
			"banditlab reproduce -o DIR E1 E3"),
		Flags: flags("out json quiet no-progress jobs force seed",
			&cli.BoolFlag{Name: "short", EnvVars: kit.Variable("SHORT"), Usage: "few runs, in seconds: verdicts are then not to be quoted"}),
		Action: action(p, kit.Needs{Out: true, Operands: "experiments: " + experimentWords(), Optional: true}, reproducePaper),
	}
}

// experimentWords are the names that reproduce takes.
func experimentWords() string {
	return strings.Join(append(paper.Names(), allExperiments), ", ")
}

// experimentNames reads the operands; none are all.
func experimentNames(words []string) ([]string, error) {
	for _, w := range words {
		if w != allExperiments && !slices.Contains(paper.Names(), w) {
			return nil, kit.Usagef("there is no experiment %s; names are case-sensitive: %s", schemas.Quoted(w), experimentWords())
		}
	}
	if slices.Contains(words, allExperiments) {
		return nil, nil
	}
	return words, nil
}

func reproducePaper(c *cli.Context, p *process, s *kit.Settings) error {
	names, err := experimentNames(c.Args().Slice())
	if err != nil {
		return err
	}
	size := paper.Full
	if c.Bool("short") {
		size = paper.Short
	}
	dir, err := kit.NewOutputDir(s.Out, s.Force)
	if err != nil {
		return err
	}
	defer dir.Discard() //nolint:errcheck // see ingestOnly
	r, err := reproduced(c.Context, s, names, size)
	if err != nil {
		return err
	}
	if err = writeReproduction(dir, r); err != nil {
		return err
	}
	if err = kit.Unstopped(c.Context); err != nil {
		return err
	}
	err = dir.Shown(func() error {
		return s.PrintDocument(r, func() error { return printReproduction(p.Stdout, s.Out+"/"+kit.ReproducePage, r) })
	})
	if err != nil {
		return err
	}
	return passed(r)
}

// passed is nil, or the error that ends a run in which a gate was not.
func passed(r *documents.Reproduction) error {
	if _, failed := pages.Gates(r); len(failed) > 0 {
		return kit.Tripped(kit.ExitExceptions, failed[0].What)
	}
	return nil
}

// reproduced runs the experiments under a progress line.
func reproduced(ctx context.Context, s *kit.Settings, names []string, size string) (*documents.Reproduction, error) {
	bar := s.NewProgress("reproduce")
	bar.Unit = "rounds"
	defer bar.End()
	r, err := paper.Run(ctx, names, paper.Options{Size: size, Seed: s.Seed, Jobs: s.Jobs, Progress: bar.Update})
	if err != nil {
		return nil, err
	}
	r.Tool = tool()
	return r, nil
}

// writeReproduction writes the document, the page and the figures.
func writeReproduction(dir *kit.OutputDir, r *documents.Reproduction) error {
	encoded, err := schemas.Encode(r)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err = pages.Reproduction(&text, r); err != nil {
		return err
	}
	files, err := pages.ReproductionFigures(r)
	if err != nil {
		return err
	}
	files = append(files, page.File{Name: kit.ReproduceFile, Data: encoded}, page.File{Name: kit.ReproducePage, Data: text.Bytes()})
	for _, f := range files {
		if err := dir.Write(f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}

// printReproduction prints one line per printed figure, and the gates; reasons is where the
// reasons are.
func printReproduction(w io.Writer, reasons string, r *documents.Reproduction) error {
	t := layout.Columns(w)
	fmt.Fprintln(t, "FIGURE\tPAPER\tOURS [95 % INTERVAL]\tSETTING\tRUNS\tVERDICT")
	lines := 0
	for i := range r.Experiments {
		x := &r.Experiments[i]
		for j := range x.Figures {
			f := &x.Figures[j]
			lines++
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", f.ID, f.Paper, pages.FigureValue(f), f.Setting, pages.FigureRuns(x, f), f.Verdict)
		}
	}
	if lines > 0 {
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if few := pages.FewRuns(r); few != "" {
		fmt.Fprintln(w, few)
	}
	all, failed := pages.Gates(r)
	for _, g := range failed {
		fmt.Fprintf(w, "NOT PASSED: %s: %.4g outside [%.4g, %.4g]\n", g.What, g.Value, g.Lo, g.Hi)
	}
	_, err := fmt.Fprintf(w, "%d of %d gates passed; why each verdict, and the figures: %s\n", all-len(failed), all, reasons)
	return err
}
