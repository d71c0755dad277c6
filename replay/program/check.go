package program

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// What a program may answer by arm or by propensities.
const (
	WantArm          = "arm"
	WantPropensities = "propensities"
)

// sumTolerance is how far propensities may be from a sum of 1.
const sumTolerance = 1e-6

// holdAnswer holds an answer against what was asked. What was not asked for is dropped: a
// program that gives propensities does not say which arm was drawn from them.
func (s *Session) holdAnswer(r *reply, ask []Decision) error {
	if !slices.Contains(s.want, WantArm) {
		r.A = nil
	} else if err := s.checkArms(r.A, ask); err != nil {
		return err
	}
	if !slices.Contains(s.want, WantPropensities) {
		r.P = nil
		return nil
	}
	return s.checkPropensities(r.P, ask)
}

func (s *Session) checkArms(arms []int, ask []Decision) error {
	if len(arms) != len(ask) {
		return failed(CauseMalformed, "answers %d arms (a) to %d decisions", len(arms), len(ask))
	}
	for i, arm := range arms {
		switch {
		case arm < 0 || arm >= s.arms:
			return At(failed(CauseMalformed, "answers arm %d of %d arms, counted from 0", arm, s.arms), ask[i].Round)
		case len(ask[i].Eligible) > 0 && !ask[i].Eligible[arm]:
			return At(failed(CauseMalformed, "answers arm %d, which could not be played", arm), ask[i].Round)
		}
	}
	return nil
}

func (s *Session) checkPropensities(all [][]float64, ask []Decision) error {
	if len(all) != len(ask) {
		return failed(CauseMalformed, "answers %d lists of propensities (p) to %d decisions", len(all), len(ask))
	}
	for i, p := range all {
		if len(p) != s.arms {
			return At(failed(CauseMalformed, "answers %d propensities of %d arms", len(p), s.arms), ask[i].Round)
		}
		sum := 0.0
		for arm, v := range p {
			if !(v >= 0 && v <= 1) {
				return At(failed(CauseMalformed, "answers the propensity %g", v), ask[i].Round)
			}
			if v > 0 && ask[i].Eligible != nil && !ask[i].Eligible[arm] {
				return At(failed(CauseMalformed, "answers the propensity %g of arm %d, which could not be played", v, arm), ask[i].Round)
			}
			sum += v
		}
		if math.Abs(sum-1) > sumTolerance {
			return At(failed(CauseMalformed, "answers propensities whose sum is %.9g", sum), ask[i].Round)
		}
	}
	return nil
}

// End is the last line.
func End() []byte { return []byte("{\"k\":\"end\"}\n") }

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
	Timed string // likewise, for results, where What and Round depend on the moment; "": they do not
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

// Lasting returns the words and the round of a failure that every run of the program has; round
// is 0 before the first, and where the round depends on the moment.
func (f *Failure) Lasting() (words string, round int64) {
	if f.Timed != "" {
		return f.Timed, 0
	}
	return f.Words(), f.Round
}

// outOfTurn makes the failure of a program that answers what it was not asked.
func outOfTurn(format string, args ...any) *Failure {
	f := failed(CauseMalformed, format, args...)
	f.Timed = "writes lines that are not answers to the questions that were sent, in their order"
	return f
}

// tooLarge makes the failure of a program that holds more than its memory.
func tooLarge(most int64) *Failure {
	f := failed(CauseMemory, "and what it started hold more than %d bytes of memory", most)
	f.Timed = f.What
	return f
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
