package ingest

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// clocked declares an update by the column tat of delayed rows.
func clocked(every, attribution, known string) *schemas.Protocol {
	p := delayedProtocol("tat", known)
	p.Policy = &schemas.Policy{Name: "uniform", Update: &schemas.Update{Batch: true, Period: every, Clock: "tat", Attribution: attribution}}
	return p
}

// An update at a whole multiple u of the period learns the rows whose time plus the window
// lies before u, and whose reward was known before u; a batch is what has one update.
func TestClock(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		every, window := rapid.Int64Range(1, 5).Draw(rt, "every"), rapid.Int64Range(0, 9).Draw(rt, "window")
		known, shuffled := rapid.SampledFrom([]string{"", "tknown"}).Draw(rt, "known"), rapid.Bool().Draw(rt, "shuffled")
		unit := rapid.SampledFrom([]struct {
			name    string
			seconds int64
		}{{"s", 1}, {"m", 60}}).Draw(rt, "unit")
		text := func(n int64) string { return string(rune('0'+n)) + unit.name }
		at, rows := rng.Int64N(1000)-500, []delayed{}
		for i := range 40 {
			at += rng.Int64N(3) * unit.seconds / 2
			late := late(i, at, -1)
			late.Reward, late.TKnown = 1, nil
			if rng.IntN(8) > 0 {
				late.TKnown = new(time.Unix(at+rng.Int64N(6*unit.seconds), 0).UTC())
			}
			rows = append(rows, late)
		}
		in := append([]delayed{}, rows...)
		if shuffled {
			rng.Shuffle(len(in), func(i, j int) { in[i], in[j] = in[j], in[i] })
		}
		path := filepath.Join(t.TempDir(), "log.parquet")
		ingesttest.WriteParquet(t, path, in)
		got, _, err := ingestAll(t, clocked(text(every), text(window), known), Options{}, path)
		if err != nil {
			rt.Fatal(err)
		}
		c := &got[0]
		period := every * unit.seconds
		update := func(i int) int64 { // the last at or before round i
			s := rows[i].TAt.Unix()
			return s - ((s%period)+period)%period
		}
		begins := int64(0) // round with which the batch of j begins
		for j := range rows {
			if j == 0 || update(j) != update(j-1) {
				begins = int64(j + 1)
			}
			if j > 0 && (c.Batch[j] != c.Batch[j-1]) != (update(j) != update(j-1)) {
				rt.Fatalf("round %d: batch %d after %d", j+1, c.Batch[j], c.Batch[j-1])
			}
			for i := range j {
				want := rows[i].TAt.Unix()+window*unit.seconds < update(j)
				if known != "" {
					want = want && rows[i].TKnown != nil && rows[i].TKnown.Unix() < update(j)
				}
				if learned := c.RewardRound[i] < begins; learned != want {
					rt.Fatalf("round %d knows round %d: %v, want %v", j+1, i+1, learned, want)
				}
			}
		}
	})
}

// A clock of whole days has no hours.
func TestClockOfDays(t *testing.T) {
	type day struct {
		Day    int32   `parquet:"day,date"`
		Seq    int32   `parquet:"seq"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	path := filepath.Join(t.TempDir(), "log.parquet")
	ingesttest.WriteParquet(t, path, []day{{1, 1, "a", 0}, {1, 2, "a", 1}, {3, 1, "a", 1}})
	for every, bad := range map[string]bool{"1d": false, "2d": false, "36h": true, "1h": true, "48h": false} {
		p := clocked(every, "", "")
		p.Log.Order, p.Policy.Update.Clock = []string{"day", "seq"}, "day"
		got, _, err := ingestAll(t, p, Options{}, path)
		switch {
		case bad:
			if e := ingesttest.WantFault(t, err, fault.RuleType); !strings.Contains(e.What, "has whole days") {
				t.Errorf("%s: %v", every, e)
			}
		case err != nil:
			t.Errorf("%s: %v", every, err)
		case got[0].Batch[2] != 1 || got[0].Batch[1] != 0:
			t.Errorf("%s: batches %v", every, got[0].Batch)
		}
	}
}

// Strata are numbered in every experiment from 0, as its rounds have them; too many are a
// fault of the column.
func TestStrata(t *testing.T) {
	type row struct {
		Exp, Leaf, Arm string
		Round          int64
		Reward         float64
	}
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "Exp"}, Log: schemas.Log{Order: []string{"Round"}, Action: "Arm", Reward: "Reward"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a"}, Policy: &schemas.Policy{Name: "uniform", By: "Leaf"},
	}
	path := filepath.Join(t.TempDir(), "log.parquet")
	ingesttest.WriteParquet(t, path, []row{{"f", "y", "a", 3, 0}, {"e", "x", "a", 2, 0}, {"e", "y", "a", 1, 0}, {"e", "y", "a", 3, 0}, {"f", "x", "a", 1, 0}, {"f", "z", "a", 2, 0}})
	got, _, err := ingestAll(t, p, Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]int64{{0, 1, 0}, {0, 1, 2}} {
		for k, stratum := range got[i].Stratum {
			if stratum != want[k] {
				t.Errorf("experiment %d: %v, want %v", i, got[i].Stratum, want)
			}
		}
	}
	s := &strataNumbers{most: 2}
	s.renumber([]int32{0, 0, 0, 1, 1, 1}, []int64{5, 6, 5, 7, 6, 5}, []int64{0, 1, 2, 3, 4, 5})
	if s.beyond != 1 || s.first != 5 {
		t.Errorf("%d beyond, first %d", s.beyond, s.first)
	}
}
