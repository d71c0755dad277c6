package ingest

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// owned is a row whose unit is a whole number, or none.
type owned struct {
	Exp    string  `parquet:"exp"`
	Step   int32   `parquet:"step"`
	Arm    string  `parquet:"arm"`
	Reward float64 `parquet:"reward"`
	User   *int64  `parquet:"user,optional"`
	Text   string  `parquet:"text"`
}

func ownedProtocol(unit string) *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "exp"},
		Log:    schemas.Log{Order: []string{"step"}, Action: "arm", Reward: "reward", Unit: unit},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a"},
	}
}

func ownedRows(users ...int64) []owned {
	var rows []owned
	for i, u := range users {
		rows = append(rows, owned{Exp: "e", Step: int32(i), Arm: "a", User: new(u), Text: strconv.FormatInt(u, 10)})
	}
	return rows
}

// Units are numbered by label, bytewise, from 0 in every experiment; whole
// numbers and their text are the same labels.
func TestUnitsAreNumberedByLabel(t *testing.T) {
	rows := ownedRows(10, 9, -1, 100, 9, 10)
	rows[4].Exp, rows[5].Exp = "f", "f"
	want := [][]int64{{1, 3, 0, 2}, {1, 0}} // "-1" < "10" < "100" < "9"
	for _, column := range []string{"user", "text"} {
		path := ingesttest.Log(t, rows)
		got, m := taken(t, ownedProtocol(column), path)
		for e := range want {
			if diff := cmp.Diff(want[e], got[e].Unit); diff != "" {
				t.Errorf("%s: %s", column, diff)
			}
			if n := m.Experiments[e].Units; n != int64(len(want[e])) {
				t.Errorf("%s: %d units of experiment %d", column, n, e)
			}
		}
	}
}

// A row without a unit is refused, in a log that is in order and in one that is
// not, beside the other faults.
func TestNullUnit(t *testing.T) {
	for _, shuffled := range []bool{false, true} {
		rows := ownedRows(1, 2, 3, 4)
		rows[2].User, rows[3].Arm = nil, "z"
		if shuffled {
			rows[0], rows[1] = rows[1], rows[0]
		}
		path := ingesttest.Log(t, rows)
		_, _, err := ingestAll(t, ownedProtocol("user"), Options{}, path)
		if e := ingesttest.WantFault(t, err, fault.RuleNull); e.Column != "user" || e.Row != 2 || e.Count != 1 {
			t.Errorf("got %v", e)
		}
		if e := ingesttest.WantFault(t, err, fault.RuleArm); e.Row != 3 {
			t.Errorf("got %v", e)
		}
	}
}

func TestAppendUnit(t *testing.T) {
	b := &pages.Block{Int: []int64{-7}, Text: [][]byte{[]byte("\xffx\x00")}}
	for kind, want := range map[pages.Kind]string{pages.Int: "-7", pages.Text: "\xffx\x00", pages.Uint: "18446744073709551609"} {
		if got := string(appendUnit(nil, b, &pages.Column{Kind: kind}, 0)); got != want {
			t.Errorf("%v: %q, not %q", kind, got, want)
		}
	}
}
