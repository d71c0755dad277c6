package diagnose

import "math"

// Row is a round of the log on which hypotheses are tried.
type Row struct {
	Row      int64     // of the experiment, from 0
	Arms     int       // of the log
	Arm      int       // that was played
	Eligible []bool    // what could be played; nil: all
	P        float64   // logged propensity of the arm played
	ByArm    []float64 // logged propensities of all arms; nil where they are not
	// Want are the propensities recomputed under the declared policy; nil where
	// nothing is replayed.
	Want   []float64
	Beyond bool // tolerance, of Want

	Shares bool    // propensities of all arms may be shares of draws, and are new in this row
	Floor  float64 // that is mixed into them
	Draws  float64 // by which these were estimated, where the log says it row by row; 0 otherwise
	Low    float64 // least number of these, where nobody says how many; 0 otherwise

	alone [1]float64
}

// Law turns the propensities of a round into the propensities of another law, of as many
// arms: of all, or of the played arm alone where only its propensity is known (see
// Row.Under).
type Law func(r *Row, from, dst []float64)

// playable returns how many arms could be played.
func (r *Row) playable() int {
	if len(r.Eligible) == 0 {
		return r.Arms
	}
	m := 0
	for _, e := range r.Eligible {
		if e {
			m++
		}
	}
	return m
}

// can reports whether an arm could be played, by its place in what a law is given.
func (r *Row) can(arm int) bool { return r.single() || len(r.Eligible) == 0 || r.Eligible[arm] }

// single reports whether the propensity of the played arm alone is known.
func (r *Row) single() bool { return r.Want == nil && r.ByArm == nil }

// logged returns the logged propensities that there are: of all arms, or the one.
func (r *Row) logged() []float64 {
	if r.ByArm != nil {
		return r.ByArm
	}
	r.alone[0] = r.P
	return r.alone[:]
}

// Under returns the logged propensities under a law: of all arms, or of the played arm
// alone where only that is known. dst has room for one number for each arm.
func (r *Row) Under(law Law, dst []float64) []float64 {
	from := r.logged()
	dst = dst[:len(from)]
	law(r, from, dst)
	return dst
}

// gain is the logarithm of how much likelier the action is under a law of the logged
// propensities than as logged. dst is the dst of Under.
func (r *Row) gain(law Law, dst []float64) float64 {
	under := r.Under(law, dst)
	if r.single() {
		return math.Log(under[0] / r.P)
	}
	return math.Log(under[r.Arm] / r.P)
}
