package schemas

import (
	"strings"
	"testing"
)

// Each row makes one mistake in the form of a value.
func TestValuesOfTheWrongForm(t *testing.T) {
	for _, tc := range []mistake{
		{
			"unknown key", "  action: variant",
			"  actoin: variant",
			[]string{
				`p.yaml:6:3: unknown key "actoin" (log has no such key; the nearest is action); write action, or delete the key`,
			},
		},
		{
			"unknown key at the top", "version: 1",
			"vershun: 1",
			[]string{
				`p.yaml:1:1: unknown key "vershun" (the protocol has no such key; the nearest is version); write version, or delete the key`,
			},
		},
		{
			"unknown key in a flow mapping", "grid: 2^-20",
			"gird: 2^-20",
			[]string{
				`p.yaml:18:56: unknown key "gird" (counter has no such key; the nearest is grid); write grid, or delete the key`,
			},
		},
		{
			"repeated key", "  ties: error",
			"  ties: error\n  order: [round]",
			[]string{
				`p.yaml:6:3: the key "order" stands here again (it stands in line 4 already, and one of the two would be ignored); keep one of them`,
			},
		},
		{
			"scalar for a mapping", "reward: {range: [0, 1], out_of_range: error}",
			"reward: 5",
			[]string{
				`p.yaml:12:9: reward is "5" (it must be a mapping); write its keys: range, out_of_range`,
			},
		},
		{
			"list for a mapping", "privacy: {definition: pure, epsilon: 0.25, delta: 0, unit: round}",
			"privacy: [pure]",
			[]string{
				"p.yaml:19:10: privacy is a list (it must be a mapping); write its keys: definition, epsilon, rho, delta, unit",
			},
		},
		{
			"mapping for a list", "arms: [control, blue, green]",
			"arms: {a: control}",
			[]string{
				"p.yaml:11:7: arms is a mapping (it must be a list); write it in brackets: [..., ...]",
			},
		},
		{
			"scalar for a list", "arms: [control, blue, green]",
			"arms: control",
			[]string{
				`p.yaml:11:7: arms is "control" (it must be a list); write it in brackets: [..., ...]`,
			},
		},
		{
			"list for a text", "  action: variant",
			"  action: [variant]",
			[]string{
				"p.yaml:6:11: log.action is a list (it must be a word or text); write it, in quotes where YAML would read it as nothing (null, ~)",
			},
		},
		{
			"columns for a list by arm", "  action: variant",
			"  action: variant\n  propensity_by_arm: [p_control, 'p \"blue\"']",
			[]string{
				`p.yaml:7:22: log.propensity_by_arm is a list (it must be one column, whose lists have a value for each arm); make it in the log, as with DuckDB by SELECT *, ["p_control", "p ""blue"""] AS propensity_by_arm FROM 'log.parquet', in the order of arms`,
			},
		},
		{
			"text for a number", "  alpha: 0.05",
			"  alpha: small",
			[]string{
				`p.yaml:22:10: analysis.alpha is "small" (it must be a finite number); write a decimal such as 0.05, without quotes, or a quotient such as 1/30`,
			},
		},
		{
			"quoted number", "  alpha: 0.05",
			`  alpha: "0.05"`,
			[]string{
				`p.yaml:22:10: analysis.alpha is the text "0.05" (it must be a finite number); write a decimal such as 0.05, without quotes, or a quotient such as 1/30`,
			},
		},
		{
			"quotient by zero", "  alpha: 0.05",
			`  alpha: 1/0`,
			[]string{
				`p.yaml:22:10: analysis.alpha is "1/0" (it must be a finite number); write a decimal such as 0.05, without quotes, or a quotient such as 1/30`,
			},
		},
		{
			"fraction beyond its exponent", "  alpha: 0.05",
			`  alpha: 2^-400`,
			[]string{
				`p.yaml:22:10: analysis.alpha is "2^-400" (it must be a finite number); write one of size below 1e308`,
			},
		},
		{
			"fraction out of range", "  alpha: 0.05",
			`  alpha: 3/2`,
			[]string{
				`p.yaml:22:10: analysis.alpha is 1.5 (a level is more than 0 and at most 0.5); write a level such as 0.05`,
			},
		},
		{
			"infinite number", "  alpha: 0.05",
			"  alpha: .inf",
			[]string{
				`p.yaml:22:10: analysis.alpha is ".inf" (it must be a finite number); write a decimal such as 0.05, without quotes, or a quotient such as 1/30`,
			},
		},
		{
			"number beyond float64", "  alpha: 0.05",
			"  alpha: 1e999",
			[]string{
				`p.yaml:22:10: analysis.alpha is "1e999" (it must be a finite number); write one of size below 1e308`,
			},
		},
		{
			"zeros before a number", "horizon: 20000",
			"horizon: 020000",
			[]string{
				`p.yaml:18:49: counter.horizon is "020000" (it must be a number without zeros before it); leave the zeros out: readers differ in what they mean`,
			},
		},
		{
			"fraction for a whole number", "horizon: 20000",
			"horizon: 2e4",
			[]string{
				`p.yaml:18:49: counter.horizon is "2e4" (it must be a whole number); write digits only, such as 20000`,
			},
		},
		{
			"whole number beyond int64", "horizon: 20000",
			"horizon: 99999999999999999999",
			[]string{
				`p.yaml:18:49: counter.horizon is "99999999999999999999" (it must be a whole number within ±9223372036854775807); write a smaller one`,
			},
		},
		{
			"word for a truth value", "intercept: true",
			"intercept: yes",
			[]string{
				`p.yaml:26:70: analysis.regressions[0].intercept is "yes" (it must be true or false); write true or false, without quotes`,
			},
		},
		{
			"no value", "  chosen: before",
			"  chosen:",
			[]string{
				"p.yaml:21:3: analysis.chosen is empty (it must be one of before, from-actions, after-rewards); write one of these, or delete it",
			},
		},
		{
			"empty text", "  action: variant",
			`  action: ""`,
			[]string{
				"p.yaml:6:11: log.action is empty (it must be a word or text); write it, in quotes where YAML would read it as nothing (null, ~)",
			},
		},
		{
			"null among the arms", "arms: [control, blue, green]",
			"arms: [control, ~, green]",
			[]string{
				"p.yaml:11:17: arms[1] is empty (it must be a word or text); write it, in quotes where YAML would read it as nothing (null, ~), or delete it",
			},
		},
		{
			"mapping among the arms", "arms: [control, blue, green]",
			"arms: [control, {a: b}, green]",
			[]string{
				"p.yaml:11:17: arms[1] is a mapping (it must be a word or text); write it, in quotes where YAML would read it as nothing (null, ~)",
			},
		},
		{
			"bad exact number", "epsilon: 0.25, horizon",
			"epsilon: quarter, horizon",
			[]string{
				`p.yaml:18:34: counter.epsilon is "quarter" (it must be an exact number, with exponents within ±300); write a decimal (0.25), a quotient (1/3) or a power (2^-20)`,
			},
		},
		{
			"exact number with a huge exponent", "epsilon: 0.25, horizon",
			"epsilon: 1e999999999, horizon",
			[]string{
				`p.yaml:18:34: counter.epsilon is "1e999999999" (it must be an exact number, with exponents within ±300); write a decimal (0.25), a quotient (1/3) or a power (2^-20)`,
			},
		},
		{
			"list for an exact number", "epsilon: 0.25, horizon",
			"epsilon: [1], horizon",
			[]string{
				"p.yaml:18:34: counter.epsilon is a list (it must be a number); write a decimal (0.25), a quotient (1/3) or a power (2^-20)",
			},
		},
		{
			"scalar context", "  context: [age, {column: country, levels: [DE, FR], baseline: DE}]",
			"  context: age",
			[]string{
				`p.yaml:9:12: log.context is "age" (it must be a list of columns, or {list: column}); write [column, ...]`,
			},
		},
		{
			"context of another form", "  context: [age, {column: country, levels: [DE, FR], baseline: DE}]",
			"  context: {columns: [age]}",
			[]string{
				`p.yaml:9:13: unknown key "columns" (log.context has no such key; there are: list); delete the key`,
			},
		},
		{
			"list as a context column", "  context: [age, {",
			"  context: [[age], {",
			[]string{
				"p.yaml:9:13: log.context[0] is a list (it must be a column, or {column: ..., levels: [...]}); write the column's name",
			},
		},
		{
			"update of another form", "  ties: first",
			"  update: hourly",
			[]string{
				`p.yaml:17:11: policy.update is "hourly" (it must be batch, {every: n}, {version: COLUMN} or {every: 1h, clock: COLUMN}); write {every: 1} for a policy that learns after each round`,
			},
		},
		{
			"update with another key", "  ties: first",
			"  update: {evry: 5}",
			[]string{
				`p.yaml:17:12: unknown key "evry" (policy.update has no such key; the nearest is every); write every, or delete the key`,
			},
		},
		{
			"covariance of another form", "covariance: HC3",
			"covariance: [HC3]",
			[]string{
				"p.yaml:26:54: analysis.regressions[0].covariance is a list (it must be a word, or {cluster: unit}); write HC3",
			},
		},
		{
			"seed that is not a seed", "  ties: first",
			"  seed: deadbeef",
			[]string{
				"p.yaml:17:9: policy.seed is a text that is not a seed (a master seed is 32 bytes, written as 64 hex digits); write {file: seed.hex}, with the digits in that file",
			},
		},
		{
			"seed of another form", "  ties: first",
			"  seed: [a]",
			[]string{
				"p.yaml:17:9: policy.seed is a list (it must be {file: ...}, {column: ...} or 64 hex digits); write {file: seed.hex}",
			},
		},
		{
			"evaluation of another form", "  control: control",
			"  evaluate: [uniform]",
			[]string{
				`p.yaml:24:14: analysis.evaluate[0] is "uniform" (it must be a mapping); write its keys: id, target, clip_weights`,
			},
		},
		{
			"target of another form", "  control: control",
			"  evaluate: [{id: V1, target: [uniform]}]",
			[]string{
				"p.yaml:24:31: analysis.evaluate[0].target is a list (it must be one of its forms); write uniform, {arm: label}, {fixed: [probability, ...]}, {column: name} or {policy: {...}, mode: word}",
			},
		},
		{
			"target of an unknown word", "  control: control",
			"  evaluate: [{id: V1, target: unifrm}]",
			[]string{
				`p.yaml:24:31: analysis.evaluate[0].target is "unifrm" (it must be one of its forms); write uniform, {arm: label}, {fixed: [probability, ...]}, {column: name} or {policy: {...}, mode: word}`,
			},
		},
		{
			"joint of another form", "mean: 0.4, test: z, sigma: 0.5",
			"joint: [age]",
			[]string{
				"p.yaml:29:34: analysis.tests[1].joint is a list (it must be a mapping of names to numbers); write {name: number, ...}",
			},
		},
		{
			"joint with text", "mean: 0.4, test: z, sigma: 0.5",
			"joint: {age: zero}",
			[]string{
				`p.yaml:29:40: analysis.tests[1].joint.age is "zero" (it must be a finite number); write a decimal such as 0.05, without quotes, or a quotient such as 1/30`,
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}

// A number may be a fraction wherever a decimal may stand: it is the float64
// nearest to it, and stands in the effective protocol as that.
func TestNumbersMayBeFractions(t *testing.T) {
	t.Parallel()
	source := `version: 1
experiment: {id: x}
log: {order: t, action: a, reward: r, propensity: p, propensity_resolution: 1/3000}
arms: [a, b, c]
reward: {range: [-1/3, "2/3"]}
policy: {name: fixed, probabilities: [1/3, 1/3, 1/3], floor: 1/30}
analysis: {alpha: 2^-5}
`
	d := mustParse(t, source)
	p := &d.Protocol
	for _, v := range []struct{ got, want float64 }{
		{p.Policy.Floor.Value, 1.0 / 30}, {*p.Log.PropensityResolution, 1.0 / 3000}, {p.Reward.Range[0], -1.0 / 3}, {p.Reward.Range[1], 2.0 / 3}, {p.Analysis.Alpha, 1.0 / 32},
	} {
		if v.got != v.want {
			t.Errorf("%v, want %v", v.got, v.want)
		}
	}
	effective, err := d.Effective()
	if err != nil || !strings.Contains(string(effective), `"floor":0.03333333333333333`) || !strings.Contains(string(effective), `"probabilities":[0.3333333333333333,0.3333333333333333,0.3333333333333333]`) {
		t.Errorf("%s, %v", effective, err)
	}
}

// A floor that is mixed in is a number in the effective protocol, however it was written,
// and one of another kind stands as it is.
func TestFloorStandsInTheEffectiveProtocol(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"0.05": `"floor":0.05`, "{kind: mix, value: 1/20}": `"floor":0.05`, "{kind: clip, value: 1/20}": `"floor":{"kind":"clip","value":0.05}`,
		"{value: 0.01, kind: rest}": `"floor":{"kind":"rest","value":0.01}`, "{kind: water, value: 2^-5}": `"floor":{"kind":"water","value":0.03125}`,
	} {
		d := mustParse(t, "version: 1\nexperiment: {id: x}\nlog: {order: t, action: a, reward: r}\narms: [a, b, c]\nreward: {range: [0, 1]}\npolicy: {name: uniform, floor: "+written+"}\n")
		effective, err := d.Effective()
		if err != nil || !strings.Contains(string(effective), want) {
			t.Errorf("%s: %s, %v", written, effective, err)
		}
	}
}
