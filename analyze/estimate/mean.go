package estimate

import "math"

// Mean is a weighted mean of scores g with weights h ≥ 0, and how far it varies,
//
//	Q = Σh·g/Σh,  V = Σh²·(g − Q)²/(Σh)²,  ESS = (Σh)²/Σh²
//
// in one pass, without sums of squares that cancel. The zero value is empty and ready
// for use. Rows with h = 0 count as rows and change nothing else.
type Mean struct {
	N       int64
	weight  float64 // Σh
	squared float64 // Σh²
	mean    float64 // Σhg/Σh
	around  float64 // Σh²g/Σh²
	spread  float64 // Σh²(g − around)²
}

// Add joins a score.
func (m *Mean) Add(h, g float64) {
	m.N++
	if h == 0 {
		return
	}
	square := float64(h * h)
	m.weight += h
	m.squared += square
	m.mean += float64((g - m.mean) * h / m.weight)
	d := g - m.around
	m.around += float64(d * square / m.squared)
	m.spread += float64(float64(square*d) * (g - m.around))
}

// Merge joins another accumulator; o stays as it is.
func (m *Mean) Merge(o *Mean) {
	m.N += o.N
	if o.weight == 0 {
		return
	}
	if m.weight == 0 {
		n := m.N
		*m = *o
		m.N = n
		return
	}
	d, squared := o.around-m.around, m.squared+o.squared
	m.spread += o.spread + float64(float64(d*d)*(m.squared*(o.squared/squared)))
	m.around += float64(d * (o.squared / squared))
	m.squared = squared
	m.mean += float64((o.mean - m.mean) * (o.weight / (m.weight + o.weight)))
	m.weight += o.weight
}

// Value is Q; NaN where no row has weight.
func (m *Mean) Value() float64 {
	if m.weight == 0 {
		return math.NaN()
	}
	return m.mean
}

// StdErr is √V; NaN where no row has weight.
func (m *Mean) StdErr() float64 {
	if m.weight == 0 {
		return math.NaN()
	}
	return math.Sqrt(m.about(m.mean)) / m.weight
}

// about is Σh²(g − q)².
func (m *Mean) about(q float64) float64 {
	d := m.around - q
	return max(0, m.spread+float64(float64(d*d)*m.squared))
}

// ESS is how many rows of equal weight say as much; NaN where no row has weight.
func (m *Mean) ESS() float64 {
	if m.weight == 0 {
		return math.NaN()
	}
	return m.weight / m.squared * m.weight
}
