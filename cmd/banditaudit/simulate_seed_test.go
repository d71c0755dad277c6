package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/cmd/kit"
	"banditaudit/cmd/kit/kittest"
)

// seedProtocol writes a protocol with a seed into a directory that also has the
// files s.hex and a seed above it, and returns its name.
func seedProtocol(t *testing.T, dir, seed string) string {
	t.Helper()
	digits := []byte(strings.Repeat("ab", 32) + "\n")
	protocol := filepath.Join(dir, "p", "p.yaml")
	text := `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b]
reward: {range: [0, 1]}
policy: {name: uniform, seed: ` + seed + "}\n"
	if err := os.MkdirAll(filepath.Dir(protocol), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{protocol: []byte(text), filepath.Join(dir, "p", "s.hex"): digits, filepath.Join(dir, "esc.hex"): digits} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return protocol
}

// seedDigest is that of the seed of seedProtocol's files.
func seedDigest() string {
	sum := sha256.Sum256([]byte(strings.Repeat("\xab", 32)))
	return hex.EncodeToString(sum[:])
}

// TestSimulateSeedRefused: a seed that would replace what simulate writes, would
// not be found beside the protocol, or is not that of the log.
func TestSimulateSeedRefused(t *testing.T) {
	dir := t.TempDir()
	const other, elsewhere, inside = "where simulate writes something else", "names no file inside the output", "is not inside the output"
	for _, c := range []struct {
		seed, want string
		flags      []string
	}{
		{"{file: log/part-00000.parquet}", other, []string{"--seed", "3"}},
		{"{file: log/x.parquet}", other, []string{"--seed", "3"}},
		{"{file: log}", other, []string{"--seed", "3"}},
		{"{file: LOG/x}", other, []string{"--seed", "3"}},
		{"{file: protocol.yaml}", other, []string{"--seed", "3"}},
		{"{file: ./protocol.yaml}", other, []string{"--seed", "3"}},
		{"{file: truth.json}", other, []string{"--seed", "3"}},
		{"{file: truth.json/x}", other, []string{"--seed", "3"}},
		{"{file: x/../truth.json}", other, []string{"--seed", "3"}},
		{"{file: .}", elsewhere, []string{"--seed", "3"}},
		{"{file: ../esc.hex}", elsewhere, []string{"--seed", "3"}},
		{"{file: ../esc.hex}", elsewhere, nil},
		{"{file: " + filepath.Join(dir, "esc.hex") + "}", inside, []string{"--seed", "3"}},
		{`{file: "a\0b"}`, "a text with a zero byte", []string{"--seed", "3"}},
		{"{file: " + strings.Repeat("a", 256) + "}", "no name that a file can have", []string{"--seed", "3"}},
		{strings.Repeat("ab", 32), "--seed 3 is another seed", []string{"--seed", "3"}},
		{"{sha256: " + seedDigest() + "}", "has a digest and no seed", nil},
		{"{sha256: " + seedDigest() + "}", "has a digest and no seed", []string{"--seed", "3"}},
		{"{file: s.hex, sha256: " + seedDigest() + "}", "--seed 3 is another seed", []string{"--seed", "3"}},
	} {
		flags := append([]string{"-p", seedProtocol(t, dir, c.seed), "--means", "0.4,0.6", "--rounds", "20"}, c.flags...)
		refused(t, kit.ExitUsage, c.want, flags...)
	}
}

// refused runs simulate and expects an exit code, one line that says why, and
// that nothing is left in the directory.
func refused(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	work := t.TempDir()
	got, stdout, stderr := run(t, append([]string{"simulate", "-o", filepath.Join(work, "out")}, args...)...)
	if got != code || stdout != "" || !strings.Contains(stderr, want) {
		t.Errorf("%q: exit %d, want %d and %q\n%s", args, got, code, want, stderr)
	}
	kittest.Holds(t, work)
}

// TestSimulateSeedTaken: the log audits under every other seed, unedited.
func TestSimulateSeedTaken(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		seed, holds string
		flags       []string
	}{
		{"{file: s.hex}", "log protocol.yaml s.hex truth.json", nil},
		{"{file: ./s.hex, sha256: " + seedDigest() + "}", "log protocol.yaml s.hex truth.json", nil},
		{"{file: seeds/x/../n.hex}", "log protocol.yaml seeds truth.json", []string{"--seed", "3"}},
		{"{file: " + filepath.Join(dir, "esc.hex") + "}", "log protocol.yaml seed.hex truth.json", nil},
		{strings.Repeat("ab", 32), "log protocol.yaml seed.hex truth.json", nil},
	} {
		args := append([]string{"-p", seedProtocol(t, dir, c.seed), "--means", "0.4,0.6", "--rounds", "60"}, c.flags...)
		sim := simulated(t, args...)
		kittest.Holds(t, sim, strings.Fields(c.holds)...)
		verified(t, sim, args...)
	}
}

// TestSimulateSpareSeed: --force does not replace a directory that the seed is
// read from.
func TestSimulateSpareSeed(t *testing.T) {
	dir := t.TempDir()
	first := simulated(t, "--policy", "uniform", "--means", "0.4,0.6", "--rounds", "20")
	protocol := seedProtocol(t, dir, "{file: "+filepath.Join(first, "seed.hex")+"}")
	code, _, stderr := run(t, "simulate", "-q", "--force", "-p", protocol, "--means", "0.4,0.6", "--rounds", "20", "-o", first)
	if code != kit.ExitUsage || !strings.Contains(stderr, "holds the input") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
}

// TestSimulateLengthsAndDelays: a length may be a quotient, as in a protocol, and
// a delay of 0 is none.
func TestSimulateLengthsAndDelays(t *testing.T) {
	linear := []string{"--policy", "linucb", "--counter", "hybrid", "--epsilon", "2", "--means", "0.4,0.6", "--rounds", "50", "--context-dim", "2", "--context-l1", "1/3"}
	verified(t, simulated(t, linear...), linear...)
	refused(t, kit.ExitUsage, `--context-l1 is "inf"`, append(linear, "--context-l1", "inf")...)
	read := func(args ...string) string {
		dir := simulated(t, append([]string{"--policy", "uniform", "--means", "0.4,0.6", "--rounds", "50"}, args...)...)
		b, err := os.ReadFile(filepath.Join(dir, "truth.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	without := read()
	for _, delay := range []string{"0", "fixed:0"} {
		if got := read("--delay", delay); got != without {
			t.Errorf("--delay %s differs from none:\n%s", delay, got)
		}
	}
}
