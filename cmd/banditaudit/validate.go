package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/terminal"
	"banditaudit/cmd/kit"
	"banditaudit/ingest"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/guess"
	"banditaudit/schemas"
)

func validateCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "validate", Usage: "report all problems of a protocol; with a log, what its columns turn into",
		UsageText: "banditaudit validate -p protocol.yaml [LOG...]",
		Description: kit.Manual(`Of a log, only the footers and the paths of its files are read: types and columns
are checked, and no row is. Nulls, ranges, ties and labels are checked by ingest.
The exit code is 1 where there is a problem.`,
			"banditaudit validate -p protocol.yaml",
			"banditaudit validate -p protocol.yaml --json log/"),
		Flags:  flags("protocol json quiet max-memory"),
		Action: action(p, needs{protocol: true, operands: anyLog, optional: true}, validate),
	}
}

// validation is what --json prints.
type validation struct {
	Protocol string             `json:"protocol"`
	Valid    bool               `json:"valid"`
	Problems []string           `json:"problems"`     // of both
	OfLog    []string           `json:"log_problems"` // the log's own among Problems
	Warnings []string           `json:"warnings"`
	Log      *ingest.Inspection `json:"log"` // null where none was given, or it could not be looked at
	Checked  string             `json:"checked"`
}

// What was looked at, in words.
const (
	checkedProtocol = "the protocol"
	checkedFooters  = "the protocol, and the footers and paths of the log's files; of the rows, no more than a sample of the actions was read: nulls, ranges, ties and labels are checked by ingest"
	checkedPaths    = "the protocol, and the paths of the log's files; its columns are looked at when the protocol has no problems"
)

// validate exits 0 when the protocol, and the log where one is given, are as
// they should be, and 1 when they are not: here the object of the command
// failed, not the command.
func validate(c *cli.Context, p *process, s *settings) error {
	v := validation{Protocol: s.Protocol, Problems: []string{}, OfLog: []string{}, Warnings: []string{}, Checked: checkedProtocol}
	doc, err := kit.LoadProtocol(p.catalogue.Format(), s.Protocol, schemas.LoadOptions{})
	var problems schemas.Problems
	switch {
	case errors.As(err, &problems):
		for _, pr := range problems {
			v.Problems = append(v.Problems, pr.String())
		}
	case err != nil:
		return err
	default:
		for _, w := range doc.Warnings {
			v.Warnings = append(v.Warnings, w.String())
		}
		v.mechanism(p, doc)
	}
	if err := v.inspect(c, p, s, doc); err != nil {
		return err
	}
	v.Valid = len(v.Problems) == 0
	if err := v.print(p, s); err != nil {
		return err
	}
	if !v.Valid {
		return kit.Tripped(kit.ExitExceptions, "not valid")
	}
	return nil
}

// print prints what was found. Problems are no summary: --quiet leaves them.
func (v *validation) print(p *process, s *settings) error {
	if s.Quiet && !s.JSON {
		return kit.NotWritten(problemLines(p.Stdout, v))
	}
	return s.PrintDocument(v, func() error { return validationTable(p.Stdout, v) })
}

func problemLines(w io.Writer, v *validation) error {
	for _, problem := range v.Problems {
		if _, err := fmt.Fprintln(w, schemas.Printable(problem)); err != nil {
			return err
		}
	}
	return nil
}

// mechanism builds the declared policy and counter: what cannot be built is a
// problem of the protocol.
func (v *validation) mechanism(p *process, doc *schemas.Document) {
	_, err := buildable(p.catalogue.Catalogue, doc)
	for _, e := range kit.Leaves(err) {
		var problems schemas.Problems
		if !errors.As(e, &problems) {
			problems = schemas.Problems{doc.Problem("policy", e.Error(), "", "")}
		}
		for _, pr := range problems {
			v.Problems = append(v.Problems, pr.String())
		}
	}
}

// inspect looks at the schema of the log. Whatever does not fit, or cannot be
// read, is a problem; the document is nil where the protocol has problems.
func (v *validation) inspect(c *cli.Context, p *process, s *settings, doc *schemas.Document) error {
	if !c.Args().Present() {
		return nil
	}
	sources, err := files.Discover(c.Context, c.Args().Slice())
	if stop := c.Err(); stop != nil {
		return stop
	}
	v.problems(err)
	v.Checked = checkedPaths
	if err != nil || doc == nil {
		return nil //nolint:nilerr // it is a problem of the log, not of the command
	}
	v.Checked = checkedFooters
	v.Log, err = ingest.Inspect(c.Context, &doc.Protocol, sources, ingest.Options{MaxMemory: s.MaxMemory, At: placeOf(doc), Roles: p.catalogue.columns})
	_, input := errors.AsType[*fault.InputError](err)
	if err != nil && !input && !errors.Is(err, fault.ErrProtocol) {
		return err
	}
	v.problems(err)
	if ids := idsIn(c.Context, doc, sources, s); ids != "" {
		v.Warnings = append(v.Warnings, ids)
	}
	if v.Log != nil {
		v.Warnings = append(v.Warnings, v.Log.Notes...)
	}
	return nil
}

// idsIn says that the declared action looks like an id; "" where it does not.
func idsIn(ctx context.Context, doc *schemas.Document, sources []files.Source, s *settings) string {
	return guess.IDs(ctx, doc.Protocol.Log.Action, sources, (&ingest.Options{MaxMemory: s.MaxMemory}).Budget())
}

// problems adds what an error about a log joins. What ingest cannot carry is the
// protocol's.
func (v *validation) problems(err error) {
	for _, e := range kit.Leaves(err) {
		text := strings.TrimPrefix(e.Error(), "ingest: ")
		v.Problems = append(v.Problems, text)
		if !errors.Is(e, fault.ErrProtocol) {
			v.OfLog = append(v.OfLog, text)
		}
	}
}

// verdict says of protocol and log, each by itself, how they are.
func (v *validation) verdict() string {
	text := schemas.Printable(v.Protocol) + ": " + problemsOr(len(v.Problems)-len(v.OfLog), "valid")
	if len(v.OfLog) > 0 {
		text += "; the log: " + terminal.Count(len(v.OfLog), "problem")
	}
	return text
}

func problemsOr(n int, none string) string {
	if n == 0 {
		return none
	}
	return terminal.Count(n, "problem")
}

func validationTable(w io.Writer, v *validation) error {
	if err := problemLines(w, v); err != nil {
		return err
	}
	for _, warning := range v.Warnings {
		fmt.Fprintln(w, "warning: "+schemas.Printable(warning))
	}
	if len(v.Problems)+len(v.Warnings) > 0 && v.Log != nil {
		fmt.Fprintln(w)
	}
	if v.Log != nil {
		if err := terminal.Inspection(w, v.Log); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "Checked: %s.\n", v.Checked)
	_, err := fmt.Fprintln(w, v.verdict())
	return err
}
