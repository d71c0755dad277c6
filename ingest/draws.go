package ingest

import (
	"fmt"
	"math"
	"unicode/utf8"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/hashassign"
	"banditaudit/ingest/tableau"
)

// drawsRule converts by how many draws the propensities of a row were estimated:
// a whole number in [1, tableau.MostDraws] of any type of numbers.
type drawsRule struct {
	want   int
	column string
}

func newDraws(c *converter, i int) columnRule {
	return &drawsRule{want: i, column: c.log.wants[i].Name}
}

const mendDraws = "write by how many draws the propensities of the row were estimated, or log.propensity_draws: unknown"

func (rule *drawsRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Draws = cell.Resize(out.Draws, r.n)
	b, c := r.cols[rule.want], r.types[rule.want]
	for i := range out.Draws {
		if b.Nulls > 0 && b.Null[i] {
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the column of propensity_draws", mendDraws)
			continue
		}
		n := cell.NumberAt(b, c, i)
		if n >= 1 && n <= tableau.MostDraws && n == math.Trunc(n) {
			out.Draws[i] = int64(n)
			continue
		}
		rule.refuse(n, r.place(i), f)
	}
	return nil
}

// refuse says what is wrong with a number of draws.
func (rule *drawsRule) refuse(n float64, at fault.Place, f *fault.List) {
	switch {
	case !cell.IsFinite(n):
		f.Row(fault.RuleNotFinite, rule.column, at, "NaN or an infinity", mendDraws)
	case n > tableau.MostDraws:
		f.Row(fault.RuleDraws, rule.column, at, fmt.Sprintf("a number of draws above %d, beyond which recomputed propensities are not exact enough to be told from shares of so many", tableau.MostDraws),
			"check that the column has numbers of draws; where all are so large, leave log.propensity_draws out of the protocol")
	case n < 1:
		f.Row(fault.RuleDraws, rule.column, at, "a number of draws below 1", mendDraws)
	default:
		f.Row(fault.RuleDraws, rule.column, at, "a number of draws that is not whole", mendDraws)
	}
}

// keepProbRule converts with which probability a row is in the log: a number in
// [tableau.MinPropensity, 1].
type keepProbRule struct {
	want   int
	column string
}

func newKeepProb(c *converter, i int) columnRule {
	return &keepProbRule{want: i, column: c.log.wants[i].Name}
}

const mendKeepProb = "write with which probability the row was kept; of a row that would have been kept in any case, 1; where the column says how rows were dropped, 1 less that"

func (rule *keepProbRule) apply(r *rows, out *converted, f *fault.List) error {
	out.KeepProb = cell.Resize(out.KeepProb, r.n)
	b := r.cols[rule.want]
	cell.Take(out.KeepProb, b, r.types[rule.want])
	for i, o := range out.KeepProb {
		switch {
		case b.Nulls > 0 && b.Null[i]:
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the column of keep_prob", mendKeepProb)
		case !cell.IsFinite(o):
			f.Row(fault.RuleNotFinite, rule.column, r.place(i), "NaN or an infinity", mendKeepProb)
		case !(o >= tableau.MinPropensity && o <= 1):
			f.Row(fault.RuleKeepProb, rule.column, r.place(i), "a probability outside (0, 1] of a row that was kept", mendKeepProb)
		}
	}
	return nil
}

// positionRule computes where the declared hash puts the unit of a row: n of n/steps
// (hashassign.Hash). What is wrong with a key is a fault of the column of units.
type positionRule struct {
	want   int
	column string
	hash   hashassign.Hash
	seed   string
	key    []byte
}

func newPosition(c *converter, i int) columnRule {
	d := c.hashed
	h, _ := hashassign.Named(d.Hash) // see role.carried
	return &positionRule{want: i, column: c.log.wants[i].Name, hash: h, seed: d.SeedText()}
}

func (rule *positionRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Position = cell.Resize(out.Position, r.n)
	b, c := r.cols[rule.want], r.types[rule.want]
	for i := range out.Position {
		if b.Nulls > 0 && b.Null[i] || cell.Over(b, i) {
			continue
		}
		if rule.key = appendUnit(rule.key[:0], b, c, i); !utf8.Valid(rule.key) {
			f.Row(fault.RuleNotText, rule.column, r.place(i), "a unit that is no text in UTF-8, of which no hash is known (policy.draw.hash)", "write the keys as the platform hashes them, as texts or whole numbers")
			continue
		}
		out.Position[i] = rule.hash.Position(rule.seed, string(rule.key))
	}
	return nil
}
