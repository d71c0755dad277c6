package kit

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// completionFiles ask the program for the words that can stand at a place.
//
//go:embed completion
var completionFiles embed.FS

// AskCompletion is the last word of a command line that asks how the word before it
// can go on.
const AskCompletion = "--generate-bash-completion"

// shells lists the shells that have a completion file.
func shells() []string { return []string{"bash", "zsh", "fish"} }

// CompletionCommand is the command completion.
func CompletionCommand(p *Process) *cli.Command {
	name := p.Program.Name
	return &cli.Command{
		Name: "completion", Usage: "print the completion of a shell: bash, zsh or fish",
		UsageText: name + " completion bash|zsh|fish",
		Description: Manual("Of bash and zsh the output is sourced, of fish it is piped to source.",
			"source <("+name+" completion bash)", name+" completion fish | source"),
		Flags: p.Program.Flags(""),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || !slices.Contains(shells(), c.Args().First()) {
				return Usagef("completion needs a shell: %s", strings.Join(shells(), ", "))
			}
			b, err := completionFiles.ReadFile("completion/" + c.Args().First())
			if err != nil {
				return err
			}
			_, err = p.Stdout.Write(bytes.ReplaceAll(b, []byte("banditaudit"), []byte(name)))
			return NotWritten(err)
		},
	}
}

// complete prints, one a line, how the last of words can go on. Where it prints
// nothing a file is meant.
func complete(p *Process, app *cli.App, words []string) error {
	last := ""
	if n := len(words) - 1; n >= 0 {
		last, words = words[n], words[:n]
	}
	for _, word := range candidates(p, app, words, IsFlag(last) || last == "-") {
		if strings.HasPrefix(word, last) {
			if _, err := fmt.Fprintln(p.Stdout, word); err != nil {
				return err
			}
		}
	}
	return nil
}

// candidates are the words that can follow words: flags, or what a command takes
// that is no file.
func candidates(p *Process, app *cli.App, words []string, flag bool) []string {
	name, rest, err := splitCommand(p.Program, app, words)
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
	switch own := p.Program.Words[name]; {
	case own != nil:
		return own(rest)
	case name == "help":
		return append(commandNames(app), TopicNames(p.Program.Topics())...)
	case name == "completion":
		return shells()
	}
	return nil
}
