package tableau

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
)

// Names of columns of a tableau, in its file and among the columns of Disclose.
const (
	Experiment      = "experiment"
	Round           = "round"
	Arm             = "arm"
	Reward          = "reward"
	Propensity      = "propensity"
	ContextByArm    = "context_by_arm"
	PropensityByArm = "propensity_by_arm"
	ReleasedByArm   = "released_by_arm"
	ScoreByArm      = "score_by_arm"
	RewardByArm     = "reward_by_arm" // of every arm's reward: it is disclosed only where it is named
	Eligible        = "eligible"
	BatchNumber     = "batch"
	Unit            = "unit"
	RewardRound     = "reward_round"
	RewardBefore    = "reward_before"
	Time            = "time"
	Draws           = "propensity_draws"
	Targets         = "targets"
	Position        = "position"
	Stratum         = "stratum"
	KeepProb        = "keep_prob"
)

// The columns by number, in the order of the file. The first four are in every
// tableau, so that their number is their position. colContext are x0, x1, … .
const (
	colExperiment = iota
	colRound
	colArm
	colReward
	colPropensity
	colContext
	colContextByArm
	colPropensityByArm
	colReleasedByArm
	colRewardByArm
	colScoreByArm
	colEligible
	colBatch
	colUnit
	colRewardRound
	colRewardBefore
	colTime
	colDraws
	colTargets
	colPosition
	colStratum
	colKeepProb
	allColumns
)

// column describes a column, but for its fields in Schema, Batch and Chunk. What is not given
// is what most columns are.
type column struct {
	name string
	kind kind
	in   func(s *Schema) bool         // whether a tableau has it. Defaults to always.
	list func(s *Schema) int          // values of a row, of a column of lists. Defaults to one that is no list.
	of   func(b *Batch) (int, []byte) // its values in a batch to append, and how many they are

	byArm  bool                // it has values for every arm
	place  bool                // it says where a round stands among the others, and not what it was
	counts string              // where the schema has a number and not a bool: what that counts
	number func(s *Schema) int // and that number

	// rows looks for a row of a record batch that breaks a rule of the column at the
	// given position, and says which; part does among the rows of one experiment. What
	// says nothing has found none. The gate checks rewards when they are disclosed.
	rows func(t *Tableau, b *batch, at int) (row int64, says string)
	part func(p *part) (row int64, says string)
}

// columns lists the columns of tableaux, by number.
func columns() [allColumns]column {
	arms := func(s *Schema) int { return s.Arms }
	return [allColumns]column{
		colExperiment: {name: Experiment, place: true, kind: kindInt32, of: func(b *Batch) (int, []byte) { return int32s(b.Experiment) }, part: otherExperiment},
		colRound:      {name: Round, place: true, kind: kindInt64, of: func(b *Batch) (int, []byte) { return int64s(b.Round) }, part: repeatedRound},
		colArm:        {name: Arm, kind: kindInt32, of: func(b *Batch) (int, []byte) { return int32s(b.Arm) }, rows: unknownArm},
		colReward:     {name: Reward, kind: kindFloat64, of: func(b *Batch) (int, []byte) { return floats(b.Reward) }},
		colPropensity: {
			name: Propensity, kind: kindFloat64, rows: improperPropensity,
			in: func(s *Schema) bool { return s.Propensity }, of: func(b *Batch) (int, []byte) { return floats(b.Propensity) },
		},
		colContext: {
			name: "x", kind: kindFloat64, rows: notFinite,
			counts: "context columns", number: func(s *Schema) int { return s.ContextDim },
		},
		colContextByArm: {
			name: ContextByArm, kind: kindFloat64, rows: notFinite, byArm: true,
			counts: "context values for every arm", number: func(s *Schema) int { return s.ContextByArm },
			list: func(s *Schema) int { return s.Arms * s.ContextByArm }, of: func(b *Batch) (int, []byte) { return floats(b.ContextByArm) },
		},
		colPropensityByArm: {
			name: PropensityByArm, kind: kindFloat64, rows: noChance, byArm: true,
			in: func(s *Schema) bool { return s.PropensityByArm }, list: arms, of: func(b *Batch) (int, []byte) { return floats(b.PropensityByArm) },
		},
		colReleasedByArm: {
			name: ReleasedByArm, kind: kindFloat64, rows: notFinite, byArm: true,
			counts: "released values for every arm", number: func(s *Schema) int { return s.ReleasedByArm },
			list: func(s *Schema) int { return s.Arms * s.ReleasedByArm }, of: func(b *Batch) (int, []byte) { return floats(b.ReleasedByArm) },
		},
		colRewardByArm: {
			name: RewardByArm, kind: kindFloat64, byArm: true,
			in: func(s *Schema) bool { return s.RewardByArm }, list: arms, of: func(b *Batch) (int, []byte) { return floats(b.RewardByArm) },
		},
		colScoreByArm: {
			name: ScoreByArm, kind: kindFloat64, rows: notFinite, byArm: true,
			in: func(s *Schema) bool { return s.ScoreByArm }, list: arms, of: func(b *Batch) (int, []byte) { return floats(b.ScoreByArm) },
		},
		colEligible: {
			name: Eligible, kind: kindBool, rows: ineligible, byArm: true,
			in: func(s *Schema) bool { return s.Eligible }, list: arms, of: func(b *Batch) (int, []byte) { return len(b.Eligible), bytesOf(b.Eligible) },
		},
		colBatch: {name: BatchNumber, place: true, kind: kindInt32, part: outOfOrder, in: func(s *Schema) bool { return s.Batch }, of: func(b *Batch) (int, []byte) { return int32s(b.Batch) }},
		colUnit:  {name: Unit, kind: kindInt64, part: unknownUnit, in: func(s *Schema) bool { return s.Unit }, of: func(b *Batch) (int, []byte) { return int64s(b.Unit) }},
		colRewardRound: {
			name: RewardRound, kind: kindInt64, place: true, part: impossibleRound,
			in: func(s *Schema) bool { return s.RewardRound }, of: func(b *Batch) (int, []byte) { return int64s(b.RewardRound) },
		},
		colRewardBefore: {
			name: RewardBefore, kind: kindInt64, place: true, // checked with the round
			in: func(s *Schema) bool { return s.RewardBefore }, of: func(b *Batch) (int, []byte) { return int64s(b.RewardBefore) },
		},
		colTime:  {name: Time, place: true, kind: kindInt64, part: earlierTime, in: func(s *Schema) bool { return s.Time }, of: func(b *Batch) (int, []byte) { return int64s(b.Time) }},
		colDraws: {name: Draws, kind: kindInt64, rows: noDraws, in: func(s *Schema) bool { return s.Draws }, of: func(b *Batch) (int, []byte) { return int64s(b.Draws) }},
		colTargets: {
			name: Targets, kind: kindFloat64, rows: noChance,
			counts: "probabilities of evaluated policies in a row", number: func(s *Schema) int { return s.Targets },
			list: func(s *Schema) int { return s.Targets }, of: func(b *Batch) (int, []byte) { return floats(b.Targets) },
		},
		colPosition: {name: Position, kind: kindInt64, rows: noPosition, in: func(s *Schema) bool { return s.Positions > 0 }, of: func(b *Batch) (int, []byte) { return int64s(b.Position) }},
		colStratum:  {name: Stratum, kind: kindInt64, rows: noStratum, in: func(s *Schema) bool { return s.Stratum }, of: func(b *Batch) (int, []byte) { return int64s(b.Stratum) }},
		colKeepProb: {name: KeepProb, kind: kindFloat64, rows: improperKeeping, in: func(s *Schema) bool { return s.KeepProb }, of: func(b *Batch) (int, []byte) { return floats(b.KeepProb) }},
	}
}

