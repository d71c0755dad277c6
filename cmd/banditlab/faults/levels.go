package faults

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"banditaudit/cmd/banditlab/mechanisms"
	"banditaudit/replay"
	"banditaudit/replay/noise"
)

// Sample is noise of the declared law, drawn without a bandit so that there can
// be much of it.
type Sample struct {
	Draws int     // of two arms in turn
	Grid  float64 // in scales; 0: continuous
}

// Samples lists the samples that the page has.
func Samples() []Sample {
	return []Sample{{3, 0}, {30, 0}, {30, 1}, {300, 0}, {300, 2}}
}

// samplesEach is how many samples of each kind are tested.
const samplesEach = 500

// Level tests samples 1 … n of a kind, and counts. The last tally is the tally of all
// tests together.
func (s Sample) Level(n int) ([]Tally, error) {
	type found struct {
		tests []noise.Test
		any   bool
	}
	runs, err := mechanisms.Each(n, func(i int) (found, error) {
		r := noise.Fit(noise.Input{Draws: s.draw(int64(i + 1))})
		return found{r.Tests, r.Rejected}, nil
	})
	if err != nil {
		return nil, err
	}
	var out []Tally
	all := Tally{Test: "all six", Level: noise.Level, Small: -1}
	for _, r := range runs {
		all.Logs++
		if r.any {
			all.Alarms++
		}
		for j := range r.tests {
			if len(out) == j {
				out = append(out, Tally{Test: r.tests[j].Name, Level: r.tests[j].Level})
			}
			if p := r.tests[j].P; !math.IsNaN(p) {
				out[j].add(verdict{alarm: r.tests[j].Rejected, p: &p})
			}
		}
	}
	return append(out, all), nil
}

// draw returns a sample.
func (s Sample) draw(number int64) []noise.Draw {
	src := rand.New(rand.NewChaCha8(replay.Seed(number)))
	out := make([]noise.Draw, s.Draws)
	for i := range out {
		row := int64(i/2 + 1)
		out[i] = noise.Draw{Stream: noise.Stream{Arm: i % 2}, Row: row, Rows: row, Scale: 1, Count: 1, Grid: s.Grid, Value: s.side(src) - s.side(src)}
	}
	return out
}

// side is exponential with mean 1, or geometric on the grid: the difference of
// two such is Laplace, or discrete Laplace.
func (s Sample) side(src *rand.Rand) float64 {
	e := src.ExpFloat64()
	if s.Grid == 0 {
		return e
	}
	return s.Grid * math.Floor(e/s.Grid)
}

// levels is a table of all samples.
func levels(b *strings.Builder) error {
	fmt.Fprintf(b, levelsText, grouped(samplesEach))
	for _, s := range Samples() {
		tallies, err := s.Level(samplesEach)
		if err != nil {
			return err
		}
		for i := range tallies {
			b.WriteString(s.Line(&tallies[i]) + "\n")
		}
	}
	return nil
}

const levelsText = `
### %s samples of noise

Noise of the declared law, drawn on its own: that many draws of two arms, on a grid of that
many scales. A test says nothing of some samples that are too small for it.

| draws | grid | test | level | alarms | p ≤ 0.05 |
|---|---|---|---|---|---|
`

// Line is a row of the table.
func (s Sample) Line(t *Tally) string {
	grid := "–"
	if s.Grid > 0 {
		grid = fmt.Sprintf("%.2g", s.Grid)
	}
	if t.Logs == 0 {
		return fmt.Sprintf("| %s | %s | %s | %.2g | – | – |", grouped(int64(s.Draws)), grid, t.Test, t.Level)
	}
	return fmt.Sprintf("| %s | %s |", grouped(int64(s.Draws)), grid) + strings.TrimPrefix(t.Line(), "|  |  |")
}
