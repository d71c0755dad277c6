package tableau

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// Chunk is a block of n consecutive rows of one experiment: the public columns,
// without the rewards. The slices point into the mapped file: they must not be
// written to, nor used after Close, and are best read under Slice.Guard. Columns
// that the schema does not have are nil.
type Chunk struct {
	Start      int64       // row of the first within the experiment, from 0
	Round      []int64     // strictly increasing, from 1
	Arm        []int32     // in [0, K)
	Propensity []float64   // in [MinPropensity, 1], or 0: see the protocol's log.drawn
	X          [][]float64 // by column: d slices of n finite values

	ContextByArm    []float64 // n·K·w finite values: row, arm, value
	PropensityByArm []float64 // n·K values in [0, 1]: row, arm
	ReleasedByArm   []float64 // n·K·w finite values: row, arm, value
	ScoreByArm      []float64 // n·K finite values: row, arm
	Batch           []int32   // from 0 within the experiment, in steps of 0 or 1
	Unit            []int64   // in [0, Slice.UnitCount()), every one of which occurs in the experiment
	RewardRound     []int64   // the last round that was chosen without knowing the row's reward, ≥ Round; NeverKnown for none
	RewardBefore    []int64   // rounds that were chosen strictly before the row's reward became known, in [0, RewardRound]; NeverKnown for a reward that never did
	Time            []int64   // nanoseconds since 1970 in UTC, not decreasing
	Draws           []int64   // in [1, MostDraws]: by how many draws the row's propensities were estimated
	Targets         []float64 // n·Schema.Targets values in [0, 1]: row, then the columns of evaluated policies, as the manifest has them
	Position        []int64   // in [0, Schema.Positions): where the declared hash puts the row's unit
	Stratum         []int64   // in [0, MostStrata): which state of the policy decided the row
	KeepProb        []float64 // in [MinPropensity, 1]: with which probability the row is in the log

	eligible []byte // bits, from bit first on: row, arm
	first    int64
	arms     int64
	again    []uint64 // as of the batch, whose row from is the first; nil: not known
	from     int
}

// NeverKnown is the RewardRound of a reward that never became known.
const NeverKnown = math.MaxInt64

// Eligible reports whether an arm could be chosen in row of the chunk: always
// where the log does not say. The logged arm is always eligible.
func (c *Chunk) Eligible(row, arm int) bool {
	if c.eligible == nil {
		return true
	}
	at := c.first + int64(row)*c.arms + int64(arm)
	return c.eligible[at/8]>>(at%8)&1 != 0
}

// Again reports whether a row is known to have the propensities of all arms, and the arms
// that could be chosen, of the row before it in the chunk. It is false where they are not
// logged, and where the log says which arms could be chosen.
func (c *Chunk) Again(row int) bool {
	if row == 0 || c.PropensityByArm == nil || c.eligible != nil {
		return false
	}
	if at := c.from + row; c.again != nil {
		return c.again[at/64]>>(at%64)&1 != 0
	}
	k := int(c.arms)
	return slices.Equal(c.PropensityByArm[row*k-k:row*k], c.PropensityByArm[row*k:row*k+k])
}

// WhenKnown returns the last round that was chosen without knowing the reward, of every
// row: RewardRound, or where that is not logged Round.
func (c *Chunk) WhenKnown() []int64 {
	if c.RewardRound != nil {
		return c.RewardRound
	}
	return c.Round
}

// Chunk returns chunk i, in [0, Chunks()): record batch i of those that the
// experiment touches, cut at the experiment's ends. Nothing is copied.
func (s *Slice) Chunk(i int) Chunk {
	b, from, to, start := s.cut(i)
	if s.t.watch != nil {
		s.t.watch(to - from)
	}
	l, schema := s.t.layout, &s.t.schema
	k := int64(schema.Arms)
	c := Chunk{
		Start: start,
		arms:  k,
		again: b.again,
		from:  int(from),
		Round: b.int64s(colRound, from, to),
		Arm:   b.int32s(colArm, from, to),
		X:     make([][]float64, schema.ContextDim),

		Propensity:      b.float64s(l.at[colPropensity], from, to),
		ContextByArm:    b.float64s(l.at[colContextByArm], from*k*int64(schema.ContextByArm), to*k*int64(schema.ContextByArm)),
		PropensityByArm: b.float64s(l.at[colPropensityByArm], from*k, to*k),
		ReleasedByArm:   b.float64s(l.at[colReleasedByArm], from*k*int64(schema.ReleasedByArm), to*k*int64(schema.ReleasedByArm)),
		ScoreByArm:      b.float64s(l.at[colScoreByArm], from*k, to*k),
		Batch:           b.int32s(l.at[colBatch], from, to),
		Unit:            b.int64s(l.at[colUnit], from, to),
		RewardRound:     b.int64s(l.at[colRewardRound], from, to),
		RewardBefore:    b.int64s(l.at[colRewardBefore], from, to),
		Time:            b.int64s(l.at[colTime], from, to),
		Draws:           b.int64s(l.at[colDraws], from, to),
		Targets:         b.float64s(l.at[colTargets], from*int64(schema.Targets), to*int64(schema.Targets)),
		Position:        b.int64s(l.at[colPosition], from, to),
		Stratum:         b.int64s(l.at[colStratum], from, to),
		KeepProb:        b.float64s(l.at[colKeepProb], from, to),
	}
	for j := range c.X {
		c.X[j] = b.float64s(l.at[colContext]+j, from, to)
	}
	if l.at[colEligible] >= 0 {
		c.eligible, c.first = b.column(l.at[colEligible]), from*k
	}
	return c
}

// The columns of a batch, from one value to another; nil for column -1.

func (b *batch) int32s(column int, from, to int64) []int32 {
	if column < 0 {
		return nil
	}
	return arrow.Int32Traits.CastFromBytes(b.column(column))[from:to:to]
}

func (b *batch) int64s(column int, from, to int64) []int64 {
	if column < 0 {
		return nil
	}
	return arrow.Int64Traits.CastFromBytes(b.column(column))[from:to:to]
}

func (b *batch) float64s(column int, from, to int64) []float64 {
	if column < 0 {
		return nil
	}
	return arrow.Float64Traits.CastFromBytes(b.column(column))[from:to:to]
}
