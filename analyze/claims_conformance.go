package analyze

import (
	"fmt"
	"math"

	"banditaudit/analyze/allocation"
	"banditaudit/analyze/check"
	"banditaudit/analyze/facts"
	"banditaudit/ingest/decimals"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// judgeConformance is the verdict on policy.conformance with its reason.
func (e *evidence) judgeConformance() (schemas.Verdict, string) {
	if e.Protocol.Policy == nil {
		return schemas.NotApplicable, "no policy is declared"
	}
	if e.against != nil {
		return schemas.Violated, "the declared mechanism did not write this log: " + e.against.Words
	}
	if e.replay == nil {
		return schemas.NotRun, "replay was not run; pass --replay"
	}
	r := &e.replay.Conformance
	if why := e.excused(r); why != "" {
		return schemas.NotEstablished, why
	}
	if why := e.disagrees(r); why != "" {
		return schemas.Violated, why + rewardsWords(r.Rewards) + e.orderWords()
	}
	switch {
	case r.PlaysInTurn():
		return schemas.NotEstablished, inTurnWords(r)
	case undrawn(r.Propensities):
		return schemas.NotEstablished, r.Propensities.Draws.Words
	case e.Drawn.Open() != "" && e.drawnDiffers(r):
		return schemas.NotEstablished, mismatchWords(e.Log, r) + "; " + e.Drawn.Open()
	case e.Drawn.Open() != "" && r.Released != nil && r.Released.Allocation != nil:
		return schemas.NotEstablished, e.Drawn.Open()
	case e.keptThroughout(r):
		return schemas.Consistent, fmt.Sprintf("in the first rounds of %s the logged action is the policy's, and in all %s the unit keeps it (%s)", plural(r.Matched, "unit"), plural(e.Kept.Later, "later round"), e.Protocol.DrawWords())
	case e.Drawn.None() && r.Mode != schemas.ModeNone && r.Replayable == 0:
		return schemas.NotEstablished, e.Drawn.Open()
	case r.Mode == schemas.ModeNone || r.Mode != schemas.ModeReleased && r.Replayable == 0:
		return schemas.NotEstablished, nothingToReplayFrom(e.Log)
	case r.Mode == schemas.ModeSeed && r.Matched == r.Rounds:
		return chosenVerdict(r)
	case r.Mode == schemas.ModeLaw:
		return e.lawVerdict(r)
	case r.Mode == schemas.ModePropensity && r.Propensities.Draws != nil:
		return schemas.Consistent, r.Propensities.Draws.Words + keptWords(r.Propensities) + "; whether arms were drawn with them is allocation.matches_propensity"
	case r.Mode == schemas.ModePropensity && r.Rests():
		return schemas.Consistent, choiceWords(r) + "; " + equalWords(r.Propensities) + keptWords(r.Propensities)
	case r.Mode == schemas.ModePropensity:
		return schemas.Consistent, equalWords(r.Propensities) + keptWords(r.Propensities) + e.computedWords(r.Propensities) + "; whether arms were drawn with them is allocation.matches_propensity"
	case r.Mode == schemas.ModeReleased && r.Released != nil:
		return e.releasedConforms(r)
	}
	return schemas.NotEstablished, e.partly(r)
}

// manyTies is the share of rounds from which on the window decides so much that
// this is said of it.
const manyTies = 0.01

// tieWords say how many rounds are right by the window of near ties alone.
func tieWords(r *schemas.Conformance) string {
	x := r.NearTies
	out := fmt.Sprintf("%s of %s %s right only within policy.near_ties = %.3g: another arm's index was as large or larger, by at most %.2g of it (%s with several indices so close)",
		schemas.Grouped(x.Used), plural(r.Rounds, "round"), isAre(x.Used), x.Window, *x.Largest, plural(x.Rounds, "round"))
	if float64(x.Used) > manyTies*float64(r.Rounds) {
		out += "; that is more than 1 % of rounds, in which which of the tied arms was played is not tested"
	}
	return out
}

// isAre is the verb of n things.
func isAre(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// undrawn reports whether logged propensities may be shares of draws, and that they
// are is not established.
func undrawn(p *schemas.PropensityReplay) bool {
	return p != nil && p.Draws != nil && p.Draws.Verdict == schemas.NotEstablished
}

// drawnDiffers reports whether a seed does not give the actions of a policy that
// draws: where rounds may share a draw that contradicts nothing.
func (e *evidence) drawnDiffers(r *schemas.Conformance) bool {
	return r.Mode == schemas.ModeSeed && r.FirstMismatch != nil && e.Mechanism.Random()
}

// keptThroughout reports whether a policy that draws nothing chose the action of
// every unit's first round, and every unit kept it, which is then all of the log.
func (e *evidence) keptThroughout(r *schemas.Conformance) bool {
	return e.Drawn == conformance.DrawsByUnit && !e.Mechanism.Random() && (r.Mode == schemas.ModeSeed || r.Mode == schemas.ModeReleased) &&
		r.Matched == r.Replayable && e.Kept != nil && r.Replayable+e.Kept.Still.Rounds == r.Rounds
}

// partly says that some rounds could not be replayed, and why where a unit keeps its
// arm.
func (e *evidence) partly(r *schemas.Conformance) string {
	out := fmt.Sprintf("%s of %s could be replayed", schemas.Grouped(r.Replayable), plural(r.Rounds, "round"))
	if e.Drawn != conformance.DrawsByUnit || r.Replayable != e.Slice.UnitCount() {
		return out
	}
	out += ", the first of each unit: a unit keeps its arm (" + e.Protocol.DrawWords() + ")"
	if e.Kept == nil {
		return out + ", and the tableau holds no order of units by which that could be looked at"
	}
	out += " while the weights stand still"
	if open := e.Kept.Later - e.Kept.Still.Rounds; open > 0 {
		out += fmt.Sprintf(", and in %s it is not known whether they had changed since the unit's first round; name the versions of the weights in log.batch, with policy.update: batch", plural(open, "later round"))
	}
	return out
}

// matchWords count the rounds that match among those that could be replayed, as every
// page does.
func matchWords(r *schemas.Conformance, whole bool) string {
	switch {
	case r.Replayable == 0 && r.Rounds > 0:
		return "none of " + plural(r.Rounds, "round") + " could be replayed"
	case r.Replayable == r.Rounds || whole:
		verb := "match"
		if r.Replayable == 1 {
			verb = "matches"
		}
		return fmt.Sprintf("%s of %s %s", schemas.Grouped(r.Matched), plural(r.Replayable, "round"), verb)
	}
	return fmt.Sprintf("%s of %s that could be replayed match, of %s in all", schemas.Grouped(r.Matched), plural(r.Replayable, "round"), schemas.Grouped(r.Rounds))
}

// roundedAway is how often as many rounds there have to be as rounding leaves
// undecided, for what remains to say something of all.
const roundedAway = 20

// releasedConforms is the verdict on a log whose actions agree with what the
// policy saw. What it saw is taken as it is logged: whether that has the declared
// noise is privacy.noise.
func (e *evidence) releasedConforms(r *schemas.Conformance) (schemas.Verdict, string) {
	x, asked := r.Released, e.Asked(e.Slice)
	switch {
	case x.Rounding != nil && roundedAway*(asked-r.Replayable) > asked, x.Rounding != nil && x.Allocation == nil && r.Replayable < asked:
		return schemas.NotEstablished, e.partly(r) + fmt.Sprintf("; in the others the released values, which are logged with less than full precision (off by up to %.3g), do not decide what the policy did: log them in full", *x.Rounding)
	case x.Allocation != nil:
		why := fmt.Sprintf("given the released values, no wager against the recomputed propensities of any arm%s reaches level %.3g (%s)", allocation.BeforeWords(x.Allocation), x.Allocation.Level, schemas.PIs(x.Allocation.P))
		switch p := r.Propensities; {
		case p == nil:
		case p.Draws != nil:
			why += "; " + p.Draws.Words + keptWords(p)
		default:
			why += "; " + equalWords(p) + keptWords(p)
		}
		if r.Rests() {
			why = choiceWords(r) + "; " + why
		}
		return schemas.Consistent, why
	case r.Replayable < r.Rounds:
		return schemas.NotEstablished, e.partly(r)
	case r.Rests():
		return schemas.Consistent, choiceWords(r) + "; given the released values, which are taken as they are logged"
	}
	return schemas.Verified, "given the released values, which are taken as they are logged: whether they have the declared noise is privacy.noise"
}

// disagrees says what in a replay contradicts that the declared policy wrote the
// log; "" where nothing does. A log that differs by how plays are counted alone, which no
// key declares, contradicts nothing by that.
func (e *evidence) disagrees(r *schemas.Conformance) string {
	if words := allocation.NotPulled(e.Facts, r); words != "" {
		return words
	}
	if e.unlike != "" {
		return e.unlike
	}
	inTurn := r.PlaysInTurn()
	switch {
	case !inTurn && r.Mode != schemas.ModeSeed && r.Propensities != nil && r.Propensities.FirstMismatch != nil:
		return otherActions(r.Released) + propensityWords(e.Log, r)
	case e.Moves() != "":
		return e.Moves()
	case inTurn:
		return releasedDisagrees(e.Log, r)
	case r.FirstMismatch != nil && (e.Drawn.Open() == "" || !e.drawnDiffers(r)):
		return mismatchWords(e.Log, r) + otherNoise(e.Log, r)
	case r.Propensities != nil && r.Propensities.FirstMismatch != nil:
		return propensityWords(e.Log, r)
	case r.Matched < r.Replayable && r.FirstMismatch == nil:
		return fmt.Sprintf("%s of %s do not match", schemas.Grouped(r.Replayable-r.Matched), plural(r.Replayable, "round"))
	}
	if words := lawDisagrees(e.Log, r); words != "" {
		return words
	}
	return releasedDisagrees(e.Log, r)
}

// orderWords say that rounds may stand in another order than that of play; "" where nothing
// shows it.
func (e *evidence) orderWords() string {
	words := check.Unpadded(e.Manifest.Unpadded())
	if words == "" {
		return ""
	}
	return ". An honest log that is read in another order differs too: " + words
}

// rewardsWords say that the policy may have read other rewards than the log has.
func rewardsWords(w *schemas.RewardsWritten) string {
	if w == nil {
		return ""
	}
	how := "as float32"
	switch {
	case w.Decimals == nil:
	case *w.Decimals == 0:
		how = "as whole numbers"
	default:
		how = "with " + plural(*w.Decimals, "decimal")
	}
	if w.Float32 && w.Decimals != nil {
		how += ", as float32"
	}
	return ". Rewards are written " + how + " in the log: if the policy read them in full, an honest log can differ by that; log the rewards that the policy read, in full (float64)"
}

// releasedDisagrees is disagrees for logged released values.
func releasedDisagrees(in *facts.Log, r *schemas.Conformance) string {
	x := r.Released
	switch {
	case x == nil:
	case x.FirstDiffer != nil:
		by := "which adds no noise"
		if reads(in) {
			by = "with the noise of this seed"
		}
		return fmt.Sprintf("round %s: the value %.10g was released of arm %s, and not what the declared counter releases, %s; %s of %s differ",
			schemas.Grouped(x.FirstDiffer.Round), x.FirstDiffer.Logged, schemas.Named(x.FirstDiffer.Arm), by, schemas.Grouped(x.Differ), plural(x.Compared, "released value"))
	case x.Allocation != nil && x.Allocation.Rejected:
		return allocationWords(in, x.Allocation)
	case otherSchedule(x):
		return redrawn(x)
	}
	return ""
}

// otherSchedule reports whether released values changed where nothing was
// released, but rewards had arrived each time, and the noise is not contradicted:
// then it is the declared schedule that is.
func otherSchedule(x *schemas.ReleasedReplay) bool {
	return x.Changed > 0 && x.Redrawn == 0 && (x.Noise == nil || !x.Noise.Rejected)
}

// otherActions say where an action cannot be the policy's by the released values,
// in front of what is said of propensities.
func otherActions(x *schemas.ReleasedReplay) string {
	if x == nil || x.FirstMismatch == nil {
		return ""
	}
	m := x.FirstMismatch
	return fmt.Sprintf("round %s: logged %s, by the released values the policy plays %s; %s of this kind; ",
		schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Named(m.Replayed), plural(x.Replayable-x.Matched, "round"))
}

// allocationWords say how the actions contradict the recomputed propensities.
func allocationWords(in *facts.Log, t *schemas.AllocationTest) string {
	out := fmt.Sprintf("given the released values, %s was not played with the probabilities of the declared policy (%s, level %.3g, valid at every number of rounds", allocation.WageredArm(t), schemas.PIs(t.P), t.Level)
	if t.Round != nil {
		out += "; reached in round " + schemas.Grouped(*t.Round)
	}
	return out + "): " + in.FalseDraws(t.Level) + allocation.KeepWords(t)
}

// mismatchWords say where actions that are not the policy's begin, how many
// there are from there on, and where they end.
func mismatchWords(in *facts.Log, r *schemas.Conformance) string {
	m := r.FirstMismatch
	out := fmt.Sprintf("round %s: logged %s, the policy plays %s", schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Named(m.Replayed))
	out += gapWords(m)
	wrong, begins := r.Replayable-r.Matched, ""
	if started(r.Starting, wrong) {
		begins = startWords(wrong, updates(in.Protocol))
	}
	if r.LastMismatch == nil || wrong <= 1 || *r.LastMismatch < m.Round {
		return out + begins
	}
	return out + fmt.Sprintf("; %s differ from there on, the last in round %s", plural(wrong, "round"), schemas.Grouped(*r.LastMismatch)) + begins
}

// gapWords say that rounding may have decided a round that does not match.
func gapWords(m *schemas.Mismatch) string {
	if m.Gap == nil || *m.Gap > param.MustRational(param.MostNearTies).Float() {
		return ""
	}
	by := "as large as the largest"
	if *m.Gap > 0 {
		by = fmt.Sprintf("smaller than the largest by %.2g of it", *m.Gap)
	}
	return fmt.Sprintf(" (the index of %s is %s: rounding can decide between such; policy.near_ties says how near indices count as equal, %s where it is absent)", schemas.Named(m.Logged), by, param.NearTies)
}

// otherNoise says what else a seed that does not give the actions may be. Where
// the released values give them the policy is the declared one, and what it saw
// is not what the seed makes of the logged rewards: the noise may be another, or
// the rewards. Where nothing is drawn a declared seed decides nothing.
func otherNoise(in *facts.Log, r *schemas.Conformance) string {
	x := r.Released
	switch {
	case r.Mode != schemas.ModeSeed || in.Mechanism.Deterministic():
		return ""
	case x == nil || x.Replayable == 0 || x.Matched < x.Replayable:
		return "; another seed than the one drawn from at run time gives the same picture, and so does this seed under another experiment.id or another order of arms"
	}
	out := fmt.Sprintf("; by the released values all %s match, so that the rule is the declared one: either the noise is that of another seed (or of another experiment.id or order of arms), or rewards in the log are not those that were released", plural(x.Replayable, "round"))
	if m := x.FirstDiffer; m != nil && x.Compared > 0 {
		out += fmt.Sprintf("; from round %s on %s of %s (%.3g %%) are not what seed and logged rewards give",
			schemas.Grouped(m.Round), schemas.Grouped(x.Differ), plural(x.Compared, "released value"), 100*float64(x.Differ)/float64(x.Compared))
	}
	return out
}

// propensityWords say which logged propensities are not the policy's, and what
// would explain them.
func propensityWords(in *facts.Log, r *schemas.Conformance) string {
	p := r.Propensities
	if p.Draws.Contradict() {
		if schemas.Fitting(p.Hypotheses) == nil {
			return p.Draws.Words // explanations are compared round by round, which no shares of draws meet
		}
		return p.Draws.Words + explained(p.Hypotheses)
	}
	m := p.FirstMismatch
	out := fmt.Sprintf("round %s: logged propensity %.10g of arm %s, the policy plays it with %.10g; the propensities of %s of %s differ",
		schemas.Grouped(m.Round), m.Logged, schemas.Named(m.Arm), m.Replayed, schemas.Grouped(p.Rounds-p.Matched), plural(p.Rounds, "round"))
	if w := p.Worst; w != nil && w.Round != m.Round {
		out += fmt.Sprintf(", the most in round %s (%.10g of arm %s, and not %.10g)", schemas.Grouped(w.Round), w.Logged, schemas.Named(w.Arm), w.Replayed)
	}
	if started(p.Starting, p.Rounds-p.Matched) {
		return out + startWords(p.Starting, updates(in.Protocol))
	}
	return out + keptWords(p) + explained(p.Hypotheses) + arithmeticWords(r)
}

// keptWords count the rounds whose propensities were held against nothing, because they
// are those of the draw that a unit keeps; "" where there are none.
func keptWords(p *schemas.PropensityReplay) string {
	if p.Kept == 0 {
		return ""
	}
	return fmt.Sprintf("; %s carry the arm and the propensities of their unit's first round, as a unit has that keeps its arm: those of the draw that assigned it, not the policy's of that round, and held against nothing beyond that first round", plural(p.Kept, "later round"))
}

// started reports whether all rounds that differ lie before every arm had a known
// reward.
func started(starting, differ int64) bool { return differ > 0 && starting == differ }

// startWords say by what rule the declared policy begins, where a log differs in
// nothing else.
func startWords(rounds int64, updates bool) string {
	all := "all " + plural(rounds, "round") + " that differ lie"
	if rounds == 1 {
		all = "the round that differs lies"
	}
	out := "; " + all + " before every arm that could be played had a known reward, and nothing else differs: of the arms without one the declared policy takes the one that was played least, then the first; "
	if updates {
		return out + "it counts plays as of its last update (policy.update), so that it goes on with one arm until the next; a program that begins otherwise differs there alone, and the protocol has no key for that"
	}
	return out + "a program that goes on with the first until its reward is known, or begins otherwise, differs there alone, and the protocol has no key for that"
}

// updates reports whether the declared policy learns at updates, and not after every round.
func updates(protocol *schemas.Protocol) bool {
	u := protocol.Policy.Update
	return u != nil && (u.Batch || u.Every > 1)
}

// inTurnWords say that a log is that of the declared policy but for when it counts its
// own plays.
func inTurnWords(r *schemas.Conformance) string {
	wrong := max(r.Replayable-r.Matched, 0)
	if p := r.Propensities; p != nil {
		wrong = max(wrong, p.Rounds-p.Matched)
	}
	out := fmt.Sprintf("all of %s match the declared policy if it counts its plays as they come; as of its last update (policy.update), which is how it counts them, %s %s", plural(r.Replayable, "round"), plural(wrong, "round"), differVerb(wrong))
	if m := r.FirstMismatch; m != nil {
		out += ", the first in round " + schemas.Grouped(m.Round)
	}
	return out + ", before every arm that could be played had a known reward: of the arms without one the declared policy takes the one that was played least, then the first, and so goes on with one arm until the next update; the log goes through these arms in turn, and the protocol has no key for that"
}

// differVerb is the verb of n things that differ.
func differVerb(n int64) string {
	if n == 1 {
		return "differs"
	}
	return "differ"
}

// another says why the log is that of another mechanism than the declared, as far as
// what is accounted of that goes; "" where nothing says so.
func (e *evidence) another() string {
	switch {
	case e.conformance.Verdict == schemas.Violated:
		return "policy.conformance is VIOLATED"
	case e.replay != nil && e.replay.Conformance.PlaysInTurn():
		return "policy.conformance is " + string(e.conformance.Verdict) + ": it counts its plays otherwise"
	}
	return ""
}

// excused is what makes logged propensities differ that a program which ran the policy can
// have done, and no key has said; "" where nothing is it.
func (e *evidence) excused(r *schemas.Conformance) string {
	switch {
	case e.inSingles(r):
		return propensityWords(e.Log, r) + ". The column is float32, and a program that computes in float32 differs by as much: that is no contradiction, and shows nothing for the policy either"
	case e.inRemainder(r):
		worst := r.Propensities.Worst
		return propensityWords(e.Log, r) + fmt.Sprintf("; in all of these the last arm alone differs, by no more than what the rounded others leave of 1: where it got that, declare log.propensity_resolution: %.1g", ceilDigit(math.Abs(worst.Logged-worst.Replayed)))
	}
	return ""
}

// inSingles reports whether logged propensities in columns of float32 differ from the
// recomputed ones by no more than arithmetic in float32 makes, and nothing else speaks
// against the policy: whoever computes in float32 is not accused of that.
func (e *evidence) inSingles(r *schemas.Conformance) bool {
	return e.differsAlone(r) && arithmeticWords(r) != "" && singles(e.Manifest)
}

// inRemainder reports whether rounded propensities differ from the recomputed ones by no
// more than where the last arm gets what the rounded others leave, and nothing else speaks
// against the policy.
func (e *evidence) inRemainder(r *schemas.Conformance) bool {
	return e.differsAlone(r) && r.Propensities.Remainder == r.Propensities.Rounds-r.Propensities.Matched
}

// differsAlone reports whether logged propensities differ from the recomputed ones, and
// neither an explanation fits nor does anything else speak against the policy.
func (e *evidence) differsAlone(r *schemas.Conformance) bool {
	p := r.Propensities
	if r.Mode != schemas.ModePropensity || p == nil || p.FirstMismatch == nil || schemas.Fitting(p.Hypotheses) != nil {
		return false
	}
	return (p.Draws == nil || p.Draws.Contradict()) && allocation.NotPulled(e.Facts, r) == "" && e.unlike == "" && e.Moves() == ""
}

// singles reports whether all logged propensities are float32, by the types of their
// columns.
func singles(manifest *schemas.Manifest) bool {
	found := false
	for _, c := range manifest.Columns {
		switch c.Role {
		case schemas.KeyPropensity, schemas.KeyPropensityByArm:
			if found = c.Type == "FLOAT" || c.Type == "list of FLOAT"; !found {
				return false
			}
		}
	}
	return found
}

// arithmeticWords name the key for propensities that are computed more coarsely than is
// allowed, where no difference is larger than that makes; "" where one is, and where
// the released values by which they were recomputed are rounded, which is then the
// cause.
func arithmeticWords(r *schemas.Conformance) string {
	p := r.Propensities
	if r.Released != nil && r.Released.Rounding != nil || p.Worst == nil || p.Arithmetic == 0 || p.Arithmetic != p.Rounds-p.Matched {
		return ""
	}
	return fmt.Sprintf(". No difference is larger than other arithmetic makes (a coarse integral, sums of float32): where it is that, say by how much in log.propensity_resolution (here %.1g)",
		ceilDigit(math.Abs(p.Worst.Logged-p.Worst.Replayed)))
}

// ceilDigit is x > 0 rounded up to one digit.
func ceilDigit(x float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(x))))
	return math.Ceil(x/unit) * unit
}

