package replay

import (
	"errors"
	"math/big"
	"strconv"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// defaultDelta is the δ of the quantile bonus when the width has none.
const defaultDelta = 0.05

// unsupported returns a fault for everything in the protocol that changes what
// a policy does and that this version cannot replay. Replaying without it
// would convict an honest log.
func unsupported(p *schemas.Protocol) []error {
	var faults []error
	refuse := func(declared bool, path, value, rule, mend string) {
		if declared {
			faults = append(faults, &Fault{path, value, rule, mend})
		}
	}
	leave := "leave policy out and have the log audited without replay"
	refuse(p.Log.Eligible != "", "log.eligible", p.Log.Eligible, "this version replays policies that choose among all arms", leave)
	if missing := p.Log.MissingReward; readsRewards(p) {
		refuse(p.Log.RewardOrder != "", "log.reward_order", p.Log.RewardOrder, "this version replays rewards that are known at once", leave)
		refuse(missing != "" && missing != schemas.MissingError, "log.missing_reward", missing, "this version replays a policy that learns from rewards only where every reward is known", leave)
		refuse(p.Log.ReleasedByArm != "" && p.Policy.Seed == nil && !exact(p), "log.released_by_arm", p.Log.ReleasedByArm,
			"this version replays from a seed, not from released values", "name the seed in policy.seed, or "+leave)
	}
	if v := p.Privacy; v != nil {
		refuse(v.Unit == "user", "privacy.unit", v.Unit, "this version accounts for one round's reward", "declare unit: round and multiply by the rounds of a user")
		refuse(v.Definition == "zcdp", "privacy.definition", v.Definition, "this version accounts under pure differential privacy", "declare definition: pure")
	}
	if s := p.Policy.Seed; s != nil {
		refuse(s.Column != "", "policy.seed.column", s.Column, "this version takes the seed from a file", "write the 64 hex digits into a file and name it in policy.seed.file")
		refuse(s.Bytes != nil && len(s.Bytes) != 32, "policy.seed", strconv.Itoa(len(s.Bytes))+" bytes", "a master seed has 32 bytes", "write 64 hex digits")
	}
	return faults
}

// readsRewards reports whether the declared policy learns from rewards. One
// that does not chooses the same whenever, and whether, a reward becomes known.
func readsRewards(p *schemas.Protocol) bool {
	return p.Policy.Name != "uniform" && p.Policy.Name != "fixed"
}

// exact reports whether the declared counter has no noise to replay.
func exact(p *schemas.Protocol) bool { return p.Counter != nil && p.Counter.Name == "exact" }

// buildCounter returns the declared counter; nil when none is declared.
func buildCounter(p *schemas.Protocol) (counter.Counter, error) {
	c := p.Counter
	if c == nil {
		return nil, nil //nolint:nilnil // a protocol without a counter is no error: uniform needs none
	}
	spec := counter.Spec{Name: c.Name, Epsilon: rational(c.Epsilon), Grid: rational(c.Grid), Horizon: c.Horizon, Exponent: rational(c.Exponent)}
	var faults []error
	if c.Epsilon.Inf() {
		faults = append(faults, &Fault{"counter.epsilon", "inf", "a noise of scale 0 is the exact counter", "declare name: exact and leave epsilon out"})
		spec.Epsilon = big.NewRat(1, 1) // the fault speaks for it
	}
	if c.Horizon < 0 {
		faults = append(faults, &Fault{"counter.horizon", strconv.FormatInt(c.Horizon, 10), "it counts rounds", "write the planned number of rounds"})
		spec.Horizon = 1
	}
	if c.Exponent.Inf() {
		faults = append(faults, &Fault{"counter.exponent", "inf", "it must be more than 1 and at most 3/2", "write 1.1"})
	}
	faults = append(faults, moves(p, &spec)...)
	built, err := counter.New(spec)
	if err = errors.Join(append(faults, err)...); err != nil {
		return nil, err
	}
	return built, nil
}

// moves writes to spec what one row moves a sum by: 1, or for a linear policy
// ‖context‖₁, whose declared bound is policy.context_l1. The noise is scaled
// for that, unless counter.sensitivity says that it was scaled for something
// else; the law then charges what the bound costs.
func moves(p *schemas.Protocol, spec *counter.Spec) []error {
	scaled, bound := p.Counter.Sensitivity, p.Policy.ContextL1
	if !linear(p) {
		if !scaled.IsZero() {
			return []error{&Fault{"counter.sensitivity", scaled.String(), "one reward moves a sum by 1; only linear policies sum contexts", "leave it out"}}
		}
		return nil
	}
	if exact(p) {
		if !scaled.IsZero() {
			return []error{&Fault{"counter.sensitivity", scaled.String(), "the exact counter adds no noise that could be scaled", "leave it out"}}
		}
		return nil
	}
	if scaled.IsZero() {
		scaled = bound
	}
	var faults []error
	if bound.IsZero() {
		faults = append(faults, &Fault{"policy.context_l1", "not given", "one reward moves the sums by up to ‖context‖₁, and the cost follows from a bound on it", "declare a bound known before the experiment"})
	}
	for _, v := range []struct {
		path string
		x    schemas.Rational
	}{{"policy.context_l1", bound}, {"counter.sensitivity", p.Counter.Sensitivity}} {
		if v.x.Inf() {
			faults = append(faults, &Fault{v.path, "inf", "it must be finite", "write a bound known before the experiment"})
		}
	}
	spec.Sensitivity, spec.Bound = rational(scaled), rational(bound)
	return faults
}

// linear reports whether the declared policy reads sums of contexts times
// rewards.
func linear(p *schemas.Protocol) bool { return p.Policy.Name == "linucb" || p.Policy.Name == "lints" }

func rational(r schemas.Rational) *big.Rat { return r.Rat() }

// buildPolicy returns a function that makes the declared policy for one run.
func buildPolicy(p *schemas.Protocol, k int, sums counter.Counter) (func(policy.Draws) policy.Policy, error) {
	switch p.Policy.Name {
	case "uniform":
		return func(d policy.Draws) policy.Policy { return policy.NewUniform(d.Choice) },
			errors.Join(foreign(p.Policy)...)
	case "ucb":
		return buildUCB(p, k, sums)
	case "linucb":
		return buildLinUCB(p, k, sums)
	}
	return nil, &Fault{"policy.name", strconv.Quote(p.Policy.Name), "this version has the policies uniform and ucb", "declare one of them, or leave policy out"}
}

// foreign returns a fault for every declared parameter that the policy does
// not have. own lists what it has, beside seed, floor and update, which every
// policy has. ties: first says what holds anyway.
func foreign(p *schemas.Policy, own ...string) []error {
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	declared := []struct {
		name, value string
		set         bool
	}{
		{"width", "given", p.Width != nil},
		{"bonus", p.Bonus, p.Bonus != "" && p.Bonus != "none"},
		{"ties", p.Ties, p.Ties != "" && p.Ties != "first"},
		{"explore", "given", p.Explore != nil},
		{"prior", "given", p.Prior != nil},
		{"eta", number(p.Eta), p.Eta != nil},
		{"probabilities", "given", p.Probabilities != nil},
		{"lambda", number(p.Lambda), p.Lambda != nil},
		{"theta_bound", number(p.ThetaBound), p.ThetaBound != nil},
		{"noise_sd", number(p.NoiseSD), p.NoiseSD != nil},
		{"context_l1", p.ContextL1.String(), !p.ContextL1.IsZero()},
		{"draws", strconv.FormatInt(p.Draws, 10), p.Draws != 0},
	}
	var faults []error
	for _, d := range declared {
		mine := false
		for _, o := range own {
			mine = mine || o == d.name
		}
		if d.set && !mine {
			faults = append(faults, &Fault{"policy." + d.name, d.value, "the policy " + p.Name + " of this version does not take it", "leave it out"})
		}
	}
	return faults
}

// buildUCB returns the maker of UCB policies.
func buildUCB(p *schemas.Protocol, k int, sums counter.Counter) (func(policy.Draws) policy.Policy, error) {
	faults := foreign(p.Policy, "width", "bonus")
	width := policy.Width{}
	if w := p.Policy.Width; w != nil {
		width = policy.Width{Delta: value(w.Delta), C: value(w.C)}
		if w.Delta != nil && *w.Delta == 0 {
			faults = append(faults, &Fault{"policy.width.delta", "0", "it must lie strictly between 0 and 1", "write 0.05"})
		}
		if w.C != nil && *w.C == 0 {
			faults = append(faults, &Fault{"policy.width.c", "0", "it must be finite and above 0", "write 2 for UCB1"})
		}
	}
	if len(faults) == 0 {
		faults = faultsOf(width.Validate())
	}
	if p.Counter == nil {
		faults = append(faults, &Fault{"counter", "not declared", "ucb reads sums of rewards from a counter", "declare counter: {name: exact} if the policy saw the rewards as they are"})
	}
	bonus, err := buildBonus(p, k, sums, width)
	if err = errors.Join(append(faults, err)...); err != nil {
		return nil, err
	}
	return func(policy.Draws) policy.Policy { return policy.NewUCB(k, width, bonus) }, nil
}

// buildBonus returns the declared bonus; nil for none.
func buildBonus(p *schemas.Protocol, k int, sums counter.Counter, w policy.Width) (policy.Bonus, error) {
	switch b := p.Policy.Bonus; {
	case b == "" || b == "none":
		return nil, nil //nolint:nilnil // no bonus is a bonus of the protocol
	case b == "paper":
		return nil, &Fault{"policy.bonus", b, "this version does not have the bonus of the paper's appendix", "declare quantile or none"}
	case b != "quantile":
		return nil, &Fault{"policy.bonus", strconv.Quote(b), "the bonuses are none and quantile", "declare one of them"}
	}
	if sums == nil {
		return nil, nil //nolint:nilnil // the missing or faulty counter is reported where it is built
	}
	if sums.Noise(1) == nil {
		return nil, &Fault{"policy.bonus", "quantile", "it is a quantile of the counter's noise, and the exact counter has none", "declare bonus: none"}
	}
	if p.Counter.Horizon < 1 || k < 1 {
		return nil, &Fault{"counter.horizon", "not given", "the bonus quantile holds at the level δ/(K·horizon)", "write the planned number of rounds"}
	}
	delta := w.Delta
	if delta == 0 {
		delta = defaultDelta
	}
	return quantileOf(sums, delta/float64(float64(k)*float64(p.Counter.Horizon))), nil
}

// quantileOf returns the quantile bonus of a counter's noise at a level.
func quantileOf(sums counter.Counter, level float64) policy.Bonus {
	noise := func(n int64) []policy.Noise {
		var terms []policy.Noise
		for _, v := range sums.Noise(n) {
			terms = append(terms, policy.Noise(v))
		}
		return terms
	}
	return policy.NewQuantile(level, sums.Shapes(), sums.Shape, noise)
}

func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
