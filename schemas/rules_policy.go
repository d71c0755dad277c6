package schemas

import (
	"fmt"

	"banditaudit/schemas/param"
)

// policyRules judge a policy that has a name.
type policyRules struct{ *checker }

func (c policyRules) policy() {
	p := c.p.Policy
	if p == nil {
		c.draw(c.p.Draw)
		if c.p.Program != nil {
			(&programRules{c.checker, c.p.Program}).all()
		}
		return
	}
	c.programless()
	c.require("policy.name", p.Name, "it says which selection functions were used", "add name: ucb, or delete policy")
	c.word("policy.name", p.Name, c.catalogue.PolicyNames())
	c.closed("policy.ties", p.Ties)
	c.floorAt("policy.floor", p.Floor)
	c.update("policy.update", p.Update)
	if c.d.Given("policy.draws") && p.Draws < 1 {
		c.fail("policy.draws", fmt.Sprintf("is %d", p.Draws), "it counts draws", "write a whole number of at least 1")
	}
	c.draw(p.Draw)
	c.seedRules(p.Seed)
	c.strata(p)
	kind := c.catalogue.Policy(p.Name)
	if (kind == nil || !kind.Uniform) && c.p.Experiment.Column != "" && len(c.p.Arms) == 0 {
		c.fail("policy.name", "is "+shown(p.Name)+", and arms are not declared", "the arms of a log of several experiments are not those that each of them chose among", "declare arms")
	}
	if !c.sound("policy.name") {
		return
	}
	kind.CheckTies(judge{c.checker}, p.Ties)
	kind.CheckOrder(judge{c.checker}, p.Order, c.p.Arms, c.p.Hashed() != nil)
	kind.CheckNearTies(judge{c.checker}, p.NearTies)
	c.parameters(p, kind)
	if kind.Learns() {
		c.learning(p)
	}
}

// strata judge the column of which every value has a state of its own.
func (c policyRules) strata(p *Policy) {
	const path = "policy.by"
	if c.d.Given(path) && p.By == "" && c.sound(path) {
		c.fail(path, "names no column", "every value of the column has a state of the policy of its own", "write by: COLUMN, or delete the key")
	}
	if p.By == "" {
		return
	}
	for _, role := range LogColumns() {
		if role.Name(c.p) == string(p.By) && role.Key != KeyUnit {
			c.fail(path, "is "+shown(string(p.By))+", as "+role.Path+" is", "in which state a round is decided is known before its arm is chosen, and is nothing else", "name the column that holds the stratum: the leaf, the country, the type of the request")
		}
	}
	if p.Own.Group("start").Has("given") {
		c.fail(path, "is declared, beside policy.start: {given: …}", "rounds that were given are the first of the log, and of no stratum", "delete one of the two")
	}
	if c.p.Log.PropensityDraws != nil {
		c.fail(path, "is declared, beside log.propensity_draws", "shares of draws are held against their law update by update, and rounds of strata take turns", "audit every stratum as an experiment: experiment: {column: "+string(p.By)+"}")
	}
	if c.p.Log.ReleasedByArm != "" {
		c.fail(path, "is declared, beside log.released_by_arm", "the released sums of a round are those of its stratum, and noise is held against sums that go on from round to round", "delete log.released_by_arm, or audit every stratum as an experiment: experiment: {column: "+string(p.By)+"}")
	}
}

// draw judges which rounds share a draw.
func (c policyRules) draw(d *Draw) {
	if d == nil {
		return
	}
	if c.d.Given("policy.draw.hash") {
		c.hashed(d)
		return
	}
	c.require("policy.draw.by", d.By, "it says which rounds share a draw", "write {by: round} where every round drew anew, or {by: unit} where a unit keeps its arm")
	c.closed("policy.draw.by", d.By)
	for key, mend := range map[string]string{"seed": "delete the key", "unit": "name the column in log.unit", "coverage": "delete the key"} {
		c.surplus("policy.draw."+key, "it belongs to policy.draw.hash, which is absent", mend)
	}
}

