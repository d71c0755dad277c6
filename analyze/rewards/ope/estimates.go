package ope

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/ipw"
	"banditaudit/schemas"
)

// purposeEstimate heads the purposes under which weighted estimates read rewards.
const purposeEstimate = "estimate:"

// estimator is a weighted mean of an arm.
type estimator struct {
	name    string
	root    bool // it weighs rounds by √p: it needs the propensities of all arms, and means that stand still
	kept    bool // it weighs rows by 1/o, with which they are in the log
	ratio   bool // and is a ratio of sums of weights
	partial bool // it stands where rewards are missing, whatever their value is
	plain   bool // it guesses no rewards, and bears no interval by the half of the rule that takes means to stand still
	of      func(a *ipw.Arms, arm int) (*ipw.Mean, *ipw.Overlap)
	moved   func(a *ipw.Arms, arm int) ipw.RoundingError
}

// estimators lists the weighted means of an arm. The last one that stands in a log gives the
// contrasts.
func estimators() []estimator {
	scores := func(weighting int) func(a *ipw.Arms, arm int) (*ipw.Mean, *ipw.Overlap) {
		return func(a *ipw.Arms, arm int) (*ipw.Mean, *ipw.Overlap) {
			s := a.AIPW(weighting, arm)
			return &s.Mean, &s.Overlap
		}
	}
	moved := func(weighting int) func(a *ipw.Arms, arm int) ipw.RoundingError {
		return func(a *ipw.Arms, arm int) ipw.RoundingError { return a.AIPW(weighting, arm).Move() }
	}
	plain := func(mean func(*ipw.Arms, int) *ipw.Mean) func(a *ipw.Arms, arm int) (*ipw.Mean, *ipw.Overlap) {
		return func(a *ipw.Arms, arm int) (*ipw.Mean, *ipw.Overlap) {
			return mean(a, arm), &a.AIPW(0, arm).Overlap
		}
	}
	return []estimator{
		{name: schemas.EstimatorIPW, kept: true, plain: true, of: plain((*ipw.Arms).IPW), moved: (*ipw.Arms).MoveIPW},
		{name: schemas.EstimatorSNIPW, kept: true, ratio: true, partial: true, plain: true, of: plain((*ipw.Arms).SNIPW), moved: (*ipw.Arms).MoveSNIPW},
		{name: schemas.EstimatorAIPW, of: scores(0), moved: moved(0)},
		{name: schemas.EstimatorSqrt, root: true, of: scores(1), moved: moved(1)},
	}
}

// against is why an estimator gives nothing of a log; "" where it does.
func (e *estimator) against(w *weighted) string {
	switch {
	case w.refused != "":
		return w.refused
	case w.partial != "" && !e.partial:
		return w.partial
	case w.by != "" && !e.ratio:
		return w.by
	case w.own != "" && !e.kept:
		return w.own
	case e.root && !w.all:
		return "it needs the propensities of all arms in every round (log.propensity_by_arm)"
	case e.root && w.unlike != "":
		return w.unlike + "; it weighs rounds by √p, and would be no mean over all rounds"
	case e.root && !w.root:
		return "it weighs rounds by √p, and is the mean over all rounds only where no arm's mean moves (analysis.means: constant)"
	}
	return ""
}

// weighing is an estimate in [0, 1], or [−1, 1] of a difference.
type weighing struct {
	arms    []int // that enter
	support []*ipw.Overlap
	lo      float64 // of the range
	value   float64
	stdErr  float64
	below   float64           // by which the interval is wider: the estimate can be too large by this,
	above   float64           // and too small by this
	moved   ipw.RoundingError // by the decimals of propensities, to either side
	rounds  int64
	plain   bool // as of the estimator
	root    bool // likewise
}

// armWeighing returns the estimate of an arm's mean by an estimator.
func (w *weighted) armWeighing(e *estimator, arm int) weighing {
	mean, support := e.of(w.arms, arm)
	return weighing{arms: []int{arm}, support: []*ipw.Overlap{support}, value: mean.Value(), stdErr: mean.StdErr(), moved: e.moved(w.arms, arm), rounds: w.arms.AIPW(0, arm).N, plain: e.plain, root: e.root}
}

