package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/urfave/cli/v2"

	"banditaudit/cmd/banditaudit/atomicdir"
	"banditaudit/schemas"
)

// runRecord is run.json: everything about a run that is not a function of its
// inputs. It stays out of results.json so that those bytes can be compared.
type runRecord struct {
	p      *process
	out    string
	start  time.Time
	last   time.Time
	rows   int64
	laps   []lap
	memory *memoryWatch
	notes  notes
}

// runSchema is the schema of run.json and of the record of a failed run.
const runSchema = "run.v1"

type lap struct {
	Stage   string  `json:"stage"`
	Seconds float64 `json:"seconds"`
}

// runDocument is the form in which a runRecord is written.
type runDocument struct {
	Schema        string   `json:"schema"`
	Build         build    `json:"build"`
	Argv          []string `json:"argv"`
	Host          string   `json:"host"`
	Directory     string   `json:"directory"`
	StartedAt     string   `json:"started_at"`
	EndedAt       string   `json:"ended_at"`
	Seconds       float64  `json:"seconds"`
	Stages        []lap    `json:"stages"`
	Rows          int64    `json:"rows"`
	RowsPerSecond float64  `json:"rows_per_second"`
	PeakAnonymous *int64   `json:"peak_anonymous_bytes"`
	ExitCode      int      `json:"exit_code"`
	Reason        string   `json:"reason"`
}

func startRun(p *process, s *settings) *runRecord {
	now := p.now()
	return &runRecord{p: p, out: s.out, start: now, last: now, memory: s.memory, notes: notes{p, s}}
}

// lap ends a stage.
func (r *runRecord) lap(stage string) { r.shared([]lap{{stage, 1}}) }

// shared ends stages that experiments went through side by side. Each gets its share of the
// elapsed time: its seconds, over all experiments, divided by the seconds of all the
// stages.
func (r *runRecord) shared(stages []lap) {
	now, all := r.p.now(), 0.0
	for _, s := range stages {
		all += s.Seconds
	}
	for _, s := range stages {
		s.Seconds *= now.Sub(r.last).Seconds() / max(all, math.SmallestNonzeroFloat64)
		r.laps = append(r.laps, s)
		r.notes.step("%s took %.2f s", s.Stage, s.Seconds)
	}
	r.last = now
}

func (r *runRecord) document(code int, reason string) *runDocument {
	end := r.p.now()
	d := &runDocument{
		Schema: runSchema, Build: thisBuild(), Argv: r.p.argv, Rows: r.rows, Stages: r.laps, ExitCode: code, Reason: reason,
		StartedAt: r.start.UTC().Format(time.RFC3339Nano), EndedAt: end.UTC().Format(time.RFC3339Nano), Seconds: end.Sub(r.start).Seconds(),
	}
	d.Host, _ = os.Hostname()   // a host without a name is recorded as ""
	d.Directory, _ = os.Getwd() // likewise
	if d.Seconds > 0 {
		d.RowsPerSecond = float64(r.rows) / d.Seconds
	}
	if peak, ok := r.memory.end(); ok {
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
		b, err := readStart(path)
		if err == nil && (len(b) == 0 || bytes.Contains(b, []byte(`"`+runSchema+`"`))) {
			return nil
		}
	}
	return usagef("%s is in the way: it is no record of a failed run of banditaudit, and would be replaced by one; move it, or give another -o", path)
}

// fail ends a run that failed: its record is left, and the error says where.
func (r *runRecord) fail(ctx context.Context, err error) error {
	if _, usage := errors.AsType[*usageError](err); usage {
		return err // a mistake of the command line itself leaves nothing
	}
	switch unwritten := r.writeFailure(ctx, err); {
	case unwritten == nil:
		return &recordedError{err, failureFile(r.out)}
	case unwritten.Error() == err.Error(): // the place of both cannot be made
		return err
	default:
		return errors.Join(err, unwritten)
	}
}

// writeFailure leaves DIR.failed.json beside where the bundle would have been. Nobody can read
// it who cannot read a bundle that stands there.
func (r *runRecord) writeFailure(ctx context.Context, err error) error {
	b, encodeErr := schemas.Encode(r.document(exitCode(ctx, err), message(ctx, err)))
	if encodeErr != nil {
		return encodeErr
	}
	path := failureFile(r.out)
	if err := checkFreeFile(path, true); err != nil {
		return err
	}
	mode, _ := modeOf(r.out)
	return notWritten(atomicdir.WriteFile(followed(path), b, 0o644&mode))
}

// build is what version prints and run.json records.
type build struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func thisBuild() build {
	b := build{Name: tool().Name, Version: toolVersion, Commit: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	modified := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+modified"
		}
	}
	b.Commit += modified
	return b
}

func versionCommand(p *process) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version, commit, Go version and platform",
		UsageText:   "banditaudit version | --version",
		Description: manual("run.json of a bundle has the same.", "banditaudit --version", "banditaudit version --json"),
		Flags:       flags("json"),
		Action:      action(p, needs{}, printVersion),
	}
}

func printVersion(_ *cli.Context, p *process, s *settings) error {
	b := thisBuild()
	if s.json {
		return notWritten(json.NewEncoder(p.stdout).Encode(b))
	}
	_, err := fmt.Fprintf(p.stdout, "%s %s (commit %s, %s, %s/%s)\n", b.Name, b.Version, b.Commit, b.Go, b.OS, b.Arch)
	return notWritten(err)
}
