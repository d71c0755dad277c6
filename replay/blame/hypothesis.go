package blame

// Hypothesis is one thing that would explain a log which is not as declared. It is
// tried by one judge, or by both.
type Hypothesis struct {
	Name string // that of schemas.Hypothesis
	// Replay begins to try it on a log that does not have the recomputed
	// propensities. nil: it says nothing of them.
	Replay func(*Replay) Trial
	// Actions tries it on actions that do not follow the logged propensities. nil: it
	// says nothing of them.
	Actions func(*Actions) []Explanation
}

// All lists the hypotheses. Of several that explain as much of a log the first is
// named first: what a log got wrong before what the policy did, and what has a name
// in the declared policy before what has none. A new one is a file and a line of
// this list, and its words for readers a line of schemas/explanations.go.
func All() []Hypothesis {
	return []Hypothesis{
		sameInstant(),
		stale(),
		swapped(),
		uniformRows(),
		cadence(),
		parameter(),
		prior(),
		floor(),
		clippedFloor(),
	}
}

// Trial is a hypothesis under trial on the replay of one log. All of it may be nil.
type Trial struct {
	// Runs are told of the log in the first pass over it, beside the declared policy.
	// A run may be in several trials.
	Runs []*Run
	// Before and After take a row, with what the declared policy says in the round
	// before it, and after the update that follows it.
	Before, After func(r *Row, want []float64)
	// Leans says how shares of draws lean to what was tried without a fitted number.
	Leans func() []Leaning
	// Say says what was found in the first pass, each with what it explains. The best
	// of them is kept.
	Say func() ([]Explanation, error)
	// Fit tries more, in passes of its own. It is asked where nothing fits.
	Fit func() ([]Explanation, error)
}
