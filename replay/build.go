package replay

import (
	"errors"
	"math/big"
	"strconv"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

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
	if missing := p.Log.MissingReward; p.Policy.Learns() {
		refuse(missing != "" && missing != schemas.MissingError, "log.missing_reward", missing, "this version replays a policy that learns from rewards only where every reward is known", leave)
	}
	if s := p.Policy.Seed; s != nil {
		refuse(s.Column != "", "policy.seed.column", s.Column, "this version takes the seed from a file", "write the 64 hex digits into a file and name it in policy.seed.file")
		refuse(s.Bytes != nil && len(s.Bytes) != 32, "policy.seed", strconv.Itoa(len(s.Bytes))+" bytes", "a master seed has 32 bytes", "write 64 hex digits")
	}
	return faults
}

// exact reports whether the declared counter has no noise to replay.
func exact(p *schemas.Protocol) bool { return p.Counter != nil && p.Counter.Name == "exact" }

// buildCounter returns the declared counter; nil when none is declared.
func buildCounter(p *schemas.Protocol) (counter.Counter, error) {
	if p.Counter == nil {
		return nil, nil //nolint:nilnil // a protocol without a counter is no error: uniform needs none
	}
	spec, faults := counterSpec(p)
	built, err := counter.New(spec)
	if err = errors.Join(append(faults, asWritten(p.Counter, faultsOf(err))...)...); err != nil {
		return nil, err
	}
	return built, nil
}

// counterSpec reads the counter that a protocol declares. With faults it is one
// of which New has nothing more to say.
func counterSpec(p *schemas.Protocol) (counter.Spec, []error) {
	c := p.Counter
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
	return spec, faults
}

// asWritten has faults of a counter show its numbers as the protocol writes
// them: 1e-12, not 1/1000000000000.
func asWritten(c *schemas.Counter, faults []error) []error {
	for _, err := range faults {
		f, ok := errors.AsType[*Fault](err)
		if !ok {
			continue
		}
		for path, number := range map[string]schemas.Rational{
			"counter.epsilon": c.Epsilon, "counter.grid": c.Grid, "counter.exponent": c.Exponent, "counter.sensitivity": c.Sensitivity,
		} {
			if f.Path == path && !number.IsZero() {
				f.Value = number.String()
			}
		}
	}
	return faults
}

// moves writes to spec what one row moves a sum by: 1, or for a linear policy
// ‖context‖₁, whose declared bound is policy.context_l1. The noise is scaled
// for that, unless counter.sensitivity says that it was scaled for something
// else; the law then charges what the bound costs.
func moves(p *schemas.Protocol, spec *counter.Spec) []error {
	scaled, bound := p.Counter.Sensitivity, p.Policy.ContextL1
	if !p.Policy.Linear() {
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

func rational(r schemas.Rational) *big.Rat { return r.Rat() }

// buildPolicy returns a function that makes the declared policy for one run.
func buildPolicy(p *schemas.Protocol, k int, sums counter.Counter) (func(policy.Draws) policy.Policy, error) {
	switch p.Policy.Name {
	case "uniform":
		return func(d policy.Draws) policy.Policy { return policy.NewUniform(d.Choice) },
			errors.Join(foreign(p.Policy)...)
	case "fixed":
		return buildFixed(p, k, sums)
	case "epsilon-greedy":
		return buildEpsilonGreedy(p, k, sums)
	case "ucb":
		return buildUCB(p, k, sums)
	case "thompson":
		return buildThompson(p, k, sums)
	case "softmax":
		return buildSoftmax(p, k, sums)
	case "successive-elimination":
		return buildSuccessiveElimination(p, k, sums)
	case "lints":
		return buildLinTS(p, k, sums)
	case "linucb":
		return buildLinUCB(p, k, sums)
	}
	return nil, &Fault{"policy.name", strconv.Quote(p.Policy.Name), "no policy has that name", "declare one that the protocol's format lists, or leave policy out"}
}

// foreign returns a fault for every declared parameter that the policy does
// not have. own lists what it has, beside the seed, the floor and the update
// schedule, which every policy has; a schedule changes nothing for one that
// reads no rewards. ties: first says what holds anyway.
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
			faults = append(faults, &Fault{"policy." + d.name, d.value, "the policy " + p.Name + " does not take it", "leave it out"})
		}
	}
	return faults
}

func value(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
