package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// settings are the values of the common flags, and of this program's own.
type settings struct {
	*kit.Settings
	keepTableau, failOn string
	allowExec           bool
	openLineage         bool               // audit writes openlineage.json too
	commitment          *bundle.Commitment // that audit holds the protocol against; nil: none
	log                 *givenLog          // whose part is audited, or merged; nil: the operands are all
}

// commonFlags are understood by every command. The help of a command shows those
// that mean something to it.
func commonFlags(shown string) []cli.Flag {
	hidden := func(name string) bool { return kit.IsHidden(name, shown) }
	return append(kit.CommonFlags(shown),
		&cli.StringFlag{Name: "keep-tableau", Hidden: hidden("keep-tableau"), EnvVars: kit.Variable("KEEP_TABLEAU"), Usage: "keep the tableau in `DIR` (it holds every reward)"},
		&cli.BoolFlag{
			Name: "allow-exec", Hidden: hidden("allow-exec"), EnvVars: kit.Variable("ALLOW_EXEC"),
			Usage: "run the policy of the protocol where it is a program (policy.exec); nothing is run without it",
		},
		&cli.StringFlag{
			Name: "fail-on", Hidden: hidden("fail-on"), EnvVars: kit.Variable("FAIL_ON"), Value: "incomplete",
			Usage: "exit with 1 or 3 from `WORD` on: violated, incomplete, caution or never",
		},
	)
}

// flags are the common flags, with the names of those that the help shows, and a
// command's own.
func flags(shown string, own ...cli.Flag) []cli.Flag { return append(own, commonFlags(shown)...) }

// needs says what a command cannot do without.
type needs struct {
	protocol, out, tableau bool
	operands               string // in words; "" where the command takes none
	optional               bool   // operands may be left out
	merges                 bool   // it has no experiment in work, of which there could be fewer
}

// anyLog are the operands of the commands that read a log.
const anyLog = "a log: a Parquet file, a directory or a glob"

// shared are the needs that any program has.
func (n needs) shared() kit.Needs {
	out := kit.Needs{Protocol: n.protocol, Out: n.out, Operands: n.operands, Optional: n.optional}
	if !n.merges {
		out.Fewer = "or, where there are several experiments, audit fewer at a time"
	}
	return out
}

// action makes an action of a command's own part: settings are read and what
// it needs is there before it runs.
func action(p *process, n needs, run func(c *cli.Context, p *process, s *settings) error) cli.ActionFunc {
	return kit.Action(p.Process, n.shared(), func(c *cli.Context, common *kit.Settings) error {
		s := &settings{Settings: common, keepTableau: c.String("keep-tableau"), failOn: c.String("fail-on"), allowExec: c.Bool("allow-exec")}
		if err := n.check(c, s); err != nil {
			return err
		}
		s.sweep()
		return run(c, p, s)
	})
}

func (n needs) check(c *cli.Context, s *settings) error {
	name := c.Command.Name
	switch {
	case !slices.Contains([]string{"violated", "incomplete", "caution", "never"}, s.failOn):
		return kit.Usagef("--fail-on is %s, must be violated, incomplete, caution or never", schemas.Quoted(s.failOn))
	case n.tableau && c.String("tableau") == "":
		return kit.Usagef("%s needs a tableau: give -t DIR, made by banditaudit ingest", name)
	case s.Out == "-" && (name == "census" || name == "audit" && (c.IsSet("part") || c.IsSet("log"))):
		return kit.Usagef("-o is -, and %s writes a file that appears when it is whole: name it; --json prints what there is to print", name)
	}
	return kit.CheckLocal(s.keepTableau)
}

// sweep removes what runs that were killed left where this one writes.
func (s *settings) sweep() {
	outputs := []string{s.Out, s.keepTableau}
	if s.Out != "" {
		outputs = append(outputs, failureFile(s.Out))
	}
	s.Sweep(outputs, scratchPrefix, bundle.AgainPrefix, programPrefix)
}

// gate turns what does not hold into the error that ends the run, if any.
func gate(overall schemas.Overall, failOn string) error {
	switch {
	case failOn == "never":
		return nil
	case overall.Violated > 0:
		return kit.Tripped(kit.ExitExceptions, overall.String())
	case overall.Open > 0 && failOn != "violated", overall.Cautions > 0 && failOn == "caution":
		return kit.Tripped(kit.ExitIncomplete, overall.String())
	}
	return nil
}
