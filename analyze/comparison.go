package analyze

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/schemas"
)

// A test that compares arms is about what they pay only where each of them has
// one mean: arms that were played at different times differ by whatever moved in
// between, also where they pay alike in every round. A difference of two arms
// compares them, and so does a coefficient of a pooled regression that stands for
// an arm against the control. A mean of one arm, and a coefficient of one arm's
// regression, are about that arm's own rounds, and compare none.

// compared are the arms that a test compares, in their order; nil where it
// compares none.
func (q *questions) compared(d *declaredTest) []int {
	switch {
	case d.kind == schemas.TestDifference:
		return []int{d.arm, d.against}
	case d.arm >= 0:
		return nil
	}
	names := q.protocol.Log.Expand(d.spec.Coefficient)
	for _, key := range slices.Sorted(maps.Keys(d.spec.Joint)) {
		names = append(names, q.protocol.Log.Expand(key)...)
	}
	return againstControl(q.facts.Log, names...)
}

// againstControl are the control and the arms that coefficients of a pooled
// regression hold against it; nil where they hold none.
func againstControl(in *publiclog.Log, names ...string) []int {
	var arms []int
	for arm, label := range in.Manifest.Arms {
		dummy := "arm[" + label + "]"
		if slices.ContainsFunc(names, func(name string) bool { return name == dummy || strings.HasPrefix(name, dummy+":") }) {
			arms = append(arms, arm)
		}
	}
	if arms == nil {
		return nil
	}
	return append([]int{in.Control()}, arms...)
}

// comparison is what a comparison of arms rests on.
type comparison struct {
	record  *schemas.Comparison // nil: no arms are compared
	against corrections.NotApplicable
	note    string // that stands beside every corrected answer
}

// contradicted says which means move of arms that are compared, nil where none
// does, or where that changes nothing.
func (s *sample) contradicted(ctx context.Context, arms []int) ([]string, error) {
	moving := s.rewards.Moving(arms)
	if moving == nil {
		return nil, nil
	}
	even, err := s.evenly(ctx, arms)
	if even {
		moving = nil
	}
	return moving, err
}

// compare says what a test that compares arms rests on.
func (s *sample) compare(ctx context.Context, d *declaredTest) (comparison, error) {
	if d.kind == schemas.TestEqual {
		return s.questions.alike(d), nil
	}
	arms := s.questions.compared(d)
	if arms == nil {
		return comparison{}, nil
	}
	out := comparison{record: &schemas.Comparison{Declared: rewards.MeansDeclared(s.protocol), Played: s.facts.PlayedIn(arms)}}
	even, err := s.evenly(ctx, arms)
	switch moving := s.rewards.Moving(arms); {
	case err != nil:
		return out, err
	case s.validity.Follows != "":
		out.record.Means = schemas.MeansContradicted
		out.record.Words = "H17 finds that arms were not played with their propensities in all rounds: " + s.validity.Follows
		out.against = corrections.Against("A3", "arms were not played with their propensities in all rounds (check H17: "+s.validity.Follows+"): arms that meet other rounds differ by that alone, also where they pay alike in every round; the mean of one arm can be tested, as the mean over its rounds")
	case even:
		out.record.Means = schemas.MeansNotNeeded
		out.record.Words = "The declared policy reads no rewards and gives the arms the same shares of each other's rounds throughout: arms that were played so meet the same means, whatever moves" + s.rewards.IfMissing(" (where a reward is known too, if that goes by the arm in every round alike)") + ". " + s.playedSo()
		out.record.ValidIf = publiclog.Joined(evenIf(s.evidence), s.rewards.IfMissing(schemas.ValidIfKnown))
		out.note = out.record.ValidIf
	case moving != nil:
		words := strings.Join(moving, ", ")
		out.record.Means = schemas.MeansContradicted
		out.record.Words = "H13 finds means that move: " + words
		out.against = corrections.Against("A3", "the mean of an arm moves (check H13: "+words+"): arms that were played at different times differ by that alone, also where they pay alike in every round; the mean of one arm can be tested, as the mean over its rounds")
	case d.kind == schemas.TestDifference && s.rewards.NotConstant() != "":
		out.record.Means = schemas.MeansContradicted
		out.record.Words = "The checks of analysis.means find that " + s.rewards.NotConstant()
		out.against = corrections.Against("A3", s.rewards.NotConstant()+": arms that were played in other rounds differ by that alone; the mean of one arm can be tested, as the mean over its rounds")
	default:
		out.record.Means = schemas.MeansNotContradicted
		out.record.Words = "H13 finds no mean that moves; in four of five logs it finds a step at half of an arm's plays from this size on: " +
			strings.Join(s.rewards.Steps(arms), ", ") + "; a smaller or faster drift that the arms share, or one that goes back and forth, can reject"
		if out.note, out.record.ValidIf = schemas.ValidIfConstant, schemas.ValidIfConstant; out.record.Declared {
			out.note, out.record.ValidIf = schemas.ValidIfDeclared, schemas.ValidIfDeclared
		}
	}
	return out, nil
}