// toleranceWords say how propensities were compared.
func toleranceWords(p *schemas.PropensityReplay) string {
	return "; logged propensities against recomputed ones, to " + tolerance(p)
}

// drawsWords say that those beyond were held against the law of shares of draws.
func drawsWords(d *schemas.PropensityDraws) string {
	switch {
	case d == nil:
		return ""
	case d.Declared == "":
		return "; those that differ as shares of draws (log.propensity_draws is not declared)"
	}
	return fmt.Sprintf("; where they differ, as shares of draws (log.propensity_draws: %s, log.drawn: %s)", d.Declared, d.Drawn)
}

// toleranceFound says which deviation the comparison would have found.
func toleranceFound(p *schemas.PropensityReplay) string {
	if p == nil {
		return ""
	}
	return "; in any round, a propensity further off than " + tolerance(p) + " would have been found"
}

// equalWords say that recomputed propensities are the logged ones, and within
// which window where they are so only by that.
func equalWords(p *schemas.PropensityReplay) string {
	if !conformance.Windowed(p) {
		return "recomputed propensities equal the logged ones" + toleranceFound(p)
	}
	w := p.Worst
	return fmt.Sprintf("recomputed propensities are within %s of the logged ones; the largest deviation is %.3g (round %s, arm %s: logged %.10g, the policy's %.10g)",
		windowWords(p), math.Abs(w.Logged-w.Replayed), schemas.Grouped(w.Round), schemas.Named(w.Arm), w.Logged, w.Replayed) + toleranceFound(p)
}

