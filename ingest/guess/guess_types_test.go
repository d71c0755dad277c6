package guess

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/pages"
	"banditaudit/ingest/role"
)

// draftOf is the draft of files of which no row is read: those columns, each as
// name and type.
func draftOf(many ...map[string]pages.Column) *Draft {
	s := &sample{index: map[string]*profile{}, faults: &fault.List{}, partitions: files.PartitionKeys{}}
	for i, columns := range many {
		for _, name := range []string{"ts", "variant", "reward", "segment"} {
			if c, ok := columns[name]; ok {
				c.Path = name
				s.note(name, &c, string(rune('a'+i))+".parquet")
			}
		}
	}
	return newGuesser(s, role.All()).draft()
}

// A column has a role where all of its types can have it.
func TestGuessTypesOfAllFiles(t *testing.T) {
	text, whole, flag := pages.Column{Kind: pages.Text, Type: "text"}, pages.Column{Kind: pages.Int, Type: "whole"}, pages.Column{Kind: pages.Bool, Type: "flag"}
	double, day, null := pages.Column{Kind: pages.Float, Type: "double"}, pages.Column{Kind: pages.Date, Type: "day"}, pages.Column{Kind: pages.Null, Type: "unknown"}
	decimal := pages.Column{Kind: pages.Decimal, Type: "decimal"}
	for name, tc := range map[string]struct {
		column      string
		first, then pages.Column
		role, why   string // of the column; a part of why
	}{
		"reward":              {"reward", flag, whole, "reward", "name"},
		"reward, later text":  {"reward", flag, text, "", "it may be the reward, but it is text in b.parquet, and a reward is a boolean or a number"},
		"reward, first text":  {"reward", text, double, "", "named like an outcome"},
		"reward, first null":  {"reward", null, flag, "reward", "a boolean"},
		"reward, later null":  {"reward", double, null, "reward", "a number"},
		"reward of no type":   {"reward", null, null, "", "every value is null, so that it has no type"},
		"action":              {"variant", text, whole, "action", "name"},
		"action, two kinds":   {"variant", flag, whole, "", "it may be the action, but it is flag in a.parquet and whole in b.parquet, whose labels are not written alike; cast it to one type"},
		"order":               {"ts", whole, whole, "order", "name"},
		"order, two kinds":    {"ts", whole, day, "", "it may be the order, but it is whole in a.parquet and day in b.parquet, which do not compare"},
		"order of decimals":   {"ts", decimal, whole, "order", "read as whole numbers"},
		"action of decimals":  {"variant", decimal, decimal, "action", "read as whole numbers"},
		"context of numbers":  {"segment", whole, double, "context", "a number"},
		"context of labels":   {"segment", whole, text, "context", "text"},
		"context, two kinds":  {"segment", double, text, "", "it is double in a.parquet, and a context with levels is text"},
		"context, other kind": {"segment", text, double, "", "it is double in b.parquet, and a context with levels is text"},
	} {
		d := draftOf(map[string]pages.Column{tc.column: tc.first}, map[string]pages.Column{tc.column: tc.then})
		if c := column(t, d, tc.column); c.Role != tc.role || !strings.Contains(c.Why, tc.why) {
			t.Errorf("%s: %q because %q", name, c.Role, c.Why)
		}
	}
}

// What is refused as a label is not proposed as one.
func TestGuessLabels(t *testing.T) {
	type row struct {
		Ts     int64   `parquet:"ts"`
		Action string  `parquet:"action"`
		Reward float64 `parquet:"reward"`
		Colour string  `parquet:"colour"`
	}
	for name, tc := range map[string]struct {
		odd  string
		arms []string
		why  string
	}{
		"empty":     {"", []string{"a", "b"}, "it has an empty label"},
		"not UTF-8": {"\xff", nil, "it has labels that are not texts in UTF-8"},
		"text":      {"c", []string{"a", "b", "c"}, "by its name"},
	} {
		rows := make([]row, 60)
		for i := range rows {
			rows[i] = row{int64(i), []string{"a", "b", tc.odd}[i%3], float64(i % 2), []string{"red", tc.odd}[i%2]}
		}
		path := ingesttest.Log(t, rows)
		d := guessed(t, path)
		if c := column(t, d, "action"); c.Role != "action" || !strings.Contains(c.Why, tc.why) || cmp.Diff(tc.arms, d.Arms) != "" {
			t.Errorf("%s: %+v, arms %q", name, c, d.Arms)
		}
		if c := column(t, d, "colour"); (c.Role == "context") != (name != "not UTF-8") {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
