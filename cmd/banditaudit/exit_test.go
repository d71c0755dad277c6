package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"syscall"
	"testing"

	"banditaudit/analyze"
	"banditaudit/ingest/fault"
	"banditaudit/replay"
	"banditaudit/schemas"
	"banditaudit/schemas/resultsfile"
)

// TestExitCode gives every kind of error its number, alone, wrapped, and
// joined with another of the same kind.
func TestExitCode(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"usage", usagef("wrong"), exitUsage},
		{"protocol", schemas.Problems{{What: "wrong"}}, exitUsage},
		{"mechanism", &replay.Fault{Path: "policy"}, exitUsage},
		{"what ingest cannot carry", fmt.Errorf("x: %w", fault.ErrProtocol), exitUsage},
		{"exceptions", &gateError{exitExceptions, "EXCEPTIONS NOTED (1)"}, exitExceptions},
		{"incomplete", &gateError{exitIncomplete, "INCOMPLETE (1)"}, exitIncomplete},
		{"log", &fault.InputError{Rule: fault.RuleEmpty}, exitInput},
		{"damaged", &inputError{errors.New("damaged")}, exitInput},
		{"file", path, exitInput},
		{"output", notWritten(errors.New("closed pipe")), exitNotWritten},
		{"output file", notWritten(path), exitNotWritten},
		{"full disk", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, exitNotWritten},
		{"quota", syscall.EDQUOT, exitNotWritten},
		{"full disk of the tableau", &inputError{syscall.ENOSPC}, exitNotWritten},
		{"temporary file", fmt.Errorf("x: %w: %w", fault.ErrNotWritten, &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}), exitNotWritten},
		{"limit", fmt.Errorf("x: %w", fault.ErrResource), exitResource},
		{"panic", &panicError{value: "boom"}, exitInternal},
		{"anything else", errors.New("else"), exitUsage},
	} {
		for how, err := range map[string]error{
			"alone": c.err, "wrapped": fmt.Errorf("a: %w", fmt.Errorf("b: %w", c.err)), "joined": errors.Join(errors.New("also"), c.err),
			"twice": errors.Join(c.err, fmt.Errorf("again: %w", c.err)),
		} {
			if got := exitCode(context.Background(), err); got != c.want {
				t.Errorf("%s, %s: exit %d, want %d", c.name, how, got, c.want)
			}
		}
	}
	if got := exitCode(context.Background(), nil); got != exitOK {
		t.Errorf("no error: exit %d", got)
	}
}

// TestExitCodeOfTwo: where a run and the record of its failure both fail, the
// run's own reason decides.
func TestExitCodeOfTwo(t *testing.T) {
	record := notWritten(&fs.PathError{Op: "open", Path: "out.failed.json", Err: syscall.EACCES})
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"usage", usagef("wrong"), exitUsage},
		{"protocol", schemas.Problems{{What: "wrong"}}, exitUsage},
		{"log", &fault.InputError{Rule: fault.RuleEmpty}, exitInput},
		{"damaged", &inputError{errors.New("damaged")}, exitInput},
		{"limit", fault.ErrResource, exitResource},
		{"panic", &panicError{value: "boom"}, exitInternal},
	} {
		if got := exitCode(context.Background(), errors.Join(c.err, record)); got != c.want {
			t.Errorf("%s and a record that cannot be written: exit %d, want %d", c.name, got, c.want)
		}
	}
}

// TestExitCodeOfSignals: what a signal cancelled has the signal's number; what
// failed before it came keeps its own, and a cancellation alone is no signal.
func TestExitCodeOfSignals(t *testing.T) {
	joined := errors.Join(&inputError{fmt.Errorf("run: %w", context.Canceled)}, notWritten(errors.New("x")))
	for _, c := range []struct {
		cause   error
		err     error
		want    int
		message string
	}{
		{&signalError{syscall.SIGINT}, context.Canceled, exitInterrupted, "interrupt: nothing was written"},
		{&signalError{syscall.SIGTERM}, fmt.Errorf("run: %w", context.Canceled), exitTerminated, "terminated: nothing was written"},
		{fmt.Errorf("cause: %w", &signalError{syscall.SIGTERM}), joined, exitTerminated, "terminated: nothing was written"},
		{&signalError{syscall.SIGINT}, &fault.InputError{What: "is empty"}, exitInput, "ingest: is empty"},
		{&signalError{syscall.SIGINT}, &panicError{value: context.Canceled}, exitInternal, "internal error: context canceled"},
		{nil, context.Canceled, exitUsage, "context canceled"},
		{nil, joined, exitInput, "run: context canceled"},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(c.cause)
		if got := exitCode(ctx, c.err); got != c.want {
			t.Errorf("cause %v, error %v: exit %d, want %d", c.cause, c.err, got, c.want)
		}
		if got := message(ctx, c.err); !strings.HasPrefix(got, c.message) {
			t.Errorf("cause %v, error %v: message %q, want %q", c.cause, c.err, got, c.message)
		}
	}
}

// TestGate goes through the overall lines and what they may stop.
func TestGate(t *testing.T) {
	for _, c := range []struct {
		overall                             schemas.Overall
		violated, incomplete, caution, none int
	}{
		{schemas.Overall{}, exitOK, exitOK, exitOK, exitOK},
		{schemas.Overall{Violated: 2, Open: 1, Cautions: 1}, exitExceptions, exitExceptions, exitExceptions, exitOK},
		{schemas.Overall{Open: 1}, exitOK, exitIncomplete, exitIncomplete, exitOK},
		{schemas.Overall{Cautions: 3}, exitOK, exitOK, exitIncomplete, exitOK},
	} {
		for failOn, want := range map[string]int{"violated": c.violated, "incomplete": c.incomplete, "caution": c.caution, "never": c.none} {
			if got := exitCode(context.Background(), gate(c.overall, failOn)); got != want {
				t.Errorf("%s, --fail-on %s: exit %d, want %d", c.overall, failOn, got, want)
			}
		}
	}
}

// TestPanics: a panic is an internal error with a request for a report.
func TestPanics(t *testing.T) {
	err := dispatch(context.Background(), nil, []string{"version"}) // a process of nil
	if exitCode(context.Background(), err) != exitInternal || !strings.Contains(err.Error(), "Please report it") || !strings.Contains(err.Error(), "exit_test.go") {
		t.Errorf("a panic came back as %v", err)
	}
}

// TestInvalidResults: results that do not meet their schema, or cannot be
// written as JSON, are a defect of this program; a full disk is none.
func TestInvalidResults(t *testing.T) {
	w := resultsfile.NewWriter(analyze.Standard().Format(), new(bytes.Buffer), new(bytes.Buffer))
	for name, err := range map[string]error{
		"schema of the head": w.Finish(io.Discard, &schemas.Results{Schema: "results.v0"}),
		"schema":             w.Add(&schemas.Experiment{}),
		"NaN":                w.Add(&schemas.Experiment{Tests: []schemas.Test{{Value: math.NaN()}}}),
	} {
		if code := exitCode(context.Background(), notResults(err)); code != exitInternal {
			t.Errorf("%s: exit %d: %v", name, code, err)
		}
	}
	if code := exitCode(context.Background(), notResults(syscall.ENOSPC)); code != exitNotWritten {
		t.Errorf("a full disk: exit %d", code)
	}
}
