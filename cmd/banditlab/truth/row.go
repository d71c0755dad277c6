package truth

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"banditaudit/schemas"
)

// The tables of the page.
const (
	TableWorlds = "worlds"
	TableHonest = "honest"
	TableTests  = "tests"
)

// Row is what the page counts at once: a world, an honest kind, or one of the
// tables from which the default tests were chosen.
type Row struct {
	Table, Name string
	Logs        int // to be audited; of tests the samples of every cell

	describe func(w io.Writer)    // what is counted, and of which logs
	count    func(k *Kept) error  // audits, and fills in what was counted
	write    func(k *Kept) string // its lines; of a row that is not kept k is nil
}

// ID is TABLE/NAME.
func (r *Row) ID() string { return r.Table + "/" + r.Name }

// Definition is a digest of what is counted and of which logs: the words, the
// protocol, how many logs, and the first one. A row that was kept under another one
// is not that row any more. What a function of counting does is not seen by it,
// where its words and the first log stay; Made has the program.
func (r *Row) Definition() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\n", r.ID(), r.Logs)
	r.describe(h)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Count audits the logs of the row.
func (r *Row) Count(by Made) (*Kept, error) {
	k := &Kept{Table: r.Table, Name: r.Name, Definition: r.Definition(), Made: by}
	if err := r.count(k); err != nil {
		return nil, fmt.Errorf("%s: %w", r.ID(), err)
	}
	return k, nil
}

// Rows are all rows, in the order of the page.
func Rows() []Row {
	var out []Row
	for _, w := range Worlds() {
		out = append(out, w.row())
	}
	for _, h := range Kinds() {
		out = append(out, h.row())
	}
	return append(out, testsRow(false), testsRow(true))
}

func (w *World) row() Row {
	return Row{
		Table: TableWorlds, Name: w.Name, Logs: w.Logs,
		describe: func(h io.Writer) {
			fmt.Fprintf(h, "%s\n%s\n", w.Protocol, w.Said)
			for _, also := range w.Also {
				fmt.Fprintf(h, "%s\n%s\n", also.Said, also.Protocol)
			}
			w.Deploy(1).describe(h)
		},
		count: func(k *Kept) (err error) {
			k.Counted, err = w.Counts(w.Logs)
			return err
		},
		write: w.line,
	}
}

func (h *Honest) row() Row {
	return Row{
		Table: TableHonest, Name: h.Name, Logs: HonestLogs,
		describe: func(w io.Writer) {
			fmt.Fprintln(w, h.Protocol)
			h.Deploy(1).describe(w)
		},
		count: func(k *Kept) error {
			for _, of := range []struct{ first, logs int }{{1, HonestLogs}, {HonestLogs + 1, Again}} {
				verdicts, err := h.Verdicts(int64(of.first), of.logs)
				if err != nil {
					return err
				}
				k.Verdicts = append(k.Verdicts, Verdicts{First: of.first, Logs: of.logs, Claims: verdicts})
				if h.Open || most(verdicts) <= HonestMost {
					break
				}
			}
			return nil
		},
		write: h.lines,
	}
}

func testsRow(difference bool) Row {
	name, runs := "one mean", TestRuns
	if difference {
		name, runs = "a difference", DifferenceRuns
	}
	return Row{
		Table: TableTests, Name: name, Logs: runs,
		describe: func(w io.Writer) {
			fmt.Fprintln(w, strings.Join(Candidates(), " "), away)
			for _, c := range Cells(difference) {
				fmt.Fprintln(w, c.Shape.Name, c.Rows, c.Level)
			}
		},
		count: func(k *Kept) error {
			for _, c := range Cells(difference) {
				if err := c.Try(runs); err != nil {
					return err
				}
				k.Cells = append(k.Cells, c.tally())
			}
			return nil
		},
		write: func(k *Kept) string { return cellLines(Cells(difference), k) },
	}
}

// most is the largest number of logs in which one claim is VIOLATED.
func most(verdicts map[string]map[schemas.Verdict]int) int {
	n := 0
	for _, of := range verdicts {
		n = max(n, of[schemas.Violated])
	}
	return n
}

// Find are the rows whose ID fits.
func Find(rows []Row, fits func(id string) bool) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !fits(r.ID()) })
}
