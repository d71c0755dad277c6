package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/kit"
	"banditaudit/ingest"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

func censusCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "census", Usage: "what a log is made of, for audits of parts that an engine shuffled",
		UsageText: "banditaudit census -p protocol.yaml [--root DIR] -o FILE.json FILE...",
		Description: kit.Manual(`Writes the files of a log, with their rows and SHA-256, and the ids of its experiments.
Files may be counted apart, on any machine: an argument that ends in .json is an
earlier census, and is merged with the others (help parts).`,
			"banditaudit census -p protocol.yaml --root log -o log.json log/",
			"banditaudit census -p protocol.yaml --root log -o c/0.json log/dt=2026-11-01/0.parquet",
			"banditaudit census -p protocol.yaml -o log.json c/*.json"),
		Flags: flags("protocol out json quiet verbose no-progress jobs max-memory force",
			&cli.StringFlag{Name: "root", EnvVars: kit.Variable("ROOT"), Usage: "name files by their path below `DIR`, as an audit of DIR does; else by their base name"}),
		Action: action(p, needs{protocol: true, out: true, operands: "files of a log, or censuses of some (*.json)"}, census),
	}
}

func census(c *cli.Context, p *process, s *settings) error {
	pl, err := newPipeline(p, s)
	if err != nil {
		return err
	}
	if err = pl.several("census"); err != nil {
		return err
	}
	if err = kit.CheckFreeFile(s.Out, s.Force); err != nil {
		return err
	}
	if s.Force {
		if _, err = kit.OwnFile(s.Out, schemas.CensusSchema, "census"); err != nil {
			return err
		}
	}
	operands, err := kit.Matched(c.Args().Slice(), ".json")
	if err != nil {
		return err
	}
	if err = kit.CheckApart(s.Out, append(slices.Clone(operands), s.Protocol), nil); err != nil {
		return err
	}
	if why := pl.unshuffled(); why != nil {
		s.Warn("audit --log will refuse parts of this log: %s", why)
	}
	parts, err := pl.counts(c.Context, operands, c.String("root"))
	if err != nil {
		return err
	}
	all, err := ingest.Join(parts)
	if _, input := errors.AsType[*fault.InputError](err); input {
		return err
	}
	if err != nil {
		return kit.Usagef("%s", err)
	}
	text, err := schemas.Encode(all)
	if err = cmp.Or(err, kit.Unstopped(c.Context)); err != nil {
		return err
	}
	return kit.ShowFile(s.Out, text, s.Force, func() error {
		return s.PrintDocument(all, func() error {
			_, err := fmt.Fprintf(p.Stdout, "%s, %s, %s, in %s\n", schemas.Counted(len(all.Inputs), "file"), schemas.Counted(all.Rows(), "row"),
				schemas.Counted(all.Experiments, "experiment"), schemas.Printable(s.Out))
			return err
		})
	})
}

// counts returns the censuses among the operands, and the census of the files.
func (pl *pipeline) counts(ctx context.Context, operands []string, root string) (parts []*schemas.Census, err error) {
	logs := []string{}
	for _, name := range operands {
		if !strings.HasSuffix(name, ".json") {
			logs = append(logs, name)
			continue
		}
		part, wrong := readLog(name)
		if wrong != nil {
			return nil, wrong
		}
		parts = append(parts, part.Census)
	}
	if len(logs) == 0 {
		return parts, nil
	}
	part, err := pl.count(ctx, logs, root)
	return append(parts, part), err
}

// count reads files of a log.
func (pl *pipeline) count(ctx context.Context, logs []string, root string) (*schemas.Census, error) {
	sources, err := files.Discover(ctx, logs)
	if err != nil {
		return nil, err
	}
	if root != "" {
		if err = files.Below(root, sources); err != nil {
			return nil, kit.Usagef("%s", err)
		}
	}
	for i := range sources {
		in := &sources[i]
		switch {
		case root == "" && in.Found == in.Path && in.URI != filepath.Base(in.Path):
			return nil, kit.Usagef("two files are named %s; give --root with the directory above all files", schemas.Quoted(filepath.Base(in.Path)))
		case !fs.ValidPath(in.URI):
			return nil, kit.Usagef("the name %s is no UTF-8, or no path below --root", schemas.Quoted(in.URI))
		}
	}
	bar := pl.s.NewProgress("census")
	defer bar.End()
	return ingest.Census(ctx, &pl.doc.Protocol, sources, ingest.Options{
		Jobs: pl.s.Jobs, MaxMemory: pl.s.MaxMemory, Progress: bar.Update, At: placeOf(pl.doc), Roles: pl.p.catalogue.columns,
	})
}

