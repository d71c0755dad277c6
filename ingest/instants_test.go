package ingest

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

type writtenRow struct {
	At     string `parquet:"at"`
	Known  string `parquet:"known"`
	Arm    string `parquet:"arm"`
	Reward int64  `parquet:"reward"`
}

type stampedRow struct {
	At     int64  `parquet:"at,timestamp(microsecond)"`
	Known  int64  `parquet:"known,timestamp(microsecond)"`
	Arm    string `parquet:"arm"`
	Reward int64  `parquet:"reward"`
}

func writtenProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"}, Arms: []string{"a", "b"},
		Log:    schemas.Log{Order: []string{"at"}, Action: "arm", Reward: "reward", RewardOrder: "known"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
}

// inWritings writes a time in one of several writings of the same instant.
func inWritings(r *rand.Rand, at time.Time) string {
	layouts := []string{time.RFC3339Nano, "2006-01-02 15:04:05.000000-0700", "2006-01-02T15:04:05.999999Z07:00", "2006-01-02 15:04:05.999999-07:00"}
	zones := []int{0, 5 * 3600, -4 * 3600, 5*3600 + 1800}
	return at.In(time.FixedZone("", zones[r.IntN(len(zones))])).Format(layouts[r.IntN(len(layouts))])
}

// Texts of times with mixed zones, separators and fractions become the tableau that the
// same times become as timestamps, in whatever order the rows come, of order and of
// reward_order, for every number of jobs.
func TestTextsCompareAsInstants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var texts []writtenRow
	var stamps []stampedRow
	at := time.Date(2026, 3, 28, 20, 0, 0, 0, time.UTC)
	for i := range 400 {
		at = at.Add(time.Duration(1+r.IntN(60_000_000)) * time.Microsecond)
		if i%7 == 0 {
			at = at.Truncate(time.Second).Add(time.Second)
		}
		known := at.Add(time.Duration(r.IntN(90)) * time.Second)
		texts = append(texts, writtenRow{inWritings(r, at), inWritings(r, known), string(rune('a' + i%2)), int64(i / 2 % 2)})
		stamps = append(stamps, stampedRow{at.UnixMicro(), known.UnixMicro(), texts[i].Arm, texts[i].Reward})
	}
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "stamps.parquet"), stamps)
	want, _ := taken(t, writtenProtocol(), filepath.Join(dir, "stamps.parquet"))
	for _, name := range []string{"in order.parquet", "shuffled.parquet"} {
		path := filepath.Join(dir, name)
		ingesttest.WriteParquet(t, path, texts)
		for _, jobs := range []int{1, 3} {
			got, m, err := ingestAll(t, writtenProtocol(), Options{Jobs: jobs}, path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d jobs: %s", name, jobs, diff)
			}
			if first, last := m.Experiments[0].FirstTime, m.Experiments[0].LastTime; first > "2026-03-28T20:02:00Z" || last < first {
				t.Errorf("%s: %s to %s", name, first, last)
			}
		}
		r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	}
}

// What does not compare as an instant is refused with its row, and equal instants tie in
// whatever writing.
func TestTextsThatAreNoInstants(t *testing.T) {
	for name, c := range map[string]struct {
		texts string // between bars; the other columns are in one writing
		rule  string
		row   int64
		what  string
	}{
		"no zone":     {"2026-03-29 00:00:00Z|2026-03-29 00:00:01+05:00|2026-03-29 00:00:02", fault.RuleType, 2, "a time without a zone, and the first time of the column has one"},
		"a zone":      {"2026-03-29 00:00:00|2026-03-29 00:00:01.5|2026-03-29 00:00:02Z", fault.RuleType, 2, "a time with a zone, and the first time of the column has none"},
		"named zones": {"2026-03-29 00:00:00Z|2026-03-29 00:00:01 CET", fault.RuleType, 1, "no time with its zone in hours and minutes"},
		"no time":     {"2026-03-29 00:00:00Z|soon|2026-03-29 00:00:01+01:00", fault.RuleType, 1, "a text that is no time"},
		"a tie":       {"2026-03-29 05:00:00+05:00|2026-03-29 00:00:00Z", fault.RuleTie, 0, "ties with"},
		"more digits": {"2026-03-29 00:00:00.5Z|2026-03-29 00:00:00.500Z", fault.RuleTie, 0, "ties with"},
	} {
		t.Run(name, func(t *testing.T) {
			var rows []writtenRow
			for text := range strings.SplitSeq(c.texts, "|") {
				rows = append(rows, writtenRow{At: text, Arm: "a"})
			}
			path := filepath.Join(t.TempDir(), "log.parquet")
			ingesttest.WriteParquet(t, path, rows)
			p := writtenProtocol()
			p.Log.RewardOrder = ""
			e := refused(t, p, c.rule, path)
			if e.Row != c.row || e.Column != "at" || !strings.Contains(e.What, c.what) || e.Mend == "" {
				t.Errorf("%+v", e)
			}
		})
	}
}

// Texts that are no times, and times in one writing, are compared byte by byte.
func TestTextsCompareBytewise(t *testing.T) {
	for _, texts := range []string{"c|a|b", "10|9|1", "2026-03-29T03:00+05:00|2026-03-29T01:00+05:00|2026-03-29T02:00+05:00", "2026-03-29T10:00 k12|2026-03-29T10:00 k7"} {
		var rows []writtenRow
		all := strings.Split(texts, "|")
		for _, text := range all {
			rows = append(rows, writtenRow{At: text, Arm: "a"})
		}
		sorted := slices.Sorted(slices.Values(all))
		for i := range rows {
			rows[i].Reward = int64(slices.Index(sorted, rows[i].At))
		}
		path := filepath.Join(t.TempDir(), "log.parquet")
		ingesttest.WriteParquet(t, path, rows)
		p := writtenProtocol()
		p.Log.RewardOrder, p.Reward.Range = "", []float64{0, 5}
		got, _ := taken(t, p, path)
		if !slices.IsSorted(got[0].Reward) {
			t.Errorf("%s: %v", texts, got[0].Reward)
		}
	}
}
