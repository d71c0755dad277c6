package schemas

import (
	"fmt"
	"strconv"

	"banditaudit/schemas/tree"
)

// How an action was drawn beside propensities that were estimated by draws.
const (
	DrawnFromEstimate = "from-estimate" // from the estimate, or it was one of the draws
	DrawnOneMore      = "one-more"      // by one more draw
)

// Draws says by how many draws the logged propensities were estimated: a number,
// {column: NAME} with that of every round, or the word unknown.
type Draws struct { //nolint:recvcheck // a value writes itself as JSON, and a pointer may be nil
	Number  int64
	Column  string
	Unknown bool
}

// unknownDraws is the word for a number that nobody knows.
const unknownDraws = "unknown"

// mostDraws bounds the number of draws: recomputed propensities are not exact
// enough to be told from shares of more.
const mostDraws = 1_000_000_000

// SchemaForm is the JSON Schema of all forms.
func (Draws) SchemaForm() string {
	return fmt.Sprintf(`{"description": "By how many draws the logged propensities were estimated: a number, {column: NAME} with that of every round, or unknown.", "anyOf": [
		{"const": "unknown"},
		{"type": "integer", "minimum": 2, "maximum": %d},
		{"type": "object", "additionalProperties": false, "required": ["column"], "properties": {"column": {"$ref": "#/$defs/Text"}}}]}`, mostDraws)
}

// MarshalJSON writes the form that the protocol uses.
func (d Draws) MarshalJSON() ([]byte, error) {
	switch {
	case d.Unknown:
		return compact(unknownDraws)
	case d.Column != "":
		return compact(map[string]string{"column": d.Column})
	}
	return compact(d.Number)
}

// String is the form that the protocol uses.
func (d *Draws) String() string {
	switch {
	case d == nil:
		return ""
	case d.Unknown:
		return unknownDraws
	case d.Column != "":
		return "{column: " + d.Column + "}"
	}
	return strconv.FormatInt(d.Number, 10)
}

func (r *reader) draws(n *tree.Node, v *Draws, path string) {
	switch {
	case n.Kind == tree.Scalar && n.Text == unknownDraws:
		v.Unknown = true
	case n.Kind == tree.Scalar && !n.Quoted && wholeText.MatchString(n.Text):
		x, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil {
			r.mistyped(n, path, fmt.Sprintf("a number of draws, of at most %d", int64(mostDraws)), "write the number of draws, {column: NAME}, or unknown")
			return
		}
		v.Number = x
	case n.Kind == tree.Mapping && len(n.Fields) > 0:
		var column struct {
			Column string `json:"column"`
		}
		r.form(n, &column, path)
		v.Column = column.Column
	default:
		r.mistyped(n, path, "a number of draws, {column: NAME}, or unknown", "write propensity_draws: 10000, {column: n_samples}, or unknown, say")
	}
}

// draws judges how the logged propensities were estimated.
func (c *checker) draws() {
	const path = "log.propensity_draws"
	l := &c.p.Log
	if l.Propensity == "" && l.PropensityByArm == "" {
		c.surplus(path, "no propensity is logged that it could be about", "name the column in log.propensity or log.propensity_by_arm, or delete the key")
	}
	if d := l.PropensityDraws; d != nil && !d.Unknown && d.Column == "" && (d.Number < 2 || d.Number > mostDraws) && c.sound(path) {
		c.fail(path, fmt.Sprintf("is %d", d.Number), fmt.Sprintf("propensities are shares of at least 2 draws, and of at most %d, beyond which recomputed ones are not exact enough to be told from them", int64(mostDraws)), "write the number of draws, {column: NAME}, or unknown; where the propensities were computed, and none was drawn, delete the key")
	}
	if l.PropensityDraws == nil {
		c.surplus("log.drawn", "it says how an action was drawn beside propensities that were estimated by draws, and log.propensity_draws is not declared", "declare log.propensity_draws (a number, {column: NAME}, or unknown), or delete the key")
		return
	}
	c.closed("log.drawn", l.Drawn)
}
