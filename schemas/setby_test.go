package schemas

import (
	"strings"
	"testing"
)

// Each row breaks a rule about what whoever set a column may have read.
func TestRulesOfSetBy(t *testing.T) {
	for _, tc := range []mistake{
		{
			"without its column", "  ties: error",
			"  eligible_by: schedule",
			[]string{
				"p.yaml:5:16: log.eligible_by does not belong here (it says what decided which arms could be played, and no column of the log does (log.eligible is not declared)); declare the column, or delete the key",
			},
		},
		{
			"a word that is none", "  ties: error",
			"  eligible: e\n  eligible_by: scheduled",
			[]string{
				`p.yaml:6:16: log.eligible_by is "scheduled" (it must be one of: schedule, released, rewards, unknown; the nearest is schedule); write schedule`,
			},
		},
		{
			"of a context that is not declared", "  context: [age, {column: country, levels: [DE, FR], baseline: DE}]",
			"  context_by: rewards",
			[]string{
				"p.yaml:9:15: log.context_by does not belong here (it says what decided the context of a round, and no column of the log does (log.context or log.context_by_arm is not declared)); declare the column, or delete the key",
			},
		},
		{
			"none", "  ties: error",
			"  eligible: e\n  eligible_by: released\n  context_by: unknown",
			nil,
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}

// TestSetByEffective: every key stands in the effective protocol where its column
// is declared, and nowhere else; what was read of the log is the same tableau
// under every word.
func TestSetByEffective(t *testing.T) {
	const all = "  eligible: e\n  batch: b\n  reward_order: k\n  unit: u"
	digests := map[string]bool{}
	for _, tc := range []struct{ log, want string }{
		{"", `"context_by":"schedule"`},
		{all, `"eligible_by":"unknown" "batch_by":"schedule" "delay_by":"schedule" "unit_by":"schedule" "context_by":"schedule"`},
		{all + "\n  eligible_by: schedule\n  batch_by: rewards\n  delay_by: unknown\n  unit_by: released\n  context_by: rewards", `"eligible_by":"schedule" "batch_by":"rewards" "delay_by":"unknown" "unit_by":"released" "context_by":"rewards"`},
	} {
		source := strings.NewReplacer("  ties: error", "  ties: error\n"+tc.log, "  ties: first", "  ties: first\n  update: batch").Replace(goodProtocol)
		if tc.log == "" {
			source = goodProtocol
		}
		d, err := standard().ParseProtocol("p.yaml", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Effective()
		if err != nil {
			t.Fatal(err)
		}
		if err := standard().ValidateProtocol(b); err != nil {
			t.Error(err)
		}
		for want := range strings.FieldsSeq(tc.want) {
			if !strings.Contains(string(b), want) {
				t.Errorf("%s: %s stands not in %s", tc.log, want, b)
			}
		}
		if n := strings.Count(string(b), `_by":`); n != len(strings.Fields(tc.want)) {
			t.Errorf("%s: %d keys stand in %s", tc.log, n, b)
		}
		if tc.log != "" {
			digests[d.Protocol.LogDigest()] = true
		}
	}
	if len(digests) != 1 {
		t.Errorf("the words change how the log is read: %v", digests)
	}
}
