package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze/decide/claims"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/banditaudit/explain"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

func explainCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "a claim, check, test, method, number or word: what it is, how it is made, what a run had of it",
		UsageText: "banditaudit explain NAME [DIR]",
		Description: kit.Manual(`Without DIR it says what a name means. With DIR, the directory of an audit or its results.json, also what
that run had of it and what would change it. A name that means several things is listed with all of them;
check:H05, test:H1, claim:P1, method:any-time, key:policy.width.clock and word:tableau name one.

Of many experiments the first 20 places are shown; with --experiment those of that one.`,
			"banditaudit explain H05", "banditaudit explain claim:policy.conformance out", "banditaudit explain number:sigma out --json", "banditaudit explain check:H05 out --experiment exp-7"),
		Flags: flags("json max-memory",
			&cli.StringFlag{Name: "experiment", EnvVars: kit.Variable("EXPERIMENT"), Usage: "show what the run had of the experiment `ID` alone"}),
		Action: action(p, needs{operands: "a name, such as H05, policy.conformance or word:tableau"}, explainName),
	}
}

func explainName(c *cli.Context, p *process, s *settings) error {
	if c.NArg() > 2 {
		return kit.Usagef("explain takes a name and a directory, got %d arguments", c.NArg())
	}
	run, err := openRun(p, c.Args().Get(1), s.MaxMemory)
	if err != nil {
		return err
	}
	if err = ofOneExperiment(c, run); err != nil {
		return err
	}
	entries, err := explained(p.catalogue).All()
	if err != nil {
		return err
	}
	entry, err := explain.Find(entries, c.Args().First(), run)
	if _, unknown := errors.AsType[*explain.UnknownError](err); unknown {
		return kit.Usagef("%s", err.Error())
	}
	if err != nil {
		return bundle.ResultsError(err)
	}
	x, err := explain.Explain(entry, run)
	if err != nil {
		return bundle.ResultsError(err)
	}
	if !s.JSON {
		return kit.NotWritten(x.Print(p.Stdout, s.Look.Width))
	}
	b, err := schemas.Encode(x)
	if err != nil {
		return err
	}
	_, err = p.Stdout.Write(b)
	return kit.NotWritten(err)
}

// ofOneExperiment makes a run say what it had of the experiment that --experiment names.
func ofOneExperiment(c *cli.Context, run *explain.Run) error {
	if !c.IsSet("experiment") {
		return nil
	}
	id := c.String("experiment")
	if run == nil {
		return kit.Usagef("--experiment is %s, and no directory of an audit is given: name it behind the name", schemas.Quoted(id))
	}
	has, err := run.Only(id)
	switch {
	case err != nil:
		return bundle.ResultsError(err)
	case id == "" || !has:
		return kit.Usagef("--experiment is %s, which no experiment of this run is called; tables/claims.parquet has their names", schemas.Quoted(id))
	}
	return nil
}

// explained is what explain knows by name.
func explained(known *catalogue) *explain.Known {
	k := &explain.Known{Format: known.Format(), Checks: known.analysis.Checks, Assumptions: claims.Assumptions(nil, nil, false)}
	topics := allTopics(known)
	k.Page = func(name string) string { return kit.TopicOf(topics, name).Text(kit.UsualWidth) }
	for i := range known.columns {
		column := &known.columns[i]
		k.Columns = append(k.Columns, explain.Column{Key: cmp.Or(column.Path, "log."+string(column.Role)), Needs: column.Fit.Needs})
	}
	return k
}

// openRun opens a bundle, or its results.json; nil for no path.
func openRun(p *process, path string, memory int64) (*explain.Run, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // no bundle is no fault
	}
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, kit.BadInput(errors.New(schemas.Printable(path) + ": there is no such file or directory; name the directory that audit wrote"))
	}
	if err == nil && info.IsDir() {
		path = filepath.Join(path, kit.ResultsFile)
	}
	results, err := bundle.OpenResults(p.catalogue.Format(), path, memory)
	if err != nil {
		return nil, err
	}
	run, err := explain.NewRun(results.Head, results)
	if err != nil {
		return nil, bundle.ResultsError(err)
	}
	return run, nil
}

// explainable are the names that explain knows without a bundle, for completion: with
// what they are, and without where they mean one thing. Behind a name a file is meant.
func explainable(known *catalogue, words []string) []string {
	if slices.ContainsFunc(words, func(word string) bool { return !kit.IsFlag(word) }) {
		return nil
	}
	entries, err := explained(known).All()
	if err != nil {
		return nil // a completion says nothing
	}
	var out []string
	times := map[string]int{}
	for i := range entries {
		times[entries[i].Name]++
		out = append(out, entries[i].ID())
	}
	for i := range entries {
		if times[entries[i].Name] == 1 {
			out = append(out, entries[i].Name)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return strings.Contains(name, " ") }) // a shell would take them apart
}
