package schemas

import (
	"cmp"
	"slices"

	"banditaudit/schemas/param"
)

// Defaults of the protocol that other packages may want to name.
const (
	DefaultAlpha    = 0.05
	DefaultGrid     = "2^-20"
	DefaultExponent = "1.1"
)

// PathDrawn is the path of the key that says how an action was drawn beside shares of
// draws.
const PathDrawn = "log.drawn"

// applyDefaults fills in every default of the protocol, and is the one place
// that does. It changes nothing that was given; applying it twice changes
// nothing more. What only means something beside a declaration (a counter's
// grid, a claim's arms) is filled in only there.
func (c *Catalogue) applyDefaults(p *Protocol) {
	p.Experiment.Stopping = cmp.Or(p.Experiment.Stopping, StoppingUnknown)
	p.Log.Ties = cmp.Or(p.Log.Ties, TiesError)
	p.Log.MissingReward = cmp.Or(p.Log.MissingReward, MissingError)
	if p.Log.PropensityDraws != nil && p.Log.Drawn == "" {
		p.Log.Drawn = DrawnFromEstimate
		p.Assumed = append(p.Assumed, PathDrawn)
	}
	if d := p.Hashed(); d != nil {
		p.Log.Unit = cmp.Or(p.Log.Unit, d.Unit)
		if d.Coverage == nil {
			d.Coverage = new(1.0)
		}
	}
	if u := p.updates(); u != nil && u.Version != "" {
		p.Log.Batch = cmp.Or(p.Log.Batch, u.Version)
	}
	p.Assumed = append(p.Assumed, setByDefaults(p)...)
	if kept := p.Log.Kept(); kept != "" && p.Log.KeepBy == "" {
		if p.Log.KeepBy = kept; kept == KeepBySchedule {
			p.Assumed = append(p.Assumed, PathKeepBy)
		}
	}
	for i := range p.Log.Context.Columns {
		c := &p.Log.Context.Columns[i]
		if len(c.Levels) > 0 && c.Baseline == nil {
			c.Baseline = new(c.Levels[0])
		}
	}
	p.Reward.OutOfRange = cmp.Or(p.Reward.OutOfRange, OutOfRangeError)
	if p.Policy != nil {
		c.policyDefaults(p.Policy)
		if p.Policy.Draw == nil && p.Log.Unit == "" {
			p.Policy.Draw = &Draw{By: DrawByRound} // where units repeat, absent is not the same as declared
		}
	}
	if p.Program != nil {
		programDefaults(p.Program)
	}
	if p.Counter != nil && c.noisy(p.Counter.Name) {
		c.counterDefaults(p.Counter, p.Policy)
	}
	if p.Privacy != nil {
		p.Privacy.Definition = cmp.Or(p.Privacy.Definition, DefinitionPure)
		p.Privacy.Unit = cmp.Or(p.Privacy.Unit, UnitRound)
	}
	c.analysisDefaults(&p.Analysis)
	for i := range p.Claims {
		c.claimDefaults(&p.Claims[i])
	}
}

func (c *Catalogue) policyDefaults(p *Policy) {
	p.Ties = cmp.Or(p.Ties, param.TiesFirst)
	if kind := c.Policy(p.Name); kind != nil {
		p.Own = kind.Filled(p.Own)
		if kind.Indexed && p.NearTies.IsZero() {
			p.NearTies = MustRational(param.NearTies)
		}
	}
	if p.Update == nil {
		p.Update = &Update{Every: 1}
	}
}

// counterDefaults fills in those of a counter that adds noise.
func (c *Catalogue) counterDefaults(k *Counter, p *Policy) {
	if k.Grid.IsZero() {
		k.Grid = MustRational(DefaultGrid)
	}
	if c.Counter(k.Name).Exponent && k.Exponent.IsZero() {
		k.Exponent = MustRational(DefaultExponent)
	}
	if p != nil && c.linear(p) && k.Sensitivity.IsZero() {
		k.Sensitivity = p.Own.Exact(param.ContextBound)
	}
}

func (c *Catalogue) analysisDefaults(a *Analysis) {
	a.Alpha = cmp.Or(a.Alpha, DefaultAlpha)
	a.Decide = cmp.Or(a.Decide, DecideAuto)
	a.Multiplicity = cmp.Or(a.Multiplicity, AdjustHolm)
	a.Means = cmp.Or(a.Means, MeansVarying)
	a.Carryover = cmp.Or(a.Carryover, CarryoverPossible)
	a.Sequence = cmp.Or(a.Sequence, SequenceBets)
	a.Approximate = cmp.Or(a.Approximate, ApproximateRefuse)
	if names := c.HeadlineNames(); len(names) > 0 {
		a.Correction.Method = cmp.Or(a.Correction.Method, names[0])
	}
	a.Correction.Beta = cmp.Or(a.Correction.Beta, betaBest)
	a.Rerun.defaults()
	for i := range a.Evaluate {
		if policy := a.Evaluate[i].Target.Policy; policy != nil {
			c.policyDefaults(policy)
		}
	}
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
		a.Tests[i].Decide = cmp.Or(a.Tests[i].Decide, a.Decide)
	}
}

func (c *Catalogue) claimDefaults(claim *Claim) {
	claim.Severity = cmp.Or(claim.Severity, SeverityRequired)
	if kind := c.Claim(claim.Kind); kind != nil && slices.Contains(kind.Keys, "arms") && len(claim.Arms) == 0 {
		claim.Arms = []string{ArmsAll}
	}
}

// noisy reports whether a counter adds noise.
func (c *Catalogue) noisy(counter string) bool {
	kind := c.Counter(counter)
	return kind != nil && kind.Noise
}

// linear reports whether a policy reads sums of contexts times rewards.
func (c *Catalogue) linear(p *Policy) bool {
	kind := c.Policy(p.Name)
	return kind != nil && kind.Linear()
}
