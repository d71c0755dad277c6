package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"time"

	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/atomicdir"
	"banditaudit/schemas"
)

// runRecord is run.json: everything about a run that is not a function of its
// inputs. It stays out of results.json so that those bytes can be compared.
type runRecord struct {
	p     *process
	out   string
	start time.Time
	last  time.Time
	rows  int64
	laps  []bundle.Lap
	s     *settings
}

func startRun(p *process, s *settings) *runRecord {
	now := p.Now()
	return &runRecord{p: p, out: s.Out, start: now, last: now, s: s}
}

// lap ends a stage.
func (r *runRecord) lap(stage string) { r.shared([]bundle.Lap{{Stage: stage, Seconds: 1}}) }

// shared ends stages that experiments went through side by side. Each gets its share of the
// elapsed time: its seconds, over all experiments, divided by the seconds of all the
// stages.
func (r *runRecord) shared(stages []bundle.Lap) {
	now, all := r.p.Now(), 0.0
	for _, s := range stages {
		all += s.Seconds
	}
	for _, s := range stages {
		s.Seconds *= now.Sub(r.last).Seconds() / max(all, math.SmallestNonzeroFloat64)
		r.laps = append(r.laps, s)
		r.s.Step("%s took %.2f s", s.Stage, s.Seconds)
	}
	r.last = now
}

func (r *runRecord) document(code int, reason string) *bundle.RunDocument {
	end := r.p.Now()
	d := &bundle.RunDocument{
		Schema: bundle.RunSchema, Build: r.p.Program.ThisBuild(), Argv: r.p.Argv, Rows: r.rows, Stages: r.laps, ExitCode: code, Reason: reason,
		StartedAt: r.start.UTC().Format(time.RFC3339Nano), EndedAt: end.UTC().Format(time.RFC3339Nano), Seconds: end.Sub(r.start).Seconds(),
	}
	d.Host, _ = os.Hostname()   // a host without a name is recorded as ""
	d.Directory, _ = os.Getwd() // likewise
	if d.Seconds > 0 {
		d.RowsPerSecond = float64(r.rows) / d.Seconds
	}
	if peak, ok := r.s.Memory.End(); ok {
		d.PeakAnonymous = &peak
	}
	return d
}

// failureFile is where a failed run of an output leaves its reason.
func failureFile(out string) string { return filepath.Clean(out) + ".failed.json" }

// checkFailureFile refuses an output beside which something stands where the
// record of a failed run would go, and that is no such record.
func checkFailureFile(out string) error {
	path := failureFile(out)
	info, err := os.Lstat(path)
	if err != nil {
		return nil //nolint:nilerr // nothing is there; what is wrong with the place is said of the output
	}
	if info.Mode().IsRegular() {
		b, err := kit.ReadStart(path)
		if err == nil && (len(b) == 0 || bytes.Contains(b, []byte(`"`+bundle.RunSchema+`"`))) {
			return nil
		}
	}
	return kit.Usagef("%s is in the way: it is no record of a failed run of banditaudit, and would be replaced by one; move it, or give another -o", path)
}

// fail ends a run that failed: its record is left, and the error says where.
func (r *runRecord) fail(ctx context.Context, err error) error {
	if _, usage := errors.AsType[*kit.UsageError](err); usage {
		return err // a mistake of the command line itself leaves nothing
	}
	switch unwritten := r.writeFailure(ctx, err); {
	case unwritten == nil:
		return kit.Recorded(err, failureFile(r.out))
	case unwritten.Error() == err.Error(): // the place of both cannot be made
		return err
	default:
		return errors.Join(err, unwritten)
	}
}

// writeFailure leaves DIR.failed.json beside where the bundle would have been. Nobody can read
// it who cannot read a bundle that stands there.
func (r *runRecord) writeFailure(ctx context.Context, err error) error {
	b, encodeErr := schemas.Encode(r.document(kit.ExitCode(ctx, err), kit.Message(ctx, err)))
	if encodeErr != nil {
		return encodeErr
	}
	path := failureFile(r.out)
	if err := kit.CheckFreeFile(path, true); err != nil {
		return err
	}
	mode, _ := kit.ModeOf(r.out)
	return kit.NotWritten(atomicdir.WriteFile(kit.Followed(path), b, 0o644&mode))
}
