package schemas

import (
	"fmt"
	"regexp"
	"strings"
)

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
