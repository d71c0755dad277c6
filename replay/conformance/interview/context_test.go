package interview

import (
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// A context travels as the log had it: words of a categorical column, and not the columns of
// 0 and 1 that a regression reads.
func TestExecContext(t *testing.T) {
	p := &schemas.Protocol{}
	p.Log.Context.Columns = []schemas.ContextColumn{{Column: "age"}, {Column: "land", Levels: []string{"DE", "FR", "IT"}, Baseline: new("FR")}, {Column: `say "x"`}}
	e := &execution{Experiment: &Experiment{Protocol: p}}
	c := &tableau.Chunk{X: [][]float64{{31, 0.5, 1e-7}, {1, 0, 0}, {0, 0, 1}, {7, 8, 9}}}
	for row, want := range []string{`{"age":31,"land":"DE","say \"x\"":7}`, `{"age":0.5,"land":"FR","say \"x\"":8}`, `{"age":1e-07,"land":"IT","say \"x\"":9}`} {
		if got := string(e.context(c, row)); got != want {
			t.Errorf("row %d: %s, want %s", row, got, want)
		}
	}
	p.Log.Context = schemas.Context{List: "x"}
	if got := string(e.context(c, 1)); got != "[0.5,0,0,8]" {
		t.Error(got)
	}
}
