package schemas

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Problem is one fault of a protocol: where it stands, what is written there,
// why that is wrong and how to mend it.
type Problem struct {
	File string // as it was named to the reader
	Line int    // 1-based; 0 where the fault has no line
	Col  int    // 1-based, in characters
	Path string // key path such as "analysis.tests[0].mean"; "" for the whole file
	What string
	Why  string
	Mend string
}

// String returns the problem on one line, as Printable:
//
//	file:line:col: what (why); mend
//
// Special cases are:
//
//	Line 0 leaves out line and column
//	an empty Why or Mend leaves out that part
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Col)
	}
	b.WriteString(": " + p.What)
	if p.Why != "" {
		b.WriteString(" (" + p.Why + ")")
	}
	if p.Mend != "" {
		b.WriteString("; " + p.Mend)
	}
	return Printable(b.String())
}

// Problems is every fault that was found, in the order of the file. As an
// error it is one line per problem.
type Problems []Problem //nolint:errname // The name says that there are several; errors.As targets it in cmd.

// Error returns one line per problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// maxProblems bounds a report. A file of another kind, taken for a protocol,
// would otherwise give a line for each of its keys.
const maxProblems = 100

// sorted returns the problems in the order of the file, without repetitions
// and at most maxProblems of them; a last line says where more were left out.
func (p Problems) sorted() Problems {
	out := slices.Clone(p)
	slices.SortStableFunc(out, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Path, b.Path))
	})
	out = slices.Compact(out)
	if len(out) > maxProblems {
		rest := out[maxProblems]
		out = append(out[:maxProblems:maxProblems], Problem{
			File: rest.File, Line: rest.Line, Col: rest.Col,
			What: "more problems from here on", Mend: "mend those above first",
		})
	}
	return out
}

// maxShown bounds how much of a value is repeated in a message.
const maxShown = 60

// shown quotes a text from the file for a message.
func shown(text string) string {
	if r := []rune(text); len(r) > maxShown {
		text = string(r[:maxShown]) + "…"
	}
	return Quoted(text)
}

// commented is a key that stands as a comment, as in "  # range: [LO, HI]".
var commented = regexp.MustCompile(`^\s*# ?([a-z_]+):( |$)`)

// undecided says of what is missing or empty which line of the file, marked DECIDE,
// would write it and is still a comment, as init leaves them.
func (p Problems) undecided(src []byte) {
	lines := strings.Split(string(src), "\n")
	for i := range p {
		if !strings.HasSuffix(p[i].What, " is missing") && !strings.HasSuffix(p[i].What, " is empty") {
			continue
		}
		if at := openLine(lines, p[i].Path); at > 0 {
			p[i].Mend = fmt.Sprintf("line %d, marked DECIDE, is still a comment: decide, and take its # away", at)
		}
	}
}

// openLine is the line, from 1, of the first key marked DECIDE within the block of a
// path's first key that is a comment: the path's second key where it has one. It is
// 0 where there is none.
func openLine(lines []string, path string) int {
	block, key, _ := strings.Cut(path, ".")
	inside, marked := false, false
	for i, line := range lines {
		found := ""
		if m := commented.FindStringSubmatch(line); m != nil {
			found = m[1]
		}
		switch {
		case line != "" && line[0] != ' ' && line[0] != '#':
			inside, marked = strings.HasPrefix(line, block+":"), false
		case found == "" && !strings.HasPrefix(strings.TrimSpace(line), "#"):
			marked = false
		default:
			marked = marked || strings.Contains(line, "DECIDE")
		}
		if found == "" {
			continue
		}
		if marked && (inside && (key == "" || key == found) || key == "" && found == block && line[0] == '#') {
			return i + 1
		}
		marked = false
	}
	return 0
}
