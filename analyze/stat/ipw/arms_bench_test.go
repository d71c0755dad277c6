package ipw

import (
	"fmt"
	"testing"
)

func BenchmarkArms(b *testing.B) {
	for _, c := range []struct{ known, rounded bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
		known := c.known
		for _, k := range []int{2, 10, 34} {
			b.Run(fmt.Sprint(known, c.rounded, k), func(b *testing.B) {
				none := NewPlugin(k)
				pairs, weighings := [][2]int{}, []Weighting{nil}
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
				if c.rounded {
					for _, p := range r.P {
						r.Least = append(r.Least, p-.0005)
					}
				}
				for i := range b.N {
					r.Arm, r.Reward = i%k, float64(i*7%3%2)
					a.Add(&r)
				}
			})
		}
	}
}
