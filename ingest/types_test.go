package ingest

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/role"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// types is a row with a column of many types.
type types struct {
	Order   int64       `parquet:"order"`
	I8      int8        `parquet:"i8"`
	I16     int16       `parquet:"i16"`
	I32     int32       `parquet:"i32"`
	I64     int64       `parquet:"i64"`
	U8      uint8       `parquet:"u8"`
	U16     uint16      `parquet:"u16"`
	U32     uint32      `parquet:"u32"`
	U64     uint64      `parquet:"u64"`
	F32     float32     `parquet:"f32"`
	F64     float64     `parquet:"f64"`
	Bool    bool        `parquet:"bool"`
	Text    string      `parquet:"text"`
	Ms      time.Time   `parquet:"ms,timestamp(millisecond)"`
	Us      time.Time   `parquet:"us,timestamp(microsecond)"`
	Ns      time.Time   `parquet:"ns,timestamp(nanosecond)"`
	Day     int32       `parquet:"day,date"`
	Decimal int64       `parquet:"decimal,decimal(2:10)"`
	Whole   int64       `parquet:"whole,decimal(0:10)"`
	Clock   int64       `parquet:"clock,time(microsecond)"`
	UUID    [16]byte    `parquet:"uuid,uuid"`
	Bytes   []byte      `parquet:"bytes"`
	List    []float64   `parquet:"list,list"`
	List32  []float32   `parquet:"list32,list"`
	Ints    []int64     `parquet:"ints,list"`
	Flags   []bool      `parquet:"flags,list"`
	Names   []string    `parquet:"names,list"`
	Matrix  [][]float64 `parquet:"matrix,list"`
	Inner   struct {
		Age float64 `parquet:"age"`
	} `parquet:"inner"`
}

// three rows whose values rise in every column.
func threeTypes() []types {
	rows := make([]types, 3)
	for i := range rows {
		at := time.Unix(1_700_000_000+int64(i), 0).UTC()
		rows[i] = types{
			Order: int64(i), I8: int8(i), I16: int16(i), I32: int32(i), I64: int64(i), U8: uint8(i), U16: uint16(i), U32: uint32(i), U64: uint64(i),
			F32: float32(i), F64: float64(i), Bool: i > 1, Text: string(rune('0' + i)), Ms: at, Us: at, Ns: at, Day: int32(i), Decimal: int64(i),
			Whole: int64(i), Clock: int64(i), UUID: [16]byte{15: byte(i)}, Bytes: []byte{'0' + byte(i)},
			Flags: []bool{true, true, true}, Names: []string{"0", "1", "2"}, Matrix: [][]float64{{1, 2}, {3, 4}, {5, 6}},
			List: []float64{float64(i), -float64(i)}, List32: []float32{float32(i) / 2}, Ints: []int64{1},
		}
		rows[i].Inner.Age = float64(i) * 10
	}
	return rows
}

func typedProtocol() *schemas.Protocol {
	return &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log:    schemas.Log{Order: []string{"order"}, Action: "text", Reward: "f64"},
		Reward: schemas.RewardSpec{Range: []float64{0, 20}},
	}
}

// typed is that protocol with another role.
func typed(r role.Role, column string) *schemas.Protocol {
	p := typedProtocol()
	set(p, r, column)
	return p
}

