package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"banditaudit/analyze"
	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/decide/shard"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
	"banditaudit/ingest"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/report/exchange"
	"banditaudit/schemas"
)

// pipeline is one run over one log: log → tableau → replay → findings.
type pipeline struct {
	p   *process
	s   *settings
	doc *schemas.Document

	committed *schemas.Commitment  // what came of --commitment; nil: none is given
	part      *shard.Part          // of the experiments, to which the run keeps; nil: all
	asserted  []exchange.Assertion // all claims, where openlineage.json has them
	spent     spent
	declared  *conformance.Declared // built once for all experiments: by buildable, or where arms are not declared by open
}

// spent is how long experiments took, all added up, in nanoseconds.
type spent struct{ replay, analyze atomic.Int64 }

// laps are the stages that experiments went through.
func (s *spent) laps() []bundle.Lap {
	return []bundle.Lap{{Stage: "replay", Seconds: float64(s.replay.Load())}, {Stage: "analyze", Seconds: 1 + float64(s.analyze.Load())}}
}

// newPipeline reads the protocol and says its warnings.
func newPipeline(p *process, s *settings) (*pipeline, error) {
	doc, err := kit.LoadProtocol(p.catalogue.Format(), s.Protocol, schemas.LoadOptions{})
	if err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(s.MaxMemory) // the collector works harder near it; ingest refuses beyond it
	pl := &pipeline{p: p, s: s, doc: doc}
	for _, w := range doc.Warnings {
		pl.s.Warn("%s", w.String())
	}
	return pl, nil
}

// discover finds the files of the log, and keeps the outputs away from them. It
// comes before anything is written.
func (pl *pipeline) discover(ctx context.Context, operands []string) ([]files.Source, error) {
	dirs := []string{pl.s.keepTableau}
	if pl.part == nil { // a fragment is no directory
		dirs = append(dirs, pl.s.Out)
	}
	for _, out := range dirs {
		if err := kit.CheckPlace(out, pl.s.Force); err != nil {
			return nil, err
		}
	}
	if err := checkLogApart(pl.s, pl.doc, operands); err != nil {
		return nil, err
	}
	sources, err := files.Discover(ctx, operands)
	if err != nil {
		return nil, err
	}
	if err = checkSourcesApart(ctx, pl.s, sources); err != nil {
		return nil, err
	}
	if ids := idsIn(ctx, pl.doc, sources, pl.s); ids != "" {
		pl.s.Warn("%s", ids)
	}
	return sources, nil
}

// ingest writes the tableau of the log into dir, which exists and is empty.
func (pl *pipeline) ingest(ctx context.Context, sources []files.Source, dir string) (*schemas.Manifest, error) {
	pl.s.Step("reading %d Parquet files", len(sources))
	bar := pl.s.NewProgress("ingest")
	defer bar.End()
	return ingest.Ingest(ctx, &pl.doc.Protocol, sources, dir, ingest.Options{
		Jobs: pl.s.Jobs, MaxMemory: pl.s.MaxMemory, Tool: bundle.Tool(), Progress: bar.Update, At: placeOf(pl.doc), Roles: pl.p.catalogue.columns,
	})
}

// placeOf says where a key stands in a protocol.
func placeOf(doc *schemas.Document) func(key string) string {
	return func(key string) string {
		line, col := doc.At(key)
		return fmt.Sprintf("%s:%d:%d", doc.Name, line, col)
	}
}

// open maps a tableau, checks its digest and that it was made under this
// protocol's declaration of the log.
func (pl *pipeline) open(dir string) (*tableau.Tableau, *schemas.Manifest, error) {
	t, m, err := tableaudir.OpenWithin(dir, pl.s.MaxMemory)
	if errors.Is(err, fault.ErrResource) {
		return nil, nil, err
	}
	if err != nil {
		return nil, nil, kit.BadInput(err)
	}
	err = m.Validate()
	if err == nil && m.Protocol != pl.doc.Protocol.LogDigest() {
		err = fmt.Errorf("%s: made under another declaration of experiment, log, arms, reward or hash of units than %s; run banditaudit ingest with this protocol", dir, pl.s.Protocol)
	}
	if err == nil {
		err = tableaudir.Declared(&pl.doc.Protocol, m, pl.p.catalogue.columns)
	}
	if err != nil {
		return nil, nil, errors.Join(kit.BadInput(err), t.Close())
	}
	if pl.declared == nil {
		if pl.declared, err = declare(pl.p.catalogue.Catalogue, pl.doc, m.Arms); err != nil {
			return nil, nil, errors.Join(err, t.Close())
		}
	}
	pl.allow()
	return t, m, nil
}

