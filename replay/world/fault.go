package world

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"banditaudit/replay"
)

// Faults of a deployment: what it does otherwise than its protocol declares.
const (
	NoNoise            = "no-noise"
	Redraw             = "redraw"
	HalfScale          = "half-scale"
	NoiseOnMean        = "noise-on-mean"
	NoiseOverNTwice    = "noise-over-n-twice"
	Log2Levels         = "log2-levels"
	WrongArmStream     = "wrong-arm-stream"
	FreshPrefixes      = "fresh-prefixes"
	ExtraUpdate        = "extra-update"
	PropensityUniform  = "propensity-uniform"
	PropensityStale    = "propensity-stale"
	PropensitySwapped  = "propensity-swapped"
	PropensityLogLik   = "propensity-loglik"
	defaultUniformRate = 0.02 // of rounds, under PropensityUniform
)

// Fault is something that a deployment does otherwise than its protocol
// declares.
type Fault struct {
	Name  string
	Words string // one line
}

// Faults lists all faults, in the order in which help shows them.
func Faults() []Fault {
	return []Fault{
		{NoNoise, "the policy sees exact sums"},
		{Redraw, "the noise of every sum is drawn anew in every round"},
		{HalfScale, "noise of half the declared scale"},
		{NoiseOnMean, "the noise of the sum is added to the mean: n times too much"},
		{NoiseOverNTwice, "the noise of the sum is divided by n before the sum is: n times too little"},
		{Log2Levels, "binary: noise for ⌊log2 T⌋ levels, one too few"},
		{WrongArmStream, "each arm's noise comes from the stream of the next arm"},
		{FreshPrefixes, "every released sum has fresh noise of all its nodes"},
		{ExtraUpdate, "the policy also learns in the middle of each update period"},
		{PropensityUniform, "in 2 % of rounds a uniform action, logged as such"},
		{PropensityStale, "logged propensities are those before the last update"},
		{PropensitySwapped, "logged propensities of the first two arms are exchanged"},
		{PropensityLogLik, "ln p is logged for p; an audit refuses the log"},
	}
}

// faulty is the faults of a specification.
type faulty []string

func (f faulty) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(f, n) })
}

// noisy reports whether what the policy sees is not what the declared counters
// release.
func (f faulty) noisy() bool {
	return f.has(NoNoise, Redraw, HalfScale, NoiseOnMean, NoiseOverNTwice, Log2Levels, WrongArmStream, FreshPrefixes)
}

// improper reports whether logged propensities may be none at all.
func (f faulty) improper() bool { return f.has(PropensityStale, PropensitySwapped, PropensityLogLik) }

// excluded lists faults that a log cannot have together, and why.
func excluded() [][3]string {
	out := [][3]string{
		{Redraw, FreshPrefixes, "noise that is new in every round is new for every prefix"},
		{NoiseOnMean, NoiseOverNTwice, "one undoes the other"},
	}
	for _, other := range []string{Redraw, HalfScale, NoiseOnMean, NoiseOverNTwice, Log2Levels, WrongArmStream, FreshPrefixes} {
		out = append(out, [3]string{NoNoise, other, "without noise there is nothing that could be wrong with it"})
	}
	return out
}

// checkFaults refuses faults that are unknown, that exclude each other, or that
// the declared mechanism cannot have.
func (s *Spec) checkFaults() []error {
	var faults []error
	for i, name := range s.Faults {
		known := slices.ContainsFunc(Faults(), func(f Fault) bool { return f.Name == name })
		switch {
		case !known:
			faults = append(faults, faultf("fault", "there is no %q; write some of %s", name, strings.Join(faultNames(), ", ")))
		case slices.Contains(s.Faults[:i], name):
			faults = append(faults, faultf("fault", "%s is given twice; write it once", name))
		}
	}
	f := faulty(s.Faults)
	for _, pair := range excluded() {
		if f.has(pair[0]) && f.has(pair[1]) {
			faults = append(faults, faultf("fault", "%s and %s exclude each other: %s; leave one out", pair[0], pair[1], pair[2]))
		}
	}
	if s.Protocol.Policy == nil {
		return faults // there is nothing that could be faulty, which is said elsewhere
	}
	return append(append(faults, s.checkNoiseFaults(f)...), s.checkUpdateFault(f)...)
}

func faultNames() []string {
	var names []string
	for _, f := range Faults() {
		names = append(names, f.Name)
	}
	return names
}

