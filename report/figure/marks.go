package figure

import (
	"math"
	"slices"
	"strings"

	"banditaudit/report/chart"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Marks and labels that several figures have.

const (
	// maxArmRows is how many arms are drawn, the best first.
	maxArmRows = 15
	// wideInterval is how many times the median interval one is whose ends do not set the
	// axis.
	wideInterval = 3
)

// armLabel names an arm, with what was decided of it.
func armLabel(x *schemas.Experiment, a *schemas.Arm) string {
	name := page.Cut(page.Label(a.Label), page.MaxFigure)
	if said := decisionsOf(x.Tests, a.Arm); said != "" {
		name += " · " + said
	}
	return name
}

// decisionsOf are what tests about an arm alone, or against another, decide; of more than
// two the number.
func decisionsOf(tests []schemas.Test, arm int) string {
	const most = 2
	var said []string
	for i := range tests {
		if t := &tests[i]; t.Arm == arm && (t.Kind == schemas.TestMean || t.Kind == schemas.TestDifference) {
			said = append(said, page.Cut(strings.TrimSuffix(page.Label(t.ID), "/"+page.Label(t.Label)), page.MaxFigure)+" "+t.Decision)
		}
	}
	if len(said) > most {
		return schemas.Counted(len(said), "test")
	}
	return strings.Join(said, ", ")
}

// loneMark is a mean without an interval.
func loneMark(mean float64, row int) chart.Mark {
	return chart.Mark{Row: row, At: mean, Lo: math.NaN(), Hi: math.NaN(), Stroke: chart.Raw().Marker()}
}

// markWide finds the intervals that are so wide that the axis is not made for them.
func markWide(marks []chart.Mark) {
	var widths []float64
	for i := range marks {
		if w := marks[i].Hi - marks[i].Lo; !math.IsNaN(w) {
			widths = append(widths, w)
		}
	}
	if len(widths) == 0 {
		return
	}
	slices.Sort(widths)
	most := wideInterval * widths[len(widths)/2]
	for i := range marks {
		marks[i].Wide = marks[i].Hi-marks[i].Lo > most
	}
}

// testedMeans returns the values that tests of arm means test, at most 5.
func testedMeans(x *schemas.Experiment) []float64 {
	const most = 5
	var out []float64
	for i := range x.Tests {
		t := &x.Tests[i]
		if t.Kind == schemas.TestMean && t.Estimate != nil && !slices.Contains(out, t.Value) && len(out) < most {
			out = append(out, t.Value)
		}
	}
	return out
}
