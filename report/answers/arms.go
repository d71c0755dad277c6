package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// armAnswers say which arms pay more, by the declared tests; where none was declared, what
// the means show.
func armAnswers(r *digest.Digest, p *digest.Protocol) []string {
	switch {
	case r.Count() > 1:
		return manyAnswers(r, p)
	case len(r.Experiments) == 0:
		return nil
	}
	x := &r.Experiments[0]
	if len(x.Tests) == 0 {
		return noTests(x, p)
	}
	said := testAnswers(x)
	if x.Steering != nil {
		said = append(said, page.Sentence(asPlayedWords(x.Steering)))
	}
	return append(said, page.Sentence(fmt.Sprintf("These are the answers of %s at level %s, %s",
		schemas.Counted(len(x.Tests), "declared test"), p.Alpha(), p.AfterWhat()))+ifDeclared(r, p))
}

// manyAnswers count what tests of several experiments decide.
func manyAnswers(r *digest.Digest, p *digest.Protocol) []string {
	if !r.Tested {
		return []string{"No comparison of arms was declared, so none is decided."}
	}
	return []string{testSentence(r, p)}
}

// noTests is what the means of arms show where no test asks about them.
func noTests(x *schemas.Experiment, p *digest.Protocol) []string {
	said := []string{"No comparison of arms was declared, so none is decided."}
	if x.Steering != nil {
		return append(said, steeredAnswers(x)...)
	}
	arms := schemas.BestFirst(x.Arms)
	if len(arms) < 2 || arms[1].Mean == nil {
		return said
	}
	best := arms[0]
	text := fmt.Sprintf("The highest mean is that of %s, %s", page.ArmName(best.Label), page.Short(*best.Mean))
	if best.ConfidenceSequence == nil {
		return append(said, page.Sentence(text))
	}
	text += fmt.Sprintf(" (%s to %s by the %s sequence that holds for all arms together)", page.Short(best.ConfidenceSequence[0]), page.Short(best.ConfidenceSequence[1]), p.Level())
	above := !slices.ContainsFunc(arms[1:], func(a *schemas.Arm) bool {
		return a.ConfidenceSequence == nil || a.ConfidenceSequence[1] >= best.ConfidenceSequence[0]
	})
	if above {
		return append(said, page.Sentence(text+", and that interval lies above those of all other arms"))
	}
	return append(said, page.Sentence(text+", and that interval overlaps with those of other arms"))
}

// mostAnswers is how many sentences tests have.
const mostAnswers = 6

// testAnswers returns what tests decide; tests of arms that come to the same stand
// together.
func testAnswers(x *schemas.Experiment) []string {
	var said page.Gathered
	for _, t := range bestTests(x) {
		text, of := testAnswer(t)
		said.Once(text, of)
	}
	lines := make([]string, 0, len(said.Texts))
	for _, text := range said.Texts {
		names := said.Names[text]
		one, many, found := strings.Cut(text, "|")
		if !found {
			many = one
		}
		if len(names) > 1 {
			one = many
		}
		lines = append(lines, page.Sentence(strings.ReplaceAll(one, "%", page.Listed(names))))
	}
	if n := len(lines) - mostAnswers; n > 0 {
		lines = append(lines[:mostAnswers], schemas.Plural(n, "more answer stands", "more answers stand")+" in the table of tests.")
	}
	return lines
}

// mostConditions is how many conditions of answers are told first.
const mostConditions = 2

