package schemas

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// policyParameters lists the keys that a policy has of its own.
func policyParameters(name string) []string {
	switch name {
	case policyFixed:
		return []string{"probabilities"}
	case "epsilon-greedy":
		return []string{"explore"}
	case policyUCB:
		return []string{"width", "bonus"}
	case "thompson":
		return []string{"prior"}
	case "softmax":
		return []string{"eta"}
	case "successive-elimination":
		return []string{"width"}
	case "linucb", "lints":
		return []string{"lambda", "theta_bound", "noise_sd", "context_l1"}
	default:
		return nil
	}
}

// allPolicyParameters are the keys that belong to some policies only.
func allPolicyParameters() []string {
	return []string{
		"width", "bonus", "explore", "prior", "eta", "probabilities",
		"lambda", "theta_bound", "noise_sd", "context_l1",
	}
}

func (c *checker) policy() {
	p := c.p.Policy
	if p == nil {
		return
	}
	c.require("policy.name", p.Name, "it says which selection functions were used", "add name: ucb, or delete policy")
	c.word("policy.name", p.Name, policyWords())
	c.word("policy.ties", p.Ties, policyTiesWords())
	if p.Floor != nil && (*p.Floor < 0 || *p.Floor >= 1) {
		c.fail("policy.floor", fmt.Sprintf("is %g", *p.Floor), "a floor is a probability", "write a number from 0 to below 1")
	}
	if p.Update != nil && !p.Update.Batch && p.Update.Every < 1 {
		c.fail("policy.update", fmt.Sprintf("is every %d rounds", p.Update.Every), "a policy learns after at least one round", "write {every: 1}")
	}
	if c.d.Given("policy.draws") && p.Draws < 1 {
		c.fail("policy.draws", fmt.Sprintf("is %d", p.Draws), "it counts draws", "write a whole number of at least 1")
	}
	c.seedRules(p.Seed)
	if p.Name != policyUniform && c.p.Experiment.Column != "" && len(c.p.Arms) == 0 {
		c.fail("policy.name", "is "+shown(p.Name)+", and arms are not declared", "the arms of a log of several experiments are not those that each of them chose among", "declare arms")
	}
	if c.sound("policy.name") {
		c.parameters(p)
		c.reads(p)
	}
}

// parameters judges the keys that belong to the named policy.
func (c *checker) parameters(p *Policy) {
	own := policyParameters(p.Name)
	has := p.Name + " has no parameters of its own"
	if len(own) > 0 {
		has = p.Name + " has: " + strings.Join(own, ", ")
	}
	for _, key := range allPolicyParameters() {
		if !slices.Contains(own, key) {
			c.surplus("policy."+key, has, "delete the key")
		}
	}
	switch p.Name {
	case policyUCB:
		c.width(p.Width)
		c.bonus(p)
	case policyFixed:
		c.probabilities("policy.probabilities", p.Probabilities)
	}
	c.positive(p)
}

// positive judges the parameters that must lie above a bound.
func (c *checker) positive(p *Policy) {
	prior := Prior{}
	if p.Prior != nil {
		prior = *p.Prior
	}
	for _, e := range []struct {
		path string
		x    *float64
	}{
		{"policy.eta", p.Eta},
		{"policy.lambda", p.Lambda},
		{"policy.theta_bound", p.ThetaBound},
		{"policy.noise_sd", p.NoiseSD},
		{"policy.context_l1", p.ContextL1},
		{"policy.prior.alpha", prior.Alpha},
		{"policy.prior.beta", prior.Beta},
		{"policy.prior.variance", prior.Variance},
		{"policy.prior.noise", prior.Noise},
	} {
		c.below(e.path, e.x, math.Inf(1))
	}
	if p.Explore != nil && (*p.Explore < 0 || *p.Explore > 1) {
		c.fail("policy.explore", fmt.Sprintf("is %g", *p.Explore), "it must be a probability", "write a number from 0 to 1")
	}
}

// width judges the width of an upper confidence bound.
func (c *checker) width(w *Width) {
	switch {
	case w == nil:
		c.missing("policy.width", "ucb adds √(2 ln(t/δ)/N), or √(c ln t/N), to a mean", "add width: {delta: 0.05}, or width: {c: 2} for UCB1")
	case w.Delta != nil && w.C != nil:
		c.fail("policy.width.c", "stands beside policy.width.delta", "a width has one form", "delete one of the two")
	case w.Delta == nil && w.C == nil && c.sound("policy.width"):
		c.fail("policy.width", "has neither delta nor c", "a width has one form", "write {delta: 0.05}, or {c: 2} for UCB1")
	default:
		c.below("policy.width.delta", w.Delta, 1)
		c.below("policy.width.c", w.C, math.Inf(1))
	}
}

// bonus judges the bonus for the counter's noise.
func (c *checker) bonus(p *Policy) {
	c.word("policy.bonus", p.Bonus, bonusWords())
	if p.Bonus == "none" || !c.sound("policy.bonus") || !c.sound("counter") || c.p.Counter == nil {
		return
	}
	switch {
	case !noisy(c.p.Counter.Name):
		c.fail("policy.bonus", "is "+shown(p.Bonus), "the counter "+c.p.Counter.Name+" adds no noise that a bonus could cover", "write bonus: none, or declare a counter with noise such as hybrid")
	case c.p.Counter.Horizon == 0:
		c.missing("counter.horizon", "the bonus "+p.Bonus+" spreads its error over K·horizon events", "add horizon: ROUNDS to counter, the number for which the policy was set up")
	}
}

// probabilities judges a fixed allocation.
func (c *checker) probabilities(path string, probs []float64) {
	if len(probs) == 0 {
		if c.sound(path) {
			c.missing(path, "a fixed policy plays each arm with a declared probability", "add probabilities: [..., ...], one for each arm")
		}
		return
	}
	if !c.sound(path) {
		return
	}
	sum := 0.0
	for i, x := range probs {
		if x < 0 || x > 1 {
			c.fail(index(path, i), fmt.Sprintf("is %g", x), "it must be a probability", "write a number from 0 to 1")
		}
		sum += x
	}
	if k := len(c.p.Arms); k > 0 && k != len(probs) && c.sound("arms") {
		c.fail(path, fmt.Sprintf("has %d entries", len(probs)), fmt.Sprintf("there are %d arms", k), "write one probability for each arm")
		return
	}
	// Decimal literals such as 0.1 add up to 1 only within rounding.
	if c.sound(path) && math.Abs(sum-1) > 1e-9 {
		c.fail(path, fmt.Sprintf("adds up to %g", sum), "probabilities add up to 1", "correct the list")
	}
}

// reads judges whether the policy's counter is there. A policy that reads no
// reward (uniform, fixed) needs none, and its pair with any counter costs 0.
func (c *checker) reads(p *Policy) {
	if c.p.Counter != nil || c.d.Given("counter") || p.Name == policyUniform || p.Name == policyFixed {
		return
	}
	c.missing("counter", p.Name+" reads sums of rewards, and what that costs depends on the counter", "add counter: {name: hybrid, epsilon: 0.25, horizon: ROUNDS}, or counter: {name: exact} where the sums were not private")
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
