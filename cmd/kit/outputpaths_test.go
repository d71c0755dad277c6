package kit

import (
	"os"
	"path/filepath"
	"testing"

	"banditaudit/cmd/kit/kittest"
)

// TestCheckApart: an output neither replaces an input nor lies inside a log,
// also where a symbolic link hides it.
func TestCheckApart(t *testing.T) {
	work := t.TempDir()
	kittest.Tree(t, filepath.Join(work, "exp"), "protocol.yaml")
	kittest.Tree(t, filepath.Join(work, "exp", "log"), "a.parquet")
	if err := os.Symlink(filepath.Join(work, "exp"), filepath.Join(work, "link")); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(work, name) }
	for _, c := range []struct {
		out     string
		inputs  []string
		logs    []string
		refused bool
	}{
		{"", []string{"exp/protocol.yaml"}, []string{"exp/log"}, false},
		{"out", []string{"exp/protocol.yaml"}, []string{"exp/log"}, false},
		{"exp/out", []string{"exp/protocol.yaml"}, []string{"exp/log"}, false},
		{"exp/log-2", nil, []string{"exp/log"}, false},
		{"exp", []string{"exp/protocol.yaml"}, nil, true},
		{"exp", nil, []string{"exp/log"}, true},
		{"exp/log", nil, []string{"exp/log"}, true},
		{"exp/log/../log", nil, []string{"exp/log"}, true},
		{"exp/log/out", nil, []string{"exp/log"}, true},
		{"exp/log/deep/out", nil, []string{"exp/log"}, true},
		{"link/log/out", nil, []string{"exp/log"}, true},
		{"link", []string{"exp/protocol.yaml"}, nil, true},
		{"exp/log/a.parquet", nil, []string{"exp/log/a.parquet"}, true},
	} {
		out := c.out
		if out != "" {
			out = at(out)
		}
		var inputs, logs []string
		for _, in := range c.inputs {
			inputs = append(inputs, at(in))
		}
		for _, log := range c.logs {
			logs = append(logs, at(log))
		}
		err := CheckApart(out, inputs, logs)
		if (err != nil) != c.refused {
			t.Errorf("-o %q with %q and %q: %v", c.out, c.inputs, c.logs, err)
		}
		if err != nil && ExitCode(t.Context(), err) != ExitUsage {
			t.Errorf("-o %q: exit %d, want %d", c.out, ExitCode(t.Context(), err), ExitUsage)
		}
	}
}
