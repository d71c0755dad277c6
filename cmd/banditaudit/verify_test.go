package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/banditaudit/bundle"
	"banditaudit/cmd/kit"
	"banditaudit/schemas"
)

// keptLogs are the protocols and logs of testdata.
func keptLogs(t *testing.T) map[string][2]string {
	t.Helper()
	home := filepath.Join(root, "testdata", "homepage")
	out := map[string][2]string{"homepage": {filepath.Join(home, "protocol.yaml"), filepath.Join(home, "log")}}
	logs, err := filepath.Glob(filepath.Join(root, "testdata", "clients", "logs", "*.parquet"))
	if err != nil || len(logs) < 20 {
		t.Fatalf("%d logs: %v", len(logs), err)
	}
	for _, log := range logs {
		name := strings.TrimSuffix(filepath.Base(log), ".parquet")
		out[name] = [2]string{filepath.Join(root, "testdata", "clients", "cases", name+".yaml"), log}
	}
	return out
}

// bundled audits a log and returns the bundle.
func bundled(t *testing.T, protocol, log string, more ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if code, _, stderr := run(t, append([]string{"audit", "-q", "-p", protocol, "-o", dir, log, "--fail-on", "never"}, more...)...); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	return dir
}

// seededLog simulates a short log of a policy that draws, with its seed.
func seededLog(t *testing.T) (protocol, log string) {
	t.Helper()
	sim := simulated(t, "--policy", "ucb", "--counter", "exact", "--set", "ties=seeded", "--means", "0.5,0.4", "--rounds", "200", "--seed", "12")
	return filepath.Join(sim, "protocol.yaml"), filepath.Join(sim, "log")
}

// seededBundle audits such a log.
func seededBundle(t *testing.T, more ...string) (dir, protocol, log string) {
	t.Helper()
	protocol, log = seededLog(t)
	return bundled(t, protocol, log, more...), protocol, log
}

