package ingest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// hostileLogs are two good logs of one file: one by parquet-go, whose pages
// carry checksums, with flat columns; one by pyarrow without them, with a list.
func hostileLogs(t *testing.T) map[string]struct {
	data     []byte
	protocol *schemas.Protocol
} {
	t.Helper()
	path := ingesttest.Log(t, ingesttest.Events(300))
	checked := contentOf(t, path)
	unchecked := contentOf(t, filepath.Join(fixtures, "pyarrow-required-none.parquet"))
	lists := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "e"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "action", Reward: "reward", Context: schemas.Context{List: "features"}},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	return map[string]struct {
		data     []byte
		protocol *schemas.Protocol
	}{"with checksums": {checked, protocol()}, "without": {unchecked, lists}}
}

// ingestBytes ingests a log of one file of the given bytes.
func ingestBytes(t *testing.T, p *schemas.Protocol, data []byte) (*schemas.Manifest, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.parquet")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, m, err := ingestAll(t, p, Options{MaxMemory: 64 << 20}, path)
	return m, err
}

// wantDamage wants an error about the one file, as exit code 4 has it.
func wantDamage(t *testing.T, what string, err error) {
	t.Helper()
	faults := ingesttest.InputErrors(err)
	if len(faults) == 0 {
		t.Errorf("%s: %v", what, err)
	}
	for _, f := range faults {
		if f.File != "log.parquet" && f.Rule != fault.RuleEmpty {
			t.Errorf("%s: the file of %v is %q", what, f, f.File)
		}
		if f.Rule == fault.RuleUnreadable && (f.Column == "") != (f.RowGroup < 0) {
			t.Errorf("%s: half a place: row group %d, column %q", what, f.RowGroup, f.Column)
		}
	}
}

// A log cut at any of 64 places is damaged.
func TestTruncatedLogs(t *testing.T) {
	for name, log := range hostileLogs(t) {
		for k := range 64 {
			_, err := ingestBytes(t, log.protocol, log.data[:k*len(log.data)/64])
			wantDamage(t, name, err)
			for _, f := range ingesttest.InputErrors(err) {
				if f.Rule != fault.RuleUnreadable && f.Rule != fault.RuleNoInput {
					t.Errorf("%s, %d of 64 parts: %v", name, k, f)
				}
			}
		}
	}
}

// A log of which one bit of 500 is another is refused, or reads as something
// with another digest: a bit of names of writers, statistics and columns that
// the protocol does not name, or a value without a checksum. Of the log with
// checksums 34 of 500 read, and every one becomes the tableau of the good one;
// of the other, whose values are plain, 468.
func TestFlippedLogs(t *testing.T) {
	for name, log := range hostileLogs(t) {
		t.Run(name, func(t *testing.T) {
			good, err := ingestBytes(t, log.protocol, log.data)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(7, 500))
			n, reads := 500, 0
			if testing.Short() {
				n = 60
			}
			for range n {
				bit := rng.IntN(8 * len(log.data))
				changed := append([]byte(nil), log.data...)
				changed[bit/8] ^= 1 << (bit % 8)
				m, err := ingestBytes(t, log.protocol, changed)
				if err != nil {
					wantDamage(t, name, err)
					continue
				}
				reads++
				if m.Inputs[0].SHA256 == good.Inputs[0].SHA256 {
					t.Errorf("bit %d reads with the digest of the good file", bit)
				}
				if name == "with checksums" && m.SHA256 != good.SHA256 {
					t.Errorf("bit %d is not noticed, and changes the tableau", bit)
				}
			}
			if reads == 0 || reads == n {
				t.Errorf("%d of %d read", reads, n)
			}
			t.Logf("%d of %d read", reads, n)
		})
	}
}

// An empty file, and a directory that has the name of a file.
func TestNoFiles(t *testing.T) {
	_, err := ingestBytes(t, protocol(), nil)
	wantDamage(t, "an empty file", err)
	dir := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, arg := range []string{dir, filepath.Dir(dir), filepath.Join(filepath.Dir(dir), "*.parquet")} {
		_, _, err := ingestAll(t, protocol(), Options{}, arg)
		if len(ingesttest.InputErrors(err)) == 0 {
			t.Errorf("%s: %v", filepath.Base(arg), err)
		}
	}
}
