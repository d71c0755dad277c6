package ingest

import (
	"context"
	"fmt"
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// Inspection is what the footers of a log's files say of it.
type Inspection struct {
	Files      int                  `json:"files"`
	Rows       int64                `json:"rows"`  // as the footers claim
	Bytes      int64                `json:"bytes"` // of the files
	Partitions []InspectedPartition `json:"partitions"`
	Columns    []InspectedColumn    `json:"columns"`
	Notes      []string             `json:"notes"` // on types that fit, where another would do better
}

// InspectedPartition is a column that files have by the directories they lie
// in, named key=value.
type InspectedPartition struct {
	Key    string `json:"key"`
	Type   string `json:"type"`
	Files  int    `json:"files"`  // whose path has the key
	Values int    `json:"values"` // distinct ones; a null is none
	Nulls  int    `json:"nulls"`  // files in which it is null
}

// InspectedColumn is a column that the protocol names.
type InspectedColumn struct {
	Column  string          `json:"column"`
	Role    string          `json:"role"` // the protocol's key
	Types   []InspectedType `json:"types"`
	Becomes string          `json:"becomes"` // in the tableau, in words
}

// InspectedType is one type of a column and the files that have it.
type InspectedType struct {
	Type  string `json:"type"`
	Files int    `json:"files"`
	First string `json:"first"` // URI of the first of them
}

// Inspect says what each column that the protocol names is in the log and what
// it turns into, from the files' footers and paths alone: no row is read, so
// nulls, ranges, ties and labels are not looked at. All problems are reported
// at once, as *InputError, and the columns that could be found are returned
// beside them. Errors are as of Ingest. Special cases are:
//
//	a column that no file has, or that cannot have its role anywhere, is left out
//	a file that cannot be opened counts among Files, and has neither rows nor bytes
func Inspect(ctx context.Context, p *schemas.Protocol, src []files.Source, o Options) (*Inspection, error) {
	f := &fault.List{At: o.At}
	l, err := newLogFiles(p, o.roles(), o.Budget(), f)
	if err != nil {
		return nil, err
	}
	if err := l.openLog(ctx, src); err != nil {
		return nil, err
	}
	l.filled()
	in := &Inspection{Files: len(l.inputs), Rows: l.rows, Partitions: inspectPartitions(l.partitions), Columns: []InspectedColumn{}, Notes: []string{}}
	for i := range l.inputs {
		if l.inputs[i].info != nil {
			in.Bytes += l.inputs[i].info.Size()
		}
	}
	b := role.Becoming{Protocol: p}
	for i := range l.wants {
		b.Want, b.Nested, b.Text, b.Scale = &l.wants[i], l.nested(i), len(l.kinds[i]) > 0 && l.kinds[i][0] == pages.Text, l.scale(i)
		becomes := b.String() + l.whole(i)
		if types := l.inspect(i); len(types) > 0 {
			in.Columns = append(in.Columns, InspectedColumn{Column: l.wants[i].Name, Role: l.wants[i].Key(), Types: types, Becomes: becomes})
			if c := (schemas.RewardColumn{Type: rewardType(l.groups[i]), Range: [2]float64(p.Reward.Range)}); l.wants[i].Private && c.Castable() {
				in.Notes = append(in.Notes, fmt.Sprintf("column %s holds fractions by its type; if every reward is 0 or 1, %s", schemas.Quoted(l.wants[i].Name), schemas.CastRewards))
			}
		}
	}
	return in, f.Err()
}

// inspect lists the types of a want.
func (l *logFiles) inspect(i int) []InspectedType {
	if len(l.groups[i]) == 0 {
		return nil
	}
	var types []InspectedType
	for _, g := range l.groups[i] {
		types = append(types, InspectedType{Type: g.Column.Type, Files: g.Files, First: g.First})
	}
	if n := &l.untyped[i]; n.Files > 0 {
		types = append(types, InspectedType{Type: n.Column.Type, Files: n.Files, First: n.First})
	}
	return types
}

// inspectPartitions lists the keys, by name.
func inspectPartitions(keys files.PartitionKeys) []InspectedPartition {
	parts := []InspectedPartition{}
	for name, k := range keys {
		kind := "whole numbers"
		if k.Column(name).Kind == pages.Text {
			kind = "text"
		}
		parts = append(parts, InspectedPartition{Key: name, Type: kind, Files: k.Files, Values: len(k.Values), Nulls: k.Nulls})
	}
	slices.SortFunc(parts, func(a, b InspectedPartition) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	return parts
}

// whole says in words that decimals without digits after the point are whole numbers.
func (l *logFiles) whole(i int) string {
	if slices.ContainsFunc(l.groups[i], func(g cell.Typed) bool { return cell.WholeDecimals(&g.Column) }) {
		return ", read as whole numbers"
	}
	return ""
}

// scale says in words to what the numbers of several types are brought.
func (l *logFiles) scale(i int) string {
	a := l.axes[i]
	if a == nil || !a.Set {
		return ""
	}
	for _, g := range l.groups[i] {
		if shown, _ := a.Shown(&g.Column); shown != &g.Column {
			return fmt.Sprintf(", all brought to 10^-%d", a.Power) + map[bool]string{true: " seconds"}[a.Class != cell.AxisInteger]
		}
	}
	return ""
}