// named asserts that a bundle names one file, with what happened to it.
func named(t *testing.T, dir, name, what string) {
	t.Helper()
	b, err := bundle.Open(known().Format(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range b.Changes() {
		// A digest that was changed in the list is that of its file, or of the list.
		if c.What == what && (c.Name == name || strings.HasSuffix(c.Why, "line of "+name+" was")) {
			return
		}
	}
	t.Errorf("%s %s: named are %v", name, what, b.Changes())
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Every file of the bundles of a third of the kept logs: changed and taken away; of two also
// cut, longer, swapped with that of another run, and one added beside it. Each is named.
func TestVerifyNamesEveryFile(t *testing.T) {
	other, _, _ := seededBundle(t)
	tried := 0
	kept := keptLogs(t)
	for i, name := range slices.Sorted(maps.Keys(kept)) {
		whole := name == "homepage" || name == "vw_squarecb"
		if !whole && (testing.Short() || i%3 != 0) {
			continue
		}
		dir := bundled(t, kept[name][0], kept[name][1])
		for file, was := range contents(t, dir) {
			path := filepath.Join(dir, file)
			changes := [][]byte{append(slices.Clone(was), 'x')}
			if len(was) > 0 {
				changes = append(changes, slices.Clone(was), was[:len(was)-1])
				changes[1][len(was)/2] ^= 1
			}
			if foreign, err := os.ReadFile(filepath.Join(other, file)); err == nil && !bytes.Equal(foreign, was) {
				changes = append(changes, foreign)
			}
			if !whole {
				changes = changes[min(1, len(was)):][:1] // another bit, or longer where there is none
			}
			for _, text := range changes {
				write(t, path, text)
				named(t, dir, file, attest.Changed)
				tried++
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			named(t, dir, file, attest.Missing)
			write(t, path, was)
			if !whole {
				continue
			}
			write(t, path+".more", nil)
			named(t, dir, file+".more", attest.Added)
			if err := os.Remove(path + ".more"); err != nil {
				t.Fatal(err)
			}
		}
		if code, stdout, stderr := run(t, "verify", dir); code != 0 {
			t.Errorf("%s put back: exit %d\n%s%s", name, code, stdout, stderr)
		}
	}
	if tried < 100 {
		t.Errorf("only %d changes tried", tried)
	}
}

// What is no file of a bundle is named too.
func TestVerifyNamesWhatIsNoFile(t *testing.T) {
	dir, _, _ := seededBundle(t)
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	named(t, dir, "empty", attest.Added)
	if err := os.Symlink("report.md", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	named(t, dir, "link", attest.Added)
	// A name that holds a line of the list would make the list that of two files.
	list := filepath.Join(dir, kit.ChecksumsFile)
	for _, name := range []string{"x\n" + strings.Repeat("0", 64) + "  report.md", `back\slash`, "a\xff", "dir\x01"} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			continue // this file system has no such names
		}
		named(t, dir, name, attest.Added)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		write(t, path, nil)
		named(t, dir, name, attest.Added)
		if code, stdout, stderr := run(t, "verify", dir); code != kit.ExitExceptions {
			t.Errorf("%q: exit %d\n%s%s", name, code, stdout, stderr)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Remove(list), os.Mkdir(list, 0o700), os.Mkdir(bundle.EnvelopeOf(dir), 0o700)); err != nil {
		t.Fatal(err)
	}
	named(t, dir, kit.ChecksumsFile, attest.Changed)
	if code, stdout, stderr := run(t, "verify", dir); code != kit.ExitExceptions || !strings.Contains(stdout, "signatures: "+bundle.EnvelopeOf(dir)+" is no regular file") {
		t.Errorf("directories for files: exit %d\n%s%s", code, stdout, stderr)
	}
	for _, place := range []string{"nowhere", ".", filepath.Join(dir, "report.md")} {
		if code, _, stderr := run(t, "verify", place); code != kit.ExitInput {
			t.Errorf("%s: exit %d\n%s", place, code, stderr)
		}
	}
}

// rewritten changes a file of a bundle and makes its list of checksums fit.
func rewritten(t *testing.T, dir, file, old, text string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil || !strings.Contains(string(b), old) {
		t.Fatalf("%v: %s has no %q", err, file, old)
	}
	write(t, filepath.Join(dir, file), []byte(strings.Replace(string(b), old, text, 1)))
	found, _, err := bundle.FilesOf(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, kit.ChecksumsFile), attest.Checksums(found))
}

// An audit is made again: equal, different with the place, or NOT RUN with the reason.
func TestVerifyAgain(t *testing.T) {
	dir, protocol, log := seededBundle(t, "--openlineage")
	const part = "part-00000.parquet"
	text, err := os.ReadFile(filepath.Join(log, part))
	if err != nil {
		t.Fatal(err)
	}
	wrong, more, none := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(wrong, part), append(slices.Clone(text), 'x'))
	write(t, filepath.Join(more, part), text)
	write(t, filepath.Join(more, "more.parquet"), text)
	write(t, filepath.Join(none, "other.parquet"), text)
	other := map[string]string{"linux": "windows"}[runtime.GOOS]
	if other == "" {
		other = "linux"
	}
	for _, tc := range []struct {
		name            string
		file, old, text string
		code            int
		says            string
		args            []string
	}{
		{"equal", "", "", "", 0, "byte for byte the same", []string{"-p", protocol, log}},
		{"without the seed", "", "", "", kit.ExitIncomplete, "give -p with the protocol that names the seed", []string{log}},
		{"another log", "", "", "", kit.ExitExceptions, "the log differs at part-00000.parquet", []string{"-p", protocol, wrong}},
		{"a log without its file", "", "", "", kit.ExitExceptions, "the log differs at part-00000.parquet: the bundle has SHA-256", []string{"-p", protocol, none}},
		{"more of a log", "", "", "", kit.ExitExceptions, "the log differs at more.parquet: the bundle has that content under the name part-00000.parquet", []string{"-p", protocol, more}},
		{"a number", "results.json", `"pulls": 133`, `"pulls": 134`, kit.ExitExceptions, "results.json differs at /experiments/0/arms/0/pulls: the bundle has 134, made again it has 133", []string{"-p", protocol, log}},
		{"a figure", "figures/arms.svg", "<svg", "<SVG", kit.ExitExceptions, "figures/arms.svg differs at line", []string{"-p", protocol, log}},
		{"another version", "results.json", `"version": "` + kit.Version + `"`, `"version": "9.9.9"`, kit.ExitIncomplete, "only the same version promises", []string{"-p", protocol, log}},
		{"another version in run.json alone", "run.json", `"version": "` + kit.Version + `"`, `"version": "9.9.9"`, 0, "byte for byte the same", []string{"-p", protocol, log}},
		{"another system", "run.json", `"os": "` + runtime.GOOS + `"`, `"os": "` + other + `"`, kit.ExitIncomplete, "only the same platform promises", []string{"-p", protocol, log}},
		{"another system and log", "run.json", `"os": "` + runtime.GOOS + `"`, `"os": "` + other + `"`, kit.ExitExceptions, "the log differs at part-00000.parquet", []string{"-p", protocol, wrong}},
		{"no system", "run.json", `"os": "` + runtime.GOOS + `"`, `"os": ""`, kit.ExitIncomplete, "run.json does not name the platform", []string{"-p", protocol, log}},
		{"another log without the seed", "", "", "", kit.ExitExceptions, "the log differs at part-00000.parquet", []string{wrong}},
		{"results that break off", "results.json", `"experiments": [`, `"experiments": `, kit.ExitExceptions, "results.json: changed, it cannot be read", nil},
		{"an experiment of another form", "results.json", `"rounds": `, `"turns": `, kit.ExitExceptions, "results.json: changed, it cannot be read", []string{"-p", protocol, log}},
		{"another protocol in the results", "results.json", `"alpha": 0.05`, `"alpha": 0.06`, kit.ExitExceptions, "the protocol of results.json, which has 0.06 at /analysis/alpha, where it has 0.05", nil},
		{"a protocol that is none", kit.EffectiveFile, "version: 1", "version: [", kit.ExitExceptions, kit.EffectiveFile + ": changed, it cannot be read", []string{log}},
		{"a manifest that is none", "manifest.json", `"inputs"`, `"in"`, kit.ExitExceptions, "manifest.json: changed, it cannot be read", nil},
		{"a manifest of another log", "manifest.json", `"uri": "part`, `"uri": "other`, kit.ExitExceptions, "manifest.json: changed, its inputs are not those", nil},
	} {
		if tc.file != "" {
			rewritten(t, dir, tc.file, tc.old, tc.text)
		}
		code, stdout, stderr := run(t, append([]string{"verify", dir}, tc.args...)...)
		if code != tc.code || !strings.Contains(stdout, tc.says) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", tc.name, code, tc.code, tc.says, stdout, stderr)
		}
		if tc.file != "" {
			rewritten(t, dir, tc.file, tc.text, tc.old)
		}
	}
	kept := keptLogs(t)["mabwiser_ucb1"] // whose policy has no seed: the bundle is enough
	if code, stdout, _ := run(t, "verify", "-j", "3", bundled(t, kept[0], kept[1]), kept[1]); code != 0 || !strings.Contains(stdout, "byte for byte the same") {
		t.Errorf("by the protocol in the bundle: exit %d\n%s", code, stdout)
	}
	write(t, filepath.Join(dir, "report.md"), []byte("x"))
	for _, args := range [][]string{{log}, {"-p", "nowhere.yaml", log}, {"-p", protocol, "nowhere"}} { // before 3, 2 and 4
		if code, stdout, _ := run(t, append([]string{"verify", dir}, args...)...); code != kit.ExitExceptions || !strings.Contains(stdout, "recomputation: NOT RUN: ") || strings.Contains(stdout, "byte for byte") {
			t.Errorf("a changed file beside what is NOT RUN: exit %d\n%s", code, stdout)
		}
	}
	var v bundle.Verification
	if _, stdout, _ := run(t, "verify", "--json", dir); json.Unmarshal([]byte(stdout), &v) != nil || v.Schema != "verify.v1" || len(v.Changes) != 1 || v.Changes[0].Name != "report.md" {
		t.Errorf("%+v", v)
	}
}

// No program of a protocol that lies in the bundle is run, and a bundle that was made
// without its program is made again without.
func TestVerifyRunsNoProgramOfTheBundle(t *testing.T) {
	_, log := seededLog(t)
	home := t.TempDir()
	mark := filepath.Join(home, "mark")
	write(t, filepath.Join(home, "p.sh"), []byte("#!/bin/sh\ntouch '"+mark+"'\n"))
	const head = "version: 1\nexperiment: {id: x, stopping: fixed}\nlog: {order: [round], action: action, reward: reward}\narms: [arm-1, arm-2]\nreward: {range: [0, 1]}\n"
	policy := "policy: {exec: [/bin/sh, p.sh], gives: arm}\n"
	protocol, none := filepath.Join(home, "p.yaml"), filepath.Join(home, "none.yaml")
	write(t, protocol, []byte(head+policy))
	write(t, none, []byte(head))
	dir, forged := bundled(t, protocol, log), bundled(t, none, log)
	write(t, filepath.Join(forged, "p.sh"), []byte("#!/bin/sh\ntouch '"+mark+"'\n"))
	rewritten(t, forged, kit.EffectiveFile, "arms:", policy+"arms:")
	for _, tc := range []struct {
		says string
		code int
		args []string
	}{
		{"NOT RUN: the policy is a program", kit.ExitIncomplete, []string{"--allow-exec", dir, log}},
		{"NOT RUN: the policy is a program", kit.ExitIncomplete, []string{"--allow-exec", "-p", filepath.Join(dir, kit.EffectiveFile), dir, log}},
		{"byte for byte the same; the program was not run, as in the bundle", 0, []string{"--allow-exec", "-p", protocol, dir, log}},
		{"NOT RUN: the policy is a program", kit.ExitExceptions, []string{"--allow-exec", forged, log}},
	} {
		if code, stdout, stderr := run(t, append([]string{"verify"}, tc.args...)...); code != tc.code || !strings.Contains(stdout, tc.says) {
			t.Errorf("%v: exit %d, want %d and %q\n%s%s", tc.args, code, tc.code, tc.says, stdout, stderr)
		}
		if _, err := os.Stat(mark); err == nil {
			t.Fatalf("%v: the program was run", tc.args)
		}
	}
	for _, digest := range []bool{false, true} {
		if digest {
			write(t, protocol, []byte(head+strings.Replace(policy, "gives", "sha256: {p.sh: "+bundle.Sum([]byte(readFile(t, filepath.Join(home, "p.sh"))))+"}, gives", 1)))
		}
		code, _, stderr := run(t, "commit", "--force", "-p", protocol, "--key", filepath.Join(signers(t, "a"), "a"), "-o", filepath.Join(home, "c"))
		if code != 0 || strings.Contains(stderr, "policy.sha256: {p.sh: ") == digest || !strings.Contains(stderr, "how many rounds there are") {
			t.Errorf("exit %d\n%s", code, stderr)
		}
	}
}

// signers draws keys.
func signers(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if code, stdout, stderr := run(t, "keygen", "-o", filepath.Join(dir, name)); code != 0 || strings.Contains(stdout+stderr, "PRIVATE") {
			t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
		}
	}
	return dir
}

