package rewards

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// purposeMeans is the purpose under which the means of arms read rewards. Tests and
// regressions have one purpose each, made of their declared name.
const purposeMeans = "estimate:arms"

// Asked is what the protocol asks of the rewards.
type Asked struct {
	Tests       []Purpose
	Regressions []Purpose
	Columns     []int // of the context, whose products with rewards regressions need
	Normal      bool  // a test takes means as normal
	Running     bool  // bets on the mean of an arm are printed
	Constant    bool  // an answer rests on each arm's mean being constant
	Contexts    bool  // so that rewards may follow no context
	Compared    []int // arms that a test is about
}

// Purpose is what rewards are read for, with the public columns that are read beside them.
type Purpose struct {
	Name    string
	Columns []string
}

// Sums is what one pass over the rewards gives, per arm. Rows whose reward is
// missing are in none of it but their count.
type Sums struct {
	Missing []int64
	Gone    [publiclog.Quarters][]int64 // Missing, of each quarter of the log
	Scalar  []moments.Scalar
	Ones    []int64          // rewards equal to 1
	Bets    []moments.Bets   // what fixed bets won
	Thirds  []moments.Third  // nil where no test takes means as normal
	Cross   []*moments.Cross // nil where no regression is declared
	print   rowPrint         // of the first rows
	ends    []moment         // how a few arms stood in between, see path
}

// NewSums returns the sums of no rows, for k arms.
func (a *Asked) NewSums(k int) *Sums {
	out := &Sums{Missing: make([]int64, k), Scalar: make([]moments.Scalar, k), Ones: make([]int64, k), Bets: make([]moments.Bets, k)}
	for quarter := range out.Gone {
		out.Gone[quarter] = make([]int64, k)
	}
	if len(a.Regressions) > 0 {
		out.Cross = make([]*moments.Cross, k)
		for arm := range out.Cross {
			out.Cross[arm] = moments.NewCross(len(a.Columns))
		}
	}
	if a.Normal {
		out.Thirds = make([]moments.Third, k)
	}
	return out
}

func (s *Sums) merge(p *path, o *Sums) {
	s.goOn(p, o.ends)
	for arm := range s.Scalar {
		s.Missing[arm] += o.Missing[arm]
		for quarter := range s.Gone {
			s.Gone[quarter][arm] += o.Gone[quarter][arm]
		}
		s.Scalar[arm].Merge(o.Scalar[arm])
		s.Ones[arm] += o.Ones[arm]
		if s.Cross != nil {
			s.Cross[arm].Merge(o.Cross[arm])
		}
		s.Bets[arm].Merge(&o.Bets[arm])
		if s.Thirds != nil {
			s.Thirds[arm].Merge(o.Thirds[arm])
		}
	}
	s.print.merge(o.print)
}

// MissingRows is the number of rows whose reward is missing.
func (s *Sums) MissingRows() int64 {
	total := int64(0)
	for _, n := range s.Missing {
		total += n
	}
	return total
}

// IfMissing returns words where a reward is missing, and "" where none is.
func (s *Sums) IfMissing(words string) string {
	if s.MissingRows() == 0 {
		return ""
	}
	return words
}

// Sample is what the known rewards say of every arm.
type Sample struct {
	*Sums
	Facts    *publiclog.Facts
	Protocol *schemas.Protocol

	Drift     *check.Drift   // whether means move
	Repeats   *check.Repeats // whether the log repeats itself
	Constancy *Constancy     // whether each arm's mean is constant; nil where nothing rests on it

	Running []*hypothesis.BetLooks // by arm: what fixed bets held in between; nil where only the end counts
	Fitted  []*tableau.Rewards     // of each declared regression
	Arms    *tableau.Rewards       // of the means of arms
	Book    *ledger.Disclosures    // what was read, and for which purpose
	path    *path                  // nil where no lines of figures are kept
}

