package schemas

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