// set gives a column a role, and declares arms where its lists need them.
func set(p *schemas.Protocol, r role.Role, column string) {
	switch r {
	case role.PropensityByArm, role.ContextByArm, role.RewardByArm, role.ReleasedByArm, role.ScoreByArm, role.Eligible:
		p.Arms = []string{"0", "1", "2"} // as threeTypes has them
	default:
	}
	switch r {
	case role.Target:
		p.Analysis.Evaluate = []schemas.EvaluationSpec{{ID: "V", Target: schemas.Target{Column: column}}}
	case role.Order:
		p.Log.Order = []string{column}
	case role.Action:
		p.Log.Action = column
	case role.Reward:
		p.Log.Reward = column
	case role.Propensity:
		p.Log.Propensity = column
	case role.Experiment:
		p.Experiment = schemas.ExperimentSpec{Column: column}
	case role.Context:
		p.Log.Context.Columns = []schemas.ContextColumn{{Column: column}}
	case role.ContextList:
		p.Log.Context.List = column
	case role.PropensityByArm:
		p.Log.PropensityByArm = column
	case role.ContextByArm:
		p.Log.ContextByArm = column
	case role.RewardByArm:
		p.Log.Reward, p.Log.RewardByArm = "", column
	case role.ReleasedByArm:
		p.Log.ReleasedByArm = column
	case role.ScoreByArm:
		p.Log.ScoreByArm = column
	case role.Eligible:
		p.Log.Eligible = column
	case role.RewardOrder:
		p.Log.RewardOrder = column
	case role.Batch:
		p.Log.Batch = column
	case role.Unit:
		p.Log.Unit = column
	case role.Position:
		p.Log.Unit, p.Draw = column, &schemas.Draw{Hash: schemas.HashGrowthBook1, Unit: column}
		p.Arms = []string{"0", "1", "2"}
	case role.Draws:
		p.Log.PropensityDraws = &schemas.Draws{Column: column}
	case role.KeepProb:
		p.Log.KeepProb = &schemas.KeepProb{Column: column}
	case role.Stratum, role.Clock: // of the policy
	}
}

// Which type can have which role, and which is refused by name.
func TestTypesByRole(t *testing.T) {
	path := ingesttest.Log(t, threeTypes())
	integers := "i8 i16 i32 i64 u8 u16 u32 u64 whole"
	numbers, times, lists := integers+" f32 f64 decimal inner.age", "ms us ns", "list list32 ints flags names matrix"
	for r, tc := range map[role.Role]struct{ takes, refuses string }{
		role.Order:           {numbers + " text bytes uuid clock day " + times, lists},
		role.Action:          {integers + " bool text bytes uuid day", "f32 f64 decimal clock " + times + " " + lists},
		role.Position:        {integers + " text bytes uuid", "bool day f32 f64 decimal clock " + times + " " + lists},
		role.Experiment:      {integers + " bool text bytes uuid day", "f32 f64 decimal clock " + times + " " + lists},
		role.Reward:          {numbers + " bool", "text bytes uuid clock day " + times + " " + lists},
		role.Propensity:      {"", "bool text bytes uuid clock day " + times + " " + lists}, // numbers are below
		role.Draws:           {"", "bool text bytes uuid clock day " + times + " " + lists}, // numbers are in draws_test.go
		role.Context:         {numbers + " bool", "text bytes uuid clock day " + times + " " + lists},
		role.ContextList:     {"list list32 ints flags", "names matrix f64 i64 text"},
		role.PropensityByArm: {"", "flags names matrix f64 text"}, // what it takes is below
		role.ContextByArm:    {"matrix", "list ints flags names f64"},
		role.RewardByArm:     {"flags", "names matrix f64"},
		role.ReleasedByArm:   {"flags matrix", "names f64 text"},
		role.Eligible:        {"flags names", "list matrix text bool"},
		role.Batch:           {integers + " bool text bytes uuid day " + times, "f32 f64 decimal clock " + lists},
		role.Unit:            {integers + " bool text bytes uuid day", "f32 f64 decimal clock " + times + " " + lists},
	} {
		for column := range strings.FieldsSeq(tc.takes) {
			p := typed(r, column)
			if _, _, err := ingestAll(t, p, Options{}, path); err != nil {
				t.Errorf("%v %s: %v", r, column, err)
			}
		}
		for column := range strings.FieldsSeq(tc.refuses) {
			p := typed(r, column)
			_, _, err := ingestAll(t, p, Options{}, path)
			e := ingesttest.WantFault(t, err, fault.RuleType)
			if e.File != "log.parquet" || e.Column != column || !strings.Contains(e.What, " where ") {
				t.Errorf("%v %s: %v", r, column, err)
			}
		}
	}
}