// hashed judges a draw that is recomputed from a hash of the unit's key.
func (c policyRules) hashed(d *Draw) {
	const draw = "policy.draw"
	c.closed(draw+".hash", d.Hash)
	if !c.d.Given(draw + ".seed") {
		c.missing(draw+".seed", "it is hashed together with the unit", "add the platform's seed, or seed: '' where it has none")
	}
	c.require(draw+".unit", d.Unit, "it names the column of the keys that are hashed", "add unit: COLUMN")
	if x := d.Coverage; x != nil && !(*x > 0 && *x <= 1) {
		c.fail(draw+".coverage", fmt.Sprintf("is %g", *x), "it is the share of each arm's range that is in the experiment", "write a number above 0 and at most 1, or delete the key")
	}
	c.surplus(draw+".by", "it stands beside policy.draw.hash, by which a unit keeps its arm while its weights stand still", "delete one of the two")
	if unit := c.p.Log.Unit; d.Unit != "" && unit != d.Unit && c.sound(draw+".hash") && c.sound("log.unit") {
		c.fail("log.unit", "is "+shown(unit)+", and policy.draw.unit is "+shown(d.Unit), "one column says whose round a row is", "delete log.unit, or name the same column")
	}
	if !c.d.Given("arms") {
		c.fail(draw+".hash", "is declared, and arms are not", "the ranges of the arms stand one behind another in the order of arms", "declare arms in the platform's order")
	}
	if c.p.Log.Drawn == DrawnOneMore {
		c.fail("log.drawn", "is one-more, beside policy.draw.hash", "a hash takes the weights as they are logged", "delete log.drawn, or the hash")
	}
}

// floorAt judges the exploration floor of a policy.
func (c *checker) floorAt(path string, f *Floor) {
	if f == nil {
		return
	}
	c.require(path+".kind", f.Kind, "it says what becomes of the policy's probabilities", "add kind: mix, or write the number alone")
	c.word(path+".kind", f.Kind, param.FloorKinds())
	switch k, x := len(c.p.Arms), f.Value; {
	case x < 0 || x >= 1:
		c.fail(path, fmt.Sprintf("is %g", x), "a floor is a probability", "write a number from 0 to below 1")
	case x == 0 && (!f.Mixed() || c.d.Given(path+".kind") && !c.d.Given(path+".value")):
		c.fail(path+".value", "is missing, or 0", "a floor of a kind has a value above 0", "write {kind: "+f.Kind+", value: 0.01}, or delete the key")
	case k > 0 && x*float64(k) > 1 && c.sound("arms"):
		c.fail(path, fmt.Sprintf("is %g", x), fmt.Sprintf("%d arms cannot all be played with that probability", k), fmt.Sprintf("write a number from 0 to %.3g", 1/float64(k)))
	}
}

// seedRules judges how the seed is declared; readSeed reads it.
func (c *checker) seedRules(s *Seed) {
	if s == nil || s.Inline || !c.sound("policy.seed") {
		return
	}
	if s.SHA256 != "" {
		if _, ok := parseSeed(s.SHA256); !ok {
			c.fail("policy.seed.sha256", "is "+shown(s.SHA256), "a SHA-256 is 64 hex digits", "write the digest of the 32 bytes, or delete the key")
		}
	}
	switch {
	case s.File != "" && s.Column != "":
		c.fail("policy.seed.column", "stands beside policy.seed.file", "there is one master seed", "delete one of the two")
	case s.File == "" && s.Column == "" && s.SHA256 == "":
		c.fail("policy.seed", "says nothing", "a seed is in a file or in a column", "write {file: seed.hex}, or delete the key")
	}
}

// parameters judges the keys that not every policy has, by what the named policy
// says of them, and what follows from the counter that stands beside it.
func (c policyRules) parameters(p *Policy, kind *param.Policy) {
	kind.Check(judge{c.checker}, p.Own)
	c.contexts(kind)
	var beside *param.Beside
	if k := c.p.Counter; k != nil {
		beside = &param.Beside{Name: k.Name, Noise: c.catalogue.noisy(k.Name), Horizon: k.Horizon}
	}
	kind.CheckBeside(judge{c.checker}, p.Own, beside)
}

// widened reports whether the policy allows for the counter's noise.
func (c *checker) widened() bool {
	p := c.p.Policy
	if p == nil {
		return false
	}
	kind := c.catalogue.Policy(p.Name)
	if kind == nil {
		kind = &param.Policy{}
	}
	return kind.Widened(p.Own) && (kind.Allowing(p.Own) || c.sound("policy."+param.BonusKey))
}

// contexts judges whether the log has what a policy reads that chooses by the
// context of a round, or by its scores.
func (c *checker) contexts(kind *param.Policy) {
	l, sound := c.p.Log, c.sound("log")
	if kind.Linear() && l.Context.IsZero() && l.ContextByArm == "" && sound {
		c.missing("log.context", kind.Name+" chooses by the context of a round", "add context: [COLUMN, ...] under log, or context_by_arm: COLUMN")
	}
	if kind.Scores && l.ScoreByArm == "" && sound {
		c.missing("log.score_by_arm", kind.Name+" chooses by the scores of a round", "add score_by_arm: COLUMN under log: lists of a number for each arm")
	}
}
