package regress

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/hypothesis"
)

// Clustered is the second pass of one model for errors that hold when rows of
// different clusters are independent and rows of one cluster are not. With
// residual e and the rows v in an orthonormal basis of the kept design it
// accumulates
//
//	meat = Σ_g s_g·s_g',  s_g = Σ_{t in cluster g} e_t·v_t
//
// (Liang & Zeger 1986, doi 10.1093/biomet/73.1.13). It must see the rows that
// the fit saw, cluster by cluster, the numbers of the clusters never falling. A
// cluster may go on in the next block or the next part, so rows may be cut
// into chunks anywhere; chunks with a Clustered each, merged in order, give the
// same bytes for every number of workers.
type Clustered struct {
	model    *Model
	kind     Kind
	n        int64
	clusters int64
	meat     []float64 // of the clusters between head and open; lower triangle
	head     score     // the first cluster, once a later one has begun
	open     score     // the last cluster
	leverage float64   // the largest
	trace    trace
	squares  float64 // Σ n_g² over the rows n_g of the clusters between head and open
	support  *support
	portions []portion // of the clusters among the rows of the tile
}

// score is s_g of a cluster; sum is nil where there is none.
type score struct {
	cluster int64
	sum     []float64
	portion
}

// portion is what a cluster's rows carry of a design: the sum of their
// leverages, and Σ u·u' of their coordinates by frame. Rows of a frame that are
// in the inner of a tile and have next to no leverage may be left out of that.
type portion struct {
	rows     int64
	leverage float64
	gram     [][]float64
}

// join adds the portion of other rows; o stays as it is.
func (p *portion) join(o *portion) {
	p.rows += o.rows
	p.leverage += o.leverage
	if p.gram == nil {
		p.gram = make([][]float64, len(o.gram))
	}
	for i, v := range o.gram {
		if v != nil {
			p.gram[i] = joined(p.gram[i], v)
		}
	}
}

// NewClustered returns an empty second pass over the rows of m for CR0 or CR1.
// It returns an error for any other kind.
func NewClustered(m *Model, kind Kind) (*Clustered, error) {
	if kind != CR0 && kind != CR1 {
		return nil, fmt.Errorf("regress: covariance %q is not made by cluster; write CR0 or CR1", kind)
	}
	return &Clustered{model: m, kind: kind, meat: make([]float64, m.Rank*(m.Rank+1)/2), support: newSupport(m)}, nil
}

// Merge joins the second pass over the rows that follow the rows of s; o stays as it is. It
// panics for another model or kind. It returns an error if the clusters of o do not follow
// the clusters of s; s then is as it was before.
func (s *Clustered) Merge(o *Clustered) error {
	if s.model != o.model || s.kind != o.kind {
		panic(badMerge)
	}
	if o.open.sum == nil {
		return nil
	}
	first := o.head
	if first.sum == nil {
		first = o.open
	}
	if err := s.follows(first.cluster); err != nil {
		return err
	}
	s.n += o.n
	s.clusters += o.clusters
	s.leverage = max(s.leverage, o.leverage)
	s.trace += o.trace
	s.squares += o.squares
	s.support.merge(o.support)
	s.next(first)
	if o.head.sum != nil {
		add(s.meat, o.meat) // the clusters between, which are in no order here
		s.next(o.open)
	}
	return nil
}

// follows refuses a cluster that is before the one that is open.
func (s *Clustered) follows(cluster int64) error {
	if s.open.sum != nil && cluster < s.open.cluster {
		return disorderError(cluster, s.open.cluster)
	}
	return nil
}

func disorderError(cluster, before int64) error {
	return fmt.Errorf("regress: a row of cluster %d comes after one of cluster %d; give the rows cluster by cluster, in the order of the clusters' numbers", cluster, before)
}

// next joins a score to the open cluster, or closes that one and opens another.
func (s *Clustered) next(part score) {
	switch {
	case s.open.sum == nil:
	case s.open.cluster == part.cluster:
		add(s.open.sum, part.sum)
		s.open.join(&part.portion)
		s.clusters-- // it was counted on both sides
		return
	default:
		s.end()
	}
	s.open = score{cluster: part.cluster, sum: append([]float64{}, part.sum...)}
	s.open.join(&part.portion)
}

// end closes the open cluster. The first one is kept apart, because it may be
// the end of a cluster that another part began.
func (s *Clustered) end() {
	if s.head.sum == nil {
		s.head = s.open
		return
	}
	outer(s.meat, s.open.sum)
	s.squares += s.open.square()
	s.support.cluster(&s.open)
}

// square is n_g².
func (p *portion) square() float64 { return float64(float64(p.rows) * float64(p.rows)) }

