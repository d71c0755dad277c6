package kit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/replay"
	"banditaudit/schemas"
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
		{"usage", Usagef("wrong"), ExitUsage},
		{"protocol", schemas.Problems{{What: "wrong"}}, ExitUsage},
		{"mechanism", &replay.Fault{Path: "policy"}, ExitUsage},
		{"what ingest cannot carry", fmt.Errorf("x: %w", fault.ErrProtocol), ExitUsage},
		{"exceptions", &GateError{ExitExceptions, "EXCEPTIONS NOTED (1)"}, ExitExceptions},
		{"incomplete", &GateError{ExitIncomplete, "INCOMPLETE (1)"}, ExitIncomplete},
		{"log", &fault.InputError{Rule: fault.RuleEmpty}, ExitInput},
		{"damaged", &InputError{errors.New("damaged")}, ExitInput},
		{"file", path, ExitInput},
		{"output", NotWritten(errors.New("closed pipe")), ExitNotWritten},
		{"output file", NotWritten(path), ExitNotWritten},
		{"full disk", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, ExitNotWritten},
		{"quota", syscall.EDQUOT, ExitNotWritten},
		{"full disk of the tableau", &InputError{syscall.ENOSPC}, ExitNotWritten},
		{"temporary file", fmt.Errorf("x: %w: %w", fault.ErrNotWritten, &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}), ExitNotWritten},
		{"limit", fmt.Errorf("x: %w", fault.ErrResource), ExitResource},
		{"panic", &PanicError{Value: "boom"}, ExitInternal},
		{"anything else", errors.New("else"), ExitUsage},
	} {
		for how, err := range map[string]error{
			"alone": c.err, "wrapped": fmt.Errorf("a: %w", fmt.Errorf("b: %w", c.err)), "joined": errors.Join(errors.New("also"), c.err),
			"twice": errors.Join(c.err, fmt.Errorf("again: %w", c.err)),
		} {
			if got := ExitCode(context.Background(), err); got != c.want {
				t.Errorf("%s, %s: exit %d, want %d", c.name, how, got, c.want)
			}
		}
	}
	if got := ExitCode(context.Background(), nil); got != ExitOK {
		t.Errorf("no error: exit %d", got)
	}
}

// TestExitCodeOfTwo: where a run and the record of its failure both fail, the
// run's own reason decides.
func TestExitCodeOfTwo(t *testing.T) {
	record := NotWritten(&fs.PathError{Op: "open", Path: "out.failed.json", Err: syscall.EACCES})
	for _, c := range []struct {
		name string
		err  error
		want int
	}{
		{"usage", Usagef("wrong"), ExitUsage},
		{"protocol", schemas.Problems{{What: "wrong"}}, ExitUsage},
		{"log", &fault.InputError{Rule: fault.RuleEmpty}, ExitInput},
		{"damaged", &InputError{errors.New("damaged")}, ExitInput},
		{"limit", fault.ErrResource, ExitResource},
		{"panic", &PanicError{Value: "boom"}, ExitInternal},
	} {
		if got := ExitCode(context.Background(), errors.Join(c.err, record)); got != c.want {
			t.Errorf("%s and a record that cannot be written: exit %d, want %d", c.name, got, c.want)
		}
	}
}

// TestExitCodeOfSignals: what a signal cancelled has the signal's number; what
// failed before it came keeps its own, and a cancellation alone is no signal.
func TestExitCodeOfSignals(t *testing.T) {
	joined := errors.Join(&InputError{fmt.Errorf("run: %w", context.Canceled)}, NotWritten(errors.New("x")))
	for _, c := range []struct {
		cause   error
		err     error
		want    int
		message string
	}{
		{&signalError{syscall.SIGINT}, context.Canceled, ExitInterrupted, "interrupt: nothing was written"},
		{&signalError{syscall.SIGTERM}, fmt.Errorf("run: %w", context.Canceled), ExitTerminated, "terminated: nothing was written"},
		{fmt.Errorf("cause: %w", &signalError{syscall.SIGTERM}), joined, ExitTerminated, "terminated: nothing was written"},
		{&signalError{syscall.SIGINT}, &fault.InputError{What: "is empty"}, ExitInput, "ingest: is empty"},
		{&signalError{syscall.SIGINT}, &PanicError{Value: context.Canceled}, ExitInternal, "internal error: context canceled"},
		{nil, context.Canceled, ExitUsage, "context canceled"},
		{nil, joined, ExitInput, "run: context canceled"},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(c.cause)
		if got := ExitCode(ctx, c.err); got != c.want {
			t.Errorf("cause %v, error %v: exit %d, want %d", c.cause, c.err, got, c.want)
		}
		if got := Message(ctx, c.err); !strings.HasPrefix(got, c.message) {
			t.Errorf("cause %v, error %v: message %q, want %q", c.cause, c.err, got, c.message)
		}
	}
}

// TestPanics: a panic is an internal error with a request for a report.
func TestPanics(t *testing.T) {
	err := new(Program).dispatch(context.Background(), nil, []string{"version"}) // a program without commands
	if ExitCode(context.Background(), err) != ExitInternal || !strings.Contains(err.Error(), "Please report it") || !strings.Contains(err.Error(), "exit_test.go") {
		t.Errorf("a panic came back as %v", err)
	}
}
