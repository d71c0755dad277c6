package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/decide/shard"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
	"banditaudit/ingest"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// maxParts bounds N of --part.
const maxParts = 1 << 20

// readPart reads the value of --part: I/N, or auto/N, where the scheduler's variables
// say which one this is.
func readPart(text string, env func(string) string) (*shard.Part, error) {
	first, last, ok := strings.Cut(text, "/")
	n, err := strconv.Atoi(last)
	if !ok || err != nil || n < 1 || n > maxParts {
		return nil, kit.Usagef("--part is %s, must be I/N with I from 0 to N − 1, such as 0/8, or auto/N", schemas.Quoted(text))
	}
	said := "--part " + text
	if first == "auto" {
		if first, said, err = scheduled(env); err != nil {
			return nil, err
		}
	}
	i, err := strconv.Atoi(first)
	if err != nil || i < 0 || i >= n {
		return nil, kit.Usagef("%s gives part %s of %d, must be a whole number from 0 to %d", schemas.Printable(said), schemas.Quoted(first), n, n-1)
	}
	return &shard.Part{I: i, N: n}, nil
}

// partOf is the part that --part names, or any, of the log that --log describes.
func partOf(c *cli.Context, s *settings) (part *shard.Part, err error) {
	switch part = new(shard.Part); {
	case c.IsSet("part") && c.IsSet("log"):
		return nil, kit.Usagef("--part and --log exclude each other: with --part every run reads the whole log, with --log its files are a part already")
	case c.IsSet("part"):
		part, err = readPart(c.String("part"), os.Getenv)
	default:
		s.log, err = readWhole(c.String("log"))
	}
	if err == nil {
		s.commitment, err = bundle.ReadCommitment(c.String("commitment"), c.String("commitment-key"))
	}
	return part, err
}

// scheduled is the number of this task in an array of tasks, and the variable that says it.
func scheduled(env func(string) string) (number, said string, err error) {
	for _, name := range []string{"JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"} {
		if v := env(name); v != "" {
			return v, name, nil
		}
	}
	id := env("SLURM_ARRAY_TASK_ID")
	if id == "" {
		return "", "", kit.Usagef("--part auto/N finds none of JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX and SLURM_ARRAY_TASK_ID; write --part I/N")
	}
	at, err := strconv.Atoi(id)
	least, noLeast := strconv.Atoi(env("SLURM_ARRAY_TASK_MIN"))
	step, noStep := strconv.Atoi(cmp.Or(env("SLURM_ARRAY_TASK_STEP"), "1"))
	if errors.Join(err, noLeast, noStep) != nil || step < 1 || (at-least)%step != 0 {
		return "", "", kit.Usagef("--part auto/N: SLURM_ARRAY_TASK_ID, _MIN and _STEP are %s, %s and %s, from which no number of a part follows", schemas.Quoted(id), schemas.Quoted(env("SLURM_ARRAY_TASK_MIN")), schemas.Quoted(env("SLURM_ARRAY_TASK_STEP")))
	}
	return strconv.Itoa((at - least) / step), "SLURM_ARRAY_TASK_ID", nil
}

// head is what all outcomes of this run are functions of. Log and experiments are left
// to those who know them.
func (pl *pipeline) head() (*shard.Head, error) {
	effective, err := pl.doc.Effective()
	if err != nil {
		return nil, err
	}
	p := &pl.doc.Protocol
	h := &shard.Head{Schema: shard.Schema, Tool: bundle.Tool(), Protocol: bundle.Sum(effective), Commitment: pl.committed}
	h.Seed = p.Policy != nil && p.Policy.Seed != nil && len(p.Policy.Seed.Bytes) > 0
	h.Exec = p.Program != nil && pl.s.allowExec
	return h, nil
}

