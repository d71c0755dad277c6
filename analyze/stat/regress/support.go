package regress

import (
	"math"

	"banditaudit/analyze/stat/dense"
	"banditaudit/replay/policy/bitexact"
)

const (
	// examined is the leverage above which a row, or a cluster, is looked at. At
	// most 60·Rank have more. A coefficient that rests on fewer than 30 rows has
	// one of leverage above 1/30.
	examined = 1.0 / 60
	// stillShare is the share of a coefficient that rows without a residual may
	// carry before its error, which counts them as known, is far too small.
	stillShare = .25
	// residualZero is how small a residual is, relative to the residual of the fit, if it is
	// rounding error.
	residualZero = 1e-8
	// aloneRank is the rank up to which clusters are looked at for what they
	// alone determine; it takes the cube of the rank each.
	aloneRank = 256
)

// support finds what each coefficient rests on. Row t has the weight w_jt in
// coefficient j, and the share
//
//	p_jt = w_jt²/Σ_s w_js² ≤ h_t
//
// of it, its partial leverage (Belsley, Kuh & Welsch 1980, doi
// 10.1002/0471725153), so the coefficient rests on 1/Σ_t p_jt² rows. Of
// clusters the shares are the sums over their rows.
type support struct {
	model   *Model
	zero    float64     // residuals up to it are rounding error; negative where none is looked at
	lengths []float64   // √Σ_t w_jt² by coefficient
	squares []float64   // Σ p², over what is of leverage above examined
	full    int64       // rows of leverage 1
	spoilt  []bool      // coefficients that such a row touches
	alone   []bool      // coefficients that one cluster alone determines
	still   [][]float64 // by frame: Σ u·u' of rows without a residual, lower triangle; nil without
	stuck   []float64   // share of clusters whose rows' residuals cancel
}

func newSupport(m *Model) *support {
	s := &support{model: m, zero: -1, still: make([][]float64, len(m.frames))}
	s.lengths, s.squares, s.stuck = make([]float64, m.Rank), make([]float64, m.Rank), make([]float64, m.Rank)
	s.spoilt, s.alone = make([]bool, m.Rank), make([]bool, m.Rank)
	for j := range s.lengths {
		s.lengths[j] = length(m.basis[j*m.Rank:][:m.Rank])
	}
	if !m.exact && m.DFResidual > 0 {
		s.zero = float64(residualZero*math.Sqrt(m.Sigma2)) + float64(64*epsilon*math.Abs(m.design.yShift))
	}
	return s
}

// merge joins what other rows tell; o stays as it is.
func (s *support) merge(o *support) {
	s.full += o.full
	add(s.squares, o.squares)
	add(s.stuck, o.stuck)
	for j := range s.spoilt {
		s.spoilt[j] = s.spoilt[j] || o.spoilt[j]
		s.alone[j] = s.alone[j] || o.alone[j]
	}
	for i, v := range o.still {
		if v != nil {
			s.still[i] = joined(s.still[i], v)
		}
	}
}

// joined is dst + v, where a nil dst is 0.
func joined(dst, v []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(v))
	}
	add(dst, v)
	return dst
}

// clone is a support of its own.
func (s *support) clone() *support {
	out := newSupport(s.model)
	out.merge(s)
	return out
}

// rows looks at the rows of a located tile that have a leverage; shares says
// whether a row is a block of its own.
func (s *support) rows(w *workspace, frame, n int, shares bool) {
	f, r := s.model.frames[frame], s.model.Rank
	size := f.size()
	for i, h := range w.h[:n] {
		full := 1-h <= fullLeverage
		if !full && (h <= examined || !shares) {
			continue
		}
		if full {
			s.full++
		}
		for j := range r {
			weight := 0.0
			for q, b := range f.basis[j*size:][:size] {
				weight += float64(b * w.v[q*w.stride+i])
			}
			part := weight / s.lengths[j]
			if shares {
				s.squares[j] += bitexact.Pow(part, 4)
			}
			if full && math.Abs(part) > touched {
				s.spoilt[j] = true
			}
		}
	}
}

