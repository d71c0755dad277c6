package owner

import "banditaudit/replay/ledger"

// Rows are the exact costs of single rows.
type Rows struct {
	law     ledger.Law
	groups  bool
	columns map[int64][]int64 // c(·, s) by s, in units
	units   map[int64]ledger.Loss
}

// NewRows returns the rows of a law.
func NewRows(law ledger.Law) *Rows {
	one, _ := ledger.NodesOf(law, 1)
	return &Rows{law: law, groups: one.Groups, columns: map[int64][]int64{}, units: map[int64]ledger.Loss{}}
}

// Cost returns c(n, size); 0 where the stream is too long for single rows and the law
// groups them: what it says of one is then no less than the row costs, and may be more.
func (r *Rows) Cost(n, size int64) ledger.Loss {
	column, ok := r.columns[size]
	if !ok {
		if size <= rowRounds {
			if nodes, noded := ledger.NodesOf(r.law, size); noded && work(&nodes) <= rowSteps {
				if p, fits := ofNodes(&nodes, size); fits {
					column, r.units[size] = p.costs(size), nodes.Unit
				}
			}
		}
		r.columns[size] = column
	}
	if column == nil {
		if r.groups {
			return ledger.Loss{}
		}
		return r.law.Cost(n, size)
	}
	return r.units[size].Times(column[n])
}