// Keys have their modes, and a key that is none, or that others can read, is refused.
func TestKeyFiles(t *testing.T) {
	dir := signers(t, "k")
	made, protocol, _ := seededBundle(t)
	key := filepath.Join(dir, "k")
	for name, want := range map[string]os.FileMode{"k": 0o600, "k.pub": 0o644} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if code, _, _ := run(t, "keygen", "-o", key); code != kit.ExitUsage {
		t.Errorf("a key was replaced: exit %d", code)
	}
	if err := os.Symlink("k", filepath.Join(dir, "link")); err == nil {
		code, _, stderr := run(t, "keygen", "--force", "-o", filepath.Join(dir, "link"))
		if to, err := os.Readlink(filepath.Join(dir, "link")); code != 0 || to != "k" || readFile(t, filepath.Join(dir, "link")) != readFile(t, key) {
			t.Errorf("through a link: exit %d, %q, %v\n%s", code, to, err, stderr)
		}
	}
	write(t, filepath.Join(dir, "none"), []byte("text"))
	for _, tc := range []struct {
		mode os.FileMode
		code int
	}{{0o600, 0}, {0o400, 0}, {0o640, kit.ExitUsage}, {0o604, kit.ExitUsage}, {0o700, kit.ExitUsage}, {0o500, kit.ExitUsage}} {
		if err := os.Chmod(key, tc.mode); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := run(t, "sign", "--key", key, made); runtime.GOOS != "windows" && (code != tc.code || strings.Contains(stderr, "lets others") != (tc.mode&0o077 != 0)) {
			t.Errorf("mode %o: exit %d, want %d\n%s", tc.mode, code, tc.code, stderr)
		}
	}
	if err := os.Chmod(key, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"sign", made},
		{"sign", "--key", key + ".pub", made},
		{"sign", "--key", filepath.Join(dir, "none"), made},
		{"sign", "--key", filepath.Join(dir, "absent"), made},
		{"commit", "-p", protocol, "-o", filepath.Join(dir, "c"), "--key", key + ".pub"},
		{"verify", "--key", key, made},
		{"verify", "--key", dir, made},
		{"verify", "--threshold", "1", made},
		{"verify", "--threshold", "0", "--key", key + ".pub", made},
		{"audit", "-p", protocol, "-o", filepath.Join(dir, "o"), "--commitment-key", key + ".pub", "log"},
	} {
		if code, _, stderr := run(t, args...); code != kit.ExitUsage {
			t.Errorf("%v: exit %d\n%s", args, code, stderr)
		}
	}
}

