package program

import (
	"errors"
	"fmt"
)

// Cause is why a program gave no answer that can be used.
type Cause string

// Causes.
const (
	CauseStart     Cause = "start"     // it could not be started, or is not the declared one
	CauseTime      Cause = "time"      // no answer in time
	CauseMemory    Cause = "memory"    // its process group holds too much
	CauseEnded     Cause = "ended"     // it ended, or closed its output
	CauseMalformed Cause = "malformed" // the answer is not of the protocol
	CauseRefused   Cause = "refused"   // it answered with an error
)

// Failure is the one error of a program: of a run nothing holds after it.
type Failure struct { //nolint:errname // it is what became of a program
	Cause Cause
	Round int64  // of the log, the first of those that were asked for; 0: before the first
	What  string // in words that stand behind "the program"
}

// Error says what and where.
func (f *Failure) Error() string { return "the program " + f.Words() }

// Words are what stands behind "the program".
func (f *Failure) Words() string {
	if f.Round == 0 {
		return f.What + ", before the first round"
	}
	return fmt.Sprintf("%s, in round %d", f.What, f.Round)
}

// failed makes a failure.
func failed(cause Cause, format string, args ...any) *Failure {
	return &Failure{Cause: cause, What: fmt.Sprintf(format, args...)}
}

// At names the round of a failure that has none. Other errors stay as they are.
func At(err error, round int64) error {
	f, ok := errors.AsType[*Failure](err)
	if !ok || f.Round != 0 {
		return err
	}
	named := *f
	named.Round = round
	return &named
}
