package rewards

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/drift"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Constancy is what the rewards say of the declaration that each arm's mean is constant
// (analysis.means): given everything before the draw of a round, contexts included, what is
// to be expected of an arm's reward is one number in every round that played the arm.
// Where a context that rewards follow steers the policy that is not so, however steady the
// world is. Five checks can contradict it, and each is one record:
//
//	sequence  no value fits the rewards of an arm at all times, at level α of an arm
//	          that a test is about, else at α over all arms
//	contexts  the rewards of an arm follow a declared context, at level .01 over all
//	          arms and contexts ([allocationtest.Following])
//	weights   the weighted mean of an arm is not its plain one, at level .01 over all
//	          arms ([ipw.Hausman])
//	drift     the mean of an arm moves (check H13)
//	steering  arms follow a declared context, and no propensities are known: an arm that
//	          was played in one context alone shows nothing of its rewards in others
//
// Where one does, nothing that needs constant means applies. Source: answers sheet,
// section 5.
type Constancy struct {
	Checks []schemas.MeansCheck // that were carried out
	found  []string             // what contradicts, with its numbers
	kinds  []string             // likewise, without arms and numbers: the same of many experiments
}

// constancyLevel is the level of the check of contexts, and of the check of weights.
const constancyLevel = 0.01

// ConstancyLimit returns the |z| beyond which the largest of n statistics contradicts.
func ConstancyLimit(n int) float64 { return drift.Bonferroni(constancyLevel, n) }

// purposeContexts is the purpose under which rewards are held against contexts.
const purposeContexts = "check:means"

// ConstantMeans reports whether each arm's mean is declared to be constant, and nothing
// contradicts it.
func (s *Sample) ConstantMeans() bool { return MeansDeclared(s.Protocol) && s.NotConstant() == "" }

// NotConstant is why means are not constant, with the check that says so; "" where no
// check does, or none was asked for.
func (s *Sample) NotConstant() string {
	if s.Constancy == nil || len(s.Constancy.found) == 0 {
		return ""
	}
	return "means are not constant: " + strings.Join(s.Constancy.found, "; ")
}

// DeclaredConstant is what contradicts a declaration that means are constant, without arms
// and numbers; "" where there is none, or nothing does.
func (s *Sample) DeclaredConstant() string {
	if s.Constancy == nil || !MeansDeclared(s.Protocol) {
		return ""
	}
	return schemas.AndList(s.Constancy.kinds)
}

// MeansRecord is what was looked at of a declaration that means are constant; nil where
// there is none.
func (s *Sample) MeansRecord() *schemas.Means {
	if s.Constancy == nil || !MeansDeclared(s.Protocol) {
		return nil
	}
	out := &schemas.Means{Checks: s.Constancy.Checks}
	if s.NotConstant() != "" {
		out.Code = schemas.CodeMeansContradicted
	}
	return out
}

// Contradict takes up a check, and what it says where it contradicts, with its numbers and
// without.
func (c *Constancy) Contradict(check *schemas.MeansCheck, words, kind string) {
	c.Checks = append(c.Checks, *check)
	if check.Contradicts {
		c.found, c.kinds = append(c.found, words), append(c.kinds, kind)
	}
}

// ZWords say of a statistic what it is and from which on it rejects.
func ZWords(z, most float64) string {
	return fmt.Sprintf("(z %.3g; rejects beyond %.3g)", math.Abs(z), most)
}

// checkConstancy holds the declaration against drift and contexts, and goes through bets
// that are looked at more than once as far as these let it stand.
func (s *Sample) checkConstancy(ctx context.Context, asked *Asked) error {
	if asked.Constant {
		s.Constancy = &Constancy{Checks: []schemas.MeansCheck{}}
		if MeansDeclared(s.Protocol) { // else the arms that a test compares count alone ([Sample.Moving])
			s.Constancy.drift(s)
		}
		if err := s.readContexts(ctx, asked); err != nil {
			return err
		}
		if err := s.readSteering(ctx, asked); err != nil {
			return err
		}
	}
	if !asked.Running {
		return nil
	}
	if err := s.readRunning(ctx); err != nil || len(s.Running) == 0 {
		return err
	}
	s.Constancy.sequences(s, asked)
	return nil
}

// drift takes up check H13.
func (c *Constancy) drift(s *Sample) {
	moving := s.Moving(publiclog.EachArm(s.Facts.K()))
	check := &schemas.MeansCheck{Check: schemas.MeansByDrift, Looked: s.Facts.K(), Contradicts: moving != nil}
	for arm := range s.Facts.K() {
		if check.Contradicts && check.Label == "" && s.Moving([]int{arm}) != nil {
			check.Label = s.Facts.Manifest.Arms[arm]
		}
	}
	c.Contradict(check, "the mean of an arm moves (check H13: "+schemas.AndList(moving)+")", "the mean of an arm moves (check H13)")
}

// sequences asks whether a value is left for the mean of every arm.
func (c *Constancy) sequences(s *Sample, asked *Asked) {
	check := &schemas.MeansCheck{Check: schemas.MeansBySequence}
	for arm := range s.Facts.K() {
		if !s.IsRunning(arm) || s.Scalar[arm].N == 0 {
			continue
		}
		check.Looked++
		if !check.Contradicts && s.fitsNone(arm, slices.Contains(asked.Compared, arm)) {
			check.Contradicts, check.Label = true, s.Facts.Manifest.Arms[arm]
		}
	}
	c.Contradict(check, "no value fits the rewards of arm "+schemas.Named(check.Label)+" at all times (its confidence sequence is empty)", "the confidence sequence of an arm is empty")
}

