package ingest

import (
	"slices"

	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// maxTyped bounds the types of one column that are told apart.
const maxTyped = 64

// sort counts a file by the type that a column has in it. A type of its own
// stands for a column that has none in the files before: nothing but nulls.
func (p *profile) sort(c *pages.Column, uri string) {
	for i := range p.typed {
		if p.typed[i].column.Type == c.Type {
			p.typed[i].files++
			return
		}
	}
	if len(p.typed) < maxTyped {
		p.typed = append(p.typed, typeGroup{column: *c, files: 1, first: uri})
	}
	if p.column.Kind == pages.Null && c.Kind != pages.Null {
		p.column = *c
	}
}

// every reports whether what holds of a type holds of all that the column has in
// the files; of one without a type it does.
func (p *profile) every(holds func(c *pages.Column) bool) bool {
	return !slices.ContainsFunc(p.typed, func(g typeGroup) bool { return g.column.Kind != pages.Null && !holds(&g.column) })
}

// misfit says which type of the column cannot have a role where another can, or
// "": files may differ in the types of a column.
func (p *profile) misfit(r role) string {
	w := want{role: r, name: p.name}
	if r == roleContext && !p.numeric() {
		w.context.Levels = []string{""}
	}
	var axes axis
	for i := range p.typed {
		g := &p.typed[i]
		if g.column.Kind == pages.Null {
			continue
		}
		if why, _ := w.unfit(&g.column); why != "" {
			return g.said() + ", and " + why
		}
		if (r == roleOrder || r == roleRewardOrder) && !axes.join(&g.column, p.name, g.first) {
			return p.typed[0].said() + " and " + g.said() + ", which do not compare"
		}
		for k := range p.typed[:i] {
			if o := &p.typed[k]; r.names() && o.column.Kind != pages.Null && !sameLabels(&o.column, &g.column) {
				return o.said() + " and " + g.said() + ", whose labels are not written alike"
			}
		}
	}
	return ""
}

// said names a type and the first file that has it.
func (g *typeGroup) said() string { return g.column.Type + " in " + schemas.Printable(g.first) }
