package schemas

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
