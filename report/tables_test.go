package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"banditaudit/report/tables"
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

// tableOf reads a Parquet table: its schema, and its rows by column, nil for null.
func tableOf(t *testing.T, files map[string][]byte, name string) (*parquet.File, []map[string]any) {
	t.Helper()
	data := files["tables/"+name+".parquet"]
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var out []map[string]any
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		buffer := make([]parquet.Row, group.NumRows())
		if n, err := rows.ReadRows(buffer); n != len(buffer) || err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("%s: read %d of %d rows, %v", name, n, len(buffer), err)
		}
		for _, row := range buffer {
			cells := map[string]any{}
			for _, v := range row {
				var cell any
				name, path := f.Schema().Columns()[v.Column()][0], strings.Join(f.Schema().Columns()[v.Column()], ".")
				switch {
				case v.IsNull() && v.DefinitionLevel() == 0 && strings.HasSuffix(path, ".list.element"):
					cell = []string{}
				case v.IsNull():
				case strings.HasSuffix(path, ".list.element"):
					list, _ := cells[name].([]string)
					list = append(list, string(v.ByteArray()))
					cell = list
				case v.Kind() == parquet.ByteArray:
					cell = string(v.ByteArray())
				case v.Kind() == parquet.Int64:
					cell = v.Int64()
				case v.Kind() == parquet.Boolean:
					cell = v.Boolean()
				default:
					cell = v.Double()
				}
				cells[name] = cell
			}
			out = append(out, cells)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
	return f, out
}

// inCSV is a value as a CSV file has it.
func inCSV(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []string:
		b, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(b))
	case string:
		v = orders.ReplaceAllStringFunc(v, schemas.Printable)
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
		return v
	}
	return fmt.Sprint(value)
}

