package figure

import (
	"fmt"
	"math"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const noiseHeight = 260

// noiseFigure draws the noise that was recovered against the law that is declared, rank by
// rank: an honest log lies on the diagonal, within the band.
func noiseFigure(x *schemas.Experiment, _ *digest.Protocol) *Drawing {
	if x.Replay.Released == nil || x.Replay.Released.Noise == nil || x.Replay.Released.Noise.Quantiles == nil {
		return nil
	}
	n := x.Replay.Released.Noise
	found := samplesOf(n.Quantiles)
	if len(found) == 0 {
		return nil
	}
	reach := 0.0
	for _, m := range found {
		reach = max(reach, math.Abs(m.X), math.Abs(m.Y))
	}
	reach *= 1.05
	a := &chart.Axes{
		Title: noiseTitle(n), X: "by the declared law, in declared scales", Y: "found, in declared scales", Height: noiseHeight,
		Number: page.Short,
		Min:    chart.Point{X: -reach, Y: -reach}, Max: chart.Point{X: reach, Y: reach}, Keys: noiseKeys(n, found),
	}
	return &Drawing{
		Kind: Noise, Name: "noise", Title: a.Title, Caption: noiseCaption(n, found), Numbers: noiseNumbers(found),
		draw: func(description string) ([]byte, error) {
			return a.Draw(description, func(v *chart.Canvas) {
				v.Band(found, chart.Value())
				v.Line([]chart.Point{{X: -reach, Y: -reach}, {X: reach, Y: reach}}, chart.Declared())
				if n.Ratio != nil {
					across := reach / max(1, *n.Ratio)
					v.Line([]chart.Point{{X: -across, Y: -across * *n.Ratio}, {X: across, Y: across * *n.Ratio}}, chart.Fitted())
				}
				for _, m := range found {
					v.Dot(chart.Sample{Point: m.Point, Lo: math.NaN(), Hi: math.NaN()}, chart.Found())
				}
			})
		},
	}
}

// ofScale reports whether the scale is another one than declared.
func ofScale(n *schemas.NoiseFit) bool {
	return n.Ratio != nil && (n.RatioHi != nil && *n.RatioHi < 1 || n.RatioLo != nil && *n.RatioLo > 1)
}

// noiseTitle says what the noise is.
func noiseTitle(n *schemas.NoiseFit) string {
	switch {
	case n.Rejected && ofScale(n):
		return "The noise has " + page.Short(*n.Ratio) + " times the declared scale"
	case n.Rejected:
		return "The noise is not of the declared form"
	}
	return "The noise is as declared, as far as " + schemas.Plural(n.Quantiles.N, "draw tells", "draws tell")
}

func noiseKeys(n *schemas.NoiseFit, found []chart.Sample) []chart.Key {
	keys := []chart.Key{{Text: "declared law", Stroke: chart.Declared()}}
	if !math.IsNaN(found[0].Lo) {
		keys = append(keys, chart.Key{Text: "where an honest log lies", Stroke: chart.Value(), Band: true})
	}
	if n.Ratio != nil {
		keys = append(keys, chart.Key{Text: "fitted scale, " + page.Short(*n.Ratio) + " times", Stroke: chart.Fitted()})
	}
	return append(keys, chart.Key{Text: "found", Stroke: chart.Found()})
}

func noiseCaption(n *schemas.NoiseFit, found []chart.Sample) string {
	s := fmt.Sprintf("Noise in released values, in ascending order: each of the %d dots is the mean of at least 20 neighbouring draws against what the declared law gives for their ranks; n = %s. Draws are on the scale on which the declared law is a Laplace law of scale 1: a single draw over its declared scale, a sum of several by its probability.",
		len(found), schemas.Counted(n.Quantiles.N, "draw"))
	if math.IsNaN(found[0].Lo) {
		return s + " There is no band, since what was released may have decided when the log ends."
	}
	return s + fmt.Sprintf(" All dots of an honest log lie within the band but with probability %s.", page.Short(n.Level))
}

// noiseNumbers are some of the groups.
func noiseNumbers(found []chart.Sample) page.Table {
	t := page.Table{Caption: "Noise against the declared law, in declared scales", Pointer: "replay/released/noise/quantiles", RowHead: true, Columns: []page.Column{{Title: "By the declared law"}, page.Numeric("Found"), page.Numeric("Where an honest log lies")}}
	bound := func(v float64) string {
		if math.Abs(v) >= schemas.NoiseUnbounded {
			return "no bound"
		}
		return page.Short(v)
	}
	for _, i := range append([]int{0}, places(len(found))...) {
		m, band := found[i], page.Dash
		if !math.IsNaN(m.Lo) {
			band = bound(m.Lo) + " to " + bound(m.Hi)
		}
		t.Rows.Add("", page.Number(page.Sig(m.X), ""), page.Number(page.Sig(m.Y), ""), page.Number(band, ""))
	}
	return t
}
