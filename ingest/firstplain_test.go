package ingest

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/role"
)

// newPlain is a first pass over a log of one experiment and one order key.
func newPlain(text bool, step int64) *firstPass {
	f := &firstPass{
		log: &logFiles{wants: []role.Want{wantOf(role.Order, "t")}}, keys: &keys{columns: []keyColumn{{text: text}}},
		count: []int64{0}, gaps: []int64{0}, sorted: true, step: step,
	}
	f.ties = tieRule{log: f.log, keys: f.keys}
	return f
}

// Where plain takes a block, it leaves the pass as looking at every row does;
// where it does not, it leaves it alone.
func TestPlainIsRows(t *testing.T) {
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.SampledFrom([]int64{0, 1, 10}).Draw(t, "step of whole numbers")
		fast, slow := newPlain(false, step), newPlain(false, step)
		at, first := int64(0), int64(0)
		for range rapid.IntRange(1, 5).Draw(t, "blocks") {
			n := rapid.IntRange(1, 6).Draw(t, "n")
			r := &rows{n: n, first: first}
			numbers := make([]int64, n)
			for i := range numbers {
				at += rapid.SampledFrom([]int64{1, 1, 1, 10, 10, 2, 7, 0, -1}).Draw(t, "step")
				numbers[i] = at
			}
			bad := make([]bool, n)
			bad[n-1] = rapid.IntRange(0, 9).Draw(t, "bad") == 0
			for _, f := range []*firstPass{fast, slow} {
				f.keys.columns[0].numbers, f.bad, f.codes = numbers, bad, make([]int32, n)
			}
			if fast.plain(r) {
				taken++
			} else {
				fast.rows(r)
			}
			slow.rows(r)
			if !reflect.DeepEqual(fast.last, slow.last) || !reflect.DeepEqual(fast.count, slow.count) || !reflect.DeepEqual(fast.gaps, slow.gaps) ||
				fast.sorted != slow.sorted || fast.ties.count != slow.ties.count || !reflect.DeepEqual(fast.runs, slow.runs) || !reflect.DeepEqual(fast.codes, slow.codes) {
				t.Fatalf("%v: %+v is not %+v", numbers, fast.last, slow.last)
			}
			first += int64(n)
		}
	})
	if taken == 0 {
		t.Errorf("no block was taken")
	}
	if text := newPlain(true, 0); text.plain(&rows{n: 1}) {
		t.Error("a text was taken for a number")
	}
}
