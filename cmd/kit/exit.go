package kit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"banditaudit/ingest/fault"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// Exit codes, as the scheduler reads them.
const (
	ExitOK          = 0   // procedures done, gate not tripped
	ExitExceptions  = 1   // a required claim is VIOLATED, or the checked object or a gate of a reproduction failed
	ExitUsage       = 2   // usage or protocol error, existing output without --force
	ExitIncomplete  = 3   // a required claim is NOT ESTABLISHED or NOT RUN
	ExitInput       = 4   // the input cannot be read as declared
	ExitNotWritten  = 5   // results computed but not written
	ExitResource    = 6   // a resource limit was reached
	ExitInternal    = 70  // a recovered panic
	ExitHungUp      = 129 // SIGHUP
	ExitInterrupted = 130 // SIGINT
	ExitQuit        = 131 // SIGQUIT
	ExitTerminated  = 143 // SIGTERM
)

// UsageError is a wrong command line or an output that is in the way.
type UsageError struct{ msg string }

func (e *UsageError) Error() string { return e.msg }

// Usagef is the error of a wrong command line, or of an output that is in the way.
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// OutputError says that an output could not be written.
type OutputError struct{ err error }

func (e *OutputError) Error() string { return "cannot write the output: " + e.err.Error() }
func (e *OutputError) Unwrap() error { return e.err }

// NotWritten is the error of an output that could not be written; nil for nil.
func NotWritten(err error) error {
	if err == nil {
		return nil
	}
	return &OutputError{err}
}

// failedError says that the object of a command is not what it should be.
type failedError struct{ msg string }

func (e *failedError) Error() string { return e.msg }

// Failedf is the error of a command whose object is not what it should be.
func Failedf(format string, args ...any) error {
	return &failedError{fmt.Sprintf(format, args...)}
}

// InputError says that something given to read is not what it should be.
type InputError struct{ err error }

func (e *InputError) Error() string { return e.err.Error() }
func (e *InputError) Unwrap() error { return e.err }

// BadInput is the error of something given to read that is not what it should be.
func BadInput(err error) error { return &InputError{err} }

// GateError ends a run whose procedures were all done but whose findings trip
// the gate. The report is written; nothing is wrong with the run.
type GateError struct {
	code    int
	overall string
}

func (e *GateError) Error() string { return e.overall }

// Tripped is the error of findings that trip the gate, with the exit code of that.
func Tripped(code int, overall string) error { return &GateError{code, overall} }

// PanicError is a recovered panic.
type PanicError struct {
	Value any
	Stack string
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error: %v\nThis is a defect of the program. Please report it with the command line and the text above.\n%s", e.Value, e.Stack)
}

// Panic is the error of a recovered panic; stack can be "".
func Panic(value any, stack string) error { return &PanicError{value, stack} }

// unequalError is about an output that stands there and came out otherwise.
type unequalError struct{ words string }

func (e *unequalError) Error() string { return e.words }

// Unequal is the error of an output that stands there and came out otherwise.
func Unequal(words string) error { return &unequalError{words} }

// signalError is the cancellation cause of a context ended by a signal.
type signalError struct{ signal syscall.Signal }

// Signalled is the cancellation cause of a context that a signal ended.
func Signalled(signal syscall.Signal) error { return &signalError{signal} }

func (e *signalError) Error() string { return e.signal.String() + ": nothing was written" }

// recordedError is the error of a run that left its record, beside no output.
type recordedError struct {
	err    error
	record string // its path
}

func (e *recordedError) Error() string { return e.err.Error() }
func (e *recordedError) Unwrap() error { return e.err }

// Recorded is the error of a run that left its record at a path.
func Recorded(err error, record string) error { return &recordedError{err, record} }

// ExitCode is the one place where an error becomes a number.
func ExitCode(ctx context.Context, err error) int {
	var (
		usage    *UsageError
		failed   *failedError
		problems schemas.Problems
		gate     *GateError
		internal *PanicError
		sig      *signalError
		output   *OutputError
		unequal  *unequalError
		declared *replay.Fault
		path     *fs.PathError
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &internal), errors.As(err, &unequal):
		return ExitInternal
	case errors.As(err, &gate):
		return gate.code
	case errors.As(err, &failed):
		return ExitExceptions
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &sig):
		return 128 + int(sig.signal)
	case errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), fault.ErrResource):
		return ExitResource
	case errors.As(err, &usage), errors.As(err, &problems), errors.As(err, &declared), errors.Is(err, fault.ErrProtocol):
		return ExitUsage
	case errors.Is(err, fault.ErrResource), isExhausted(err) != "":
		return ExitResource
	case isFullDisk(err), errors.Is(err, fault.ErrNotWritten):
		return ExitNotWritten
	case isInput(err): // before the output: the record of a failed run can fail too
		return ExitInput
	case errors.As(err, &output):
		return ExitNotWritten
	case errors.As(err, &path):
		return ExitInput
	}
	return ExitUsage
}

func isInput(err error) bool {
	var (
		log  *fault.InputError
		file *InputError
	)
	return errors.As(err, &log) || errors.As(err, &file)
}

func isFullDisk(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// isExhausted is what to do where the system lets this process have no more of
// something that is no disk; "" where it does.
func isExhausted(err error) string {
	switch {
	case errors.Is(err, syscall.EMFILE):
		return "this process may not open more files: raise the limit (ulimit -n)"
	case errors.Is(err, syscall.ENFILE):
		return "the system has too many files open: run again when it has fewer"
	case errors.Is(err, syscall.ENOMEM):
		return "the system has no memory left for this process: run again when it has more"
	}
	return ""
}
