package analyze

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"banditaudit/analyze/allocation"
	"banditaudit/analyze/check"
	"banditaudit/analyze/facts"
	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/moments"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// purposeMeans is the purpose under which the means of arms read rewards. Tests and
// regressions have one purpose each, made of their declared name.
const purposeMeans = "estimate:arms"

// sums is what one pass over the rewards gives, per arm. Rows whose reward is
// missing are in none of it but their count.
type sums struct {
	missing []int64
	scalar  []moments.Scalar
	ones    []int64          // rewards equal to 1, where rewards are binary
	bets    []moments.Bets   // what fixed bets won
	thirds  []moments.Third  // nil where no test takes means as normal
	cross   []*moments.Cross // nil where no regression is declared
	print   rowPrint         // of the first rows
}

func (q *questions) newSums() *sums {
	out := &sums{missing: make([]int64, q.K()), scalar: make([]moments.Scalar, q.K()), ones: make([]int64, q.K())}
	if len(q.Protocol.Analysis.Regressions) > 0 {
		out.cross = make([]*moments.Cross, q.K())
		for arm := range out.cross {
			out.cross[arm] = moments.NewCross(len(q.fitColumns))
		}
	}
	out.bets = make([]moments.Bets, q.K())
	if q.normal() {
		out.thirds = make([]moments.Third, q.K())
	}
	return out
}

func (s *sums) merge(o *sums) {
	for arm := range s.scalar {
		s.missing[arm] += o.missing[arm]
		s.scalar[arm].Merge(o.scalar[arm])
		s.ones[arm] += o.ones[arm]
		if s.cross != nil {
			s.cross[arm].Merge(o.cross[arm])
		}
		s.bets[arm].Merge(&o.bets[arm])
		if s.thirds != nil {
			s.thirds[arm].Merge(o.thirds[arm])
		}
	}
	s.print.merge(o.print)
}

// sample is what the known rewards say of every arm.
type sample struct {
	*evidence
	allocation.Footing

	sums     *sums
	byUnits  *unitSums              // nil where a row is its own unit
	units    *check.Units           // nil where no unit is declared
	drift    *check.Drift           // whether means move
	running  []*hypothesis.BetLooks // by arm: what fixed bets held in between; nil where only the end counts
	weighted *weighted              // nil where no propensity is logged, nor drawn with by a declared policy
	rewards  []*tableau.Rewards     // of each declared regression
	book     *ledger.Disclosures    // what was read, and for which purpose
}

// readSample books every purpose that rewards are read for, and reads them: once
// for the sums of all arms, once more by unit where a unit owns several rows, for check
// H13, and for bets that are looked at more than once.
func readSample(ctx context.Context, e *evidence) (*sample, error) {
	s := &sample{evidence: e, units: facts.NewUnits(e.Slice), book: &ledger.Disclosures{}}
	if err := s.handedOver(); err != nil {
		return nil, err
	}
	rewards, err := s.Slice.Disclose(s.book, purposeMeans, tableau.Arm)
	if err != nil {
		return nil, err
	}
	if err = s.disclose(); err != nil {
		return nil, err
	}
	s.sums = s.newSums()
	if err = facts.Fold(ctx, s.Slice, s.Jobs, func(i int) (*sums, error) { return s.chunkSums(rewards, i) }, s.sums.merge); err != nil {
		return nil, err
	}
	if s.byUnits, err = s.readByUnit(ctx, rewards); err != nil {
		return nil, err
	}
	if err = s.lookForDrift(ctx); err != nil {
		return nil, err
	}
	err = s.readRunning(ctx, rewards)
	return s, err
}

// disclose books the purposes beside the means of arms.
func (s *sample) disclose() error {
	for i := range s.Protocol.Analysis.Tests {
		spec := &s.Protocol.Analysis.Tests[i]
		if _, err := s.Slice.Disclose(s.book, "test:"+spec.ID, testColumns(s.Log, spec)...); err != nil {
			return err
		}
	}
	for i := range s.Protocol.Analysis.Regressions {
		spec := &s.Protocol.Analysis.Regressions[i]
		r, err := s.Slice.Disclose(s.book, "regression:"+spec.Name, disclosedColumns(s.Log, spec)...)
		if err != nil {
			return err
		}
		s.rewards = append(s.rewards, r)
	}
	return nil
}

// testColumns are the public columns that a test reads beside the rewards.
func testColumns(in *facts.Log, spec *schemas.TestSpec) []string {
	if spec.Regression != "" {
		return disclosedColumns(in, regressionSpec(in.Protocol, spec.Regression))
	}
	return []string{tableau.Arm}
}

func (s *sample) chunkSums(rewards *tableau.Rewards, i int) (*sums, error) {
	part := s.newSums()
	c, y := s.Slice.Chunk(i), rewards.Chunk(i)
	known := rewards.Arms(i) // −1 where the reward is missing
	if err := moments.AddScalarsByArm(part.scalar, known, y); err != nil {
		return nil, err
	}
	for t, arm := range known {
		switch {
		case arm < 0:
			part.missing[c.Arm[t]]++
		case y[t] == 1:
			part.ones[arm]++
		}
	}
	if part.thirds != nil {
		if err := moments.AddThirdsByArm(part.thirds, known, y); err != nil {
			return nil, err
		}
	}
	if err := betting(s.Protocol).AddByArm(part.bets, known, y); err != nil {
		return nil, err
	}
	printRows(s.Manifest, part, &c, known, y)
	if part.cross != nil {
		return part, moments.AddByArm(part.cross, known, chosen(s.Context(&c), s.fitColumns), y)
	}
	return part, nil
}

// betting is how rewards in the declared range are bet on.
func betting(protocol *schemas.Protocol) *moments.Betting {
	r := protocol.Reward.Range
	return moments.NewBetting(r[0], r[1])
}

// missingRows is the number of rows whose reward is missing.
func missingRows(all *sums) int64 {
	total := int64(0)
	for _, n := range all.missing {
		total += n
	}
	return total
}

// checkCounts holds the manifest's counts of missing rewards against the
// tableau: what the checks print must be what was left out.
func (s *sample) checkCounts() error {
	counted := make([]int64, s.K())
	for _, c := range s.Experiment().Counts {
		if c.Arm < 0 || c.Arm >= s.K() {
			return fmt.Errorf("manifest.json counts rows of arm %d, and there are %d arms; ingest the log again", c.Arm, s.K())
		}
		if c.Reason == schemas.ReasonMissing {
			counted[c.Arm] += c.Rows
		}
	}
	if s.Slice.Schema().RewardByArm || slices.Equal(counted, s.sums.missing) {
		return nil // with the rewards of all arms the manifest counts those too
	}
	return errors.New("manifest.json does not count the missing rewards that the tableau has; ingest the log again")
}
