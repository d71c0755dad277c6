package ingest

import (
	"slices"
	"strings"

	"banditaudit/ingest/role"
	"banditaudit/ingest/tableau"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// manifest describes how the log lies in the tableau, but for the inputs, whose
// digests may still be computed when the tableau is begun, and the experiments.
func (r *intake) manifest(sha string) *schemas.Manifest {
	m := &schemas.Manifest{
		Schema: schemas.ManifestSchema, Tool: r.options.Tool, Inputs: []schemas.Input{}, Rows: r.log.rows,
		Arms: slices.Clone(r.convert.arms.Names), Declared: len(r.p.Arms) > 0,
		Reward:  schemas.RewardColumn{Range: [2]float64{r.convert.reward.lo, r.convert.reward.hi}},
		Context: r.convert.contextNames(), ByArm: r.convert.byArm(), Targets: r.convert.targetColumns(), Columns: r.log.infos(), Counts: r.convert.counts.total(),
		Missing: tableaudir.MissingWord(r.p),
		Order:   slices.Clone(r.p.Log.Order), Time: r.times != nil, Protocol: r.p.LogDigest(), SHA256: sha,
	}
	if d := r.p.Hashed(); d != nil {
		m.Hash = d.Hash
	}
	for i, w := range r.log.wants {
		if w.Private {
			m.Reward.Type = rewardType(r.log.groups[i])
		}
	}
	for i := range r.first.keys.columns {
		c := &r.first.keys.columns[i]
		for k := range m.Columns {
			if o := &m.Columns[k]; o.Role == role.Order.String() && o.Column == c.name {
				o.Unpadded, o.Widths = c.written.Misleads(), c.written.Widths()
				o.Times = slices.ContainsFunc(r.first.spans, func(s orderSpan) bool { return s.key == i && !s.Other })
			}
		}
	}
	return m
}

// manifest describes the inputs once they are read and hashed.
func (l *logFiles) manifest() []schemas.Input {
	inputs := make([]schemas.Input, len(l.inputs))
	for i := range l.inputs {
		in := &l.inputs[i]
		inputs[i] = schemas.Input{URI: in.URI, Bytes: in.info.Size(), Rows: in.rows, SHA256: in.sha}
	}
	return inputs
}

// experiments describes the experiments, in the order of the tableau.
func (r *intake) experiments() []schemas.ManifestExperiment {
	all := make([]schemas.ManifestExperiment, len(r.ids))
	for code, index := range r.rank {
		first, last := r.first.ends(code)
		all[index] = schemas.ManifestExperiment{ID: r.ids[index], Rows: r.first.count[code], Gaps: r.first.gaps[code], FirstTime: first, LastTime: last, Counts: []schemas.ArmCount{}}
	}
	r.convert.counts.each(func(experiment int32, c schemas.ArmCount) {
		e := &all[r.rank[experiment]]
		e.Counts = append(e.Counts, c)
	})
	offset := int64(0)
	for i := range all {
		all[i].Offset = offset
		offset += all[i].Rows
	}
	return all
}

// ranges are the rows of the experiments in the tableau.
func (r *intake) ranges() []tableau.Range {
	all := make([]tableau.Range, len(r.ids))
	for code, index := range r.rank {
		all[index] = tableau.Range{ID: r.ids[index], Rows: r.first.count[code]}
	}
	offset := int64(0)
	for i := range all {
		all[i].Offset = offset
		offset += all[i].Rows
	}
	return all
}

// byArm are the widths of the columns by arm.
func (c *converter) byArm() schemas.ByArm {
	var widths schemas.ByArm
	for _, rule := range c.rules {
		if v, ok := rule.(*armValues); ok && v.width != nil {
			*v.width(&widths) = v.shape.inner
		}
	}
	return widths
}

// infos says how each wanted column is typed.
func (l *logFiles) infos() []schemas.ColumnInfo {
	infos := []schemas.ColumnInfo{}
	for i, w := range l.wants {
		if len(l.types[i]) > 0 {
			infos = append(infos, schemas.ColumnInfo{Column: w.Name, Role: w.Key(), Type: strings.Join(l.types[i], " or ")})
		}
	}
	return infos
}
