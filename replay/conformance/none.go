package conformance

import "banditaudit/schemas"

// none is the conformance of a log that holds no evidence of how its actions
// were chosen: no seed, no propensities, or no declared policy. Whoever wants
// more next time logs the seed, or what the policy saw.
func (j *job) none() schemas.Conformance {
	return schemas.Conformance{Mode: schemas.ModeNone, Rounds: j.s.Rows()}
}

// chosen counts the rounds that the policy chose: all but those that were given to it.
func (j *job) chosen() int64 { return max(0, j.s.Rows()-j.Mechanism.Given()) }
