package corrections

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/schemas"
)

// Rows names the independent blocks that a statistic reads: those that have a
// row of one of the arms. A block is revealed as a whole, so that it counts with
// the costs of all its rows, of whatever arm.
type Rows struct {
	Arms  []int // nil: all
	Block Kind
}

// Key is the same of the same blocks of the same arms.
func (r Rows) Key() string { return fmt.Sprint(r.Block, r.Arms) }

// LevelsOf returns how many blocks have which cost. Where a unit has one row, rows are
// counted by the ledger. Units and batches are counted in a walk over the log; their costs
// are rounded up where the different costs would not fit, see maxLevels. The sets that a
// protocol asks for are counted together beforehand, any other set when it is asked for.
func (a *Accounts) LevelsOf(ctx context.Context, rows Rows) ([]maxinfo.Level, error) {
	if a.Ledger == nil {
		return nil, errors.New("no mechanism is declared, so that rows have no costs")
	}
	if rows.Block == UnitBlocks && !publiclog.Repeated(a.Facts.Slice) {
		rows.Block = RowBlocks
	}
	if rows.Block == RowBlocks {
		return a.rowLevels(rows.Arms), nil
	}
	if _, ok := a.blocks.levels[rows.Key()]; !ok {
		if err := a.CountBlocks(ctx, rows.Block, []Rows{rows}, nil, nil, nil); err != nil {
			return nil, err
		}
	}
	return a.blocks.levels[rows.Key()], nil
}

// blockLevels are the levels of the sets that were counted so far.
type blockLevels struct {
	levels map[string][]maxinfo.Level
	costs  [BatchBlocks + 1]*BlockCosts // by kind; nil before the first pass
}

// rowLevels are the levels of the rows of arms.
func (a *Accounts) rowLevels(arms []int) []maxinfo.Level {
	if len(arms) == 1 {
		return a.Levels[arms[0]]
	}
	counts := map[float64]int64{}
	for arm, levels := range a.Levels {
		if arms != nil && !slices.Contains(arms, arm) {
			continue
		}
		for _, l := range levels {
			counts[l.Cost] += l.Rows
		}
	}
	return sortedLevels(counts)
}

// readBlocks counts the sets of batches that regressions will ask for. The walk that sums
// by unit counts the sets of units.
func (a *Accounts) readBlocks(ctx context.Context) error {
	a.blocks = blockLevels{levels: map[string][]maxinfo.Level{}}
	if a.Ledger != nil && a.Facts.Slice.Schema().Batch && byBatch(a.Protocol) {
		return a.CountBlocks(ctx, BatchBlocks, a.Expected(BatchBlocks), nil, nil, nil)
	}
	return nil
}

// byBatch reports whether some regression takes batches as independent.
func byBatch(p *schemas.Protocol) bool {
	return slices.ContainsFunc(p.Analysis.Regressions, func(r schemas.RegressionSpec) bool { return r.Covariance.Cluster == schemas.ClusterBatch })
}

// Expected are the sets that arms, regressions and tests will ask for: every arm,
// all arms, and the pairs of declared differences; none without costs.
func (a *Accounts) Expected(kind Kind) []Rows {
	if a.Ledger == nil {
		return nil
	}
	out := []Rows{{nil, kind}}
	for arm := range a.Facts.K() {
		out = append(out, Rows{[]int{arm}, kind})
	}
	if kind != UnitBlocks {
		return out
	}
	seen := map[string]bool{}
	for _, spec := range a.Protocol.Analysis.Tests {
		if len(spec.Difference) != 2 {
			continue
		}
		pair := Rows{[]int{slices.Index(a.Facts.Manifest.Arms, spec.Difference[0]), slices.Index(a.Facts.Manifest.Arms, spec.Difference[1])}, kind}
		if pair.Arms[0] >= 0 && pair.Arms[1] >= 0 && !seen[pair.Key()] {
			seen[pair.Key()] = true
			out = append(out, pair)
		}
	}
	return out
}