// Read books every purpose that rewards are read for, and reads them: once for the sums of
// all arms, once more for check H13, by rows for check H02, for contexts that they may follow, and for bets that
// are looked at more than once.
func Read(ctx context.Context, f *publiclog.Facts, book *ledger.Disclosures, asked *Asked) (*Sample, error) {
	s := &Sample{Facts: f, Protocol: f.Protocol, Book: book, Sums: asked.NewSums(f.K()), path: newPath(f)}
	var err error
	if s.Arms, err = s.Facts.Slice.Disclose(s.Book, purposeMeans, tableau.Arm); err != nil {
		return nil, err
	}
	if err = s.disclose(asked); err != nil {
		return nil, err
	}
	walk, err := s.beginDrift(ctx)
	if err != nil {
		return nil, err
	}
	err = s.Facts.Slice.Together(s.Facts.Jobs, func() error {
		return publiclog.Fold(ctx, s.Facts.Slice, s.Facts.Jobs, func(i int) (*Sums, error) { return s.chunkSums(asked, i) }, func(o *Sums) { s.merge(s.path, o) })
	}, walk)
	if err != nil {
		return nil, err
	}
	if err = s.readRepeats(ctx); err != nil {
		return nil, err
	}
	if err = s.checkConstancy(ctx, asked); err != nil {
		return nil, err
	}
	return s, nil
}

// disclose books the purposes beside the means of arms.
func (s *Sample) disclose(asked *Asked) error {
	for _, p := range slices.Concat(asked.Tests, asked.Regressions) {
		r, err := s.Facts.Slice.Disclose(s.Book, p.Name, p.Columns...)
		if err != nil {
			return err
		}
		s.Fitted = append(s.Fitted, r)
	}
	s.Fitted = s.Fitted[len(asked.Tests):]
	return nil
}

func (s *Sample) chunkSums(asked *Asked, i int) (*Sums, error) {
	part := asked.NewSums(s.Facts.K())
	c, y := s.Facts.Slice.Chunk(i), s.Arms.Chunk(i)
	known := s.Arms.Arms(i) // −1 where the reward is missing
	if err := moments.AddScalarsByArm(part.Scalar, known, y); err != nil {
		return nil, err
	}
	for t, arm := range known {
		switch {
		case arm < 0:
			part.Missing[c.Arm[t]]++
			part.Gone[publiclog.QuarterOf(c.Start+int64(t), s.Facts.Slice.Rows())][c.Arm[t]]++
		case y[t] == 1:
			part.Ones[arm]++
		}
	}
	if part.Thirds != nil {
		if err := moments.AddThirdsByArm(part.Thirds, known, y); err != nil {
			return nil, err
		}
	}
	if err := s.addBets(part, &c, known, y); err != nil {
		return nil, err
	}
	printRows(s.Facts.Whole(), part, &c, known, y)
	if part.Cross != nil {
		return part, moments.AddByArm(part.Cross, known, publiclog.Chosen(s.Facts.Context(&c), asked.Columns), y)
	}
	return part, nil
}

// Of are the known rewards of an arm, by rows.
func (s *Sample) Of(arm int) onesample.Rewards {
	r := s.Protocol.Reward.Range
	out := onesample.Rewards{Scalar: s.Scalar[arm], Ones: s.Ones[arm], Bets: &s.Bets[arm], Lo: r[0], Hi: r[1]}
	if s.Thirds != nil {
		out.Third = &s.Thirds[arm]
	}
	return out
}

// CheckCounts holds the manifest's counts of missing rewards against the
// tableau: what the checks print must be what was left out.
func (s *Sample) CheckCounts() error {
	counted := make([]int64, s.Facts.K())
	for _, c := range s.Facts.Experiment().Counts {
		if c.Arm < 0 || c.Arm >= s.Facts.K() {
			return fmt.Errorf("manifest.json counts rows of arm %d, and there are %d arms; ingest the log again", c.Arm, s.Facts.K())
		}
		if c.Reason == schemas.ReasonMissing {
			counted[c.Arm] += c.Rows
		}
	}
	if s.Facts.Slice.Schema().RewardByArm || slices.Equal(counted, s.Missing) {
		return nil // with the rewards of all arms the manifest counts those too
	}
	return errors.New("manifest.json does not count the missing rewards that the tableau has; ingest the log again")
}