// replays says what a replay found in experiment i. It is nil where none was run.
type replays func(ctx context.Context, i int) (*schemas.ReplayExperiment, error)

// own are the places, in the manifest, of the experiments that this run is about.
func (pl *pipeline) own(m *schemas.Manifest) []int {
	out := make([]int, 0, len(m.Experiments))
	for i := range m.Experiments {
		if pl.part == nil || pl.part.Owns(m.Experiments[i].ID) {
			out = append(out, i)
		}
	}
	return out
}

// findings replays and analyses every experiment of the run, and hands the outcomes to
// take in the manifest's order. Each is a pure function of the protocol, its slice and
// what is said of the whole log; some wait for those before them, never all are held.
func (pl *pipeline) findings(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, replayed replays, take func(*aggregate.Outcome) error) error {
	return pl.withPrograms(func() error {
		if p := pl.declared.Programs; p != nil {
			p.Share(ctx)
		}
		return pl.find(ctx, t, m, replayed, take)
	})
}

// find is findings where programs can be run.
func (pl *pipeline) find(ctx context.Context, t *tableau.Tableau, m *schemas.Manifest, replayed replays, take func(*aggregate.Outcome) error) (err error) {
	own := pl.own(m)
	outer, inner := pl.split(len(own))
	if err = showable(len(m.Arms), len(own), pl.working(t, outer, inner), pl.s.MaxMemory); err != nil {
		return err
	}
	pl.declared.Jobs, pl.declared.Spare = inner, spare(pl.s.MaxMemory/int64(outer))
	reading := pl.s.NewProgress(map[bool]string{true: "replay and analyze", false: "analyze"}[replayed != nil])
	t.Watch(reading.Count)
	defer reading.End()
	var shared map[int]*schemas.SharedNoise
	if replayed != nil && len(own) > 0 && pl.s.log == nil { // else merge looks: it sees all
		if shared, err = pl.shared(ctx, t, m); err != nil {
			return err
		}
	}
	bar := pl.s.NewProgress("running the policy again")
	bar.Unit = "rounds"
	defer bar.End()
	of, early := pl.whole(m)
	found := func(ctx context.Context, i int) (o *aggregate.Outcome, err error) {
		in := analyze.Input{Catalogue: pl.p.catalogue.analysis, Rerunning: bar.Again, Log: publiclog.New(pl.declared, m, i, t.Slice(i))}
		in.Of, in.Early, in.Shared, in.Commitment, in.Jobs, in.Memory = of, early(i), shared[i], pl.committed, inner, pl.s.MaxMemory/int64(outer)
		err = over(t, func() (err error) {
			began := time.Now()
			if err = pl.affordStates(in.Slice, in.Memory); err != nil {
				return err
			}
			if replayed != nil {
				if in.Replay, err = replayed(ctx, i); err != nil {
					return err
				}
			}
			between := time.Now()
			o, err = analyze.Run(ctx, &in)
			pl.spent.replay.Add(int64(between.Sub(began)))
			pl.spent.analyze.Add(int64(time.Since(between)))
			return err
		})
		return o, err
	}
	return pl.inOrder(ctx, own, outer, waiting(len(m.Arms), outer, pl.s.MaxMemory), found, take)
}