// Who signed what: forged, by the wrong key, twice by one key, too few, and of another
// bundle.
func TestSignatures(t *testing.T) {
	keys := signers(t, "a", "b", "c")
	key := func(name string) string { return filepath.Join(keys, name) }
	dir, _, _ := seededBundle(t)
	kept := keptLogs(t)["vw_squarecb"]
	other := bundled(t, kept[0], kept[1])
	for _, args := range [][]string{{"a", dir}, {"b", dir}, {"a", dir}, {"a", other}} {
		if code, _, stderr := run(t, "sign", "--key", key(args[0]), args[1]); code != 0 {
			t.Fatalf("exit %d\n%s", code, stderr)
		}
	}
	good, err := os.ReadFile(bundle.EnvelopeOf(dir))
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(bundle.EnvelopeOf(other))
	if err != nil {
		t.Fatal(err)
	}
	e, err := attest.Decode(good)
	if err != nil || len(e.Signatures) != 2 {
		t.Fatalf("%+v, %v", e, err)
	}
	e.Signatures[0].KeyID, e.Signatures[1].KeyID = e.Signatures[1].KeyID, e.Signatures[0].KeyID
	slices.Reverse(e.Signatures)
	crossed, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	e.Signatures[0].KeyID, e.Signatures[1].KeyID = e.Signatures[1].KeyID, e.Signatures[0].KeyID
	slices.Reverse(e.Signatures)
	e.Signatures[0].Sig[0] ^= 1
	spoilt, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name     string
		envelope []byte
		args     []string
		code     int
	}{
		{"both", good, []string{"--key", "a", "--key", "b"}, 0},
		{"one", good, []string{"--key", "a"}, 0},
		{"one of two", good, []string{"--key", "a", "--key", "c", "--threshold", "1"}, 0},
		{"none given", good, nil, 0},
		{"a stranger", good, []string{"--key", "c"}, kit.ExitExceptions},
		{"too few", good, []string{"--key", "a", "--key", "b", "--key", "c"}, kit.ExitExceptions},
		{"a threshold above the keys", good, []string{"--key", "a", "--threshold", "2"}, kit.ExitExceptions},
		{"one key twice", good, []string{"--key", "a", "--key", "a"}, kit.ExitExceptions},
		{"of another bundle", foreign, []string{"--key", "a"}, kit.ExitExceptions},
		{"under the ids of each other", crossed, []string{"--key", "a", "--key", "b", "--threshold", "1"}, kit.ExitExceptions},
		{"one good of two", spoilt, []string{"--key", "a", "--key", "b", "--threshold", "1"}, kit.ExitExceptions},
		{"indented", []byte(strings.Replace(string(good), ",", ",\n ", 1)), []string{"--key", "a"}, kit.ExitExceptions},
		{"none there", nil, []string{"--key", "a"}, kit.ExitExceptions},
	} {
		if err := os.Remove(bundle.EnvelopeOf(dir)); err != nil {
			t.Fatal(err)
		}
		if tc.envelope != nil {
			write(t, bundle.EnvelopeOf(dir), tc.envelope)
		}
		args := []string{"verify", dir}
		for _, word := range tc.args {
			if len(word) == 1 && word >= "a" {
				word = key(word + ".pub")
			}
			args = append(args, word)
		}
		if code, stdout, stderr := run(t, args...); code != tc.code {
			t.Errorf("%s: exit %d, want %d\n%s%s", tc.name, code, tc.code, stdout, stderr)
		}
	}
	pythonAccepts(t, good, key("a.pub"), key("b.pub"))
	write(t, bundle.EnvelopeOf(dir), good)
	t.Chdir(dir)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir
	}
	for _, place := range []string{".", filepath.Join("tables", ".."), link, link + string(filepath.Separator)} {
		if code, stdout, stderr := run(t, "verify", "--key", key("a.pub"), place); code != 0 {
			t.Errorf("from inside: exit %d\n%s%s", code, stdout, stderr)
		}
	}
	write(t, bundle.EnvelopeOf(dir), foreign)
	if code, _, stderr := run(t, "sign", "--key", key("a"), dir); code != kit.ExitExceptions {
		t.Errorf("beside an envelope of another bundle: exit %d\n%s", code, stderr)
	}
	if code, _, stderr := run(t, "sign", "--force", "--key", key("a"), dir); code != 0 {
		t.Errorf("in its place: exit %d\n%s", code, stderr)
	}
	write(t, filepath.Join(dir, "report.md"), []byte("x"))
	if code, _, stderr := run(t, "sign", "--key", key("b"), dir); code != kit.ExitExceptions {
		t.Errorf("a changed bundle was signed: exit %d\n%s", code, stderr)
	}
}

