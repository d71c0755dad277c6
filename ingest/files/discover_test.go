package files

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
)

// tree makes empty files, by path below a new directory.
func tree(t *testing.T, paths ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range paths {
		full := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(p, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(full, []byte("PAR1"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func uris(src []Source) []string {
	var all []string
	for _, s := range src {
		all = append(all, s.URI)
	}
	return all
}

func TestDiscover(t *testing.T) {
	dir := tree(t, "log/b.parquet", "log/a.parquet", "log/dt=1/x.parquet", "log/dt=2/x.PQ", "log/000000_0", "log/Z.parq",
		"log/_SUCCESS", "log/_metadata", "log/_temporary/t.parquet", "log/.hidden.parquet", "log/.a.parquet.crc", "log/a.parquet.crc", "log/.cache/h.parquet",
		"log/readme.txt", "log/odd.parquet/inner.parquet", "[x].parquet")
	if err := os.WriteFile(filepath.Join(dir, "log", "LICENSE"), []byte("text without an extension"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := []string{"000000_0", "Z.parq", "a.parquet", "b.parquet", "dt=1/x.parquet", "dt=2/x.PQ", "odd.parquet/inner.parquet"}
	for name, tc := range map[string]struct{ args, want []string }{
		"a directory":              {[]string{"log"}, all},
		"a directory with a slash": {[]string{"log/"}, all},
		"files":                    {[]string{"log/b.parquet", "log/a.parquet"}, []string{"a.parquet", "b.parquet"}},
		"a file of any name":       {[]string{"log/readme.txt"}, []string{"readme.txt"}},
		"a glob of files":          {[]string{"log/*.parquet"}, []string{"a.parquet", "b.parquet", "odd.parquet/inner.parquet"}},
		"a glob of directories":    {[]string{"log/dt=*"}, []string{"dt=1/x.parquet", "dt=2/x.PQ"}},
		"a glob in the middle":     {[]string{"log/dt=*/x.parquet"}, []string{"dt=1/x.parquet"}},
		"a name with brackets":     {[]string{"[x].parquet"}, []string{"[x].parquet"}},
		"several arguments":        {[]string{"log/dt=1", "log/a.parquet"}, []string{"a.parquet", "x.parquet"}},
	} {
		t.Run(name, func(t *testing.T) {
			var args []string
			for _, a := range tc.args {
				args = append(args, filepath.Join(dir, a))
			}
			src, err := Discover(t.Context(), args)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, uris(src)); diff != "" {
				t.Error(diff)
			}
			for _, s := range src {
				if _, err := os.Stat(s.Path); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestDiscoverRefuses(t *testing.T) {
	dir := tree(t, "one/x.parquet", "two/x.parquet", "none/readme.txt", "empty/",
		"delta/_delta_log/00000000000000000009.json", "delta/_delta_log/00000000000000000010.json", "delta/part.parquet", "delta/dt=1/part.parquet",
		"ice/metadata/v1.metadata.json", "ice/data/part.parquet", "ice/data/dt=1/part.parquet", "hudi/.hoodie/x", "hudi/part.parquet", "all/delta/_delta_log/", "all/delta/x.parquet", "all/y.parquet",
		"plain/metadata/notes.txt", "plain/x.parquet")
	for name, tc := range map[string]struct {
		args []string
		rule string
		says string
	}{
		"nothing":                    {nil, fault.RuleNoInput, "no log"},
		"a missing path":             {[]string{"absent.parquet"}, fault.RuleNoInput, "does not exist"},
		"a directory without":        {[]string{"none"}, fault.RuleNoInput, "no Parquet"},
		"an empty directory":         {[]string{"empty"}, fault.RuleNoInput, "no Parquet"},
		"a glob without a match":     {[]string{"no*.parquet"}, fault.RuleNoInput, "matches no"},
		"a bad glob":                 {[]string{"[a"}, fault.RuleNoInput, "pattern"},
		"a Delta table":              {[]string{"delta"}, fault.RuleLake, "/delta` VERSION AS OF 10\")"},
		"a partition of Delta":       {[]string{"delta/dt=1"}, fault.RuleLake, "Delta"},
		"a file of Delta":            {[]string{"delta/part.parquet"}, fault.RuleLake, "Delta"},
		"a glob of Delta":            {[]string{"delta/dt=*/*.parquet"}, fault.RuleLake, "Delta"},
		"a Delta table further down": {[]string{"all"}, fault.RuleLake, "VERSION AS OF N\")"},
		"an Iceberg table":           {[]string{"ice"}, fault.RuleLake, "FROM CATALOG.DB.TABLE VERSION AS OF ID"},
		"the data of Iceberg":        {[]string{"ice/data"}, fault.RuleLake, "Iceberg"},
		"a partition of Iceberg":     {[]string{"ice/data/dt=1"}, fault.RuleLake, "Iceberg"},
		"a Hudi table":               {[]string{"hudi"}, fault.RuleLake, "hudi"},
		"a file twice":               {[]string{"one/x.parquet", "one/x.parquet"}, fault.RuleDuplicate, "twice"},
		"a file and its directory":   {[]string{"one/x.parquet", "one"}, fault.RuleDuplicate, "twice"},
		"a file twice, another name": {[]string{"one", "two", "one/../two"}, fault.RuleDuplicate, "twice"},
	} {
		t.Run(name, func(t *testing.T) {
			var args []string
			for _, a := range tc.args {
				args = append(args, filepath.Join(dir, a))
			}
			_, err := Discover(t.Context(), args)
			if e := ingesttest.WantFault(t, err, tc.rule); !strings.Contains(e.Error(), tc.says) {
				t.Errorf("got %v", e)
			}
		})
	}
	if _, err := Discover(t.Context(), []string{filepath.Join(dir, "plain")}); err != nil {
		t.Errorf("a metadata directory that is not Iceberg's: %v", err)
	}
	_, err := Discover(t.Context(), []string{filepath.Join(dir, "absent"), filepath.Join(dir, "none"), filepath.Join(dir, "delta")})
	if n := len(ingesttest.InputErrors(err)); n != 3 {
		t.Errorf("%d faults of 3 at once: %v", n, err)
	}
}

func TestDiscoverLinks(t *testing.T) {
	dir := tree(t, "log/a.parquet")
	if err := os.Symlink(filepath.Join(dir, "log", "a.parquet"), filepath.Join(dir, "log", "b.parquet")); err != nil {
		t.Skip("this file system makes no symbolic links: ", err)
	}
	_, err := Discover(t.Context(), []string{filepath.Join(dir, "log")})
	_ = ingesttest.WantFault(t, err, fault.RuleDuplicate)
	if err = os.Remove(filepath.Join(dir, "log", "a.parquet")); err != nil {
		t.Fatal(err)
	}
	_, err = Discover(t.Context(), []string{filepath.Join(dir, "log")})
	_ = ingesttest.WantFault(t, err, fault.RuleNoInput)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
