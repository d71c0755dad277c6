package schemas

import (
	"maps"
	"slices"
	"strings"

	"banditaudit/schemas/near"
)

// regressionRules judge the declared regressions.
type regressionRules struct{ *checker }

func (c regressionRules) regressions() {
	list := c.p.Analysis.Regressions
	names, paths := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		r, path := &list[i], index("analysis.regressions", i)
		names[i], paths[i] = r.Name, path+".name"
		c.require(path+".name", r.Name, "tests and tables refer to it", "add name: main")
		switch why, mend := AmbiguousPooled(r, c.p.Arms); {
		case why != "":
			c.fail(path+".arms", "is "+shown(r.Arms), why, mend)
		case r.Arms != SelectEach && r.Arms != ArmsPooled:
			c.label(path+".arms", r.Arms)
		}
		c.covariance(path+".covariance", r.Covariance)
		c.design(path, r)
	}
	c.unique(names, paths, "names of regressions")
}

// AmbiguousPooled says why a regression cannot be told from one of a single arm,
// and what to write instead; "" where it can. It is for a log with an arm whose
// label is the word that asks for one regression over all arms.
func AmbiguousPooled(r *RegressionSpec, arms []string) (why, mend string) {
	if r.Arms != ArmsPooled || !slices.Contains(arms, ArmsPooled) {
		return "", ""
	}
	return "an arm has that label, and the word also asks for one regression over all arms", "write arms: each, or rename the arm in the log"
}

// design judges which columns a regression has.
func (c regressionRules) design(path string, r *RegressionSpec) {
	bare := c.p.Log.Context.IsZero() && c.p.Log.ContextByArm == "" && c.sound("log")
	pooled := r.Arms == ArmsPooled
	if !*r.Intercept && bare && !pooled {
		c.fail(path+".intercept", "is false", "no context is declared, so the model would have no column", "declare log.context, or write intercept: true")
	}
	switch {
	case !r.Interactions:
	case !pooled:
		c.fail(path+".interactions", "is true", "they are of arms with columns, and only a pooled regression has more than one arm", "write arms: pooled, or delete the key")
	case bare:
		c.fail(path+".interactions", "is true", "no context is declared, so there is no column that arms could interact with", "declare log.context, or delete the key")
	}
	if !c.d.Given(path + ".columns") {
		return
	}
	if len(r.Columns) == 0 && c.sound(path+".columns") {
		c.fail(path+".columns", "names no column", "an empty list leaves none of the context", "name columns of log.context, or delete the key: all are then read")
	}
	c.distinct(path+".columns", r.Columns)
	for i, name := range r.Columns {
		c.column(index(path+".columns", i), name)
	}
}

// column judges a reference to a column of the context.
func (c *checker) column(path, name string) {
	if !c.sound("log") {
		return
	}
	known := append(slices.Collect(maps.Keys(c.p.Log.dummies())), c.p.Log.ContextNames()...)
	slices.Sort(known)
	c.reference(path, name, namespace{words: known, lists: c.p.Log.lists(), what: "column of the declared context"})
}

func (c regressionRules) covariance(path string, v Covariance) {
	if !c.sound(path) {
		return
	}
	if v.Cluster == "" {
		if c.d.Given(path + ".kind") {
			c.missing(path+".cluster", "a covariance with keys is one by cluster", "add cluster: unit or batch, or write covariance: HC3")
			return
		}
		c.word(path, v.Kind, covarianceWords())
		return
	}
	c.word(path+".cluster", v.Cluster, clusterWords())
	c.word(path+".kind", v.Kind, clusterKindWords())
	switch {
	case v.Cluster == ClusterUnit && c.p.Log.Unit == "" && c.sound("log.unit"):
		c.fail(path+".cluster", "is \"unit\"", "no unit is declared", "add unit: COLUMN to log, or write covariance: HC3")
	case v.Cluster == ClusterBatch && !c.p.Batched() && c.sound("log.batch"):
		c.fail(path+".cluster", "is \"batch\"", "no batch is declared", "add batch: COLUMN to log, or write covariance: HC3")
	}
}

