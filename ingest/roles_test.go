package ingest

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas"
)

// roleFiles are logs by pyarrow and DuckDB in which every role has a column;
// make.py beside them says how they were made.
const roleFiles = "../testdata/roles"

// expectedRoles is an experiment in expected.json; what is missing is null.
type expectedRoles struct {
	ID              string               `json:"id"`
	Arm             []int32              `json:"arm"`
	Reward          []*float64           `json:"reward"`
	RewardOfAll     []*float64           `json:"reward_of_all"`
	RewardByArm     []*float64           `json:"reward_by_arm"`
	Propensity      []float64            `json:"propensity"`
	PropensityByArm []float64            `json:"propensity_by_arm"`
	ContextByArm    []float64            `json:"context_by_arm"`
	ReleasedByArm   []float64            `json:"released_by_arm"`
	Eligible        []bool               `json:"eligible"`
	Flags           []bool               `json:"flags"`
	Batch           []int32              `json:"batch"`
	Unit            []int64              `json:"unit"`
	RewardRound     []int64              `json:"reward_round"`
	Time            []int64              `json:"time"`
	Context         map[string][]float64 `json:"context"`
	Tags            []float64            `json:"tags"`
	Counts          []schemas.ArmCount   `json:"counts"`
}

func readExpectedRoles(t *testing.T) []expectedRoles {
	t.Helper()
	data := contentOf(t, filepath.Join(roleFiles, "expected.json"))
	var all []expectedRoles
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// orNaN turns nulls into what stands for a missing reward.
func orNaN(values []*float64) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		if all[i] = math.NaN(); v != nil {
			all[i] = *v
		}
	}
	return all
}

// roleProtocol declares what the files' columns share.
func roleProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{Column: "day"}, Arms: abc(),
		Log: schemas.Log{
			Order: []string{"ts"}, Action: "variant", RewardOrder: "known", Batch: "dt", Unit: "user", MissingReward: schemas.MissingExclude,
		},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}, OutOfRange: schemas.OutOfRangeClip},
	}
}

func (e *expectedRoles) shared() contents {
	c := contents{ID: e.ID, Arm: e.Arm, Batch: e.Batch, Unit: e.Unit, RewardRound: e.RewardRound}
	for i := range e.Arm {
		c.Round = append(c.Round, int64(i+1))
	}
	return c
}

// One reward a row, a propensity, flat contexts of many types.
func flatRoles(p *schemas.Protocol) func(e *expectedRoles) contents {
	p.Log.Reward, p.Log.Propensity, p.Log.Eligible = "reward", "p", "flags" // with a propensity times are kept
	p.Log.Context.Columns = []schemas.ContextColumn{
		{Column: "age"},
		{Column: "score"},
		{Column: "vip"},
		{Column: "country", Levels: []string{"DE", "FR", "IT"}},
		{Column: "joined", Levels: []string{"2026-01-01", "2026-01-02", "2026-01-03"}, Baseline: new("2026-01-02")},
	}
	return func(e *expectedRoles) contents {
		c := e.shared()
		c.Reward, c.Propensity, c.Eligible = orNaN(e.Reward), e.Propensity, e.Flags
		c.Time = e.Time
		for _, name := range []string{"age", "score", "vip", "country=FR", "country=IT", "joined=2026-01-01", "joined=2026-01-03"} {
			c.X = append(c.X, e.Context[name])
		}
		return c
	}
}

// Everything by arm.
func listRoles(p *schemas.Protocol) func(e *expectedRoles) contents {
	l := &p.Log
	l.RewardByArm, l.PropensityByArm, l.ContextByArm, l.ReleasedByArm, l.Eligible = "all_rewards", "probs", "feats", "sums", "can"
	return func(e *expectedRoles) contents {
		c := e.shared()
		c.Reward, c.RewardByArm, c.Eligible, c.X = orNaN(e.RewardOfAll), orNaN(e.RewardByArm), e.Eligible, [][]float64{}
		c.PropensityByArm, c.ContextByArm, c.ReleasedByArm, c.Time = e.PropensityByArm, e.ContextByArm, e.ReleasedByArm, e.Time
		for i, arm := range e.Arm {
			c.Propensity = append(c.Propensity, e.PropensityByArm[3*i+int(arm)])
		}
		return c
	}
}

