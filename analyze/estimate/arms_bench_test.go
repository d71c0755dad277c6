package estimate

import (
	"fmt"
	"testing"
)

func BenchmarkArms(b *testing.B) {
	for _, known := range []bool{true, false} {
		for _, k := range []int{2, 10, 34} {
			b.Run(fmt.Sprint(known, k), func(b *testing.B) {
				none := NewPlugin(k)
				pairs, weighings := [][2]int{}, []Weighting{Uniform}
				if known {
					weighings = append(weighings, Root)
				}
				for i := 1; i < k; i++ {
					pairs = append(pairs, [2]int{i, 0})
				}
				a := NewArms(&none, known, pairs, weighings...)
				r := Round{P: make([]float64, k)}
				for i := range r.P {
					r.P[i] = 1 / float64(k)
				}
				for i := range b.N {
					r.Arm, r.Reward = i%k, float64(i*7%3%2)
					a.Add(&r)
				}
			})
		}
	}
}
