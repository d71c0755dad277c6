package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

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
