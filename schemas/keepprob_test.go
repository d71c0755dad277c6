package schemas

import (
	"slices"
	"strings"
	"testing"
)

// What is absent is filled in: schedule, which is assumed, beside a number, and unknown
// beside a column. A number, and what dropping read, change nothing of how a log is read.
func TestKeptDefaults(t *testing.T) {
	digests := map[string]bool{}
	for _, c := range []struct {
		keys, want string
		sampled    bool
	}{
		{"keep_prob: 1", `"keep_prob":1,"keep_by":""`, false},
		{"keep_prob: 1/4", `"keep_prob":0.25,"keep_by":"schedule"`, true},
		{"keep_prob: 0.5\n  keep_by: rewards", `"keep_prob":0.5,"keep_by":"rewards"`, true},
		{"keep_prob: {column: o}", `"keep_prob":{"column":"o"},"keep_by":"unknown"`, true},
		{"keep_prob: {column: o}\n  keep_by: action", `"keep_prob":{"column":"o"},"keep_by":"action"`, true},
	} {
		d, err := standard().ParseProtocol("p.yaml", []byte(strings.Replace(goodProtocol, "  ties: error", "  ties: error\n  "+c.keys, 1)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Effective()
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Replace(c.want, `,"keep_by":""`, "", 1); !strings.Contains(string(b), want) {
			t.Errorf("%s stands not in %s", want, b)
		}
		l := &d.Protocol.Log
		if l.Sampled() != c.sampled || slices.Contains(d.Protocol.Assumed, PathKeepBy) != (c.keys == "keep_prob: 1/4") {
			t.Errorf("%s: sampled %t, assumed %v", c.keys, l.Sampled(), d.Protocol.Assumed)
		}
		digests[d.Protocol.LogDigest()] = true
	}
	if len(digests) != 2 {
		t.Errorf("%d digests, of a number and of a column", len(digests))
	}
}
