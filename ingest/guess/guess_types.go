package guess

import (
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// maxTyped bounds the types of one column that are told apart.
const maxTyped = 64

// sort counts a file by the type that a column has in it. A type of its own
// stands for a column that has none in the files before: nothing but nulls.
func (p *profile) sort(c *pages.Column, uri string) {
	for i := range p.typed {
		if p.typed[i].Column.Type == c.Type {
			p.typed[i].Files++
			return
		}
	}
	if len(p.typed) < maxTyped {
		p.typed = append(p.typed, cell.Typed{Column: *c, Files: 1, First: uri})
	}
	if p.column.Kind == pages.Null && c.Kind != pages.Null {
		p.column = *c
	}
}

// every reports whether what holds of a type holds of all that the column has in
// the files; of one without a type it does.
func (p *profile) every(holds func(c *pages.Column) bool) bool {
	return !slices.ContainsFunc(p.typed, func(g cell.Typed) bool { return g.Column.Kind != pages.Null && !holds(&g.Column) })
}

// wholeDecimals reports whether the column is, in some file, of decimals without
// digits after the point.
func (p *profile) wholeDecimals() bool {
	return !p.every(func(c *pages.Column) bool { return !cell.WholeDecimals(c) })
}

// fractionsOfLabels says of a column that is named as labels are, and has whole numbers
// of a type with fractions, how it becomes labels; "" of another column.
func (g *guesser) fractionsOfLabels(p *profile) string {
	if p.column.Depth > 0 || !cell.Fractions(&p.column) || p.numbers.seen == 0 || !p.numbers.whole {
		return ""
	}
	for i := range g.roles {
		w := role.Want{Column: &g.roles[i], Name: p.name}
		named := w.Match(p.name) == role.NameWhole || w.Role == role.Unit && role.IsUnitName(p.name)
		if _, mend := w.Unfit(&p.column); w.Labels && named && g.by[w.Role] == nil {
			return "named like the " + w.Role.String() + ", and of whole numbers in a type that holds fractions; " + mend
		}
	}
	return ""
}

// misfit says which type of the column cannot have a role where another can, or
// "", and how to mend it: files may differ in the types of a column.
func (g *guesser) misfit(p *profile, r role.Role) string {
	w := role.Want{Column: g.roles.Of(r), Name: p.name}
	if !p.numeric() { // as a context it has levels
		w.Context.Levels = []string{""}
	}
	var axes cell.Axis
	for i := range p.typed {
		t := &p.typed[i]
		if t.Column.Kind == pages.Null {
			continue
		}
		if why, mend := w.Unfit(&t.Column); why != "" {
			if !w.Labels || !cell.Fractions(&t.Column) {
				mend = castIt
			}
			return said(t) + ", and " + why + "; " + mend
		}
		if w.Compares != role.None && !axes.Join(&t.Column, p.name, t.First) {
			return said(&p.typed[0]) + " and " + said(t) + ", which do not compare; " + castIt
		}
		for k := range p.typed[:i] {
			if o := &p.typed[k]; w.Labels && o.Column.Kind != pages.Null && !cell.SameLabels(&o.Column, &t.Column) {
				return said(o) + " and " + said(t) + ", whose labels are not written alike; " + castIt
			}
		}
	}
	return ""
}

// said names a type and the first file that has it.
func said(g *cell.Typed) string { return g.Column.Type + " in " + schemas.Printable(g.First) }
