package eprocess

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkEffect is a round of a pair among ten arms, four fifths of which play
// neither.
func BenchmarkEffect(b *testing.B) {
	e, r := NewEffect(), rand.New(rand.NewPCG(1, 2))
	rounds := make([]Played, 1<<12)
	for i := range rounds {
		rounds[i] = Played{Arm: Neither, P: [2]Span{Exactly(.1), Exactly(.1)}}
		if arm := r.IntN(10); arm < 2 {
			rounds[i].Arm, rounds[i].Reward = arm, float64(r.IntN(2))
		}
	}
	for i := 0; b.Loop(); i++ {
		e.Add(rounds[i%len(rounds)])
	}
}

// BenchmarkAssignment is a round that played one of the two arms.
func BenchmarkAssignment(b *testing.B) {
	a, r := NewAssignment(), rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		a.Add(r.IntN(2) == 0, Exactly(.5), float64(r.IntN(2)))
	}
}
