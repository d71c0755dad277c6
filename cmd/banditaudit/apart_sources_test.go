package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
	"banditaudit/ingest/files"
)

// parquetTree makes files that begin as Parquet does.
func parquetTree(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		kittest.Tree(t, filepath.Dir(path))
		if err := os.WriteFile(path, []byte("PAR1"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSourcesApart: an output neither holds a file of the log, however it was
// named, nor lies where the same arguments would find it again.
func TestSourcesApart(t *testing.T) {
	t.Chdir(t.TempDir())
	parquetTree(t, "sim/log/a.parquet", "sim/log/day=1/b.parquet", "sim/log/x/y/d.parquet", "far/c.parquet", "flat.parquet")
	kittest.Tree(t, "lists")
	for name, text := range map[string]string{"list.txt": "sim/log/a.parquet\n", "lists/up.txt": "../sim/log\n", "glob.txt": "s*m/log/*.parquet\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": "sim", "sim/log/far.parquet": "../../far/c.parquet"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		operand, out string
		refused      bool
	}{
		{"@list.txt", "sim", true},
		{"@list.txt", "link", true},
		{"@list.txt", "sim/log", true},
		{"@list.txt", "sim/log/out", false}, // the list does not find it
		{"@list.txt", "out", false},
		{"@lists/up.txt", "sim", true},
		{"@lists/up.txt", "sim/log/out", true},
		{"@lists/up.txt", "lists/out", false},
		{"@glob.txt", "sim", true},
		{"@glob.txt", "out", false},
		{"s*m/log/*.parquet", "sim", true},
		{"s*m/log/*.parquet", "link/log", true},
		{"s*m/log/*.parquet", "sim/log/out", false},
		{"s*m/log/*", "sim/log/out", true},
		{"s*m/log/*", "link/log/out", true},
		{"s*m/log/*/*.parquet", "sim/log/out", false},
		{"s*m/log/*/*/*.parquet", "sim/log/out", true},
		{"s*m/log", "sim/log/out", true},
		{"s*m/log", "sim/log/day=1/out", true},
		{"s*m/log", "sim/out", false},
		{"sim/log", "far", true}, // what a link in it leads to
		{"sim/log", "link/log/out", true},
		{"*.parquet", "out", false},
		{"*.parquet", ".", true},
		{"flat.parquet", "out", false},
	} {
		sources, err := files.Discover(t.Context(), []string{c.operand})
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range []string{c.out, c.out + "/", absolute(t, c.out)} {
			for how, s := range map[string]*settings{"-o": {Settings: &kit.Settings{Out: out}}, "--keep-tableau": {Settings: &kit.Settings{Out: "elsewhere"}, keepTableau: out}} {
				err := checkSourcesApart(t.Context(), s, sources)
				if (err != nil) != c.refused {
					t.Errorf("%s %s of %s: %v", how, out, c.operand, err)
				}
				if err != nil && kit.ExitCode(t.Context(), err) != kit.ExitUsage {
					t.Errorf("%s %s of %s: exit %d, want %d", how, out, c.operand, kit.ExitCode(t.Context(), err), kit.ExitUsage)
				}
			}
		}
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// TestForceSparesInputs runs commands that would replace what they read: exit
// 2, and every file is still there.
func TestForceSparesInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	code, _, stderr := run(t, "simulate", "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--world", "bernoulli", "--means", "0.4,0.6", "--rounds", "50", "-o", "sim")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	source, err := os.ReadFile("sim/protocol.yaml")
	if err != nil {
		t.Fatal(err)
	}
	outside := strings.ReplaceAll(string(source), "seed.hex", "sim/seed.hex")
	for name, text := range map[string]string{
		"p.yaml": outside, "list.txt": "sim/log/part-00000.parquet\n", "other/p.yaml": outside, "kept.failed.json": "notes",
	} {
		kittest.Tree(t, filepath.Dir(name))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := run(t, "ingest", "-q", "-p", "p.yaml", "-o", "tab", "sim/log"); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	before := everything(t)
	for _, args := range []string{
		"audit -p p.yaml -o sim @list.txt", "audit -p p.yaml -o sim s*m/log/*.parquet", "audit -p p.yaml -o sim/log/out s*m/log",
		"audit -p p.yaml -o out --keep-tableau sim @list.txt", "audit -p p.yaml -o kept sim/log", "audit -p p.yaml -o out --keep-tableau out.failed.json sim/log",
		"audit -p p.yaml -o list.txt @list.txt", "ingest -p p.yaml -o sim @list.txt", "ingest -p p.yaml -o sim/log s*m/log",
		"ingest -p p.yaml -o sim/seed.hex sim/log", "replay -p p.yaml -t tab -o tab", "replay -p p.yaml -t tab -o tab/out",
		"analyze -p p.yaml -t tab -o tab/results.json", "analyze -p p.yaml -t tab -o tab",
	} {
		code, _, stderr := run(t, append(strings.Fields(args), "--force")...)
		if code != kit.ExitUsage {
			t.Errorf("%s: exit %d, want %d\n%s", args, code, kit.ExitUsage, stderr)
		}
		if after := everything(t); after != before {
			t.Fatalf("%s: changed\n%s\nto\n%s", args, before, after)
		}
	}
}

// everything lists the working directory.
func everything(t *testing.T) string {
	t.Helper()
	var all []string
	err := filepath.Walk(".", func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}
