package schemas

// Splits is what check H17 held the allocation against: wagers on every arm on
// the two sides of splits of the rounds, by what was known before an arm was
// drawn.
type Splits struct {
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
	// Round is that by which the average had reached 1/level; null where it did not.
	Round *int64 `json:"round" schema:"range=[1,inf)"`
	// Worst is the wager that had won most when the average was largest.
	Worst *SplitAccount `json:"worst"`
}

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
}
