package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"banditaudit/ingest"
	"banditaudit/replay"
	"banditaudit/schemas"
)

func validateCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "validate", Usage: "report all problems of a protocol; with a log, what its columns turn into",
		UsageText: "banditaudit validate -p protocol.yaml [LOG...]",
		Flags:     flags(),
		Action:    action(p, needs{protocol: true, operands: anyLog, optional: true}, validate),
	}
}

// validation is what --json prints.
type validation struct {
	Protocol string               `json:"protocol"`
	Valid    bool                 `json:"valid"`
	Problems []string             `json:"problems"`
	Columns  []schemas.ColumnInfo `json:"columns"`
}

// validate exits 0 when the protocol, and the log where one is given, are as
// they should be, and 1 when they are not: here the object of the command
// failed, not the command.
func validate(c *cli.Context, p *process, s *settings) error {
	v := validation{Protocol: s.protocol, Problems: []string{}, Columns: []schemas.ColumnInfo{}}
	doc, err := loadProtocol(s.protocol, schemas.LoadOptions{})
	var problems schemas.Problems
	switch {
	case errors.As(err, &problems):
		for _, pr := range problems {
			v.Problems = append(v.Problems, pr.String())
		}
	case err != nil:
		return err
	default:
		if err := v.mechanism(doc); err != nil {
			v.Problems = append(v.Problems, err.Error())
		}
		if err := v.inspect(c, doc); err != nil {
			return err
		}
	}
	v.Valid = len(v.Problems) == 0
	if err := printDocument(p, s, v, func() error { return validationTable(p.stdout, &v) }); err != nil {
		return err
	}
	if !v.Valid {
		return &gateError{exitExceptions, "not valid"}
	}
	return nil
}

// mechanism builds the declared policy and counter: what cannot be built is a
// problem of the protocol.
func (v *validation) mechanism(doc *schemas.Document) error {
	if doc.Protocol.Policy == nil || len(doc.Protocol.Arms) == 0 {
		return nil
	}
	_, err := replay.New(&doc.Protocol, doc.Protocol.Arms)
	return err
}

// inspect looks at the schema of the log. A file that cannot be opened ends
// the command; a column that does not fit is a problem.
func (v *validation) inspect(c *cli.Context, doc *schemas.Document) error {
	if !c.Args().Present() {
		return nil
	}
	sources, err := ingest.Discover(c.Args().Slice())
	if err != nil {
		return &inputError{err}
	}
	columns, err := ingest.Inspect(c.Context, &doc.Protocol, sources)
	v.Columns = append(v.Columns, columns...)
	if _, input := errors.AsType[*ingest.InputError](err); input {
		v.Problems = append(v.Problems, err.Error())
		return nil
	}
	return err
}
