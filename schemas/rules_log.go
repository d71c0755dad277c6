package schemas

import (
	"fmt"
	"slices"

	"banditaudit/schemas/near"
	"banditaudit/schemas/param"
)

// rules judges the protocol by the rules of its format, whatever this version
// supports of it.
func (c *checker) rules() {
	switch {
	case c.d.Given("version") && c.p.Version != 1:
		c.fail("version", fmt.Sprintf("is %d", c.p.Version), "this program reads version 1", "write version: 1")
	case !c.d.Given("version"):
		c.missing("version", "the format may change later", "add version: 1")
	}
	log := logRules{c}
	log.experiment()
	log.log()
	log.context()
	log.arms()
	log.reward()
	(&counterRules{checker: c}).counter() // first, so that a policy is not judged by a counter that has a fault
	policyRules{c}.policy()
	c.privacy()
	analysisRules{c}.analysis()
	(&claimRules{c}).claims()
}

// logRules judge the experiment, the columns of its log, the arms and the reward.
type logRules struct{ *checker }

func (c logRules) experiment() {
	e := c.p.Experiment
	c.shortLabel("experiment.id", e.ID)
	switch {
	case !c.d.Given("experiment"):
		c.missing("experiment", "results are filed under the experiment's name", "add experiment: {id: NAME, stopping: fixed}")
	case e.ID != "" && e.Column != "":
		c.fail("experiment.column", "stands beside experiment.id", "either the log is one experiment, or a column names each", "delete one of the two")
	case e.ID == "" && e.Column == "" && c.sound("experiment"):
		c.fail("experiment", "has neither id nor column", "results are filed under the experiment's name", "add id: NAME, or column: COLUMN for many experiments in one log")
	}
	c.closed("experiment.stopping", e.Stopping)
}

func (c logRules) log() {
	if !c.d.Given("log") {
		c.missing("log", "it says which column plays which role", "add log: {order: COLUMN, action: COLUMN, reward: COLUMN}")
		return
	}
	l := c.p.Log
	if len(l.Order) == 0 && c.sound("log.order") {
		c.missing("log.order", "rounds are replayed in the order in which they happened", "add order: COLUMN under log; several columns are compared in turn")
	}
	c.columns("log.order", l.Order)
	c.require("log.action", l.Action, "it names the column of the chosen arm", "add action: COLUMN under log")
	switch {
	case l.RewardByArm == "":
		c.require("log.reward", l.Reward, "it names the column of the reward", "add reward: COLUMN under log")
	case l.Reward != "":
		c.fail("log.reward_by_arm", "stands beside log.reward", "a full-information log has the reward of every arm in one column, instead", "delete one of the two")
	}
	c.closed("log.ties", l.Ties)
	c.closed("log.missing_reward", l.MissingReward)
	c.resolution()
	c.draws()
	c.keptRows()
	c.roles()
	c.setBy()
}

// MaxResolution is the coarsest resolution of propensities that is accepted:
// beyond it the comparison would find next to nothing.
const MaxResolution = 0.1

// resolution judges how far a logged propensity may be from the true one.
func (c logRules) resolution() {
	const path = "log.propensity_resolution"
	l := c.p.Log
	if l.Propensity == "" && l.PropensityByArm == "" {
		c.surplus(path, "no propensity is logged that it could be about", "name the column in log.propensity, or delete the key")
		return
	}
	if r := l.PropensityResolution; r != nil && !(*r > 0 && *r <= MaxResolution) {
		c.fail(path, fmt.Sprintf("is %g", *r), fmt.Sprintf("it must be more than 0 and at most %g: what a logged probability may be off by", MaxResolution), "write 1e-5, say, or delete the key: the decimals of the column are found")
	}
}

// columns reports empty and repeated names in a list of columns.
func (c logRules) columns(path string, names []string) {
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = index(path, i)
		if name == "" {
			c.fail(paths[i], "is empty", "it must name something", "write a name")
		}
	}
	c.unique(names, paths, "names in "+path)
}

// roles reports columns that two roles cannot share.
func (c logRules) roles() {
	taken := map[string]LogColumn{}
	for _, role := range LogColumns() {
		column := role.Name(c.p)
		if column == "" {
			continue
		}
		if first, ok := taken[column]; ok {
			c.fail(role.Path, "is "+shown(column)+", as "+first.Path+" is", "one column cannot play both roles", "name the column that holds it")
			continue
		}
		taken[column] = role
	}
	l := c.p.Log
	for i, col := range l.Order {
		if first := taken[col]; first.Rewards {
			c.fail(index("log.order", i), "is "+shown(col)+", as "+first.Path+" is", "the order of rounds may not depend on rewards", "name the columns by which the rounds happened")
		}
	}
	for i, col := range l.Context.Columns {
		if first := taken[col.Column]; first.Rewards || first.Key == KeyAction {
			c.fail(index("log.context", i), "is "+shown(col.Column)+", as "+first.Path+" is", "a context is known before the arm is chosen", "delete it from the context")
		}
	}
}

