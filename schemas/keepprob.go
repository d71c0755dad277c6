package schemas

import (
	"fmt"
	"reflect"

	"banditaudit/schemas/tree"
)

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
func (c *checker) keptRows() {
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
