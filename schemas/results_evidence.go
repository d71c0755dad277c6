package schemas

// FreeChoices counts rounds in which the declaration leaves open which of several arms is
// played (policy.start: any, policy.ties: any). They are among those that match, whichever
// of these the log has.
type FreeChoices struct {
	Start     int64 `json:"start"`      // rounds in which any of several arms without a known reward could begin
	StartUsed int64 `json:"start_used"` // of these, in which the log has another than a start in order
	Ties      int64 `json:"ties"`       // rounds in which several indices were the largest
	TiesUsed  int64 `json:"ties_used"`  // of these, in which the log has another than the first
}

// Used counts rounds that are right by a free choice alone.
func (f *FreeChoices) Used() int64 {
	if f == nil {
		return 0
	}
	return f.StartUsed + f.TiesUsed
}

// Rests reports whether any round is right by a choice alone: one that is declared free,
// or within the window of near ties.
func (c *Conformance) Rests() bool { return c.Chosen() > 0 }

// Chosen counts those rounds.
func (c *Conformance) Chosen() int64 {
	n := c.Choices.Used()
	if c.NearTies != nil {
		n += c.NearTies.Used
	}
	return n
}

// Open counts rounds in which more than one arm would have been right.
func (c *Conformance) Open() int64 {
	n := int64(0)
	if c.Choices != nil {
		n += c.Choices.Start + c.Choices.Ties
	}
	if c.NearTies != nil {
		n += c.NearTies.Rounds
	}
	return n
}

// LawReplay holds logged actions against the propensities that the declared policy has by
// the logged rewards, or by the scores that are logged.
type LawReplay struct {
	Scores     bool           `json:"scores"` // they follow from log.score_by_arm
	Allocation AllocationTest `json:"allocation"`
	Rounds     int64          `json:"rounds"`     // whose action was drawn by itself, and held
	Impossible int64          `json:"impossible"` // of these, with an action of propensity 0
	// Detectable is the deviation of an arm's probability, on average over those rounds,
	// that is found in four of five logs at Level; null where none is.
	Detectable *float64 `json:"detectable" schema:"range=(0,1)"`
}

// By says by what the propensities are recomputed.
func (l *LawReplay) By() string {
	if l.Scores {
		return "the logged scores"
	}
	return "the logged rewards"
}

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
