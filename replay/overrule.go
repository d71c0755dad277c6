package replay

// Overrule has something else than the policy choose: in every round of Bandit,
// after the policy's choice, change is called with the round as it then is and
// may set Arm, Propensity and Propensities. The policy learns from the action
// that was taken. nil leaves the policy alone.
func (r *Runner) Overrule(change func(*Step)) { r.overrule = change }