func (c logRules) context() {
	l := c.p.Log
	if !l.Context.IsZero() && l.ContextByArm != "" {
		c.fail("log.context_by_arm", "stands beside log.context", "either one context for the round, or one for each arm", "delete one of the two")
	}
	if c.d.Given("log.context") && l.Context.IsZero() && c.sound("log.context") {
		c.fail("log.context", "names no column", "an empty context is declared by leaving it out", "name columns, or delete the key")
	}
	names, paths := make([]string, len(l.Context.Columns)), make([]string, len(l.Context.Columns))
	for i, col := range l.Context.Columns {
		names[i], paths[i] = col.Column, index("log.context", i)
		c.contextColumn(paths[i], col)
	}
	c.unique(names, paths, "the columns of the context")
	c.madeColumns()
}

// madeColumns reports a column of the context that is called as one that a
// categorical column makes, or two that make the same.
func (c logRules) madeColumns() {
	owner, context := map[string]int{}, c.p.Log.Context
	for i, col := range context.Columns {
		names := []string{col.Column}
		if len(col.Levels) > 0 {
			names = levelColumns(&col)
		}
		for _, name := range names {
			if first, ok := owner[name]; ok && first != i && c.sound("log.context") {
				c.fail(index("log.context", i), "has the name "+shown(name), fmt.Sprintf("two columns, and two coefficients, would have this name: log.context[%d] makes it already", first), "rename the column")
			}
			owner[name] = i
		}
	}
}

func (c logRules) contextColumn(path string, col ContextColumn) {
	if col.Column == "" {
		c.fail(path, "names no column", "a column of the context has a name", "write the name, or {column: NAME, levels: [...]}")
	}
	switch {
	case c.d.Given(path+".levels") && len(col.Levels) < 2 && c.sound(path+".levels"):
		c.fail(path+".levels", param.Entries(len(col.Levels)), "a categorical column has at least two levels, and one of them is the baseline", "list every level that may occur")
	case c.d.Given(path+".baseline") && len(col.Levels) == 0 && c.sound(path):
		c.fail(path+".baseline", "stands without levels", "only a categorical column has a baseline", "add levels: [...], or delete baseline")
	case len(col.Levels) > 0 && !slices.Contains(col.Levels, *col.Baseline) && c.sound(path+".levels") && c.sound(path+".baseline"):
		c.fail(path+".baseline", "is "+shown(*col.Baseline), "it must be one of the levels"+near.Among(*col.Baseline, col.Levels, shown), "write one of the levels")
	}
	c.distinct(path+".levels", col.Levels)
	c.short(path+".levels", col.Levels)
}

// distinct reports repeated texts; an empty text is a text like any other.
func (c *checker) distinct(path string, texts []string) {
	seen := make(map[string]int, len(texts))
	for i, text := range texts {
		if first, ok := seen[text]; ok && c.sound(path) {
			c.fail(index(path, i), "is "+shown(text)+" again", fmt.Sprintf("entries must differ, and %s[%d] is the same", path, first), "delete one of them")
			continue
		}
		seen[text] = i
	}
}

func (c logRules) arms() {
	if c.d.Given("arms") && len(c.p.Arms) == 0 && c.sound("arms") {
		c.fail("arms", "is an empty list", "an experiment has at least one arm", "list the labels in index order, or delete the key: the labels then come from the log")
	}
	for i, label := range c.p.Arms {
		switch {
		case label == "":
			c.fail(index("arms", i), "is empty", "an arm has a label", "write the label as it stands in the log")
		case slices.Contains(reservedLabels(), label):
			c.fail(index("arms", i), "is "+shown(label), reservedWhy, reservedMend)
		}
	}
	c.distinct("arms", c.p.Arms)
	c.short("arms", c.p.Arms)
	c.label("analysis.control", c.p.Analysis.Control)
	c.byArm()
}

// byArm reports columns of lists in arm order where no arms are declared: the
// labels of the log have an order of their own, and lists that are read in
// another one than they were written in accuse a policy of what it never did.
func (c logRules) byArm() {
	if c.d.Given("arms") {
		return
	}
	for _, role := range LogColumns() {
		if column := role.Name(c.p); role.InArmOrder && column != "" {
			c.fail(role.Path, "is "+shown(column)+", and arms are not declared", "its lists are read in the order of arms", "declare arms in the order of the lists")
		}
	}
}

// label reports a label that is not among the declared arms. Where no arms are
// declared the labels come from the log, and nothing can be said here.
func (c *checker) label(path, label string) {
	if label == "" || len(c.p.Arms) == 0 || !c.sound("arms") || slices.Contains(c.p.Arms, label) {
		return
	}
	c.fail(path, "is "+shown(label), "no arm has that label"+near.Among(label, c.p.Arms, shown), "write a label of arms")
}

func (c logRules) reward() {
	r := c.p.Reward.Range
	switch {
	case len(r) == 0 && !c.d.Given("reward.range"):
		c.missing("reward.range", "bounds hold for a public range that is never read off the data", "add reward: {range: [0, 1]}")
	case !c.sound("reward.range"):
	case len(r) != 2:
		c.fail("reward.range", param.Entries(len(r)), "a range is its lower and its upper end", "write [lower, upper]")
	case r[0] >= r[1]:
		c.fail("reward.range", fmt.Sprintf("is [%g, %g]", r[0], r[1]), "the lower end comes first and is smaller", "write [lower, upper]")
	default:
		c.rangeSize(r[0], r[1])
	}
	c.closed("reward.out_of_range", c.p.Reward.OutOfRange)
}