// conditions are what the answers rest on that is neither declared nor recomputed, each
// with the tests that do, and of several experiments with how many.
func conditions(r *digest.Digest) []string {
	var said, where page.Gathered
	for _, again := range []bool{true, false} { // first by the policy run again, which rests on most
		for i := range r.Experiments {
			x := &r.Experiments[i]
			for j := range x.Tests {
				if t := &x.Tests[j]; t.DecidedBy != "" && t.ValidIf() != "" && again == (t.DecidedBy == schemas.MethodRerun) {
					said.Once(t.ValidIf(), page.Label(t.ID))
					where.Once(t.ValidIf(), x.ID)
				}
			}
		}
	}
	var lines []string
	for _, text := range said.Texts[:min(len(said.Texts), mostConditions)] {
		answer, is := "The answer to ", " is "
		if len(said.Names[text]) > 1 || len(where.Names[text]) > 1 {
			answer, is = "The answers to ", " are "
		}
		in := ""
		if r.Count() > 1 {
			in = " " + inExperiments(r, len(where.Names[text]))
		}
		lines = append(lines, page.Sentence(answer+page.Listed(said.Names[text])+in+is+page.OrDash(text)))
	}
	if n := len(said.Texts) - mostConditions; n > 0 {
		lines = append(lines, "Others stand beside the tests.")
	}
	return lines
}

// inExperiments says in how many of the experiments that are listed something is so.
func inExperiments(r *digest.Digest, n int) string {
	of := schemas.Counted(r.Count(), "experiment")
	if held := len(r.Experiments); held < r.Count() {
		of = "the first " + page.Group(int64(held)) + " of " + of
	} else if n == r.Count() {
		return "in all " + of
	}
	return "in " + page.Group(int64(n)) + " of " + of
}

// bestTests are the tests by what they come to, rejections first, then by the mean of the
// arm, the largest first.
func bestTests(x *schemas.Experiment) []*schemas.Test {
	place := map[int]int{}
	for i, a := range schemas.RankArms(x).Arms {
		place[a.Arm] = i
	}
	out := make([]*schemas.Test, len(x.Tests))
	for i := range x.Tests {
		out[i] = &x.Tests[i]
	}
	rank := map[string]int{schemas.DecisionRejected: 0, schemas.DecisionKept: 1}
	slices.SortStableFunc(out, func(a, b *schemas.Test) int {
		ra, oka := rank[a.Decision]
		rb, okb := rank[b.Decision]
		if !oka {
			ra = len(rank)
		}
		if !okb {
			rb = len(rank)
		}
		return cmp.Or(cmp.Compare(ra, rb), cmp.Compare(place[a.Arm], place[b.Arm]))
	})
	return out
}

// testAnswer is what a test comes to, % in the place of its subject, behind | the same of
// several subjects; and the subject.
func testAnswer(t *schemas.Test) (text, of string) {
	rejected := t.Decision == schemas.DecisionRejected
	switch {
	case t.Decision == schemas.DecisionNone:
		return "Test % has no valid answer; the table of tests says why|Tests % have no valid answer; the table of tests says why",
			page.Label(t.ID)
	case t.Kind == schemas.TestMean && rejected:
		return meanWords(t), page.ArmName(t.Label)
	case t.Kind == schemas.TestMean:
		return "For % it is not decided whether the mean is " + sided(t.Alternative, "", "above ", "below ") + page.Short(t.Value),
			page.ArmName(t.Label)
	case t.Kind == schemas.TestDifference && rejected:
		return differenceWords(t), page.ArmName(t.Label)
	case t.Kind == schemas.TestDifference && t.Value == 0:
		return "Whether % pays " + sided(t.Alternative, "more or less", "more", "less") + " than " + page.ArmName(t.Against) + " is not decided", page.ArmName(t.Label)
	case t.Kind == schemas.TestEqual && rejected:
		return equalSubject(t, "The arms") + " do not pay alike", ""
	case t.Kind == schemas.TestEqual:
		return "Whether " + equalSubject(t, "the arms") + " pay alike is not decided", ""
	case rejected:
		return "Test % rejects its hypothesis|Tests % reject their hypotheses", page.Label(t.ID)
	}
	return "Test % does not reject its hypothesis|Tests % do not reject their hypotheses", page.Label(t.ID)
}