// orders are characters that a terminal obeys.
var orders = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x{9f}]`)

// TestTablesReadBack: every table of every fixture is there with its columns, and
// what is read from its Parquet file is what its CSV file says.
func TestTablesReadBack(t *testing.T) {
	for fixture, r := range fixtures() {
		files := tablesOf(t, r)
		if len(files) != 19 {
			t.Errorf("%s: %d tables, want 19", fixture, len(files))
		}
		sheets, err := tableFiles(r, tables.NewCSV)
		if err != nil {
			t.Fatal(err)
		}
		for _, sheet := range sheets {
			name := strings.TrimSuffix(strings.TrimPrefix(sheet.Name, "tables/"), ".csv")
			f, rows := tableOf(t, files, name)
			if got := f.Metadata().CreatedBy; got != "banditaudit version v0.1.0(build )" && fixture == "homepage" {
				t.Errorf("%s: created by %q", name, got)
			}
			lines, err := csv.NewReader(bytes.NewReader(sheet.Data)).ReadAll()
			if err != nil || len(lines) != len(rows)+1 {
				t.Fatalf("%s: %s: %d lines for %d rows, %v", fixture, name, len(lines), len(rows), err)
			}
			for i, row := range rows {
				for j, column := range lines[0] {
					if got, want := lines[i+1][j], strings.ReplaceAll(inCSV(row[column]), "\r\n", "\n"); got != want {
						t.Errorf("%s: %s: row %d: %s is %q in CSV and %q in Parquet", fixture, name, i, column, got, want)
					}
				}
			}
		}
	}
}

// TestTableColumns fixes the columns of every table, in order and with their
// types: a warehouse reads them by name.
func TestTableColumns(t *testing.T) {
	files := tablesOf(t, homepage())
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, _ := tableOf(t, files, strings.TrimSuffix(strings.TrimPrefix(name, "tables/"), ".parquet"))
		fmt.Fprintf(&out, "%s\n%s\n\n", name, f.Schema())
	}
	golden(t, "tables.txt", []byte(out.String()))
}

// TestTableValues pins some rows to the results they were made from.
func TestTableValues(t *testing.T) {
	r := twoExperiments()
	rows := func(r *schemas.Results, name string) []map[string]any {
		_, rows := tableOf(t, tablesOf(t, r), name)
		return rows
	}
	pinned := func(what string, row, want map[string]any) {
		t.Helper()
		for column, value := range want {
			if got, ok := row[column]; !ok || !cmp.Equal(got, value) {
				t.Errorf("%s: %s is %v, want %v", what, column, got, value)
			}
		}
	}
	count := func(name string, rows []map[string]any, want int) {
		t.Helper()
		if len(rows) != want {
			t.Errorf("%s: %d rows, want %d", name, len(rows), want)
		}
	}
	pinned("experiments", rows(r, "experiments")[1], map[string]any{
		"epsilon_mechanism": math.Inf(1), "first_mismatch_round": int64(4711), "first_mismatch_replayed": "video", "experiment": "homepage-footer",
	})
	pinned("arms", rows(r, "arms")[5], map[string]any{
		"bias_bound": nil, "ci_corrected_lo": nil, "ci_lo": r.Experiments[1].Arms[0].CI[0], "ci_hi": r.Experiments[1].Arms[0].CI[1], "vacuous": []string{"bias_bound"}, "sigma": math.Inf(1),
	})
	tests := rows(r, "tests")
	count("tests", tests, 12*4)
	pinned("tests", tests[1], map[string]any{"method": "corrected", "log2_p": float64(*r.Experiments[0].Tests[0].Results[1].Log2P)})
	pinned("tests", tests[25], map[string]any{"applicable": false})
	if tests[25]["reason"] == "" {
		t.Errorf("tests: no reason: %v", tests[25])
	}
	fits := rows(openBandit(), "regressions")
	pinned("a fit without rows", fits[len(fits)-1], map[string]any{"arm_label": "33", "coefficient": nil, "columns": int64(21), "rank": int64(0)})
	series := rows(&schemas.Results{Experiments: []schemas.Experiment{{Series: []schemas.Series{{X: []float64{1, 2}, Y: []float64{3, 4}, Lo: []float64{5}}}}}}, "series")
	count("series", series, 2)
	pinned("series", series[0], map[string]any{"lo": 5.0, "hi": nil, "point": int64(0)})
	pinned("series", series[1], map[string]any{"lo": nil, "x": 2.0, "y": 4.0, "point": int64(1)})
	unanswered := rows(&schemas.Results{Experiments: []schemas.Experiment{{Tests: []schemas.Test{{ID: "H9"}}}}}, "tests")
	count("a test without an answer", unanswered, 1)
	pinned("a test without an answer", unanswered[0], map[string]any{"method": nil, "id": "H9", "conditional": false, "reason": ""})
	contrast := rows(&schemas.Results{Experiments: []schemas.Experiment{{
		Arms:      []schemas.Arm{{Arm: 0, Label: "a"}, {Arm: 1, Label: "b"}},
		Estimates: []schemas.Estimate{{Arm: new(1), Label: "b", Against: "a"}, {Against: "a", EvaluationPolicy: "V1"}},
	}}}, "estimates")
	pinned("a difference", contrast[0], map[string]any{"arm": int64(1), "arm_label": "b", "versus": int64(0), "versus_label": "a"})
	pinned("a policy's value", contrast[1], map[string]any{"arm": nil, "arm_label": "", "versus": nil, "versus_label": "a"})
	counted := schemas.Check{ID: "H14", Observed: "effective sample size 12.5"}
	counted.Measure("effective_sample_size", "rows", 12.5, math.NaN())
	counted.Measure("mean_inverse_propensity", "arms", math.Inf(1), 2)
	counted.OfArm(1, "b")
	checked := &schemas.Results{Experiments: []schemas.Experiment{{ID: "e", Data: schemas.Data{FirstTime: new("2026-01-03T00:00:00Z"), Checks: []schemas.Check{counted, {ID: "H01"}}}}}}
	checks, measures := rows(checked, "checks"), rows(checked, "measures")
	pinned("checks", checks[0], map[string]any{"measure": "effective_sample_size", "observed": 12.5, "expected": nil, "unit": "rows", "observed_text": "effective sample size 12.5"})
	pinned("a check without numbers", checks[1], map[string]any{"measure": "", "observed": nil, "unit": ""})
	count("measures", measures, 2)
	pinned("measures", measures[1], map[string]any{"check": "H14", "measure": "mean_inverse_propensity", "arm": int64(1), "arm_label": "b", "observed": nil, "expected": 2.0})
	pinned("the span", rows(checked, "experiments")[0], map[string]any{"first_time": "2026-01-03T00:00:00Z", "last_time": nil})
	bad := faulty()
	overall := rows(bad, "run")
	count("run", overall, 1)
	o := schemas.OverallOf(bad.Claims, bad.Cautions)
	pinned("run", overall[0], map[string]any{"run_id": bad.RunID, "overall": bad.Overall, "exceptions": int64(o.Violated), "incomplete": int64(o.Open), "cautions": int64(bad.Cautions), "tool_version": bad.Tool.Version})
	experiments := rows(bad, "experiments")
	pinned("experiments", experiments[0], map[string]any{"noise_epsilon": 0.4968, "noise_rejected": true, "released_changed": int64(3)})
	pinned("experiments", experiments[1], map[string]any{"last_mismatch_round": int64(19000), "released_allocation_p": 0.0004, "noise_epsilon": nil})
	hypotheses := rows(bad, "hypotheses")
	count("hypotheses", hypotheses, 6)
	for i, explains := range map[int]string{0: "noise", 2: "propensities", 4: "allocation"} {
		pinned("hypotheses", hypotheses[i], map[string]any{"explains": explains})
	}
	pinned("hypotheses", hypotheses[2], map[string]any{"value": 0.01})
	propensities := rows(bad, "propensities")
	count("propensities", propensities, 100)
	pinned("propensities", propensities[99], map[string]any{"first_round": int64(19801), "rounds_beyond_tolerance": int64(200)})
	claims := rows(hostile(), "claims")
	pinned("tables hold what the log held", claims[len(claims)-1], map[string]any{"id": "\x00\x1b[31m"})
}

// TestCSVTables asks for one file per Parquet table, with as many columns in
// every line as in the first.
func TestCSVTables(t *testing.T) {
	t.Parallel()
	r := homepage()
	files, err := tableFiles(r, tables.NewCSV)
	if err != nil {
		t.Fatal(err)
	}
	parquets, err := parquetFiles(r)
	if err != nil || len(parquets) != len(files) {
		t.Fatalf("%d CSV files, %d Parquet files, %v", len(files), len(parquets), err)
	}
	for i, f := range files {
		if strings.TrimSuffix(f.Name, ".csv") != strings.TrimSuffix(parquets[i].Name, ".parquet") {
			t.Errorf("%s stands beside %s", f.Name, parquets[i].Name)
		}
		records, err := csv.NewReader(strings.NewReader(string(f.Data))).ReadAll() // refuses lines of unequal length
		if err != nil || len(records) == 0 {
			t.Errorf("%s: %d lines, %v", f.Name, len(records), err)
		}
	}
}