// A run that replaces a bundle says of an envelope beside it that it fits no more, and a
// commitment to another protocol is not replaced.
func TestStaleEnvelopes(t *testing.T) {
	keys := signers(t, "a")
	key := filepath.Join(keys, "a")
	dir, protocol, log := seededBundle(t)
	if code, _, stderr := run(t, "sign", "-q", "--key", key, dir); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	changed := filepath.Join(filepath.Dir(protocol), "changed.yaml")
	write(t, changed, []byte(strings.Replace(readFile(t, protocol), "alpha: 0.05", "alpha: 0.1", 1)))
	file := committed(t, protocol, keys, "a")
	for p, stale := range map[string]bool{protocol: false, changed: true} {
		code, _, stderr := run(t, "audit", "-q", "--force", "--fail-on", "never", "-p", p, "-o", dir, log)
		if code != 0 || strings.Contains(stderr, "does not fit the bundle") != stale {
			t.Errorf("%s: exit %d\n%s", p, code, stderr)
		}
		if code, _, stderr = run(t, "commit", "-p", p, "--key", key, "-o", file); code != map[bool]int{true: kit.ExitUsage}[stale] {
			t.Errorf("%s: exit %d\n%s", p, code, stderr)
		}
	}
}

// pythonAccepts asks securesystemslib, where python3 has it.
func pythonAccepts(t *testing.T, envelope []byte, keys ...string) {
	t.Helper()
	if exec.Command("python3", "-c", "import securesystemslib.dsse, in_toto_attestation").Run() != nil {
		t.Log("python3 has no securesystemslib: the kept output of testdata/reference/dsse.py stands for it")
		return
	}
	path := filepath.Join(t.TempDir(), "envelope")
	write(t, path, envelope)
	args := append([]string{filepath.Join(root, "testdata", "reference", "dsse.py"), path, strconv.Itoa(len(keys))}, keys...)
	if out, err := exec.Command("python3", args...).CombinedOutput(); err != nil {
		t.Errorf("securesystemslib: %v\n%s", err, out)
	}
}

