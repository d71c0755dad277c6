package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze"
	"banditaudit/ingest/role"
	"banditaudit/replay"
	"banditaudit/replay/world"
)

// catalogue is everything that a protocol may name, and what may be simulated. It is made here, once, and
// handed down to every room.
type catalogue struct {
	*replay.Catalogue
	analysis *analyze.Catalogue
	worlds   *world.Catalogue
	columns  role.List // that a log may have
}

// known is what this program knows.
func known() *catalogue {
	return catalogueOf(replay.Standard(), analyze.Known(), world.Standard(), role.All())
}

// catalogueOf lets those who read protocols know what can be asked.
func catalogueOf(mechanisms *replay.Catalogue, analysis *analyze.Catalogue, worlds *world.Catalogue, columns role.List) *catalogue {
	mechanisms.Asked = analysis.Asked()
	return &catalogue{mechanisms, analysis, worlds, columns}
}

// documents have a schema.
func documents() []string {
	return []string{"protocol", "results", "manifest", "replay", "reproduce", "plan"}
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
