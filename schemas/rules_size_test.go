package schemas

import (
	"strings"
	"testing"
)

// TestRangeSize: of a range whose rewards or their squares leave float64, or
// whose rewards share their leading digits, nothing can be computed.
func TestRangeSize(t *testing.T) {
	size := "squares of rewards and of their width must be numbers, so its ends are at most 1e+150 in size and at least 1e-150 apart"
	digits := "which leaves too few digits for how rewards differ"
	for text, want := range map[string]string{
		"[0, 1e-162]": size, "[0, 1e-320]": size, "[-8e307, 8e307]": size, "[0, 1.7e308]": size, "[1e299, 1e300]": size, "[-1.7e308, 1.7e308]": size,
		"[1e16, 10000000000000002]": digits, "[-10000000000000002, -1e16]": digits, "[1, 1.0000000001]": digits,
		"[0, 1e-9]": "", "[1e9, 1000000001]": "", "[-1e6, 1e6]": "", "[0, 1e-150]": "", "[0, 1e150]": "", "[-1e150, 1e150]": "",
	} {
		head := "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r}\nreward: {range: "
		got := strings.Join(messages(standard().ParseProtocol("p.yaml", []byte(head+text+"}\n"))), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) || want != "" && !strings.Contains(got, "; rescale the reward") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestValuesInRange: a value under the null hypothesis is one that the
// parameter can have, and a standard deviation one that rewards can have.
func TestValuesInRange(t *testing.T) {
	for _, tc := range []struct{ rewards, test, want string }{
		{"0, 1", "difference: [a, b], value: 1.5", "value is 1.5 (no difference of means of rewards in [0, 1] has that value); write a number from -1 to 1"},
		{"0, 1", "difference: [a, b], value: -1.0000001", "value is -1.0000001 (no difference of means"},
		{"0, 1", "difference: [a, b], value: 1e308", "value is 1e+308 (no difference of means"},
		{"0, 1", "difference: [a, b], value: -1", ""},
		{"0.1, 0.3", "difference: [a, b], value: 0.2", ""},
		{"0, 1", "arm: a, regression: m, coefficient: x, value: 1e150", "value is 1e+150 (its square must be a number, so it is below 1e+150 in size); rescale the reward or the column"},
		{"0, 1", "arm: a, regression: m, coefficient: x, value: -1e308", "value is -1e+308 (its square"},
		{"0, 1", "arm: a, regression: m, coefficient: x, value: .nan", "it must be a finite number"},
		{"0, 1", "arm: a, regression: m, coefficient: x, value: 9e149", ""},
		{"0, 1", "arm: a, regression: m, joint: {x: 1e308}", "joint.x is 1e+308 (its square"},
		{"0, 1", "arm: a, regression: m, joint: {x: .inf}", "it must be a finite number"},
		{"0, 1", "arm: a, regression: m, joint: {x: 1e149}", ""},
		{"0, 1", "arm: a, mean: 0.5, test: z, sigma: 0", "sigma is 0 (it must be more than 0)"},
		{"0, 1", "arm: a, mean: 0.5, test: z, sigma: 1e-160", "sigma is 1e-160 (its square must be a number, so it is from 1e-150 to 1e+150); rescale the reward"},
		{"0, 1", "arm: a, mean: 0.5, test: z, sigma: 1e308", "sigma is 1e+308 (its square"},
		{"0, 1", "arm: a, mean: 0.5, test: z, sigma: 0.51", "sigma is 0.51 (the standard deviation of rewards in [0, 1] is at most half the width); write a number up to 0.5"},
		{"0, 1", "difference: [a, b], value: 0, test: z, sigma: 0.6", "sigma is 0.6 (the standard deviation"},
		{"0, 1", "arm: a, mean: 0.5, test: z, sigma: 0.5", ""},
		{"0.1, 0.3", "arm: a, mean: 0.2, test: z, sigma: 0.1", ""},
	} {
		source := "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r, context: [x]}\narms: [a, b]\nreward: {range: [" + tc.rewards +
			"]}\nanalysis:\n  chosen: before\n  regressions: [{name: m}]\n  tests: [{id: H, " + tc.test + "}]\n"
		got := strings.Join(messages(standard().ParseProtocol("p.yaml", []byte(source))), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s in [%s]: %s", tc.test, tc.rewards, got)
		}
	}
}
