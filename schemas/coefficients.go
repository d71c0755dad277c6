package schemas

import (
	"maps"
	"slices"
	"strings"
)

// InterceptName is the name of the intercept among the coefficients.
const InterceptName = "(intercept)"

// Coefficients of a regression are named by their columns:
//
//	(intercept)          unless intercept: false
//	age                  a column of the context
//	country=FR           a level of a categorical one; the baseline has none
//	features[0]          an element of a list
//	arm[green]           pooled: of the arm against the control
//	arm[green]:age       pooled, with interactions

// ContextNames are the names of the context's columns that the protocol knows:
// all but those of lists, whose length the log alone has.
func (l *Log) ContextNames() []string {
	var out []string
	for i := range l.Context.Columns {
		col := &l.Context.Columns[i]
		if len(col.Levels) == 0 {
			out = append(out, col.Column)
			continue
		}
		out = append(out, levelColumns(col)...)
	}
	return out
}

// levelColumns are the columns of 0 and 1 that a categorical column makes.
func levelColumns(col *ContextColumn) []string {
	baseline := col.Levels[0]
	if col.Baseline != nil {
		baseline = *col.Baseline
	}
	var out []string
	for _, level := range col.Levels {
		if level != baseline {
			out = append(out, col.Column+"="+level)
		}
	}
	return out
}

// dummies returns the columns of 0 and 1 of every categorical column, by its name.
func (l *Log) dummies() map[string][]string {
	out := map[string][]string{}
	for i := range l.Context.Columns {
		if col := &l.Context.Columns[i]; len(col.Levels) > 0 {
			out[col.Column] = levelColumns(col)
		}
	}
	return out
}

// lists are the columns of lists.
func (l *Log) lists() []string {
	var out []string
	for _, name := range []string{l.Context.List, l.ContextByArm} {
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

// isElement reports whether name is list[0], list[1], ….
func isElement(name, list string) bool {
	const digits = 9 // more than any list has
	rest, ok := strings.CutPrefix(name, list+"[")
	n, closed := strings.CutSuffix(rest, "]")
	if !ok || !closed || n == "" || len(n) > digits || len(n) > 1 && n[0] == '0' {
		return false
	}
	return strings.Trim(n, "0123456789") == ""
}

// Expand returns the coefficients that a name in joint or columns stands for: of
// a categorical column all its levels but the baseline, also in an interaction
// (arm[green]:country), of any other name the name itself.
func (l *Log) Expand(name string) []string {
	all := l.dummies()
	if levels, ok := all[name]; ok {
		return levels
	}
	if i := strings.LastIndex(name, "]:"); strings.HasPrefix(name, "arm[") && i > 0 {
		var out []string
		for _, level := range all[name[i+2:]] {
			out = append(out, name[:i+2]+level)
		}
		if out != nil {
			return out
		}
	}
	return []string{name}
}

// Control is the arm that the dummies of a pooled regression are against: the
// declared control, else the first of arms; "" where neither is declared.
func Control(p *Protocol) string {
	switch {
	case p.Analysis.Control != "":
		return p.Analysis.Control
	case len(p.Arms) > 0:
		return p.Arms[0]
	}
	return ""
}

// coefficientsOf names the coefficients that a regression may have, as far as the protocol knows.
func coefficientsOf(p *Protocol, r *RegressionSpec) namespace {
	columns, lists := p.Log.ContextNames(), p.Log.lists()
	if len(r.Columns) > 0 {
		lists = nil
	}
	n := coefficientNames(p, r, p.Arms, columns)
	n.lists, n.open = lists, r.Arms == ArmsPooled && (len(p.Arms) == 0 || r.Interactions && len(lists) > 0)
	return n
}

// coefficientNames are the coefficients of a regression where arms and columns of the
// context are known; a regression that names its columns has those.
func coefficientNames(p *Protocol, r *RegressionSpec, arms, columns []string) namespace {
	n := namespace{what: "coefficient of regression " + shown(r.Name)}
	if r.Intercept == nil || *r.Intercept {
		n.words = append(n.words, InterceptName)
	}
	if len(r.Columns) > 0 {
		columns = nil
		for _, name := range r.Columns {
			columns = append(columns, p.Log.Expand(name)...)
		}
	}
	if r.Arms != ArmsPooled {
		n.words = append(n.words, columns...)
		return n
	}
	control := Control(p)
	if control == "" && len(arms) > 0 {
		control = arms[0]
	}
	var dummies []string
	for _, label := range arms {
		if label != control {
			dummies = append(dummies, "arm["+label+"]")
		}
	}
	n.words = slices.Concat(n.words, dummies, columns)
	if r.Interactions {
		for _, arm := range dummies {
			for _, column := range columns {
				n.words = append(n.words, arm+":"+column)
			}
		}
	}
	return n
}

// CheckCoefficients reports the coefficients that tests ask about and that no
// regression of a log with these arms and columns of the context has: what the
// protocol's own checks had to leave open. The problems have paths, and no
// places in a file.
func CheckCoefficients(p *Protocol, arms, columns []string) Problems {
	var out Problems
	check := func(path, name string, r *RegressionSpec) {
		n := coefficientNames(p, r, arms, columns)
		if slices.Contains(n.words, name) {
			return
		}
		why, mend := n.refusal(name)
		out = append(out, Problem{File: "protocol", Path: path, What: path + " is " + shown(name), Why: why, Mend: mend})
	}
	for i := range p.Analysis.Tests {
		t, path := &p.Analysis.Tests[i], index("analysis.tests", i)
		k := slices.IndexFunc(p.Analysis.Regressions, func(r RegressionSpec) bool { return r.Name == t.Regression })
		if k < 0 {
			continue
		}
		if t.Coefficient != "" {
			check(path+".coefficient", t.Coefficient, &p.Analysis.Regressions[k])
		}
		for _, key := range slices.Sorted(maps.Keys(t.Joint)) {
			for _, name := range p.Log.Expand(key) {
				check(join(path+".joint", key), name, &p.Analysis.Regressions[k])
			}
		}
	}
	return out
}