// logFlag is --log, of the two commands that have it.
func logFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "log", Usage: usage} }

// givenLog is a log of which parts are audited: what --log names.
type givenLog struct {
	*schemas.Census

	digest string // SHA-256 of the census as it is written
}

// readLog reads a census.
func readLog(name string) (*givenLog, error) {
	text, err := kit.ReadDocument(name)
	switch {
	case err != nil && files.IsRemote(name):
		return nil, kit.Usagef("the census of the log: %s is an address, not a path: copy it to this machine first: aws s3 cp ADDRESS log.json", name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, kit.Usagef("the census of the log: %s does not exist; check the path", name)
	case err != nil:
		return nil, kit.Usagef("the census of the log: %s", err)
	}
	c, err := schemas.DecodeCensus(text, ingest.ByID)
	if err != nil {
		return nil, kit.BadInput(fmt.Errorf("%s is no census of a log%s; run census again", schemas.Printable(name), damage(text, err)))
	}
	return newGivenLog(c)
}

// damage says where a text is no JSON, or else what is wrong with it.
func damage(text []byte, err error) string {
	var v any
	wrong := json.Unmarshal(text, &v)
	if syntax, ok := errors.AsType[*json.SyntaxError](wrong); ok {
		return fmt.Sprintf(": it is not whole, or damaged at line %d", 1+bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte{'\n'}))
	}
	return ": " + err.Error()
}

// readWhole reads the census of all of a log, which --log names.
func readWhole(name string) (*givenLog, error) {
	l, err := readLog(name)
	if err == nil && (l.Experiments == 0 || l.Rows() == 0) {
		err = ingest.Empty()
	}
	return l, err
}

func newGivenLog(c *schemas.Census) (*givenLog, error) {
	text, err := schemas.Encode(c)
	digest := sha256.Sum256(text)
	return &givenLog{c, hex.EncodeToString(digest[:])}, err
}

// named refuses a log, read out of a bundle without the ids of its experiments, that is
// not, with them or without, the one whose digest the fragments have.
func (l *givenLog) named(ids []string) error {
	if l == nil || len(l.IDs) > 0 {
		return nil
	}
	with := *l.Census
	with.IDs = ids
	for _, c := range []*schemas.Census{l.Census, &with} {
		if g, err := newGivenLog(c); err != nil || g.digest == l.digest {
			return err
		}
	}
	return kit.BadInput(errors.New("the fragments are of a log of other files"))
}

// holds refuses a part of which not all can be of the log.
func (l *givenLog) holds(m *schemas.Manifest) error {
	rows, order := int64(0), ingest.ByID(l.IDs)
	for i := range m.Experiments {
		x := &m.Experiments[i]
		rows += x.Rows
		if _, ok := slices.BinarySearchFunc(l.IDs, x.ID, order); len(l.IDs) > 0 && !ok {
			return kit.BadInput(fmt.Errorf("experiment %s is not in the log that --log describes", schemas.Named(x.ID)))
		}
	}
	if n := len(m.Experiments); n > l.Experiments || rows > l.Rows() {
		return kit.BadInput(fmt.Errorf("the part has %s and %s, and the log that --log describes %s and %s: count all files of the log again, with census", schemas.Counted(n, "experiment"), schemas.Counted(rows, "row"), schemas.Counted(l.Experiments, "experiment"), schemas.Counted(l.Rows(), "row")))
	}
	return nil
}

// several refuses a protocol of one experiment.
func (pl *pipeline) several(what string) error {
	if pl.doc.Protocol.Experiment.Column == "" {
		return kit.Usagef("%s needs experiment.column, and the protocol has experiment.id: one experiment is never split; audit its log as it is", what)
	}
	return nil
}

// shuffleable refuses, of a part that an engine shuffled, what only the files of the log
// say. Without --log it refuses nothing.
func (pl *pipeline) shuffleable() error {
	if pl.s.log == nil {
		return nil
	}
	return pl.unshuffled()
}