// sided picks the words of a test by its alternative: for both sides, for greater, for less.
func sided(alternative, both, greater, less string) string {
	switch alternative {
	case schemas.Greater:
		return greater
	case schemas.Less:
		return less
	}
	return both
}

// meanWords say on which side of the tested value a mean lies.
func meanWords(t *schemas.Test) string {
	value := page.Short(t.Value)
	switch {
	case t.Estimate == nil || t.Alternative == schemas.TwoSided && *t.Estimate == t.Value:
		return "The mean of % is not " + value
	case t.Alternative == schemas.Greater || t.Alternative == schemas.TwoSided && *t.Estimate > t.Value:
		return "% pays more than " + value + "|% pay more than " + value
	}
	return "% pays less than " + value + "|% pay less than " + value
}

// differenceWords say which of two arms pays more, where the method that decides says so,
// and by how much.
func differenceWords(t *schemas.Test) string {
	against := page.ArmName(t.Against)
	ci := t.DecidingInterval()
	switch {
	case t.EveryRound():
		return "% and " + against + " do not pay alike"
	case t.Value != 0 || t.Estimate == nil || *t.Estimate == 0:
		return "The mean of % less that of " + against + " is " + sided(t.Alternative, "not ", "above ", "below ") + page.Short(t.Value)
	}
	side := "more"
	if *t.Estimate < 0 {
		side = "less"
	}
	out := "% pays " + side + " than " + against
	if ci != nil && (ci[0] > 0 || ci[1] < 0) { // an interval by other means may hold 0
		out += ", by a difference between " + page.Short(ci[0]) + " and " + page.Short(ci[1])
	}
	return out
}

// equalSubject are the arms that a test of equality is about, all of them in the words given.
func equalSubject(t *schemas.Test, all string) string {
	if t.Against == "" {
		return all
	}
	return page.ArmName(t.Label) + " and " + page.ArmName(t.Against)
}

// AsPlayedNote stands at means as played.
const AsPlayedNote = "as played, over different visitors"

// asPlayedWords say what means as played are.
func asPlayedWords(s *schemas.Steering) string {
	if s.Context == "" {
		return "Arms follow the contexts: their means as played are over different visitors, and rank no arm"
	}
	return "Arms follow the context " + page.Label(s.Context) + ": their means as played are over different visitors, and rank no arm"
}

// steeredAnswers are what means show of arms that follow a context.
func steeredAnswers(x *schemas.Experiment) []string {
	said := []string{page.Sentence(asPlayedWords(x.Steering))}
	r := schemas.RankArms(x)
	switch {
	case r.Weighted == nil:
		return append(said, "There is no weighted mean of every arm, so no arm is called best.")
	case len(r.Arms) < 2 || r.Weighted[0] == nil:
		return said
	}
	return append(said, page.Sentence(bestWeighted(&r)))
}

// bestWeighted says which arm has the highest weighted mean.
func bestWeighted(r *schemas.Ranking) string {
	best := r.Weighted[0]
	out := fmt.Sprintf("The highest weighted mean (%s) is that of %s, %s", best.Estimator, page.ArmName(r.Arms[0].Label),
		page.Short(*best.Estimate))
	if best.CI != nil {
		out += fmt.Sprintf(" (approximate interval %s to %s, of this arm alone)", page.Short(best.CI[0]), page.Short(best.CI[1]))
	}
	return out
}

// steeredFound says the same where the means of arms are opened.
func steeredFound(x *schemas.Experiment) string {
	out := "arms follow a context, so that means as played are over different visitors and rank no arm"
	if r := schemas.RankArms(x); len(r.Weighted) > 0 && r.Weighted[0] != nil {
		out += fmt.Sprintf("; the highest weighted mean (%s) is that of %s, %s", r.Weighted[0].Estimator, page.ArmName(r.Arms[0].Label), page.Short(*r.Weighted[0].Estimate))
	}
	return out
}