// alike is what a test of whether arms pay alike rests on: no mean has to be constant.
func (q *questions) alike(d *declaredTest) comparison {
	arms := []int{d.arm, d.against}
	if d.arm < 0 {
		arms = publiclog.EachArm(q.facts.K())
	}
	return comparison{record: &schemas.Comparison{
		Means: schemas.MeansNotNeeded, Declared: rewards.MeansDeclared(q.protocol), Played: q.facts.PlayedIn(arms),
		Words: "What is tested is whether the arms pay alike in each round by itself, whatever moves from round to round.",
	}}
}

// sequence is the confidence sequence's answer of a test. Where the means of arms
// that it compares move, it has no p: its interval holds for the mean of each arm over its
// own rounds, and the other arm has other rounds.
func (c *comparison) sequence(r schemas.TestResult) schemas.TestResult {
	switch {
	case c.record == nil || !r.Applicable:
	case c.against.Stands():
		return schemas.TestResult{
			Method: r.Method, ValidFor: r.ValidFor,
			Reason: fmt.Sprintf("%s; of the means over each arm's own rounds the confidence sequence has the difference in [%.4g, %.4g]", c.against, r.CI[0], r.CI[1]),
		}
	case c.note != "":
		r.Reason += "; each mean is that over the arm's own rounds: of the arms themselves it is " + c.note
	}
	return r
}

// evenly reports whether arms meet the same means whatever moves ([allocation.Evenly]).
// Neither a replay nor a check of the allocation may have found that the arms were played
// otherwise, nor may rewards be known of one arm more in some quarters of the log than in
// others.
func (s *sample) evenly(ctx context.Context, arms []int) (bool, error) {
	if s.evidence.Conformance.Verdict == schemas.Violated || s.validity.Misplayed || s.knownUnevenly(arms) {
		return false, nil
	}
	return allocation.Evenly(ctx, s.facts.Log, arms)
}

// evenIf is what arms rest on that met the same rounds by a declared policy that reads
// no rewards.
func evenIf(e *validity.Evidence) string {
	if e.Conformance.Verdict == schemas.Verified {
		return schemas.ValidIfOrdered
	}
	return schemas.ValidIfDrawn
}

// playedSo says what holds the arms to the probabilities of a declared policy that
// reads no rewards.
func (s *sample) playedSo() string {
	switch {
	case s.evidence.Conformance.Verdict == schemas.Verified:
		out := "The actions are recomputed (policy.conformance). That no round was numbered, chosen or dropped, and no context set, after the arms were known, is declared, and nothing recomputes it"
		if s.validity.Looked {
			return out + ": check H17 does not contradict it on what it looked at (data.splits). " + check.ElseWords + "; it would reject arms that pay alike"
		}
		return out
	case s.validity.Looked && allocation.AtDeclared(s.facts.Log):
		return "That they were is as declared, and not contradicted by check H17, at the declared probabilities, on what it looked at (data.splits). " + check.ElseWords + "; it would reject arms that pay alike"
	case s.validity.Looked:
		return "That they were is as declared, and not contradicted by check H05, over all rounds, nor by check H17, on what it looked at (data.splits). " + check.ElseWords + "; it would reject arms that pay alike"
	case s.facts.Slice.HasPropensity(), allocation.AtDeclared(s.facts.Log):
		return "That they were is as declared; check H17 was not run: nothing holds the allocation against contexts or time, and one that follows them would reject arms that pay alike"
	}
	return "That they were is as declared; no propensity is logged: nothing holds the allocation against contexts or time, and one that follows them would reject arms that pay alike"
}
