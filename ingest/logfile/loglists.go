package logfile

import (
	"math"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// listsByArm are the columns that have a value, or a list of values, for each
// arm.
func (s *Layout) listsByArm() []logColumn {
	var cs []logColumn
	if w := s.ContextByArm; w > 0 {
		cs = append(cs, nestedLists(schemas.KeyContextByArm, w, func(r *Row) []float64 { return r.ContextByArm }, func(l *schemas.Log, name string) { l.ContextByArm = name }))
	}
	if s.PropensityByArm {
		cs = append(cs, doubleLists(schemas.KeyPropensityByArm, func(r *Row) []float64 { return r.PropensityByArm }, func(l *schemas.Log, name string) { l.PropensityByArm = name }))
	}
	released, declare := func(r *Row) []float64 { return r.ReleasedByArm }, func(l *schemas.Log, name string) { l.ReleasedByArm = name }
	switch {
	case s.ReleasedByArm == 1:
		cs = append(cs, doubleLists(schemas.KeyReleasedByArm, released, declare))
	case s.ReleasedByArm > 1:
		cs = append(cs, nestedLists(schemas.KeyReleasedByArm, s.ReleasedByArm, released, declare))
	}
	if s.ScoreByArm {
		cs = append(cs, doubleLists(schemas.KeyScoreByArm, func(r *Row) []float64 { return r.ScoreByArm }, func(l *schemas.Log, name string) { l.ScoreByArm = name }))
	}
	if s.RewardByArm {
		cs = append(cs, s.rewards())
	}
	if s.Eligible != "" {
		cs = append(cs, s.eligible())
	}
	return cs
}

// doubleLists is a column of lists of doubles.
func doubleLists(name string, values func(r *Row) []float64, declare func(l *schemas.Log, name string)) logColumn {
	return logColumn{
		name: name, options: ",list", typ: reflect.TypeFor[[]float64](), declare: declare,
		put: func(row parquet.Row, column int, r *Row) parquet.Row {
			for i, v := range values(r) {
				row = append(row, parquet.DoubleValue(v).Level(min(i, 1), 1, column))
			}
			return row
		},
	}
}

// nestedLists returns a column of lists of lists of width doubles.
func nestedLists(name string, width int, values func(r *Row) []float64, declare func(l *schemas.Log, name string)) logColumn {
	return logColumn{
		name: name, options: ",list", typ: reflect.TypeFor[[][]float64](), declare: declare,
		put: func(row parquet.Row, column int, r *Row) parquet.Row {
			for i, v := range values(r) {
				repetition := 2
				if i%width == 0 {
					repetition = min(i, 1)
				}
				row = append(row, parquet.DoubleValue(v).Level(repetition, 2, column))
			}
			return row
		},
	}
}

// nullableLists is a column of lists that may be null: where items says so.
func nullableLists(name string, typ reflect.Type, items func(add func(parquet.Value), r *Row) bool, declare func(l *schemas.Log, name string)) logColumn {
	return logColumn{
		name: name, options: ",optional,list", typ: typ, declare: declare,
		put: func(row parquet.Row, column int, r *Row) parquet.Row {
			n := len(row)
			if !items(func(v parquet.Value) { row = append(row, v.Level(min(len(row)-n, 1), 2, column)) }, r) {
				row = append(row, parquet.NullValue().Level(0, 0, column))
			}
			return row
		},
	}
}

// rewards is the column of the rewards of all arms; null where they are
// missing.
func (s *Layout) rewards() logColumn {
	typ, value := s.rewardType()
	return nullableLists(schemas.KeyRewardByArm, reflect.SliceOf(typ), func(add func(parquet.Value), r *Row) bool {
		if math.IsNaN(r.Reward) {
			return false
		}
		for _, y := range r.RewardByArm {
			add(value(y))
		}
		return true
	}, func(l *schemas.Log, name string) { l.RewardByArm = name })
}

// eligible is the column of the arms that could be chosen; null where all.
func (s *Layout) eligible() logColumn {
	typ := reflect.TypeFor[[]string]()
	if s.Eligible == EligibleFlags {
		typ = reflect.TypeFor[[]bool]()
	}
	return nullableLists(schemas.KeyEligible, typ, func(add func(parquet.Value), r *Row) bool {
		for arm, can := range r.Eligible {
			switch {
			case s.Eligible == EligibleFlags:
				add(parquet.BooleanValue(can))
			case can:
				add(parquet.ByteArrayValue([]byte(s.Labels[arm])))
			}
		}
		return r.Eligible != nil
	}, func(l *schemas.Log, name string) { l.Eligible = name })
}
