package main

import (
	"github.com/urfave/cli/v2"

	"banditaudit/analyze"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/role"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// process is what this program is given by the operating system, and what it knows.
type process struct {
	*kit.Process
	catalogue *catalogue // what a protocol may name
}

// catalogue is everything that a protocol may name. It is made here, once, and handed down
// to every room.
type catalogue struct {
	*replay.Catalogue
	analysis *analyze.Catalogue
	columns  role.List // that a log may have
}

// known is what this program knows.
func known() *catalogue { return catalogueOf(replay.Standard(), analyze.Known(), role.All()) }

// catalogueOf lets those who read protocols know what can be asked.
func catalogueOf(mechanisms *replay.Catalogue, analysis *analyze.Catalogue, columns role.List) *catalogue {
	mechanisms.Asked = analysis.Asked()
	return &catalogue{mechanisms, analysis, columns}
}

// banditaudit is the program, for which a protocol may name what is known.
func banditaudit(known *catalogue) *kit.Program {
	return &kit.Program{
		Name:  "banditaudit",
		Usage: "audit logged bandit experiments: bias bounds, privacy accounting, corrected p-values",
		Flags: commonFlags,
		Commands: func(common *kit.Process) []*cli.Command {
			p := &process{common, known}
			return []*cli.Command{
				auditCommand(p), censusCommand(p), mergeCommand(p), ingestCommand(p), replayCommand(p), analyzeCommand(p), reportCommand(p),
				validateCommand(p), initCommand(p), explainCommand(p), verifyCommand(p), diffCommand(p), signCommand(p), keygenCommand(p),
				commitCommand(p), schemaCommand(p), kit.HelpCommand(common), kit.VersionCommand(common), kit.CompletionCommand(common),
			}
		},
		Topics:    func() []kit.Topic { return allTopics(known) },
		Elsewhere: elsewhere,
		Words: map[string]func(words []string) []string{
			"explain": func(words []string) []string { return explainable(known, words) },
			"schema":  func([]string) []string { return schemas.Names() },
		},
	}
}

// elsewhere says where a word is a command that is none here.
func elsewhere(word string) string {
	switch word {
	case "simulate", "plan", "reproduce", "answers", "calibration", "dialects", "faults", "mechanisms", "truth":
		return word + " is a command of the laboratory: write banditlab " + word + " (built by go build ./cmd/banditlab)"
	case "probe":
		return word + " is not in this version"
	}
	return ""
}