// pairWeighing returns the estimated contrast of a pair of arms, by the pair's place.
func (w *weighted) pairWeighing(pair int) weighing {
	c := w.arms.Against(pair)
	return weighing{arms: w.pairs[pair][:], support: []*ipw.Overlap{&c.A.Overlap, &c.B.Overlap}, lo: -1, value: c.Value(), stdErr: c.StdErr(), moved: c.Move(), rounds: c.Rows(), root: w.root}
}

// turned returns the contrast of the same two arms in the other order.
func (w weighing) turned() weighing {
	w.arms, w.support, w.value = []int{w.arms[1], w.arms[0]}, []*ipw.Overlap{w.support[1], w.support[0]}, -w.value
	return w
}

// neverPlayed says which arms were not played in the rounds of an estimate; "" where all
// were.
func neverPlayed(in *publiclog.Log, w *weighing) string {
	var out []string
	for i, arm := range w.arms {
		if w.support[i].Pulls == 0 {
			out = append(out, in.Name(arm))
		}
	}
	switch {
	case out == nil:
		return ""
	case len(w.arms) > 1 && w.rounds == 0:
		return "in no round could both arms have been played: " + strings.Join(out, ", ")
	}
	return "never played in these rounds: " + strings.Join(out, ", ")
}

// leastError is the part of the range below which a standard error is rounding.
const leastError = 1e-12

// interval is the normal interval of a weighing, and what stands against it. steady says that it takes the means of its arms to stand
// still.
func (s *Estimates) interval(w *weighing) (lo, hi float64, against []string, steady bool) {
	rule := ipw.NormalityRule{Binary: s.Facts.Binary(), StdErr: w.stdErr}
	for i, arm := range w.arms {
		found := rule.Of(w.support[i])
		against = append(against, said(ruleWords(s.Facts.Log, &rule, &found, w.support[i], arm))...)
		if !found.NeedsConstantMean && (!w.root || w.support[i].Even()) {
			continue
		}
		steady = true
		against = append(against, said(s.unsteady(w, arm, &found))...)
	}
	lo, hi, more := s.normalInterval(w, len(against) == 0)
	return lo, hi, append(against, more...), steady
}

// normalInterval returns the normal interval of an estimate at 1 − α, cut to the range. It
// contains the intervals by all propensities that have the decimals of the logged ones. against
// is what stands against it; nil where nothing does, and where fits is false: other things do.
func (w *weighted) normalInterval(of *weighing, fits bool) (lo, hi float64, against []string) {
	half := float64(w.quantile*(of.stdErr+of.moved.StdErr)) + of.moved.Value
	lo, hi = of.value-half-of.below, of.value+half+of.above
	switch {
	case !fits:
	case !(of.stdErr > leastError):
		against = []string{"its terms are all alike, and show no error"}
	case math.IsInf(of.moved.Value, 1):
		against = []string{openWords}
	case hi < of.lo || lo > 1:
		against = []string{outsideWords}
	}
	return max(of.lo, lo), min(1, hi), against
}

// unsteady is why no interval is given that takes the mean of an arm to be the same in
// its rounds with a propensity below ½, which have much of the weight, and in the others;
// "" where one is. In testdata/reproduce/ANSWERS.md intervals at 95 % missed by more than
// half where all arms drifted alike from ½ to 1½ of their mean, which H13 seldom finds in
// the arms that a policy leaves. The intervals of IPW and SNIPW missed in up to a fifth of
// logs where nothing moved. Formula sheet, second part, 24.4, whose table is of √p-AIPW and
// of means that stand still.
func (s *Estimates) unsteady(w *weighing, arm int, found *ipw.Finding) string {
	takes := "it takes the mean of arm " + s.Facts.Name(arm) + " in rounds with a propensity below ½ for that in the others"
	if found.OnlyPlayedKnown {
		takes += " (in how many rounds it was so is not known: the propensity is logged of the played arm alone, log.propensity_by_arm)"
	}
	moving := s.Subject.Sample.Moving([]int{arm})
	switch {
	case moving != nil:
		return takes + ", and the mean moves (check H13: " + moving[0] + ")"
	case w.plain && found.OnlyPlayedKnown:
		return "it is not known in how many rounds arm " + s.Facts.Name(arm) + " had a propensity below ½, which is logged of the played arm alone (log.propensity_by_arm): around a mean that guesses no rewards a normal interval misses too often where there are some"
	case w.plain:
		return fmt.Sprintf("rounds of arm %s with a propensity below ½ have %.3g %% of the weight, and are not seen to hold enough rewards where the propensity is smallest: around a mean that guesses no rewards a normal interval misses too often then", s.Facts.Name(arm), 100*found.LowWeight)
	}
	return s.constantWords(takes)
}

