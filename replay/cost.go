package replay

import (
	"fmt"
	"math"
	"math/big"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// pairLaw decides what a pair of policy and counter costs over k arms. It is
// the only place that does. The first line that fits holds:
//
//	a policy that plays by scores which   ∞: nobody knows what the scores, and
//	rewards may have made                 so the actions, say of a row
//	a policy that reads no rewards        0, whatever the counter
//	any policy × a counter with noise     the counter's own law: the policy
//	                                      only post-processes releases, and
//	                                      arms compose in parallel
//	a policy with a Loss × exact          that loss for each later decision;
//	                                      where it is a CrossArmEffect, those that play
//	                                      the row's arm and the others pull
//	                                      opposite ways
//	any policy × exact with a floor f     ln((1−(K−1)f)/f) for each later
//	                                      decision: its probabilities lie in
//	                                      [f, 1−(K−1)f] whatever the rewards;
//	                                      of a kind that is not mixed in, what
//	                                      policy.FloorKinds proves
//	any other policy × exact              ∞
//
// Where two of the lines for exact sums hold, each decision costs the smaller
// of the two: mixing in a floor only brings the two probabilities together, so
// that softmax keeps its bound and its signs. Where an arm may be ineligible
// the bounds hold for every set of eligible arms: the bound of exploring at random grows
// with their number, the bound of the floor is largest for two, ln((1−f)/f); one arm alone
// costs nothing.
//
// These bounds are on the probabilities as real numbers. A draw resolves 2⁻⁵³,
// so that an action of smaller probability may never be drawn; that a run meets
// one has probability below T·K·2⁻⁵³.
//
// Where arms are not declared, K is not known, k is a lower bound: a bound that
// grows with K is none, the floor's is the bound for two arms, and nobody knows that there
// is nothing to choose.
//
// An infinite ε is what the actions of a policy that draws nothing lose by exact
// sums. Of one that draws it says only that no bound is known.
//
// sums is nil when the policy reads no rewards.
func (d *declaration) pairLaw(sums counter.Counter) ledger.Law {
	name := d.pairName()
	switch {
	case d.scoredByRewards() != "":
		return unknownLaw{name, d.scoredByRewards()}
	case sums == nil:
		return free{name}
	case d.noise:
		return named{Law: sums, name: name}
	}
	k := d.knownArms()
	var own *policy.Loss
	if d.kind.Loss != nil {
		own = d.kind.Loss(d.Policy.Own, k)
	}
	floor := d.floorLoss(k)
	if own != nil && own.Decay > 0 && d.mixed() {
		decays := newDecaying(own.Decay, k, floor)
		return &ledger.PathLaw{Pair: name, Decisions: decays, Whole: decays}
	}
	one := minLoss(floor, d.over(evenLoss(own)))
	if one.IsInf() {
		return named{sums, name, d.unbounded()}
	}
	law := &ledger.PathLaw{Pair: name, Decisions: ledger.NewEven(one), Opposed: d.kind.CrossArmEffect && d.mixed()}
	if whole := minLoss(floor, d.over(wholeLoss(own))); !whole.IsInf() {
		law.Whole = ledger.NewEven(whole)
	}
	return law
}

// wholeLoss is what one decision costs without a floor however many rewards change: that
// of probabilities which have a least one whatever is read. ∞ where they have none.
func wholeLoss(l *policy.Loss) ledger.Loss {
	if l == nil || l.Excess == nil {
		return ledger.Infinite()
	}
	return evenLoss(l)
}

// pairName names the pair of policy and counter.
func (d *declaration) pairName() string {
	if d.Counter == nil {
		return d.kind.Name
	}
	return d.kind.Name + " × " + d.Counter.Name
}

// knownArms is K where arms are declared, else 0: those in the log may not be
// all.
func (d *declaration) knownArms() int {
	if len(d.Arms) == 0 {
		return 0
	}
	return d.arms
}

// unbounded says why an infinite ε of exact sums does not contradict a claim;
// "" where it does: where two arms are compared and nothing is drawn.
func (d *declaration) unbounded() string {
	drawn := d.kind.Drawn(d.Policy.Own)
	switch {
	case len(d.Arms) == 0 && (drawn || d.arms < 2):
		return "what actions give away of exact sums depends on the number of arms, and those in the log may not be all; declare arms"
	case drawn:
		return "no bound is known for what the draws of this policy give away of exact sums"
	}
	return ""
}

// evenLoss is what one decision of a policy that reads exact sums costs a row
// without a floor, the same in every round; ∞ where no bound is known.
func evenLoss(l *policy.Loss) ledger.Loss {
	switch {
	case l == nil || l.Decay > 0:
		return ledger.Infinite()
	case l.Nats != nil:
		return ledger.NewLoss(l.Nats)
	default:
		return log1p(l.Excess)
	}
}

// log1p returns ln(1+x) of x ≥ 0, rounded up.
func log1p(x *big.Rat) ledger.Loss {
	v := math.Log1p(ledger.NewLoss(x).Up())
	return ledger.NewLoss(new(big.Rat).SetFloat64(float64(v * (1 + 0x1p-50))))
}

func minLoss(a, b ledger.Loss) ledger.Loss {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// named is a law under the name of its pair.
type named struct {
	ledger.Law
	name  string
	slack string // see ledger.Bound
}

var _ ledger.Bound = named{}

// Slack says why the law does not contradict a claim; "" where it does.
func (n named) Slack() string { return n.slack }

// Name returns the policy's and the counter's name.
func (n named) Name() string { return n.name }

// Nodes returns the nodes of the law.
func (n named) Nodes(size int64) (ledger.Nodes, bool) { return ledger.NodesOf(n.Law, size) }

// Costs returns the costs of the law.
func (n named) Costs(size int64) func(n int64) float64 { return ledger.Costs(n.Law, size) }

// free is the law of a policy that reads no rewards: nothing is released to it.
type free struct{ name string }

var _ ledger.Law = free{}

// Name returns the policy's and the counter's name.
func (f free) Name() string { return f.name }

// Epsilon returns 0.
func (free) Epsilon() ledger.Loss { return ledger.Loss{} }

// Rho returns 0.
func (free) Rho() float64 { return 0 }

// Cost returns 0.
func (free) Cost(int64, int64) ledger.Loss { return ledger.Loss{} }

// Levels returns the single level 0.
func (free) Levels(size int64) []ledger.Level {
	if size < 1 {
		return nil
	}
	return []ledger.Level{{Rows: size}}
}

// Releases returns nil.
func (free) Releases(int64) []ledger.Release { return nil }

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
