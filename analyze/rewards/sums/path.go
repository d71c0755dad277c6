package rewards

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

const (
	// pathArms is of how many arms the mean is kept over time, those that were played most.
	pathArms = 4
	// pathRewards is how many rewards stand between two points of a mean at least, so that
	// no reward can be told from two of them.
	pathRewards = 20
)

// path is of which arms the mean is kept over time.
type path struct {
	arms  []int
	place []int32 // by arm: its place among arms, behind their last where it is none of them
}

// moment is an arm as it was at the end of a bin of rounds.
type moment struct {
	place   int32 // of the arm in path.arms
	round   int64
	sum     float64 // of rewards
	missing int64
	bets    moments.Bets
}

// newPath is nil where no lines of figures are kept.
func newPath(f *publiclog.Facts) *path {
	if !f.Figured() {
		return nil
	}
	p := &path{place: make([]int32, f.K())}
	for arm := range p.place {
		if f.Pub.Pulls[arm] > 0 {
			p.arms = append(p.arms, arm)
		}
	}
	slices.SortStableFunc(p.arms, func(a, b int) int { return cmp.Compare(f.Pub.Pulls[b], f.Pub.Pulls[a]) })
	p.arms = p.arms[:min(len(p.arms), pathArms)]
	for arm := range p.place {
		p.place[arm] = int32(len(p.arms)) //nolint:gosec // at most pathArms
	}
	for i, arm := range p.arms {
		p.place[arm] = int32(i)
	}
	return p
}

// addBets joins the rewards of a chunk to the bets of arms, and keeps how these stand where
// bins of rounds end.
func (s *Sample) addBets(part *Sums, c *tableau.Chunk, known []int32, y []float64) error {
	r := s.Protocol.Reward.Range
	betting := moments.NewBetting(r[0], r[1])
	if s.path == nil {
		return betting.AddByArm(part.Bets, known, y)
	}
	var err error
	now := make([]moment, len(s.path.arms)+1) // of the last nothing is kept
	s.Facts.Bins(c.Start, len(y), func(from, to int, end int64) {
		err = errors.Join(err, betting.AddByArm(part.Bets, known[from:to], y[from:to]))
		for t := from; t < to; t++ {
			if m := &now[s.path.place[c.Arm[t]]]; known[t] < 0 {
				m.missing++
			} else {
				m.sum += y[t]
			}
		}
		if end == 0 {
			return
		}
		for i, arm := range s.path.arms {
			m := now[i]
			m.place, m.round, m.bets = int32(i), end, part.Bets[arm]
			part.ends = append(part.ends, m)
		}
	})
	return err
}

// goOn takes up the moments of the rows that follow the rows of s and are not in s yet.
func (s *Sums) goOn(p *path, ends []moment) {
	for _, m := range ends {
		arm := p.arms[m.place]
		before := s.Scalar[arm]
		m.sum += float64(float64(before.N) * before.Mean)
		m.missing += s.Missing[arm]
		bets := s.Bets[arm]
		bets.Merge(&m.bets)
		m.bets = bets
		s.ends = append(s.ends, m)
	}
}

// MeanSeries are the means of the arms that were played most, over time, with their
// confidence sequences where these have one.
func (s *Sample) MeanSeries() []schemas.Series {
	if s.path == nil {
		return nil
	}
	out := make([]schemas.Series, 0, len(s.path.arms))
	for i, arm := range s.path.arms {
		if kept := s.apart(int32(i)); len(kept) > 1 {
			out = append(out, s.meanSeries(arm, kept))
		}
	}
	return out
}

// apart are the moments of an arm between any two of which there are pathRewards rewards,
// the last among them.
func (s *Sample) apart(place int32) []*moment {
	var out []*moment
	var last *moment
	n := int64(0)
	for i := range s.ends {
		if s.ends[i].place != place {
			continue
		}
		if last = &s.ends[i]; last.bets.N >= n+pathRewards {
			out, n = append(out, last), last.bets.N
		}
	}
	if len(out) > 0 {
		out[len(out)-1] = last
	}
	return out
}

func (s *Sample) meanSeries(arm int, kept []*moment) schemas.Series {
	label := s.Facts.Manifest.Arms[arm]
	out := schemas.Series{ID: schemas.SeriesMean + label, Title: "mean of the known rewards of " + label + " so far", Unit: "mean reward", N: s.Scalar[arm].N, Lo: []float64{}, Hi: []float64{}}
	against := s.AgainstSequence(arm)
	for _, m := range kept {
		mean := m.sum / float64(m.bets.N)
		out.X, out.Y = append(out.X, float64(m.round)), append(out.Y, mean)
		if against != "" {
			continue
		}
		ci := s.sequenceThen(m, mean)
		if ci == nil { // a reward outside the range
			against, out.Lo, out.Hi = NoMeanFits, []float64{}, []float64{}
			continue
		}
		out.Lo, out.Hi = append(out.Lo, ci[0]), append(out.Hi, ci[1])
	}
	return out
}

// sequenceThen is the confidence sequence of an arm as it was at a moment: [Sample.Sequence]
// by the bets at that moment alone.
func (s *Sample) sequenceThen(m *moment, mean float64) *schemas.Interval {
	switch s.Protocol.Analysis.Sequence {
	case schemas.SequenceNormal:
		return s.Facts.Clip(confseq.ConfidenceSequence(m.bets.N, mean, s.Mixture()))
	case schemas.SequenceBetaBinomial:
		return s.Facts.Clip(confseq.BetaBinomialSequence(m.bets.N, mean, s.Mixture()))
	}
	r := s.Protocol.Reward.Range
	b := &hypothesis.Betted{Bets: m.bets, Mean: mean, Lo: r[0], Hi: r[1]}
	if s.Protocol.Log.MissingReward == schemas.MissingExclude {
		b.N += m.missing
	}
	found := hypothesis.Bets(b, min(max(mean, r[0]), r[1]), hypothesis.TwoSided, publiclog.LogAlpha(s.Protocol)-math.Log(float64(s.Facts.K())))
	return s.Facts.Clip(found.Lo, found.Hi)
}
