package analyze_test

import (
	"slices"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
)

// Arms that are one number in two writings are a caution, and so are rewards of all arms,
// of which only one is used. Versions and labels that are no numbers are none.
func TestCautionsOfColumns(t *testing.T) {
	const twice, all = "are one number in two writings, and count as two arms", "only the reward of the logged arm is used"
	rows := make([]logfile.Row, 400)
	for i := range rows {
		rows[i] = logfile.Row{Arm: i / 2 % 3, Reward: float64(i % 2), Round: int64(i + 1), Propensity: 1. / 3, RewardByArm: []float64{float64(i % 2), float64(i % 2), float64(i % 2)}}
	}
	for _, c := range []struct {
		labels []string
		byArm  bool
		want   []string
	}{
		{[]string{"0", "0.0", "1"}, false, []string{`the arms "0" and "0.0" ` + twice + "; "}},
		{[]string{"10000000", "1.0E7", "01"}, false, []string{`the arms "10000000" and "1.0E7" ` + twice + "; "}},
		{[]string{"1", "01", "1.0"}, false, []string{`the arms "1" and "01" ` + twice + " (1 more pair); "}},
		{[]string{"1.0", "1.1", "2"}, false, nil},
		{[]string{"a", "01", "2"}, true, []string{all}},
	} {
		key := "reward"
		if c.byArm {
			key = "reward_by_arm"
		}
		source := "version: 1\nexperiment: {id: e, stopping: fixed}\nlog: {order: [round], action: action, " + key + ": " + key + ", propensity: propensity}\n" +
			`arms: ["` + strings.Join(c.labels, `", "`) + "\"]\nreward: {range: [0, 1]}\n"
		spec := &logfile.Layout{Labels: c.labels, Reward: logfile.RewardBool, Propensity: true, RewardByArm: c.byArm}
		said := one(t, written(t, t.TempDir(), source, spec, rows)).Cautions
		for _, want := range c.want {
			if !slices.ContainsFunc(said, func(words string) bool { return strings.Contains(words, want) }) {
				t.Errorf("%v: %q", c.labels, said)
			}
		}
		if len(said) != len(c.want) {
			t.Errorf("%v: %q", c.labels, said)
		}
	}
}
