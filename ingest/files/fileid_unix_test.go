//go:build unix

package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/ingest/fault"
)

// One file under two names, by a link of either kind, is a fault: its rows would
// count twice.
func TestDiscoverOneFileTwice(t *testing.T) {
	for name, link := range map[string]func(from, to string) error{"hard": os.Link, "symbolic": os.Symlink} {
		dir := tree(t, "log/a.parquet", "log/c.parquet", "far/")
		from := filepath.Join(dir, "log", "a.parquet")
		for _, to := range []string{"log/b.parquet", "far/a.parquet"} {
			if err := link(from, filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"log"}, {"log/a.parquet", "far"}, {"log/a.parquet", "log/b.parquet"}} {
			for i := range args {
				args[i] = filepath.Join(dir, args[i])
			}
			_, err := Discover(t.Context(), args)
			var twice *fault.InputError
			if !errors.As(err, &twice) || twice.Rule != fault.RuleDuplicate || strings.Count(err.Error(), "\n") != 0 {
				t.Errorf("%s link, %q: %v", name, args, err)
			}
		}
		if _, err := Discover(t.Context(), []string{filepath.Join(dir, "log", "c.parquet"), from}); err != nil {
			t.Errorf("two files: %v", err)
		}
	}
}
