package schemas

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"banditaudit/schemas/near"
	"banditaudit/schemas/param"
)

// checker judges a decoded protocol. It keeps silent about values that could
// not be read, and says at most one thing about each.
type checker struct {
	catalogue *Catalogue

	d        *Document
	p        *Protocol
	faults   *marks
	problems Problems
}

func newChecker(d *Document, r *reader) *checker {
	return &checker{catalogue: r.catalogue, d: d, p: &d.Protocol, faults: r.faults, problems: r.problems}
}

// fail reports that the value at path "what", and marks the path, unless
// something at, around or within it has been reported already.
func (c *checker) fail(path, what, why, mend string) {
	if len(c.problems) > 2*maxProblems || !c.sound(path) {
		return
	}
	c.faults.mark(path)
	c.problems = append(c.problems, c.d.Problem(path, strings.TrimSpace(path+" "+what), why, mend))
}

// sound reports whether everything about path could be read and was right.
func (c *checker) sound(path string) bool { return c.faults.sound(path) }

// require reports a missing text.
func (c *checker) require(path, value, why, mend string) {
	if value == "" {
		c.missing(path, why, mend)
	}
}

// missing reports a key that must stand in the file and does not.
func (c *checker) missing(path, why, mend string) { c.fail(path, "is missing", why, mend) }

// word reports a value outside a closed list; a missing one is left to require.
func (c *checker) word(path, value string, words []string) {
	if value == "" || slices.Contains(words, value) {
		return
	}
	rule, mend := "it must be one of: "+strings.Join(words, ", "), "write one of them"
	if word := near.Word(value, words); word != "" {
		rule, mend = rule+"; the nearest is "+word, "write "+word
	}
	c.fail(path, "is "+shown(value), rule, mend)
}

// closed reports a value outside the closed list that its field has.
func (c *checker) closed(path, value string) { c.word(path, value, closedList(path)) }

// closedList returns the words that the field at a path of a protocol may have,
// from its tag, in the order in which they are shown; nil where there is no list.
func closedList(path string) []string {
	t, words := reflect.TypeFor[Protocol](), ""
	for key := range strings.SplitSeq(path, ".") {
		key, _, _ = strings.Cut(key, "[")
		for t.Kind() != reflect.Struct {
			t = t.Elem()
		}
		f := t.Field(fieldOf(t, key))
		t, words = f.Type, f.Tag.Get("schema")
	}
	if _, list, ok := strings.Cut(words, "words="); ok {
		return strings.Split(list, "|")
	}
	return nil
}

// surplus reports a key that has no meaning where it stands.
func (c *checker) surplus(path, why, mend string) {
	if c.d.Given(path) {
		c.fail(path, "does not belong here", why, mend)
	}
}

// below reports a number outside the open interval (0, hi).
func (c *checker) below(path string, x *float64, hi float64) {
	if x == nil || (*x > 0 && *x < hi) {
		return
	}
	rule := fmt.Sprintf("it must lie strictly between 0 and %g", hi)
	if math.IsInf(hi, 1) {
		rule = "it must be more than 0"
	}
	c.fail(path, fmt.Sprintf("is %g", *x), rule, "write a number in that range")
}

// unique reports the second of two equal names in a list.
func (c *checker) unique(names, paths []string, what string) {
	first := make(map[string]string, len(names))
	for i, name := range names {
		if other, ok := first[name]; ok && name != "" {
			c.fail(paths[i], "is "+shown(name)+" again", what+" must differ, and "+other+" has it already", "give it another name")
			continue
		}
		first[name] = paths[i]
	}
}

// index is the path of an element.
func index(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// judge is the checker as the descriptions of policies see it.
type judge struct{ checker *checker }

var _ param.Judge = judge{}

// Fail reports a fault; see fail.
func (j judge) Fail(path, what, why, mend string) { j.checker.fail(path, what, why, mend) }

// Having lists the policies that have something.
func (j judge) Having(has func(*param.Policy) bool) []string {
	var out []string
	for i := range j.checker.catalogue.Policies {
		if has(&j.checker.catalogue.Policies[i]) {
			out = append(out, j.checker.catalogue.Policies[i].Name)
		}
	}
	return out
}

// Sound reports whether nothing is wrong with path; see sound.
func (j judge) Sound(path string) bool { return j.checker.sound(path) }

// Word reports a value that is none of words; see word.
func (j judge) Word(path, value string, words []string) { j.checker.word(path, value, words) }

// Arms returns the number of declared arms; 0 where they are not declared.
func (j judge) Arms() int {
	if !j.checker.sound("arms") {
		return 0
	}
	return len(j.checker.p.Arms)
}

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