// there reports whether a tableau has the column.
func (c *column) there(s *Schema) bool {
	if c.number != nil {
		return c.number(s) > 0
	}
	return c.in == nil || c.in(s)
}

// The values of a column as they lie in memory, and how many they are.

func floats(v []float64) (int, []byte) { return len(v), arrow.Float64Traits.CastToBytes(v) }
func int64s(v []int64) (int, []byte)   { return len(v), arrow.Int64Traits.CastToBytes(v) }
func int32s(v []int32) (int, []byte)   { return len(v), arrow.Int32Traits.CastToBytes(v) }

// fields are the fields of a file that a column makes.
func (c *column) fields(s *Schema) []field {
	f := field{c.name, c.kind, 0}
	switch {
	case !c.there(s):
		return nil
	case c.list != nil:
		f.list = int64(c.list(s))
	case c.number != nil:
		return contexts(c, s)
	}
	return []field{f}
}

// contexts are the fields x0, x1, … .
func contexts(c *column, s *Schema) []field {
	fields := make([]field, c.number(s))
	for i := range fields {
		fields[i] = field{c.name + strconv.Itoa(i), c.kind, 0}
	}
	return fields
}

// columns appends to g the columns of b that may be there, in the order of the
// file, and those that should be there and are not.
func (b *Batch) columns(g []given, s *Schema) []given {
	for _, c := range columns() {
		if c.of == nil { // x0, x1, …
			for i, x := range b.X {
				count, data := floats(x)
				g = append(g, given{c.name + strconv.Itoa(i), count, data})
			}
			continue
		}
		if count, data := c.of(b); count > 0 || c.there(s) {
			g = append(g, given{c.name, count, data})
		}
	}
	return g
}

// widths reports numbers of the schema that are out of range.
func (s *Schema) widths() []error {
	var faults []error
	for i, c := range columns() {
		limit := maxListLength
		if i == colContext {
			limit = maxContextDim
		}
		if c.number == nil {
			continue
		}
		if n := c.number(s); n < 0 || n > limit {
			faults = append(faults, fmt.Errorf("tableau: %d %s; there may be 0 to %d", n, c.counts, limit))
		}
	}
	return faults
}

// byArm reports whether a column has values for every arm.
func (s *Schema) byArm() bool {
	for _, c := range columns() {
		if c.byArm && c.there(s) {
			return true
		}
	}
	return false
}
