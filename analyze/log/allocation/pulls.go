package allocation

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/replay"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// NotPulled says how the arms were played otherwise than a declared uniform or fixed
// policy plays them, or a declared floor allows; "" where nothing contradicts them at
// the level of a claim. With a seed the actions themselves are compared. Where arms are
// not always eligible, how often they could be played is not in the pulls, and the
// probabilities of a uniform or fixed policy are not tested; its floor is. Of the arms
// of a uniform policy that are not declared, those that only other experiments of the
// log played are none of this one's. Pulls count in rounds that are known to be drawn by
// themselves. Of a program pulls are not held against anything here.
func NotPulled(f *publiclog.Facts, r *schemas.Conformance) string {
	words, _ := notPulled(f, r)
	return words
}

// PulledOtherwise are the plays that NotPulled tells; nil where it tells none, and of a floor,
// which says of no arm how often it is expected.
func PulledOtherwise(f *publiclog.Facts, r *schemas.Conformance) *schemas.Played {
	_, plays := notPulled(f, r)
	return plays
}

func notPulled(f *publiclog.Facts, r *schemas.Conformance) (string, *schemas.Played) {
	if f.Mechanism == nil || r.Mode == schemas.ModeSeed || f.Mechanism.Given() > 0 || f.Sampled.Selected() {
		return "", nil
	}
	var words string
	var logP float64
	var least int
	var probs []float64
	pulls, labels := f.Pub.Drawn, f.Manifest.Arms
	switch m := f.Mechanism; {
	case f.Slice.Schema().Eligible || !m.Known():
		return playedBelowFloor(f, r), nil
	case m.Alike():
		if !f.Manifest.Declared {
			pulls, labels = playedOf(pulls, f.Pub.Pulls), playedOf(labels, f.Pub.Pulls)
		}
		logP, words = allocationtest.UniformLogP(pulls), "the arms were not played with probability 1/K each: "
		probs = slices.Repeat([]float64{1}, len(pulls))
		least = unlikeliest(pulls)
	default:
		probs, words = DeclaredProbabilities(f.Log), "the arms were not played with their declared probabilities: "
		logP, least = allocationtest.FixedLogP(pulls, probs)
	}
	if logP > math.Log(PullsLevel(f.Log)) {
		return "", nil
	}
	rounds, p := roundsOf(pulls, probs, least)
	expected := float64(p * float64(rounds))
	plays := &schemas.Played{Arm: labels[least], Rounds: rounds, Plays: pulls[least], Expected: &expected}
	return words + unlikelyWords(f, labels[least], pulls, probs, least, logP) + f.FalseDraws(f.Whole().CommonLevel()) + f.Stays(), plays
}

// roundsOf are the rounds of all pulls, and the probability of an arm among them.
func roundsOf(pulls []int64, probs []float64, arm int) (rounds int64, p float64) {
	all := 0.0
	for a, n := range pulls {
		rounds, all = rounds+n, all+probs[a]
	}
	return rounds, probs[arm] / all
}

// unlikelyWords say how often the arm was played that is least likely, and what p
// all arms together have.
func unlikelyWords(f *publiclog.Facts, label string, pulls []int64, probs []float64, arm int, logP float64) string {
	rounds, p := roundsOf(pulls, probs, arm)
	return fmt.Sprintf("arm %s, whose count is the least likely, was played in %s of %s%s, and its probability %.6g gives it %.6g on average (p of all arms: %s, level %.3g): ",
		schemas.Named(label), schemas.Grouped(pulls[arm]), schemas.Counted(rounds, "round"), DrawnWords(f.Log), p, float64(p*float64(rounds)), schemas.PValue(bitexact.Exp(logP)), PullsLevel(f.Log))
}

// unlikeliest returns the arm whose number of pulls is farthest from the mean number of
// pulls per arm.
func unlikeliest(pulls []int64) int {
	rounds := int64(0)
	for _, n := range pulls {
		rounds += n
	}
	worst, most, mean := 0, 0.0, float64(rounds)/float64(len(pulls))
	for a, n := range pulls {
		if d := math.Abs(float64(n) - mean); d > most {
			worst, most = a, d
		}
	}
	return worst
}

// heldByPulls reports whether the declared floor is held against pulls: where
// nothing else is, for a replay that recomputes propensities has it in them.
func heldByPulls(mechanism *replay.Mechanism, r *schemas.Conformance) bool {
	return r.Mode == schemas.ModeNone && mechanism.Floor() > 0
}

