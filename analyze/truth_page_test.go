package analyze_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/truth"
	"banditaudit/schemas"
)

// What was counted of a row is kept at once, in the order of the page, and stands
// on the page until what is counted changes.
func TestTruthKept(t *testing.T) {
	t.Parallel()
	path, rows := filepath.Join(t.TempDir(), "TRUTH.json"), truth.Rows()
	world, honest := rows[0], rows[len(truth.Worlds())]
	for _, k := range []*truth.Kept{
		{Table: honest.Table, Name: honest.Name, Definition: honest.Definition(), Verdicts: []truth.Verdicts{{
			First: 1, Logs: truth.HonestLogs, Claims: map[string]map[schemas.Verdict]int{schemas.KindAllocation: {schemas.Violated: 8, schemas.Consistent: 1_992}},
		}}},
		{Table: world.Table, Name: world.Name, Definition: world.Definition(), Counted: []truth.Counted{{Of: 1, Logs: 1_000}}},
		{Table: world.Table, Name: world.Name, Definition: world.Definition(), Counted: []truth.Counted{{Of: 996, Logs: 1_000}}},
		{Table: world.Table, Name: "no row any more"},
	} {
		if err := truth.Keep(path, k); err != nil {
			t.Fatal(err)
		}
	}
	book, err := truth.ReadBook(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(book.Rows) != 2 || book.Rows[0].Name != world.Name || book.Rows[1].Name != honest.Name {
		t.Fatalf("kept: %+v", book.Rows)
	}
	page := book.Page(rows)
	for _, want := range []string{"996 of 1000 (99% to 99.89%)", "8: **above 7**", "More than is allowed at first have " + honest.Name, "\nNot counted: " + rows[1].ID() + ", "} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	book.Rows[0].Definition = "another"
	if book.Of(&world) != nil {
		t.Error("a row that was kept under another definition is taken for this one")
	}
}

// Rows are told apart by their names, and what is counted by its definition.
func TestTruthDefinitions(t *testing.T) {
	t.Parallel()
	rows := truth.Rows()
	ids := make([]string, len(rows))
	definitions := make([]string, len(rows))
	for i := range rows {
		ids[i], definitions[i] = rows[i].ID(), rows[i].Definition()
		if again := rows[i].Definition(); again != definitions[i] {
			t.Errorf("%s: defined as %s and %s", ids[i], definitions[i], again)
		}
	}
	for _, all := range [][]string{ids, definitions} {
		slices.Sort(all)
		if n := len(slices.Compact(all)); n != len(rows) {
			t.Errorf("%d rows have %d names or definitions", len(rows), n)
		}
	}
}

// The page is what was counted, of every row as it is today.
func TestTruthPage(t *testing.T) {
	t.Parallel()
	const mend = "go run ./cmd/banditlab truth "
	dir := filepath.Join("..", "testdata", "reproduce")
	kept, err := os.ReadFile(filepath.Join(dir, "TRUTH.md"))
	if err != nil {
		t.Fatal(err)
	}
	book, err := truth.ReadBook(filepath.Join(dir, "TRUTH.json"))
	if err != nil {
		t.Fatal(err)
	}
	rows := truth.Rows()
	for i := range rows {
		if book.Of(&rows[i]) == nil {
			t.Errorf("%s is not counted, or has changed since: %s-rows %q -o testdata/reproduce/TRUTH.md", rows[i].ID(), mend, "^"+rows[i].ID()+"$")
		}
	}
	if string(kept) != book.Page(rows) {
		t.Errorf("TRUTH.md is not the page of TRUTH.json: %s-page -o testdata/reproduce/TRUTH.md", mend)
	}
}