// auditPart audits a part of the experiments and leaves its fragment: the experiments of
// --part, or all where --log says that the files hold some.
func auditPart(ctx context.Context, p *process, s *settings, operands []string, part *shard.Part) (err error) {
	if s.openLineage {
		return kit.Usagef("--openlineage is of a whole audit; give it to merge")
	}
	pl, err := newPipeline(p, s)
	if err != nil {
		return err
	}
	pl.part = part
	if err = pl.shuffleable(); err != nil {
		return err
	}
	if err = pl.buildable(); err != nil {
		return err
	}
	if pl.committed, err = s.commitment.Judge(p.catalogue.Format(), pl.doc); err != nil {
		return err
	}
	had, err := standing(s)
	if err != nil {
		return err
	}
	sources, err := pl.discover(ctx, operands)
	if err != nil {
		return err
	}
	tmp, err := newScratch(s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tmp.discard()) }()
	read, err := pl.ingest(ctx, sources, tmp.dir)
	if s.log != nil && ingest.NoRows(err) {
		return pl.writePart(ctx, nil, &schemas.Manifest{}, had)
	}
	if err != nil {
		return pl.absent(err)
	}
	t, m, err := pl.open(tmp.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	m.Columns = read.Columns // with what is not written
	if err = pl.writePart(ctx, t, m, had); err != nil {
		return err
	}
	return tmp.finish()
}

// standing is the fragment in whose place another will be written; nil where there is
// none, or it may be replaced.
func standing(s *settings) (*shard.File, error) {
	stands, err := kit.OwnFile(s.Out, shard.Schema, "fragment")
	if err != nil || !stands || s.Force {
		return nil, err
	}
	had, err := readFragment(s.Out)
	if err != nil {
		return nil, kit.Usagef("%s", err)
	}
	return had, nil
}

// writePart finds the outcomes of the part and writes them, unless the same stand there.
func (pl *pipeline) writePart(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, had *shard.File) (err error) {
	head, err := pl.head()
	if err != nil {
		return err
	}
	head.Part, head.Inputs, head.Log, head.Experiments = *pl.part, m.Inputs, shard.LogDigest(m.Inputs), len(m.Experiments)
	if l := pl.s.log; l != nil {
		if err = l.holds(m); err != nil {
			return err
		}
		head.Inputs, head.Log, head.Experiments, head.Reading = []schemas.Input{}, l.digest, l.Experiments, reading(m)
	}
	own := pl.own(m)
	if err = pl.comparable(head, had, m); err != nil {
		return err
	}
	file, err := kit.NewPendingFile(pl.s.Out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Cleanup()) }()
	digest := sha256.New()
	w := shard.NewWriter(io.MultiWriter(file, digest), head)
	if err = pl.addTo(ctx, w, t, m); err != nil {
		return err
	}
	if err = kit.NotWritten(w.Finish()); err != nil {
		return err
	}
	if err = kit.Unstopped(ctx); err != nil {
		return err
	}
	made := writtenPart{"part.v1", *pl.part, pl.s.Out, len(own), head.Experiments, hex.EncodeToString(digest.Sum(nil))}
	if had != nil && had.SHA256 != made.SHA256 {
		return another(pl.s)
	}
	if err = made.print(pl.p, pl.s); err != nil || had != nil {
		return err
	}
	return pl.placePart(file, head, m, made.SHA256)
}

// placePart gives a fragment its name, unless the same appeared there meanwhile.
func (pl *pipeline) placePart(file *atomicdir.File, head *shard.Head, m *schemas.Manifest, digest string) error {
	if pl.s.Force {
		return kit.NotWritten(file.Place())
	}
	err := file.PlaceNew()
	if !errors.Is(err, fs.ErrExist) {
		return kit.NotWritten(err)
	}
	had, err := standing(pl.s)
	if err == nil {
		err = pl.comparable(head, had, m)
	}
	switch {
	case err != nil:
		return err
	case had == nil:
		return kit.Appeared(pl.s.Out)
	case had.SHA256 != digest:
		return another(pl.s)
	}
	return nil
}

