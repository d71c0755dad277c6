package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// documents have a schema.
func documents() []string {
	return []string{"protocol", "results", "manifest", "replay", "reproduce", "plan", "summary"}
}

func schemaCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "schema", Usage: "print the JSON Schema of a document: " + strings.Join(documents(), ", "),
		UsageText: "banditaudit schema " + strings.Join(documents(), "|"),
		Description: manual("An editor that knows JSON Schema then completes and checks a protocol.",
			"banditaudit schema protocol > protocol.schema.json", "banditaudit schema results"),
		Flags: flags(""),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("schema needs one name: %s", strings.Join(documents(), ", "))
			}
			b, err := p.catalogue.Format().JSONSchema(c.Args().First())
			if err != nil {
				return usagef("%s", err)
			}
			_, err = p.stdout.Write(b)
			return notWritten(err)
		},
	}
}
