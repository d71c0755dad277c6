// Package allocation finds with which probabilities arms were played: how the logged
// propensities move (check H10), arms that were never played, and what arms follow that
// was known before them (check H17). What it finds, and what that takes from methods, is
// handed on ([Allocation], [Validity]).
//
// # Add a split of check H17
//
// A split is a value of pastSplits (splits_past.go), or a partition of its own in partitions
// (splits.go): a function that gives every round a cell by what was known before its arm was
// drawn, with its splits; without splits its cells are looked at one by one. Two partitions
// together are crossed in splits_crossed.go; what came earlier and is looked at by cells alone
// stands in splits_earlier.go. Each has its words behind "in rounds" and a test that an arm which
// follows it is found by name. No cell may read the round's own action or reward.
package allocation

import (
	"context"
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// An arm that was never played contradicts nothing: a policy may give it up, or
// never come to it. It does where the probability of playing it is known in
// every round, from the log or from the declared policy, and the probability of
// never playing it is below the level.

// Allocation is what is known of the probabilities that arms were played with.
type Allocation struct {
	Propensities *check.Propensities // nil where none is logged
	Unplayed     *check.Unplayed     // nil where every declared arm was played, or nothing is known of probabilities
	Splits       *check.Splits       // nil where no propensity is logged, declared or recomputed
	Margin       *check.Propensities // what pulls say of recomputed propensities; nil where these are not held against arms
	Hashed       *schemas.Hashed     // nil where no hash is declared
}

// Read goes over the public columns again where a declared arm was never played.
func Read(ctx context.Context, f *publiclog.Facts) (*Allocation, error) {
	out := &Allocation{Propensities: f.Propensities()}
	var err error
	if out.Unplayed, err = readUnplayed(ctx, f, out.Propensities); err != nil {
		return nil, err
	}
	out.Hashed, err = readHashed(ctx, f)
	return out, err
}

// ReadCadence infers how logged propensities move, which no stage but the checks asks for.
func (al *Allocation) ReadCadence(ctx context.Context, in *publiclog.Log) (err error) {
	if al.Propensities != nil {
		al.Propensities.Cadence, err = readCadence(ctx, in)
	}
	return err
}

// Chances writes the probability of every arm in a row of a chunk into dst, or
// numbers that it cannot be below.
type Chances func(c *tableau.Chunk, row int, dst []float64)

// readUnplayed goes over the public columns once more where a declared arm was
// never played, and something says how likely that was; nil otherwise.
func readUnplayed(ctx context.Context, f *publiclog.Facts, logged *check.Propensities) (*check.Unplayed, error) {
	if !f.Manifest.Declared || f.Sampled.Selected() {
		return nil, nil //nolint:nilnil // arms that are not declared, or whose rows were dropped, are not missing
	}
	var never []int
	for arm, n := range f.Pub.Pulls {
		if n == 0 {
			never = append(never, arm)
		}
	}
	if len(never) == 0 {
		return nil, nil //nolint:nilnil // nothing to find out
	}
	source, law := playedWith(f, logged)
	if law == nil {
		return nil, nil //nolint:nilnil // nothing is known of arms that were not played, and that is no error
	}
	out := allocationtest.NewUnplayed(f.K())
	err := publiclog.FoldDraws(ctx, f.Log, func(i publiclog.DrawnChunk) (*allocationtest.Unplayed, error) {
		c, part, p, next := f.Slice.Chunk(i.Chunk), allocationtest.NewUnplayed(f.K()), make([]float64, f.K()), law()
		for row := range c.Arm {
			next(&c, row, p)
			for _, arm := range never {
				if i.Draws(row) && c.Eligible(row, arm) {
					part.Add(arm, p[arm])
				}
			}
		}
		return part, nil
	}, out.Merge)
	if err != nil {
		return nil, err
	}
	found := &check.Unplayed{Source: source, LogP: make([]float64, f.K()), Level: f.Whole().CommonLevel() / float64(f.K())}
	for _, arm := range never {
		found.LogP[arm] = out.LogP(arm)
	}
	return found, nil
}

// playedWith says what the probability of an arm is known from, and how; law
// makes a function for each chunk. It is nil where nothing is known.
func playedWith(f *publiclog.Facts, logged *check.Propensities) (source string, law func() Chances) {
	k := f.K()
	if f.Slice.Schema().PropensityByArm {
		return "the logged propensities of all arms", func() Chances {
			return func(c *tableau.Chunk, row int, dst []float64) { copy(dst, c.PropensityByArm[row*k:row*k+k]) }
		}
	}
	if m := f.Mechanism; m != nil && m.Known() {
		return "the declared policy", func() Chances { return Blind(m, k) }
	}
	if logged != nil && f.Pub.Rounds > 0 && logged.Weights.Uniform == f.Pub.Rounds {
		return "logged propensities of exactly 1/m among the m arms that could be played", func() Chances { return even }
	}
	return "", nil
}

// Blind are the chances of a policy that looks at no rewards. What it draws on
// the way decides nothing.
func Blind(m *replay.Mechanism, k int) Chances {
	run, eligible, last := m.NewRunner([32]byte{}, ""), make([]bool, k), []float64(nil)
	return func(c *tableau.Chunk, row int, dst []float64) {
		again := last != nil // the same arms could be played in the row that was asked for before
		for arm, was := range eligible {
			eligible[arm] = c.Eligible(row, arm)
			again = again && eligible[arm] == was
		}
		if !again {
			run.Next(&replay.Round{Eligible: eligible})
			last = run.Propensities()
		}
		copy(dst, last)
	}
}

// even is 1/m for each of m eligible arms, where every logged propensity of an
// action is just that. The other arms may have had other probabilities; that an
// arm was not played and the propensity logged is 1/m has, by any law, at most
// probability 1 − 1/m: where the arm has 1/m that is the probability of another,
// and where it has not, at most m − 1 arms have 1/m.
func even(c *tableau.Chunk, row int, dst []float64) {
	m := 0
	for arm := range dst {
		if c.Eligible(row, arm) {
			m++
		}
	}
	for arm := range dst {
		dst[arm] = 1 / float64(max(1, m))
	}
}

// DeclaredProbabilities returns the probabilities with which a fixed policy plays the arms in a
// round in which all are eligible, its floor mixed in.
func DeclaredProbabilities(in *publiclog.Log) []float64 {
	run, eligible := in.Mechanism.NewRunner([32]byte{}, ""), make([]bool, in.K())
	for arm := range eligible {
		eligible[arm] = true
	}
	run.Next(&replay.Round{Eligible: eligible})
	return slices.Clone(run.Propensities())
}
