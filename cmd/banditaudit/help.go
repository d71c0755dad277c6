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
			text, err := help(c.App, p, c.Args().First())
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
func help(app *cli.App, p *process, word string) (string, error) {
	t, c, width := topicOf(word), app.Command(word), p.width()
	switch {
	case word == "":
		return overview(app, width), nil
	case c != nil && t != nil:
		return commandHelp(c, width) + "\n" + t.text(p.catalogue, width), nil
	case c != nil:
		return commandHelp(c, width), nil
	case t != nil:
		return t.text(p.catalogue, width), nil
	}
	return "", usagef("no help on %s%s; commands: %s; topics: %s", schemas.Quoted(word), nearest(word, append(commandNames(app), topicNames()...)),
		strings.Join(commandNames(app), ", "), strings.Join(topicNames(), ", "))
}

// overview lists commands and topics.
func overview(app *cli.App, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUSAGE\n  %s\n\nCOMMANDS\n", app.Name, app.Usage, app.UsageText)
	for _, c := range app.Commands {
		hanging(&b, c.Name, c.Usage, width)
	}
	b.WriteString("\nTOPICS, by banditaudit help TOPIC\n")
	for _, t := range allTopics() {
		hanging(&b, t.name, t.about, width)
	}
	b.WriteString("\nFlags: banditaudit COMMAND --help\n")
	return b.String()
}

// examplesHead stands between what a command does and examples of it.
const examplesHead = "\n\nEXAMPLES\n"

// manual is a command's description: what it does, and examples.
func manual(text string, examples ...string) string {
	return text + examplesHead + "  " + strings.Join(examples, "\n  ")
}

// commandHelp is what --help says of a command: what it does, examples, and the
// flags that mean something to it.
func commandHelp(c *cli.Command, width int) string {
	var b strings.Builder
	does, examples, _ := strings.Cut(c.Description, examplesHead)
	fmt.Fprintf(&b, "%sUSAGE\n  %s\n\n%s%s%s\n", terminal.Reflow("banditaudit "+c.Name+" - "+c.Usage+"\n\n", width), strings.ReplaceAll(c.UsageText, "\n", "\n  "),
		strings.TrimSuffix(terminal.Reflow(does, width), "\n"), examplesHead, examples)
	head := "\nFLAGS\n"
	for _, f := range c.VisibleFlags() {
		if d, ok := f.(cli.DocGenerationFlag); ok && d.Names()[0] != "help" {
			b.WriteString(head + flagHelp(d, width))
			head = ""
		}
	}
	return b.String()
}

// placeholder is the word of a flag's usage that stands for its value.
var placeholder = regexp.MustCompile("`([^`]*)`")

// flagHelp says how a flag is written, what it does, its default and its variable.
func flagHelp(f cli.DocGenerationFlag, width int) string {
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
	hanging(&b, word, strings.ReplaceAll(usage, "`", ""), width)
	return b.String()
}

// hang is the column of what is said of a word.
const hang = 26

// hanging writes a word and, beside it, what is said of it.
func hanging(b *strings.Builder, word, says string, width int) {
	line := "  " + word
	if utf8.RuneCountInString(line) > hang-2 {
		b.WriteString(line + "\n")
		line = ""
	}
	for _, words := range terminal.Broken(says, width-hang) {
		fmt.Fprintf(b, "%-*s%s\n", hang, line, words)
		line = ""
	}
}
