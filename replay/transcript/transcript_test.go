package transcript

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/google/go-cmp/cmp"
)

// writeTranscript returns the bytes of a transcript.
func writeTranscript(t *testing.T, experiments bool, arms int, rows []Row) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "transcript.arrow")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(file, experiments, arms)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if err = w.Append(int32(i%3), r); err != nil {
			t.Fatal(err)
		}
	}
	if err = w.Close(); err != nil {
		t.Fatal(err)
	}
	if err = file.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readTranscript reads it back with the Arrow library's own reader.
func readTranscript(t *testing.T, data []byte) (names []string, rows []Row, experiments []int32) {
	t.Helper()
	file, err := ipc.NewFileReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name)
	}
	for i := range file.NumRecords() {
		record, err := file.Record(i)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		if names[0] == "experiment" {
			at = 1
		}
		var byArm *array.FixedSizeList
		if int(record.NumCols()) == at+4 {
			byArm = record.Column(at + 3).(*array.FixedSizeList)
		}
		round := record.Column(at).(*array.Int64)
		arm := record.Column(at + 1).(*array.Int32)
		propensity := record.Column(at + 2).(*array.Float64)
		for j := range int(record.NumRows()) {
			row := Row{Round: round.Value(j), Arm: -1, Propensity: math.NaN()}
			if arm.IsValid(j) {
				row.Arm = int(arm.Value(j))
			}
			if propensity.IsValid(j) {
				row.Propensity = propensity.Value(j)
			}
			if byArm != nil && byArm.IsValid(j) {
				from, to := byArm.ValueOffsets(j)
				row.Propensities = append(row.Propensities, byArm.ListValues().(*array.Float64).Float64Values()[from:to]...)
			}
			rows = append(rows, row)
			if at == 1 {
				experiments = append(experiments, record.Column(0).(*array.Int32).Value(j))
			}
		}
	}
	return names, rows, experiments
}

// equalRows compares rows where NaN equals NaN.
func equalRows(a, b Row) bool {
	same := a.Propensity == b.Propensity || math.IsNaN(a.Propensity) && math.IsNaN(b.Propensity)
	return same && a.Round == b.Round && a.Arm == b.Arm && (a.Propensities == nil) == (b.Propensities == nil) && slices.Equal(a.Propensities, b.Propensities)
}

// A round with propensities of other arms than the transcript has is refused.
func TestTranscriptKnowsItsArms(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "transcript.arrow"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w, err := NewWriter(file, false, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(0, Row{Round: 1, Propensities: []float64{0.5, 0.5}}); err == nil || !strings.Contains(err.Error(), "2 propensities of a round, and the transcript has 3 arms") {
		t.Errorf("error %v", err)
	}
}

func TestTranscriptRoundTrip(t *testing.T) {
	var want []Row
	for i := range batchRows + 5 {
		row := Row{Round: int64(i + 1), Arm: i%3 - 1, Propensity: float64(i) / 1e6}
		if i%4 == 0 {
			row.Propensity = math.NaN()
		}
		if i%5 < 2 {
			row.Propensities = []float64{float64(i) / 1e6, 0.25, 0}
		}
		want = append(want, row)
	}
	bare := slices.Clone(want)
	for i := range bare {
		bare[i].Propensities = nil
	}
	for _, rows := range [][]Row{want, want[:batchRows], want[:1], nil} {
		for _, experiments := range []bool{false, true} {
			data := writeTranscript(t, experiments, 3, rows)
			_, got, _ := readTranscript(t, data)
			if !slices.EqualFunc(rows, got, equalRows) {
				t.Fatalf("%d rows by arm differ", len(rows))
			}
			data = writeTranscript(t, experiments, 0, rows)
			names, got, ids := readTranscript(t, data)
			if !slices.EqualFunc(bare[:len(rows)], got, equalRows) {
				t.Fatalf("%d rows differ", len(rows))
			}
			wantNames := []string{"round", "arm", "propensity"}
			if experiments {
				wantNames = append([]string{"experiment"}, wantNames...)
				if len(ids) != len(rows) || (len(ids) > 2 && ids[2] != 2) {
					t.Errorf("experiments %v…", ids[:min(3, len(ids))])
				}
			}
			if diff := cmp.Diff(wantNames, names); diff != "" {
				t.Error(diff)
			}
			if !bytes.Equal(data, writeTranscript(t, experiments, 0, rows)) {
				t.Error("equal rows give different bytes")
			}
		}
	}
}
