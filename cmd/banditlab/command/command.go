// Package command has the commands of banditlab: worlds with known truth, the plan of an
// experiment, the experiments of Neel and Roth (2018).
package command

import (
	"github.com/urfave/cli/v2"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/banditlab/paper"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/cmd/kit"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// catalogue is what may be simulated.
type catalogue struct {
	*replay.Catalogue
	worlds *world.Catalogue
}

// process is what this program is given by the operating system, and what it knows.
type process struct {
	*kit.Process
	catalogue *catalogue
}

// New is banditlab.
func New() *kit.Program { return Of(analyze.Standard(), world.Standard()) }

// Of is banditlab with other policies, counters, worlds and faults.
func Of(mechanisms *replay.Catalogue, worlds *world.Catalogue) *kit.Program {
	known := &catalogue{mechanisms, worlds}
	return &kit.Program{
		Name:  "banditlab",
		Usage: "logs with known truth, plans of experiments, and what banditaudit's promises were counted on",
		Flags: kit.CommonFlags,
		Commands: func(common *kit.Process) []*cli.Command {
			p := &process{common, known}
			return []*cli.Command{
				simulateCommand(p), planCommand(p), reproduceCommand(p), answersCommand(p), calibrationCommand(p), dialectsCommand(p),
				faultsCommand(p), mechanismsCommand(p), truthsCommand(p), schemaCommand(common),
				kit.HelpCommand(common), kit.VersionCommand(common), kit.CompletionCommand(common),
			}
		},
		Topics:    func() []kit.Topic { return topics(known) },
		Elsewhere: elsewhere,
		Words: map[string]func(words []string) []string{
			"reproduce": func([]string) []string { return append(paper.Names(), allExperiments) },
			"schema":    func([]string) []string { return documents.Names() },
		},
	}
}

func schemaCommand(p *kit.Process) *cli.Command {
	does := "A program that reads a plan or a reproduction checks it by this first."
	return kit.SchemaCommand(p, does, documents.Names(), documents.JSONSchema)
}

// elsewhere says where a word is a command that is none here.
func elsewhere(word string) string {
	switch word {
	case "audit", "census", "merge", "ingest", "replay", "analyze", "report", "validate", "init", "explain", "verify", "diff", "sign", "keygen", "commit":
		return word + " is a command of banditaudit: write banditaudit " + word
	case "log", "protocol", "policies", "libraries", "counters", "tests", "glossary", "exit-codes", "environment":
		return word + " is a topic of banditaudit: write banditaudit help " + word
	}
	return ""
}

// flags are the common flags, with the names of those that the help shows, and a
// command's own.
func flags(shown string, own ...cli.Flag) []cli.Flag { return append(own, kit.CommonFlags(shown)...) }

// action makes an action of a command's own part.
func action(p *process, n kit.Needs, run func(c *cli.Context, p *process, s *kit.Settings) error) cli.ActionFunc {
	return kit.Action(p.Process, n, func(c *cli.Context, s *kit.Settings) error {
		s.Sweep([]string{s.Out})
		return run(c, p, s)
	})
}

func tool() schemas.Tool { return schemas.Tool{Name: "banditlab", Version: kit.Version} }