// Words for a reward need a condition, which names the column as SQL does.
func TestTextReward(t *testing.T) {
	type row struct {
		Order   int64  `parquet:"order"`
		Text    string `parquet:"text"`
		Clicked string `parquet:"clicked"`
		Spaced  string `parquet:"Was it \"clicked\""`
	}
	path := ingesttest.Log(t, []row{{1, "a", "secret", "secret"}})
	for column, want := range map[string]string{
		"clicked":          "write a condition that is true or false, such as clicked = 'yes', or cast it to DOUBLE",
		`Was it "clicked"`: `write a condition that is true or false, such as "Was it ""clicked""" = 'yes', or cast it to DOUBLE`,
	} {
		p := typed(role.Reward, column)
		if e := refused(t, p, fault.RuleType, path); e.Mend != want || strings.Contains(e.Error(), "secret") {
			t.Errorf("%v", e)
		}
	}
}

// Lists in arm order need declared arms, by the words of the protocol's own
// rules; lists of labels do not.
func TestListsByArmNeedArms(t *testing.T) {
	path := ingesttest.Log(t, threeTypes())
	const words = "and arms are not declared (its lists are read in the order of arms); declare arms in the order of the lists"
	_, err := replay.Standard().Format().ParseProtocol("p", []byte("log: {propensity_by_arm: w}"))
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("the protocol's rules say %v", err)
	}
	for r, column := range map[role.Role]string{role.PropensityByArm: "list", role.ContextByArm: "matrix", role.RewardByArm: "flags", role.ReleasedByArm: "flags"} {
		p := typed(r, column)
		p.Arms = nil
		if _, _, err := ingestAll(t, p, Options{}, path); !errors.Is(err, fault.ErrProtocol) || !strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), "log."+r.String()) {
			t.Errorf("%v: %v", r, err)
		}
	}
	for column, refused := range map[string]bool{"flags": true, "names": false} {
		p := typed(role.Eligible, column)
		p.Arms = nil
		_, _, err := ingestAll(t, p, Options{}, path)
		if !refused && err != nil {
			t.Errorf("%s: %v", column, err)
		}
		if refused && (!strings.Contains(ingesttest.WantFault(t, err, fault.RuleType).Error(), words) || ingesttest.InputErrors(err)[0].Column != column) {
			t.Errorf("%s: %v", column, err)
		}
	}
}

func TestTypesReadAs(t *testing.T) {
	path := ingesttest.Log(t, threeTypes())
	for _, tc := range []struct {
		role   role.Role
		column string
		want   func(c contents, m *schemas.Manifest) any
		is     any
	}{
		{role.Reward, "bool", func(c contents, m *schemas.Manifest) any { return []any{c.Reward, m.Reward.Type} }, []any{[]float64{0, 0, 1}, "bool"}},
		{role.Reward, "u32", func(c contents, m *schemas.Manifest) any { return []any{c.Reward, m.Reward.Type} }, []any{[]float64{0, 1, 2}, "int"}},
		{role.Reward, "f32", func(c contents, m *schemas.Manifest) any { return []any{c.Reward, m.Reward.Type} }, []any{[]float64{0, 1, 2}, "float"}},
		{role.Reward, "decimal", func(c contents, m *schemas.Manifest) any { return []any{c.Reward, m.Reward.Type} }, []any{[]float64{0, 0.01, 0.02}, "float"}},
		{role.Action, "bool", func(c contents, m *schemas.Manifest) any { return []any{c.Arm, m.Arms} }, []any{[]int32{0, 0, 1}, []string{"false", "true"}}},
		{role.Action, "day", func(c contents, m *schemas.Manifest) any { return []any{c.Arm, m.Arms} }, []any{[]int32{0, 1, 2}, []string{"1970-01-01", "1970-01-02", "1970-01-03"}}},
		{role.Action, "whole", func(c contents, m *schemas.Manifest) any { return []any{c.Arm, m.Arms} }, []any{[]int32{0, 1, 2}, []string{"0", "1", "2"}}},
		{role.Action, "uuid", func(_ contents, m *schemas.Manifest) any { return m.Arms[2] }, "00000000-0000-0000-0000-000000000002"},
		{role.Action, "i8", func(c contents, m *schemas.Manifest) any { return []any{c.Arm, m.Arms} }, []any{[]int32{0, 1, 2}, []string{"0", "1", "2"}}},
		{role.Context, "inner.age", func(c contents, m *schemas.Manifest) any { return []any{c.X, m.Context} }, []any{[][]float64{{0, 10, 20}}, []string{"inner.age"}}},
		{role.ContextList, "list", func(c contents, m *schemas.Manifest) any { return []any{c.X, m.Context} }, []any{[][]float64{{0, 1, 2}, {0, -1, -2}}, []string{"list[0]", "list[1]"}}},
		{role.ContextList, "list32", func(c contents, _ *schemas.Manifest) any { return c.X }, [][]float64{{0, 0.5, 1}}},
	} {
		p := typed(tc.role, tc.column)
		got, m := taken(t, p, path)
		if diff := cmp.Diff(tc.is, tc.want(got[0], m)); diff != "" {
			t.Errorf("%s: %s", tc.column, diff)
		}
	}
}

