package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

func TestIngestReadsEverything(t *testing.T) {
	dir := t.TempDir()
	rows := ingesttest.Events(50)
	ingesttest.WriteParquet(t, filepath.Join(dir, "log", "a.parquet"), rows[:20], parquet.MaxRowsPerRowGroup(7))
	ingesttest.WriteParquet(t, filepath.Join(dir, "log", "b.parquet"), rows[20:])
	p := protocol()
	tool := schemas.Tool{Name: "test", Version: "1"}
	got, m, err := ingestAll(t, p, Options{Tool: tool}, filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	want := contents{ID: "exp", X: make([][]float64, 3)}
	for i, r := range rows {
		want.Round, want.Arm = append(want.Round, int64(i+1)), append(want.Arm, int32(i%3))
		want.Reward, want.Propensity = append(want.Reward, *r.Reward), append(want.Propensity, r.P)
		want.X[0], want.X[1], want.X[2] = append(want.X[0], r.Age), append(want.X[1], float64(i%2)), append(want.X[2], 0)
	}
	if diff := cmp.Diff([]contents{want}, got); diff != "" {
		t.Error(diff)
	}
	for i := range m.Inputs {
		if len(m.Inputs[i].SHA256) != 64 || m.Inputs[i].Bytes == 0 {
			t.Errorf("input %d has no digest or size", i)
		}
		m.Inputs[i].SHA256, m.Inputs[i].Bytes = "", 0
	}
	wantManifest := &schemas.Manifest{
		Schema: schemas.ManifestSchema, Tool: tool, Rows: 50, Arms: []string{"a", "b", "c"},
		Inputs:  []schemas.Input{{URI: "a.parquet", Rows: 20}, {URI: "b.parquet", Rows: 30}},
		Reward:  schemas.RewardColumn{Type: "float", Range: [2]float64{0, 1}},
		Context: []string{"age", "land=FR", "land=IT"},
		Columns: []schemas.ColumnInfo{
			{Column: "round", Role: "order", Type: "INT64 (int64)"},
			{Column: "arm", Role: "action", Type: "BYTE_ARRAY (string)"},
			{Column: "reward", Role: "reward", Type: "DOUBLE"},
			{Column: "p", Role: "propensity", Type: "DOUBLE"},
			{Column: "age", Role: "context", Type: "DOUBLE"},
			{Column: "land", Role: "context", Type: "BYTE_ARRAY (string)"},
		},
		Experiments: []schemas.ManifestExperiment{{ID: "exp", Rows: 50, Counts: []schemas.ArmCount{}}},
		Counts:      []schemas.Exclusion{}, Missing: "error", Order: []string{"round"}, Protocol: m.Protocol, SHA256: m.SHA256,
	}
	wantManifest.Digest = m.Digest
	if diff := cmp.Diff(wantManifest, m); diff != "" {
		t.Error(diff)
	}
}

// The bytes written do not depend on the number of jobs, on the run, or on
// where the files lie.
func TestIngestSameBytes(t *testing.T) {
	rows := ingesttest.Events(20_000)
	var first []string
	for run, jobs := range []int{1, 8, 8} {
		dir := filepath.Join(t.TempDir(), "somewhere")
		ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), rows)
		src := sourcesOf(t, []string{dir})
		out := t.TempDir()
		if _, err := Ingest(t.Context(), protocol(), src, out, Options{Jobs: jobs}); err != nil {
			t.Fatal(err)
		}
		var wrote []string
		for _, name := range []string{tableaudir.RoundsFile, tableaudir.ManifestFile} {
			data := contentOf(t, filepath.Join(out, name))
			wrote = append(wrote, string(data))
		}
		if run == 0 {
			first = wrote
		} else if first[0] != wrote[0] || first[1] != wrote[1] {
			t.Errorf("run %d wrote other bytes", run)
		}
	}
	if strings.Contains(first[1], "somewhere") {
		t.Error("the manifest names a directory of this machine")
	}
}

func TestIngestProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	ingesttest.WriteParquet(t, path, ingesttest.Events(20_000))
	var done []int64
	o := Options{Progress: func(d, total int64) {
		if total != 60_000 { // hashed, and read twice
			t.Errorf("%d rows to read", total)
		}
		done = append(done, d)
	}}
	if _, _, err := ingestAll(t, protocol(), o, path); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{20000, 28192, 36384, 40000, 48192, 56384, 60000}, done); diff != "" {
		t.Error(diff)
	}
}

func TestIngestCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	rows := ingesttest.Events(30_000)
	rows[7], rows[29_000] = rows[29_000], rows[7] // so that they are sorted
	ingesttest.WriteParquet(t, path, rows)
	src := sourcesOf(t, []string{path})
	for _, jobs := range []int{1, 2} {
		for _, after := range []int64{0, 8192, 30_000, 38_192, 60_000, 70_000} {
			ctx, cancel := context.WithCancel(t.Context())
			if after == 0 {
				cancel()
			}
			dir := t.TempDir()
			_, err := Ingest(ctx, protocol(), src, dir, Options{Jobs: jobs, sortMemory: 64 << 10, Progress: func(done, _ int64) {
				if done >= after {
					cancel()
				}
			}})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled after %d rows: %v", after, err)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
				t.Errorf("cancelled after %d rows: %v is left, %v", after, entries, err)
			}
		}
	}
}

// An input that changes is noticed: while it is hashed, in both passes, while the
// rows are sorted, and after the last.
func TestIngestChangedInput(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"touched":  func(path string) error { return os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)) },
		"cut":      func(path string) error { return os.Truncate(path, 100) },
		"removed":  os.Remove,
		"replaced": func(path string) error { return os.Rename(path+".other", path) },
	} {
		for _, shuffled := range []bool{false, true} {
			for _, after := range []int64{8192, 28_192, 48_192, 60_000, 68_192, 80_000} {
				if after > 60_000 && !shuffled {
					continue // there is no third walk
				}
				t.Run(fmt.Sprintf("%s/%v/%d", name, shuffled, after), func(t *testing.T) {
					path := filepath.Join(t.TempDir(), "a.parquet")
					rows := ingesttest.Events(20_000)
					if shuffled {
						rows[0], rows[19_999] = rows[19_999], rows[0]
					}
					ingesttest.WriteParquet(t, path, rows)
					ingesttest.WriteParquet(t, path+".other", rows)
					done := false
					o := Options{sortMemory: 64 << 10, Progress: func(n, _ int64) {
						if n >= after && !done {
							done = true
							if err := change(path); err != nil {
								t.Error(err)
							}
						}
					}}
					_, _, err := ingestAll(t, protocol(), o, path)
					_ = ingesttest.WantFault(t, err, fault.RuleChanged)
				})
			}
		}
	}
}

func TestIngestEmpty(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	ingesttest.WriteParquet(t, path, []ingesttest.Event{})
	_ = refused(t, protocol(), fault.RuleEmpty, path)
	if _, err := Ingest(t.Context(), protocol(), nil, t.TempDir(), Options{}); err == nil {
		t.Error("no inputs were ingested")
	}
}

// An empty file among others is no fault.
func TestIngestEmptyFileAmongOthers(t *testing.T) {
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []ingesttest.Event{})
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), ingesttest.Events(3))
	got, _, err := ingestAll(t, protocol(), Options{}, dir)
	if err != nil || len(got[0].Arm) != 3 {
		t.Errorf("%v, %v", got, err)
	}
}

// Files of no rows by pyarrow, with a row group of none and without a row group
// (testdata/parquet/make.py), are no fault among others, first or last; alone
// they are an empty log.
func TestIngestEmptyFilesOfPyarrow(t *testing.T) {
	whole := filepath.Join(fixtures, "pyarrow-required-none.parquet")
	empty, none := filepath.Join(fixtures, "pyarrow-empty.parquet"), filepath.Join(fixtures, "pyarrow-nogroup.parquet")
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "action", Reward: "reward", Context: schemas.Context{List: "features"}},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	want, _ := taken(t, p, whole)
	got, m := taken(t, p, empty, whole, none)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(m.Inputs) != 3 || m.Inputs[0].URI != "pyarrow-empty.parquet" || m.Inputs[0].Rows != 0 || m.Inputs[1].Rows != 0 || m.Rows != 160 {
		t.Errorf("inputs %+v", m.Inputs)
	}
	_ = refused(t, p, fault.RuleEmpty, empty, none)
}

func TestIngestDamagedFiles(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "a.parquet")
	ingesttest.WriteParquet(t, whole, ingesttest.Events(500))
	data := contentOf(t, whole)
	for name, bytes := range map[string][]byte{
		"truncated":  data[:len(data)/2],
		"no footer":  data[:len(data)-1],
		"zero bytes": {},
		"text":       []byte("round,arm,reward\n1,a,0.5\n"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), ingesttest.Events(3))
			if err := os.WriteFile(filepath.Join(dir, "b.parquet"), bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			if e := refused(t, protocol(), fault.RuleUnreadable, dir); e.File != "b.parquet" {
				t.Errorf("the fault is in %q", e.File)
			}
		})
	}
}

