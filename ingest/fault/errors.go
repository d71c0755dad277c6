// Package fault is how ingest says what is wrong with a log: the rules that a
// log can break, where a row of it is, and a list that collects faults, so that
// one run reports them all. Its messages hold names of files, columns and
// labels, escaped where they could not be printed, and no other value of a row.
package fault

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// ErrResource is wrapped by every error that says a limit on memory would be
// crossed. A retry with a larger limit may succeed.
var ErrResource = errors.New("resource limit reached")

// ErrProtocol is wrapped by errors about the protocol rather than the log: a
// column that is declared and that ingest cannot carry.
var ErrProtocol = errors.New("the protocol asks for what ingest cannot do")

// Rules that a log can break: the values of InputError.Rule.
const (
	RuleUnreadable = "unreadable"          // not a Parquet file, truncated or damaged
	RuleNoInput    = "no input"            // a missing path, a directory without Parquet
	RuleText       = "text"                // CSV or JSON, which is to be converted
	RuleLake       = "table format"        // Delta, Iceberg or Hudi, whose files are not the table
	RuleDuplicate  = "duplicate input"     // two inputs that are one file, or have one URI
	RuleColumn     = "column missing"      // a declared column is not in the file
	RuleTwice      = "column twice"        // a declared column is in the file twice
	RuleType       = "type"                // a column cannot have the role it was given
	RuleEmpty      = "empty"               // no rows, or no rewards, in the whole log
	RuleChanged    = "changed while read"  // the file is not what it was when the run began
	RuleNull       = "null"                // a null outside the reward
	RuleMissing    = "missing reward"      // a null reward under missing_reward: error
	RuleNotFinite  = "not finite"          // NaN or an infinity
	RuleNotExact   = "not exact"           // an integer that float64 cannot hold
	RuleNotText    = "not text"            // a label that is not UTF-8
	RuleRange      = "reward out of range" // outside reward.range under out_of_range: error
	RuleArm        = "undeclared arm"      // an action that arms does not list
	RuleArms       = "too many arms"       // more distinct actions than a bandit has
	RuleLevel      = "undeclared level"    // a value that a categorical column's levels do not list
	RulePropensity = "propensity"          // outside (0, 1], or below tableau.MinPropensity
	RuleDraws      = "number of draws"     // of a propensity: no whole number in [1, tableau.MostDraws]
	RuleKeepProb   = "keep probability"    // of a row: outside (0, 1]
	RuleTarget     = "target probability"  // of an evaluated policy: outside [0, 1], not adding up to 1, or above 0 for an arm that is not eligible
	RuleBatch      = "batch returns"       // a batch that is left and come back to within an experiment
	RuleEarly      = "reward too early"    // a reward that became known before its own round
	RuleTie        = "order tie"           // two rows of one experiment with equal order keys
	RuleListLength = "list length"         // a list of another length than its role has, or than the first list
	RuleEligible   = "not eligible"        // an action that is not among the eligible arms
	RuleTableau    = "damaged tableau"     // rounds.arrow or manifest.json are not what Ingest wrote
)

// Place is a row of the log.
type Place struct {
	File     string `json:"file"`      // URI
	RowGroup int    `json:"row_group"` // from 0
	Row      int64  `json:"row"`       // within the file, from 0
}

// String returns "file, row group g, row r of the file", with control and
// bidirectional characters of the file's name escaped. Both are counted from 0,
// and r from the beginning of the file, whatever the row group.
func (p Place) String() string {
	return schemas.Printable(p.File) + ", row group " + strconv.Itoa(p.RowGroup) + ", row " + strconv.FormatInt(p.Row, 10) + ofTheFile
}

// ofTheFile says from where rows are counted.
const ofTheFile = " of the file"

// maxPlaces bounds the rows that an InputError names.
const maxPlaces = 5

