package schemas

import "strings"

// marks remembers which key paths have a fault, so that one mistake is
// reported once and not again by every rule that looks at it.
type marks struct {
	broken  map[string]bool // the paths themselves
	touched map[string]bool // everything they stand in
}

func newMarks() *marks {
	return &marks{broken: map[string]bool{}, touched: map[string]bool{}}
}

// mark notes a fault at path.
func (m *marks) mark(path string) {
	m.broken[path] = true
	for parent, ok := enclosing(path); ok && !m.touched[parent]; parent, ok = enclosing(parent) {
		m.touched[parent] = true
	}
}

// within reports whether path, or what it stands in, has a fault.
func (m *marks) within(path string) bool {
	for ok := true; ok; path, ok = enclosing(path) {
		if m.broken[path] {
			return true
		}
	}
	return false
}

// sound reports whether neither path, nor what it stands in, nor what stands
// in it has a fault: only then does a rule about several keys make sense.
func (m *marks) sound(path string) bool { return !m.touched[path] && !m.within(path) }

// enclosing is the path of the mapping or list in which path stands: "a.b[2]"
// stands in "a.b", that in "a", and that in no other.
func enclosing(path string) (string, bool) {
	i := strings.LastIndexAny(path, ".[")
	if i < 0 {
		return "", false
	}
	return path[:i], true
}
