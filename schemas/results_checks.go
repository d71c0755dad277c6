package schemas

import (
	"slices"
	"time"
)

// Data says what was read and which data checks hold.
type Data struct {
	RowsRead     int64 `json:"rows_read"`
	RowsAnalysed int64 `json:"rows_analysed"`
	// FirstTime and LastTime are the ends of the first column of log.order that holds times,
	// over the rows that were read, in UTC by RFC 3339; null where no column does.
	FirstTime *string     `json:"first_time"`
	LastTime  *string     `json:"last_time"`
	Excluded  []Exclusion `json:"excluded"`
	Checks    []Check     `json:"checks"`
	Splits    *Splits     `json:"splits"`  // null where check H17 was not run for want of a column
	Repeats   *Repeats    `json:"repeats"` // null where no unit owns several rounds
	Hashed    *Hashed     `json:"hashed"`  // null where no hash is declared (policy.draw.hash)
	Odds      *Odds       `json:"odds"`    // null where check H17 did not look at how often the likelier arm is played
}

// PropensitiesContradicted reports whether check H05 or H17 rejects the logged propensities.
func (d *Data) PropensitiesContradicted() bool {
	return slices.ContainsFunc(d.Checks, func(c Check) bool { return (c.ID == "H05" || c.ID == "H17") && c.Status == CheckFail })
}

// MissingRewards is the number of rounds that were left out because their reward is missing.
func (d *Data) MissingRewards() int64 {
	total := int64(0)
	for _, e := range d.Excluded {
		if e.Reason == ReasonMissing {
			total += e.Rows
		}
	}
	return total
}

// TimeSpan is a first and a last time; the zero value holds none.
type TimeSpan struct{ First, Last time.Time }

// Add widens the span to hold first_time and last_time of an experiment.
func (s *TimeSpan) Add(d *Data) {
	if d.FirstTime == nil || d.LastTime == nil {
		return
	}
	first, err := time.Parse(time.RFC3339, *d.FirstTime)
	last, errLast := time.Parse(time.RFC3339, *d.LastTime)
	if err != nil || errLast != nil {
		return
	}
	if s.First.IsZero() || first.Before(s.First) {
		s.First = first
	}
	if s.Last.IsZero() || last.After(s.Last) {
		s.Last = last
	}
}

// Dates are the days of the span in UTC: "from 2026-01-03 to 2026-02-01", or "on 2026-01-03"
// where it is one; "" where there are none.
func (s *TimeSpan) Dates() string {
	first, last := s.First.UTC().Format(time.DateOnly), s.Last.UTC().Format(time.DateOnly)
	switch {
	case s.First.IsZero():
		return ""
	case first == last:
		return "on " + first
	}
	return "from " + first + " to " + last
}

// Exclusion counts rows that were clipped or left out, by reason.
type Exclusion struct {
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
}

// CheckStatus is the outcome of one data check.
type CheckStatus string

// The outcomes of a data check.
const (
	CheckPass   CheckStatus = "pass"
	CheckNote   CheckStatus = "note" // a fact worth reading; stops nothing
	CheckFail   CheckStatus = "fail"
	CheckNotRun CheckStatus = "not run" // Detail says which column would make it possible
)

// Check is one data check (H01…H15).
type Check struct {
	ID        string      `json:"id" schema:"pattern=^H[0-9]{2}$"`
	Title     string      `json:"title"`
	Observed  string      `json:"observed"`
	Expected  string      `json:"expected"`
	Statistic *float64    `json:"statistic"`
	P         *float64    `json:"p" schema:"range=[0,1]"`
	Status    CheckStatus `json:"status"`
	Detail    string      `json:"detail"`
	Measures  []Measure   `json:"measures"` // the numbers of Observed, the one that the check goes by first
	Failing   []Failing   `json:"failing,omitempty"`
	Played    []Played    `json:"played,omitempty"`
}

// Measure is a number that a check found.
type Measure struct {
	Name     string   `json:"name" schema:"pattern=^[a-z][a-z0-9_]*$"`
	Arm      *int     `json:"arm" schema:"range=[0,inf)"` // null where it is of no arm alone
	Label    string   `json:"label"`                      // of the arm
	Observed *float64 `json:"observed"`                   // null where it is not finite
	Expected *float64 `json:"expected"`                   // what it is held against, in the same unit; null where nothing is
	Unit     string   `json:"unit" schema:"named"`
}