// InputError is one thing wrong with the log: exit code 4. Many of them are
// joined; use errors.As to see whether an error holds one.
type InputError struct {
	File     string  // URI, path or argument; "" when the whole log is meant
	RowGroup int     // from 0; -1 when no row group is meant
	Row      int64   // the first row, within the file, from 0; -1 when no row is meant
	Column   string  // "" when no column is meant
	Rule     string  // one of the Rule constants
	What     string  // what was found, in words, without any value of a row
	Mend     string  // what to do about it
	Count    int64   // rows that break the rule; 0 when rows are not counted
	Places   []Place // the first rows that break the rule, at most 5
	Err      error   // the cause, where there is one

	MoreFiles int      // files beside File of which the same is to be said
	Others    []string // URIs of the first of them, at most 4
}

// Error returns one line: where, what, how many, which rows and other files, and
// the mend.
// Control and bidirectional characters of names and labels are escaped.
func (e *InputError) Error() string {
	var b strings.Builder
	b.WriteString("ingest: ")
	if e.File != "" {
		b.WriteString(e.File)
		if e.RowGroup >= 0 {
			fmt.Fprintf(&b, ", row group %d", e.RowGroup)
		}
		if e.Row >= 0 {
			fmt.Fprintf(&b, ", row %d%s", e.Row, ofTheFile)
		}
		b.WriteString(": ")
	}
	if e.Column != "" {
		b.WriteString("column " + schemas.Quoted(e.Column) + ": ")
	}
	b.WriteString(e.What)
	if e.Err != nil {
		b.WriteString(": " + causeText(e.Err))
	}
	if e.Count > 1 {
		fmt.Fprintf(&b, " (%d rows in all", e.Count)
		if len(e.Places) > 1 && e.Rule != RuleTie {
			b.WriteString("; next: " + joinPlaces(e.Places[1:]))
		}
		b.WriteString(")")
	}
	if e.MoreFiles > 0 {
		b.WriteString(" (and in " + e.moreFiles() + ")")
	}
	if e.Mend != "" {
		b.WriteString("; " + e.Mend)
	}
	return schemas.Printable(b.String())
}

// moreFiles names the files of which the same is to be said.
func (e *InputError) moreFiles() string {
	text := strconv.Itoa(e.MoreFiles) + " more files: "
	if e.MoreFiles == 1 {
		text = "1 more file: "
	}
	text += strings.Join(e.Others, ", ")
	if e.MoreFiles > len(e.Others) {
		text += ", …"
	}
	return text
}

func joinPlaces(places []Place) string {
	words := make([]string, len(places))
	for i, p := range places {
		words[i] = p.String()
	}
	return strings.Join(words, "; ")
}

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// OfFile is an InputError about a file as a whole.
func OfFile(file, rule, what, mend string, cause error) *InputError {
	return &InputError{File: file, RowGroup: -1, Row: -1, Rule: rule, What: what, Mend: mend, Err: cause}
}

// causeText is an error's text on one line: errors that were joined, one to a
// line, are set apart by semicolons.
func causeText(err error) string {
	var many interface{ Unwrap() []error }
	if !errors.As(err, &many) {
		return err.Error()
	}
	lines, parts := []string{}, []string{}
	for _, e := range many.Unwrap() {
		lines, parts = append(lines, e.Error()), append(parts, causeText(e))
	}
	return strings.Replace(err.Error(), strings.Join(lines, "\n"), strings.Join(parts, "; "), 1)
}

// ErrNotWritten is wrapped by errors that say that what is written, the tableau
// or a log, or a sort's temporary files, could not be written, or these not be
// read: the disk is full or failing, whatever the file system calls it. A retry
// with more space may succeed.
var ErrNotWritten = errors.New("cannot write")

// NotWritten marks what a writer says about the file system. A request to stop
// is none of that.
func NotWritten(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("ingest: %w: %w", ErrNotWritten, err)
}

// Stopped reports whether the run was cancelled.
func Stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	return nil
}
