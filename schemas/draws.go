package schemas

import (
	"fmt"
	"reflect"
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
func (c logRules) draws() {
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

// What dropping a row of the log may have read.
const (
	KeepBySchedule = "schedule" // nothing that the row held
	KeepByAction   = "action"   // what was known before the row's reward, its arm among it
	KeepByRewards  = "rewards"
	KeepByUnknown  = "unknown"
)

// PathKeepBy is the path of the key that says what dropping a row may have read.
const PathKeepBy = "log.keep_by"

// KeepProb says with which probability a row of the deployment is in the log: a number
// in (0, 1], or {column: NAME} with that of every row.
type KeepProb struct { //nolint:recvcheck // a value writes itself as JSON, and a pointer may be nil
	Number float64
	Column string
}

// SchemaForm is the JSON Schema of both forms.
func (KeepProb) SchemaForm() string {
	return `{"description": "With which probability a row is in the log: a number, or {column: NAME} with that of every row.", "anyOf": [
		{"type": "number", "exclusiveMinimum": 0, "maximum": 1},
		{"$ref": "#/$defs/Fraction"},
		{"type": "object", "additionalProperties": false, "required": ["column"], "properties": {"column": {"$ref": "#/$defs/Text"}}}]}`
}

// MarshalJSON writes the form that the protocol uses.
func (k KeepProb) MarshalJSON() ([]byte, error) {
	if k.Column != "" {
		return compact(map[string]string{"column": k.Column})
	}
	return compact(k.Number)
}

// String is the form that the protocol uses.
func (k *KeepProb) String() string {
	if k.Column != "" {
		return "{column: " + k.Column + "}"
	}
	return fmt.Sprintf("%g", k.Number)
}

// Sampled reports whether rows of the deployment were dropped from the log by chance. A
// number of 1 drops none.
func (l *Log) Sampled() bool {
	return l.KeepProb != nil && (l.KeepProb.Column != "" || l.KeepProb.Number != 1)
}

// Kept is what dropping a row may have read; "" where none was dropped.
func (l *Log) Kept() string {
	switch {
	case !l.Sampled():
		return ""
	case l.KeepBy != "":
		return l.KeepBy
	case l.KeepProb.Column != "":
		return KeepByUnknown
	}
	return KeepBySchedule
}

// KeptWords are both keys, in a sentence.
func (l *Log) KeptWords() string {
	return "log.keep_prob: " + l.KeepProb.String() + ", log.keep_by: " + l.Kept()
}

func (r *reader) keepProb(n *tree.Node, v *KeepProb, path string) {
	if n.Kind == tree.Mapping {
		var column struct {
			Column string `json:"column"`
		}
		r.form(n, &column, path)
		v.Column = column.Column
		return
	}
	r.number(n, reflect.ValueOf(&v.Number).Elem(), path)
}

// keptRows judges how rows were dropped from the log.
func (c logRules) keptRows() {
	const path = "log.keep_prob"
	l := &c.p.Log
	if l.KeepProb == nil {
		c.surplus(PathKeepBy, "it says what dropping a row from the log may have read, and log.keep_prob is not declared", "declare log.keep_prob (a number, or {column: NAME}), or delete the key")
		return
	}
	if k := l.KeepProb; k.Column == "" && !(k.Number > 0 && k.Number <= 1) && c.sound(path) {
		c.fail(path, fmt.Sprintf("is %g", k.Number), "a row that is in the log was kept with a probability above 0, and of at most 1", "write that probability, as a number or as {column: NAME}; of a log whose rows are all there, delete the key")
	}
	c.closed(PathKeepBy, l.KeepBy)
}