// checkNoiseFaults refuses faults of noise where there is none, or not of that
// kind.
func (s *Spec) checkNoiseFaults(f faulty) []error {
	c := s.Protocol.Counter
	switch {
	case !f.noisy():
		return nil
	case !s.learns():
		return []error{faultf("fault", "%s: the policy %s reads no sums, and so no noise; declare one that does, such as ucb", f.first(faulty.noisy), s.Protocol.Policy.Name)}
	case !s.counterKind().Noise:
		return []error{faultf("fault", "%s: the counter exact adds no noise that could be wrong; declare one that does, such as --counter hybrid --epsilon 1", f.first(faulty.noisy))}
	}
	var faults []error
	kind := s.counterKind()
	if f.has(Log2Levels) {
		if _, ok := s.levels(); !ok {
			faults = append(faults, faultf("fault", "%s: only the counter binary has levels that are miscounted so, for a horizon of at least 2, and %s; leave the fault out", Log2Levels, shownCounter(c.Name, c.Horizon)))
		}
	}
	if f.has(WrongArmStream) && s.arms() < 2 {
		faults = append(faults, faultf("fault", "%s: there is one arm, and no stream of another; simulate at least two", WrongArmStream))
	}
	if f.has(FreshPrefixes) && kind.Fresh {
		faults = append(faults, faultf("fault", "%s: the counter %s draws fresh noise for every sum that it releases, so that the fault changes nothing; take another counter, such as hybrid", FreshPrefixes, c.Name))
	}
	if f.has(Redraw, FreshPrefixes) && kind.PerRow && s.Rounds > maxAnew {
		faults = append(faults, faultf("fault", "%s: under the counter %s a sum has a noise for each of its rows, and drawing them anew takes rounds² draws; simulate at most %d rounds, or take another counter",
			f.first(func(f faulty) bool { return f.has(Redraw, FreshPrefixes) }), c.Name, maxAnew))
	}
	if f.has(Redraw) && s.Rounds > maxRedraw {
		faults = append(faults, faultf("fault", "%s: all noise of every arm is drawn anew in every round, which takes hours for %d rounds; simulate at most %d", Redraw, s.Rounds, int64(maxRedraw)))
	}
	return faults
}

// maxRedraw bounds the rounds in which the noise of every arm is drawn anew, some
// microseconds for each.
const maxRedraw = 1_000_000_000

// maxAnew bounds the rounds in which sums of as many noises as rows are drawn
// anew.
const maxAnew = 50_000

// first returns the first fault that is of a kind.
func (f faulty) first(of func(faulty) bool) string {
	for _, name := range f {
		if of(faulty{name}) {
			return name
		}
	}
	return ""
}

func shownCounter(name string, horizon int64) string {
	if name == "binary" {
		return fmt.Sprintf("counter.horizon is %d", horizon)
	}
	return "the counter is " + name
}

// checkPropensityFaults refuses faults of propensities where there are none.
func (s *Spec) checkPropensityFaults(m *replay.Mechanism) error {
	f := faulty(s.Faults)
	name := f.first(func(f faulty) bool {
		return f.has(PropensityUniform, PropensityStale, PropensitySwapped, PropensityLogLik)
	})
	policy := s.Protocol.Policy.Name
	switch {
	case name == "":
		return nil
	case !m.Random():
		return faultf("fault", "%s: the policy %s draws nothing, so that no propensities are logged; take one that does, such as thompson, or give it an exploration floor (policy.floor, --set floor=0.05)", name, policy)
	case f.has(PropensityStale) && !m.ReadsRewards():
		return faultf("fault", "%s: the policy %s never learns, so that no propensities are older than others; take one that does, such as thompson", PropensityStale, policy)
	case f.has(PropensityUniform, PropensitySwapped) && s.catalogue().Policy(policy).Alike:
		return faultf("fault", "%s: the policy %s plays all arms alike, so that the fault changes nothing; take another policy, such as thompson", name, policy)
	case f.has(PropensitySwapped) && m.Arms() < 2:
		return faultf("fault", "%s: there is one arm; simulate at least two", PropensitySwapped)
	}
	return nil
}

// noiseScale is the scale of the deployed noise as a multiple of that declared;
// nil where it is the same.
func (s *Spec) noiseScale() *big.Rat {
	f, scale := faulty(s.Faults), big.NewRat(1, 1)
	if f.has(HalfScale) {
		scale.Quo(scale, big.NewRat(2, 1))
	}
	if l, ok := s.levels(); ok && f.has(Log2Levels) {
		scale.Mul(scale, big.NewRat(l-1, l))
	}
	if scale.Cmp(big.NewRat(1, 1)) == 0 {
		return nil
	}
	return scale
}
