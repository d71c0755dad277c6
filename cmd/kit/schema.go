package kit

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// SchemaCommand is the command schema: it prints the JSON Schema of a document, which read
// returns for each of the names. The names are two or more; does says what a schema is for.
func SchemaCommand(p *Process, does string, names []string, read func(name string) ([]byte, error)) *cli.Command {
	line := p.Program.Name + " schema "
	return &cli.Command{
		Name: "schema", Usage: "print the JSON Schema of a document: " + strings.Join(names, ", "),
		UsageText:   line + strings.Join(names, "|"),
		Description: Manual(does, line+names[0]+" > "+names[0]+".schema.json", line+names[1]),
		Flags:       p.Program.Flags(""),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return Usagef("schema needs one name: %s", strings.Join(names, ", "))
			}
			b, err := read(c.Args().First())
			if err != nil {
				return Usagef("%s", err)
			}
			_, err = p.Stdout.Write(b)
			return NotWritten(err)
		},
	}
}