// computedWords say that propensities which are declared to be shares of draws are the
// recomputed ones, where shares of so many draws are off by more than is allowed.
func (e *evidence) computedWords(p *schemas.PropensityReplay) string {
	d := e.Protocol.Log.PropensityDraws
	if d == nil || d.Unknown || p.Draws != nil {
		return ""
	}
	said := "log.propensity_draws: " + d.String()
	if d.Column != "" {
		return "; " + said + " is declared, and in no round do they differ from computed ones as shares of draws do: where they were computed, delete the key"
	}
	const apart = 10
	off, room := 1/math.Sqrt(float64(d.Number)), windowMost(p)
	if off < apart*(1e-6+room) {
		return ""
	}
	return fmt.Sprintf("; %s is declared, and in no round do they differ from computed ones as shares of so many draws do, by about %.2g (√(1/N)): where they were computed, delete the key", said, off)
}

// tolerance says what difference a recomputed propensity may have.
func tolerance(p *schemas.PropensityReplay) string {
	out := "1e-6 of the larger and 1e-8"
	if words := windowWords(p); words != "" {
		out += ", and " + words
	}
	return out
}

// windowWords say what is added to the tolerance of either column; "": nothing.
func windowWords(p *schemas.PropensityReplay) string {
	own, all := conformance.Windows(p)
	none := decimals.Ends{}
	switch {
	case own == none && all == none:
		return ""
	case own == none:
		return windowOf(all, p.Resolution) + " in log.propensity_by_arm"
	case all == own || all.Alike() && p.DecimalsByArm == nil && p.DigitsByArm == nil:
		return windowOf(own, p.Resolution)
	case !all.Alike() || !own.Alike():
		return windowOf(own, p.Resolution) + ", by arm " + windowOf(all, p.Resolution)
	}
	return windowOf(own, p.Resolution) + fmt.Sprintf(", %g by arm", all.Room)
}

