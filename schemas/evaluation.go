package schemas

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas/param"
	"banditaudit/schemas/tree"
)

// EvaluationSpec asks what another policy would have earned in the rounds of the log.
type EvaluationSpec struct {
	ID          string   `json:"id"`
	Target      Target   `json:"target"`
	ClipWeights *float64 `json:"clip_weights,omitempty" schema:"range=[1,inf)"` // M: weights ρ count as min(ρ, M), and intervals are widened by what that can hide
}

// Target is another policy: the word "uniform", {arm: label}, {fixed: probabilities},
// {column: name} or {policy: {...}, mode: word}. One of these is given.
// Fixed probabilities are divided by their sum over the arms that can be played, which
// have all the same where that is 0.
type Target struct {
	Uniform bool
	Arm     string
	Fixed   []float64
	Column  string   // of the log: lists of the probabilities of all arms, or the probability of the played one
	Policy  *Policy  // of the catalogue, by exact sums
	Mode    string   // of Policy: frozen | follows-log | replay
	Floor   *float64 // of Mode replay: the least propensity with which the log played an arm that could be played
}

// Words of Target.Mode.
const (
	ModeFrozen  = "frozen"      // one function of the context: the policy as it is before any reward
	ModeFollows = "follows-log" // its state in a round is that after the earlier rounds of the log
	ModeReplay  = "replay"      // it learns from the rounds alone in which the log played what it chose
)

// targetModes are the words of Target.Mode.
func targetModes() []string { return []string{ModeFrozen, ModeFollows, ModeReplay} }

// MostTargets is how many columns of the log may hold probabilities of evaluated policies.
const MostTargets = 8