// committed commits to a protocol.
func committed(t *testing.T, protocol, keys, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".dsse.json")
	if code, _, stderr := run(t, "commit", "-p", protocol, "--key", filepath.Join(keys, name), "-o", file); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	return file
}

// An audit under a commitment: verdicts, the first key that differs, and the bundle made
// again.
func TestCommitment(t *testing.T) {
	keys := signers(t, "a", "b")
	protocol, log := seededLog(t)
	file := committed(t, protocol, keys, "a")
	seed := strings.TrimSpace(readFile(t, filepath.Join(filepath.Dir(protocol), "seed.hex")))
	if c, err := bundle.ReadCommitment(file, ""); err != nil || len(seed) != 64 || strings.Contains(string(c.Protocol), seed) {
		t.Errorf("a seed of %d digits is in the commitment, or %v", len(seed), err)
	}
	changed := filepath.Join(t.TempDir(), "changed.yaml")
	text, err := os.ReadFile(protocol)
	if err != nil {
		t.Fatal(err)
	}
	write(t, changed, []byte(strings.NewReplacer("alpha: 0.05", "alpha: 0.1", "seed.hex", filepath.Join(filepath.Dir(protocol), "seed.hex")).Replace(string(text))))
	respelled, unseeded := filepath.Join(t.TempDir(), "respelled.yaml"), filepath.Join(t.TempDir(), "unseeded.yaml")
	own, seedLine := filepath.Join(filepath.Dir(protocol), "seed.hex"), regexp.MustCompile(`(?m)^ *seed: .*\n`)
	write(t, respelled, []byte(strings.NewReplacer("ties: seeded\n", "ties: seeded\n  near_ties: 1/1099511627776\n", "seed.hex", own).Replace(string(text))))
	write(t, unseeded, seedLine.ReplaceAll(text, nil))
	for _, tc := range []struct {
		name, protocol, key, verdict, says string
		code                               int
	}{
		{"spelled otherwise", respelled, "a.pub", "VERIFIED", "", 0},
		{"without the seed", unseeded, "a.pub", "VIOLATED", "/policy/seed of the protocol: committed to was an object, audited was nothing", kit.ExitExceptions},
		{"as committed", protocol, "a.pub", "VERIFIED", "", 0},
		{"by another key", protocol, "b.pub", "VIOLATED", "no good signature", kit.ExitExceptions},
		{"no key", protocol, "", "NOT ESTABLISHED", "--commitment-key", 0},
		{"another level", changed, "a.pub", "VIOLATED", "/analysis/alpha of the protocol: committed to was 0.05, audited was 0.1", kit.ExitExceptions},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		args := []string{"audit", "-q", "-p", tc.protocol, "-o", dir, log, "--fail-on", "violated", "--commitment", file}
		if tc.key != "" {
			args = append(args, "--commitment-key", filepath.Join(keys, tc.key))
		}
		code, _, stderr := run(t, args...)
		if code != tc.code {
			t.Fatalf("%s: exit %d, want %d\n%s", tc.name, code, tc.code, stderr)
		}
		r := readResults(t, filepath.Join(dir, kit.ResultsFile))
		i := slices.IndexFunc(r.Claims, func(f schemas.Finding) bool { return f.Kind == "protocol.committed" })
		if i < 0 || string(r.Claims[i].Verdict) != tc.verdict || !strings.Contains(r.Claims[i].Reason, tc.says) {
			t.Errorf("%s: %+v", tc.name, r.Claims)
		}
		if code, stdout, stderr := run(t, "verify", "-p", tc.protocol, dir, log); code != 0 {
			t.Errorf("%s made again: exit %d\n%s%s", tc.name, code, stdout, stderr)
		}
		for key, want := range map[string]int{"a.pub": map[bool]int{true: kit.ExitExceptions}[tc.protocol == changed || tc.protocol == unseeded], "b.pub": kit.ExitExceptions} {
			if code, stdout, _ := run(t, "verify", "--commitment-key", filepath.Join(keys, key), dir); code != want {
				t.Errorf("%s by %s: exit %d, want %d\n%s", tc.name, key, code, want, stdout)
			}
		}
	}
	work := t.TempDir()
	if code, _, _ := run(t, "audit", "-p", protocol, "-o", filepath.Join(work, "out"), log, "--commitment", protocol); code != kit.ExitInput || names(t, work) != "out.failed.json" {
		t.Errorf("what is no commitment: exit %d, left is %s", code, names(t, work))
	}
	made := bundled(t, protocol, log, "--commitment", file)
	if code, stdout, _ := run(t, "verify", made); code != 0 || !strings.Contains(stdout, "protocol.committed is NOT ESTABLISHED\nthe verification: NO EXCEPTIONS NOTED\n") {
		t.Errorf("exit %d\n%s", code, stdout)
	}
	rewritten(t, made, kit.CommitmentFile, "{", " {")
	if code, stdout, _ := run(t, "verify", made); code != kit.ExitExceptions || !strings.Contains(stdout, kit.CommitmentFile+": changed, it is not the one") {
		t.Errorf("exit %d\n%s", code, stdout)
	}
	made = bundled(t, protocol, log)
	if code, _, _ := run(t, "verify", "--commitment-key", filepath.Join(keys, "a.pub"), made); code != kit.ExitExceptions {
		t.Errorf("without a commitment: exit %d", code)
	}
}

