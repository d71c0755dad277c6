package ingest

import (
	"fmt"
	"path"
	"strings"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/role"
	"banditaudit/schemas"
)

// copyOf is the fault of an input that has the bytes of an earlier one.
func copyOf(uri, first string) *fault.InputError {
	what := fmt.Sprintf("has the same bytes as %s, and its rows would count twice", schemas.Quoted(first))
	return fault.OfFile(uri, fault.RuleDuplicate, what, "give one of the two; if they are different rounds that happen to be equal, "+
		"write them into one file, with a column in log.order that tells them apart", nil)
}

// copies reports inputs with rows that have the bytes of an earlier input. Files without
// rows may be equal, and so may files whose paths give them different values of a column
// that the protocol names.
func (l *logFiles) copies() {
	seen := map[string]int{}
	for i := range l.inputs {
		in := &l.inputs[i]
		if in.rows == 0 || in.sha == "" {
			continue
		}
		key := in.sha + in.placed
		if first, known := seen[key]; known {
			l.faults.Before(copyOf(in.URI, l.inputs[first].URI))
			continue
		}
		seen[key] = i
	}
}

// placed says which values an input has by its path, of columns that the protocol names
// and the file does not have.
func (l *logFiles) placed(in *input, f *logFile) string {
	var out strings.Builder
	for _, p := range in.Partitions {
		if _, err := f.pages.Column(p.Key); err != nil && l.asked[p.Key] {
			fmt.Fprintf(&out, " %q=%q,%v", p.Key, p.Value, p.Null)
		}
	}
	return out.String()
}

// ask notes the columns that a protocol names in any role.
func (l *logFiles) ask(p *schemas.Protocol, roles role.List) error {
	ws, err := roles.Wanted(p)
	l.asked = map[string]bool{}
	for i := range ws {
		l.asked[ws[i].Name] = true
	}
	return err
}

// joinedCopy is the fault of the first of several inputs that has rows and the bytes of
// an earlier one under the same partitions; nil where there is none.
func joinedCopy(inputs []schemas.Input) error {
	seen := map[string]string{}
	for _, in := range inputs {
		if in.Rows == 0 {
			continue
		}
		key := in.SHA256 + fmt.Sprintf("%#v", files.Partitions(path.Dir(in.URI)))
		if first, known := seen[key]; known {
			return copyOf(in.URI, first)
		}
		seen[key] = in.URI
	}
	return nil
}
