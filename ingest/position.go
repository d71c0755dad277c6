package ingest

import (
	"unicode/utf8"

	"banditaudit/ingest/bucket"
	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
)

// positionRule computes where the declared hash puts the unit of a row: n of n/steps
// (bucket.Hash). What is wrong with a key is a fault of the column of units.
type positionRule struct {
	want   int
	column string
	hash   bucket.Hash
	seed   string
	key    []byte
}

func newPosition(c *converter, i int) columnRule {
	d := c.hashed
	h, _ := bucket.Named(d.Hash) // see role.carried
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
