package schemas

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// policyParameters lists the keys that a policy has of its own, those that it
// cannot do without first.
func policyParameters(name string) (own []string, needed int) {
	switch name {
	case policyFixed:
		return []string{"probabilities"}, 1
	case policyGreedy:
		return []string{"explore"}, 1
	case policyUCB, policyElimination:
		return []string{"width", "bonus"}, 1
	case policyThompson:
		return []string{"prior"}, 1
	case policySoftmax:
		return []string{"eta"}, 1
	case policyLinUCB:
		return []string{"lambda", "theta_bound", "noise_sd", "width", "context_l1"}, 3
	case policyLinTS:
		return []string{"lambda", "noise_sd", "theta_bound", "context_l1"}, 2
	default:
		return nil, 0
	}
}

// allPolicyParameters are the keys that belong to some policies only.
func allPolicyParameters() []string {
	return []string{
		"width", "bonus", "explore", "prior", "eta", "probabilities",
		"lambda", "theta_bound", "noise_sd", "context_l1",
	}
}

// Learns reports whether the policy's choices depend on rewards. One that does
// not learn chooses the same whatever they are, and whenever they become known.
func (p *Policy) Learns() bool { return p.Name != policyUniform && p.Name != policyFixed }

// Linear reports whether the policy reads sums of contexts times rewards.
func (p *Policy) Linear() bool { return p.Name == policyLinUCB || p.Name == policyLinTS }

// comparesIndices reports whether a policy plays the arm with the largest or
// smallest of some numbers that can be equal.
func comparesIndices(name string) bool {
	return slices.Contains([]string{policyUCB, policyGreedy, policyElimination, policyLinUCB}, name)
}

// parameters judges the keys that belong to the named policy.
func (c *checker) parameters(p *Policy) {
	own, needed := policyParameters(p.Name)
	has := p.Name + " has no parameters of its own"
	if len(own) > 0 {
		has = p.Name + " has: " + strings.Join(own, ", ")
	}
	for _, key := range allPolicyParameters() {
		if !slices.Contains(own, key) {
			c.surplus("policy."+key, has, "delete the key")
		}
	}
	for _, key := range own[:needed] {
		if !c.d.Given("policy." + key) {
			why, mend := need(key)
			c.missing("policy."+key, p.Name+" "+why, mend)
		}
	}
	c.explore(p.Explore)
	c.prior(p.Prior) // first, so that one of its numbers does not hide that another is missing
	c.ranges(p)
	c.width(p)
	c.bonus(p)
	if p.Name == policyFixed {
		c.probabilities("policy.probabilities", p.Probabilities)
	}
	if p.Linear() {
		c.linear(p)
	}
}

// need says what a policy wants a key for, and how it is written.
func need(key string) (why, mend string) {
	switch key {
	case "probabilities":
		return "plays each arm with a declared probability", "add probabilities: [..., ...], one for each arm"
	case "explore":
		return "explores with a declared probability", "add explore: 0.1, or explore: {decay: 5} for min(1, 5/t) in round t"
	case "width":
		return "adds √(2 ln(t/δ)/N), or √(c ln t/N), to a mean", "add width: {delta: 0.05}, or width: {c: 2} for UCB1"
	case "prior":
		return "draws from a posterior, which has a prior", "add prior: {alpha: 1, beta: 1} for rewards of 0 and 1, or prior: {mean: 0.5, variance: 1, noise: 0.25}"
	case "eta":
		return "plays arm i with a probability proportional to exp(η·S_i)", "add eta: NUMBER"
	case "lambda":
		return "starts from the matrix λI", "add lambda: 1"
	case "theta_bound":
		return "has a width that grows with the length of the coefficients", "add theta_bound: NUMBER, which ‖θ‖₂ does not exceed for rewards rescaled to [0,1]"
	default: // noise_sd
		return "takes the standard deviation of a reward about its mean as declared", "add noise_sd: 0.5, which covers rewards rescaled to [0,1]"
	}
}

// ranges judges the parameters that must lie in a range. Those bounds are wide
// enough for every policy, and keep what is computed of them finite.
func (c *checker) ranges(p *Policy) {
	prior := Prior{}
	if p.Prior != nil {
		prior = *p.Prior
	}
	c.below("policy.eta", p.Eta, math.Inf(1))
	for _, e := range []struct {
		path   string
		x      *float64
		lo, hi float64
	}{
		{"policy.lambda", p.Lambda, 1e-60, 1e60},
		{"policy.theta_bound", p.ThetaBound, 1e-60, 1e60},
		{"policy.noise_sd", p.NoiseSD, 1e-60, 1e60},
		{"policy.prior.alpha", prior.Alpha, 1e-3, 1e9},
		{"policy.prior.beta", prior.Beta, 1e-3, 1e9},
		{"policy.prior.mean", prior.Mean, -1e6, 1e6},
		{"policy.prior.variance", prior.Variance, 1e-12, 1e12},
		{"policy.prior.noise", prior.Noise, 1e-12, 1e12},
	} {
		if e.x != nil && (*e.x < e.lo || *e.x > e.hi) {
			c.fail(e.path, fmt.Sprintf("is %g", *e.x), fmt.Sprintf("it must be from %g to %g", e.lo, e.hi), "write a number in that range, for rewards rescaled to [0,1]")
		}
	}
	c.norm("policy.context_l1", p.ContextL1)
}

// maxNorm bounds ‖context‖₁, so that sums of contexts on the finest lattice fit
// an int64.
const maxNorm = 1 << 16

