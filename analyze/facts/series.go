package facts

import (
	"math"

	"banditaudit/schemas"
)

// maxPoints bounds the points of a series.
const maxPoints = 64

// bins cuts rounds 1…T into at most maxPoints intervals of equal length, the
// last one shorter.
type bins struct {
	width int64
	count int
}

func newBins(rounds int64) bins {
	if rounds == 0 {
		return bins{width: 1}
	}
	width := (rounds + maxPoints - 1) / maxPoints
	return bins{width: width, count: int((rounds + width - 1) / width)}
}

func (b bins) of(row int64) int { return int(row / b.width) }

// end is the last round of bin i.
func (b bins) end(i int, rounds int64) int64 { return min(int64(i+1)*b.width, rounds) }

// AllocationSeries is, per arm, the share of the rounds of each bin in which it was
// played.
func (f *Facts) AllocationSeries() []schemas.Series {
	var out []schemas.Series
	for arm, label := range f.Manifest.Arms {
		s := schemas.Series{
			ID: "allocation/" + label, Title: "share of rounds in which " + label + " was played", Unit: "share of rounds", N: f.Pub.Rounds,
			X: make([]float64, f.Pub.bins.count), Y: make([]float64, f.Pub.bins.count), Lo: []float64{}, Hi: []float64{},
		}
		for i := range s.X {
			end := f.Pub.bins.end(i, f.Pub.Rounds)
			s.X[i] = float64(end)
			s.Y[i] = float64(f.Pub.played[arm*f.Pub.bins.count+i]) / float64(end-int64(i)*f.Pub.bins.width)
		}
		out = append(out, s)
	}
	return out
}

// Clip intersects an interval with the reward range, in which the mean lies.
func (in *Log) Clip(lo, hi float64) *schemas.Interval {
	r := in.Protocol.Reward.Range
	return schemas.NewInterval(math.Max(lo, r[0]), math.Min(hi, r[1]))
}
