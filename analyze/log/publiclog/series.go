package publiclog

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

// Figured reports whether lines of figures are kept of the experiment.
func (in *Log) Figured() bool { return in.Early || in.Index < schemas.SeriesExperiments }

// span is the part of rows [start, start + n) that lies in one bin, from row from to row to
// of the part.
func (b bins) parts(start int64, n int, visit func(bin, from, to int)) {
	for from := 0; from < n; {
		bin := b.of(start + int64(from))
		to := min(n, int(int64(bin+1)*b.width-start))
		visit(bin, from, to)
		from = to
	}
}

// Bins visits the parts of n rows from start on that lie in one bin of rounds each, as places
// among the n; end is the last round of the bin where the part reaches it, else 0.
func (f *Facts) Bins(start int64, n int, visit func(from, to int, end int64)) {
	b := f.Pub.bins
	b.parts(start, n, func(bin, from, to int) {
		end := b.end(bin, f.Pub.Rounds)
		if start+int64(to) < end {
			end = 0
		}
		visit(from, to, end)
	})
}

// EachBin visits the bins of rounds: the last round of each, and how often every arm was
// played up to it, in a slice that is used again.
func (f *Facts) EachBin(visit func(end int64, pulls []int64)) {
	pulls, b := make([]int64, f.K()), f.Pub.bins
	for i := range b.count {
		for arm := range pulls {
			pulls[arm] += f.Pub.played[arm*b.count+i]
		}
		visit(b.end(i, f.Pub.Rounds), pulls)
	}
}

// AllocationSeries is, per arm, the share of the rounds of each bin in which it was
// played.
func (f *Facts) AllocationSeries() []schemas.Series {
	var out []schemas.Series
	for arm, label := range f.Manifest.Arms {
		s := schemas.Series{
			ID: schemas.SeriesAllocation + label, Title: "share of rounds in which " + label + " was played", Unit: "share of rounds", N: f.Pub.Rounds,
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