// windowMost is the most that is added to the tolerance of either column.
func windowMost(p *schemas.PropensityReplay) float64 {
	own, all := conformance.Windows(p)
	return max(own.Most(), all.Most())
}

// windowOf says from what a window is.
func windowOf(e decimals.Ends, resolution *float64) string {
	out := ""
	switch {
	case resolution != nil && e.Room == *resolution:
		out = fmt.Sprintf("their declared resolution (log.propensity_resolution: %g)", e.Room)
	case e.Room > 0:
		out = fmt.Sprintf("half a unit of their last decimal (%g)", e.Room)
	}
	also := ""
	switch {
	case e.Own > 0:
		also = fmt.Sprintf("half a unit of the last decimal of each, as they were written with several precisions (%g at most)", e.Most())
	case e.Half:
		also = fmt.Sprintf("half a unit in the last place of float16 (%.2g at most)", e.Most())
	case e.Digits > 0:
		also = "half a unit of their " + decimals.Ordinal(e.Digits) + " significant digit"
	}
	if out == "" || also == "" {
		return out + also
	}
	return out + ", or " + also + " where that is more"
}

// reads reports whether the declared policy chooses by values that a counter
// released with noise.
func reads(in *facts.Log) bool {
	return in.Mechanism != nil && in.Mechanism.ReadsRewards() && addsNoise(in.Protocol)
}