// regression judges a reference to a declared regression, and returns it; nil
// where there is none.
func (c *checker) regression(path, name string) *RegressionSpec {
	if name == "" {
		c.require(path, name, "the coefficient is that of a declared regression", "add regression: NAME")
		return nil
	}
	list := c.p.Analysis.Regressions
	names := make([]string, len(list))
	for i := range list {
		if names[i] = list[i].Name; names[i] == name && c.sound(index("analysis.regressions", i)) {
			return &list[i]
		}
	}
	switch {
	case slices.Contains(names, name) || !c.sound("analysis.regressions"):
	case len(names) == 0:
		c.fail(path, "is "+shown(name), "no regression is declared", "add regressions: [{name: "+name+"}] under analysis")
	default:
		c.fail(path, "is "+shown(name), "no regression has that name"+near.Among(name, names, shown), "write the name of a declared regression")
	}
	return nil
}

// coefficient judges the name of one coefficient.
func (c *checker) coefficient(path, name string, r *RegressionSpec) {
	if r == nil || !c.sound("log") || !c.sound("arms") || !c.sound("analysis.control") {
		return
	}
	if parts := c.p.Log.Expand(name); len(parts) != 1 || parts[0] != name {
		c.fail(path, "is "+shown(name), "that column is categorical and has a coefficient for every level but the baseline: "+strings.Join(parts, ", "), "write one of these, or joint: {"+name+": 0} for all of them")
		return
	}
	c.reference(path, name, coefficientsOf(c.p, r))
}

// joint judges the names of several coefficients.
func (c *checker) joint(path string, t *TestSpec, r *RegressionSpec) {
	if t.Alternative != TwoSided && slices.Contains(closedList("analysis.tests.alternative"), t.Alternative) {
		c.fail(path+".alternative", "is "+shown(t.Alternative), "a joint test of several coefficients has no side", "write two-sided, or delete the key")
	}
	if r == nil || !c.sound("log") || !c.sound("arms") || !c.sound("analysis.control") {
		return
	}
	names, owner := coefficientsOf(c.p, r), map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(t.Joint)) {
		at := join(path+".joint", key)
		c.size(at, t.Joint[key])
		for _, name := range c.p.Log.Expand(key) {
			if first, ok := owner[name]; ok {
				c.fail(at, "stands beside "+shown(first), "both speak of "+shown(name), "delete one of the two")
				continue
			}
			owner[name] = key
			c.reference(at, name, names)
		}
	}
}

// namespace is what a name may be.
type namespace struct {
	words []string
	lists []string // columns of lists, of which NAME[0], NAME[1], … are columns
	open  bool     // there are others, which only the log knows
	what  string
}

// reference reports a name that cannot exist.
func (c *checker) reference(path, name string, n namespace) {
	if name == "" || n.open || slices.Contains(n.words, name) {
		return
	}
	for _, list := range n.lists {
		if isElement(name, list) {
			return
		}
	}
	why, mend := n.refusal(name)
	c.fail(path, "is "+shown(name), why, mend)
}

// refusal says why there is no such name, and what to write instead.
func (n namespace) refusal(name string) (why, mend string) {
	words := n.words
	for _, list := range n.lists {
		words = append(slices.Clip(words), list+"[0]")
	}
	mend = "write one of these"
	switch word := near.Word(name, words); {
	case word != "":
		mend = "write " + word
	case len(words) == 0:
		mend = "declare log.context"
	}
	return "there is no " + n.what + " of that name; there " + listed(words), mend
}

// listed names what there is, at most so many.
func listed(words []string) string {
	const most = 12
	switch {
	case len(words) == 0:
		return "is none"
	case len(words) > most:
		return "are: " + strings.Join(words[:most], ", ") + " and more"
	}
	return "are: " + strings.Join(words, ", ")
}
