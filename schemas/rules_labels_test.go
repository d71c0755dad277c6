package schemas

import (
	"strings"
	"testing"
)

// Declared labels are as short as those of a log are, each reported at its place.
func TestLabelsAreShort(t *testing.T) {
	longest, longer := strings.Repeat("é", MaxLabelBytes/2), strings.Repeat("é", MaxLabelBytes/2)+"x"
	for _, c := range []struct{ id, arm, level, want string }{
		{"e", longest, longest, ""},
		{longest, "b", "y", ""},
		{"e", longer, "y", "arms[1] has 4,097 bytes (a label has at most 4,096, and no log with a longer one is read)"},
		{"e", "b", longer, "log.context[0].levels[1] has 4,097 bytes"},
		{longer, "b", "y", "experiment.id has 4,097 bytes"},
	} {
		source := "version: 1\nexperiment: {id: " + c.id + "}\nlog: {order: [t], action: a, reward: r, context: [{column: c, levels: [x, " + c.level + "]}]}\n" +
			"arms: [a, " + c.arm + "]\nreward: {range: [0, 1]}\n"
		got := messages(standard().ParseProtocol("p.yaml", []byte(source)))
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%.20s: %.300q", c.want, got)
		}
	}
}
