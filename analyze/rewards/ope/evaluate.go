package ope

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/eprocess"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/ingest/precision"
	"banditaudit/schemas"
)

// purposeValues is the purpose under which wagers on the value of other policies read
// rewards.
const purposeValues = purposeEstimate + "values-at-any-time"

// valueWagers are those on an evaluated policy, and on it less the logging policy.
type valueWagers struct {
	value, gain *eprocess.Value
	targets     *targets       // nil: of a policy of the catalogue
	ends        precision.Ends // where the probability of the played arm alone is known
}

func valueWagersOf(in *publiclog.Log, t *targets) *valueWagers {
	return &valueWagers{value: eprocess.NewValue(in.K()), gain: eprocess.NewGain(in.K()), targets: t}
}

// newValueWagers are those on each policy of which something can be said, and whose
// probabilities are known without walking over the log.
func newValueWagers(in *publiclog.Log) map[string]*valueWagers {
	out := map[string]*valueWagers{}
	for _, t := range standing(in) {
		out[t.id] = valueWagersOf(in, t)
	}
	return out
}

// wageredRound is a round whose propensities p are between two ends, the zero Span where
// one is not known, or 0. all are their lower ends, nil where not all are known.
type wageredRound struct {
	arm   int
	p     []eprocess.Span
	all   []float64
	known bool // its reward y is
	y     float64
}

// round takes up a round in which the policy has these probabilities, nil where it has
// none.
func (v *valueWagers) round(share []float64, w *wageredRound) {
	switch {
	case share == nil:
	case !w.known:
		v.value.AddMissing()
		v.gain.AddMissing()
	default:
		r := eprocess.Target{Arm: w.arm, P: w.p[w.arm], Target: share[w.arm], Reward: w.y}
		played := v.targets != nil && v.targets.played()
		if played {
			r.Target = v.ends.Lower(r.Target)
		}
		v.gain.Add(&r)
		if w.all != nil && !played {
			r.AllP, r.AllTarget = w.all, share
		}
		v.value.Add(&r)
	}
}

// loggingPolicy is what a gain is against, in [schemas.Estimate].
const loggingPolicy = "the logging policy"

// valueEstimator is an estimator of an evaluated policy.
type valueEstimator struct {
	name    string
	hides   [2]bool // the bias of cut weights can be below, and above
	ratio   bool    // of sums, as [estimator] has it: nothing bounds the bias of cut weights
	partial bool    // it stands where rewards are missing, whatever their value is
	guesses bool    // it guesses rewards, as [estimator] has it
	lo      float64 // of the range
	of      func(v *ipw.Value) *ipw.Mean
	moved   func(v *ipw.Value) ipw.RoundingError
}

// weighing returns the estimated value of a policy, or its gain, with the bias that cut weights
// hide.
func (of *valueEstimator) weighing(v *ipw.Value) weighing {
	hidden, _ := v.Hidden()
	mean := of.of(v)
	w := weighing{lo: of.lo, value: mean.Value(), stdErr: mean.StdErr(), moved: of.moved(v)}
	if of.hides[0] {
		w.above = hidden
	}
	if of.hides[1] {
		w.below = hidden
	}
	return w
}

// valuers lists the estimators of policy value. The last one estimates a gain.
func valuers() []valueEstimator {
	return []valueEstimator{
		{name: schemas.EstimatorIPS, hides: [2]bool{true, false}, of: func(v *ipw.Value) *ipw.Mean { return &v.IPS }, moved: (*ipw.Value).MoveIPS},
		{name: schemas.EstimatorSNIPS, partial: true, ratio: true, of: func(v *ipw.Value) *ipw.Mean { return &v.SNIPS }, moved: (*ipw.Value).MoveSNIPS},
		{name: schemas.EstimatorDR, guesses: true, hides: [2]bool{true, true}, of: func(v *ipw.Value) *ipw.Mean { return &v.DR }, moved: (*ipw.Value).MoveDR},
		{name: schemas.EstimatorIPS, lo: -1, hides: [2]bool{true, false}, of: func(v *ipw.Value) *ipw.Mean { return &v.Gain }, moved: (*ipw.Value).MoveIPS},
	}
}

// Values are the estimates of the declared policies: by every estimator, then at any
// time, of what they would have earned and of that above what the log did.
func (s *Estimates) Values(contradicting string) []schemas.Estimate {
	var out []schemas.Estimate
	for _, e := range evaluations(s.Facts.Log) {
		walk := s.Wagers.walks[e.id]
		if walk != nil {
			e.near = walk.near
			if walk.against != "" {
				e.against = walk.against
			}
		}
		if e.policy != nil && e.policy.Mode == schemas.ModeReplay {
			out = append(out, s.replayRecord(&e, walk))
			continue
		}
		for _, of := range valuers() {
			out = append(out, s.valueRecord(&e, &of, contradicting))
		}
		for _, lo := range []float64{0, -1} {
			out = append(out, s.valueAtAnyTime(&e, lo))
		}
	}
	return out
}