// fitsNone reports whether no value is left for the mean of an arm, at level α where a test
// is about it.
func (s *Sample) fitsNone(arm int, compared bool) bool {
	level := publiclog.LogAlpha(s.Protocol)
	if !compared {
		level -= math.Log(float64(s.Facts.K()))
	}
	r, _ := s.BetsOn(arm, onesample.Null{Value: s.Scalar[arm].Mean, LogAlpha: level})
	return FitsNone(&r)
}

// readContexts books the rewards once more, and compares the rewards of each arm between
// sides of the declared contexts, in the order of rounds: a number by whether it is above
// the median of the numbers before it ([allocationtest.Eighths]), a level of a word by
// whether it is the one. Where units own several rows the first row of each counts alone.
func (s *Sample) readContexts(ctx context.Context, asked *Asked) error {
	sides := s.Facts.ContextSides()
	if len(sides) == 0 || !asked.Contexts || s.chosenByRewards() {
		return nil
	}
	columns := []string{tableau.Arm, tableau.ContextByArm}
	if s.Facts.Slice.Schema().ContextByArm == 0 {
		columns = append(columns[:1], s.Facts.ContextNames()...)
	}
	var firsts *tableau.Firsts
	if publiclog.Repeated(s.Facts.Slice) {
		columns, firsts = append(columns, tableau.Unit), s.Facts.Slice.Firsts()
	}
	read, err := s.Facts.Slice.Disclose(s.Book, purposeContexts, columns...)
	if err != nil {
		return err
	}
	f := &followed{sides: sides, sums: make([][]moments.Scalar, len(sides))}
	for i := range f.sums {
		f.sums[i] = make([]moments.Scalar, 2*s.Facts.K())
	}
	err = publiclog.EachChunk(ctx, s.Facts.Slice, func(i int, c *tableau.Chunk) error {
		var first []bool // of their units; nil: all rows count
		if firsts != nil {
			first = firsts.Next(c)
		}
		return f.add(s.Facts.Context(c), read.Arms(i), read.Chunk(i), first)
	})
	if err == nil {
		s.Constancy.contexts(s, f)
	}
	return err
}

// readSteering asks whether arms follow a context, where no propensities are known that
// rewards could be weighted with.
func (s *Sample) readSteering(ctx context.Context, asked *Asked) error {
	if !asked.Contexts || !MeansDeclared(s.Protocol) || publiclog.ContextDim(s.Facts.Slice) == 0 || s.Facts.Slice.HasPropensity() || s.Facts.DeclaredLaw() || s.Facts.Recomputable() {
		return nil
	}
	found, err := s.Facts.Steering(ctx)
	if err != nil {
		return err
	}
	check := &schemas.MeansCheck{Check: schemas.MeansBySteering, Looked: s.Facts.K(), Contradicts: found != nil}
	of := "a context"
	if found != nil && !found.Policy {
		check.Label, check.Context, check.Statistic, check.Threshold = found.Label, found.Context, found.Statistic, found.Threshold
		of = "the context " + found.Context
	}
	const unknown = ", and no propensities are known: visitors of one arm are others than those of another"
	s.Constancy.Contradict(check, "arms follow "+of+unknown, "arms follow a context"+unknown)
	return nil
}

// chosenByRewards reports whether the rewards that are known may have been chosen by their
// values, so that what they follow shows nothing of the others.
func (s *Sample) chosenByRewards() bool {
	return s.Facts.Sampled.ByRewards() != "" || s.MissingRows() > 0 && s.Protocol.Log.MissingReward == schemas.MissingExclude
}

// followed are the rewards of arms on the two sides of contexts.
type followed struct {
	sides []publiclog.ContextSide
	sums  [][]moments.Scalar // by side, then twice the arm and its cell
	cells []uint8
	place []int32
}

// add takes up the rounds of a chunk: contexts by column, arms, −1 where the reward is
// missing, and rewards; first are those that count, nil: all.
func (f *followed) add(x [][]float64, known []int32, y []float64, first []bool) error {
	for i := range f.sides {
		f.cells, f.place = f.sides[i].Cells(f.cells[:0], x), f.place[:0]
		for t, arm := range known {
			place := int32(-1)
			if arm >= 0 && f.cells[t] != subgroups.NoCell && (len(first) == 0 || first[t]) {
				place = 2*arm + int32(f.cells[t])
			}
			f.place = append(f.place, place)
		}
		if err := moments.AddScalarsByArm(f.sums[i], f.place, y); err != nil {
			return err
		}
	}
	return nil
}

// contexts says which rewards follow a context most.
func (c *Constancy) contexts(s *Sample, f *followed) {
	check := &schemas.MeansCheck{Check: schemas.MeansByContexts}
	most := 0.0
	for i := range f.sides {
		for arm := range s.Facts.K() {
			of := drift.Following{Off: f.sums[i][2*arm], On: f.sums[i][2*arm+1]}
			if !of.Looked() {
				continue
			}
			check.Looked++
			if _, z := of.Z(); math.Abs(z) > math.Abs(most) {
				most, check.Label, check.Context = z, s.Facts.Manifest.Arms[arm], f.sides[i].Name
			}
		}
	}
	if check.Looked == 0 {
		return
	}
	limit := ConstancyLimit(check.Looked)
	check.Statistic, check.Threshold = schemas.Finite(most), schemas.Finite(limit)
	check.Contradicts = math.Abs(most) > limit
	c.Contradict(check, "rewards of arm "+schemas.Named(check.Label)+" follow the context "+check.Context+" "+ZWords(most, limit), "rewards follow the context "+check.Context)
}