// Whole numbers that float64 does not hold exactly are refused, in every role
// of a number.
func TestNotExact(t *testing.T) {
	for _, v := range []int64{cell.ExactNumber + 1, -cell.ExactNumber - 1, math.MaxInt64, math.MinInt64} {
		rows := threeTypes()
		rows[1].I64 = v
		path := ingesttest.Log(t, rows)
		p := typed(role.Context, "i64")
		if e := refused(t, p, fault.RuleNotExact, path); e.Row != 1 {
			t.Errorf("got %v", e)
		}
	}
	rows := threeTypes()
	rows[0].I64, rows[1].I64 = cell.ExactNumber, -cell.ExactNumber
	rows[2].U64 = math.MaxUint64
	path := ingesttest.Log(t, rows)
	p := typed(role.Context, "i64")
	if _, _, err := ingestAll(t, p, Options{}, path); err != nil {
		t.Errorf("2^53 is exact: %v", err)
	}
	for _, r := range []role.Role{role.Context, role.Order} {
		p = typed(r, "u64")
		_ = refused(t, p, fault.RuleNotExact, path)
	}
	p = typed(role.Action, "u64")
	if _, m, err := ingestAll(t, p, Options{}, path); err != nil || m.Arms[2] != "18446744073709551615" {
		t.Errorf("a label of 2^64−1: %v, %v", m, err)
	}
}

