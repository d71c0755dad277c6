package schemas

import (
	"reflect"
	"strconv"

	"banditaudit/schemas/param"
)

// EvaluationSpec asks what another policy would have earned in the rounds of the log.
type EvaluationSpec struct {
	ID     string `json:"id"`
	Target Target `json:"target"`
}

// Target is another policy, which looks at nothing but the arms that can be played: the
// word "uniform", {arm: label} or {fixed: probabilities}. One of the fields is given.
// Fixed probabilities are divided by their sum over the arms that can be played, which
// have all the same where that is 0.
type Target struct {
	Uniform bool
	Arm     string
	Fixed   []float64
}

const targetUniform = "uniform"

// SchemaForm is the JSON Schema of all forms.
func (Target) SchemaForm() string {
	return `{"description": "Another policy, of which it is asked what it would have earned: uniform over the arms that can be played, one arm, or one probability for each arm.", "anyOf": [
		{"const": "uniform"},
		{"type": "object", "additionalProperties": false, "required": ["arm"], "properties": {"arm": {"$ref": "#/$defs/Text"}}},
		{"type": "object", "additionalProperties": false, "required": ["fixed"], "properties": {"fixed": {"type": "array", "minItems": 1, "items": {"type": "number", "minimum": 0, "maximum": 1}}}}]}`
}

// MarshalJSON writes the form that the protocol uses.
func (t Target) MarshalJSON() ([]byte, error) {
	switch {
	case t.Uniform:
		return compact(targetUniform)
	case t.Fixed != nil:
		return compact(map[string][]float64{"fixed": t.Fixed})
	}
	return compact(map[string]string{"arm": t.Arm})
}

// targetMend offers the forms.
const targetMend = "write uniform, {arm: label} or {fixed: [probability, ...]}"

func (r *reader) target(n *node, v *Target, path string) {
	switch {
	case n.kind == scalarNode && n.text == targetUniform:
		v.Uniform = true
	case n.kind == mappingNode && len(n.fields) > 0:
		var one struct {
			Arm   string    `json:"arm"`
			Fixed []float64 `json:"fixed"`
		}
		r.structure(n, reflect.ValueOf(&one).Elem(), path)
		v.Arm, v.Fixed = one.Arm, one.Fixed
	default:
		r.mistyped(n, path, "one of its forms", targetMend)
	}
}

// evaluations judges the policies that are evaluated.
func (c *checker) evaluations() {
	list := c.p.Analysis.Evaluate
	ids, paths := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		path := index("analysis.evaluate", i)
		ids[i], paths[i] = list[i].ID, path+".id"
		c.require(path+".id", list[i].ID, "results refer to it", "add id: V"+strconv.Itoa(i+1))
		c.target(path+".target", &list[i].Target)
	}
	c.unique(ids, paths, "ids of evaluated policies")
}

func (c *checker) target(path string, t *Target) {
	switch {
	case !c.sound(path):
	case t.Arm != "" && t.Fixed != nil:
		c.fail(path+".fixed", "stands beside arm", "a target is one policy", "delete one of the two, or evaluate both")
	case t.Arm != "":
		c.label(path+".arm", t.Arm)
	case t.Fixed != nil:
		c.fixed(path+".fixed", t.Fixed)
	case !t.Uniform:
		c.missing(path, "it says which policy is to be evaluated", "add target: uniform, or {arm: label} or {fixed: [probability, ...]}")
	}
}

// fixed judges probabilities as the rules of the policy fixed do.
func (c *checker) fixed(path string, probabilities []float64) {
	if len(c.p.Arms) == 0 && c.sound("arms") {
		c.fail(path, "is declared without arms", "there is one probability for each arm, in their order", "declare arms")
		return
	}
	if key := param.Find(c.Policy("fixed").Keys, "probabilities"); key != nil {
		key.Form.Check(judge{c}, path, probabilities)
	}
}