// Measure adds a number that the check found, and what it is held against: NaN where that
// is nothing.
func (c *Check) Measure(name, unit string, observed, expected float64) {
	c.Measures = append(c.Measures, Measure{Name: name, Observed: Finite(observed), Expected: Finite(expected), Unit: unit})
}

// OfArm says of which arm the last measure is.
func (c *Check) OfArm(arm int, label string) {
	m := &c.Measures[len(c.Measures)-1]
	m.Arm, m.Label = &arm, label
}

// Key is the measure that the check goes by, its first; one without numbers where there is
// none.
func (c *Check) Key() Measure {
	if len(c.Measures) == 0 {
		return Measure{}
	}
	return c.Measures[0]
}

// Splits is what check H17 held the allocation against: wagers on every arm on
// the two sides of splits of the rounds, by what was known before an arm was
// drawn.
type Splits struct {
	// By says of which probabilities H17 is, and H05 where they are recomputed; "" for
	// logged ones.
	By      string   `json:"by,omitempty" schema:"words=declared|recomputed"`
	Looked  []Split  `json:"looked"`
	Cells   []string `json:"cells"`                              // partitions whose cells are wagered on one by one; no smallest deviation is known of these
	LeftOut []string `json:"left_out" schema:"count=(-inf,512]"` // splits that there are beyond those looked at; the first 512
	All     int64    `json:"all"`                                // splits that there are, of all kinds
	// Deficits says whether arms that were played too seldom are told, and not those
	// alone that were played too often: it takes the propensities of all arms.
	Deficits bool    `json:"deficits"`
	Accounts int64   `json:"accounts"`                     // wagers that are averaged
	Level    float64 `json:"level" schema:"range=[0,1]"`   // of the average, in this experiment
	LogE     float64 `json:"log_e" schema:"range=[0,inf)"` // natural logarithm of the average, at its largest
	// Round is the round by which the average had reached 1/level; null where it did not.
	Round *int64 `json:"round" schema:"range=[1,inf)"`
	// Worst is the wager that had won most when the average was largest.
	Worst *SplitAccount `json:"worst"`
}

// Probabilities that nobody logged.
const (
	ByDeclared   = "declared"
	ByRecomputed = "recomputed"
)

// The kinds of a split.
const (
	SplitSide    = "side"
	SplitTails   = "tails"
	SplitTides   = "tides"
	SplitCrossed = "crossed"
)

// Split is one of them, with the smallest deviations that it finds in about three
// of four logs, in per cent of the propensity: how much more often than by its
// propensity an arm would be played on one side.
type Split struct {
	Name string `json:"name" schema:"named"`
	// Kind is "side", "tails" where both ends of a number are on one side, "tides" where
	// each arm is held against its own earlier pulls, or "crossed" where that is among the
	// rounds that are alike by two or three things together.
	Kind  string   `json:"kind" schema:"words=side|tails|tides|crossed"`
	Least *float64 `json:"least" schema:"range=(0,inf)"` // over sides and arms; null where none is found
	Most  *float64 `json:"most" schema:"range=(0,inf)"`
	Found int64    `json:"found"` // pairs of side and arm in which some deviation is found
	Pairs int64    `json:"pairs"`
}

// SplitAccount is the wager on one arm on one side of a split.
type SplitAccount struct {
	Split     string   `json:"split" schema:"named"`
	Side      string   `json:"side" schema:"named"` // behind "in rounds"
	Arm       string   `json:"arm"`                 // label
	Deficit   bool     `json:"deficit"`             // on the arm being played too seldom
	LogE      float64  `json:"log_e"`
	Deviation *float64 `json:"deviation"` // in per cent: of Σ 1/p over the arm's pulls from the rounds; of a deficit, of the pulls from Σ p
	Rounds    int64    `json:"rounds"`    // of that side, in which the arm could be played
	Plays     int64    `json:"plays,omitempty"`
	Expected  *float64 `json:"expected,omitempty" schema:"range=[0,inf)"` // plays: Σ p over those rounds; absent where the propensity of an arm that was not played is not logged
}

