package programreplay

import (
	"testing"

	"banditaudit/schemas"
)

// A context travels as the log had it: words of a categorical column, and not the columns of
// 0 and 1 that a regression reads.
func TestExecContext(t *testing.T) {
	p := &schemas.Protocol{}
	p.Log.Context.Columns = []schemas.ContextColumn{{Column: "age"}, {Column: "land", Levels: []string{"DE", "FR", "IT"}, Baseline: new("FR")}, {Column: `say "x"`}}
	e := &execution{Experiment: &Experiment{Protocol: p}}
	rows := [][]float64{{31, 1, 0, 7}, {0.5, 0, 0, 8}, {1e-7, 0, 1, 9}}
	for row, want := range []string{`{"age":31,"land":"DE","say \"x\"":7}`, `{"age":0.5,"land":"FR","say \"x\"":8}`, `{"age":1e-07,"land":"IT","say \"x\"":9}`} {
		if got := string(e.context(rows[row])); got != want {
			t.Errorf("row %d: %s, want %s", row, got, want)
		}
	}
	p.Log.Context = schemas.Context{List: "x"}
	if got := string(e.context(rows[1])); got != "[0.5,0,0,8]" {
		t.Error(got)
	}
}