// unshuffled refuses a protocol under which parts that an engine shuffled cannot be audited.
func (pl *pipeline) unshuffled() error {
	p := &pl.doc.Protocol
	switch {
	case p.Log.Ties == schemas.TiesFileOrder:
		return kit.Usagef("log.ties is %s, and a shuffle keeps no order of files: add a column to log.order that tells equal rows apart, or audit the log with --part I/N", schemas.TiesFileOrder)
	case len(p.Arms) == 0:
		return kit.Usagef("arms are not declared, and a part does not show those of the others: declare arms, or audit the log with --part I/N")
	}
	return pl.several("--log")
}

// absent adds to a fault of columns that the files of the log may have by their paths.
func (pl *pipeline) absent(err error) error {
	if pl.s.log == nil {
		return err
	}
	faults := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		faults = several.Unwrap()
	}
	for _, f := range faults {
		e, ok := errors.AsType[*fault.InputError](f)
		if !ok || e.Rule != fault.RuleColumn {
			continue
		}
		for i := range pl.s.log.Inputs {
			if uri := pl.s.log.Inputs[i].URI; strings.Contains("/"+uri, "/"+e.Column+"=") {
				return errors.Join(err, kit.BadInput(fmt.Errorf("the files of the log have %s by their paths (%s): have the engine write it into the part as a column", schemas.Quoted(e.Column), schemas.Printable(uri))))
			}
		}
	}
	return err
}

// whole is the log that a part is of, and says which of the part's experiments may be
// among the first of the log: in one order or the other.
func (pl *pipeline) whole(m *schemas.Manifest) (of publiclog.LogScope, early func(i int) bool) {
	l := pl.s.log
	if l == nil {
		return of, func(int) bool { return false }
	}
	first := make([]string, len(m.Experiments))
	for i := range first {
		first[i] = m.Experiments[i].ID
	}
	slices.Sort(first)
	first = first[:min(len(first), schemas.SeriesExperiments)]
	return publiclog.LogScope{Experiments: l.Experiments, Files: len(l.Inputs)}, func(i int) bool {
		_, ok := slices.BinarySearch(first, m.Experiments[i].ID)
		return ok
	}
}

// bareTypes are the types of a column without what says nothing: that its numbers have
// all bits of their type, and a sign. One engine writes so, and another does not.
func bareTypes(words string) string {
	var out []string
	for w := range strings.SplitSeq(words, " or ") {
		switch w {
		case "INT32 (int32)", "INT64 (int64)":
			w, _, _ = strings.Cut(w, " ")
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " or ")
}

// reading says how the columns of a part were read: what an audit of all files decides
// for all of them.
func reading(m *schemas.Manifest) []string {
	if len(m.Experiments) == 0 {
		return nil
	}
	var out []string
	for i := range m.Columns {
		c := &m.Columns[i]
		words := fmt.Sprintf("column %s, %s, is %s", schemas.Quoted(c.Column), c.Role, bareTypes(c.Type))
		if c.Widths != "" {
			words += ", numbers of " + c.Widths
		}
		if c.Times {
			words += ", times"
		}
		out = append(out, words)
	}
	return append(out, fmt.Sprintf("rewards are %s, %s", m.Reward.Type, map[bool]string{true: "rounds have times", false: "rounds have no times"}[m.Time]),
		fmt.Sprintf("contexts are %q, lists by arm have %d and %d values, targets are %v", m.Context, m.ByArm.Context, m.ByArm.Released, m.Targets))
}

// printed are, by place in a part, what the noise of its experiments is known again by in
// another part: digests of draws.
func (pl *pipeline) printed(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest) ([][]string, error) {
	out := make([][]string, len(m.Experiments))
	if pl.s.log == nil {
		return out, nil
	}
	prints, err := pl.prints(ctx, t, m, pl.s.log.Experiments)
	for i := range prints {
		for _, x := range prints[i] {
			h := sha256.Sum256(fmt.Appendf(nil, "%s %d %x", pl.s.log.digest, x.Draws, x.Sum))
			out[i] = append(out[i], hex.EncodeToString(h[:8]))
		}
	}
	return out, err
}
