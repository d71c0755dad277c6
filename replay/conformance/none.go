package conformance

import "banditaudit/schemas"

// none is the conformance of a log that holds no evidence of how its actions
// were chosen: no seed, no propensities, or no declared policy. Whoever wants
// more next time logs the seed, or what the policy saw.
func (j *job) none() schemas.Conformance {
	return schemas.Conformance{Mode: schemas.ModeNone, Rounds: j.s.Rows()}
}
