package publiclog

import (
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// updates are the first rows of batches, in at most maxPoints groups of neighbouring
// batches of which only the first counts; −1: not seen yet.
type updates struct {
	bins  bins // of the batches
	first []int64
}

func newUpdates(batches int) *updates {
	u := &updates{bins: newBins(int64(batches))}
	u.first = make([]int64, u.bins.count)
	for i := range u.first {
		u.first[i] = -1
	}
	return u
}

// add takes up the batches of a chunk.
func (u *updates) add(c *tableau.Chunk) {
	before := int32(-1)
	for t, batch := range c.Batch {
		if batch == before {
			continue
		}
		before = batch
		if bin := u.bins.of(int64(batch)); int64(batch) == int64(bin)*u.bins.width && u.first[bin] < 0 {
			u.first[bin] = c.Start + int64(t)
		}
	}
}

// Merge joins the rows that follow.
func (u *updates) Merge(o *updates) {
	for i, row := range o.first {
		if u.first[i] < 0 {
			u.first[i] = row
		}
	}
}

// UpdateSeries is where batches begin, or where a policy learns that does after a number
// of rounds; none where neither is declared.
func (f *Facts) UpdateSeries() []schemas.Series {
	s := schemas.Series{ID: schemas.SeriesUpdates, Title: "first rounds of batches", Unit: "number of the batch", X: []float64{}, Y: []float64{}, Lo: []float64{}, Hi: []float64{}}
	if u := f.Pub.updates; u != nil {
		s.N = int64(f.Slice.BatchCount())
		for i, row := range u.first {
			if i > 0 && row >= 0 {
				s.X, s.Y = append(s.X, float64(row+1)), append(s.Y, float64(int64(i)*u.bins.width+1))
			}
		}
		return []schemas.Series{s}
	}
	p := f.Protocol.Policy
	if p == nil || p.Update == nil || p.Update.Every < 2 {
		return nil
	}
	every := p.Update.Every
	s.Title, s.Unit, s.N = "first rounds of the intervals after which the policy learns", "number of the interval", (f.Pub.Rounds+every-1)/every
	b := newBins(s.N)
	for i := 1; i < b.count; i++ {
		s.X, s.Y = append(s.X, float64(int64(i)*b.width*every+1)), append(s.Y, float64(int64(i)*b.width+1))
	}
	return []schemas.Series{s}
}

// weights are the inverse propensities of the logged actions, by bin of rounds.
type weights struct {
	bins                  bins
	sum, squares, largest []float64
}

func newWeights(b bins) *weights {
	return &weights{b, make([]float64, b.count), make([]float64, b.count), make([]float64, b.count)}
}

// add takes up the propensities of a chunk; an action of propensity 0 has no weight.
func (w *weights) add(c *tableau.Chunk) {
	w.bins.parts(c.Start, len(c.Propensity), func(bin, from, to int) {
		sum, squares, largest := 0.0, 0.0, 0.0
		for _, p := range c.Propensity[from:to] {
			if p == 0 {
				continue
			}
			v := 1 / p
			sum, squares, largest = sum+v, squares+float64(v*v), max(largest, v)
		}
		w.sum[bin] += sum
		w.squares[bin] += squares
		w.largest[bin] = max(w.largest[bin], largest)
	})
}

// Merge joins the rows that follow.
func (w *weights) Merge(o *weights) {
	for i := range w.sum {
		w.sum[i] += o.sum[i]
		w.squares[i] += o.squares[i]
		w.largest[i] = max(w.largest[i], o.largest[i])
	}
}

// WeightSeries are the effective sample size and the heaviest round of the rounds so far,
// as shares; none where no propensity is logged.
func (f *Facts) WeightSeries() []schemas.Series {
	w := f.Pub.weights
	if w == nil {
		return nil
	}
	n := f.Pub.Rounds
	effective := schemas.Series{ID: schemas.SeriesEffective, Title: "effective sample size of the rounds so far", Unit: "share of these rounds", N: n, X: []float64{}, Y: []float64{}, Lo: []float64{}, Hi: []float64{}}
	heaviest := schemas.Series{ID: schemas.SeriesHeaviest, Title: "largest weight of the rounds so far", Unit: "share of the sum of their weights", N: n, X: []float64{}, Y: []float64{}, Lo: []float64{}, Hi: []float64{}}
	sum, squares, largest := 0.0, 0.0, 0.0
	for i := range w.sum {
		sum, squares, largest = sum+w.sum[i], squares+w.squares[i], max(largest, w.largest[i])
		if sum == 0 {
			continue
		}
		end := float64(w.bins.end(i, n))
		effective.X, effective.Y = append(effective.X, end), append(effective.Y, sum/squares*sum/end)
		heaviest.X, heaviest.Y = append(heaviest.X, end), append(heaviest.Y, largest/sum)
	}
	return []schemas.Series{effective, heaviest}
}
