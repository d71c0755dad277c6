package ingest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

func TestTies(t *testing.T) {
	rows := trials(2, 9) // three rows share every `at`
	for _, shuffled := range []bool{false, true} {
		if shuffled {
			slices.Reverse(rows)
		}
		path := ingesttest.Log(t, rows, parquet.MaxRowsPerRowGroup(5))
		e := refused(t, trialProtocol("at"), fault.RuleTie, path)
		want := []fault.Place{{File: "log.parquet", RowGroup: 0, Row: 0}, {File: "log.parquet", RowGroup: 0, Row: 1}}
		if shuffled { // the first of experiment e000 in the order of the file
			want = []fault.Place{{File: "log.parquet", RowGroup: 3, Row: 15}, {File: "log.parquet", RowGroup: 3, Row: 16}}
		}
		if diff := cmp.Diff(want, e.Places); diff != "" {
			t.Error(diff)
		}
		if e.Count != 12 || !strings.HasPrefix(e.Mend, "add a column that numbers the rows, such as a sequence number, or declare") { // step is a context
			t.Errorf("%d ties; %s", e.Count, e.Mend)
		}
		p := trialProtocol("at")
		p.Log.Ties = schemas.TiesFileOrder
		got, _ := taken(t, p, path)
		wantSteps := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}
		if shuffled { // rows that tie stay as they are in the file
			wantSteps = []float64{2, 1, 0, 5, 4, 3, 8, 7, 6}
		}
		if diff := cmp.Diff(wantSteps, got[0].X[0]); diff != "" {
			t.Error(diff)
		}
	}
}

// What is proposed has no role, and is the most plausible of what differs.
func TestTieProposal(t *testing.T) {
	type row struct {
		Ts      int64     `parquet:"ts"`
		Arm     string    `parquet:"arm"`
		Reward  bool      `parquet:"reward"`
		Age     int64     `parquet:"age"`
		Score   float64   `parquet:"score"`
		New     bool      `parquet:"is_new"`
		Clicks  int64     `parquet:"clicks"`
		Country string    `parquet:"country"`
		User    int64     `parquet:"user_id"`
		Load    int64     `parquet:"load"`
		Seen    time.Time `parquet:"seen,timestamp(microsecond)"`
		Request int64     `parquet:"request_id"`
	}
	at := time.Unix(1_700_000_000, 0).UTC()
	first := row{1, "a", true, 30, 0.5, true, 1, "DE", 7, 3, at, 12}
	for _, tc := range []struct {
		want   string // "" for none
		differ func(r *row)
	}{
		{"request_id", func(r *row) { r.Request, r.Load, r.User, r.Seen, r.Country = 13, 4, 8, at.Add(time.Second), "FR" }},
		{"user_id", func(r *row) { r.Load, r.User, r.Seen, r.Country = 4, 8, at.Add(time.Second), "FR" }},
		{"load", func(r *row) { r.Load, r.Seen, r.Country = 4, at.Add(time.Second), "FR" }},
		{"seen", func(r *row) { r.Seen, r.Country = at.Add(time.Second), "FR" }},
		{"country", func(r *row) { r.Country, r.Score = "FR", 0.25 }},
		{"", func(r *row) { r.Age, r.Score, r.New, r.Clicks = 31, 0.25, false, 2 }}, // a context, a float, a boolean, an outcome
	} {
		second := first
		tc.differ(&second)
		path := ingesttest.Log(t, []row{first, second})
		p := &schemas.Protocol{
			Version: 1, Experiment: schemas.ExperimentSpec{ID: "x"}, Reward: schemas.RewardSpec{Range: []float64{0, 1}},
			Log: schemas.Log{Order: []string{"ts"}, Action: "arm", Reward: "reward", Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "age"}}}},
		}
		_, _, err := ingestAll(t, p, Options{}, path)
		want := "add a column that numbers the rows, such as a sequence number, or declare"
		if tc.want != "" {
			want = fmt.Sprintf("add %q to log.order, which differs between the two, or declare", tc.want)
		}
		if e := ingesttest.WantFault(t, err, fault.RuleTie); !strings.HasPrefix(e.Mend, want) {
			t.Errorf("%q: %s", tc.want, e.Mend)
		}
	}
}

// No column tells two rows apart: none is proposed.
func TestTieWithoutProposal(t *testing.T) {
	path := ingesttest.Log(t, []trial{{Exp: "a", Step: 1}, {Exp: "a", Step: 1}})
	if e := refused(t, trialProtocol("step"), fault.RuleTie, path); !strings.Contains(e.Mend, "add a column that numbers the rows, such as a sequence number, or declare log.ties") {
		t.Errorf("got %q", e.Mend)
	}
}
