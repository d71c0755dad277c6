package replay

import (
	"math"
	"math/big"
	"strconv"

	"banditaudit/replay/counter"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// pairLaw decides what a pair of policy and counter costs over k arms. It is
// the only place that does. The first line that fits holds:
//
//	a policy that reads no rewards        0, whatever the counter
//	any policy × a counter with noise     the counter's own law: the policy
//	                                      only post-processes releases, and
//	                                      arms compose in parallel
//	softmax × exact                       η for each later decision; those that
//	                                      play the row's arm and the others
//	                                      pull opposite ways
//	epsilon-greedy × exact                ln(1 + K(1−ε_t)/ε_t) for each later
//	                                      decision t
//	any policy × exact with a floor f     ln((1−(K−1)f)/f) for each later
//	                                      decision: its probabilities lie in
//	                                      [f, 1−(K−1)f] whatever the rewards
//	any other policy × exact              ∞
//
// Where two of the lines for exact sums hold, each decision costs the smaller
// of the two: mixing in a floor only brings the two probabilities together, so
// that softmax keeps its bound and its signs. Where an arm may be ineligible
// the bounds hold for every set of eligible arms: that of epsilon-greedy grows
// with their number, that of the floor is largest for two, ln((1−f)/f); one arm
// alone costs nothing.
//
// These bounds are on the probabilities as real numbers. A draw resolves 2⁻⁵³,
// so that an action of smaller probability may never be drawn; that a run meets
// one has probability below T·K·2⁻⁵³.
//
// Where arms are not declared, K is not known, k is a lower bound: a bound that
// grows with K is none, the floor's is that for two arms, and nobody knows that
// there is nothing to choose.
//
// An infinite ε is what the actions of a policy that draws nothing lose by exact
// sums. Of one that draws it says only that no bound is known.
//
// sums is nil when the policy reads no rewards.
func pairLaw(p *schemas.Protocol, k int, sums counter.Counter) ledger.Law {
	name := pairName(p)
	switch {
	case sums == nil:
		return free{name}
	case !exact(p):
		return named{Law: sums, name: name}
	}
	slack := unbounded(p, k)
	if len(p.Arms) == 0 {
		k = 0
	}
	floor := floorLoss(p, k)
	if c, ok := decay(p); ok && k > 0 {
		return &ledger.PathLaw{Pair: name, Decisions: newDecaying(c, k, floor)}
	}
	one := minLoss(floor, ownLoss(p, k))
	if one.IsInf() {
		return named{sums, name, slack}
	}
	return &ledger.PathLaw{Pair: name, Decisions: ledger.NewEven(one), Opposed: p.Policy.Name == "softmax"}
}

// pairName names the pair of policy and counter.
func pairName(p *schemas.Protocol) string {
	if p.Counter == nil {
		return p.Policy.Name
	}
	return p.Policy.Name + " × " + p.Counter.Name
}

// unbounded says why an infinite ε of exact sums does not contradict a claim;
// "" where it does: where two arms are compared and nothing is drawn.
func unbounded(p *schemas.Protocol, k int) string {
	drawn := true
	switch p.Policy.Name {
	case "ucb", "successive-elimination", "linucb":
		drawn = false
	case "epsilon-greedy":
		e := explore(p)
		drawn = e == nil || *e > 0
	}
	switch {
	case len(p.Arms) == 0 && (drawn || k < 2):
		return "what actions give away of exact sums depends on the number of arms, and those in the log may not be all; declare arms"
	case drawn:
		return "no bound is known for what the draws of this policy give away of exact sums"
	}
	return ""
}

// ownLoss is what one decision of a policy that reads exact sums costs a row
// without a floor; ∞ for policies that do not say, and where it depends on a
// number of arms that is not known (k = 0).
func ownLoss(p *schemas.Protocol, k int) ledger.Loss {
	switch {
	case k == 1:
		return ledger.Loss{} // there is nothing to choose
	case p.Policy.Name == "softmax" && p.Policy.Eta != nil && *p.Policy.Eta >= 0 && finite(*p.Policy.Eta):
		return ledger.NewLoss(literal(*p.Policy.Eta))
	case p.Policy.Name == "epsilon-greedy":
		if e := explore(p); e != nil && *e > 0 && *e <= 1 && (k > 0 || *e == 1) {
			r := literal(*e)
			excess := new(big.Rat).Sub(big.NewRat(1, 1), r)
			excess.Mul(excess, big.NewRat(int64(k), 1))
			return log1p(excess.Quo(excess, r))
		}
	}
	return ledger.Infinite()
}

// floorLoss is what one decision costs a row under an exploration floor; ∞
// without one. A probability under a floor f over m eligible arms lies in [f,
// 1−(m−1)f]; m is 2 where it is not known (k = 0).
func floorLoss(p *schemas.Protocol, k int) ledger.Loss {
	f := value(p.Policy.Floor)
	if k == 1 {
		return ledger.Loss{}
	}
	if !(f > 0) {
		return ledger.Infinite()
	}
	m := int64(k)
	if p.Log.Eligible != "" || k == 0 {
		m = 2
	}
	r := literal(f)
	excess := new(big.Rat).Mul(r, big.NewRat(m, 1)) // (1−(m−1)f)/f − 1 = (1−m·f)/f
	excess.Sub(big.NewRat(1, 1), excess)
	if excess.Sign() <= 0 {
		return ledger.Loss{}
	}
	return log1p(excess.Quo(excess, r))
}

// explore returns the constant ε of epsilon-greedy; nil when there is none.
func explore(p *schemas.Protocol) *float64 {
	if p.Policy.Explore == nil {
		return nil
	}
	return p.Policy.Explore.Constant
}

// decay returns the c of an epsilon-greedy policy with ε_t = min(1, c/t).
func decay(p *schemas.Protocol) (c float64, ok bool) {
	e := p.Policy.Explore
	if p.Policy.Name != "epsilon-greedy" || e == nil || e.Decay == nil {
		return 0, false
	}
	return *e.Decay, true
}

// literal returns the number that a declared float64 was written as: ε, η and
// floors are decimals, and 0.1 is 1/10.
func literal(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	return r
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

// Costs returns those of the law.
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
