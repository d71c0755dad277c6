package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze/reproduce"
)

// completionFiles ask the program for the words that can stand at a place.
//
//go:embed completion
var completionFiles embed.FS

// askCompletion is the last word of a command line that asks how the word before it
// can go on.
const askCompletion = "--generate-bash-completion"

// shells lists the shells that have a completion file.
func shells() []string { return []string{"bash", "zsh", "fish"} }

func completionCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print the completion of a shell: bash, zsh or fish",
		UsageText: "banditaudit completion bash|zsh|fish",
		Description: manual("Of bash and zsh the output is sourced, of fish it is piped to source.",
			"source <(banditaudit completion bash)", "banditaudit completion fish | source"),
		Flags: flags(""),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || !slices.Contains(shells(), c.Args().First()) {
				return usagef("completion needs a shell: %s", strings.Join(shells(), ", "))
			}
			b, err := completionFiles.ReadFile("completion/" + c.Args().First())
			if err != nil {
				return err
			}
			_, err = p.stdout.Write(b)
			return notWritten(err)
		},
	}
}

// complete prints, one a line, how the last of words can go on. Where it prints
// nothing a file is meant.
func complete(p *process, app *cli.App, words []string) error {
	last := ""
	if n := len(words) - 1; n >= 0 {
		last, words = words[n], words[:n]
	}
	for _, word := range candidates(p, app, words, isFlag(last) || last == "-") {
		if strings.HasPrefix(word, last) {
			if _, err := fmt.Fprintln(p.stdout, word); err != nil {
				return err
			}
		}
	}
	return nil
}

// candidates are the words that can follow words: flags, or what a command takes
// that is no file.
func candidates(p *process, app *cli.App, words []string, flag bool) []string {
	name, rest, err := splitCommand(app, words)
	cmd := app.Command(name)
	switch {
	case err != nil || cmd == nil:
		return append(commandNames(app), "--version", "--help")
	case flag:
		var out []string
		for _, f := range cmd.VisibleFlags() {
			out = append(out, dashed(f.Names()[0]))
		}
		return out
	}
	if name == "explain" {
		return explainable(p, rest)
	}
	return map[string][]string{
		"help": append(commandNames(app), topicNames()...), "schema": documents(), "completion": shells(),
		"reproduce": append(reproduce.Names(), allExperiments),
	}[name]
}
