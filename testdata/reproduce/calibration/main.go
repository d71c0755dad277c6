package main

import (
	"fmt"
	"os"
	"time"

	"banditaudit/testdata/reproduce"
	"banditaudit/testdata/reproduce/calibrate"
)

func main() {
	for _, s := range calibrate.Settings() {
		s.Runs = 1000
		start := time.Now()
		fmt.Println("==", s)
		for _, p := range reproduce.Pairs() {
			at := time.Now()
			n, err := s.Play(p)
			if err != nil {
				fmt.Fprintln(os.Stderr, p.Name(), err)
				continue
			}
			fmt.Printf("%-36s ε %8.3g σ %.2f/%.2f", p.Name(), n.Epsilon, n.By[0].Sigma(), n.By[1].Sigma())
			for _, c := range n.By {
				r := float64(c.Runs) / 100
				b, se := c.Bias()
				fmt.Printf(" | %4.1f %4.1f %4.1f %4.1f %4.1f  %.3f±%.3f<%.3f", float64(c.Naive)/r, float64(c.Renyi)/r, float64(c.Moments)/r, float64(c.Theorem20)/r, float64(c.Sequence)/r, b, se, c.Bound())
			}
			fmt.Println(" ", time.Since(at).Milliseconds())
		}
		fmt.Println(time.Since(start))
	}
}