// blankValue is a record without numbers.
func blankValue(in *publiclog.Log, e *targetPolicy, name string, lo float64) schemas.Estimate {
	out := schemas.Estimate{Target: "mean " + in.RewardWord() + " of " + e.words, Estimator: name, EvaluationPolicy: e.id}
	if lo < 0 {
		out.Target, out.Against = out.Target+" above that of the logging policy", loggingPolicy
	}
	return out
}

// againstValue is why an estimator gives nothing of a policy; "" where it does.
func (s *Estimates) againstValue(e *targetPolicy, of *valueEstimator) string {
	switch w := s.weighted; {
	case w == nil:
		_, why := s.Subject.source()
		return why
	case e.against != "":
		return e.against
	case w.refused != "":
		return w.refused
	case w.partial != "" && !of.partial:
		return w.partial
	case w.by != "" && !of.ratio:
		return w.by
	case w.own != "" && of.guesses:
		return w.own
	case w.own != "" && e.clip > 0:
		return s.Facts.Sampled.Own() + ", and what weights that are cut hide is not known of those (clip_weights)"
	case of.guesses && e.played():
		return "it needs the probabilities of all arms under the evaluated policy, and column " + schemas.Named(e.column.name) + " has that of the played arm alone"
	case of.ratio && e.clip > 0:
		return "nothing bounds the bias of a ratio of sums of weights that are cut (clip_weights)"
	}
	return ""
}

// lookedWords are why a policy that was named after looking has no interval.
const lookedWords = "the policy was named after looking (analysis.chosen), and an interval holds for one that was named before"

// lookedAt is lookedWords where the protocol says that what it asks was chosen by looking; ""
// elsewhere.
func lookedAt(protocol *schemas.Protocol) string {
	if chosen := protocol.Analysis.Chosen; chosen == "" || chosen == schemas.ChosenBefore {
		return ""
	}
	return lookedWords
}

// valueRecord is one estimate of a policy.
func (s *Estimates) valueRecord(e *targetPolicy, of *valueEstimator, contradicting string) schemas.Estimate {
	out := blankValue(s.Facts.Log, e, of.name, of.lo)
	if out.Reason = s.againstValue(e, of); out.Reason != "" {
		return out
	}
	v := s.values[e.id]
	if !(v.Largest > 0) {
		out.Reason = "no round played an arm that the policy plays"
		return out
	}
	out.Target += s.valueOver(v)
	hidden, exact := v.Hidden()
	rounds, left := v.IPS.N, v.LeftOut
	out.Rounds, out.LeftOut = &rounds, &left
	w := of.weighing(v)
	writePoint(s.Protocol, &out, &w)
	out.ESS, out.LargestWeight, out.LargestShare = schemas.Finite(v.SNIPS.ESS()), schemas.Finite(v.Largest), schemas.Finite(v.LargestShare())
	rule := ipw.NormalityRule{Binary: s.Facts.Binary(), StdErr: w.stdErr, Gain: of.lo < 0}
	found := rule.OfValue(v)
	words := valueRuleWords(&rule, &found)
	if words == "" && found.NeedsConstantMean {
		words = s.unsteadyValue(e, of, &found)
	}
	against := said(words, lookedAt(s.Protocol), s.offWeight(v))
	lo, hi, more := s.normalInterval(&w, len(against) == 0)
	against = slices.Concat(against, more, s.alwaysAgainst(contradicting))
	if out.Reason = strings.Join(against, "; "); out.Reason == "" {
		out.CI = schemas.NewInterval(inRewards(s.Protocol, &w, lo), inRewards(s.Protocol, &w, hi))
	}
	out.ValidUnder = s.valueValid(v, contradicting, out.CI != nil, found.NeedsConstantMean) + roundingWords(s.Protocol, &w) + estimandWords(e)
	if e.clip > 0 {
		out.ClipBias = schemas.Finite(float64(publiclog.RangeWidth(s.Protocol) * hidden))
		out.ValidUnder += clipWords(s.Protocol, e, of, hidden, exact)
	}
	return out
}

// estimandWords are what must be said of a policy behind what its value rests on.
func estimandWords(e *targetPolicy) string {
	if words := e.estimand(); words != "" {
		return "; " + words
	}
	return ""
}

// clipWords say what cutting weights can hide.
func clipWords(protocol *schemas.Protocol, e *targetPolicy, of *valueEstimator, hidden float64, exact bool) string {
	by := "by at most"
	if !exact {
		by = "by at most about (estimated from the weights of the played arms, as not all propensities are logged)"
	}
	where := "the estimate is too small " + by
	if of.guesses {
		where = "the estimate is too small or too large " + by
	}
	return fmt.Sprintf("; weights are cut at %g (clip_weights): on average %s %.4g, by which the interval is wider on that side", e.clip, where, float64(publiclog.RangeWidth(protocol)*hidden))
}

