package schemas

import "testing"

// Each row breaks one rule about the experiment, the log, arms or the reward.
func TestRulesOfTheLog(t *testing.T) {
	for _, tc := range []mistake{
		{
			"version missing", "version: 1\n",
			"",
			[]string{
				"p.yaml:1:1: version is missing (the format may change later); add version: 1",
			},
		},
		{
			"version of the future", "version: 1",
			"version: 2",
			[]string{
				"p.yaml:1:10: version is 2 (this program reads version 1); write version: 1",
			},
		},
		{
			"order by the reward", "order: [day, round]",
			"order: [day, clicked]",
			[]string{
				`p.yaml:4:16: log.order[1] is "clicked", as log.reward is (the order of rounds may not depend on rewards); name the columns by which the rounds happened`,
			},
		},
		{
			"experiment missing", "experiment: {id: demo, stopping: fixed}\n",
			"",
			[]string{
				"p.yaml:1:1: experiment is missing (results are filed under the experiment's name); add experiment: {id: NAME, stopping: fixed}",
			},
		},
		{
			"experiment without a name", "{id: demo, stopping: fixed}",
			"{stopping: fixed}",
			[]string{
				"p.yaml:2:13: experiment has neither id nor column (results are filed under the experiment's name); add id: NAME, or column: COLUMN for many experiments in one log",
			},
		},
		{
			"experiment with two names", "{id: demo, stopping: fixed}",
			"{id: demo, column: exp, stopping: fixed}",
			[]string{
				"p.yaml:2:32: experiment.column stands beside experiment.id (either the log is one experiment, or a column names each); delete one of the two",
			},
		},
		{
			"stopping", "stopping: fixed",
			"stopping: fixd",
			[]string{
				`p.yaml:2:34: experiment.stopping is "fixd" (it must be one of: fixed, rule-on-released, unknown; the nearest is fixed); write fixed`,
			},
		},
		{
			"log missing", "log:\n  order: [day, round]\n  ties: error\n  action: variant\n  reward: clicked\n  propensity: p\n  context: [age, {column: country, levels: [DE, FR], baseline: DE}]\n  missing_reward: error\n",
			"",
			[]string{
				"p.yaml:1:1: log is missing (it says which column plays which role); add log: {order: COLUMN, action: COLUMN, reward: COLUMN}",
			},
		},
		{
			"order missing", "  order: [day, round]\n",
			"",
			[]string{
				"p.yaml:4:3: log.order is missing (rounds are replayed in the order in which they happened); add order: COLUMN under log; several columns are compared in turn",
			},
		},
		{
			"order empty", "  order: [day, round]",
			"  order: []",
			[]string{
				"p.yaml:4:10: log.order is missing (rounds are replayed in the order in which they happened); add order: COLUMN under log; several columns are compared in turn",
			},
		},
		{
			"order twice the same", "  order: [day, round]",
			"  order: [day, day]",
			[]string{
				`p.yaml:4:16: log.order[1] is "day" again (names in log.order must differ, and log.order[0] has it already); give it another name`,
			},
		},
		{
			"order with an empty name", "  order: [day, round]",
			`  order: [day, ""]`,
			[]string{
				"p.yaml:4:16: log.order[1] is empty (it must name something); write a name",
			},
		},
		{
			"action missing", "  action: variant\n",
			"",
			[]string{
				"p.yaml:4:3: log.action is missing (it names the column of the chosen arm); add action: COLUMN under log",
			},
		},
		{
			"reward missing", "  reward: clicked\n",
			"",
			[]string{
				"p.yaml:4:3: log.reward is missing (it names the column of the reward); add reward: COLUMN under log",
			},
		},
		{
			"ties", "  ties: error",
			"  ties: eror",
			[]string{
				`p.yaml:5:9: log.ties is "eror" (it must be one of: error, file-order; the nearest is error); write error`,
			},
		},
		{
			"missing_reward word", "missing_reward: error",
			"missing_reward: drop",
			[]string{
				`p.yaml:10:19: log.missing_reward is "drop" (it must be one of: error, exclude, exclude-independent); write one of them`,
			},
		},
		{
			"action is the reward", "  reward: clicked",
			"  reward: variant",
			[]string{
				`p.yaml:7:11: log.reward is "variant", as log.action is (one column cannot play both roles); name the column that holds it`,
			},
		},
		{
			"resolution of nothing", "  propensity: p",
			"  propensity_resolution: 1e-5",
			[]string{
				"p.yaml:8:26: log.propensity_resolution does not belong here (no propensity is logged that it could be about); name the column in log.propensity, or delete the key",
			},
		},
		{
			"resolution of nothing at all", "  propensity: p",
			"  propensity: p\n  propensity_resolution: 0",
			[]string{
				"p.yaml:9:26: log.propensity_resolution is 0 (it must be more than 0 and at most 0.1: what a logged probability may be off by); write 1e-5, say, or delete the key: the decimals of the column are found",
			},
		},
		{
			"resolution too coarse", "  propensity: p",
			"  propensity: p\n  propensity_resolution: 0.2",
			[]string{
				"p.yaml:9:26: log.propensity_resolution is 0.2 (it must be more than 0 and at most 0.1: what a logged probability may be off by); write 1e-5, say, or delete the key: the decimals of the column are found",
			},
		},
		{
			"draws of nothing", "  propensity: p",
			"  propensity_draws: 1000",
			[]string{
				"p.yaml:8:21: log.propensity_draws does not belong here (no propensity is logged that it could be about); name the column in log.propensity or log.propensity_by_arm, or delete the key",
			},
		},
		{
			"too few draws, and a word", "  propensity: p",
			"  propensity: p\n  propensity_draws: 1\n  drawn: twice",
			[]string{
				"p.yaml:9:21: log.propensity_draws is 1 (propensities are shares of at least 2 draws, and of at most 1000000000, beyond which recomputed ones are not exact enough to be told from them); write the number of draws, {column: NAME}, or unknown; where the propensities were computed, and none was drawn, delete the key",
				`p.yaml:10:10: log.drawn is "twice" (it must be one of: from-estimate, one-more); write one of them`,
			},
		},
		{
			"more draws than there are numbers", "  propensity: p",
			"  propensity: p\n  propensity_draws: 99999999999999999999",
			[]string{
				`p.yaml:9:21: log.propensity_draws is "99999999999999999999" (it must be a number of draws, of at most 1000000000); write the number of draws, {column: NAME}, or unknown`,
			},
		},
		{
			"draws of another form", "  propensity: p",
			"  propensity: p\n  propensity_draws: many",
			[]string{
				`p.yaml:9:21: log.propensity_draws is "many" (it must be a number of draws, {column: NAME}, or unknown); write propensity_draws: 10000, {column: n_samples}, or unknown, say`,
			},
		},
		{
			"drawn beside no draws", "  propensity: p",
			"  propensity: p\n  drawn: one-more",
			[]string{
				"p.yaml:9:10: log.drawn does not belong here (it says how an action was drawn beside propensities that were estimated by draws, and log.propensity_draws is not declared); declare log.propensity_draws (a number, {column: NAME}, or unknown), or delete the key",
			},
		},
		{
			"kept with more than 1, by what is none", "  propensity: p",
			"  keep_prob: 1.5\n  keep_by: reward",
			[]string{
				"p.yaml:8:14: log.keep_prob is 1.5 (a row that is in the log was kept with a probability above 0, and of at most 1); write that probability, as a number or as {column: NAME}; of a log whose rows are all there, delete the key",
				`p.yaml:9:12: log.keep_by is "reward" (it must be one of: schedule, action, rewards, unknown; the nearest is rewards); write rewards`,
			},
		},
		{
			"kept by what, where nothing was dropped", "  propensity: p",
			"  keep_by: action",
			[]string{
				"p.yaml:8:12: log.keep_by does not belong here (it says what dropping a row from the log may have read, and log.keep_prob is not declared); declare log.keep_prob (a number, or {column: NAME}), or delete the key",
			},
		},
		{
			"kept with the reward", "  propensity: p",
			"  keep_prob: {column: clicked}",
			[]string{
				`p.yaml:8:23: log.keep_prob.column is "clicked", as log.reward is (one column cannot play both roles); name the column that holds it`,
			},
		},
		{
			"propensity is the reward", "  propensity: p",
			"  propensity: clicked",
			[]string{
				`p.yaml:8:15: log.propensity is "clicked", as log.reward is (one column cannot play both roles); name the column that holds it`,
			},
		},
		{
			"reward in the context", "[age, {column",
			"[clicked, {column",
			[]string{
				`p.yaml:9:13: log.context[0] is "clicked", as log.reward is (a context is known before the arm is chosen); delete it from the context`,
			},
		},
		{
			"context twice the same", "[age, {column",
			"[country, {column",
			[]string{
				`p.yaml:9:22: log.context[1] is "country" again (the columns of the context must differ, and log.context[0] has it already); give it another name`,
			},
		},
		{
			"context empty", "  context: [age, {column: country, levels: [DE, FR], baseline: DE}]",
			"  context: []",
			[]string{
				"p.yaml:9:12: log.context names no column (an empty context is declared by leaving it out); name columns, or delete the key",
			},
		},
		{
			"context column without a name", "[age, {column",
			`["", {column`,
			[]string{
				"p.yaml:9:13: log.context[0] names no column (a column of the context has a name); write the name, or {column: NAME, levels: [...]}",
			},
		},
		{
			"context mapping without a name", "{column: country, levels",
			"{levels",
			[]string{
				"p.yaml:9:18: log.context[1] names no column (a column of the context has a name); write the name, or {column: NAME, levels: [...]}",
			},
		},
		{
			"one level", "levels: [DE, FR]",
			"levels: [DE]",
			[]string{
				"p.yaml:9:44: log.context[1].levels has 1 entry (a categorical column has at least two levels, and one of them is the baseline); list every level that may occur",
			},
		},
		{
			"level twice", "levels: [DE, FR]",
			"levels: [DE, FR, DE]",
			[]string{
				`p.yaml:9:53: log.context[1].levels[2] is "DE" again (entries must differ, and log.context[1].levels[0] is the same); delete one of them`,
			},
		},
		{
			"baseline is no level", "baseline: DE",
			"baseline: DF",
			[]string{
				`p.yaml:9:64: log.context[1].baseline is "DF" (it must be one of the levels; the nearest is "DE"); write one of the levels`,
			},
		},
		{
			"an empty baseline that is no level", "baseline: DE",
			`baseline: ""`,
			[]string{
				`p.yaml:9:64: log.context[1].baseline is "" (it must be one of the levels; there are: "DE", "FR"); write one of the levels`,
			},
		},
		{
			"a baseline of nothing", "baseline: DE",
			"baseline: null",
			[]string{
				"p.yaml:9:54: log.context[1].baseline is empty (it must be a word or text); write it, in quotes where YAML would read it as nothing (null, ~), or delete it",
			},
		},
		{
			"baseline without levels", "{column: country, levels: [DE, FR], baseline: DE}",
			"{column: country, baseline: DE}",
			[]string{
				"p.yaml:9:46: log.context[1].baseline stands without levels (only a categorical column has a baseline); add levels: [...], or delete baseline",
			},
		},
		{
			"no arm", "arms: [control, blue, green]",
			"arms: []",
			[]string{
				"p.yaml:11:7: arms is an empty list (an experiment has at least one arm); list the labels in index order, or delete the key: the labels then come from the log",
			},
		},
		{
			"empty label", "arms: [control, blue, green]",
			`arms: [control, blue, ""]`,
			[]string{
				"p.yaml:11:23: arms[2] is empty (an arm has a label); write the label as it stands in the log",
			},
		},
		{
			"label twice", "arms: [control, blue, green]",
			"arms: [control, blue, blue]",
			[]string{
				`p.yaml:11:23: arms[2] is "blue" again (entries must differ, and arms[1] is the same); delete one of them`,
			},
		},
		{
			"reserved label", "arms: [control, blue, green]",
			"arms: [control, blue, each]",
			[]string{
				`p.yaml:11:23: arms[2] is "each" (that word selects arms in tests and claims, and cannot name one); rename the arm in the log`,
			},
		},
		{
			"reward range missing", "{range: [0, 1], out_of_range: error}",
			"{out_of_range: error}",
			[]string{
				"p.yaml:12:9: reward.range is missing (bounds hold for a public range that is never read off the data); add reward: {range: [0, 1]}",
			},
		},
		{
			"reward missing as a whole", "reward: {range: [0, 1], out_of_range: error}\n",
			"",
			[]string{
				"p.yaml:1:1: reward.range is missing (bounds hold for a public range that is never read off the data); add reward: {range: [0, 1]}",
			},
		},
		{
			"range of one", "range: [0, 1]",
			"range: [1]",
			[]string{
				"p.yaml:12:17: reward.range has 1 entry (a range is its lower and its upper end); write [lower, upper]",
			},
		},
		{
			"range upside down", "range: [0, 1]",
			"range: [1, 0]",
			[]string{
				"p.yaml:12:17: reward.range is [1, 0] (the lower end comes first and is smaller); write [lower, upper]",
			},
		},
		{
			"range of no width", "range: [0, 1]",
			"range: [1, 1]",
			[]string{
				"p.yaml:12:17: reward.range is [1, 1] (the lower end comes first and is smaller); write [lower, upper]",
			},
		},
		{
			"infinite range", "range: [0, 1]",
			"range: [0, .inf]",
			[]string{
				`p.yaml:12:21: reward.range[1] is ".inf" (it must be a finite number); write a decimal such as 0.05, without quotes, or a quotient such as 1/30`,
			},
		},
		{
			"out_of_range", "out_of_range: error",
			"out_of_range: winsorise",
			[]string{
				`p.yaml:12:39: reward.out_of_range is "winsorise" (it must be one of: error, clip); write one of them`,
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}
