package command

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/banditlab/pages"
	"banditaudit/cmd/banditlab/plan"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/replay"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

func planCommand(p *process) *cli.Command {
	return &cli.Command{
		Name:      "plan",
		Usage:     "before an experiment: what ε gives of bias, corrected p-values, power and regret",
		UsageText: "banditlab plan --rounds N [--epsilon LIST] [--arms K] [-o DIR]",
		Description: kit.Manual(`Says what a privacy parameter would give before anything is logged, and which one
meets wishes. With --arms or --means a world is simulated too.`,
			"banditlab plan --rounds 20000 --bias 0.02 --inflation 3",
			"banditlab plan --arms 5 --rounds 100000 --effect 0.1 --power 0.8 --regret 5000 -o DIR"),
		Flags:  planFlags(),
		Action: action(p, kit.Needs{}, planOnly),
	}
}

// planFlags are the common flags, without -p for a protocol, and plan's own.
func planFlags() []cli.Flag {
	all := flags("out json quiet no-progress jobs force seed",
		&cli.Int64Flag{Name: "rounds", DefaultText: "required", Usage: "planned `NUMBER` of rounds"},
		&cli.StringFlag{Name: "epsilon", DefaultText: "a grid", Usage: "ε of each arm's counter, `LIST` such as 0.01,0.1"},
		&cli.Float64Flag{Name: "p", Value: 0.05, Usage: "raw `P` to correct"},
		&cli.Float64Flag{Name: "alpha", Value: 0.05, Usage: "`LEVEL` of corrected tests"},
		&cli.StringFlag{Name: "range", Value: "0,1", Usage: "`LO,HI` of the reward"},
		&cli.IntFlag{Name: "arms", DefaultText: "nothing is simulated", Usage: "`NUMBER` of arms of a simulated world"},
		&cli.StringFlag{Name: "means", Usage: "mean reward of each arm, `LIST` such as 0.6,0.5,0.5"},
		&cli.Float64Flag{Name: "effect", DefaultText: "a tenth of the range", Usage: "by how `MUCH` the first arm pays more than the others"},
		&cli.StringFlag{Name: "world", DefaultText: "bernoulli, or beta with --sd", Usage: "bernoulli or beta"},
		&cli.Float64Flag{Name: "sd", DefaultText: "half the range", Usage: "standard `DEVIATION` of a reward at the middle of the range"},
		&cli.StringFlag{Name: "policy", DefaultText: "successive-elimination and ucb", Usage: "`NAME` of the policy"},
		&cli.StringFlag{Name: "counter", DefaultText: "epochs and hybrid", Usage: "`NAME` of its counter"},
		&cli.GenericFlag{Name: "set", Value: &assignments{}, Usage: "`KEY=VALUE` of a parameter of the policy or counter, as for simulate; may be repeated"},
		&cli.Int64Flag{Name: "runs", DefaultText: "what some seconds allow", Usage: "simulated `NUMBER` of runs of each mechanism at each ε"},
		&cli.Float64Flag{Name: "bias", Usage: "wish: `LARGEST` bias bound of an arm's mean"},
		&cli.Float64Flag{Name: "inflation", Usage: "wish: `LARGEST` corrected p over raw p"},
		&cli.Float64Flag{Name: "power", Usage: "wish: `LEAST` power of the corrected test"},
		&cli.Float64Flag{Name: "regret", Usage: "wish: `LARGEST` regret"},
	)
	for i, f := range all {
		if s, ok := f.(*cli.StringFlag); ok && s.Name == "protocol" {
			all[i] = &cli.StringFlag{Name: s.Name, Hidden: true, EnvVars: s.EnvVars, Usage: s.Usage}
		}
	}
	return all
}

func planOnly(c *cli.Context, p *process, s *kit.Settings) error {
	q, err := readQuestion(c, p, s)
	if err != nil {
		return err
	}
	if err = kit.CheckPlace(s.Out, s.Force); err != nil { // before what takes long
		return err
	}
	bar := s.NewProgress("simulating")
	bar.Unit = "rounds"
	q.Jobs, q.Progress = s.Jobs, bar.Update
	answer, err := plan.Run(c.Context, *q)
	bar.End()
	if err != nil {
		return planFault(c, q, err)
	}
	answer.Tool = tool()
	show := func() error {
		return s.PrintDocument(answer, func() error { return printPlan(p.Stdout, s.Out, answer) })
	}
	if s.Out == "" {
		return show()
	}
	return writePlan(c.Context, s, answer, show)
}

// planFault says which flag is to blame for a mechanism that cannot be declared.
func planFault(c *cli.Context, q *plan.Question, err error) error {
	_, problems := errors.AsType[schemas.Problems](err)
	_, fault := errors.AsType[*replay.Fault](err)
	if !problems && !fault {
		return err
	}
	st := &world.Starter{Catalogue: q.Catalogue, Policy: q.Policy, Counter: q.On, Epsilon: c.String("epsilon"), Set: q.Set}
	return kit.Usagef("these flags do not make a mechanism:\n%s", blame(err, st))
}

