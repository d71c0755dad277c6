package ingest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"banditaudit/schemas"
)

// A log of which a bit of the footer is another is refused, or becomes the
// tableau of the good one: none reads as other rewards or arms. The
// logs are the files whose every bit package pages turns; their times in
// nanoseconds, whose unit a bit may change, are no column of this protocol.
func TestFooterBits(t *testing.T) {
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "e"},
		Log:    schemas.Log{Order: []string{"ts", "round"}, Action: "user", Reward: "small"},
		Reward: schemas.RewardSpec{Range: []float64{0, 4}},
	}
	for _, name := range []string{"pyarrow", "duckdb", "parquet-mr", "polars", "fastparquet"} {
		data, err := os.ReadFile(filepath.Join(fixtures, "bits", name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		good, err := ingestBytes(t, p, data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		begin := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
		step, refused, same := 61, 0, 0
		if testing.Short() {
			step = 307
		}
		for bit := 8 * begin; bit < 8*len(data); bit += step {
			changed := append([]byte(nil), data...)
			changed[bit/8] ^= 1 << (bit % 8)
			m, err := ingestBytes(t, p, changed)
			switch {
			case err != nil:
				refused++
				wantDamage(t, name, err)
			case m.SHA256 != good.SHA256:
				t.Errorf("%s: bit %d of byte %d is not noticed, and changes the tableau", name, bit%8, bit/8)
			default:
				same++
			}
		}
		if refused == 0 || same == 0 {
			t.Errorf("%s: %d refused, %d the same", name, refused, same)
		}
	}
}
