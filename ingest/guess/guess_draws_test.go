package guess

import (
	"fmt"
	"path/filepath"
	"testing"

	"banditaudit/ingest/ingesttest"
)

// A column that is named so is guessed only beside a propensity.
func TestGuessNumberOfDraws(t *testing.T) {
	t.Parallel()
	type row struct {
		Round      int64   `parquet:"round"`
		Arm        string  `parquet:"arm"`
		Reward     float64 `parquet:"reward"`
		Propensity float64 `parquet:"propensity"`
		Draws      int64   `parquet:"n_samples"`
	}
	type bare struct {
		Round  int64   `parquet:"round"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
		Draws  int64   `parquet:"n_samples"`
	}
	var rows []row
	var without []bare
	for i := range 40 {
		rows = append(rows, row{int64(i), fmt.Sprint("arm", i%2), float64(i % 3 / 2), .5, 1000})
		without = append(without, bare{int64(i), fmt.Sprint("arm", i%2), float64(i % 3 / 2), int64(1000 + i)})
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "with.parquet"), rows)
	ingesttest.WriteParquet(t, filepath.Join(dir, "without.parquet"), without)
	if got := rolesOf(guessed(t, filepath.Join(dir, "with.parquet")))["propensity_draws"]; got != "n_samples" {
		t.Errorf("guessed %q", got)
	}
	if got := rolesOf(guessed(t, filepath.Join(dir, "without.parquet")))["propensity_draws"]; got != "" {
		t.Errorf("guessed %q", got)
	}
}