// HeldFloor says that pulls do not contradict the declared floor, which is all that
// is tested where there is nothing to replay from; "" where none is declared.
func HeldFloor(in *publiclog.Log) string {
	if in.Mechanism == nil || in.Mechanism.Floor() == 0 || in.Mechanism.Known() && !in.Slice.Schema().Eligible || in.Declared.Draws(in.Slice).None() {
		return ""
	}
	return "; the pulls do not contradict " + in.Mechanism.FloorWords()
}

// playedBelowFloor says which arm was played too seldom for its declared floor, or too
// often for the floor of the other arms; "" where none was.
func playedBelowFloor(f *publiclog.Facts, r *schemas.Conformance) string {
	if !heldByPulls(f.Mechanism, r) {
		return ""
	}
	x := flooredPulls(f).Test(f.Mechanism.Floor(), pullsAreBinomial(f.Log))
	if x.LogP > math.Log(PullsLevel(f.Log)) {
		return ""
	}
	bound := "gives it at least %s on average"
	if x.Above {
		bound = "of the other arms leaves it at most %s on average"
	}
	return fmt.Sprintf("arm %s was played in %s of the %s in which it could be%s, and %s "+bound+" (%s, level %.3g%s): %s",
		schemas.Named(f.Manifest.Arms[x.Arm]), schemas.Grouped(x.Pulls), schemas.Counted(x.Rounds, "round"), DrawnWords(f.Log), f.Mechanism.FloorWords(),
		schemas.Grouped(int64(math.Round(x.Expected))), schemas.PIs(bitexact.Exp(x.LogP)), PullsLevel(f.Log), pullsHold(f.Log), f.FalseDraws(f.Whole().CommonLevel()))
}

// flooredPulls are the pulls that a floor is held against. Arms that are not declared,
// and that this experiment did not play, are none of its own.
func flooredPulls(f *publiclog.Facts) *allocationtest.Floored {
	if f.Pub.Floored != nil {
		return f.Pub.Floored
	}
	out, among := allocationtest.NewFloored(f.K()), []int{}
	for arm, n := range f.Pub.Pulls {
		if n > 0 || f.Manifest.Declared {
			among = append(among, arm)
		}
	}
	out.AddPulls(f.Pub.Drawn, among)
	return out
}

// pullsAreBinomial reports whether nothing but draws decided in how many rounds an arm
// could be played.
func pullsAreBinomial(in *publiclog.Log) bool {
	return !in.Slice.Schema().Eligible && in.Protocol.Experiment.Stopping == schemas.StoppingFixed
}

// pullsHold says at which numbers of rounds the p of a floor holds.
func pullsHold(in *publiclog.Log) string {
	if pullsAreBinomial(in) {
		return ""
	}
	return ", valid at every number of rounds"
}

// DrawnWords say on which rounds a test of draws went, where not on all.
func DrawnWords(in *publiclog.Log) string {
	if words := in.Declared.Draws(in.Slice).Words(in.Slice); words != "" {
		return ", " + words
	}
	return ""
}

// playedOf are the entries of arms that were played in some round.
func playedOf[T any](drawn []T, pulls []int64) []T {
	var out []T
	for arm, n := range pulls {
		if n > 0 {
			out = append(out, drawn[arm])
		}
	}
	return out
}

// PullWords say how pulls are held against what a policy declares of probabilities.
func PullWords(in *publiclog.Log, r *schemas.Conformance) string {
	level := allocationtest.Level
	if ByDeclared(in) {
		level = allocationtest.AllocationLevel
	}
	switch m := in.Mechanism; {
	case r.Mode == schemas.ModeSeed:
		return ""
	case (heldByPulls(in.Mechanism, r) || m.Known()) && in.Declared.Draws(in.Slice).None():
		return "; pulls are not tested, since no round is known to be drawn by itself (policy.draw: {by: unit}, and no log.unit)"
	case heldByPulls(in.Mechanism, r) && (in.Slice.Schema().Eligible || !m.Known()):
		return fmt.Sprintf("; pulls against %s, %s, level %g", m.FloorWords(), floorTest(in), level) + DrawnWords(in)
	case !m.Known():
		return ""
	case in.Slice.Schema().Eligible:
		return "; pulls are not tested against the declared probabilities, since arms are not always eligible (log.eligible)"
	case m.Alike():
		return fmt.Sprintf("; pulls of a uniform policy against T/K, level %g", level) + DrawnWords(in)
	}
	return fmt.Sprintf("; pulls of a fixed policy against its probabilities, exact binomial tests of each arm (Bonferroni), level %g", level) + DrawnWords(in)
}

// floorTest names the test of a floor.
func floorTest(in *publiclog.Log) string {
	if pullsAreBinomial(in) {
		return "exact binomial tests of each arm (Bonferroni)"
	}
	return "a wager on every arm in the rounds in which it could be played, valid at every number of rounds (Ville)"
}
