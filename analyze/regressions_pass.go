package analyze

import (
	"context"

	"banditaudit/analyze/regress"
)

// passes are second passes over the rows of a regression, by model. Those that
// were not asked for are nil.
type passes struct {
	pooled    bool
	kind      regress.Kind
	models    []*regress.Model
	sandwich  []*regress.Sandwich
	clustered []*regress.Clustered
	influence []*regress.Influence
}

// passRows are rows on their way into passes.
type passRows struct {
	arm     []int32 // −1: the row does not count
	x       [][]float64
	y       []float64
	tau     []float64 // bounds on the shift of each reward in [0, 1]; nil where nothing bounds it
	cluster []int64   // nil without clusters; never falling
}

// newPasses begins the passes over a regression's rows: its errors, bounds on
// its biases, or both.
func newPasses(r *regression, withErrors, withBounds bool) (*passes, error) {
	p := &passes{pooled: r.pooled(), kind: r.kind, models: r.models}
	if withErrors {
		if err := p.beginErrors(r.spec.Covariance.Cluster != ""); err != nil {
			return nil, err
		}
	}
	if withBounds {
		p.influence = make([]*regress.Influence, len(r.models))
		rank := 0
		for _, m := range r.models {
			if m != nil {
				rank = max(rank, m.Rank)
			}
		}
		limit := regress.ContextLimit(len(r.models), rank)
		for i, m := range r.models {
			if m != nil {
				p.influence[i] = regress.NewInfluence(m, limit)
			}
		}
	}
	return p, nil
}

func (p *passes) beginErrors(clustered bool) error {
	if clustered {
		p.clustered = make([]*regress.Clustered, len(p.models))
	} else {
		p.sandwich = make([]*regress.Sandwich, len(p.models))
	}
	for i, m := range p.models {
		if m == nil {
			continue
		}
		var err error
		if clustered {
			p.clustered[i], err = regress.NewClustered(m, p.kind)
		} else {
			p.sandwich[i], err = regress.NewSandwich(m, p.kind)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// part are empty passes to be merged into p.
func (p *passes) part() (*passes, error) {
	out := &passes{pooled: p.pooled, kind: p.kind, models: p.models}
	if p.sandwich != nil || p.clustered != nil {
		if err := out.beginErrors(p.clustered != nil); err != nil {
			return nil, err
		}
	}
	if p.influence != nil {
		out.influence = make([]*regress.Influence, len(p.models))
		for i, s := range p.influence {
			if s != nil {
				out.influence[i] = s.Part()
			}
		}
	}
	return out, nil
}

// add takes up rows.
func (p *passes) add(rows *passRows) error {
	if p.pooled {
		return p.addPooled(rows)
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

func (p *passes) addPooled(rows *passRows) error {
	for i, m := range p.models {
		if m == nil {
			continue
		}
		var err error
		switch {
		case p.sandwich != nil:
			err = p.sandwich[i].AddPooled(rows.arm, rows.x, rows.y)
		case p.clustered != nil:
			err = p.clustered[i].AddPooled(rows.arm, rows.cluster, rows.x, rows.y)
		}
		if err == nil && p.influence != nil {
			err = p.influence[i].AddPooled(rows.arm, rows.x, rows.tau)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// merge joins passes over the rows that follow.
func (p *passes) merge(o *passes) error {
	for i, s := range o.sandwich {
		if s != nil {
			p.sandwich[i].Merge(s)
		}
	}
	for i, s := range o.clustered {
		if s == nil {
			continue
		}
		if err := p.clustered[i].Merge(s); err != nil {
			return err
		}
	}
	for i, s := range o.influence {
		if s != nil {
			p.influence[i].Merge(s)
		}
	}
	return nil
}

// secondPass gives a regression its tables and bounds. Rows come in their order,
// or in that of their units where a unit owns several.
func (f *fits) secondPass(ctx context.Context, r *regression) error {
	bounded := f.bounds.ok()
	byUnit := f.repeated() && f.Slice.HasUnits()
	// Errors by batch need the order of rows, and bounds by unit that of units.
	apart := byUnit && r.spec.Covariance.Cluster == clusterBatch
	p, err := newPasses(r, f.unitsAtHand() || r.spec.Covariance.Cluster != clusterUnit, bounded && !apart)
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
	return p.finish(ctx, r)
}

// finish writes down what came of the passes. Without errors there are estimates
// alone: regressionBlock says that the errors in their tables are not to be used.
func (p *passes) finish(ctx context.Context, r *regression) error {
	r.tables = make([]regress.Table, len(r.models))
	for i, m := range r.models {
		if m != nil && p.sandwich == nil && p.clustered == nil {
			r.tables[i] = m.Classical()
			r.tables[i].Kind = r.kind
		}
	}
	for i, s := range p.sandwich {
		if s != nil {
			r.tables[i] = s.Table()
		}
	}
	for i, s := range p.clustered {
		if s != nil {
			r.tables[i] = s.Table()
		}
	}
	if p.influence == nil {
		return nil
	}
	r.bounds = make([]regress.Bounds, len(r.models))
	for i, s := range p.influence {
		if s == nil {
			continue
		}
		var err error
		if r.bounds[i], err = s.BoundsContext(ctx); err != nil {
			return err
		}
	}
	return nil
}
