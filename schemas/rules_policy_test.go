package schemas

import (
	"strings"
	"testing"
)

// Each row breaks one rule about the policy, its counter or the privacy claim.
func TestRulesOfThePolicy(t *testing.T) {
	for _, tc := range []mistake{
		{
			"name missing", "  name: ucb\n",
			"",
			[]string{
				"p.yaml:14:3: policy.name is missing (it says which selection functions were used); add name: ucb, or delete policy",
			},
		},
		{
			"name", "  name: ucb",
			"  name: ucb1",
			[]string{
				`p.yaml:14:9: policy.name is "ucb1" (it must be one of: uniform, fixed, epsilon-greedy, ucb, thompson, softmax, inverse-gap, exp3, successive-elimination, linucb, lints; the nearest is ucb); write ucb`,
			},
		},
		{
			"a name near none", "  name: ucb",
			"  name: foo",
			[]string{
				`p.yaml:14:9: policy.name is "foo" (it must be one of: uniform, fixed, epsilon-greedy, ucb, thompson, softmax, inverse-gap, exp3, successive-elimination, linucb, lints); write one of them`,
			},
		},
		{
			"draw by nothing", "  name: ucb",
			"  name: ucb\n  draw: {}",
			[]string{
				"p.yaml:15:9: policy.draw.by is missing (it says which rounds share a draw); write {by: round} where every round drew anew, or {by: unit} where a unit keeps its arm",
			},
		},
		{
			"a draw by an empty word", "  name: ucb",
			"  name: ucb\n  draw: {by: }",
			[]string{"p.yaml:15:10: policy.draw.by is empty (it must be one of round, unit); write one of these"},
		},
		{
			"a draw by what there is not", "  name: ucb",
			"  name: ucb\n  draw: {by: unit, x: 1}",
			[]string{`p.yaml:15:20: unknown key "x" (policy.draw has no such key; there are: by, hash, seed, unit, coverage); delete the key`},
		},
		{
			"a draw that is a word", "  name: ucb",
			"  name: ucb\n  draw: unit",
			[]string{`p.yaml:15:9: policy.draw is "unit" (it must be a mapping); write policy.draw: {by: unit}`},
		},
		{
			"a draw that is another", "  name: ucb",
			"  name: ucb\n  draw: [user]",
			[]string{"p.yaml:15:9: policy.draw is a list (it must be a mapping); write {by: round} where every round drew anew, or {by: unit} where a unit keeps its arm"},
		},
		{
			"draw and no name", "  name: ucb\n",
			"  draw: {by: unit}\n",
			[]string{
				"p.yaml:14:3: policy.name is missing (it says which selection functions were used); add name: ucb, or delete policy",
			},
		},
		{
			"draw by a word", "  name: ucb",
			"  name: ucb\n  draw: {by: user, coverage: 0.5}",
			[]string{
				`p.yaml:15:14: policy.draw.by is "user" (it must be one of: round, unit); write one of them`,
				"p.yaml:15:30: policy.draw.coverage does not belong here (it belongs to policy.draw.hash, which is absent); delete the key",
			},
		},
		{
			"a hash alone", "  name: ucb",
			"  name: ucb\n  draw: {hash: growthbook-v2}",
			[]string{
				"p.yaml:15:9: policy.draw.seed is missing (it is hashed together with the unit); add the platform's seed, or seed: '' where it has none",
				"p.yaml:15:9: policy.draw.unit is missing (it names the column of the keys that are hashed); add unit: COLUMN",
			},
		},
		{
			"a hash of no unit and no seed", "  name: ucb",
			"  name: ucb\n  draw: {hash: growthbook-v2, seed: , unit: u}",
			[]string{"p.yaml:15:31: policy.draw.seed is empty (it must be a word or text); write it, in quotes where YAML would read it as nothing (null, ~)"},
		},
		{
			"a hash beside by", "  name: ucb",
			"  name: ucb\n  draw: {hash: growthbook-v2, seed: '', unit: u, by: unit}",
			[]string{"p.yaml:15:54: policy.draw.by does not belong here (it stands beside policy.draw.hash, by which a unit keeps its arm while its weights stand still); delete one of the two"},
		},
		{
			"a hash that there is not, and its coverage", "  name: ucb",
			"  name: ucb\n  draw: {hash: growthbook-v3, seed: s, unit: u, coverage: 1.5}",
			[]string{
				`p.yaml:15:16: policy.draw.hash is "growthbook-v3" (it must be one of: growthbook-v1, growthbook-v2; the nearest is growthbook-v1); write growthbook-v1`,
				"p.yaml:15:59: policy.draw.coverage is 1.5 (it is the share of each arm's range that is in the experiment); write a number above 0 and at most 1, or delete the key",
			},
		},
		{
			"a hash of a column that plays another role", "  name: ucb",
			"  name: ucb\n  draw: {hash: growthbook-v1, seed: s, unit: clicked}",
			[]string{`p.yaml:4:3: log.unit is "clicked", as log.reward is (one column cannot play both roles); name the column that holds it`},
		},
		{
			"width missing", "  width: {delta: 0.05}\n",
			"",
			[]string{
				"p.yaml:14:3: policy.width is missing (ucb adds √(2 ln(t/δ)/N), or √(c ln t/N), to a mean); add width: {delta: 0.05}, or width: {c: 2} for UCB1",
			},
		},
		{
			"width of two forms", "{delta: 0.05}",
			"{delta: 0.05, c: 2}",
			[]string{
				"p.yaml:15:27: policy.width.c stands beside policy.width.delta (a width has one form); delete one of the two",
			},
		},
		{
			"width of no form", "{delta: 0.05}",
			"{}",
			[]string{
				"p.yaml:15:10: policy.width has none of delta, c and alpha (a width has one form); write {delta: 0.05}, or {c: 2} for UCB1",
			},
		},
		{
			"delta of 1", "{delta: 0.05}",
			"{delta: 1}",
			[]string{
				"p.yaml:15:18: policy.width.delta is 1 (it must lie strictly between 0 and 1); write a number in that range",
			},
		},
		{
			"delta of 0", "{delta: 0.05}",
			"{delta: 0}",
			[]string{
				"p.yaml:15:18: policy.width.delta is 0 (it must lie strictly between 0 and 1); write a number in that range",
			},
		},
		{
			"c of 0", "{delta: 0.05}",
			"{c: 0}",
			[]string{
				"p.yaml:15:14: policy.width.c is 0 (it must be more than 0); write a number in that range",
			},
		},
		{
			"bonus", "bonus: quantile",
			"bonus: quartile",
			[]string{
				`p.yaml:16:10: policy.bonus is "quartile" (it must be one of: none, quantile, paper; the nearest is quantile); write quantile`,
			},
		},
		{
			"bonus without noise", "counter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}",
			"counter: {name: exact}",
			[]string{
				`p.yaml:16:10: policy.bonus is "quantile" (the counter exact adds no noise that a bonus could cover); write bonus: none, or declare a counter with noise such as hybrid`,
			},
		},
		{
			"bonus without a horizon", ", horizon: 20000",
			"",
			[]string{
				"p.yaml:18:10: counter.horizon is missing (the bonus quantile spreads its error over K·horizon events); add horizon: ROUNDS to counter, the number for which the policy was set up",
			},
		},
		{
			"parameter of another policy", "  ties: first",
			"  eta: 0.1",
			[]string{
				"p.yaml:17:8: policy.eta does not belong here (ucb has: width, bonus, start, unseen; it is a key of: softmax); delete the key",
			},
		},
		{
			"parameters of uniform", "  name: ucb",
			"  name: uniform",
			[]string{
				"p.yaml:15:10: policy.width does not belong here (uniform has no parameters of its own; it is a key of: ucb, successive-elimination, linucb); delete the key",
				"p.yaml:16:10: policy.bonus does not belong here (uniform has no parameters of its own; it is a key of: ucb, successive-elimination); delete the key",
			},
		},
		{
			"ties", "  ties: first",
			"  ties: best",
			[]string{
				`p.yaml:17:9: policy.ties is "best" (it must be one of: first, last, seeded, random, any, shared, name; the nearest is last); write last`,
			},
		},
		{
			"near ties that are not near", "  ties: first",
			"  near_ties: 2^-19",
			[]string{
				"p.yaml:17:14: policy.near_ties is 2^-19 (it is the part of the largest index by which another may be smaller and still count as equal, from 0 to 2^-20; in a wider one a wrong choice would pass as a tie); write 2^-40, which covers rounding, or 0 for none",
			},
		},
		{
			"near ties of a policy that compares nothing", "  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first",
			"  name: uniform\n  near_ties: 0",
			[]string{
				"p.yaml:15:14: policy.near_ties does not belong here (uniform plays no arm by the largest of numbers that rounding moves); delete the key",
			},
		},
		{
			"floor of 1", "  ties: first",
			"  floor: 1",
			[]string{
				"p.yaml:17:10: policy.floor is 1 (a floor is a probability); write a number from 0 to below 1",
			},
		},
		{
			"a kind of floor that is none", "  ties: first",
			"  floor: {kind: sink, value: 0.01}",
			[]string{
				`p.yaml:17:17: policy.floor.kind is "sink" (it must be one of: mix, clip, water, rest); write one of them`,
			},
		},
		{
			"a floor without its kind", "  ties: first",
			"  floor: {value: 0.01}",
			[]string{
				"p.yaml:17:10: policy.floor.kind is missing (it says what becomes of the policy's probabilities); add kind: mix, or write the number alone",
			},
		},
		{
			"a kind of floor without its value", "  ties: first",
			"  floor: {kind: clip}",
			[]string{
				"p.yaml:17:10: policy.floor.value is missing, or 0 (a floor of a kind has a value above 0); write {kind: clip, value: 0.01}, or delete the key",
			},
		},
		{
			"a clipped floor of 1", "  ties: first",
			"  floor: {kind: clip, value: 1}",
			[]string{
				"p.yaml:17:10: policy.floor is 1 (a floor is a probability); write a number from 0 to below 1",
			},
		},
		{
			"update every 0", "  ties: first",
			"  update: {every: 0}",
			[]string{
				"p.yaml:17:11: policy.update is every 0 rounds (a policy learns after at least one round); write {every: 1}",
			},
		},
		{
			"draws of 0", "  ties: first",
			"  draws: 0",
			[]string{
				"p.yaml:17:10: policy.draws is declared (this version does not draw propensities by Monte Carlo; it has: closed forms and quadratures for every policy, which need no draws); delete the key",
			},
		},
		{
			"no counter", "counter: {name: hybrid, epsilon: 0.25, horizon: 20000, grid: 2^-20}\n",
			"",
			[]string{
				"p.yaml:1:1: counter is missing (ucb reads sums of rewards, and what that costs depends on the counter); add counter: {name: hybrid, epsilon: 0.25, horizon: ROUNDS}, or counter: {name: exact} where the sums were not private",
			},
		},
		{
			"seed says nothing", "  ties: first",
			"  seed: {}",
			[]string{
				"p.yaml:17:9: policy.seed says nothing (a seed is in a file or in a column); write {file: seed.hex}, or delete the key",
			},
		},
		{
			"seed in two places", "  ties: first",
			"  seed: {file: a, column: b}",
			[]string{
				"p.yaml:17:27: policy.seed.column is declared (this version does not read a seed from the log; it has: {file: seed.hex}); write the seed to a file and name that",
			},
		},
		{
			"digest of a seed", "  ties: first",
			"  seed: {sha256: abc}",
			[]string{
				`p.yaml:17:18: policy.seed.sha256 is "abc" (a SHA-256 is 64 hex digits); write the digest of the 32 bytes, or delete the key`,
			},
		},
		{
			"counter without a policy", "policy:\n  name: ucb\n  width: {delta: 0.05}\n  bonus: quantile\n  ties: first\n",
			"",
			[]string{
				"p.yaml:13:10: counter stands without a policy (a counter releases the sums that a policy reads); add policy: {name: ucb, ...}, or delete counter",
			},
		},
		{
			"counter without a name", "name: hybrid, ",
			"",
			[]string{
				"p.yaml:18:10: counter.name is missing (it says how sums of rewards were released); add name: hybrid, or name: exact where they were not private",
			},
		},
		{
			"counter name", "name: hybrid",
			"name: hybird",
			[]string{
				`p.yaml:18:17: counter.name is "hybird" (it must be one of: exact, laplace, binary, hybrid, tree, interval, epochs; the nearest is hybrid); write hybrid`,
			},
		},
		{
			"epsilon missing", "epsilon: 0.25, horizon",
			"horizon",
			[]string{
				"p.yaml:18:10: counter.epsilon is missing (the noise of hybrid is scaled by it); add epsilon: NUMBER, that of each arm's counter",
			},
		},
		{
			"epsilon of 0", "epsilon: 0.25, horizon",
			"epsilon: 0, horizon",
			[]string{
				"p.yaml:18:34: counter.epsilon is 0 (the noise would be infinite); write a number above 0",
			},
		},
		{
			"epsilon of inf", "epsilon: 0.25, horizon",
			"epsilon: inf, horizon",
			[]string{
				"p.yaml:18:34: counter.epsilon is inf (that is a counter without noise); write name: exact and delete epsilon",
			},
		},
		{
			"horizon of 0", "horizon: 20000",
			"horizon: 0",
			[]string{
				"p.yaml:18:49: counter.horizon is 0 (it counts rounds); write a whole number of at least 1",
			},
		},
		{
			"grid that is no power", "2^-20",
			"0.3",
			[]string{
				"p.yaml:18:62: counter.grid is 0.3 (rewards and noise lie on a lattice whose step is a power of two from 2^-30 to 1); write 2^-20",
			},
		},
		{
			"grid above 1", "2^-20",
			"2",
			[]string{
				"p.yaml:18:62: counter.grid is 2 (rewards and noise lie on a lattice whose step is a power of two from 2^-30 to 1); write 2^-20",
			},
		},
		{
			"grid too fine", "2^-20",
			"2^-31",
			[]string{
				"p.yaml:18:62: counter.grid is 2^-31 (rewards and noise lie on a lattice whose step is a power of two from 2^-30 to 1); write 2^-20",
			},
		},
		{
			"grid of inf", "2^-20",
			"inf",
			[]string{
				"p.yaml:18:62: counter.grid is inf (rewards and noise lie on a lattice whose step is a power of two from 2^-30 to 1); write 2^-20",
			},
		},
		{
			"definition", "definition: pure",
			"definition: purr",
			[]string{
				`p.yaml:19:23: privacy.definition is "purr" (it must be one of: pure, approximate, zcdp; the nearest is pure); write pure`,
			},
		},
		{
			"unit", "unit: round",
			"unit: day",
			[]string{
				`p.yaml:19:60: privacy.unit is "day" (it must be one of: round, user); write one of them`,
			},
		},
		{
			"claim without epsilon", "pure, epsilon: 0.25,",
			"pure,",
			[]string{
				"p.yaml:19:10: privacy.epsilon is missing (it is what the claim says); add a number of at least 0, or delete privacy",
			},
		},
		{
			"claim of inf", "pure, epsilon: 0.25,",
			"pure, epsilon: inf,",
			[]string{
				"p.yaml:19:38: privacy.epsilon is inf (that claims nothing); write a finite number, or delete privacy",
			},
		},
		{
			"negative claim", "pure, epsilon: 0.25,",
			"pure, epsilon: -1,",
			[]string{
				"p.yaml:19:38: privacy.epsilon is -1 (a privacy loss is not negative); write a number of at least 0",
			},
		},
		{
			"rho of a pure claim", "pure, epsilon: 0.25,",
			"pure, epsilon: 0.25, rho: 1,",
			[]string{
				"p.yaml:19:49: privacy.rho does not belong here (only a zcdp claim has rho); delete the key, or write definition: zcdp",
			},
		},
		{
			"delta of a pure claim", "delta: 0,",
			"delta: 0.1,",
			[]string{
				"p.yaml:19:51: privacy.delta is 0.1 (a claim of definition pure has δ = 0); write delta: 0, or definition: approximate",
			},
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}

// A policy that learns chooses among declared arms where a log holds many
// experiments; a uniform one is judged by the arms that each experiment played.
func TestPolicyOverManyExperimentsNeedsArms(t *testing.T) {
	const rest = "\nlog: {order: [t], action: a, reward: r}\nreward: {range: [0, 1]}\ncounter: {name: exact}\npolicy: "
	const ucb, uniform = "{name: ucb, width: {c: 2}}\n", "{name: uniform}\n"
	for _, tc := range []struct {
		experiment, policy string
		problem            bool
	}{
		{"{column: e}", ucb, true},
		{"{column: e}", uniform, false},
		{"{id: e}", ucb, false},
		{"{column: e}\narms: [x, y]", ucb, false},
	} {
		_, err := standard().ParseProtocol("p.yaml", []byte("version: 1\nexperiment: "+tc.experiment+rest+tc.policy))
		if got := err != nil && strings.Contains(err.Error(), "arms are not declared"); got != tc.problem {
			t.Errorf("%s, %s: %v", tc.experiment, tc.policy, err)
		}
	}
}

// log.unit is the column of the keys that are hashed, named there or not, and the seed of
// a hash may be empty; the effective protocol shows all of it.
func TestHashedUnits(t *testing.T) {
	t.Parallel()
	const hashed = "policy: {draw: {hash: growthbook-v2, seed: '', unit: u}, "
	parse := func(unit string) (*Document, error) {
		text := strings.Replace(strings.Replace(digestSource, "policy: {", hashed, 1), "reward: y", "reward: y"+unit, 1)
		return standard().ParseProtocol("p.yaml", []byte(text))
	}
	for _, unit := range []string{"", ", unit: u"} {
		d, err := parse(unit)
		if err != nil {
			t.Fatal(err)
		}
		p := &d.Protocol
		if h := p.Hashed(); p.Log.Unit != "u" || p.Log.UnitBy != SetBySchedule || p.DrawnBy() != DrawByUnit || h == nil || h.SeedText() != "" || *h.Coverage != 1 {
			t.Errorf("%q: %+v, %+v", unit, p.Log, h)
		}
		text, err := d.EffectiveYAML()
		if err != nil || !strings.Contains(string(text), "unit: u") || !strings.Contains(string(text), "coverage: 1") {
			t.Errorf("%v: %s", err, text)
		}
		again, err := standard().ParseProtocol("p.yaml", text)
		if err != nil || again.Protocol.MechanismDigest() != p.MechanismDigest() {
			t.Errorf("%v: %s", err, text)
		}
	}
	if _, err := parse(", unit: w"); err == nil || !strings.Contains(err.Error(), `log.unit is "w", and policy.draw.unit is "u"`) {
		t.Error(err)
	}
	if _, err := standard().ParseProtocol("p.yaml", []byte(strings.Replace(strings.Replace(digestSource, "policy: {", hashed, 1), "arms: [x, z]\n", "", 1))); err == nil || !strings.Contains(err.Error(), "policy.draw.hash is declared, and arms are not") {
		t.Error(err)
	}
}