// Odds is a wager on the likelier arm of each round, a part of check H17: that with
// the largest logged propensity among the arms that could be played.
type Odds struct {
	Overall OddsRounds `json:"overall"`
	// Near are the rounds in which the propensity of the likelier arm is 0.8 or more;
	// null where that of the played arm alone is logged.
	Near     *OddsRounds `json:"near"`
	Level    float64     `json:"level" schema:"range=[0,1]"` // in this experiment
	LogE     float64     `json:"log_e"`                      // natural logarithm of the average wager at the end of the log
	Rejected bool        `json:"rejected"`                   // it reached 1/level
	ByNear   bool        `json:"by_near"`                    // what won most is on the rounds of near
	Seldom   bool        `json:"seldom"`                     // what won most is on a likelier arm that is played too seldom
	// LeastOften and LeastSeldom are the smallest deviations found in about three of
	// four logs: how much more often than by its propensity the likelier arm is played,
	// and the others together; in per cent of that propensity. Null: none is.
	LeastOften  *float64 `json:"least_often" schema:"range=(0,inf)"`
	LeastSeldom *float64 `json:"least_seldom" schema:"range=(0,inf)"`
}

// OddsRounds counts rounds that have a likelier arm.
type OddsRounds struct {
	Rounds    int64    `json:"rounds"`
	Likelier  int64    `json:"likelier"`  // of these, those that played it
	Expected  float64  `json:"expected"`  // how many would, by its logged propensities
	Deviation *float64 `json:"deviation"` // of likelier from expected, in per cent; null where there are no rounds
}

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
	Rounds    int64    `json:"rounds"`                                             // later rounds in which that arm could be played
	Repeated  int64    `json:"repeated"`                                           // of these, those that played it
	Deficits  bool     `json:"deficits"`                                           // whether arms that are played again too seldom are told too
	Level     float64  `json:"level" schema:"range=[0,1]"`                         // in this experiment
	LogE      float64  `json:"log_e"`                                              // natural logarithm of the wager at the end of the log
	Rejected  bool     `json:"rejected"`                                           // it reached 1/level
	Deficit   bool     `json:"deficit"`                                            // what won most is on arms that are played again too seldom
	ByPlays   bool     `json:"by_plays,omitempty"`                                 // what won most is on arms that the unit had played more often than expected in all its earlier rounds
	Favoured  int64    `json:"favoured,omitempty"`                                 // rounds that played such an arm; absent where the propensities of all arms are not known
	Favouring *float64 `json:"favoured_expected,omitempty" schema:"range=[0,inf)"` // Σ p of such arms over all rounds; likewise
	Deviation *float64 `json:"deviation"`                                          // in per cent: of Σ 1/p over rounds that repeat from all; of a deficit, of those rounds from Σ p
	Least     *float64 `json:"least" schema:"range=(0,inf)"`                       // smallest deviation found in about three of four logs, in per cent of the propensity; null: none is
}

// Where the weights of arms come from that ranges of positions are as long as.
const (
	WeightsLogged = "logged" // the logged propensities of all arms
	WeightsPolicy = "policy" // a declared policy that reads no rewards
)

// Hashed is what the hash of the units' keys (policy.draw.hash) says of the arms. Rows
// that are neither matched nor within are contradicted.
type Hashed struct {
	Hash      string  `json:"hash" schema:"words=growthbook-v1|growthbook-v2"`
	Positions int64   `json:"positions" schema:"range=[1,inf)"` // that the hash gives
	Coverage  float64 `json:"coverage" schema:"range=(0,1]"`
	Weights   string  `json:"weights" schema:"words=logged|policy|"` // logged | policy | "": not known, and no row is looked at
	Rows      int64   `json:"rows"`
	Matched   int64   `json:"matched"` // rows that play the arm whose range holds the unit's position
	// Within are rows that do not, and would if no weight were off by more than Window.
	Within  int64      `json:"within"`
	Window  float64    `json:"window" schema:"range=[0,1]"` // the largest of those rows; 0 where there are none
	Outside int64      `json:"outside"`                     // contradicted rows whose position no range holds
	Unlike  int64      `json:"unlike"`                      // rows whose logged propensity is not that of the declared policy
	First   *HashedRow `json:"first"`                       // the first contradicted row; null where there is none
}

// Contradicted counts the rows that play an arm which is not that of the hash.
func (h *Hashed) Contradicted() int64 { return h.Rows - h.Matched - h.Within }

// HashedRow is a row that does not play the arm of its hash.
type HashedRow struct {
	Round    int64   `json:"round" schema:"range=[1,inf)"`
	Position float64 `json:"position" schema:"range=[0,1)"` // of the unit
	Arm      string  `json:"arm"`                           // label, as logged
	Expected string  `json:"expected"`                      // label; "" where no range holds the position
}
