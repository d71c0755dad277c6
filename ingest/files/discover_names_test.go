package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files that would share a name are named as if the directory above them all had
// been given: a pattern means the same whoever expands it.
func TestDiscoverCollisions(t *testing.T) {
	dir := tree(t, "log/dt=1/x.parquet", "log/dt=2/x.parquet", "log/dt=2/sub/y.parquet", "log/land=DE/plain/dt=1/x.parquet", "log/land=FR/plain/dt=1/x.parquet", "other/x.parquet", "other/z.parquet")
	for name, tc := range map[string]struct {
		args, want []string
		as         string // an argument that gives the same files, partitions included
	}{
		"directories":        {[]string{"log/dt=1", "log/dt=2"}, []string{"dt=1/x.parquet", "dt=2/sub/y.parquet", "dt=2/x.parquet"}, "log/dt=*"},
		"files":              {[]string{"log/dt=2/x.parquet", "log/dt=1/x.parquet"}, []string{"dt=1/x.parquet", "dt=2/x.parquet"}, "log/dt=*/x.parquet"},
		"partitions above":   {[]string{"log/land=DE/plain", "log/land=FR/plain"}, []string{"land=DE/plain/dt=1/x.parquet", "land=FR/plain/dt=1/x.parquet"}, "log/land=*"},
		"of several depths":  {[]string{"log/dt=1", "other"}, []string{"log/dt=1/x.parquet", "other/x.parquet", "other/z.parquet"}, ""},
		"a list of paths":    {[]string{"@paths.txt", "log/dt=1/x.parquet", "log/dt=2"}, []string{"log/dt=1/x.parquet", "log/dt=2/sub/y.parquet", "log/dt=2/x.parquet", "other/x.parquet"}, ""},
		"without collisions": {[]string{"log/dt=1", "other/z.parquet"}, []string{"x.parquet", "z.parquet"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "paths.txt"), []byte("other/x.parquet\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			src := discovered(t, dir, tc.args...)
			if diff := cmp.Diff(tc.want, uris(src)); diff != "" {
				t.Error(diff)
			}
			if tc.as == "" {
				return
			}
			for i, s := range discovered(t, dir, tc.as) {
				if s.URI != src[i].URI || cmp.Diff(s.Partitions, src[i].Partitions) != "" {
					t.Errorf("%+v is %+v", src[i], s)
				}
			}
		})
	}
}

func discovered(t *testing.T, dir string, args ...string) []Source {
	t.Helper()
	for i, a := range args {
		if list, ok := cutMark(a); ok {
			args[i] = listMark + filepath.Join(dir, list)
			continue
		}
		args[i] = filepath.Join(dir, a)
	}
	src, err := Discover(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func cutMark(arg string) (string, bool) { return arg[1:], arg[:1] == listMark }

// The working directory is of no account.
func TestDiscoverCollisionsRelative(t *testing.T) {
	dir := tree(t, "log/dt=1/x.parquet", "log/dt=2/x.parquet")
	for from, args := range map[string][]string{"": {"log/dt=1", "log/dt=2"}, "log": {"dt=1", "./dt=2"}, "log/dt=1": {".", "../dt=2"}} {
		t.Chdir(filepath.Join(dir, from))
		src, err := Discover(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		want := []Partition{{Key: "dt", Value: "2"}}
		if diff := cmp.Diff([]string{"dt=1/x.parquet", "dt=2/x.parquet"}, uris(src)); diff != "" || cmp.Diff(want, src[1].Partitions) != "" {
			t.Errorf("%q: %v, %s", from, src, diff)
		}
	}
}
