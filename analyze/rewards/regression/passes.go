package regression

import (
	"context"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/regress"
	"banditaudit/schemas"
)

// passes are second passes over the rows of a regression, by model. Those that
// were not asked for are nil.
type passes struct {
	*Regression
	sandwich  []*regress.Sandwich
	clustered []*regress.Clustered
	influence []*regress.Influence
}

// passRows are rows on their way into passes.
type passRows struct {
	arm     []int32 // −1: the row does not count
	x       [][]float64
	y       []float64
	tau     []float64 // bounds on the shift of each reward in [0, 1]; nil where nothing bounds it, or none is shifted
	cluster []int64   // nil without clusters; never falling
}

// newPasses begins the passes over a regression's rows: its errors, bounds on
// its biases, or both.
func newPasses(r *Regression, withErrors, withBounds bool) (*passes, error) {
	p := &passes{Regression: r}
	if withBounds {
		rank := 0
		for _, m := range r.Models {
			if m != nil {
				rank = max(rank, m.Rank)
			}
		}
		limit := regress.ContextLimit(len(r.Models), rank)
		p.influence, _ = ofEach(r.Models, func(m *regress.Model) (*regress.Influence, error) { return regress.NewInfluence(m, limit), nil })
	}
	var err error
	if withErrors {
		err = p.beginErrors(r.Spec.Covariance.Cluster != "")
	}
	return p, err
}

func (p *passes) beginErrors(clustered bool) (err error) {
	if clustered {
		p.clustered, err = ofEach(p.Models, func(m *regress.Model) (*regress.Clustered, error) { return regress.NewClustered(m, p.kind) })
	} else {
		p.sandwich, err = ofEach(p.Models, func(m *regress.Model) (*regress.Sandwich, error) { return regress.NewSandwich(m, p.kind) })
	}
	return err
}

// part are empty passes to be merged into p.
func (p *passes) part() (*passes, error) {
	out := &passes{Regression: p.Regression}
	if p.influence != nil {
		out.influence, _ = ofEach(p.influence, func(s *regress.Influence) (*regress.Influence, error) { return s.Part(), nil })
	}
	var err error
	if p.sandwich != nil || p.clustered != nil {
		err = out.beginErrors(p.clustered != nil)
	}
	return out, err
}

// ofEach makes something of every one that is not nil.
func ofEach[S, T any](from []*S, of func(*S) (*T, error)) ([]*T, error) {
	out := make([]*T, len(from))
	for i, s := range from {
		if s == nil {
			continue
		}
		var err error
		if out[i], err = of(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// add takes up rows.
func (p *passes) add(rows *passRows) error {
	if p.Pooled() {
		return p.addPooled(rows)
	}
	if p.sandwich != nil && p.influence != nil {
		return regress.AddBothByArm(p.sandwich, p.influence, rows.arm, rows.x, rows.y, rows.tau)
	}
	if p.sandwich != nil {
		if err := regress.AddByArm(p.sandwich, rows.arm, rows.x, rows.y); err != nil {
			return err
		}
	}
	if p.clustered != nil {
		if err := regress.AddClusteredByArm(p.clustered, rows.arm, rows.cluster, rows.x, rows.y); err != nil {
			return err
		}
	}
	if p.influence != nil {
		return regress.AddInfluenceByArm(p.influence, rows.arm, rows.x, rows.tau)
	}
	return nil
}

func (p *passes) addPooled(rows *passRows) (err error) {
	switch {
	case p.Models[0] == nil:
		return nil
	case p.sandwich != nil:
		err = p.sandwich[0].AddPooled(rows.arm, rows.x, rows.y)
	case p.clustered != nil:
		err = p.clustered[0].AddPooled(rows.arm, rows.cluster, rows.x, rows.y)
	}
	if err == nil && p.influence != nil {
		err = p.influence[0].AddPooled(rows.arm, rows.x, rows.tau)
	}
	return err
}

// merge joins passes over the rows that follow.
func (p *passes) merge(o *passes) error {
	for i := range p.Models {
		if len(o.sandwich) > 0 && o.sandwich[i] != nil {
			p.sandwich[i].Merge(o.sandwich[i])
		}
		if len(o.influence) > 0 && o.influence[i] != nil {
			p.influence[i].Merge(o.influence[i])
		}
		if len(o.clustered) > 0 && o.clustered[i] != nil {
			if err := p.clustered[i].Merge(o.clustered[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// secondPass gives a regression its tables and bounds. Rows come in their order,
// or in the order of their units where a unit owns several.
func (f *Fits) secondPass(ctx context.Context, r *Regression) error {
	bounded := f.costs.Bounded
	byUnit := publiclog.Repeated(f.facts.Slice) && f.facts.Slice.HasUnits()
	// Errors by batch need the order of rows, and bounds by unit need the order of units.
	apart := byUnit && r.Spec.Covariance.Cluster == schemas.ClusterBatch
	p, err := newPasses(r, publiclog.UnitsAtHand(f.facts.Slice) || r.Spec.Covariance.Cluster != schemas.ClusterUnit, bounded && !apart)
	if err != nil {
		return err
	}
	switch {
	case p.sandwich == nil && p.clustered == nil && p.influence == nil:
	case byUnit && !apart:
		err = f.passByUnit(ctx, r, p)
	default:
		err = f.passInOrder(ctx, r, p)
	}
	if err == nil && bounded && apart {
		var bounds *passes
		if bounds, err = newPasses(r, false, true); err == nil {
			err = f.passByUnit(ctx, r, bounds)
			p.influence = bounds.influence
		}
	}
	if err != nil {
		return err
	}
	return p.finish(ctx)
}

// finish writes down what came of the passes. Without errors there are estimates
// alone: regressionBlock says that the errors in their tables are not to be used.
func (p *passes) finish(ctx context.Context) error {
	p.Tables = make([]regress.Table, len(p.Models))
	if p.influence != nil {
		p.Bounds = make([]regress.Bounds, len(p.Models))
	}
	for i, m := range p.Models {
		if m == nil {
			continue
		}
		switch {
		case p.sandwich != nil:
			p.Tables[i] = p.sandwich[i].Table()
		case p.clustered != nil:
			p.Tables[i] = p.clustered[i].Table()
		default:
			p.Tables[i] = m.Classical()
			p.Tables[i].Kind = p.kind
		}
		if p.influence != nil {
			var err error
			if p.Bounds[i], err = p.influence[i].BoundsContext(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}
