package report

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

func tablesOf(t *testing.T, r *schemas.Results) map[string][]byte {
	t.Helper()
	files, err := parquetFiles(r)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		out[f.Name] = f.Data
	}
	return out
}

// readBack reads a table and compares it with the rows that were written.
func readBack[T any](t *testing.T, fixture string, files map[string][]byte, name string, want []T) {
	t.Helper()
	data := files["tables/"+name+".parquet"]
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %s: %v", fixture, name, err)
	}
	if got := f.Metadata().CreatedBy; got != "banditaudit version v0.1.0(build )" && fixture == "homepage" {
		t.Errorf("%s: created by %q", name, got)
	}
	if got := len(f.Schema().Columns()); got == 0 {
		t.Errorf("%s: %s has no columns", fixture, name)
	}
	got := make([]T, f.NumRows())
	r := parquet.NewGenericReader[T](f)
	if n, _ := r.Read(got); n != len(got) {
		t.Errorf("%s: %s: read %d of %d rows", fixture, name, n, len(got))
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("%s: %s (-written +read)\n%s", fixture, name, diff)
	}
}

// TestTablesReadBack: every table of every fixture holds, exactly, the rows
// made from the results; a table without rows is there with its columns.
func TestTablesReadBack(t *testing.T) {
	for fixture, r := range fixtures() {
		files := tablesOf(t, r)
		if len(files) != 15 {
			t.Errorf("%s: %d tables, want 15", fixture, len(files))
		}
		readBack(t, fixture, files, "experiments", each(r, experimentRows))
		readBack(t, fixture, files, "claims", claimRows(r))
		readBack(t, fixture, files, "inputs", inputRows(r))
		readBack(t, fixture, files, "family", familyRows(r))
		readBack(t, fixture, files, "checks", each(r, checkRows))
		readBack(t, fixture, files, "propensities", each(r, propensityRows))
		readBack(t, fixture, files, "noise", each(r, noiseRows))
		readBack(t, fixture, files, "noise_scales", each(r, noiseScaleRows))
		readBack(t, fixture, files, "hypotheses", each(r, hypothesisRows))
		readBack(t, fixture, files, "arms", each(r, armRows))
		readBack(t, fixture, files, "ledger", each(r, ledgerRows))
		readBack(t, fixture, files, "regressions", each(r, coefficientRows))
		readBack(t, fixture, files, "tests", each(r, testRows))
		readBack(t, fixture, files, "estimates", each(r, estimateRows))
		readBack(t, fixture, files, "series", each(r, seriesRows))
	}
}

// TestTableValues pins some rows to the results they were made from.
func TestTableValues(t *testing.T) {
	r := twoExperiments()
	if got := each(r, experimentRows)[1]; !math.IsInf(*got.EpsilonMechanism, 1) || *got.MismatchRound != 4711 || *got.MismatchReplayed != "video" || got.Experiment != "homepage-footer" {
		t.Errorf("experiments: %+v", got)
	}
	arms := each(r, armRows)
	if got := arms[5]; got.BiasBound != nil || got.CorrectedLo != nil || *got.CILo != r.Experiments[1].Arms[0].CI[0] || got.Vacuous != "bias_bound" || !math.IsInf(*got.Sigma, 1) {
		t.Errorf("arms: %+v", got)
	}
	if got := each(r, testRows); len(got) != 12*4 || *got[1].Method != "corrected" || *got[1].Log2P != float64(*r.Experiments[0].Tests[0].Results[1].Log2P) || got[25].Applicable || got[25].Reason == "" {
		t.Errorf("tests: %d rows, %+v", len(got), got[25])
	}
	fits := each(openBandit(), coefficientRows)
	if got := fits[len(fits)-1]; got.Label != "33" || got.Coefficient != nil || got.Columns != 21 || got.Rank != 0 {
		t.Errorf("a fit without rows: %+v", got)
	}
	if got := each(&schemas.Results{Experiments: []schemas.Experiment{{Series: []schemas.Series{{X: []float64{1, 2}, Y: []float64{3, 4}, Lo: []float64{5}}}}}}, seriesRows); len(got) != 2 || *got[0].Lo != 5 || got[1].Lo != nil || *got[1].Y != 4 || got[1].Point != 1 {
		t.Errorf("series: %+v", got)
	}
	if got := each(&schemas.Results{Experiments: []schemas.Experiment{{Tests: []schemas.Test{{ID: "H9"}}}}}, testRows); len(got) != 1 || got[0].Method != nil || got[0].ID != "H9" {
		t.Errorf("a test without an answer: %+v", got)
	}
	bad := faulty()
	if got := each(bad, experimentRows); *got[0].NoiseEpsilon != 0.4968 || !*got[0].NoiseRejected || *got[0].ReleasedChanged != 3 || *got[1].MismatchLast != 19000 || *got[1].ReleasedP != 0.0004 || got[1].NoiseEpsilon != nil {
		t.Errorf("experiments: %+v", got)
	}
	if got := each(bad, hypothesisRows); len(got) != 6 || got[0].Explains != "noise" || got[2].Explains != "propensities" || got[4].Explains != "allocation" || *got[2].Value != 0.01 {
		t.Errorf("hypotheses: %+v", got)
	}
	if got := each(bad, propensityRows); len(got) != 100 || got[99].First != 19801 || got[99].Beyond != 200 {
		t.Errorf("propensities: %d rows", len(got))
	}
	if got := claimRows(hostile()); got[len(got)-1].ID != "\x00\x1b[31m" {
		t.Errorf("tables hold what the log held; got %q", got[len(got)-1].ID)
	}
}