func addsNoise(p *schemas.Protocol) bool {
	c := p.Counter
	return c != nil && c.Name != counterExact
}

// nothingToReplayFrom says what a log lacks, and what would have to be logged
// next time for its actions to be held against the declared policy.
func nothingToReplayFrom(in *facts.Log) string {
	random := in.Mechanism != nil && in.Mechanism.Random()
	holds, seed := "the log holds no seed, ", ", or the 32 bytes that the policy draws from (policy.seed)"
	if seedless(in) {
		holds, seed = "a seed gives a draw for every round, and rounds of a unit share one ("+in.Protocol.DrawWords()+"); the log holds ", ""
	}
	out := holds + "no released values and no propensities to replay from"
	switch logged := in.Slice.HasPropensity(); {
	case reads(in) && logged:
		out = holds + "no released values, and without the noise that the policy saw its propensities cannot be recomputed"
	case reads(in):
	case logged && seedless(in):
		out = holds + "propensities that cannot be recomputed"
	case logged:
		out = "the log holds no seed, and its propensities cannot be recomputed"
	}
	switch {
	case reads(in) && random:
		out += "; what would settle it next time: in every round the values that the policy saw (log.released_by_arm) with the propensities (log.propensity_by_arm)" + seed
	case reads(in):
		out += "; what would settle it next time: in every round the values that the policy saw (log.released_by_arm)" + seed
	default:
		out += "; what would settle it next time: the propensities of every round (log.propensity, log.propensity_by_arm)" + seed +
			"; those that the declared policy would have had are in transcript.arrow of banditaudit replay"
	}
	if d := in.Draws(in.Slice); d.None() {
		out += "; " + d.Open()
	}
	return out + allocation.HeldFloor(in)
}

