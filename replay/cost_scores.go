package replay

import (
	"fmt"
	"math"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// scoredByRewards says why no bound is known of a policy that plays by scores: rewards as
// they are may have made them. "" of other policies, and where the scores were set without
// rewards, or by released values, which the counter's own law counts (Released).
func (d *declaration) scoredByRewards() string {
	if !d.kind.Scores {
		return ""
	}
	for _, s := range schemas.SetBys() {
		word := s.Word(d.Protocol)
		if s.Key == schemas.KeyScoreBy && (word == schemas.SetByRewards || word == schemas.SetByUnknown) {
			return fmt.Sprintf("the policy plays by scores, rewards as they are may have made them (%s: %s), and no bound is known for what that gives away of them", s.Path(), word)
		}
	}
	return ""
}

// unknownLaw is the law of a policy of whose choices nobody knows what they give away of a
// row: ∞ for every row, which contradicts no claim.
type unknownLaw struct{ name, slack string }

var (
	_ ledger.Bound  = unknownLaw{}
	_ ledger.Coster = unknownLaw{}
)

// Name returns the policy's name.
func (l unknownLaw) Name() string { return l.name }

// Slack says why ε is infinite.
func (l unknownLaw) Slack() string { return l.slack }

// Epsilon returns ∞.
func (unknownLaw) Epsilon() ledger.Loss { return ledger.Infinite() }

// Rho returns ∞.
func (unknownLaw) Rho() float64 { return math.Inf(1) }

// Cost returns ∞ for every row of the stream.
func (unknownLaw) Cost(n, size int64) ledger.Loss {
	if n < 1 || n > size {
		return ledger.Loss{}
	}
	return ledger.Infinite()
}

// Costs returns +Inf for every row of the stream.
func (l unknownLaw) Costs(size int64) func(n int64) float64 {
	return func(n int64) float64 { return l.Cost(n, size).Up() }
}

// Levels returns the single level ∞.
func (unknownLaw) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	return []ledger.Level{{Cost: ledger.Infinite(), Rows: size}}
}

// Releases returns nil.
func (unknownLaw) Releases(int64) []ledger.Release { return nil }