// residuals notes the rows of a located tile whose residual is rounding error.
func (s *support) residuals(w *workspace, frame, n int) {
	e, size := w.e[:n], s.model.frames[frame].size()
	for i := within(e, 0, s.zero); i < n; i = within(e, i+1, s.zero) {
		s.still[frame] = w.gram(s.still[frame], size, i, i+1)
	}
}

// within is the first index from i on of a number of size at most most, len(e)
// without.
func within(e []float64, i int, most float64) int {
	for ; i+4 <= len(e); i += 4 {
		q := e[i:][:4]
		if math.Abs(q[0]) <= most || math.Abs(q[1]) <= most || math.Abs(q[2]) <= most || math.Abs(q[3]) <= most {
			break
		}
	}
	for ; i < len(e); i++ {
		if math.Abs(e[i]) <= most {
			break
		}
	}
	return i
}

// gram adds Σ u·u' of the rows from…to−1 of the tile to a lower triangle, which
// it makes if there is none.
func (w *workspace) gram(dst []float64, size, from, to int) []float64 {
	if dst == nil {
		dst = make([]float64, size*(size+1)/2)
	}
	k := 0
	for i := range size {
		a := w.v[i*w.stride:][from:to]
		for j := range i + 1 {
			b, sum := w.v[j*w.stride:][from:to], 0.0
			for q, v := range a {
				sum += float64(v * b[q])
			}
			dst[k] += sum
			k++
		}
	}
	return dst
}

// shares adds to dst the share of each coefficient that rows with the given
// gram, by frame, carry.
func (s *support) shares(dst []float64, gram [][]float64) {
	for i, lower := range gram {
		if lower == nil {
			continue
		}
		f := s.model.frames[i]
		size := f.size()
		for j := range dst {
			b := f.basis[j*size:][:size]
			sum, k := 0.0, 0
			for p, u := range b {
				for q, v := range b[:p+1] {
					term := float64(u * v * lower[k])
					if q < p {
						term *= 2
					}
					sum += term
					k++
				}
			}
			dst[j] += sum / float64(s.lengths[j]*s.lengths[j])
		}
	}
}

// cluster looks at a whole cluster.
func (s *support) cluster(g *score) {
	if g.leverage <= examined {
		return
	}
	m := s.model
	shares := make([]float64, m.Rank)
	s.shares(shares, g.gram)
	for j, p := range shares {
		s.squares[j] += float64(p * p)
		sum := 0.0
		for q, b := range m.basis[j*m.Rank:][:m.Rank] {
			sum += float64(b * g.sum[q])
		}
		if math.Abs(sum) <= float64(s.zero*s.lengths[j]*math.Sqrt(p)) {
			s.stuck[j] += p
		}
	}
	if g.leverage > 1-touched && m.Rank <= aloneRank {
		s.determined(g)
	}
}

// determined marks the coefficients that a cluster alone determines: those that
// an eigenvector of the cluster's Σ v·v' of eigenvalue 1 touches, for there the
// sum over all rows, 1, leaves the other clusters nothing.
func (s *support) determined(g *score) {
	m := s.model
	whole := make([]float64, m.Rank*m.Rank)
	for i, lower := range g.gram {
		if lower == nil {
			continue
		}
		f := m.frames[i]
		addProduct(whole, f.across(m.Rank), square(lower, f.size(), 1), f.size())
	}
	along := make([]float64, len(m.basis)) // column j: the weights of coefficient j along the eigenvectors
	for j := range m.Rank {
		for q, b := range m.basis[j*m.Rank:][:m.Rank] {
			along[q*m.Rank+j] = b
		}
	}
	values, ok := dense.Eigen(whole, along, m.Rank)
	if !ok {
		return
	}
	for c, value := range values {
		if value < 1-touched {
			continue
		}
		for j, part := range along[c*m.Rank:][:m.Rank] {
			if math.Abs(part) > math.Sqrt(touched)*s.lengths[j] {
				s.alone[j] = true
			}
		}
	}
}

// across returns the map from the coordinates of the frame to the coordinates of the whole
// design, rank×size.
func (f *frame) across(rank int) []float64 {
	size := f.size()
	out := make([]float64, rank*size)
	for q := range rank {
		for k := range size {
			switch {
			case f.directions != nil:
				out[q*size+k] = f.directions[k][q]
			case k == q:
				out[q*size+k] = 1
			}
		}
	}
	return out
}