// seedless reports whether no seed gives the actions of the declared policy: it draws,
// and one draw serves several rounds of a unit.
func seedless(in *facts.Log) bool { return in.Mechanism != nil && in.Without(in.Slice) }

// conformanceClaim is that the declared policy wrote the log.
func conformanceClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindConformance, Needs: []param.Need{param.NeedPolicy}, Unseen: unseenConformance()}, Implied: implied, Decide: (*verdicts).decideConformance}
}

// unseenConformance is what would pass policy.conformance, by the evidence for it.
func unseenConformance() []param.Unseen {
	const (
		short = "a log that was cut short at its end"
		ties  = "which of several arms was played whose indices lie within policy.near_ties of the largest"
	)
	return []param.Unseen{
		{Evidence: schemas.ModeSeed, By: "by a seed, or by a rule that draws nothing", Words: []string{
			"rewards that were changed where no action and no released value depends on them: those that no later decision could use, and under much noise many of the others; the replay counts how many of each arm at least",
			"of a policy that reads exact sums, a log.reward_order that was invented so that the rule gives the actions",
			ties, short,
		}, Drawn: []string{
			"a seed that was known to others, or chosen among several after its log was seen",
			"rounds that were numbered, chosen or dropped, or contexts that were set, after the arms of a seed were known: of a policy that reads no rewards (uniform, fixed) check H17 holds the arms against its declared probabilities, and finds what its splits show; of others nothing does",
		}},
		{Evidence: schemas.ModeReleased, By: "by released values", Words: []string{
			"released values that are not what the policy saw, and rewards that were changed together with them",
			"single rewards that were changed by less than the noise in the values after them, and all that no later value contains, which the replay counts",
			"where the policy draws, actions that were exchanged between rounds in which it has the same propensities, and departures too rare for the wager",
			ties, short,
		}},
		{Evidence: schemas.ModePropensity, By: "by propensities", Words: []string{
			"shares of draws (log.propensity_draws) that were handed out in another order, so that they follow contexts or time",
			"actions that were not drawn with the propensities, as far as allocation.matches_propensity does not find it",
			"rewards that were changed where no propensity depends on them: all of them where the policy reads none, and else as many as the replay counts at least",
			ties, short,
		}},
		{Evidence: schemas.ModeLaw, By: "by the law of a policy that draws", Words: []string{
			"departures from the recomputed probabilities too rare, or too small on average, for the wager; the smallest that it finds stands beside the verdict",
			"actions that were exchanged between rounds in which the policy has the same propensities",
			"rewards that were changed by little, and all that no later decision could use; how many, is not counted",
			ties, short,
		}},
		{Evidence: schemas.ModeExec, By: "by a program of the user's own", Words: []string{
			"a program that is not the policy that was deployed, and was written to answer as the log has it: it is code of whoever declares it, and is not read; the run with other rewards finds one that answers from the log alone, and none that decides and knows the log too",
			"rewards that were changed where no answer of the program depends on them",
			short,
		}},
		{Evidence: schemas.ModeNone, By: "with none of these", Words: []string{
			"everything but pulls that declared probabilities, or a declared floor, do not allow, for nothing else is compared: rounds that were dropped by their reward, as the zeros of one arm before a Thompson log without a seed, rewards that were flipped, labels that were exchanged",
			"arms that follow contexts, time or earlier rounds, with pulls that are as declared: where log.propensity is absent check H17 holds against these only the arms of a policy that reads no rewards (uniform, fixed), and finds what its splits show: what follows anything else passes",
		}},
	}
}

