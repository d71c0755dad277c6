package ingest

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/hashassign"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/role"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// keyedRow is a row of a user whose key is hashed.
type keyedRow[T any] struct {
	Round  int64   `parquet:"round"`
	Arm    string  `parquet:"arm"`
	Reward float64 `parquet:"reward"`
	User   T       `parquet:"user"`
}

func keyedRows[T any](from int, users ...T) []keyedRow[T] {
	rows := make([]keyedRow[T], len(users))
	for i, user := range users {
		rows[i] = keyedRow[T]{Round: int64(from + i), Arm: "a", User: user}
	}
	return rows
}

func hashedProtocol(hash, seed string) *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "e"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward", Unit: "user"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a", "b"},
		Draw: &schemas.Draw{Hash: hash, Seed: &seed, Unit: "user"},
	}
}

// Keys are hashed as texts: whole numbers in decimal, and texts beyond ASCII by their
// code units. Rows out of order take their positions along. The numbers are those of
// the platform's library (policies-in-the-wild.md, O2; testdata/reference/growthbook_hash.csv).
func TestPositions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hash, seed string
		write      func(path string)
		want       []int64
	}{
		{"growthbook-v2", "seed", func(path string) { ingesttest.WriteParquet(t, path, keyedRows(0, "b", "a", "b")) }, []int64{2696, 505, 2696}},
		{"growthbook-v1", "b", func(path string) { ingesttest.WriteParquet(t, path, keyedRows(0, "a")) }, []int64{946}},
	} {
		path := filepath.Join(t.TempDir(), "log.parquet")
		c.write(path)
		got, m := taken(t, hashedProtocol(c.hash, c.seed), path)
		if d := cmp.Diff(c.want, got[0].Position); d != "" || m.Hash != c.hash {
			t.Errorf("%s, %q: %s", c.hash, m.Hash, d)
		}
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), keyedRows[int64](10, 7, -7))
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), keyedRows[int64](2, 42))
	got, _ := taken(t, hashedProtocol("growthbook-v1", "experiment-1"), dir)
	if d := cmp.Diff([]int64{2, 351, 684}, got[0].Position); d != "" {
		t.Error(d)
	}
}

// The largest whole number of 64 bits without a sign is hashed as it is written.
func TestPositionOfUnsigned(t *testing.T) {
	t.Parallel()
	path := ingesttest.Log(t, keyedRows[uint64](0, math.MaxUint64))
	got, _ := taken(t, hashedProtocol("growthbook-v2", "s"), path)
	h, _ := hashassign.Named("growthbook-v2")
	if want := h.Position("s", "18446744073709551615"); got[0].Position[0] != want {
		t.Errorf("%d, want %d", got[0].Position[0], want)
	}
}

// A key that is no text and no whole number is not hashed; a null is one fault.
func TestNoPosition(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write func(path string)
		rule  string
		says  string
	}{
		"boolean": {func(path string) { ingesttest.WriteParquet(t, path, keyedRows(0, true)) }, fault.RuleType, "the key of a unit that is hashed is a text or a whole number"},
		"bytes":   {func(path string) { ingesttest.WriteParquet(t, path, keyedRows(0, []byte("a"), []byte("\xff\xfe"))) }, fault.RuleNotText, "a unit that is no text in UTF-8, of which no hash is known (policy.draw.hash)"},
		"null":    {func(path string) { ingesttest.WriteParquet(t, path, keyedRows(0, new("a"), nil)) }, fault.RuleNull, "a null in the unit column"},
	} {
		path := filepath.Join(t.TempDir(), "log.parquet")
		c.write(path)
		_, _, err := ingestAll(t, hashedProtocol("growthbook-v1", "s"), Options{}, path)
		if e := ingesttest.WantFault(t, err, c.rule); !strings.Contains(err.Error(), c.says) || e.Column != "user" || e.Count > 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The words of policy.draw.hash are the hashes that there are.
func TestHashesAreWords(t *testing.T) {
	t.Parallel()
	var names []string
	for _, h := range hashassign.Hashes() {
		names = append(names, h.Name)
	}
	want := "words=" + strings.Join(names, "|")
	for _, of := range []reflect.Type{reflect.TypeFor[schemas.Draw](), reflect.TypeFor[schemas.Manifest](), reflect.TypeFor[schemas.Hashed]()} {
		if f, _ := of.FieldByName("Hash"); f.Tag.Get("schema") != want {
			t.Errorf("%s: %s, want %s", of, f.Tag.Get("schema"), want)
		}
	}
}

// A tableau has the positions of one hash, and not those of another.
func TestPositionsAsDeclared(t *testing.T) {
	t.Parallel()
	path, p := filepath.Join(t.TempDir(), "log.parquet"), hashedProtocol("growthbook-v1", "s")
	ingesttest.WriteParquet(t, path, keyedRows(0, "a", "b"))
	m, err := Ingest(t.Context(), p, []files.Source{{Path: path, URI: "log.parquet"}}, t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err = tableaudir.Declared(p, m, role.All()); err != nil {
		t.Error(err)
	}
	other, none := hashedProtocol("growthbook-v2", "s"), hashedProtocol("growthbook-v1", "s")
	none.Draw = nil
	for _, q := range []*schemas.Protocol{other, none} {
		_ = ingesttest.WantFault(t, tableaudir.Declared(q, m, role.All()), fault.RuleTableau)
	}
	if _, err = role.All().Wanted(hashedProtocol("growthbook-v3", "s")); err == nil {
		t.Error("a hash that nobody knows is wanted")
	}
}
