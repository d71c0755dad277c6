package figure

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/report/chart"
	"banditaudit/schemas"
)

// TestArmMarks: an arm has the intervals that are valid, and else its mean alone; one far
// wider than the others does not set the axis.
func TestArmMarks(t *testing.T) {
	a := schemas.Arm{Mean: new(0.5), CI: schemas.NewInterval(0.4, 0.6), BiasBound: new(0.125), CICorrected: schemas.NewInterval(0.3, 0.7), ConfidenceSequence: schemas.NewInterval(0.2, 0.8)}
	lanes := func(ms []chart.Mark) [][]float64 {
		var out [][]float64
		for _, m := range ms {
			out = append(out, []float64{float64(m.Lane), m.Lo, m.Hi})
		}
		return out
	}
	if diff := cmp.Diff([][]float64{{0, 0.3, 0.7}, {1, 0.2, 0.8}}, lanes(armMarks(&a, 0, true))); diff != "" {
		t.Errorf("corrected: (-want +got)\n%s", diff)
	}
	a.CICorrected = nil
	if diff := cmp.Diff([][]float64{{0, 0.2, 0.8}}, lanes(armMarks(&a, 0, false))); diff != "" {
		t.Errorf("not corrected: (-want +got)\n%s", diff)
	}
	a.ConfidenceSequence = nil
	if got := armMarks(&a, 0, false); len(got) != 1 || got[0].At != 0.5 || !math.IsNaN(got[0].Lo) {
		t.Errorf("an arm without a valid interval: %v", got)
	}
	marks := []chart.Mark{{Lo: .1, Hi: .2}, {Lo: .1, Hi: .25}, {Lo: 0, Hi: 1}}
	if markWide(marks); marks[0].Wide || marks[1].Wide || !marks[2].Wide {
		t.Errorf("wide: %v", marks)
	}
}

func TestTestedMeans(t *testing.T) {
	x := &schemas.Experiment{}
	x.Tests = append(x.Tests, schemas.Test{Kind: schemas.TestMean, Estimate: new(.6), Value: 0.5}, schemas.Test{Kind: schemas.TestMean, Estimate: new(.7), Value: 0.5}, schemas.Test{Arm: 0, Estimate: new(0.77), Value: 0.1}, schemas.Test{Arm: 99, Estimate: new(0.5)}, schemas.Test{Arm: 1})
	if diff := cmp.Diff([]float64{0.5}, testedMeans(x)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestUpdateMarks: of many updates every so manieth is marked, and the legend says so.
func TestUpdateMarks(t *testing.T) {
	x := &schemas.Experiment{Series: []schemas.Series{{ID: schemas.SeriesUpdates, Unit: "number of the batch", N: 641}}}
	for i := range 64 {
		s := &x.Series[0]
		s.X, s.Y = append(s.X, float64(i+2)), append(s.Y, 1)
	}
	marks, key := updateMarks(x)
	if len(marks) != allocationMarks || key.Text != "a batch begins (32 of 640 are marked)" {
		t.Errorf("%d marks: %s", len(marks), key.Text)
	}
	if marks, key = updateMarks(&schemas.Experiment{}); marks != nil || key.Text != "" {
		t.Errorf("without updates: %v %s", marks, key.Text)
	}
}

// TestAllocationLayers: of 34 arms the eight that were played most have an area of their own;
// with the others together nothing is left out.
func TestAllocationLayers(t *testing.T) {
	x := &schemas.Experiment{}
	for i := range 34 {
		label := fmt.Sprint("arm", i)
		x.Arms = append(x.Arms, schemas.Arm{Label: label, Pulls: int64(100 + i)})
		x.Series = append(x.Series, schemas.Series{ID: schemas.SeriesAllocation + label, X: []float64{1700, 3961}, Y: []float64{1 / 34., float64(100+i) / 3961}})
	}
	ends, layers := allocationLayers(x)
	if len(layers) != allocationNamed+1 || layers[allocationNamed].label != "26 other arms" {
		t.Fatalf("%d layers, the last %q", len(layers), layers[len(layers)-1].label)
	}
	for j := range ends {
		sum, want := 0.0, 0.0
		for i := range layers {
			sum += layers[i].shares[j]
		}
		for i := range x.Series {
			want += x.Series[i].Y[j]
		}
		if math.Abs(sum-want) > 1e-9 {
			t.Errorf("up to round %g the shares add up to %g, not %g", ends[j], sum, want)
		}
	}
	if got := others(layers[:allocationNamed+1]); len(got) != allocationNamed+1 {
		t.Errorf("nine arms have %d layers", len(got))
	}
}
