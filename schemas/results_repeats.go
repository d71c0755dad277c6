package schemas

// Repeats is how often units that own several rounds played the arm of their round
// before.
type Repeats struct {
	Later int64 `json:"later"` // rounds that are not the first of their unit
	Same  int64 `json:"same"`  // of these, those that play the arm of the unit's round before
	// Expected is how many would, were every round drawn by itself, by the logged
	// propensities of all arms; null where these are not logged.
	Expected *float64 `json:"expected"`
	// Kept is null unless one draw a unit is declared.
	Kept *Kept `json:"kept"`
	// Anew is null unless every round is declared to be drawn anew, and propensities of
	// the actions are logged.
	Anew *Anew `json:"anew"`
}

// Kept counts the later rounds of units in which nothing that is logged of the
// weights had changed since the unit's round before: batch, arms that could be
// played, propensities.
type Kept struct {
	Rounds int64  `json:"rounds"`
	Moved  int64  `json:"moved"`                        // of these, those that play another arm
	First  *int64 `json:"first" schema:"range=[1,inf)"` // the first of those; null: none
}

// Anew is a wager on the arm of the unit's round before, a part of check H17.
type Anew struct {
	Rounds    int64    `json:"rounds"`                       // later rounds in which that arm could be played
	Repeated  int64    `json:"repeated"`                     // of these, those that played it
	Deficits  bool     `json:"deficits"`                     // whether arms that are played again too seldom are told too
	Level     float64  `json:"level" schema:"range=[0,1]"`   // in this experiment
	LogE      float64  `json:"log_e"`                        // natural logarithm of the wager at the end of the log
	Rejected  bool     `json:"rejected"`                     // it reached 1/level
	Deficit   bool     `json:"deficit"`                      // what won most is on arms that are played again too seldom
	Deviation *float64 `json:"deviation"`                    // in per cent: of Σ 1/p over rounds that repeat from all; of a deficit, of those rounds from Σ p
	Least     *float64 `json:"least" schema:"range=(0,inf)"` // smallest deviation found in about three of four logs, in per cent of the propensity; null: none is
}