// CountBlocks counts the blocks of sets in one walk, which may serve others too.
func (a *Accounts) CountBlocks(ctx context.Context, kind Kind, sets []Rows, rewards *BlockRewards, see func(*publiclog.ChunkView, publiclog.UnitRow), add func(*Block)) error {
	counts := newBlockCounts(a.Facts.K(), sets)
	err := a.WalkBlocks(ctx, kind, rewards, see, func(b *Block) error {
		counts.add(b)
		if add != nil {
			add(b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, set := range sets {
		a.blocks.levels[set.Key()] = sortedLevels(counts.levels[i].counts)
	}
	return nil
}

// blockCounts counts blocks by set of arms.
type blockCounts struct {
	levels []roundedLevels // by set
	member [][]int32       // by arm: the sets that it is in
	all    []int32         // the sets of all arms
	last   []int64         // by set: the block that was counted last, from 1
	blocks int64
}

// maxLevels bounds the levels of all sets of arms together: some 32 MiB. A set
// has at most 1024, and fewer where there are more than 512 sets.
const maxLevels = 1 << 19

// Levels of one set, at most and at least.
const (
	manyLevels = 1024
	fewLevels  = 32
)

// roundedSets returns empty levels of a number of sets, which share maxLevels.
func roundedSets(sets int) []roundedLevels {
	out := make([]roundedLevels, sets)
	for i := range out {
		out[i] = roundedLevels{limit: max(fewLevels, min(manyLevels, maxLevels/sets)), counts: map[float64]int64{}}
	}
	return out
}

func newBlockCounts(k int, sets []Rows) *blockCounts {
	c := &blockCounts{levels: roundedSets(len(sets)), member: make([][]int32, k), last: make([]int64, len(sets))}
	for i, set := range sets {
		index := int32(i)
		if set.Arms == nil {
			c.all = append(c.all, index)
		}
		for _, arm := range set.Arms {
			c.member[arm] = append(c.member[arm], index)
		}
	}
	return c
}

func (c *blockCounts) add(b *Block) {
	c.blocks++
	for _, set := range c.all {
		c.levels[set].add(b.Cost)
	}
	for _, part := range b.Arms {
		for _, set := range c.member[part.Arm] {
			if c.last[set] != c.blocks {
				c.last[set] = c.blocks
				c.levels[set].add(b.Cost)
			}
		}
	}
}

// roundedLevels counts costs. Where there are more than limit different costs, all are
// rounded up to fewer binary digits, until there are at most limit. The result does not
// depend on the order of the costs. Costs are ≥ 0.
type roundedLevels struct {
	limit  int
	drop   uint // binary digits that were dropped, at most all behind the first
	counts map[float64]int64
}

const mantissaBits = 52

func (l *roundedLevels) add(cost float64) {
	l.counts[l.round(cost)]++
	for len(l.counts) > l.limit && l.drop < mantissaBits {
		l.drop++
		coarse := make(map[float64]int64, l.limit)
		for c, n := range l.counts {
			coarse[l.round(c)] += n
		}
		l.counts = coarse
	}
}

// round rounds a number ≥ 0 up. The grid of fewer digits is within the grid of more digits,
// so that rounding twice is rounding to the coarser.
func (l *roundedLevels) round(cost float64) float64 {
	mask := uint64(1)<<l.drop - 1
	return math.Float64frombits((math.Float64bits(cost) + mask) &^ mask)
}

// sortedLevels are the levels of counts in ascending order of cost.
func sortedLevels(counts map[float64]int64) []maxinfo.Level {
	out := make([]maxinfo.Level, 0, len(counts))
	for cost, rows := range counts {
		out = append(out, maxinfo.Level{Cost: cost, Rows: rows})
	}
	slices.SortFunc(out, func(x, y maxinfo.Level) int { return cmp.Compare(x.Cost, y.Cost) })
	return out
}
