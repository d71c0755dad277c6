package kit

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/kit/layout"
	"banditaudit/schemas"
)

// HelpCommand is the command help.
func HelpCommand(p *Process) *cli.Command {
	name := p.Program.Name
	return &cli.Command{
		Name: "help", Usage: "help of a command, or on a topic",
		UsageText:   name + " help [COMMAND | TOPIC]",
		Description: Manual("Without a word it lists commands and topics.", name+" help "+p.Program.Topics()[0].Name, name+" help version"),
		Flags:       p.Program.Flags(""),
		Action: func(c *cli.Context) error {
			page, err := help(c.App, p, c.Args().First())
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(p.Stdout, page)
			return NotWritten(err)
		},
	}
}

// help is the help on a word: all that there is on "", a command with the topic
// that has its name, or a topic.
func help(app *cli.App, p *Process, word string) (string, error) {
	topics := p.Program.Topics()
	t, c, width := TopicOf(topics, word), app.Command(word), p.width()
	switch {
	case word == "":
		return overview(app, topics, width), nil
	case c != nil && t != nil:
		return commandHelp(app.Name, c, width) + "\n" + t.Text(width), nil
	case c != nil:
		return commandHelp(app.Name, c, width), nil
	case t != nil:
		return t.Text(width), nil
	}
	if where := p.Program.Elsewhere(word); where != "" {
		return "", Usagef("%s", where)
	}
	return "", Usagef("no help on %s%s; commands: %s; topics: %s", schemas.Quoted(word), nearest(word, append(commandNames(app), TopicNames(topics)...)),
		strings.Join(commandNames(app), ", "), strings.Join(TopicNames(topics), ", "))
}

// overview lists commands and topics.
func overview(app *cli.App, topics []Topic, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n\nUSAGE\n  %s\n\nCOMMANDS\n", app.Name, app.Usage, app.UsageText)
	for _, c := range app.Commands {
		hanging(&b, c.Name, c.Usage, width)
	}
	fmt.Fprintf(&b, "\nTOPICS, by %s help TOPIC\n", app.Name)
	for _, t := range topics {
		hanging(&b, t.Name, t.About, width)
	}
	fmt.Fprintf(&b, "\nFlags: %s COMMAND --help\n", app.Name)
	return b.String()
}

// examplesHead stands between what a command does and examples of it.
const examplesHead = "\n\nEXAMPLES\n"

// Manual is a command's description: what it does, and examples.
func Manual(does string, examples ...string) string {
	return does + examplesHead + "  " + strings.Join(examples, "\n  ")
}

// commandHelp is what --help says of a command: what it does, examples, and the
// flags that mean something to it.
func commandHelp(program string, c *cli.Command, width int) string {
	var b strings.Builder
	does, examples, _ := strings.Cut(c.Description, examplesHead)
	fmt.Fprintf(&b, "%sUSAGE\n  %s\n\n%s%s%s\n", layout.Reflow(program+" "+c.Name+" - "+c.Usage+"\n\n", width), strings.ReplaceAll(c.UsageText, "\n", "\n  "),
		strings.TrimSuffix(layout.Reflow(does, width), "\n"), examplesHead, examples)
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
	for _, words := range layout.Broken(says, width-hang) {
		fmt.Fprintf(b, "%-*s%s\n", hang, line, words)
		line = ""
	}
}
