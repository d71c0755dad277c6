package ingest

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
)

// A partition that orders is brought to the scale of the other files, and of
// reward_order; what leaves 64 bits there is a fault of its rows.
func TestConstantScale(t *testing.T) {
	type tenths struct {
		At     int64   `parquet:"at,decimal(1:18)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type bare struct {
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), []tenths{{49, "a", 0.25}, {51, "a", 0.75}})
	ingesttest.WriteParquet(t, filepath.Join(dir, "at=5", "a.parquet"), []bare{{"a", 0.5}})
	for _, jobs := range []int{1, 2} {
		got, _, err := ingestAll(t, atProtocol(), Options{Jobs: jobs}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]float64{0.25, 0.5, 0.75}, got[0].Reward); diff != "" {
			t.Error(diff)
		}
	}
	src := sourcesOf(t, []string{dir})
	in, err := Inspect(t.Context(), atProtocol(), src, Options{})
	if err != nil || in.Columns[0].Becomes != "order key, all brought to 10^-1" {
		t.Errorf("%+v, %v", in, err)
	}
	for at, fits := range map[string]bool{"922337203685477580": true, "922337203685477581": false, "-922337203685477580": true, "-922337203685477581": false} {
		far := t.TempDir()
		ingesttest.WriteParquet(t, filepath.Join(far, "b.parquet"), []tenths{{49, "a", 0.25}})
		ingesttest.WriteParquet(t, filepath.Join(far, "at="+at, "a.parquet"), []bare{{"a", 0.5}})
		_, _, err := ingestAll(t, atProtocol(), Options{}, far)
		if fits {
			if err != nil {
				t.Errorf("%s: %v", at, err)
			}
			continue
		}
		if e := ingesttest.WantFault(t, err, fault.RuleNotExact); e.Column != "at" || e.Row != 0 || e.File != "at="+at+"/a.parquet" {
			t.Errorf("%s: %v", at, e)
		}
	}
}

// A reward's time that is a partition, or null in one, is compared with the
// order on one scale.
func TestConstantRewardOrder(t *testing.T) {
	type tenths struct {
		At     int64   `parquet:"at,decimal(1:18)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "known=6", "a.parquet"), []tenths{{10, "a", 0}, {50, "a", 0}, {60, "a", 0}})
	ingesttest.WriteParquet(t, filepath.Join(dir, "known=__HIVE_DEFAULT_PARTITION__", "b.parquet"), []tenths{{61, "a", 0}})
	ingesttest.WriteParquet(t, filepath.Join(dir, "known=7", "c.parquet"), []tenths{{65, "a", 0}, {70, "a", 0}})
	p := atProtocol()
	p.Log.RewardOrder = "known"
	got, _ := taken(t, p, dir)
	if diff := cmp.Diff([]int64{3, 3, 3, never, 6, 6}, got[0].RewardRound); diff != "" {
		t.Error(diff)
	}
}