func TestListLengths(t *testing.T) {
	for name, tc := range map[string]struct {
		lists [3][]float64
		rule  string
		row   int64
	}{
		"shorter":        {[3][]float64{{1, 2}, {1, 2}, {1}}, fault.RuleListLength, 2},
		"longer":         {[3][]float64{{1, 2}, {1, 2, 3}, {1, 2}}, fault.RuleListLength, 1},
		"empty":          {[3][]float64{{1, 2}, {}, {1, 2}}, fault.RuleListLength, 1},
		"empty at first": {[3][]float64{{}, {1, 2}, {1, 2}}, fault.RuleListLength, 0},
		"NaN":            {[3][]float64{{1, 2}, {1, math.NaN()}, {1, 2}}, fault.RuleNotFinite, 1},
	} {
		rows := threeTypes()
		for i := range rows {
			rows[i].List = tc.lists[i]
		}
		path := ingesttest.Log(t, rows)
		p := typed(role.ContextList, "list")
		_, _, err := ingestAll(t, p, Options{}, path)
		if e := ingesttest.WantFault(t, err, tc.rule); e.Row != tc.row || e.Count != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A column of empty lists has no length to go by, and is no context.
func TestListsAllEmpty(t *testing.T) {
	rows := threeTypes()
	for i := range rows {
		rows[i].List = []float64{}
	}
	path := ingesttest.Log(t, rows)
	p := typed(role.ContextList, "list")
	if e := refused(t, p, fault.RuleListLength, path); e.Row != 0 || e.Count != 3 || e.Column != "list" || !strings.Contains(e.Error(), "empty lists only") {
		t.Errorf("got %v", e)
	}
}

func TestMissingColumn(t *testing.T) {
	dir := t.TempDir()
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), ingesttest.Events(3))
	type other struct {
		Round int64 `parquet:"round"`
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), []other{{4}})
	p := protocol()
	p.Log.Reward = "rewrad"
	_, _, err := ingestAll(t, p, Options{}, dir)
	missing := map[string]string{}
	for _, e := range ingesttest.InputErrors(err) {
		if e.Rule != fault.RuleColumn {
			t.Errorf("got %v", e)
		}
		missing[e.File+" "+e.Column] = e.Mend
	}
	if len(missing) != 5 { // rewrad in both; arm, p, age, land in the second
		t.Errorf("got %v", err)
	}
	if mend := missing[" rewrad"]; !strings.Contains(mend, `did you mean "reward"?`) || !strings.Contains(mend, "round, arm, reward, p, age, land") {
		t.Errorf("got %q", mend)
	}
}