// constantWords is why what takes the means of arms to be constant does not stand; "" where it
// does.
func (s *Estimates) constantWords(takes string) string {
	if why := s.Subject.Sample.NotConstant(); why != "" {
		return takes + ", and " + why
	}
	if !rewards.MeansDeclared(s.Protocol) {
		return takes + ", which is not declared (analysis.means: constant, where no arm's mean moves)"
	}
	return ""
}

// said leaves out words that say nothing.
func said(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// outsideWords are why an interval is not given that has no point within the range.
const outsideWords = "it lies outside the range of the reward: propensities or range are wrong"

// ruleWords are why the rounds of an arm bear no normal interval; "" where they do.
func ruleWords(in *publiclog.Log, r *ipw.NormalityRule, f *ipw.Finding, of *ipw.Overlap, arm int) string {
	named, what := "arm "+in.Name(arm), r.What()
	switch f.Fails {
	case ipw.Kept:
	case ipw.NoVariation:
		return "what " + named + " earned is the same in each of its " + schemas.Counted(of.Pulls, "pull") + ", which shows no error"
	case ipw.FewSeen:
		return fmt.Sprintf("fewer than %g %s of %s: %.4g and %.4g", r.K(), what, named, f.Successes, f.Failures)
	case ipw.FewLow:
		return fmt.Sprintf("fewer than %g %s of %s can be expected in its rounds with a propensity below ½, which have %.3g %% of the weight: %.4g and %.4g", r.K(), what, named, 100*f.LowWeight, f.LowSuccess, f.LowFailure)
	case ipw.Narrow:
		return "the rewards of " + named + " vary " + narrowWords(f)
	}
	return ""
}

// narrowWords say that rewards vary too little, behind what these are of.
func narrowWords(f *ipw.Finding) string {
	return fmt.Sprintf("so little, next to their declared range, that a few from its other end, which %.4g effective rounds need not show, would move the mean further than the interval reaches (reward.range, if it is wider than rewards can be)", f.Effective)
}

// alwaysAgainst is what stands against the interval of every estimate: contradicting names
// the checks that contradict the propensities.
func (s *Estimates) alwaysAgainst(contradicting string) []string {
	var out []string
	if contradicting != "" {
		out = append(out, propensitiesWord(s.weighted)+" are contradicted by "+contradicting)
	}
	if s.shares {
		out = append(out, "the logged propensities are shares of draws, and the action was drawn by one more: 1/p is too large")
	}
	if s.Protocol.Experiment.Stopping != schemas.StoppingFixed {
		out = append(out, "it holds only where the number of rounds was fixed in advance (experiment.stopping: fixed)")
	}
	return out
}

// eachWeighing goes over what can be given: every arm by every estimator, then every
// contrast by the last of these. refused takes the estimators that give nothing of the
// log, in their places, with why.
func (s *Estimates) eachWeighing(refused func(name, why string), see func(name string, w *weighing)) {
	last := ""
	for _, e := range estimators() {
		if why := e.against(s.weighted); why != "" {
			refused(e.name, why)
			continue
		}
		last = e.name
		for arm := range s.Facts.K() {
			w := s.armWeighing(&e, arm)
			see(e.name, &w)
		}
	}
	for pair := range s.pairs {
		w := s.pairWeighing(pair)
		see(last, &w)
	}
}

// Estimates are the weighted means of arms, and of arms against the control. An
// estimator that gives nothing of the log has one record, which says why.
func (s *Estimates) Estimates(contradicting string) []schemas.Estimate {
	out := []schemas.Estimate{}
	if s.weighted == nil {
		return out
	}
	none := schemas.Estimate{Target: "mean " + s.Facts.RewardWord() + " of every arm"}
	s.eachWeighing(func(name, why string) {
		none.Estimator, none.Reason = name, why
		out = append(out, none)
	}, func(name string, w *weighing) {
		out = append(out, s.estimateRecord(name, w, contradicting))
	})
	if why := cmp.Or(s.refused, s.partial, s.by, s.own); why != "" && s.Facts.K() > 1 {
		of := s.Facts.Control()
		none.Target += " above that of arm " + s.Facts.Name(of)
		none.Against, none.Estimator, none.Reason = s.Facts.Manifest.Arms[of], schemas.EstimatorAIPW, why
		out = append(out, none)
	}
	return out
}

// estimateRecord is one estimate.
func (s *Estimates) estimateRecord(name string, w *weighing, contradicting string) schemas.Estimate {
	out := schemas.Estimate{Target: s.targetOf(w), Estimator: name, Arm: &w.arms[0], Label: s.Facts.Manifest.Arms[w.arms[0]]}
	if len(w.arms) > 1 {
		out.Against = s.Facts.Manifest.Arms[w.arms[1]]
	}
	if never := neverPlayed(s.Facts.Log, w); never != "" {
		out.Reason = never
		return out
	}
	left := s.entered - w.rounds
	out.Rounds, out.LeftOut = &w.rounds, &left
	writePoint(s.Protocol, &out, w)
	less := slices.MinFunc(w.support, func(a, b *ipw.Overlap) int { return int(math.Copysign(1, a.Weights.ESS()-b.Weights.ESS())) })
	out.ESS, out.LargestWeight, out.LargestShare = schemas.Finite(less.Weights.ESS()), schemas.Finite(less.Largest), schemas.Finite(less.LargestShare())
	lo, hi, against, steady := s.interval(w)
	against = append(against, s.alwaysAgainst(contradicting)...)
	if out.Reason = strings.Join(against, "; "); out.Reason == "" {
		out.CI = schemas.NewInterval(inRewards(s.Protocol, w, lo), inRewards(s.Protocol, w, hi))
	}
	out.ValidUnder = s.weightedValid(w, contradicting, out.CI != nil, steady)
	return out
}

// writePoint is the estimate of a weighing within the range, and its standard error.
func writePoint(protocol *schemas.Protocol, out *schemas.Estimate, w *weighing) {
	value := min(1, max(w.lo, w.value))
	out.Estimate = schemas.Finite(inRewards(protocol, w, value))
	if math.Abs(value-w.value) > leastError {
		out.OutsideRange, out.RawEstimate = true, schemas.Finite(inRewards(protocol, w, w.value))
	}
	if w.stdErr > leastError {
		out.StdError = schemas.Finite(float64(publiclog.RangeWidth(protocol) * w.stdErr))
	}
}

// inRewards is a number of a weighing on the scale of the reward.
func inRewards(protocol *schemas.Protocol, w *weighing, v float64) float64 {
	if w.lo < 0 {
		return float64(publiclog.RangeWidth(protocol) * v)
	}
	return protocol.Reward.Range[0] + float64(publiclog.RangeWidth(protocol)*v)
}

// roundsWord names the rounds that enter.
func (s *Estimates) roundsWord() string {
	of := "rounds" // where rows have their own weights for it, the rounds of the deployment
	if s.Facts.Sampled.Own() == "" {
		of = s.Facts.Sampled.Rounds()
	}
	if s.Facts.Drawn.Words(s.Facts.Slice) != "" {
		of = "first rounds of " + schemas.Counted(s.Facts.Slice.UnitCount(), "unit")
	}
	if s.partial != "" {
		of += " whose reward is known"
	}
	return of
}

// targetOf is what a weighing estimates.
func (s *Estimates) targetOf(w *weighing) string {
	mean := "mean " + s.Facts.RewardWord() + " of arm " + s.Facts.Name(w.arms[0])
	if len(w.arms) > 1 {
		mean += " above that of arm " + s.Facts.Name(w.arms[1])
	}
	return mean + " over " + s.overOf(w)
}

// overOf names the rounds that a weighing is about.
func (s *Estimates) overOf(w *weighing) string {
	of := s.roundsWord()
	switch {
	case s.shares && (s.Facts.Pub.Zero > 0 || !s.Facts.Pub.Always()):
		return "the " + of + " in which its share is above 0"
	case !s.always(w) && len(w.arms) > 1:
		return "the " + of + " in which both could be played"
	case !s.always(w):
		return "the " + of + " in which it could be played"
	}
	return "all " + of
}

// always reports whether the arms of a weighing could be played in every round. Where no
// propensity is logged that is known by the rounds that are left out, and so it is where
// the log does not say what could be played and an arm has p = 0.
func (s *Estimates) always(w *weighing) bool {
	return w.rounds == s.entered && (s.from == fromReplay || s.Facts.Pub.Always())
}

// propensityWord names what rewards are weighed by.
func propensityWord(w *weighted) string {
	switch w.from {
	case fromPolicy:
		return "the declared probability"
	case fromReplay:
		return "the recomputed propensity"
	case fromLog, fromNowhere:
	}
	return "the logged propensity"
}

// propensitiesWord names all of them.
func propensitiesWord(w *weighted) string {
	if w != nil && w.from == fromPolicy {
		return "the declared probabilities"
	}
	return "the logged propensities"
}

// weightedValid says what an estimate rests on.
func (s *Estimates) weightedValid(w *weighing, contradicting string, given, steady bool) string {
	could := "every arm could always be played"
	switch {
	case s.from == fromReplay && !s.always(w):
		could = "the policy and the log say in which rounds an arm could be played"
	case !s.always(w):
		could = "the log says in which rounds an arm could be played"
	}
	valid := s.premise(could)
	if given {
		valid = approximately(s.Facts.Log, armsWords(w), valid, steady)
	}
	return s.unless(contradicting, "mean", valid+roundingWords(s.Protocol, w)+s.rests)
}

// premise is what weights rest on; could says which arms could be played.
func (s *Estimates) premise(could string) string {
	valid := propensityWord(s.weighted) + " is the probability, given the past, with which the action was played, and " + could
	if s.shares {
		valid = oneMoreValid(s.Facts)
	}
	if s.partial != "" {
		valid += ", and whether a reward is missing depends on the arm alone (missing_reward: exclude-independent)"
	}
	return valid
}

// approximately says of what a normal interval is, that rests on valid.
func approximately(in *publiclog.Log, of, valid string, steady bool) string {
	out := "approximately (up to .09 for a nominal .05), for " + of + " named before the rewards were seen: " + valid + rareWords(in)
	if steady {
		out += "; assumes that each arm's mean does not move"
	}
	return out
}

// unless says that nothing is valid where checks contradict the propensities.
func (s *Estimates) unless(contradicting, what, valid string) string {
	if contradicting == "" {
		return valid
	}
	return "nothing here: " + propensitiesWord(s.weighted) + " are contradicted by " + contradicting + ", so this " + what + " is not to be relied on; it would need that " + valid
}

// rareWords say what no number of rounds shows of rewards that are not 0 or 1, and that
// a normal interval takes to be so ([ipw.NormalityRule]).
func rareWords(in *publiclog.Log) string {
	if in.Binary() {
		return ""
	}
	return "; assumes that no rewards are so rare, and so far from the others, that these rounds hardly show them (it misses more often then; an interval at any time does not need that)"
}

func armsWords(w *weighing) string {
	if len(w.arms) > 1 {
		return "arms that were"
	}
	return "an arm that was"
}

// oneMoreValid says what a weighted mean rests on where actions were drawn by one more
// draw.
func oneMoreValid(f *publiclog.Facts) string {
	out := "nothing exactly: the logged propensity p is a share of N draws, and the action was drawn by one more, so that 1/p is too large by about (1−p)/(N·p) of it"
	if n := f.Pub.Zero; n > 0 {
		out += fmt.Sprintf("; %s in which it is 0 %s left out", schemas.Counted(n, "round"), schemas.Agree(n, "is", "are"))
	}
	return out
}

// Mean is the IPW mean of an arm as it is printed, nil where it is not given.
func (s *Estimates) Mean(arm int) *float64 {
	e := &estimators()[0]
	if s.weighted == nil || e.against(s.weighted) != "" {
		return nil
	}
	w := s.armWeighing(e, arm)
	if neverPlayed(s.Facts.Log, &w) != "" {
		return nil
	}
	return schemas.Finite(inRewards(s.Protocol, &w, min(1, max(0, w.value))))
}

// Beyond names the estimates whose interval has no point within the range of the
// reward; nil where none is.
func (s *Estimates) Beyond() []string {
	var out []string
	if !s.given() {
		return nil
	}
	s.eachWeighing(func(string, string) {}, func(name string, w *weighing) {
		if neverPlayed(s.Facts.Log, w) != "" {
			return
		}
		if _, _, against, _ := s.interval(w); slices.Contains(against, outsideWords) {
			out = append(out, name+" of the "+s.targetOf(w))
		}
	})
	return out
}
