package regress

import "fmt"

// Kind names a covariance estimator of the coefficients.
type Kind string

// The covariance estimators; e is the residual and h the leverage of a row, k
// the rank.
const (
	Classical Kind = "classical" // σ̂²·(X'X)⁻¹, σ̂² = Σe²/(n−k)
	HC0       Kind = "HC0"       // (X'X)⁻¹·X' diag(e²) X·(X'X)⁻¹
	HC1       Kind = "HC1"       // HC0·n/(n−k)
	HC2       Kind = "HC2"       // e²/(1−h) in place of e²
	HC3       Kind = "HC3"       // e²/(1−h)² in place of e²
	CR0       Kind = "CR0"       // by cluster; see Clustered
	CR1       Kind = "CR1"       // CR0·G/(G−1)·(n−1)/(n−k), G clusters
)

// ParseKind reads the name of a covariance estimator. It returns an error that
// lists the names for anything else.
func ParseKind(s string) (Kind, error) {
	switch k := Kind(s); k {
	case Classical, HC0, HC1, HC2, HC3, CR0, CR1:
		return k, nil
	}
	return "", fmt.Errorf("regress: covariance %q is unknown; write classical, HC0, HC1, HC2, HC3, or CR0 or CR1 with a cluster", s)
}
