package regress

import (
	"fmt"

	"banditaudit/analyze/stat/hypothesis"
)

// dominated judges whether a few clusters own most rows: errors by cluster rest
// on sums over many clusters, none of which does (Hansen & Lee 2019, doi
// 10.1016/j.jeconom.2019.02.001: max n_g²/N tends to 0). N²/Σ n_g² is the
// number of clusters of like size that are as many.
func (s *Clustered) dominated(t *Table) {
	n := float64(s.n)
	like := n / (s.squares + s.head.square() + s.open.square()) * n
	void := like < hypothesis.FewEffective && like < float64(s.clusters)/2
	if !void && (like >= hypothesis.FewClusters || s.clusters < hypothesis.FewClusters) {
		return
	}
	why := fmt.Sprintf("%s: of %d clusters a few own most rows, which are as many as about %.3g clusters of like size", s.kind, s.clusters, like)
	if void {
		why += ", and so there are no standard errors"
	} else {
		why += ", and the p-values lean on normal sums of clusters"
	}
	t.Warnings = append(t.Warnings, why)
	for j := range t.Coefficients {
		t.Coefficients[j].Warnings = append(t.Coefficients[j].Warnings, why)
		if void {
			t.void(j)
		}
	}
}

// crowded is a joint test judged by how many coefficients it asks about. The
// classical covariance is exact for normal errors at every number.
func (t *Table) crowded(r hypothesis.Result) hypothesis.Result {
	if t.Kind == Classical {
		return r
	}
	return hypothesis.Crowded(r, t.Clusters > 0)
}
