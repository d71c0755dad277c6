package logfile

import (
	"math"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// logColumn is a column of a log that Writer writes: its type, its values,
// and the role in which it is read back.
type logColumn struct {
	role    string // its name where the spec gives no other
	name    string
	options string // of parquet-go's tag
	typ     reflect.Type
	put     func(row parquet.Row, column int, r *Row) parquet.Row
	declare func(l *schemas.Log, name string)
}

// Mapping returns the log section of a protocol that reads the log back. The
// experiment column is declared as experiment: {column: experiment}.
func (s *Layout) Mapping() schemas.Log {
	l := schemas.Log{}
	for _, c := range s.columns() {
		if c.declare != nil {
			c.declare(&l, c.name)
		}
	}
	if s.MissingReward {
		l.MissingReward = schemas.MissingExclude
	}
	return l
}

// columns lists the columns of a log in order.
func (s *Layout) columns() []logColumn {
	var cs []logColumn
	if s.Experiments {
		cs = append(cs, flatColumn(schemas.KeyExperiment, reflect.TypeFor[int64](), func(r *Row) parquet.Value { return parquet.Int64Value(r.Experiment) }, nil))
	}
	round := flatColumn("round", reflect.TypeFor[int64](), func(r *Row) parquet.Value { return parquet.Int64Value(r.Round) },
		func(l *schemas.Log, name string) { l.Order = []string{name} })
	cs = append(cs, round, s.action())
	if !s.RewardByArm {
		cs = append(cs, s.reward())
	}
	if s.Propensity {
		cs = append(cs, flatColumn(schemas.KeyPropensity, reflect.TypeFor[float64](), func(r *Row) parquet.Value { return parquet.DoubleValue(r.Propensity) },
			func(l *schemas.Log, name string) { l.Propensity = name }))
	}
	for i := range s.ContextDim {
		cs = append(cs, flatColumn("x"+strconv.Itoa(i), reflect.TypeFor[float64](), func(r *Row) parquet.Value { return parquet.DoubleValue(r.X[i]) },
			func(l *schemas.Log, name string) {
				l.Context.Columns = append(l.Context.Columns, schemas.ContextColumn{Column: name})
			}))
	}
	cs = append(append(cs, s.listsByArm()...), s.schedule()...)
	for i := range cs {
		cs[i].role = cs[i].name
		if name, ok := s.Names[cs[i].role]; ok {
			cs[i].name = name
		}
	}
	return cs
}

// flatColumn is a required column with one value for each row.
func flatColumn(name string, typ reflect.Type, value func(r *Row) parquet.Value, declare func(l *schemas.Log, name string)) logColumn {
	return logColumn{name: name, typ: typ, declare: declare, put: func(row parquet.Row, column int, r *Row) parquet.Row {
		return append(row, value(r).Level(0, 0, column))
	}}
}

// optionalColumn is a column that may be null: where value says so.
func optionalColumn(name string, typ reflect.Type, value func(r *Row) (parquet.Value, bool), declare func(l *schemas.Log, name string)) logColumn {
	return logColumn{name: name, options: ",optional", typ: typ, declare: declare, put: func(row parquet.Row, column int, r *Row) parquet.Row {
		if v, ok := value(r); ok {
			return append(row, v.Level(0, 1, column))
		}
		return append(row, parquet.NullValue().Level(0, 0, column))
	}}
}

func (s *Layout) action() logColumn {
	labels := make([]parquet.Value, len(s.Labels))
	for i, label := range s.Labels {
		labels[i] = parquet.ByteArrayValue([]byte(label))
	}
	c := flatColumn(schemas.KeyAction, reflect.TypeFor[string](), func(r *Row) parquet.Value { return labels[r.Arm] }, func(l *schemas.Log, name string) { l.Action = name })
	c.options = ",dict"
	return c
}

func (s *Layout) reward() logColumn {
	declare := func(l *schemas.Log, name string) { l.Reward = name }
	typ, value := s.rewardType()
	if !s.MissingReward {
		return flatColumn(schemas.KeyReward, typ, func(r *Row) parquet.Value { return value(r.Reward) }, declare)
	}
	return optionalColumn(schemas.KeyReward, typ, func(r *Row) (parquet.Value, bool) { return value(r.Reward), !math.IsNaN(r.Reward) }, declare)
}

func (s *Layout) rewardType() (reflect.Type, func(y float64) parquet.Value) {
	if s.Reward == RewardBool {
		return reflect.TypeFor[bool](), func(y float64) parquet.Value { return parquet.BooleanValue(y == 1) }
	}
	return reflect.TypeFor[float64](), parquet.DoubleValue
}

// schedule are the columns that say when a round was played, and whose it was.
func (s *Layout) schedule() []logColumn {
	var cs []logColumn
	if s.RewardOrder {
		known := func(r *Row) (parquet.Value, bool) {
			return parquet.Int64Value(r.RewardOrder), r.RewardOrder != tableau.NeverKnown
		}
		cs = append(cs, optionalColumn(schemas.KeyRewardOrder, reflect.TypeFor[int64](), known, func(l *schemas.Log, name string) { l.RewardOrder = name }))
	}
	if s.Batch {
		cs = append(cs, flatColumn(schemas.KeyBatch, reflect.TypeFor[int64](), func(r *Row) parquet.Value { return parquet.Int64Value(r.Batch) },
			func(l *schemas.Log, name string) { l.Batch = name }))
	}
	if s.Stratum {
		cs = append(cs, flatColumn(schemas.KeyBy, reflect.TypeFor[int64](), func(r *Row) parquet.Value { return parquet.Int64Value(r.Stratum) }, nil))
	}
	if s.Unit {
		cs = append(cs, flatColumn(schemas.KeyUnit, reflect.TypeFor[string](), func(r *Row) parquet.Value { return parquet.ByteArrayValue([]byte(r.Unit)) },
			func(l *schemas.Log, name string) { l.Unit = name }))
	}
	if s.PropensityDraws {
		cs = append(cs, flatColumn(schemas.KeyPropensityDraws, reflect.TypeFor[int64](), func(r *Row) parquet.Value { return parquet.Int64Value(r.PropensityDraws) },
			func(l *schemas.Log, name string) { l.PropensityDraws = &schemas.Draws{Column: name} }))
	}
	if s.KeepProb {
		cs = append(cs, flatColumn(schemas.KeyKeepProb, reflect.TypeFor[float64](), func(r *Row) parquet.Value { return parquet.DoubleValue(r.KeepProb) },
			func(l *schemas.Log, name string) { l.KeepProb = &schemas.KeepProb{Column: name} }))
	}
	return append(cs, s.evaluated()...)
}

// evaluated are the columns of an evaluated policy, which no key of the log declares.
func (s *Layout) evaluated() []logColumn {
	var cs []logColumn
	none := func(*schemas.Log, string) {}
	if s.TargetByArm {
		cs = append(cs, doubleLists("target_by_arm", func(r *Row) []float64 { return r.TargetByArm }, none))
	}
	if s.Target {
		cs = append(cs, flatColumn("target", reflect.TypeFor[float64](), func(r *Row) parquet.Value { return parquet.DoubleValue(r.Target) }, none))
	}
	return cs
}
