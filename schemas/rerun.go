package schemas

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"banditaudit/schemas/tree"
)

// Rerun says how the policy is run again for the exact test that arms pay alike:
// which records change places between runs, and how many runs there are.
type Rerun struct {
	Permute     *Permute `json:"permute,omitempty"`                                          // which records change places. Where absent, blocks of 10 rounds, or what units and batches leave.
	Lag         string   `json:"lag,omitempty" schema:"words=equal|record|position"`         // equal | record | position: whether records change places with others of equal delay only, or the delay goes with the record, or stays. Defaults to equal.
	Statistic   string   `json:"statistic,omitempty" schema:"words=spread|spread-in-blocks"` // spread | spread-in-blocks. Defaults to spread; where no record moves to spread-in-blocks.
	Strata      string   `json:"strata,omitempty"`                                           // column of the context over whose values the statistic is summed
	Draws       int64    `json:"draws,omitempty" schema:"range=[99,inf)"`                    // most runs. Defaults to the larger of 999 and ⌈20·m/α⌉ − 1, for m tests.
	Exceedances int64    `json:"exceedances,omitempty" schema:"range=[1,inf)"`               // where so many runs reach the statistic, no more are made. Defaults to 20.
}

// Words of Rerun.Lag.
const (
	LagEqual    = "equal"
	LagRecord   = "record"
	LagPosition = "position"
)

// Words of Rerun.Statistic.
const (
	StatisticSpread   = "spread"
	StatisticInBlocks = "spread-in-blocks"
)

// defaultExceedances is h of Besag and Clifford.
const defaultExceedances = 20

// leastDraws is the least M: p is then .01 at the least.
const leastDraws = 99

// Permute says which records change places: none, all, those of a block of rounds,
// those with equal columns, or those of units. One of the fields is given.
type Permute struct { //nolint:recvcheck // a value writes itself as JSON, and a pointer may be nil
	None   bool
	All    bool
	Blocks int64    // rounds of a block
	Within []string // columns of the context
	Units  int64    // units of a run, within which units change places; AllUnits where over the whole log
}

// AllUnits is Permute.Units where units change places over the whole log.
const AllUnits = -1

// Words of Permute.
const (
	permuteNone  = "none"
	permuteAll   = "all"
	permuteUnits = "units"
)

// SchemaForm is the JSON Schema of all forms.
func (Permute) SchemaForm() string {
	return `{"description": "Which records change places: none, all, those of a block of so many rounds, those with equal columns of the context, those of units (of so many that follow one another, or of all).", "anyOf": [
		{"enum": ["none", "all", "units"]},
		{"type": "object", "additionalProperties": false, "required": ["blocks"], "properties": {"blocks": {"type": "integer", "minimum": 2}}},
		{"type": "object", "additionalProperties": false, "required": ["units"], "properties": {"units": {"type": "integer", "minimum": 2}}},
		{"type": "object", "additionalProperties": false, "required": ["within"], "properties": {"within": {"type": "array", "minItems": 1, "uniqueItems": true, "items": {"$ref": "#/$defs/Text"}}}}]}`
}

// MarshalJSON writes the form that the protocol uses.
func (p Permute) MarshalJSON() ([]byte, error) {
	switch {
	case p.None:
		return compact(permuteNone)
	case p.All:
		return compact(permuteAll)
	case p.Units == AllUnits:
		return compact(permuteUnits)
	case p.Units != 0:
		return compact(map[string]int64{permuteUnits: p.Units})
	case p.Within != nil:
		return compact(map[string][]string{"within": p.Within})
	}
	return compact(map[string]int64{"blocks": p.Blocks})
}

// String is the form that the protocol uses.
func (p *Permute) String() string {
	switch {
	case p == nil:
		return ""
	case p.None:
		return permuteNone
	case p.All:
		return permuteAll
	case p.Units == AllUnits:
		return permuteUnits
	case p.Units != 0:
		return "{units: " + strconv.FormatInt(p.Units, 10) + "}"
	case p.Within != nil:
		return "{within: [" + strings.Join(p.Within, ", ") + "]}"
	}
	return "{blocks: " + strconv.FormatInt(p.Blocks, 10) + "}"
}

// permuteMend offers the forms.
const permuteMend = "write {blocks: 10}, none, all, {within: [column, ...]}, {units: 10} or units"

