package report

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// TestUnseen: what would pass is said of the claims that held, by the evidence that
// there was, and of no other.
func TestUnseen(t *testing.T) {
	const held, total = "What passes policy.conformance unseen, by a seed: a log that was cut short; rewards that nothing depends on; a seed that others knew.", "What passes privacy.total unseen: another mechanism."
	for _, c := range []struct {
		name           string
		change         func(r *schemas.Results)
		seed, released bool
		total          bool
	}{
		{"as declared", func(*schemas.Results) {}, true, false, true},
		{"nothing drawn", drawsNothing, false, false, true},
		{"by released values", replays(func(c *schemas.Conformance) { c.Mode = schemas.ModeReleased }), false, true, true},
		{"contradicted", func(r *schemas.Results) {
			for i := range r.Claims {
				if r.Claims[i].Kind != schemas.KindDataQuality {
					r.Claims[i].Verdict = schemas.Violated
				}
			}
		}, false, false, false},
		{"nothing to compare", func(r *schemas.Results) {
			r.Experiments[0].Replay.Mode = schemas.ModeNone
			conforms(schemas.NotEstablished)(r)
		}, false, false, true},
	} {
		r := homepage()
		c.change(r)
		got := strings.Join(unseen(digested(r)), "\n")
		if strings.Contains(got, held) != c.seed || strings.Contains(got, "by released values: values that nobody saw.") != c.released || strings.Contains(got, total) != c.total || strings.Contains(got, "everything") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