// Every protocol of testdata is itself after it was committed to.
func TestCommittedProtocolsReadBack(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join(root, "testdata", "clients", "cases", "*.yaml"))
	if err != nil || len(cases) < 30 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	format := known().Format()
	for _, path := range append(cases, keptLogs(t)["homepage"][0]) {
		doc, err := format.LoadProtocol(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := doc.EffectiveYAML()
		if err != nil {
			t.Fatal(err)
		}
		// A version that had no such key, and one that has keys that this one has not.
		older := strings.Replace(string(text), "  multiplicity: holm\n", "", 1)
		for protocol, same := range map[string]bool{string(text): true, older: true, string(text) + "zz: 1\n": false} {
			got, err := (&bundle.Commitment{Protocol: []byte(protocol), Envelope: &attest.Envelope{}}).Judge(format, doc)
			if err != nil || (got.Differs == nil) != same {
				t.Errorf("%s: %+v, %v", path, got.Differs, err)
			}
		}
	}
}

// Of 500 changed bits of a bundle, its envelope and its commitment none passes.
func TestChangedBits(t *testing.T) {
	keys := signers(t, "a")
	protocol, log := seededLog(t)
	file := committed(t, protocol, keys, "a")
	dir := bundled(t, protocol, log, "--commitment", file, "--commitment-key", filepath.Join(keys, "a.pub"))
	if code, _, stderr := run(t, "sign", "--key", filepath.Join(keys, "a"), dir); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	trusted, err := bundle.PublicKeys([]string{filepath.Join(keys, "a.pub")})
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Process: &kit.Process{}, catalogue: known()}
	doc, err := p.catalogue.Format().LoadProtocol(protocol)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(known().Format(), dir)
	if err != nil {
		t.Fatal(err)
	}
	b.Read(1 << 30)
	// passes reports whether a changed file is taken for what it was.
	passes := func(path string) bool {
		switch path {
		case file:
			c, err := bundle.ReadCommitment(file, filepath.Join(keys, "a.pub"))
			if err != nil {
				return false
			}
			got, err := c.Judge(p.catalogue.Format(), doc)
			return err == nil && got.Signed && got.Differs == nil
		case bundle.EnvelopeOf(dir):
			got, err := b.Signed(trusted, 1)
			return err == nil && got.Fault == ""
		}
		now, err := bundle.Open(known().Format(), dir)
		return err == nil && len(now.Changes()) == 0
	}
	files := []string{bundle.EnvelopeOf(dir), file}
	for name, text := range contents(t, dir) {
		if len(text) > 0 {
			files = append(files, filepath.Join(dir, name))
		}
	}
	slices.Sort(files)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 500 {
		path := files[i%len(files)]
		was, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !passes(path) {
			t.Fatalf("%s does not pass as it is", path)
		}
		spoilt, bit := slices.Clone(was), random.IntN(8*len(was))
		spoilt[bit/8] ^= 1 << (bit % 8)
		write(t, path, spoilt)
		if passes(path) {
			t.Errorf("bit %d of %s can be changed", bit, path)
		}
		write(t, path, was)
	}
}

// Every key of a protocol that is kept as it is spelled is compared as a number.
func TestExactKeys(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(kind reflect.Type) {
		switch kind.Kind() { //nolint:exhaustive // the others hold no fields
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(kind.Elem())
		case reflect.Struct:
			if seen[kind] {
				return
			}
			seen[kind] = true
			for field := range kind.Fields() {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if field.Type == reflect.TypeFor[schemas.Rational]() && !slices.Contains(bundle.ExactKeys(), name) {
					t.Errorf("%s of %s is compared by its spelling", name, kind)
				}
				walk(field.Type)
			}
		}
	}
	walk(reflect.TypeFor[schemas.Protocol]())
	if len(seen) < 10 {
		t.Errorf("%d types seen", len(seen))
	}
}
