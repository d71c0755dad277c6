package adaptive

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkSplits is 13 splits of 10 arms: ns/op is that of a round.
func BenchmarkSplits(b *testing.B) {
	const splits, arms, n = 13, 10, 1 << 14
	for _, all := range []bool{false, true} {
		name := map[bool]string{false: "played", true: "all"}[all]
		b.Run(name, func(b *testing.B) {
			draw := rand.New(rand.NewPCG(1, 2))
			rows := &SplitRows{Sides: make([][]Side, splits), Arm: make([]int32, n), High: make([]float64, n)}
			for f := range rows.Sides {
				rows.Sides[f] = make([]Side, n)
				for t := range rows.Sides[f] {
					rows.Sides[f][t] = Side(draw.IntN(2))
				}
			}
			for t := range rows.Arm {
				rows.Arm[t], rows.High[t] = int32(draw.IntN(arms)), .05+.1*draw.Float64()
			}
			if all {
				rows.Low = make([]float64, n*arms)
				for i := range rows.Low {
					rows.Low[i] = .05 + .1*draw.Float64()
				}
			}
			s := NewSplits(splits, arms, SplitsLevel, all)
			b.ResetTimer()
			for range b.N/n + 1 {
				s.Add(rows)
			}
			s.Result()
		})
	}
}