// A page that is damaged is named, and the files after it are still checked.
func TestIngestDamagedPage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.parquet")
	ingesttest.WriteParquet(t, path, ingesttest.Events(500), parquet.MaxRowsPerRowGroup(100))
	bad := ingesttest.Events(5)
	bad[2].P = 2
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), bad)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	at := f.Metadata().RowGroups[3].Columns[4].MetaData.DataPageOffset // of age
	if _, err = file.WriteAt([]byte{0xFF, 0xFF, 0xFF}, at); err != nil {
		t.Fatal(err)
	}
	if err = file.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, err = ingestAll(t, protocol(), Options{}, dir)
	if e := ingesttest.WantFault(t, err, fault.RuleUnreadable); e.File != "a.parquet" || e.RowGroup != 3 || e.Column != "age" {
		t.Errorf("got %v", e)
	}
	if e := ingesttest.WantFault(t, err, fault.RulePropensity); e.File != "b.parquet" {
		t.Errorf("got %v", e)
	}
}

func TestIngestMemoryLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	rows := ingesttest.Events(30_000)
	ingesttest.WriteParquet(t, path, rows)
	if _, _, err := ingestAll(t, protocol(), Options{MaxMemory: 200 << 10}, path); !errors.Is(err, fault.ErrResource) {
		t.Errorf("200 KiB for everything: %v", err)
	}
	rows[0], rows[29_999] = rows[29_999], rows[0]
	ingesttest.WriteParquet(t, path, rows)
	_, _, err := ingestAll(t, protocol(), Options{MaxMemory: 2000 << 10}, path)
	if !errors.Is(err, fault.ErrResource) {
		t.Errorf("2000 KiB for a tableau: %v", err)
	}
	if !strings.Contains(err.Error(), fmt.Sprintf("of %d allowed", 1500<<10)) {
		t.Errorf("a quarter is left to the runtime: %v", err)
	}
	saidOnce(t, err)
}

// Whatever meets the limit says so once, with one mend.
func TestIngestMemoryLimitIsSaidOnce(t *testing.T) {
	rows := trials(1, 30_000)
	for i := range rows {
		rows[i].At = fmt.Sprintf("%0200d", len(rows)-i)
		rows[i].Exp = fmt.Sprintf("e%0100d", i)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	ingesttest.WriteParquet(t, path, rows)
	single := trialProtocol("at")
	single.Experiment = schemas.ExperimentSpec{ID: "exp"}
	for name, tc := range map[string]struct {
		p     *schemas.Protocol
		limit int64
		says  string
	}{
		"a page": {single, 200 << 10, "smaller row groups"},
		"labels": {trialProtocol("at"), 5 << 20, "fewer experiments at a time"},
	} {
		_, _, err := ingestAll(t, tc.p, Options{MaxMemory: tc.limit}, path)
		if !errors.Is(err, fault.ErrResource) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		saidOnce(t, err)
	}
	if _, _, err := ingestAll(t, single, Options{MaxMemory: 18 << 20}, path); err != nil {
		t.Errorf("texts that do not fit are sorted on disk: %v", err)
	}
}

func saidOnce(tb testing.TB, err error) {
	tb.Helper()
	for _, s := range []string{fault.ErrResource.Error(), "raise --max-memory", "ingest: "} {
		if n := strings.Count(err.Error(), s); n != 1 {
			tb.Errorf("%q is said %d times: %v", s, n, err)
		}
	}
}

func TestIngestProtocolItCannotCarry(t *testing.T) {
	for name, change := range map[string]func(p *schemas.Protocol){
		"reward_by_arm":  func(p *schemas.Protocol) { p.Log.RewardByArm = "x" },  // beside reward
		"context_by_arm": func(p *schemas.Protocol) { p.Log.ContextByArm = "x" }, // beside context
		"missing_reward": func(p *schemas.Protocol) { p.Log.MissingReward = "whatever" },
		"ties":           func(p *schemas.Protocol) { p.Log.Ties = "whatever" },
		"out_of_range":   func(p *schemas.Protocol) { p.Reward.OutOfRange = "whatever" },
		"range":          func(p *schemas.Protocol) { p.Reward.Range = []float64{1, 0} },
		"order":          func(p *schemas.Protocol) { p.Log.Order = nil },
		"action":         func(p *schemas.Protocol) { p.Log.Action = "" },
		"log.reward":     func(p *schemas.Protocol) { p.Log.Reward = "" },
		"baseline":       func(p *schemas.Protocol) { p.Log.Context.Columns[1].Baseline = new("ES") },
	} {
		p := protocol()
		change(p)
		if _, err := Ingest(t.Context(), p, nil, t.TempDir(), Options{}); !errors.Is(err, fault.ErrProtocol) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The output exists already: nothing of it is touched.
func TestIngestExistingOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	ingesttest.WriteParquet(t, path, ingesttest.Events(3))
	for _, name := range []string{tableaudir.RoundsFile, tableaudir.ManifestFile} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Ingest(t.Context(), protocol(), []files.Source{{Path: path, URI: "a.parquet"}}, dir, Options{}); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != "mine" {
			t.Errorf("%s is now %q, %v", name, data, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("beside %s there is %v, %v", name, entries, err)
		}
	}
}
