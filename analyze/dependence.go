package analyze

import (
	"context"
	"fmt"

	"banditaudit/analyze/decide/claims"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/rerandomize"
	"banditaudit/analyze/stat/randomization"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// purposeNeighbours is the purpose under which neighbouring rounds are held against each
// other.
const purposeNeighbours = "check:A2"

// earlier is what was found of rewards and the rounds before them.
type earlier struct {
	claims.Neighbours

	carried string // a caution: the declaration that an arm changes no later reward is contradicted
}

// join takes up what a test found that ran the policy again.
func (e *earlier) join(of *rerandomize.Earlier) {
	if of.Looked {
		e.look(of.Serial)
	}
	if of.Carried != "" {
		e.carried = of.Carried
	}
}

// look takes up the statistic of one look at neighbouring rounds, of which the largest counts.
func (e *earlier) look(z float64) {
	if !e.Looked || z > e.Z {
		e.Z = z
	}
	e.Looked, e.Depend = true, e.Z > randomization.Dependent
}

// asksNeighbours reports whether a declared test takes the rows of an arm as independent: one
// of a mean.
func (q *questions) asksNeighbours() bool {
	for i := range q.declared {
		if q.declared[i].kind == schemas.TestMean {
			return true
		}
	}
	return false
}

// readNeighbours books the rewards once more, where a mean is tested, and looks whether they
// follow those just before them ([randomization.Neighbours]), in one walk in the order of rounds.
// Where units own several rows the first row of each unit counts alone: rows of one unit
// depend on each other, and tests are by units.
func (s *sample) readNeighbours(ctx context.Context) error {
	if !s.questions.asksNeighbours() {
		return nil
	}
	columns := []string{tableau.Arm}
	var firsts *tableau.Firsts
	if publiclog.Repeated(s.facts.Slice) {
		columns, firsts = append(columns, tableau.Unit), s.facts.Slice.Firsts()
	}
	rewards, err := s.facts.Slice.Disclose(s.rewards.Book, purposeNeighbours, columns...)
	if err != nil {
		return err
	}
	seen := randomization.NewNeighbours(s.facts.K())
	lo, width := s.protocol.Reward.Range[0], publiclog.RangeWidth(s.protocol)
	err = publiclog.EachChunk(ctx, s.facts.Slice, func(i int, c *tableau.Chunk) error {
		var first []bool
		if firsts != nil {
			first = firsts.Next(c)
		}
		for t, y := range rewards.Chunk(i) {
			if len(first) == 0 || first[t] {
				seen.Add(c.Arm[t], (y-lo)/width)
			}
		}
		return nil
	})
	s.earlier.look(seen.End())
	return err
}

// againstNeighbours is what stands against a raw p of a mean that takes rows as independent.
// Fixed bets take every reward given those before it: they stand where nothing is corrected,
// for the policy reads no rewards.
func (a *answers) againstNeighbours(t *answer) corrections.NotApplicable {
	base := a.sample.questions.base(t.spec.Test, t.kind)
	switch {
	case t.kind != schemas.TestMean || !a.sample.earlier.Depend:
		return corrections.NotApplicable{}
	case base != nil && base.GivenPast && a.facts.Mechanism != nil && !a.facts.Mechanism.ReadsRewards():
		return corrections.NotApplicable{}
	}
	return corrections.Against("A2", fmt.Sprintf("rewards follow those of the rounds just before them (z = %.3g in blocks of 10 rounds, above %g), and the p takes rows as independent", a.sample.earlier.Z, randomization.Dependent))
}

// copied is why no method decides a test of a log that repeats itself.
const copied = "rows are earlier ones again (check H02), and every method takes them for new rounds"

// againstCopies is what stands against every raw p.
func (a *answers) againstCopies() corrections.NotApplicable {
	if !a.sample.earlier.Copied {
		return corrections.NotApplicable{}
	}
	return corrections.Against("A2", copied)
}

// dependent is the caution that rewards depend on each other.
func (e *earlier) dependent() string {
	if !e.Depend {
		return ""
	}
	return fmt.Sprintf("rewards follow those of the rounds just before them (z = %.3g in blocks of 10 rounds, above %g): rows are not independent (A2), and a mean that is rejected is that of these rounds given what came before each; where rounds belong to one user or session, declare log.unit",
		e.Z, randomization.Dependent)
}
