package drift

import "math"

// SteeringBlock returns the rounds of a block in a log: a fortieth of the log, at least 8 and
// at most 50. Shorter logs need shorter blocks, for |z| of b blocks is at most √b. Source: own
// choice, held to its level by simulation (TestSteeringLevel).
func SteeringBlock(rounds int64) int { return int(min(50, max(8, rounds/40))) }

// Steering asks whether an arm is played more on one side of a context than on the other.
// Rounds are held against their neighbours, block by block, so that an allocation that
// changes over time is none that follows the context.
type Steering struct {
	Block int // Required: rounds of a block (see SteeringBlock).

	rounds, on, played, both int     // of the block
	sum, squares             float64 // Σ of blocks, and of their squares
	blocks                   int     // that show something
}

// Add takes up a round: whether it is on the side, and whether it played the arm.
func (s *Steering) Add(on, played bool) {
	s.rounds++
	if on {
		s.on++
	}
	if played {
		s.played++
	}
	if on && played {
		s.both++
	}
	if s.rounds == s.Block {
		s.end()
	}
}

// end closes a block, and adds its b where it has both sides, the arm and another.
func (s *Steering) end() {
	if s.on > 0 && s.on < s.rounds && s.played > 0 && s.played < s.rounds {
		b := float64(s.both) - float64(s.played*s.on)/float64(s.rounds)
		s.sum += b
		s.squares += float64(b * b)
		s.blocks++
	}
	s.rounds, s.on, s.played, s.both = 0, 0, 0, 0
}

// leastBlocks is how many blocks must show something.
const leastBlocks = 10

// Z is Σb/√Σb² over blocks, b = Σ(1{arm} − mean)·(1{side} − mean) over the rounds of a
// block: about standard normal where arms are drawn whatever the side, also where
// neighbouring rounds are alike. It is 0 where fewer than 10 blocks hold both sides and
// both the arm and another. The rounds of a block that has not ended are left out.
func (s *Steering) Z() float64 {
	if s.blocks < leastBlocks || !(s.squares > 0) {
		return 0
	}
	return s.sum / math.Sqrt(s.squares)
}
