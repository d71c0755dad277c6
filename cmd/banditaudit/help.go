package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/schemas"
)

func helpCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "help of a command, or on a topic",
		UsageText:   "banditaudit help [COMMAND | TOPIC]",
		Description: manual("Without a word it lists commands and topics.", "banditaudit help log", "banditaudit help audit"),
		Flags:       flags(""),
		Action: func(c *cli.Context) error {
			text, err := help(c.App, p.catalogue, c.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.stdout, text)
			return notWritten(err)
		},
	}
}

// help is the help on a word: all that there is on "", a command with the topic
// that has its name, or a topic.
func help(app *cli.App, known *catalogue, word string) (string, error) {
	t, c := topicOf(word), app.Command(word)
	switch {
	case word == "":
		return overview(app), nil
	case c != nil && t != nil:
		return commandHelp(c) + "\n" + t.text(known), nil
	case c != nil:
		return commandHelp(c), nil
	case t != nil:
		return t.text(known), nil
	}
	return "", usagef("no help on %s%s; commands: %s; topics: %s", schemas.Quoted(word), nearest(word, append(commandNames(app), topicNames()...)),
		strings.Join(commandNames(app), ", "), strings.Join(topicNames(), ", "))
}

// overview lists commands and topics.
func overview(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUSAGE\n  %s\n\nCOMMANDS\n", app.Name, app.Usage, app.UsageText)
	for _, c := range app.Commands {
		hanging(&b, c.Name, c.Usage)
	}
	b.WriteString("\nTOPICS, by banditaudit help TOPIC\n")
	for _, t := range allTopics() {
		hanging(&b, t.name, t.about)
	}
	b.WriteString("\nFlags: banditaudit COMMAND --help\n")
	return b.String()
}

// helpWidth is the width of a help text.
const helpWidth = 88

// manual is a command's description: what it does, and examples.
func manual(text string, examples ...string) string {
	return text + "\n\nEXAMPLES\n  " + strings.Join(examples, "\n  ")
}

// commandHelp is what --help says of a command: what it does, examples, and the
// flags that mean something to it.
func commandHelp(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "banditaudit %s - %s\n\nUSAGE\n  %s\n\n%s\n", c.Name, c.Usage, strings.ReplaceAll(c.UsageText, "\n", "\n  "), c.Description)
	head := "\nFLAGS\n"
	for _, f := range c.VisibleFlags() {
		if d, ok := f.(cli.DocGenerationFlag); ok && d.Names()[0] != "help" {
			b.WriteString(head + flagHelp(d))
			head = ""
		}
	}
	return b.String()
}

// placeholder is the word of a flag's usage that stands for its value.
var placeholder = regexp.MustCompile("`([^`]*)`")

// flagHelp says how a flag is written, what it does, its default and its variable.
func flagHelp(f cli.DocGenerationFlag) string {
	names := f.Names()
	word := dashed(names[0])
	if len(names) > 1 {
		word = dashed(names[1]) + ", " + word
	}
	usage := f.GetUsage()
	if f.TakesValue() {
		value := "VALUE"
		if m := placeholder.FindStringSubmatch(usage); m != nil {
			value = m[1]
		}
		word += " " + value
		if d := f.GetDefaultText(); d != "" && d != "0" {
			usage += " (default: " + strings.Trim(d, `"`) + ")"
		}
	}
	if v := f.GetEnvVars(); len(v) > 0 {
		usage += " [" + v[0] + "]"
	}
	var b strings.Builder
	hanging(&b, word, strings.ReplaceAll(usage, "`", ""))
	return b.String()
}

// hang is the column of what is said of a word.
const hang = 26

// hanging writes a word and, beside it, what is said of it.
func hanging(b *strings.Builder, word, says string) {
	line := "  " + word
	if utf8.RuneCountInString(line) > hang-2 {
		b.WriteString(line + "\n")
		line = ""
	}
	for _, words := range terminal.Broken(says, helpWidth-hang) {
		fmt.Fprintf(b, "%-*s%s\n", hang, line, words)
		line = ""
	}
}