// norm reports a bound on ‖context‖₁ that is given and out of range.
func (c *checker) norm(path string, x Rational) {
	if !x.IsZero() && (x.Inf() || x.Rat().Sign() <= 0 || x.Rat().Cmp(big.NewRat(maxNorm, 1)) > 0) {
		c.fail(path, "is "+x.String(), fmt.Sprintf("it must be more than 0 and at most %d", maxNorm), "write a number in that range")
	}
}

// explore judges the probability of exploring.
func (c *checker) explore(e *Explore) {
	switch {
	case e == nil || !c.sound("policy.explore"):
	case e.Constant == nil && e.Decay == nil:
		c.fail("policy.explore", "has no decay", "it is a probability, or falls as c/t", "write 0.1, or {decay: 5} for min(1, 5/t) in round t")
	case e.Constant != nil && (*e.Constant < 0 || *e.Constant > 1):
		c.fail("policy.explore", fmt.Sprintf("is %g", *e.Constant), "it must be a probability", "write a number from 0 to 1")
	default:
		c.below("policy.explore.decay", e.Decay, math.Inf(1))
	}
}

// prior judges which of the two priors is declared, and whether all of it is.
func (c *checker) prior(p *Prior) {
	if p == nil || !c.sound("policy.prior") {
		return
	}
	beta := p.Alpha != nil || p.Beta != nil
	normal := p.Mean != nil || p.Variance != nil || p.Noise != nil
	if beta == normal {
		what := "has no parameter"
		if beta {
			what = "has parameters of two priors"
		}
		c.fail("policy.prior", what, "a prior is a Beta of alpha and beta, or a normal of mean, variance and noise", "write {alpha: 1, beta: 1} for rewards of 0 and 1, or {mean: 0.5, variance: 1, noise: 0.25}")
		return
	}
	for _, e := range []struct {
		key  string
		x    *float64
		mine bool
	}{{"alpha", p.Alpha, beta}, {"beta", p.Beta, beta}, {"mean", p.Mean, normal}, {"variance", p.Variance, normal}, {"noise", p.Noise, normal}} {
		if e.mine && e.x == nil {
			c.missing("policy.prior."+e.key, "a prior is a Beta of alpha and beta, or a normal of mean, variance and noise", "add "+e.key+": NUMBER")
		}
	}
}

// width judges the width of an upper confidence bound.
func (c *checker) width(p *Policy) {
	w := p.Width
	mend := "write {delta: 0.05}, or {c: 2} for UCB1"
	if p.Name == policyLinUCB {
		c.surplus("policy.width.c", "the width of linucb follows from lambda, theta_bound and noise_sd, at a level delta", "write width: {delta: 0.05}")
		mend = "write {delta: 0.05}"
	}
	switch {
	case w == nil:
	case w.Delta != nil && w.C != nil:
		c.fail("policy.width.c", "stands beside policy.width.delta", "a width has one form", "delete one of the two")
	case w.Delta == nil && w.C == nil && c.sound("policy.width"):
		c.fail("policy.width", "has neither delta nor c", "a width has one form", mend)
	default:
		c.below("policy.width.delta", w.Delta, 1)
		c.below("policy.width.c", w.C, math.Inf(1))
	}
}

// bonus judges the bonus for the counter's noise. linucb has one undeclared.
func (c *checker) bonus(p *Policy) {
	c.word("policy.bonus", p.Bonus, bonusWords())
	if !c.widened() || !c.sound("counter") || c.p.Counter == nil {
		return
	}
	switch {
	case p.Name == policyLinUCB && noisy(c.p.Counter.Name) && c.p.Counter.Horizon == 0:
		c.missing("counter.horizon", "linucb allows for the counter's noise, and spreads its error over K·horizon events", "add horizon: ROUNDS to counter, the number for which the policy was set up")
	case p.Name == policyLinUCB:
	case !noisy(c.p.Counter.Name):
		c.fail("policy.bonus", "is "+shown(p.Bonus), "the counter "+c.p.Counter.Name+" adds no noise that a bonus could cover", "write bonus: none, or declare a counter with noise such as hybrid")
	case c.p.Counter.Horizon == 0:
		c.missing("counter.horizon", "the bonus "+p.Bonus+" spreads its error over K·horizon events", "add horizon: ROUNDS to counter, the number for which the policy was set up")
	case p.Bonus == bonusPaper && c.p.Counter.Horizon == 1:
		c.fail("counter.horizon", "is 1", "the bonus paper takes the logarithm of ln(horizon), and 1 has none", "write the number of rounds for which the policy was set up")
	}
}

// widened reports whether the policy has a bonus for the counter's noise.
func (c *checker) widened() bool {
	p := c.p.Policy
	return p != nil && (p.Name == policyLinUCB || p.Bonus != "" && p.Bonus != noBonus && c.sound("policy.bonus"))
}

// probabilities judges a fixed allocation.
func (c *checker) probabilities(path string, probs []float64) {
	if len(probs) == 0 {
		if c.sound(path) {
			c.missing(path, "fixed plays each arm with a declared probability", "add probabilities: [..., ...], one for each arm")
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

// linear judges what a policy that reads contexts needs beside its parameters.
func (c *checker) linear(p *Policy) {
	if l := c.p.Log; l.Context.IsZero() && l.ContextByArm == "" && c.sound("log") {
		c.missing("log.context", p.Name+" chooses by the context of a round", "add context: [COLUMN, ...] under log, or context_by_arm: COLUMN")
	}
	if k := c.p.Counter; k != nil && noisy(k.Name) && p.ContextL1.IsZero() {
		c.missing("policy.context_l1", "one reward moves the sums by up to ‖context‖₁, and the noise is scaled for it", "add context_l1: NUMBER, a bound known before the experiment and never read off the data")
	}
}
