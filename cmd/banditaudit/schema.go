package main

import (
	"github.com/urfave/cli/v2"
)

func schemaCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "schema", Usage: "print the JSON Schema of a document: protocol, results, manifest, replay, reproduce or plan",
		UsageText: "banditaudit schema protocol|results|manifest|replay|reproduce|plan",
		Flags:     flags(),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("schema needs one name: protocol, results, manifest, replay, reproduce or plan")
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