func (r *reader) permute(n *tree.Node, v *Permute, path string) {
	switch {
	case n.Kind == tree.Scalar && n.Text == permuteNone:
		v.None = true
	case n.Kind == tree.Scalar && n.Text == permuteAll:
		v.All = true
	case n.Kind == tree.Scalar && n.Text == permuteUnits:
		v.Units = AllUnits
	case n.Kind == tree.Mapping && len(n.Fields) == 1:
		var one struct {
			Blocks int64    `json:"blocks"`
			Within []string `json:"within"`
			Units  int64    `json:"units"`
		}
		r.structure(n, reflect.ValueOf(&one).Elem(), path)
		v.Blocks, v.Within, v.Units = one.Blocks, one.Within, one.Units
	default:
		r.mistyped(n, path, "one of its forms", permuteMend)
	}
}

// defaults fills in what was not given, and does not depend on the log.
func (r *Rerun) defaults() {
	r.Lag = cmp.Or(r.Lag, LagEqual)
	if r.Permute != nil {
		r.Statistic = cmp.Or(r.Statistic, r.Permute.statistic())
	}
	r.Exceedances = cmp.Or(r.Exceedances, defaultExceedances)
}

// statistic is the one that goes with it where none is declared.
func (p *Permute) statistic() string {
	if p.None {
		return StatisticInBlocks
	}
	return StatisticSpread
}

// rerunRules judge how the experiment is run again.
type rerunRules struct{ *checker }

// rerun judges how the policy is run again.
func (c rerunRules) rerun() {
	const path = "analysis.rerun"
	r := &c.p.Analysis.Rerun
	c.closed(path+".lag", r.Lag)
	c.closed(path+".statistic", r.Statistic)
	if p := r.Permute; p != nil && c.sound(path+".permute") {
		c.permute(path+".permute", p)
		if r.Statistic == StatisticInBlocks && !p.None && p.Blocks == 0 {
			c.fail(path+".statistic", "is "+shown(r.Statistic), "records change places across blocks (permute: "+p.String()+"), and what is left of them in a block is then no record's own", "write spread")
		}
	}
	if r.Strata != "" {
		c.rerunColumn(path+".strata", r.Strata)
	}
}

// rerunCounts judges numbers of runs, where they are given.
func (c rerunRules) rerunCounts() {
	const draws, exceedances = "analysis.rerun.draws", "analysis.rerun.exceedances"
	r := &c.p.Analysis.Rerun
	if c.d.Given(draws) && r.Draws < leastDraws {
		c.fail(draws, fmt.Sprintf("is %d", r.Draws), fmt.Sprintf("p is at least 1/(draws + 1), and no test is made with fewer than %d", leastDraws), "write 999, or delete the key")
	}
	if c.d.Given(exceedances) && r.Exceedances < 1 {
		c.fail(exceedances, fmt.Sprintf("is %d", r.Exceedances), "runs end where so many reach the statistic", "write 20, or delete the key")
	}
}

// permute judges which records change places.
func (c rerunRules) permute(path string, p *Permute) {
	switch {
	case c.d.Given(path+".blocks") && p.Blocks < 2:
		c.fail(path+".blocks", fmt.Sprintf("is %d", p.Blocks), "records change places within a block, and a block of one leaves them where they are", "write {blocks: 10}, or none")
	case c.d.Given(path+".units") && p.Units < 2:
		c.fail(path+".units", fmt.Sprintf("is %d", p.Units), "units change places within a run of units, and a run of one leaves them where they are", "write {units: 10}, or none")
	case c.d.Given(path + ".within"):
		if len(p.Within) == 0 {
			c.fail(path+".within", "is empty", "records change places within equal values of columns, and none is named", "name columns of the context, or write all")
		}
		for i, column := range p.Within {
			c.rerunColumn(index(path+".within", i), column)
		}
		c.distinct(path+".within", p.Within)
	}
	if p.Units != 0 && c.p.Log.Unit == "" && c.sound("log") {
		c.fail(path, "is "+shown(p.String()), "no column says which rounds are a unit's (log.unit)", "declare log.unit, or write {blocks: 10}")
	}
}

// rerunColumn judges the name of a column of the context.
func (c rerunRules) rerunColumn(path, column string) {
	c.require(path, column, "it names a column of the context", "name one of log.context, or delete the key")
	context := c.p.Log.Context
	if !c.sound("log") || column == "" || context.List != "" {
		return
	}
	for i := range context.Columns {
		if context.Columns[i].Column == column {
			return
		}
	}
	c.fail(path, "is "+shown(column), "no column of the context has that name (log.context)", "name a column of log.context: it has to be known before the arm is chosen")
}