// outer adds v·v' to a lower triangle.
func outer(meat, v []float64) {
	k := 0
	for i, a := range v {
		for _, b := range v[:i+1] {
			meat[k] += float64(a * b)
			k++
		}
	}
}

// Table returns the coefficients with errors by cluster, G clusters, n rows and
// rank k,
//
//	CR0: Cov = (X'X)⁻¹·(Σ_g X_g'e_g·e_g'X_g)·(X'X)⁻¹
//	CR1: CR0·G/(G−1)·(n−1)/(n−k)
//
// tested with Student's t law on G−1 degrees of freedom. CR1 is vcovCL of R's
// sandwich with type "HC1" and the cov_type "cluster" of statsmodels with
// use_t; CR0 is vcovCL with type "HC0" and cadjust = FALSE, and "cluster" with
// use_correction = False. Both are for many clusters, none of which carries much
// of a coefficient. A coefficient with weights w_t rests on 1/Σ_g p_g² clusters,
// p_g = Σ_{t in g} w_t²/Σ w_t². Warnings of single coefficients stand beside
// them, too. Special cases are:
//
//	other rows than in the fit: standard errors are NaN, a warning
//	one cluster: standard errors are NaN, a warning
//	at most k clusters, or fewer than 50: a warning
//	a cluster alone determines a coefficient, or a row of leverage 1 touches it: its standard error is NaN, a warning
//	clusters whose residuals cancel, or rows without, carry a quarter of a coefficient: its standard error is NaN, a warning
//	a coefficient rests on fewer than 5 clusters of 30 or more, or than 2: its standard error is NaN, a warning
//	a coefficient rests on fewer than 30 clusters of 50 or more: a warning
//	a few clusters own most rows, see [hypothesis.FewEffective]: standard errors are NaN, a warning
//	DFResidual = 0: standard errors are NaN
//	a perfect fit: standard errors are 0
func (s *Clustered) Table() Table {
	t := s.formula()
	for i := range t.Coefficients {
		t.Coefficients[i].Warnings = append([]string{}, t.Warnings...)
	}
	if s.n == s.model.N && s.clusters > 1 {
		s.supported().apply(&t, "clusters")
		s.dominated(&t)
	}
	s.trace.check(s.n, s.model, &t)
	return t
}

// formula is the table of the formula, whatever the coefficients rest on.
func (s *Clustered) formula() Table {
	meat := append([]float64{}, s.meat...)
	for _, g := range []score{s.head, s.open} {
		outer(meat, g.sum)
	}
	r := s.model.Rank
	cov := make([]float64, r*r)
	addProduct(cov, s.model.basis, square(meat, r, s.factor()), r)
	t := s.model.table(s.kind, cov)
	t.MaxLeverage, t.Clusters = s.leverage, s.clusters
	if s.n != s.model.N {
		t.MaxLeverage = math.NaN()
	}
	for i := range t.Coefficients {
		t.Coefficients[i].DF = float64(s.clusters - 1)
	}
	t.Warnings = s.warnings()
	return t
}

// supported is the support with the clusters that are still open.
func (s *Clustered) supported() *support {
	out := s.support.clone()
	for _, g := range []score{s.head, s.open} {
		if g.sum != nil {
			out.cluster(&g)
		}
	}
	return out
}

func (s *Clustered) factor() float64 {
	g, n := float64(s.clusters), float64(s.n)
	switch {
	case s.n != s.model.N || s.model.DFResidual == 0 || s.clusters < 2:
		return math.NaN()
	case s.model.exact:
		return 0
	case s.kind == CR1:
		return g / (g - 1) * ((n - 1) / float64(s.model.DFResidual))
	}
	return 1
}

func (s *Clustered) warnings() (out []string) {
	if s.n != s.model.N {
		out = append(out, fmt.Sprintf("%s: the second pass saw %d rows, the fit %d; both must see the same rows", s.kind, s.n, s.model.N))
	}
	switch {
	case s.n == 0:
	case s.clusters == 1:
		out = append(out, fmt.Sprintf("%s: all rows are in one cluster, so there are no standard errors; at least two clusters are needed", s.kind))
	case s.clusters <= int64(s.model.Rank):
		out = append(out, fmt.Sprintf("%s: %d clusters and rank %d: the covariance has at most rank %d, and the standard errors are too small; more clusters or fewer columns are needed",
			s.kind, s.clusters, s.model.Rank, s.clusters))
	case s.clusters < hypothesis.FewClusters:
		out = append(out, fmt.Sprintf("%s: %d clusters; errors by cluster are for many, and below %d the p-values tend to be too small", s.kind, s.clusters, hypothesis.FewClusters))
	}
	return out
}
