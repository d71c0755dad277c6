package ingest

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableaudir"
	"banditaudit/schemas"
)

// delayed is a row whose time is there in every class that orders.
type delayed struct {
	At     int64      `parquet:"at"`
	Known  *int64     `parquet:"known,optional"`
	FAt    float64    `parquet:"fat"`
	FKnown *float64   `parquet:"fknown,optional"`
	SAt    string     `parquet:"sat"`
	SKnown *string    `parquet:"sknown,optional"`
	TAt    time.Time  `parquet:"tat,timestamp(millisecond)"`
	TKnown *time.Time `parquet:"tknown,optional,timestamp(microsecond)"`
	Seq    int32      `parquet:"seq"`
	Reward float64    `parquet:"reward"`
	Arm    string     `parquet:"arm"`
}

// late is a row of time at whose reward became known at known; never below 0.
func late(seq int, at, known int64) delayed {
	d := delayed{At: at, FAt: float64(at) / 8, SAt: fmt.Sprintf("%03d", at), TAt: time.Unix(at, 0).UTC(), Seq: int32(seq), Arm: "a"}
	if known >= 0 {
		d.Known, d.FKnown, d.SKnown, d.TKnown = new(known), new(float64(known)/8), new(fmt.Sprintf("%03d", known)), new(time.Unix(known, 0).UTC())
	}
	return d
}

func delayedProtocol(at, known string) *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "e"},
		Log:    schemas.Log{Order: []string{at, "seq"}, Action: "arm", Reward: "reward", RewardOrder: known},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a"},
	}
}

// A reward's round is the number of rounds at or before the moment it became
// known: rounds of one time count together, and a null is never.
func TestRewardRound(t *testing.T) {
	rows := []delayed{
		late(0, 1, 1), // known at time 1: two rounds
		late(1, 1, 2), // as none is between
		late(0, 3, -1),
		late(1, 4, 4), // all four at or before
		late(2, 5, 900),
	}
	want := []int64{2, 2, math.MaxInt64, 4, 5}
	for _, class := range []string{"at known", "fat fknown", "sat sknown", "tat tknown"} {
		at, known, _ := strings.Cut(class, " ")
		for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 2, 0, 3, 1}} {
			var mixed []delayed
			for _, i := range order {
				mixed = append(mixed, rows[i])
			}
			path := ingesttest.Log(t, mixed)
			got, _ := taken(t, delayedProtocol(at, known), path)
			if diff := cmp.Diff(want, got[0].RewardRound); diff != "" {
				t.Errorf("%s in order %v: %s", class, order, diff)
			}
		}
	}
}

// Those before the moment, and not at it, are counted beside: of rounds at 1, 1, 3, 4
// and 5 none is before time 1, two before 2, and three before 4.
func TestRewardBefore(t *testing.T) {
	for _, class := range []string{"at known", "fat fknown", "sat sknown", "tat tknown"} {
		at, known, _ := strings.Cut(class, " ")
		path, dir := filepath.Join(t.TempDir(), "log.parquet"), t.TempDir()
		ingesttest.WriteParquet(t, path, []delayed{late(1, 5, 900), late(0, 1, 1), late(1, 1, 2), late(1, 4, 4), late(0, 3, -1)})
		src, err := files.Discover(t.Context(), []string{path})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Ingest(t.Context(), delayedProtocol(at, known), src, dir, Options{}); err != nil {
			t.Fatal(err)
		}
		tab, _, err := tableaudir.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]int64{0, 2, math.MaxInt64, 3, 5}, tab.Slice(0).Chunk(0).RewardBefore); diff != "" {
			t.Errorf("%s: %s", class, diff)
		}
		closeTableau(t, tab)
	}
}

// A reward that became known before its own round cannot be: the rows are named.
func TestRewardTooEarly(t *testing.T) {
	rows := []delayed{late(0, 1, 1), late(1, 2, 1), late(2, 3, 3), late(3, 4, 0)}
	for _, class := range []string{"at known", "fat fknown", "sat sknown", "tat tknown"} {
		at, known, _ := strings.Cut(class, " ")
		path := ingesttest.Log(t, rows)
		e := refused(t, delayedProtocol(at, known), fault.RuleEarly, path)
		if diff := cmp.Diff([]fault.Place{{File: "log.parquet", RowGroup: 0, Row: 1}, {File: "log.parquet", RowGroup: 0, Row: 3}}, e.Places); diff != "" || e.Column != known {
			t.Errorf("%v: %s", e, diff)
		}
	}
}

// A time of reward must compare with the first order column.
func TestRewardOrderOfAnotherClass(t *testing.T) {
	path := ingesttest.Log(t, []delayed{late(0, 1, 1)})
	for _, known := range []string{"fknown", "sknown", "tknown"} {
		if e := refused(t, delayedProtocol("at", known), fault.RuleType, path); e.Column != known {
			t.Errorf("got %v", e)
		}
	}
}

// A time that cannot be compared is a fault; one that is null is none.
func TestRewardOrderNotFinite(t *testing.T) {
	rows := []delayed{late(0, 1, 1), late(1, 2, 2), late(2, 3, -1)}
	rows[1].FKnown = new(math.Inf(1))
	path := ingesttest.Log(t, rows)
	if e := refused(t, delayedProtocol("fat", "fknown"), fault.RuleNotFinite, path); e.Column != "fknown" || e.Row != 1 || e.Count != 1 {
		t.Errorf("got %v", e)
	}
}
