package main

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
	exitOK          = 0   // procedures done, gate not tripped
	exitExceptions  = 1   // a required claim is VIOLATED, or the checked object or a gate of a reproduction failed
	exitUsage       = 2   // usage or protocol error, existing output without --force
	exitIncomplete  = 3   // a required claim is NOT ESTABLISHED or NOT RUN
	exitInput       = 4   // the input cannot be read as declared
	exitNotWritten  = 5   // results computed but not written
	exitResource    = 6   // a resource limit was reached
	exitInternal    = 70  // a recovered panic
	exitHungUp      = 129 // SIGHUP
	exitInterrupted = 130 // SIGINT
	exitQuit        = 131 // SIGQUIT
	exitTerminated  = 143 // SIGTERM
)

// usageError is a wrong command line or an output that is in the way.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// outputError says that an output could not be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return "cannot write the output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

func notWritten(err error) error {
	if err == nil {
		return nil
	}
	return &outputError{err}
}

// failedError says that the object of a command is not what it should be.
type failedError struct{ msg string }

func (e *failedError) Error() string { return e.msg }

func failedf(format string, args ...any) error {
	return &failedError{fmt.Sprintf(format, args...)}
}

// inputError says that something given to read is not what it should be.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// gateError ends a run whose procedures were all done but whose findings trip
// the gate. The report is written; nothing is wrong with the run.
type gateError struct {
	code    int
	overall string
}

func (e *gateError) Error() string { return e.overall }

// panicError is a recovered panic.
type panicError struct {
	value any
	stack string
}

func (e *panicError) Error() string {
	return fmt.Sprintf("internal error: %v\nThis is a defect of banditaudit. Please report it with the command line and the text above.\n%s", e.value, e.stack)
}

// unequalError is about an output that stands there and came out otherwise.
type unequalError struct{ words string }

func (e *unequalError) Error() string { return e.words }

// signalError is the cancellation cause of a context ended by a signal.
type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string { return e.signal.String() + ": nothing was written" }

// recordedError is the error of a run that left its record, beside no output.
type recordedError struct {
	err    error
	record string // its path
}

func (e *recordedError) Error() string { return e.err.Error() }
func (e *recordedError) Unwrap() error { return e.err }

// exitCode is the one place where an error becomes a number.
func exitCode(ctx context.Context, err error) int {
	var (
		usage    *usageError
		failed   *failedError
		problems schemas.Problems
		gate     *gateError
		internal *panicError
		sig      *signalError
		output   *outputError
		unequal  *unequalError
		declared *replay.Fault
		path     *fs.PathError
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &internal), errors.As(err, &unequal):
		return exitInternal
	case errors.As(err, &gate):
		return gate.code
	case errors.As(err, &failed):
		return exitExceptions
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &sig):
		return 128 + int(sig.signal)
	case errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), fault.ErrResource):
		return exitResource
	case errors.As(err, &usage), errors.As(err, &problems), errors.As(err, &declared), errors.Is(err, fault.ErrProtocol):
		return exitUsage
	case errors.Is(err, fault.ErrResource), isExhausted(err) != "":
		return exitResource
	case isFullDisk(err), errors.Is(err, fault.ErrNotWritten):
		return exitNotWritten
	case isInput(err): // before the output: the record of a failed run can fail too
		return exitInput
	case errors.As(err, &output):
		return exitNotWritten
	case errors.As(err, &path):
		return exitInput
	}
	return exitUsage
}

func isInput(err error) bool {
	var (
		log  *fault.InputError
		file *inputError
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

// gate turns what does not hold into the error that ends the run, if any.
func gate(overall schemas.Overall, failOn string) error {
	switch {
	case failOn == "never":
		return nil
	case overall.Violated > 0:
		return &gateError{exitExceptions, overall.String()}
	case overall.Open > 0 && failOn != "violated", overall.Cautions > 0 && failOn == "caution":
		return &gateError{exitIncomplete, overall.String()}
	}
	return nil
}