// inOrder finds the outcomes of experiments, jobs at a time, and hands them to take in
// their order; up to waiting outcomes wait for earlier ones.
func (pl *pipeline) inOrder(ctx context.Context, experiments []int, jobs, waiting int, found func(ctx context.Context, i int) (*aggregate.Outcome, error), take func(*aggregate.Outcome) error) error {
	type place struct {
		experiment int
		outcome    chan *aggregate.Outcome
	}
	group, inside := errgroup.WithContext(ctx)
	places, work := make(chan place, waiting), make(chan place)
	group.Go(func() error {
		return recovered(func() (err error) {
			for next := range places {
				select {
				case o := <-next.outcome:
					err = take(o)
				case <-inside.Done():
					err = inside.Err()
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	for range jobs { // goroutines that stay, whose stacks have grown
		group.Go(func() error {
			for next := range work {
				o, err := found(inside, next.experiment)
				if err != nil {
					return placed(pl.doc, damaged(err))
				}
				next.outcome <- o
			}
			return nil
		})
	}
	for _, i := range experiments {
		next := place{i, make(chan *aggregate.Outcome, 1)}
		for _, to := range []chan place{places, work} {
			select {
			case to <- next:
			case <-inside.Done():
			}
		}
		if inside.Err() != nil {
			break
		}
	}
	close(places)
	close(work)
	return group.Wait()
}

// replay runs the declared policy over one experiment.
func (pl *pipeline) replay(t *tableau.Tableau) replays {
	return func(ctx context.Context, i int) (*schemas.ReplayExperiment, error) {
		// The run's ledger is in the outcome; a teacher-forced replay with the
		// logged seed releases nothing new, so its book is not kept.
		r, err := pl.declared.Run(ctx, t.Slice(i), &ledger.Disclosures{}, nil)
		return &r, err
	}
}

// over runs work over a tableau in a goroutine's place. Whatever came of it is nothing
// where the tableau is not what it was when it was opened: that is the error then.
func over(t *tableau.Tableau, work func() error) error {
	err := recovered(func() error { return t.Guard(work) })
	if changed := t.Unchanged(); changed != nil && !errors.Is(err, context.Canceled) {
		return kit.BadInput(changed)
	}
	return err
}

// recovered runs work in a goroutine's place and gives its panic back as an
// error: nothing above a goroutine can recover for it.
func recovered(work func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = kit.Panic(v, string(debug.Stack()))
		}
	}()
	return work()
}

// split shares the jobs between experiments and the chunks of one experiment.
func (pl *pipeline) split(experiments int) (outer, inner int) {
	outer = max(1, min(pl.s.Jobs, experiments))
	return outer, max(1, pl.s.Jobs/outer)
}

// damaged marks an error of a mapped tableau as one of the input.
func damaged(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if errors.Is(err, analyze.ErrMemory) {
		return fmt.Errorf("%w: %w", fault.ErrResource, err)
	}
	var (
		problems schemas.Problems
		declared *replay.Fault
		output   *kit.OutputError
		internal *kit.PanicError
	)
	if errors.As(err, &internal) || errors.As(err, &problems) || errors.As(err, &declared) || errors.As(err, &output) {
		return err
	}
	return kit.BadInput(err)
}

// scratch is a directory for the tableau of an audit: a private temporary one
// that is removed, or the one that --keep-tableau names.
type scratch struct {
	dir  string
	work *atomicdir.Dir
	keep *kit.OutputDir
}

// scratchPrefix begins the names of tableaux of audits that are under way.
const scratchPrefix = "banditaudit-tableau-"

func newScratch(s *settings) (*scratch, error) {
	if s.keepTableau != "" {
		d, err := kit.NewOutputDir(s.keepTableau, s.Force)
		if err != nil {
			return nil, err
		}
		return &scratch{dir: d.Temp, keep: d}, nil
	}
	work, err := atomicdir.Make(os.TempDir(), scratchPrefix, 0o700)
	if err != nil {
		return nil, kit.NoTemporary("the tableau of this run", err, ", or give --keep-tableau DIR")
	}
	return &scratch{dir: work.Path, work: work}, nil
}

// finish gives a kept tableau its name.
func (s *scratch) finish() error {
	if s.keep == nil {
		return nil
	}
	return s.keep.Commit()
}

func (s *scratch) discard() error {
	if s.keep != nil {
		return s.keep.Discard()
	}
	return kit.NotWritten(s.work.Remove())
}

// encodeTo writes a document as a file of an output directory.
func encodeTo(dir *kit.OutputDir, name string, document any) error {
	b, err := schemas.Encode(document)
	if err != nil {
		return err
	}
	return dir.Write(filepath.FromSlash(name), b)
}
