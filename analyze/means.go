package analyze

import (
	"context"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/moments"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Purposes under which this package reads rewards. Tests and regressions have
// one purpose each, made of their declared name.
const (
	purposeMeans = "estimate:arms"
	purposeIPW   = "estimate:ipw"
)

// sums is what one pass over the rewards gives, per arm. Rows whose reward is
// missing are in none of it but their count.
type sums struct {
	missing  []int64
	scalar   []moments.Scalar
	ones     []int64          // rewards equal to 1, where rewards are binary
	cross    []*moments.Cross // nil where no regression is declared
	weighted *adaptive.IPW    // nil where no propensity is logged
}

func (a *analysis) newSums() *sums {
	s := &sums{missing: make([]int64, a.k()), scalar: make([]moments.Scalar, a.k()), ones: make([]int64, a.k())}
	if len(a.Protocol.Analysis.Regressions) > 0 {
		s.cross = make([]*moments.Cross, a.k())
		for arm := range s.cross {
			s.cross[arm] = moments.NewCross(len(a.fitColumns))
		}
	}
	if a.Slice.HasPropensity() {
		s.weighted = adaptive.NewIPW(a.k())
	}
	return s
}

func (s *sums) merge(o *sums) {
	for arm := range s.scalar {
		s.missing[arm] += o.missing[arm]
		s.scalar[arm].Merge(o.scalar[arm])
		s.ones[arm] += o.ones[arm]
		if s.cross != nil {
			s.cross[arm].Merge(o.cross[arm])
		}
	}
	if s.weighted != nil {
		s.weighted.Merge(o.weighted)
	}
}

// readRewards books every purpose that the pass serves and makes it.
func (a *analysis) readRewards(ctx context.Context) error {
	rewards, err := a.Slice.Disclose(a.book, purposeMeans, "arm")
	if err != nil {
		return err
	}
	if err = a.disclose(); err != nil {
		return err
	}
	a.sums = a.newSums()
	if err = fold(ctx, a.Slice, a.Jobs, func(i int) (*sums, error) { return a.chunkSums(rewards, i) }, a.sums.merge); err != nil {
		return err
	}
	a.byUnits, err = a.readByUnit(ctx, rewards)
	return err
}

// disclose books the purposes beside the means of arms.
func (a *analysis) disclose() error {
	if a.Slice.HasPropensity() {
		if _, err := a.Slice.Disclose(a.book, purposeIPW, "arm", "propensity"); err != nil {
			return err
		}
	}
	for i := range a.Protocol.Analysis.Tests {
		spec := &a.Protocol.Analysis.Tests[i]
		if _, err := a.Slice.Disclose(a.book, "test:"+spec.ID, a.testColumns(spec)...); err != nil {
			return err
		}
	}
	for i := range a.Protocol.Analysis.Regressions {
		spec := &a.Protocol.Analysis.Regressions[i]
		r, err := a.Slice.Disclose(a.book, "regression:"+spec.Name, a.disclosedColumns(spec)...)
		if err != nil {
			return err
		}
		a.rewards = append(a.rewards, r)
	}
	return nil
}

// testColumns are the public columns that a test reads beside the rewards.
func (a *analysis) testColumns(spec *schemas.TestSpec) []string {
	if spec.Regression != "" {
		return a.disclosedColumns(a.regressionSpec(spec.Regression))
	}
	return []string{"arm"}
}

func (a *analysis) chunkSums(rewards *tableau.Rewards, i int) (*sums, error) {
	s := a.newSums()
	c, y := a.Slice.Chunk(i), rewards.Chunk(i)
	known := rewards.Arms(i) // −1 where the reward is missing
	if err := moments.AddScalarsByArm(s.scalar, known, y); err != nil {
		return nil, err
	}
	for t, arm := range known {
		switch {
		case arm < 0:
			s.missing[c.Arm[t]]++
		case y[t] == 1:
			s.ones[arm]++
		}
	}
	if s.weighted != nil {
		if err := s.weighted.Add(known, y, c.Propensity); err != nil {
			return nil, err
		}
	}
	if s.cross != nil {
		return s, moments.AddByArm(s.cross, known, chosen(a.context(&c), a.fitColumns), y)
	}
	return s, nil
}

// missing is the number of rows whose reward is missing.
func (a *analysis) missing() int64 {
	total := int64(0)
	for _, n := range a.sums.missing {
		total += n
	}
	return total
}
