package ingest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
)

func TestFaultsOfFilesAreBounded(t *testing.T) {
	var f fault.List
	for i := range 3 * fault.MaxFileFaults {
		for range 2 { // a second pass finds the same
			f.File(fault.OfFile(fmt.Sprintf("%d.parquet", i), fault.RuleColumn, "is not in the file", fmt.Sprint("mend ", i), nil))
		}
	}
	all := ingesttest.InputErrors(f.Err())
	if len(all) != fault.MaxFileFaults+1 {
		t.Errorf("%d faults are reported", len(all))
	}
	if last := all[len(all)-1]; last.Rule != fault.RuleColumn || !strings.Contains(last.Error(), "more faults") {
		t.Errorf("the last is %v", last)
	}
}

// A mistake that all files share is one line; what differs by more than the file
// is not.
func TestFaultsOfFilesAreGrouped(t *testing.T) {
	var f fault.List
	for i := range 10_000 {
		for range 2 { // a second pass finds the same
			f.File(&fault.InputError{File: fmt.Sprintf("%d.parquet", i), RowGroup: -1, Row: -1, Column: "y", Rule: fault.RuleType, What: "is text", Mend: "cast it"})
		}
	}
	f.File(&fault.InputError{File: "a", RowGroup: -1, Row: -1, Column: "y", Rule: fault.RuleType, What: "is a date", Mend: "cast it"})
	f.File(&fault.InputError{File: "b", RowGroup: -1, Row: -1, Column: "x", Rule: fault.RuleType, What: "is a date", Mend: "cast it"})
	f.File(&fault.InputError{File: "c", RowGroup: -1, Row: -1, Column: "x", Rule: fault.RuleType, What: "is a date", Mend: "cast it"})
	f.File(fault.OfFile("a", fault.RuleUnreadable, "is damaged", "", errors.New("one cause")))
	f.File(fault.OfFile("b", fault.RuleUnreadable, "is damaged", "", errors.New("another")))
	want := []string{
		`ingest: 0.parquet: column "y": is text (and in 9999 more files: 1.parquet, 2.parquet, 3.parquet, 4.parquet, …); cast it`,
		`ingest: a: column "y": is a date; cast it`,
		`ingest: b: column "x": is a date (and in 1 more file: c); cast it`,
		`ingest: a: is damaged: one cause`,
		`ingest: b: is damaged: another`,
	}
	if got := f.Err().Error(); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestFaultsNone(t *testing.T) {
	var f fault.List
	if f.Any() || f.Err() != nil {
		t.Error("a fault without a fault")
	}
}

// What an error says, word for word: others read it.
func TestInputErrorText(t *testing.T) {
	cause := errors.New("the cause")
	for want, e := range map[string]*fault.InputError{
		"ingest: no log was given; name Parquet files": {RowGroup: -1, Row: -1, What: "no log was given", Mend: "name Parquet files"},
		"ingest: a.parquet: is truncated: the cause":   {File: "a.parquet", RowGroup: -1, Row: -1, What: "is truncated", Err: cause},
		`ingest: a.parquet, row group 0, row 5 of the file: column "p": a null; mend it`: {
			File: "a.parquet", Row: 5, Column: "p", What: "a null", Mend: "mend it", Count: 1, Places: []fault.Place{{File: "a.parquet", RowGroup: 0, Row: 5}},
		},
		`ingest: a.parquet, row group 0, row 5 of the file: column "p": a null (7 rows in all; next: b.parquet, row group 2, row 9 of the file); mend it`: {
			File: "a.parquet", Row: 5, Column: "p", What: "a null", Mend: "mend it", Count: 7, Places: []fault.Place{{File: "a.parquet", RowGroup: 0, Row: 5}, {File: "b.parquet", RowGroup: 2, Row: 9}},
		},
		`ingest: a.parquet, row group 3: column "p": is damaged`: {File: "a.parquet", RowGroup: 3, Row: -1, Column: "p", What: "is damaged"},
	} {
		if e.Error() != want {
			t.Errorf("got  %s\nwant %s", e.Error(), want)
		}
	}
	if e := (&fault.InputError{Err: cause}); !errors.Is(e, cause) {
		t.Error("the cause is lost")
	}
}

func TestLongLabels(t *testing.T) {
	rows := ingesttest.Events(4)
	rows[2].Arm = strings.Repeat("x", cell.MaxLabelText)
	path := ingesttest.Log(t, rows)
	if _, _, err := ingestAll(t, protocol(), Options{}, path); err != nil {
		t.Errorf("4,096 bytes: %v", err)
	}
	rows[2].Arm += "x"
	ingesttest.WriteParquet(t, path, rows)
	if e := refused(t, protocol(), fault.RuleNotText, path); e.Row != 2 || strings.Contains(e.Error(), "xx") {
		t.Errorf("4,097 bytes: %v", e)
	}
}

// Labels are booked: very many of them meet the limit, not the machine's end.
func TestLabelsAreBooked(t *testing.T) {
	rows := trials(30_000, 1)
	for i := range rows {
		rows[i].Exp = fmt.Sprintf("%0100d", i)
	}
	path := ingesttest.Log(t, rows)
	if _, _, err := ingestAll(t, trialProtocol("step"), Options{MaxMemory: 5 << 20}, path); !errors.Is(err, fault.ErrResource) {
		t.Errorf("got %v", err)
	}
}
