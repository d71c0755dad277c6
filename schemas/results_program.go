package schemas

// ProgramReplay is a policy that is a program (policy.exec): what was run, and what a second
// run with other rewards showed.
type ProgramReplay struct {
	Argv    []string        `json:"argv"`                                       // as the protocol has it
	Files   []ProgramFile   `json:"files"`                                      // of the arguments, and of policy.sha256
	Gives   string          `json:"gives" schema:"words=arm|propensities|both"` // policy.gives
	Program string          `json:"program"`                                    // as it calls itself
	Version string          `json:"version"`                                    // likewise
	Forced  bool            `json:"forced"`                                     // it learns the logged actions; false: rounds after the first mismatch are not compared
	Purpose string          `json:"purpose"`                                    // for which rewards were read to be handed over; empty: none were
	Failure *ProgramFailure `json:"failure"`                                    // why nothing can be said; null where the program answered in every round
	Again   *ProgramAgain   `json:"again"`                                      // the runs with other rewards; null where there were none
}

// ProgramFile is a file below the protocol's directory that the program was made of.
type ProgramFile struct {
	Name   string `json:"name"` // as the protocol has it
	SHA256 string `json:"sha256" schema:"sha256"`
}

// ProgramFailure is why a program did not answer.
type ProgramFailure struct {
	Cause string `json:"cause" schema:"words=not-allowed|start|time|memory|ended|malformed|refused"`
	Round *int64 `json:"round" schema:"range=[1,inf)"` // of the log, the first of those that it was asked for; null: before the first
	Words string `json:"words" schema:"named"`
}

// ProgramAgain is what the program answered where it was shown other rewards.
type ProgramAgain struct {
	Rounds int64 `json:"rounds"` // of the log, from the first one on
	// From is the first round that a changed reward could decide. From the middle on rewards
	// were exchanged within each arm; null where that changes none that was seen.
	From *int64 `json:"from" schema:"range=[1,inf)"`
	// Before is the first round before that in which the answer is another: the program does
	// not answer the same twice. Null where there is none.
	Before *int64 `json:"before" schema:"range=[1,inf)"`
	Later  int64  `json:"later"` // rounds from From on in which the answer is another
	// Mirrored counts rounds in which the answer is another where every reward y was lo + hi − y.
	// Null where that was not tried: Before or Later says enough, or no rewards are handed over.
	Mirrored *int64 `json:"mirrored"`
}

// Unmoved reports whether no answer depends on the rewards that the program was sent.
func (x *ProgramReplay) Unmoved() bool {
	return x.Again != nil && x.Again.Later == 0 && x.Again.Mirrored != nil && *x.Again.Mirrored == 0
}