// Files may differ in the order of their columns and the width of numbers.
func TestUnify(t *testing.T) {
	dir := t.TempDir()
	type one struct {
		Round  int32   `parquet:"round"`
		Arm    int64   `parquet:"arm"`
		Reward float32 `parquet:"reward"`
	}
	type two struct {
		Reward bool   `parquet:"reward"`
		Arm    string `parquet:"arm"`
		Round  uint64 `parquet:"round"`
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []one{{1, 7, 0.5}, {2, 10, 0.25}})
	ingesttest.WriteParquet(t, filepath.Join(dir, "b.parquet"), []two{{true, "10", 3}, {false, "9", 4}})
	p := protocol()
	p.Log.Propensity, p.Log.Context = "", schemas.Context{}
	got, m := taken(t, p, dir)
	want := []contents{{ID: "exp", Round: []int64{1, 2, 3, 4}, Arm: []int32{0, 2, 2, 1}, Reward: []float64{0.5, 0.25, 1, 0}, X: [][]float64{}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if m.Reward.Type != "float" || m.Columns[2].Type != "FLOAT or BOOLEAN" {
		t.Errorf("reward %+v, columns %+v", m.Reward, m.Columns)
	}
	type three struct {
		Round  time.Time `parquet:"round,timestamp(microsecond)"`
		Arm    string    `parquet:"arm"`
		Reward bool      `parquet:"reward"`
	}
	ingesttest.WriteParquet(t, filepath.Join(dir, "c.parquet"), []three{{time.Unix(9, 0), "9", true}})
	if e := refused(t, p, fault.RuleType, dir); e.File != "c.parquet" || e.Column != "round" {
		t.Errorf("got %v", e)
	}
}

// Timestamps of one order column must be of one kind in all files: instants
// and local times do not compare. Milliseconds and microseconds do.
func TestUnifyTimestamps(t *testing.T) {
	type utcMicro struct {
		At     int64   `parquet:"at,timestamp(microsecond:utc)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type localMicro struct {
		At     int64   `parquet:"at,timestamp(microsecond:local)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	type utcMilli struct {
		At     int64   `parquet:"at,timestamp(millisecond:utc)"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
	}
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log:    schemas.Log{Order: []string{"at"}, Action: "arm", Reward: "reward"},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	for name, tc := range map[string]struct {
		write func(path string)
		says  string
	}{
		"utc and utc":          {func(path string) { ingesttest.WriteParquet(t, path, []utcMicro{{2, "a", 0}}) }, ""},
		"utc and local":        {func(path string) { ingesttest.WriteParquet(t, path, []localMicro{{2, "a", 0}}) }, "microseconds, local) where a.parquet has INT64 (timestamp, microseconds, UTC)"},
		"micro- and milli-":    {func(path string) { ingesttest.WriteParquet(t, path, []utcMilli{{2, "a", 0}}) }, ""},
		"utc and local, empty": {func(path string) { ingesttest.WriteParquet(t, path, []localMicro{}) }, "microseconds, local) where"},
	} {
		dir := t.TempDir()
		ingesttest.WriteParquet(t, filepath.Join(dir, "a.parquet"), []utcMicro{{1, "a", 0}})
		tc.write(filepath.Join(dir, "b.parquet"))
		_, _, err := ingestAll(t, p, Options{}, dir)
		if tc.says == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if e := ingesttest.WantFault(t, err, fault.RuleType); e.File != "b.parquet" || e.Column != "at" || !strings.Contains(e.Error(), tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := t.TempDir()
	for i, path := range []string{"a.parquet", "b.parquet"} {
		ingesttest.WriteParquet(t, filepath.Join(dir, path), []localMicro{{int64(i), "a", 0}})
	}
	if _, _, err := ingestAll(t, p, Options{}, dir); err != nil {
		t.Errorf("local and local: %v", err)
	}
}

// Two columns of one name: the message says so (testdata/parquet/make.py).
func TestColumnTwice(t *testing.T) {
	p := &schemas.Protocol{
		Version: 1, Experiment: schemas.ExperimentSpec{ID: "exp"},
		Log:    schemas.Log{Order: []string{"round"}, Action: "action", Reward: "reward", Context: schemas.Context{Columns: []schemas.ContextColumn{{Column: "x0"}}}},
		Reward: schemas.RewardSpec{Range: []float64{0, 1}},
	}
	path := filepath.Join(fixtures, "pyarrow-twice.parquet")
	if e := refused(t, p, fault.RuleTwice, path); e.Column != "x0" || !strings.Contains(e.Error(), "two columns of that name") || strings.Contains(e.Error(), "did you mean") {
		t.Errorf("got %v", e)
	}
	p.Log.Context = schemas.Context{}
	if _, _, err := ingestAll(t, p, Options{}, path); err != nil {
		t.Errorf("where they are not asked for: %v", err)
	}
}

func TestCategoricalLevels(t *testing.T) {
	path := ingesttest.Log(t, threeTypes())
	for _, tc := range []struct {
		column schemas.ContextColumn
		names  []string
		x      [][]float64
	}{
		{schemas.ContextColumn{Column: "text", Levels: []string{"0", "1", "2"}}, []string{"text=1", "text=2"}, [][]float64{{0, 1, 0}, {0, 0, 1}}},
		{schemas.ContextColumn{Column: "text", Levels: []string{"0", "1", "2"}, Baseline: new("2")}, []string{"text=0", "text=1"}, [][]float64{{1, 0, 0}, {0, 1, 0}}},
		{schemas.ContextColumn{Column: "i32", Levels: []string{"2", "1", "0"}}, []string{"i32=1", "i32=0"}, [][]float64{{0, 1, 0}, {1, 0, 0}}},
		{schemas.ContextColumn{Column: "bool", Levels: []string{"false", "true"}}, []string{"bool=true"}, [][]float64{{0, 0, 1}}},
	} {
		p := typedProtocol()
		p.Log.Context.Columns = []schemas.ContextColumn{tc.column}
		got, m := taken(t, p, path)
		if diff := cmp.Diff(tc.names, m.Context) + cmp.Diff(tc.x, got[0].X); diff != "" {
			t.Error(diff)
		}
	}
	p := typedProtocol()
	p.Log.Context.Columns = []schemas.ContextColumn{{Column: "f64", Levels: []string{"0"}}}
	_ = refused(t, p, fault.RuleType, path)
}
