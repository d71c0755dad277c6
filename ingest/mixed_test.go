package ingest

import (
	"path/filepath"
	"strings"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// Labels of several types are one column where they are written alike: as text
// beside whole numbers, dates or times. A boolean goes with nothing else.
func TestMixedLabels(t *testing.T) {
	writers := map[string]func(path string){
		"BOOLEAN": func(path string) { writeLabel(t, path, true) },
		"INT64":   func(path string) { writeLabel(t, path, int64(1)) },
		"UINT64":  func(path string) { writeLabel(t, path, uint64(1)) },
		"string":  func(path string) { writeLabel(t, path, "x") },
		"date": func(path string) {
			type row struct {
				At     int64   `parquet:"at"`
				Arm    string  `parquet:"arm"`
				Reward float64 `parquet:"reward"`
				Label  int32   `parquet:"label,date"`
			}
			ingesttest.WriteParquet(t, path, []row{{at(path), "a", 0, 1}})
		},
	}
	fits := func(a, b string) bool {
		whole := func(s string) bool { return strings.HasSuffix(s, "INT64") }
		return a == b || whole(a) && whole(b) || a != "BOOLEAN" && b != "BOOLEAN" && (a == "string" || b == "string")
	}
	declare := map[role.Role]func(p *schemas.Protocol){
		role.Action:     func(p *schemas.Protocol) { p.Log.Action = "label" },
		role.Experiment: func(p *schemas.Protocol) { p.Experiment = schemas.ExperimentSpec{Column: "label"} },
		role.Unit:       func(p *schemas.Protocol) { p.Log.Unit = "label" },
		role.Batch:      func(p *schemas.Protocol) { p.Log.Batch = "label" },
	}
	for one, writeOne := range writers {
		for two, writeTwo := range writers {
			dir := t.TempDir()
			writeOne(filepath.Join(dir, "a.parquet"))
			writeTwo(filepath.Join(dir, "b.parquet"))
			for r, as := range declare {
				p := atProtocol()
				as(p)
				_, _, err := ingestAll(t, p, Options{}, dir)
				if fits(one, two) {
					if err != nil {
						t.Errorf("%v, %s and %s: %v", r, one, two, err)
					}
					continue
				}
				e := ingesttest.WantFault(t, err, fault.RuleType)
				if e.File != "b.parquet" || e.Column != "label" || !strings.Contains(e.What, "a.parquet has ") {
					t.Errorf("%v, %s and %s: %v", r, one, two, e)
				}
			}
		}
	}
}

// at sets the rows of two files apart.
func at(path string) int64 { return int64(filepath.Base(path)[0]) }

func writeLabel[T any](t *testing.T, path string, label T) {
	t.Helper()
	type row struct {
		At     int64   `parquet:"at"`
		Arm    string  `parquet:"arm"`
		Reward float64 `parquet:"reward"`
		Label  T       `parquet:"label"`
	}
	ingesttest.WriteParquet(t, path, []row{{at(path), "a", 0, label}})
}