func (v *verdicts) decideConformance(f *schemas.Finding, _ *schemas.Claim) {
	f.Statement = "Every logged action is the one that the declared policy chooses."
	f.Verdict, f.Reason = v.conformance.Verdict, v.conformance.why
	f.Evidence = []string{pointer(v.Log, "/replay")}
	if v.Protocol.Program != nil {
		v.programWords(f)
		return
	}
	if v.replay == nil || v.Protocol.Policy == nil {
		return
	}
	r := &v.replay.Conformance
	f.Procedure = "teacher-forced replay, evidence: " + v.evidenceWord(r)
	if r.Mode == schemas.ModePropensity {
		f.Statement = "Every logged propensity is the one that the declared policy gives."
	}
	if v.allocation.DeclaredSplitWords() != "" {
		f.Evidence = append(f.Evidence, v.checkPointer("H17"))
	}
	f.Procedure += allocation.PullWords(v.Log, r) + v.allocation.DeclaredSplitWords() + wagerWords(v.Log, r.Released) + lawWords(v.Log, r.Law)
	if p := r.Propensities; p != nil {
		f.Procedure += toleranceWords(p) + drawsWords(p.Draws)
	}
	if r.Mode != schemas.ModeNone {
		f.Observed = matchWords(r, v.against != nil) // rounds after a contradiction are not replayed
		if r.Mode == schemas.ModePropensity {
			f.Observed = "logged propensities: " + f.Observed
		}
		if r.Rests() {
			f.Observed += fmt.Sprintf(", %s of them within %s", schemas.Grouped(r.Chosen()), choiceKeys(r))
		}
	}
	if r.Mode == schemas.ModeLaw {
		f.Statement = "Arms were played with the probabilities that the declared policy gives them by the logged rewards."
		f.Observed = plural(r.Matched, "round") + " in which the logged action can be drawn"
	}
	if v.against == nil && r.Mode == schemas.ModePropensity && allocation.NotPulled(v.Facts, r) != "" {
		f.Observed += "; pulls: another number than the declared probabilities give"
	}
	if p := r.Propensities; p != nil && r.Mode == schemas.ModeSeed {
		f.Statement = "Every logged action is the one that the declared policy chooses, and every logged propensity the one that it gives."
		f.Observed += fmt.Sprintf("; the propensities of %s do", schemas.Grouped(p.Matched))
	}
	if x := r.Released; x != nil && r.Mode == schemas.ModeReleased {
		f.Statement = "Every logged action is the one that the declared policy chooses by the released values."
		if x.Allocation != nil {
			drawnByReleased(f, r)
		}
	}
	f.Observed += bindingWords(r.Binding, v.Protocol.Reward.Range)
	if f.Verdict == schemas.Verified && r.Mode == schemas.ModeSeed {
		f.Reason = schemas.SeedSentence
		if v.undrawnMode(r) {
			f.Reason = schemas.UndrawnSentence
		}
	}
}

