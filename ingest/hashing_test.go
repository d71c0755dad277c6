package ingest

import (
	"testing"

	"banditaudit/ingest/ingesttest"
)

// Progress never goes back, begins before the first row is read, and ends at
// the end, whether the log is in order or not, with one job and with two.
func TestProgressOfAllWalks(t *testing.T) {
	rows := ingesttest.Events(30_000)
	mixed := append(append([]ingesttest.Event{}, rows[15_000:]...), rows[:15_000]...)
	for name, log := range map[string][]ingesttest.Event{"in order": rows, "to be sorted": mixed} {
		path := ingesttest.Log(t, log)
		for _, jobs := range []int{1, 2} {
			var calls, before, last, total int64
			_, _, err := ingestAll(t, protocol(), Options{Jobs: jobs, Progress: func(done, all int64) {
				calls++
				if done < last || done > all {
					t.Errorf("%s, %d jobs: %d of %d after %d", name, jobs, done, all, last)
				}
				before, last, total = last, done, all
			}}, path)
			if err != nil {
				t.Fatal(err)
			}
			if calls < 4 || last != total || before == last && calls < 4 {
				t.Errorf("%s, %d jobs: ends at %d of %d after %d calls", name, jobs, last, total, calls)
			}
		}
	}
}

// Hashing with one job is a walk of its own.
func TestProgressOfHashing(t *testing.T) {
	path := ingesttest.Log(t, ingesttest.Events(1000))
	total := map[int]int64{}
	for _, jobs := range []int{1, 2} {
		if _, _, err := ingestAll(t, protocol(), Options{Jobs: jobs, Progress: func(_, all int64) { total[jobs] = all }}, path); err != nil {
			t.Fatal(err)
		}
	}
	if total[1] != 3000 || total[2] != 2000 {
		t.Errorf("got %v", total)
	}
}
