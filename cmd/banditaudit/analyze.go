package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"banditaudit/schemas"
)

func analyzeCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "analyze", Usage: "bias bounds, regressions, corrected p-values, checks and claims of a tableau",
		UsageText: "banditaudit analyze -p protocol.yaml -t TABLEAU [--replay DIR] -o results.json",
		Flags: flags(tableauFlag(),
			&cli.StringFlag{Name: "replay", EnvVars: variable("REPLAY"), Usage: "`DIR` written by replay; without it policy.conformance is NOT RUN"}),
		Action: action(p, needs{protocol: true, out: true, tableau: true}, analyzeOnly),
	}
}

func analyzeOnly(c *cli.Context, p *process, s *settings) error {
	if err := checkResultsFile(s, c.String("tableau"), c.String("replay")); err != nil {
		return err
	}
	pl, err := newPipeline(p, s)
	if err != nil {
		return err
	}
	t, manifest, err := pl.open(c.String("tableau"))
	if err != nil {
		return err
	}
	defer t.Close() //nolint:errcheck // nothing was written through the mapping
	var replays []schemas.ReplayExperiment
	if dir := c.String("replay"); dir != "" {
		if replays, err = pl.readReplay(dir, manifest); err != nil {
			return err
		}
	}
	results, err := pl.findings(c.Context, t, manifest, replays)
	if err != nil {
		return err
	}
	if err := writeResults(s.out, results); err != nil {
		return err
	}
	if err := printResults(p, s, results); err != nil {
		return err
	}
	return gate(results.Overall, s.failOn)
}

// checkResultsFile refuses an output that is not results of an earlier run,
// also with --force: "-o seed.hex" must not cost anybody their seed.
func checkResultsFile(s *settings, inputs ...string) error {
	if err := checkFree(s.out, s.force); err != nil {
		return err
	}
	for _, in := range append(inputs, s.protocol) {
		if in != "" && resolved(in) == resolved(s.out) {
			return usagef("%s is an input; give another -o", s.out)
		}
	}
	b, err := os.ReadFile(s.out)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && bytes.Contains(b[:min(len(b), 200)], []byte(`"`+schemas.ResultsSchema+`"`)), err == nil && len(b) == 0:
		return nil
	}
	return usagef("%s exists and is not a results.json that banditaudit wrote, so --force does not replace it; give another -o", s.out)
}
