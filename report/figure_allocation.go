package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditaudit/report/chart"
	"banditaudit/schemas"
)

const (
	allocationPrefix = "allocation/"
	allocationHeight = 230 // of its axes, in points
)

// curve is one arm's share of the rounds over time.
type curve struct {
	label  string
	points []chart.Point
	pulls  int64
	stroke chart.Stroke
	named  bool
}

// allocationFigure draws the share of rounds that each arm got, over time.
func allocationFigure(x *schemas.Experiment) *drawing {
	curves := allocationCurves(x)
	if len(curves) == 0 {
		return nil
	}
	title := "Allocation over time"
	return &drawing{
		kind: figureAllocation, name: "allocation", title: title, caption: allocationCaption(x, curves),
		draw: func(description string) ([]byte, error) { return drawAllocation(title, curves, description) },
	}
}

// allocationCurves reads the series and gives the most-pulled arms a style of
// their own; the others are thin and grey.
func allocationCurves(x *schemas.Experiment) []curve {
	var out []curve
	for i := range x.Series {
		s := &x.Series[i]
		name, ok := strings.CutPrefix(s.ID, allocationPrefix)
		n := min(len(s.X), len(s.Y))
		if !ok || n == 0 {
			continue
		}
		c := curve{label: cut(label(name), maxFigure), stroke: chart.Other()}
		for j := range n {
			if pt := (chart.Point{X: s.X[j], Y: s.Y[j]}); pt.Finite() {
				c.points = append(c.points, pt)
			}
		}
		if len(c.points) == 0 {
			continue
		}
		if a := slices.IndexFunc(x.Arms, func(a schemas.Arm) bool { return a.Label == name }); a >= 0 {
			c.pulls = x.Arms[a].Pulls
		}
		out = append(out, c)
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(out[j].pulls, out[i].pulls) })
	for rank, s := range chart.Lines() {
		if rank < len(order) {
			out[order[rank]].stroke, out[order[rank]].named = s, true
		}
	}
	return out
}

func allocationCaption(x *schemas.Experiment, curves []curve) string {
	s := fmt.Sprintf("Share of the rounds in each of %s in which an arm was played, as a step over the bin; n = %s, counted from the log.",
		plural(len(curves[0].points), "bin", "bins"), plural(x.Rounds, "round", "rounds"))
	if others := len(curves) - len(chart.Lines()); others > 0 {
		s += fmt.Sprintf(" The %d most-pulled arms have a line style of their own; the other %d are thin and grey.", len(chart.Lines()), others)
	}
	return s
}

// drawAllocation draws each share as a step over its bin, the named arms on top.
func drawAllocation(title string, curves []curve, description string) ([]byte, error) {
	a := &chart.Axes{Title: title, X: "round", Y: "share of rounds", Keys: allocationKeys(curves), Height: allocationHeight, Max: chart.Point{X: 1, Y: 0.01}, Number: short}
	for _, c := range curves {
		for _, p := range c.points {
			a.Max = chart.Point{X: max(a.Max.X, p.X), Y: max(a.Max.Y, p.Y)}
		}
	}
	a.Max.Y = min(a.Max.Y*1.05, 1.02)
	return a.Draw(description, func(v *chart.Canvas) {
		for _, named := range []bool{false, true} {
			for i, c := range curves {
				if c.named == named {
					v.Steps(c.points, c.stroke, i)
				}
			}
		}
	})
}

func allocationKeys(curves []curve) []chart.Key {
	var keys []chart.Key
	others := 0
	for _, c := range curves {
		if c.named {
			keys = append(keys, chart.Key{Text: c.label, Stroke: c.stroke})
		} else {
			others++
		}
	}
	if others > 0 {
		keys = append(keys, chart.Key{Text: plural(others, "other arm", "other arms"), Stroke: chart.Other()})
	}
	return keys
}
