package ipw

import "math"

// Mean is a weighted mean of scores g with weights h ≥ 0, and how far it varies,
//
//	Q = Σh·g/Σh,  V = Σh²·(g − Q)²/(Σh)²,  ESS = (Σh)²/Σh²
//
// in one pass, without sums of squares that cancel: scores that are all alike have
// V = 0. The zero value is empty and ready for use. Scores with h = 0 are passed over.
type Mean struct {
	N       int64   // scores with weight
	weight  float64 // Σh
	squared float64 // Σh²
	mean    float64 // Σhg/Σh
	around  float64 // Σh²g/Σh²
	spread  float64 // Σh²(g − around)²
}

// Add joins a score.
func (m *Mean) Add(h, g float64) {
	if h == 0 {
		return
	}
	m.N++
	square := float64(h * h)
	m.weight += h
	m.squared += square
	d := g - m.around
	switch alike := m.mean == m.around; {
	case alike && d == 0 && m.squared <= math.MaxFloat64: // nothing moves
		return
	case alike && h == 1 && m.weight == m.squared: // and both move alike
		m.around += d / m.weight
		m.mean = m.around
	default:
		m.mean += float64((g - m.mean) * h / m.weight)
		m.around += float64(d * square / m.squared)
	}
	m.spread += float64(float64(square*d) * (g - m.around))
}

// meanOf is the mean of some scores g with weights h, of equal length.
func meanOf(h, g []float64) Mean {
	var n int64
	anchor, weight, squared, first, second := 0.0, 0.0, 0.0, 0.0, 0.0
	for t, v := range h {
		if v == 0 {
			continue
		}
		if n++; n == 1 {
			anchor = g[t]
		}
		hd := float64(v * (g[t] - anchor))
		weight += v
		squared += float64(v * v)
		first += hd
		second += float64(v * hd)
	}
	if n == 0 {
		return Mean{}
	}
	around, spread := anchor+second/squared, 0.0
	for t, v := range h {
		hd := float64(v * (g[t] - around))
		spread += float64(hd * hd)
	}
	return Mean{N: n, weight: weight, squared: squared, mean: anchor + first/weight, around: around, spread: spread}
}

// repeat joins a score n times, with weight 1.
func (m *Mean) repeat(n int64, g float64) {
	m.Merge(&Mean{N: n, weight: float64(n), squared: float64(n), mean: g, around: g})
}

// Merge joins another accumulator; o stays as it is.
func (m *Mean) Merge(o *Mean) {
	if o.weight == 0 {
		return
	}
	if m.weight == 0 {
		*m = *o
		return
	}
	m.N += o.N
	d, squared := o.around-m.around, m.squared+o.squared
	m.spread += o.spread + float64(float64(d*d)*(m.squared*(o.squared/squared)))
	m.around += float64(d * (o.squared / squared))
	m.squared = squared
	m.mean += float64((o.mean - m.mean) * (o.weight / (m.weight + o.weight)))
	m.weight += o.weight
}

// Value is Q; NaN where no score has weight.
func (m *Mean) Value() float64 {
	if m.weight == 0 {
		return math.NaN()
	}
	return m.mean
}

// StdErr is √V; NaN where no score has weight.
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

// ESS is how many scores of equal weight say as much; NaN where none has weight.
func (m *Mean) ESS() float64 {
	if m.weight == 0 {
		return math.NaN()
	}
	return m.weight / m.squared * m.weight
}
