package world

import "math"

// Bytes is about what a simulation takes in memory for certain, whatever comes of
// it: for K arms, contexts of d numbers and n experiments
//
//	8·K·d       coordinates of θ, in a world that depends on contexts
//	a run       see replay.Mechanism.RunBytes
//	n·(a + bK)  what is kept of each experiment to the end, and written then
//
// The rows of one group and the rewards that are out come on top. The
// specification must have passed Plan. What is too large for an int64 is
// the largest one.
func (s *Spec) Bytes() (int64, error) {
	mechanism, err := s.catalogue().New(s.Protocol, labelsOrDefault(s.Protocol, s.arms()))
	if err != nil {
		return 0, err
	}
	arms := float64(mechanism.Arms())
	total := float64(mechanism.RunBytes(s.dim(), fewStrata)) + float64(float64(max(s.Repeat, 1))*(experimentBytes+float64(arms*pullBytes)))
	if s.world().Contexts {
		total += float64(arms * float64(s.dim()) * 8)
	}
	if total >= math.MaxInt64 {
		return math.MaxInt64, nil
	}
	return int64(total), nil
}

// What an experiment takes in Truth, as it is and as it is written, with the room
// that growing takes: 500 to 600 bytes were measured for two arms.
const (
	experimentBytes = 400
	pullBytes       = 60
)

// roundCost is about how many operations a round takes with k arms.
func (s *Spec) roundCost(k int) int64 {
	arms, d := int64(k), int64(s.dim())
	cost := arms + d
	if s.linear() {
		cost = arms * (1 + d) * (1 + d) // a triangular system for every arm
	} else {
		d = 1
	}
	return cost + arms*d*s.anewCost()
}
