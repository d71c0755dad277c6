package ingest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// Units that are another one's number are counted of each experiment, as they are where
// all are held against each other.
func TestUnitsWritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		units := rapid.SliceOfDistinct(rapid.OneOf(
			rapid.Map(rapid.IntRange(-30, 30), strconv.Itoa),
			rapid.Map(rapid.IntRange(-30, 30), func(v int) string { return fmt.Sprintf("%d.0", v) }),
			rapid.Map(rapid.IntRange(10_000_000, 10_000_040), strconv.Itoa),
			rapid.Map(rapid.IntRange(10_000_000, 10_000_040), func(v int) string { return fmt.Sprintf("1.%07dE7", v-10_000_000) }),
			rapid.StringMatching(`[0-9a.-]{1,4}`),
		), func(s string) string { return s }).Draw(r, "units")
		var plain []string
		for _, u := range units {
			if whole, ok := schemas.WholeOf(u); !ok || whole != "10000000" || u == "1.0000000E7" {
				plain = append(plain, u)
			}
		}
		slices.Sort(plain)
		var u unitsWritten
		u.begin()
		for _, label := range plain {
			u.add([]byte(label))
		}
		if want := int64(len(schemas.SameNumbers(plain, schemas.WholeOf))); u.count != want {
			r.Errorf("%q: %d, want %d", plain, u.count, want)
		}
	})
}

func TestUnitsWrittenInManifest(t *testing.T) {
	type row struct {
		Exp    string `parquet:"exp"`
		Round  int64  `parquet:"round"`
		Arm    string `parquet:"arm"`
		Reward bool   `parquet:"reward"`
		Unit   string `parquet:"unit"`
	}
	path := filepath.Join(t.TempDir(), "log.parquet")
	var rows []row
	for i, unit := range []string{"1", "1.0", "12345678", "1.2345678E7", "x", "1-", "1.0"} {
		rows = append(rows, row{"a", int64(i), "b", true, unit}, row{"b", int64(i), "b", true, strconv.Itoa(i)})
	}
	ingesttest.WriteParquet(t, path, rows)
	p := protocol()
	p.Experiment, p.Log = schemas.ExperimentSpec{Column: "exp"}, schemas.Log{Order: []string{"round"}, Action: "arm", Reward: "reward", Unit: "unit"}
	_, m := taken(t, p, path)
	if m.Experiments[0].UnitsWritten != 2 || m.Experiments[1].UnitsWritten != 0 {
		t.Errorf("%+v", m.Experiments)
	}
}
