package regress

import (
	"fmt"
	"math"
)

// fewClusters is the number of clusters below which a warning stands beside
// cluster errors.
const fewClusters = 30

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
}

// score is s_g of a cluster; sum is nil where there is none.
type score struct {
	cluster int64
	sum     []float64
}

// NewClustered returns an empty second pass over the rows of m for CR0 or CR1.
// It returns an error for any other kind.
func NewClustered(m *Model, kind Kind) (*Clustered, error) {
	if kind != CR0 && kind != CR1 {
		return nil, fmt.Errorf("regress: covariance %q is not made by cluster; write CR0 or CR1", kind)
	}
	return &Clustered{model: m, kind: kind, meat: make([]float64, m.Rank*(m.Rank+1)/2)}, nil
}

// Merge joins the second pass over the rows that follow those of s; o stays as
// it is. It panics for another model or kind. It returns an error if the
// clusters of o do not follow those of s; s then is as it was before.
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
		s.open.sum = make([]float64, s.model.Rank)
	case s.open.cluster == part.cluster:
		add(s.open.sum, part.sum)
		s.clusters-- // it was counted on both sides
		return
	default:
		s.end()
	}
	s.open.cluster = part.cluster
	copy(s.open.sum, part.sum)
}

// end closes the open cluster. The first one is kept apart, because it may be
// the end of a cluster that another part began.
func (s *Clustered) end() {
	if s.head.sum == nil {
		s.head = score{s.open.cluster, append([]float64{}, s.open.sum...)}
		return
	}
	outer(s.meat, s.open.sum)
}

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
// use_correction = False. Both are for many clusters: the estimates of a column
// that varies in one cluster only have an error that is too small. Special
// cases are:
//
//	rows other than those of the fit: standard errors are NaN, a warning
//	one cluster: standard errors are NaN, a warning
//	at most k clusters, or fewer than 30: a warning
//	DFResidual = 0: standard errors are NaN
//	a perfect fit: standard errors are 0
//
// A row of leverage 1 does no harm; it adds nothing.
func (s *Clustered) Table() Table {
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
	case s.clusters < fewClusters:
		out = append(out, fmt.Sprintf("%s: %d clusters; errors by cluster are for many, and below %d the p-values tend to be too small", s.kind, s.clusters, fewClusters))
	}
	return out
}