// TargetColumns are the columns of the log that hold probabilities of evaluated policies,
// each once, in the order in which they are declared.
func (p Protocol) TargetColumns() []string {
	var out []string
	for i := range p.Analysis.Evaluate {
		if name := p.Analysis.Evaluate[i].Target.Column; name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

const targetUniform = "uniform"

// SchemaForm is the JSON Schema of all forms.
func (Target) SchemaForm() string {
	return `{"description": "Another policy, of which it is asked what it would have earned: uniform over the arms that can be played, one arm, one probability for each arm, the probabilities of a column of the log, or a policy of the catalogue by exact sums.", "anyOf": [
		{"const": "uniform"},
		{"type": "object", "additionalProperties": false, "required": ["arm"], "properties": {"arm": {"$ref": "#/$defs/Text"}}},
		{"type": "object", "additionalProperties": false, "required": ["fixed"], "properties": {"fixed": {"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"$ref": "#/$defs/Fraction"}]}}}},
		{"type": "object", "additionalProperties": false, "required": ["column"], "properties": {"column": {"description": "lists of the probabilities of all arms, in the order of arms, or the probability of the played arm", "$ref": "#/$defs/Text"}}},
		{"type": "object", "additionalProperties": false, "required": ["policy", "mode"], "properties": {
			"policy": {"$ref": "#/$defs/Policy"},
			"mode": {"description": "frozen: as it is before any reward; follows-log: in the states that the log's earlier rounds bring it to; replay: learning from the rounds alone in which the log played what it chose", "enum": ["frozen", "follows-log", "replay"]},
			"floor": {"description": "of replay: the least propensity with which the log played an arm that could be played", "anyOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": 1}, {"$ref": "#/$defs/Fraction"}]}}}]}`
}

// targetForm are the keys of a target that is no word.
type targetForm struct {
	Arm    string    `json:"arm,omitempty"`
	Fixed  []float64 `json:"fixed,omitempty"`
	Column string    `json:"column,omitempty"`
	Policy *Policy   `json:"policy,omitempty"`
	Mode   string    `json:"mode,omitempty"`
	Floor  *float64  `json:"floor,omitempty"`
}

// MarshalJSON writes the form that the protocol uses.
func (t Target) MarshalJSON() ([]byte, error) {
	if t.Uniform {
		return compact(targetUniform)
	}
	return compact(targetForm{t.Arm, t.Fixed, t.Column, t.Policy, t.Mode, t.Floor})
}

// targetMend offers the forms.
const targetMend = "write uniform, {arm: label}, {fixed: [probability, ...]}, {column: name} or {policy: {...}, mode: word}"

func (r *reader) target(n *tree.Node, v *Target, path string) {
	switch {
	case n.Kind == tree.Scalar && n.Text == targetUniform:
		v.Uniform = true
	case n.Kind == tree.Mapping && len(n.Fields) > 0:
		var one targetForm
		r.structure(n, reflect.ValueOf(&one).Elem(), path)
		v.Arm, v.Fixed, v.Column, v.Policy, v.Mode, v.Floor = one.Arm, one.Fixed, one.Column, one.Policy, one.Mode, one.Floor
	default:
		r.mistyped(n, path, "one of its forms", targetMend)
	}
}

// evaluationRules judge the policies that are evaluated.
type evaluationRules struct{ *checker }

// evaluations judges the policies that are evaluated.
func (c evaluationRules) evaluations() {
	list := c.p.Analysis.Evaluate
	ids, paths := make([]string, len(list)), make([]string, len(list))
	for i := range list {
		path := index("analysis.evaluate", i)
		ids[i], paths[i] = list[i].ID, path+".id"
		c.require(path+".id", list[i].ID, "results refer to it", "add id: V"+strconv.Itoa(i+1))
		c.target(path+".target", &list[i].Target)
		c.clipping(path+".clip_weights", &list[i])
	}
	c.unique(ids, paths, "ids of evaluated policies")
	if names := c.p.TargetColumns(); len(names) > MostTargets {
		c.fail("analysis.evaluate", fmt.Sprintf("names %d columns of the log", len(names)), fmt.Sprintf("at most %d hold probabilities of evaluated policies", MostTargets), "evaluate the others in another audit")
	}
}

// clipping judges where weights are cut.
func (c evaluationRules) clipping(path string, e *EvaluationSpec) {
	switch m := e.ClipWeights; {
	case m == nil:
	case !(*m >= 1):
		c.fail(path, fmt.Sprintf("is %g", *m), "the mean weight is 1, and a bound below it cuts every policy", "write a number of at least 1")
	case e.Target.Mode == ModeReplay:
		c.fail(path, "does not belong here", "a replay weighs no reward", "delete the key")
	}
}

func (c evaluationRules) target(path string, t *Target) {
	if !c.sound(path) {
		return
	}
	var given []string
	for _, form := range []struct {
		key    string
		stands bool
	}{{"arm", t.Arm != ""}, {"fixed", t.Fixed != nil}, {"column", t.Column != ""}, {"policy", t.Policy != nil}} {
		if form.stands {
			given = append(given, form.key)
		}
	}
	switch {
	case len(given) > 1:
		c.fail(path+"."+given[1], "stands beside "+given[0], "a target is one policy", "delete one of the two, or evaluate both")
		return
	case len(given) == 0 && !t.Uniform && t.Mode == "" && t.Floor == nil:
		c.missing(path, "it says which policy is to be evaluated", "add target: uniform, "+strings.TrimPrefix(targetMend, "write uniform, "))
		return
	}
	c.label(path+".arm", t.Arm)
	if t.Fixed != nil {
		c.fixed(path+".fixed", t.Fixed)
	}
	c.targetColumn(path+".column", t.Column)
	c.targetPolicy(path, t)
}

// targetColumn judges the column of a target.
func (c evaluationRules) targetColumn(path, name string) {
	l := &c.p.Log
	for _, other := range []struct{ path, column string }{
		{"log.action", l.Action}, {"log.reward", l.Reward}, {"log.reward_by_arm", l.RewardByArm}, {"log.reward_order", l.RewardOrder}, {"experiment.column", c.p.Experiment.Column},
	} {
		if name != "" && name == other.column {
			c.fail(path, "is "+shown(name)+", as "+other.path+" is", "the probabilities of a policy are set without the reward, and before the arm is drawn", "name the column that holds them")
		}
	}
}

// targetPolicy judges a policy of the catalogue that is evaluated, and how.
func (c evaluationRules) targetPolicy(path string, t *Target) {
	switch {
	case t.Policy == nil && t.Mode != "":
		c.fail(path+".mode", "stands without policy", "it says how a policy of the catalogue is evaluated", "add policy: {name: ...}, or delete the key")
		return
	case t.Policy == nil && t.Floor != nil:
		c.fail(path+".floor", "stands without policy", "it is that of a replay", "add policy: {name: ...} and mode: replay, or delete the key")
		return
	case t.Policy == nil:
		return
	}
	c.require(path+".mode", t.Mode, "a policy that is frozen, one that follows the log and one that is replayed answer three questions", "add mode: "+strings.Join(targetModes(), ", mode: "))
	c.word(path+".mode", t.Mode, targetModes())
	switch {
	case t.Floor == nil:
	case t.Mode != ModeReplay:
		c.fail(path+".floor", "does not belong here", "it is that of mode: replay", "delete the key; a floor of the policy's own is policy.floor")
	case !(*t.Floor > 0 && *t.Floor <= 1):
		c.fail(path+".floor", fmt.Sprintf("is %g", *t.Floor), "it is a probability above 0 and at most 1", "write the least propensity of an arm that could be played")
	}
	c.catalogued(path+".policy", t.Policy)
}

// catalogued judges the keys of a policy at a path that is not that of the declared one.
func (c evaluationRules) catalogued(path string, p *Policy) {
	c.require(path+".name", p.Name, "it says which policy is evaluated", "add name: "+strings.Join(c.catalogue.PolicyNames(), ", name: "))
	c.word(path+".name", p.Name, c.catalogue.PolicyNames())
	for key, why := range map[string]string{"draw": "an evaluated policy has the probabilities of every round", "draws": "propensities are computed", "seed": "no draw of an evaluated policy is in the log"} {
		c.surplus(path+"."+key, why, "delete the key")
	}
	c.surplus(path+".by", "an evaluated policy has one state", "delete the key")
	c.word(path+".ties", p.Ties, slices.DeleteFunc(closedList("policy.ties"), func(word string) bool { return word == param.TiesAny }))
	c.floorAt(path+".floor", p.Floor)
	switch u := p.Update; {
	case u == nil:
	case u.Version != "" || u.Clock != "":
		c.fail(path+".update", "says when batches end", "the batches of the log are those of policy.update and log.batch", "write update: batch for a policy that learns when they change, or {every: NUMBER}")
	case !u.Batch && u.Every < 1:
		c.fail(path+".update", fmt.Sprintf("is every %d rounds", u.Every), "a policy learns after at least one round", "write {every: 1}")
	case u.Batch && !c.p.Batched():
		c.fail(path+".update", "is batch, and log.batch is not declared", "the policy learns when the batch changes", "name the column in log.batch, or write update: {every: NUMBER}")
	}
	if !c.sound(path + ".name") {
		return
	}
	kind, j := c.catalogue.Policy(p.Name), targetJudge{judge{c.checker}, path}
	kind.Check(j, p.Own)
	kind.CheckTies(j, p.Ties)
	if p.Own.Word("start") == "any" || p.Own.Group("start").Has("given") {
		c.fail(path+".start", "leaves open how an arm is played", "an evaluated policy has the probabilities of every round", "write in-order, or random")
	}
	kind.CheckOrder(j, p.Order, c.p.Arms, false)
	kind.CheckNearTies(j, p.NearTies)
	kind.CheckBeside(j, p.Own, &param.Beside{Name: CounterExact})
	c.contexts(kind)
	if !kind.Uniform && len(c.p.Arms) == 0 && c.sound("arms") {
		c.fail(path+".name", "is "+shown(p.Name)+", and arms are not declared", "the arms of the log may be fewer than the policy has", "declare arms")
	}
}

// CounterExact is the counter that adds no noise: the running sums as they are.
const CounterExact = "exact"

// TargetProtocol is the protocol under which an evaluated policy runs: that of the log
// with this policy, and exact sums.
func (p Protocol) TargetProtocol(t *Target) Protocol {
	p.Policy, p.Counter, p.Privacy = t.Policy, &Counter{Name: CounterExact}, nil
	if t.Mode == ModeFrozen {
		p.Log.MissingReward = MissingError // it reads none
	}
	return p
}

// targetJudge is a judge of a policy that stands at another path than policy.
type targetJudge struct {
	judge

	path string
}

// at is a path of the declared policy as that of this one.
func (j targetJudge) at(path string) string {
	if rest, ok := strings.CutPrefix(path, "policy"); ok {
		return j.path + rest
	}
	return path
}

// Fail reports a fault of the policy.
func (j targetJudge) Fail(path, what, why, mend string) { j.judge.Fail(j.at(path), what, why, mend) }

// Sound reports whether nothing is wrong with a key of the policy.
func (j targetJudge) Sound(path string) bool { return j.judge.Sound(j.at(path)) }

// Word reports a word of the policy that is none of words.
func (j targetJudge) Word(path, value string, words []string) { j.judge.Word(j.at(path), value, words) }

// fixed judges probabilities as the rules of the policy fixed do.
func (c evaluationRules) fixed(path string, probabilities []float64) {
	if len(c.p.Arms) == 0 && c.sound("arms") {
		c.fail(path, "is declared without arms", "there is one probability for each arm, in their order", "declare arms")
		return
	}
	if key := param.Find(c.catalogue.Policy("fixed").Keys, "probabilities"); key != nil {
		key.Form.Check(judge{c.checker}, path, probabilities)
	}
}