// unsteadyValue is why no interval is given that takes what was earned in heavy rounds for
// what would have been in heavier ones; "" where one is. See [Estimates.unsteady].
func (s *Estimates) unsteadyValue(e *targetPolicy, of *valueEstimator, found *ipw.Finding) string {
	var arms []int
	for arm := range s.Facts.K() {
		if len(e.share) == 0 || e.share[arm] > 0 {
			arms = append(arms, arm)
		}
	}
	moving := s.Subject.Sample.Moving(arms)
	const takes = "it takes what arms earned in rounds with a weight above 2 for what they would have in rounds with larger ones"
	switch {
	case moving != nil:
		return takes + ", and a mean moves (check H13: " + schemas.AndList(moving) + ")"
	case !of.guesses:
		return "rounds with a weight above 2 " + heavyWords(found) + " of it, and are not seen to hold enough rewards where it is largest: around a mean that guesses no rewards a normal interval misses too often then"
	}
	return s.constantWords(takes)
}

// heavyWords say which part of the weight rounds with a large one have. Where propensities
// are known of the played arm alone what the mean weight lacks of 1 may be theirs.
func heavyWords(f *ipw.Finding) string {
	if f.OnlyPlayedKnown {
		return fmt.Sprintf("may have %.3g %% (not all probabilities of an arm that was not played are known: what the mean weight lacks of 1 is counted as theirs, log.propensity_by_arm)", 100*f.LowWeight)
	}
	return fmt.Sprintf("have %.3g %%", 100*f.LowWeight)
}

// valueOver says over which rounds a value is.
func (s *Estimates) valueOver(v *ipw.Value) string {
	of := s.roundsWord()
	if v.LeftOut > 0 {
		return " over the " + of + " in which every arm that it plays could be played"
	}
	return " over all " + of
}

// valueRuleWords are why the rounds bear no normal interval of a value; "" where they do.
func valueRuleWords(r *ipw.NormalityRule, f *ipw.Finding) string {
	what := r.What()
	switch f.Fails {
	case ipw.Kept:
	case ipw.NoVariation:
		return "what the rounds earned that the policy could have played is the same in each, which shows no error"
	case ipw.FewSeen:
		return fmt.Sprintf("fewer than %g %s in the rounds that the policy could have played: %.4g and %.4g", r.K(), what, f.Successes, f.Failures)
	case ipw.FewLow:
		return fmt.Sprintf("fewer than %g %s in the rounds with a weight above 2, which %s of the weight: %.4g and %.4g", r.K(), what, heavyWords(f), f.LowSuccess, f.LowFailure)
	case ipw.Narrow:
		return "rewards vary " + narrowWords(f)
	}
	return ""
}

// valueValid says what the estimate of a policy rests on.
func (s *Estimates) valueValid(v *ipw.Value, contradicting string, given, steady bool) string {
	valid := s.premise("every arm that the policy plays could be played") + fmt.Sprintf(" (the mean weight is then near 1, and is %.4g)", v.MeanWeight())
	if given {
		valid = approximately(s.Facts.Log, "a policy that was", valid, steady)
	}
	return s.unless(contradicting, "value", valid+s.rests)
}

// valueAtAnyTime is the interval of what a policy would have earned, or of that above
// what the log did, that holds whatever ended the log.
func (s *Estimates) valueAtAnyTime(e *targetPolicy, least float64) schemas.Estimate {
	out := blankValue(s.Facts.Log, e, schemas.EstimatorIPS, least)
	out.Anytime = true
	w := s.Wagers.values[e.id]
	switch {
	case e.against != "":
		out.Reason = e.against
		return out
	case s.Wagers.Against != "" || s.Wagers.Effects != "":
		out.Reason = cmp.Or(s.Wagers.Against, s.Wagers.Effects)
		return out
	}
	of := w.value
	if least < 0 {
		of = w.gain
	}
	rounds := of.Rounds()
	out.Rounds = &rounds
	out.Target += " over " + s.Wagers.Over
	if e.alone && s.Facts.Slice.Schema().Eligible {
		out.Target += " in which the arm could be played"
	}
	out.ValidUnder = "at any time, whatever ended the log, for a policy that was named before the rewards were seen: the propensity is the probability, given the past, with which the action was played" + s.Subject.EffectMissing()
	out.ValidUnder = s.Wagers.With(out.ValidUnder) + estimandWords(e)
	if e.clip > 0 {
		out.ValidUnder += "; no weight is cut here (clip_weights), as it needs no bound of them"
	}
	lo, hi, ok := of.Interval(publiclog.LogAlpha(s.Protocol))
	if out.Reason = lookedAt(s.Protocol); out.Reason != "" {
		return out
	}
	if !ok || rounds == 0 {
		out.Reason = "no value fits these rewards and propensities: the propensities, or the range of rewards (reward.range), are wrong"
		if rounds == 0 {
			out.Reason = "the arm could be played in no round"
		}
		return out
	}
	scale := weighing{lo: least}
	out.CI = schemas.NewInterval(inRewards(s.Protocol, &scale, max(least, lo)), inRewards(s.Protocol, &scale, min(1, hi)))
	out.Estimate = schemas.Finite(inRewards(s.Protocol, &scale, of.Estimate()))
	return out
}
