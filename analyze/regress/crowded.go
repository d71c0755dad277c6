package regress

import "banditaudit/analyze/hypothesis"

// crowded is a joint test judged by how many coefficients it asks about. The
// classical covariance is exact for normal errors at every number.
func (t *Table) crowded(r hypothesis.Result) hypothesis.Result {
	if t.Kind == Classical {
		return r
	}
	return hypothesis.Crowded(r, t.Clusters > 0)
}
