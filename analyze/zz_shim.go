package analyze

import "banditaudit/analyze/regress"

const clusterUnit = "unit"

func clustersOf(*regress.Table) int64 { return 0 }

func (a *analysis) fitted(string, int) (*regress.Model, *regress.Table, bool) { return nil, nil, false }