// comparable refuses a fragment that stands there and is of something else.
func (pl *pipeline) comparable(head *shard.Head, had *shard.File, m *schemas.Manifest) error {
	if had == nil {
		return nil
	}
	if why := otherwise(head, had, m, pl.own(m)); why != "" {
		return kit.Usagef("%s exists, and is of something else: %s; give another -o, or --force to replace it", pl.s.Out, why)
	}
	return nil
}

// another is the error of a fragment that is not the one that stands there. The files of
// a log have the same content; those that an engine wrote may not.
func another(s *settings) error {
	if s.log == nil {
		return kit.Panic(fmt.Errorf("%s was made from the same inputs by the same version, and is another one now: not deterministic; to go on, make it and the others again with --force", s.Out), "")
	}
	return kit.Unequal(s.Out + " was made of the same experiments by the same version, and is another one now: the rows of the part have other values than they had then (an engine that wrote them anew gave others for the same rows), or the audit is not deterministic. Where the log or the engine changed, give --force to replace it, and make the other fragments anew too; where the part is, byte for byte, the file it was, report it")
}

// addTo finds the outcomes of the part and writes them.
func (pl *pipeline) addTo(ctx context.Context, w *shard.Writer, t *tableau.Tableau, m *schemas.Manifest) error {
	own, next := pl.own(m), 0
	if len(own) == 0 {
		return nil
	}
	prints, err := pl.printed(ctx, t, m)
	if err != nil {
		return err
	}
	return pl.findings(ctx, t, m, pl.replay(t), func(o *aggregate.Outcome) error {
		i := own[next]
		next++
		return kit.NotWritten(w.Add(i, m.Experiments[i].Rows, o, prints[i]...))
	})
}

// otherwise says of what else than this run a fragment is; "" where it is of the same.
func otherwise(head *shard.Head, had *shard.File, m *schemas.Manifest, own []int) string {
	if why := head.Foreign(&had.Head); why != "" {
		return why
	}
	if had.Head.Part != head.Part {
		return "it is part " + had.Head.String()
	}
	if len(own) != len(had.Entries) {
		return fmt.Sprintf("it holds other experiments: %d, not %d", len(had.Entries), len(own))
	}
	rows := ""
	for k, i := range own {
		x, e := &m.Experiments[i], &had.Entries[k]
		if e.ID != x.ID {
			return "it holds other experiments"
		}
		if e.Rows != x.Rows && rows == "" {
			rows = fmt.Sprintf("its experiment %s has %s, and has %s now", schemas.Named(x.ID), schemas.Counted(e.Rows, "row"), schemas.Grouped(x.Rows))
		}
	}
	return rows
}

// writtenPart is what is said of a fragment; with --json it is printed.
type writtenPart struct {
	Schema string `json:"schema"`
	shard.Part
	Fragment    string `json:"fragment"`
	Experiments int    `json:"experiments"`
	All         int    `json:"of_experiments"`
	SHA256      string `json:"sha256"`
}

func (w *writtenPart) print(p *process, s *settings) error {
	if s.JSON {
		return printJSON(p, w)
	}
	if s.Quiet {
		return nil
	}
	which := "a part of the log"
	if !w.Shuffled() {
		which = "part " + w.String()
	}
	_, err := fmt.Fprintf(p.Stdout, "%s: %s of %s experiments, in %s; merge puts the parts together\n",
		which, schemas.Grouped(int64(w.Experiments)), schemas.Grouped(int64(w.All)), schemas.Printable(w.Fragment))
	return kit.NotWritten(err)
}

// readFragment reads a fragment and keeps no outcome of it.
func readFragment(name string) (_ *shard.File, err error) {
	if err = kit.CheckDocument(name); err != nil {
		return nil, kit.BadInput(fmt.Errorf("%w; %s", err, mendFragments))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, kit.BadInput(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, kit.BadInput(err)
	}
	out, err := shard.Read(f, info.Size())
	if err != nil {
		return nil, kit.BadInput(fmt.Errorf("%s is %w; make the part again, with --force", schemas.Printable(name), err))
	}
	return out, nil
}

// mendFragments says what stands for fragments.
const mendFragments = "name the files that audit --part or --log wrote, such as frag/*.frag"
