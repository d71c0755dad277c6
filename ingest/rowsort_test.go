package ingest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/ingesttest"
	"banditaudit/schemas"
)

// full is a row of a log that declares everything.
type full struct {
	Exp    string      `parquet:"exp"`
	At     int64       `parquet:"at"`
	Seq    string      `parquet:"seq"`
	Arm    string      `parquet:"arm"`
	Reward *float64    `parquet:"reward,optional"`
	P      float64     `parquet:"p"`
	Probs  []float64   `parquet:"probs,list"`
	Seen   [][]float64 `parquet:"seen,list"`
	Open   []bool      `parquet:"open,list"`
	User   string      `parquet:"user"`
	Known  *int64      `parquet:"known,optional"`
	Day    string      `parquet:"day"`
	Age    float64     `parquet:"age"`
}

func fullProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "exp"},
		Log: schemas.Log{
			Order: []string{"at", "seq"}, Action: "arm", Reward: "reward", Propensity: "p", PropensityByArm: "probs", ReleasedByArm: "seen",
			Eligible: "open", Unit: "user", RewardOrder: "known", Batch: "day", MissingReward: schemas.MissingExclude,
			Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "age"}}},
		},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}}, Arms: []string{"a", "b", "c"},
	}
}

// fullRows are rows in their final order, with several rows at one time.
func fullRows(seed uint64, experiments, rounds int) []full {
	rng := rand.New(rand.NewPCG(seed, 7))
	var rows []full
	for e := range experiments {
		for r := range rounds {
			at := int64(r/3*5 - 20)
			row := full{
				Exp: strconv.Itoa(e * 7), At: at, Seq: fmt.Sprintf("s\x00%d", r%3), Arm: string(rune('a' + rng.IntN(3))), P: 0.25,
				Probs: []float64{0.25, 0.25, 0.5}, Seen: [][]float64{{rng.NormFloat64(), 1}, {2, 3}, {float64(r), float64(e)}}, Open: []bool{true, true, true},
				User: fmt.Sprintf("u%d", rng.IntN(1+rounds/2)), Day: fmt.Sprintf("day %d", r/7), Age: float64(len(rows)),
			}
			row.Open[rng.IntN(3)] = false
			row.Open[row.Arm[0]-'a'] = true
			if rng.IntN(5) > 0 {
				row.Reward = new(float64(rng.IntN(2)))
			}
			if rng.IntN(6) > 0 {
				row.Known = new(at + rng.Int64N(30))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// wantUnits numbers the users of one experiment's rows as the words say: from 0
// in the order of their labels.
func wantUnits(rows []full) []int64 {
	var users []string
	for i := range rows {
		users = append(users, rows[i].User)
	}
	slices.Sort(users)
	users = slices.Compact(users)
	units := make([]int64, len(rows))
	for i := range rows {
		at, _ := slices.BinarySearch(users, rows[i].User)
		units[i] = int64(at)
	}
	return units
}

// wantRounds counts, for every row, the rounds at or before the moment its
// reward became known.
func wantRounds(rows []full) []int64 {
	rounds := make([]int64, len(rows))
	for i := range rows {
		if rows[i].Known == nil {
			rounds[i] = math.MaxInt64
			continue
		}
		for j := range rows {
			if rows[j].At <= *rows[i].Known {
				rounds[i]++
			}
		}
	}
	return rounds
}

// wantContents is what a tableau of rows in their final order holds.
func wantContents(rows []full) []contents {
	var all []contents
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && rows[to].Exp == rows[from].Exp {
			to++
		}
		part := rows[from:to]
		c := contents{ID: part[0].Exp, X: make([][]float64, 1), Unit: wantUnits(part), RewardRound: wantRounds(part)}
		days := map[string]int32{}
		for i := range part {
			r := &part[i]
			c.Round, c.Arm, c.Propensity = append(c.Round, int64(i+1)), append(c.Arm, int32(r.Arm[0]-'a')), append(c.Propensity, r.P)
			reward := math.NaN()
			if r.Reward != nil {
				reward = *r.Reward
			}
			c.Reward, c.X[0] = append(c.Reward, reward), append(c.X[0], r.Age)
			c.PropensityByArm, c.Eligible = append(c.PropensityByArm, r.Probs...), append(c.Eligible, r.Open...)
			c.ReleasedByArm = append(c.ReleasedByArm, slices.Concat(r.Seen...)...)
			if _, ok := days[r.Day]; !ok {
				days[r.Day] = int32(len(days))
			}
			c.Batch = append(c.Batch, days[r.Day])
		}
		all = append(all, c)
		from = to
	}
	return all
}

// scatter writes rows in the given order to files of random sizes.
func scatter(t *testing.T, rows []full, rng *rand.Rand) string {
	t.Helper()
	dir := t.TempDir()
	for k, at := 0, 0; at < len(rows); k++ {
		to := min(len(rows), at+1+len(rows)/20+rng.IntN(len(rows)))
		ingesttest.WriteParquet(t, filepath.Join(dir, fmt.Sprintf("%d.parquet", k)), rows[at:to], parquet.MaxRowsPerRowGroup(int64(50+rng.IntN(500))))
		at = to
	}
	return dir
}

// Given a total order, however the rows lie in files, whatever the number of
// jobs and the memory, the tableau has the same bytes, and they are what the
// definitions say.
func TestEveryColumnThroughTheSort(t *testing.T) {
	for seed := range uint64(3) {
		rows := fullRows(seed, 1+int(seed)*2, 250)
		slices.SortStableFunc(rows, func(a, b full) int { // ids are whole numbers
			return cmp.Or(cmp.Compare(len(a.Exp), len(b.Exp)), strings.Compare(a.Exp, b.Exp))
		})
		want := wantContents(rows)
		rng := rand.New(rand.NewPCG(seed, 3))
		var first *schemas.Manifest
		for run := range 6 {
			got, m, err := ingestAll(t, fullProtocol(), Options{Jobs: 1 + run%3, sortMemory: []int64{0, 1, 64 << 10}[run/2]}, scatter(t, rows, rng))
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
				t.Fatalf("seed %d, run %d: (-want +got)\n%s", seed, run, diff)
			}
			if first == nil {
				first = m
			}
			if m.SHA256 != first.SHA256 || m.Units != first.Units || m.Units == "" {
				t.Errorf("seed %d, run %d: other bytes", seed, run)
			}
			if diff := gocmp.Diff(first.Experiments, m.Experiments); diff != "" {
				t.Errorf("seed %d, run %d: %s", seed, run, diff)
			}
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
	}
}
