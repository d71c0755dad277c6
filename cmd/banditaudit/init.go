package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/protocolinit"
	"banditaudit/cmd/kit"
	"banditaudit/ingest"
	"banditaudit/ingest/files"
	"banditaudit/ingest/guess"
	"banditaudit/schemas"
)

func initCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "inspect a log, print a commented starter protocol",
		UsageText: "banditaudit init [-o protocol.yaml] LOG...",
		Description: kit.Manual(`Guesses the role of every column by its name, its type and the contents of at
most 32,768 rows. Every guess says why; what could not be guessed, and what no
log can tell, is a commented line marked DECIDE. The range of the reward is
never read off the data. With -o it is written to a file, which must not exist
unless --force is given; with --json the guesses are a document instead.`,
			"banditaudit init log/ > protocol.yaml",
			"banditaudit init -o protocol.yaml 'log/dt=*'"),
		Flags:  flags("out json quiet max-memory force"),
		Action: action(p, needs{operands: anyLog}, initialise),
	}
}

func initialise(c *cli.Context, p *process, s *settings) error {
	if s.Out != "" { // before the log is looked at
		if err := kit.CheckFree(s.Out, s.Force); err != nil {
			return err
		}
	}
	sources, err := files.Discover(c.Context, c.Args().Slice())
	if err != nil {
		return err
	}
	draft, err := guess.Guess(c.Context, p.catalogue.columns, sources, (&ingest.Options{MaxMemory: s.MaxMemory}).Budget())
	if err != nil {
		return err
	}
	write := func(w io.Writer) error {
		return protocolinit.Print(w, p.catalogue.Format(), draft, experimentName(c.Args().First()), c.Args().Slice())
	}
	if s.Out != "" {
		return writeDraft(s, draft, write, sources)
	}
	return s.PrintDocument(draft, func() error { return write(p.Stdout) })
}

// writeDraft writes what init prints to a file, whole, and over no file of the
// log.
func writeDraft(s *settings, draft *guess.Draft, write func(io.Writer) error, log []files.Source) error {
	inputs := make([]string, len(log))
	for i := range log {
		inputs[i] = log[i].Path
	}
	if err := kit.CheckApart(s.Out, inputs, nil); err != nil {
		return err
	}
	if s.JSON {
		b, err := schemas.Encode(draft)
		if err != nil {
			return err
		}
		return kit.WriteFile(s.Out, b, s.Force)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return kit.WriteFile(s.Out, b.Bytes(), s.Force)
}

// experimentName returns a name for the experiment: the name of the first argument.
func experimentName(arg string) string {
	base := filepath.Base(filepath.Clean(strings.TrimPrefix(arg, "@")))
	base = strings.TrimSuffix(base, filepath.Ext(base))
	if strings.ContainsAny(base, "*?[") || strings.Trim(base, "./") == "" {
		return "experiment"
	}
	return base
}

func schemaCommand(p *process) *cli.Command {
	does := "An editor that knows JSON Schema then completes and checks a protocol."
	return kit.SchemaCommand(p.Process, does, schemas.Names(), func(name string) ([]byte, error) {
		if name == "plan" || name == "reproduce" {
			return nil, fmt.Errorf("%s.json is a document of the laboratory: write banditlab schema %[1]s (go install ./cmd/banditlab)", name)
		}
		return p.catalogue.Format().JSONSchema(name)
	})
}