// readQuestion reads the flags.
func readQuestion(c *cli.Context, p *process, s *kit.Settings) (*plan.Question, error) {
	if !c.IsSet("rounds") {
		return nil, kit.Usagef("plan needs --rounds, the planned number of rounds, such as --rounds 20000")
	}
	q := &plan.Question{
		Catalogue: p.catalogue.Catalogue,
		Rounds:    c.Int64("rounds"), P: c.Float64("p"), Alpha: c.Float64("alpha"), Arms: c.Int("arms"), Effect: c.Float64("effect"), SD: c.Float64("sd"),
		Policy: c.String("policy"), On: c.String("counter"), Set: c.Generic("set").(*assignments).values, Runs: c.Int64("runs"), Seed: s.Seed,
		Wishes: plan.Wishes{Bias: given(c, "bias"), Inflation: given(c, "inflation"), Power: given(c, "power"), Regret: given(c, "regret")},
	}
	for _, name := range []string{"p", "alpha", "effect", "sd", "arms", "runs"} {
		if c.IsSet(name) && isZero(c, name) {
			return nil, kit.Usagef("--%s is 0, must be above 0; leave it out for the default", name)
		}
	}
	var err error
	if q.Range, err = parseNumbers("range", c.String("range")); err != nil {
		return nil, err
	}
	if q.Means, err = parseNumbers("means", c.String("means")); err != nil {
		return nil, err
	}
	if c.IsSet("epsilon") && strings.TrimSpace(c.String("epsilon")) == "" {
		return nil, kit.Usagef("--epsilon is empty; write one such as 0.1, or a list such as 0.01,0.1, or leave it out for a grid")
	}
	if q.Epsilons, err = parseEpsilons(c.String("epsilon")); err != nil {
		return nil, err
	}
	switch w := c.String("world"); {
	case w != "" && w != world.Bernoulli && w != world.Beta:
		return nil, kit.Usagef("--world %s: plan simulates %s and %s; simulate has more", w, world.Bernoulli, world.Beta)
	case w != "" && q.Arms == 0 && q.Means == nil:
		return nil, kit.Usagef("--world %s needs --arms, or --means", w)
	case w == world.Beta && q.SD == 0:
		return nil, kit.Usagef("--world beta needs --sd, the standard deviation of a reward at the middle of the range, such as --sd 0.2")
	case w == world.Bernoulli && q.SD != 0:
		return nil, kit.Usagef("--world bernoulli has the standard deviation of its means; leave --sd out, or write --world beta")
	}
	return q, nil
}

// given is the value of a flag; nil where it was not given.
func given(c *cli.Context, name string) *float64 {
	if !c.IsSet(name) {
		return nil
	}
	v := c.Float64(name)
	return &v
}

func isZero(c *cli.Context, name string) bool {
	switch v := c.Value(name).(type) {
	case float64:
		return v == 0
	case int:
		return v == 0
	case int64:
		return v == 0
	}
	return false
}

// parseEpsilons reads a list of ε as a protocol would; nil for "".
func parseEpsilons(text string) ([]schemas.Rational, error) {
	if text == "" {
		return nil, nil
	}
	var out []schemas.Rational
	for word := range strings.SplitSeq(text, ",") {
		v, err := schemas.ParseRational(strings.TrimSpace(word))
		if err != nil || v.Inf() || v.Rat().Sign() <= 0 {
			return nil, kit.Usagef("--epsilon: %s is not a number from 1e-100 to 1e100; write one such as 0.1, or a list such as 0.01,0.1", schemas.Quoted(word))
		}
		if slices.ContainsFunc(out, v.Equal) {
			return nil, kit.Usagef("--epsilon: %s is there twice; write it once", v)
		}
		out = append(out, v)
	}
	return out, nil
}

// writePlan writes what stands in DIR and shows the summary.
func writePlan(ctx context.Context, s *kit.Settings, answer *documents.Plan, show func() error) error {
	dir, err := kit.NewOutputDir(s.Out, s.Force)
	if err != nil {
		return err
	}
	defer dir.Discard() //nolint:errcheck // a left-over temporary directory is reported by the error that led here
	encoded, err := schemas.Encode(answer)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err = pages.PlanMarkdown(&text, answer); err != nil {
		return err
	}
	files, err := pages.PlanFigures(answer)
	if err != nil {
		return err
	}
	files = append(files, page.File{Name: kit.PlanFile, Data: encoded}, page.File{Name: kit.PlanPage, Data: text.Bytes()})
	if answer.Protocol != "" {
		files = append(files, page.File{Name: kit.ProtocolFile, Data: []byte(answer.Protocol)})
	}
	for _, f := range files {
		if err := dir.Write(f.Name, f.Data); err != nil {
			return err
		}
	}
	if err := kit.Unstopped(ctx); err != nil {
		return err
	}
	return dir.Shown(show)
}
