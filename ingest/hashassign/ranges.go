package hashassign

// None is the arm of a position that no range holds.
const None = -1

// Ranges says which arm has a position. Arm i has [s, s + Coverage·w_i), where s is the
// sum of the weights before it, added up from the left in the order of the arms.
type Ranges struct {
	Coverage float64 // in (0,1]
	Within   float64 // how far a weight may be off by its written decimals; not negative
}

// Arm is the arm that has position n/steps by the weights as they are; None where none has.
func (r Ranges) Arm(n, steps int64, weights []float64) int {
	at, start := float64(n)/float64(steps), 0.0
	for i, w := range weights {
		if at >= start && at < start+float64(r.Coverage*w) {
			return i
		}
		start += w
	}
	return None
}

// Reaches reports whether an arm may have position n/steps, as every weight may be off by
// Within: an end of arm i, counted from 0, lies within i + 1 times that. An arm without
// weight has nothing.
func (r Ranges) Reaches(n, steps int64, weights []float64, arm int) bool {
	if weights[arm] == 0 {
		return false
	}
	at, start := float64(n)/float64(steps), 0.0
	for _, w := range weights[:arm] {
		start += w
	}
	slack := float64(r.Within * float64(arm+1))
	return at >= start-slack && at < start+float64(r.Coverage*weights[arm])+slack
}
