package report

import (
	"slices"
	"strings"

	"banditaudit/report/page"
)

// gathered has the names that go with each text, in the order in which the texts
// came.
type gathered struct {
	texts []string
	names map[string][]string
}

// add gives a text one more name.
func (g *gathered) add(text, name string) {
	if g.names == nil {
		g.names = map[string][]string{}
	}
	if g.names[text] == nil {
		g.texts = append(g.texts, text)
	}
	g.names[text] = append(g.names[text], name)
}

// once is add of a name that a text does not have yet.
func (g *gathered) once(text, name string) {
	if !slices.Contains(g.names[text], name) {
		g.add(text, name)
	}
}

// first lists the first names, and behind more how many others there are.
func first(names []string, most int, more string) string {
	out := strings.Join(names[:min(len(names), most)], ", ")
	if others := len(names) - most; others > 0 {
		out += more + page.Plural(others, "more", "more")
	}
	return out
}

// mostNamed is how many names a sentence lists.
const mostNamed = 6

// listed joins names with commas and an and.
func listed(names []string) string {
	if n := len(names) - mostNamed; n > 0 {
		return strings.Join(names[:mostNamed], ", ") + " and " + page.Group(int64(n)) + " more"
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