// A list context of whole numbers.
func tagRoles(p *schemas.Protocol) func(e *expectedRoles) contents {
	p.Log.Reward, p.Log.Context.List = "reward", "tags"
	return func(e *expectedRoles) contents {
		c := e.shared()
		c.Reward, c.X = orNaN(e.Reward), make([][]float64, 2)
		for i, tag := range e.Tags {
			c.X[i%2] = append(c.X[i%2], tag)
		}
		return c
	}
}

// What pyarrow and DuckDB wrote, in whatever physical types, reads as what
// Python computes; one block at a time, and decoded ahead.
func TestRolesOfOtherPrograms(t *testing.T) {
	expected := readExpectedRoles(t)
	for _, file := range []string{"pyarrow", "pyarrow-int96", "duckdb"} {
		for name, declare := range map[string]func(*schemas.Protocol) func(*expectedRoles) contents{"flat": flatRoles, "lists": listRoles, "tags": tagRoles} {
			t.Run(file+" "+name, func(t *testing.T) {
				p := roleProtocol()
				view := declare(p)
				got, m, err := ingestAll(t, p, Options{Jobs: 2, Tool: schemas.Tool{Name: "test", Version: "1"}}, filepath.Join(roleFiles, file+".parquet"))
				if err != nil {
					t.Fatal(err)
				}
				var want []contents
				for i := range expected {
					want = append(want, view(&expected[i]))
				}
				if diff := cmp.Diff(want, got, cmp.Comparer(sameBits)); diff != "" {
					t.Error(diff)
				}
				checkRoleManifest(t, p, expected, m)
			})
		}
	}
}

func checkRoleManifest(t *testing.T, p *schemas.Protocol, expected []expectedRoles, m *schemas.Manifest) {
	t.Helper()
	for i, e := range m.Experiments {
		units, batches := map[int64]bool{}, map[int32]bool{}
		for k := range expected[i].Unit {
			units[expected[i].Unit[k]], batches[expected[i].Batch[k]] = true, true
		}
		if e.Units != int64(len(units)) || e.Batches != int64(len(batches)) {
			t.Errorf("%d units and %d batches of %s, not %d and %d", e.Units, e.Batches, e.ID, len(units), len(batches))
		}
		if diff := cmp.Diff(slices.Concat(expected[i].Counts, expected[i].neverKnown()), e.Counts); p.Log.Reward != "" && diff != "" {
			t.Error(diff)
		}
	}
	if want := (schemas.ByArm{Context: 2, Released: 1}); p.Log.ContextByArm != "" && m.ByArm != want {
		t.Errorf("widths %+v", m.ByArm)
	}
	if err := schemas.ValidateManifest(encoded(t, m)); err != nil {
		t.Error(err)
	}
}

// neverKnown counts the null reward_order of each arm.
func (e *expectedRoles) neverKnown() []schemas.ArmCount {
	rows := make([]int64, len(abc()))
	for i, known := range e.RewardRound {
		if known == math.MaxInt64 {
			rows[e.Arm[i]]++
		}
	}
	var all []schemas.ArmCount
	for arm, n := range rows {
		if n > 0 {
			all = append(all, schemas.ArmCount{Reason: schemas.ReasonNever, Arm: arm, Rows: n})
		}
	}
	return all
}

func encoded(t *testing.T, m *schemas.Manifest) []byte {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The programs' files are one log, whatever wrote them: equal rows give equal
// rounds.arrow and units.arrow.
func TestRolesOfOtherProgramsSameBytes(t *testing.T) {
	p := roleProtocol()
	listRoles(p)
	var first *schemas.Manifest
	for _, file := range []string{"pyarrow", "pyarrow-int96", "duckdb"} {
		_, m := taken(t, p, filepath.Join(roleFiles, file+".parquet"))
		if first == nil {
			first = m
		}
		if m.SHA256 != first.SHA256 || m.Units != first.Units || len(m.Units) != 64 {
			t.Errorf("%s has other bytes: %s, %s", file, m.SHA256, m.Units)
		}
	}
}
