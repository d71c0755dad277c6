package schemas

import (
	"cmp"
	"slices"
)

// Defaults of the protocol that other packages may want to name.
const (
	DefaultAlpha    = 0.05
	DefaultGrid     = "2^-20"
	DefaultExponent = "1.1"
	DefaultDelta    = 0.05 // level of the width of linucb, and of a bonus beside a width without one
)

// applyDefaults fills in every default of the protocol, and is the one place
// that does. It changes nothing that was given; applying it twice changes
// nothing more. What only means something beside a declaration (a counter's
// grid, a claim's arms) is filled in only there.
func applyDefaults(p *Protocol) {
	p.Experiment.Stopping = cmp.Or(p.Experiment.Stopping, StoppingUnknown)
	p.Log.Ties = cmp.Or(p.Log.Ties, TiesError)
	p.Log.MissingReward = cmp.Or(p.Log.MissingReward, MissingError)
	for i := range p.Log.Context.Columns {
		c := &p.Log.Context.Columns[i]
		if len(c.Levels) > 0 && c.Baseline == nil {
			c.Baseline = new(c.Levels[0])
		}
	}
	p.Reward.OutOfRange = cmp.Or(p.Reward.OutOfRange, OutOfRangeError)
	if p.Policy != nil {
		policyDefaults(p.Policy)
	}
	if p.Counter != nil && noisy(p.Counter.Name) {
		counterDefaults(p.Counter, p.Policy)
	}
	if p.Privacy != nil {
		p.Privacy.Definition = cmp.Or(p.Privacy.Definition, DefinitionPure)
		p.Privacy.Unit = cmp.Or(p.Privacy.Unit, UnitRound)
	}
	analysisDefaults(&p.Analysis)
	for i := range p.Claims {
		claimDefaults(&p.Claims[i])
	}
}

func policyDefaults(p *Policy) {
	p.Ties = cmp.Or(p.Ties, tiesFirst)
	if p.Name == policyUCB || p.Name == policyElimination {
		p.Bonus = cmp.Or(p.Bonus, noBonus)
	}
	if p.Name == policyLinUCB && p.Width == nil {
		p.Width = &Width{Delta: new(DefaultDelta)}
	}
	if p.Update == nil {
		p.Update = &Update{Every: 1}
	}
}

// counterDefaults fills in those of a counter that adds noise.
func counterDefaults(k *Counter, p *Policy) {
	if k.Grid.IsZero() {
		k.Grid = MustRational(DefaultGrid)
	}
	if k.Name == counterInterval && k.Exponent.IsZero() {
		k.Exponent = MustRational(DefaultExponent)
	}
	if p != nil && p.Linear() && k.Sensitivity.IsZero() {
		k.Sensitivity = p.ContextL1
	}
}

func analysisDefaults(a *Analysis) {
	a.Alpha = cmp.Or(a.Alpha, DefaultAlpha)
	a.Multiplicity = cmp.Or(a.Multiplicity, AdjustHolm)
	a.Correction.Method = cmp.Or(a.Correction.Method, "conditional")
	a.Correction.Beta = cmp.Or(a.Correction.Beta, betaBest)
	for i := range a.Regressions {
		r := &a.Regressions[i]
		r.Arms = cmp.Or(r.Arms, SelectEach)
		if r.Covariance.Cluster == "" {
			r.Covariance.Kind = cmp.Or(r.Covariance.Kind, "HC3")
		} else {
			r.Covariance.Kind = cmp.Or(r.Covariance.Kind, "CR1")
		}
		if r.Intercept == nil {
			r.Intercept = new(true)
		}
	}
	for i := range a.Tests {
		a.Tests[i].Alternative = cmp.Or(a.Tests[i].Alternative, TwoSided)
	}
}

func claimDefaults(c *Claim) {
	c.Severity = cmp.Or(c.Severity, SeverityRequired)
	if c.Kind == KindBiasBound && len(c.Arms) == 0 {
		c.Arms = []string{ArmsAll}
	}
}

// noisy reports whether a counter adds noise: all but exact do.
func noisy(counter string) bool {
	return counter != counterExact && slices.Contains(counterWords(), counter)
}
