package schemas

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// namesProtocol has places for a context, arms, regressions and tests.
func namesProtocol(context, arms, regressions, tests string) string {
	return "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r" + context + "}\n" + arms + "reward: {range: [0, 1]}\nanalysis:\n  chosen: before\n  regressions: [" +
		regressions + "]\n  tests: [" + tests + "]\n"
}

// TestOneNameForTwo: results are filed by name, so that no two coefficients and
// no two tests may have one.
func TestOneNameForTwo(t *testing.T) {
	const two = "two coefficients would have this name: "
	category := ", context: [{column: c, levels: [DE, FR]}, "
	for _, tc := range []struct{ name, context, arms, regressions, tests, want string }{
		{"intercept", ", context: ['(intercept)']", "", "{name: m}", "", two + `"(intercept)"`},
		{"no intercept", ", context: ['(intercept)']", "", "{name: m, intercept: false}", "", ""},
		{"intercept not read", ", context: ['(intercept)', x]", "", "{name: m, columns: [x]}", "", ""},
		{"a level", category + "c=FR]", "", "{name: m}", "", `log.context[1] has the name "c=FR" (two columns, and two coefficients, would have this name: log.context[0] makes it already); rename the column`},
		{"the baseline", category + "c=DE]", "", "{name: m}", "", ""},
		{"levels of two", ", context: [{column: c, levels: [a, D=x]}, {column: c=D, levels: [a, x]}]", "", "{name: m}", "", `log.context[1] has the name "c=D=x"`},
		{"a dummy", ", context: ['arm[B]']", "arms: [A, B]\n", "{name: m, arms: pooled}", "", two + `"arm[B]"`},
		{"a dummy of each", ", context: ['arm[B]']", "arms: [A, B]\n", "{name: m}", "", ""},
		{"a dummy of the control", ", context: ['arm[A]']", "arms: [A, B]\n", "{name: m, arms: pooled}", "", ""},
		{"an interaction", ", context: [x, 'arm[B]:x']", "arms: [A, B]\n", "{name: m, arms: pooled, interactions: true}", "", two + `"arm[B]:x"`},
		{"no interaction", ", context: [x, 'arm[B]:x']", "arms: [A, B]\n", "{name: m, arms: pooled}", "", ""},
		{"an arm with a bracket", ", context: ['x]', y]", "arms: [A, B, 'B]:x']\n", "{name: m, arms: pooled, interactions: true}", "", two + `"arm[B]:x]"`},
		{"two interactions", ", context: [y, 's]:y']", "arms: [A, B, 'B]:s']\n", "{name: m, arms: pooled, interactions: true}", "", two + `"arm[B]:s]:y"`},
		{"a column twice", category + "x]", "", "{name: m, columns: [c, c=FR]}", "", ""},
		{"ids", "", "arms: [A, B]\n", "", "{id: E/A, arm: A, mean: 0.5}, {id: E, arm: each, mean: 0.5}", `analysis.tests[0].id is "E/A" (a test of each arm has the id ID/LABEL for every arm, and two tests would have this one: "E/A"); give it another id`},
		{"ids of two", "", "arms: [A, B/A]\n", "", "{id: E, arm: each, mean: 0.5}, {id: E/B, arm: each, mean: 0.5}", `analysis.tests[1].id is "E/B" (a test of each arm has the id ID/LABEL for every arm, and two tests would have this one: "E/B/A")`},
		{"other ids", "", "arms: [A, B]\n", "", "{id: E/C, arm: A, mean: 0.5}, {id: E, arm: each, mean: 0.5}, {id: E/A/B, arm: A, mean: 0.5}", ""},
	} {
		source := namesProtocol(tc.context, tc.arms, tc.regressions, tc.tests)
		got := strings.Join(messages(standard().ParseProtocol("p.yaml", []byte(source))), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %s", tc.name, got)
		}
	}
}

// TestCheckNames: the same, where arms or elements of lists come from the log.
func TestCheckNames(t *testing.T) {
	for _, tc := range []struct {
		context, regressions, tests string
		arms, columns               []string
		want                        string
	}{
		{"", "", "", []string{"a", "each"}, nil, `protocol: log.action has the arm "each" (that word selects arms in tests and claims, and cannot name one); rename the arm in the log`},
		{"", "", "", []string{"a", "all"}, nil, `log.action has the arm "all"`},
		{"", "", "", []string{"most-pulled", "a"}, nil, `log.action has the arm "most-pulled"`},
		{"", "", "", []string{"least-pulled", "a"}, nil, `log.action has the arm "least-pulled"`},
		{"", "", "", []string{"pooled", "a"}, nil, ""},
		{", context: {list: arm}", "{name: m, arms: pooled}", "", []string{"a", "0"}, []string{"arm[0]"}, `protocol: analysis.regressions[0] has two coefficients of one name (two coefficients would have this name: "arm[0]"); rename the column, or the arm, in the log`},
		{", context: {list: f}", "{name: m, arms: pooled, interactions: true}", "", []string{"A", "B", "B]:f[0"}, []string{"f[0]", "f[1]"}, `would have this name: "arm[B]:f[0]"`},
		{", context: {list: f}", "{name: m, arms: pooled}", "", []string{"A", "B", "B]:f[0"}, []string{"f[0]", "f[1]"}, ""},
		{"", "", "{id: E/A, arm: A, mean: 0.5}, {id: E, arm: each, mean: 0.5}", []string{"A", "B"}, nil, `protocol: analysis.tests[0].id is "E/A"`},
		{"", "", "{id: E/A, arm: B, mean: 0.5}, {id: E, arm: each, mean: 0.5}", []string{"B"}, nil, ""},
	} {
		d, err := standard().ParseProtocol("p.yaml", []byte(namesProtocol(tc.context, "", tc.regressions, tc.tests)))
		if err != nil {
			t.Error(err)
			continue
		}
		got := strings.Join(lines(CheckNames(&d.Protocol, tc.arms, tc.columns)), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%v %v: %s", tc.arms, tc.columns, got)
		}
	}
}

// TestClash: what is found without the products is what the products show.
func TestClash(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		texts := func(what string) []string {
			return rapid.SliceOfNDistinct(rapid.StringOfN(rapid.SampledFrom([]rune("ab/")), 0, 5, -1), 0, 4, rapid.ID[string]).Draw(r, what)
		}
		words, heads, tails := texts("words"), texts("heads"), texts("tails")
		all := slices.Clone(words)
		for _, h := range heads {
			for _, tail := range tails {
				all = append(all, h+"/"+tail)
			}
		}
		count := map[string]int{}
		twice := false
		for _, name := range all {
			count[name]++
			twice = twice || count[name] > 1
		}
		name, second := clash(words, heads, tails, "/")
		if twice != (second != "" || name != "") || twice && count[name] < 2 {
			r.Fatalf("clash is %q by %q of %q", name, second, all)
		}
	})
}