// undrawnMode reports whether the replay needed no seed, for nothing is drawn.
func (v *verdicts) undrawnMode(r *schemas.Conformance) bool {
	return r.Mode == schemas.ModeSeed && v.Mechanism.Deterministic()
}

// evidenceWord names what a replay went by.
func (v *verdicts) evidenceWord(r *schemas.Conformance) string {
	if v.undrawnMode(r) {
		return "the rule alone (nothing is drawn)"
	}
	return r.Mode
}

// bindingWords say how many rewards could be changed unseen, of the arm with most
// of them; rewards is their range.
func bindingWords(b *schemas.Binding, rewards []float64) string {
	switch {
	case b == nil:
		return ""
	case b.Any:
		return "; any number of rewards could be changed unseen, for the policy reads none"
	}
	if most := b.Most(); most != nil {
		return "; " + most.Words(schemas.Named(most.Arm), rewards[0], rewards[1]) + ", unseen"
	}
	return ""
}

// drawnByReleased says what was found of a policy that draws, and saw released
// values.
func drawnByReleased(f *schemas.Finding, r *schemas.Conformance) {
	f.Statement = "Arms were played with the probabilities that the declared policy gives them by the released values."
	f.Observed = plural(r.Released.Matched, "round") + " in which the logged action can be drawn"
	if p := r.Propensities; p != nil {
		f.Observed += fmt.Sprintf("; the propensities of %s of %s match", schemas.Grouped(p.Matched), plural(p.Rounds, "round"))
	}
}

// wagerWords say how actions that are drawn were held against released values.
func wagerWords(in *facts.Log, x *schemas.ReleasedReplay) string {
	if x == nil || x.Allocation == nil {
		return ""
	}
	return fmt.Sprintf("; a wager on every arm at the propensities recomputed from released values, level %.3g together, valid at every number of rounds (Ville)", x.Allocation.Level) + facts.SharedWith(in.Manifest) + allocation.DrawnWords(in)
}
