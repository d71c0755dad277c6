package report

import (
	"testing"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// TestExplainedRows: what was tested and not compared row by row does not explain
// 0 of the rows.
func TestExplainedRows(t *testing.T) {
	for _, c := range []struct {
		h    schemas.Hypothesis
		want string
	}{
		{schemas.Hypothesis{Rows: 20_000, P: new(0.4), Fits: true}, page.Dash},
		{schemas.Hypothesis{Rows: 20_000, P: new(1e-9)}, page.Dash},
		{schemas.Hypothesis{Rows: 4096, Explained: 4095, Fits: true}, "4,095 of 4,096"},
		{schemas.Hypothesis{Rows: 4096}, "0 of 4,096"},
		{schemas.Hypothesis{Rows: 9640, Explained: 9640, P: new(0.37), Fits: true}, "9,640 of 9,640"},
		{schemas.Hypothesis{}, page.Dash},
	} {
		if got := explainedRows(&c.h); got != c.want {
			t.Errorf("%+v: %q", c.h, got)
		}
	}
}
