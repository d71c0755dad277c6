package page

import (
	"slices"
	"strings"

	"banditaudit/schemas"
)

// Gathered has the names that go with each text, in the order in which the texts
// came.
type Gathered struct {
	Texts []string
	Names map[string][]string
}

// Add gives a text one more name.
func (g *Gathered) Add(text, name string) {
	if g.Names == nil {
		g.Names = map[string][]string{}
	}
	if g.Names[text] == nil {
		g.Texts = append(g.Texts, text)
	}
	g.Names[text] = append(g.Names[text], name)
}

// Once is add of a name that a text does not have yet.
func (g *Gathered) Once(text, name string) {
	if !slices.Contains(g.Names[text], name) {
		g.Add(text, name)
	}
}

// First lists the first names, and behind more how many others there are.
func First(names []string, most int, more string) string {
	out := strings.Join(names[:min(len(names), most)], ", ")
	if others := len(names) - most; others > 0 {
		out += more + schemas.Plural(others, "more", "more")
	}
	return out
}

// mostNamed is how many names a sentence lists.
const mostNamed = 6

// Listed joins names with commas and an and.
func Listed(names []string) string {
	if n := len(names) - mostNamed; n > 0 {
		return strings.Join(names[:mostNamed], ", ") + " and " + Group(int64(n)) + " more"
	}
	return schemas.AndList(names)
}

// Distinct returns what is said of a list, each text once, without empty ones.
func Distinct[T any](list []T, said func(*T) string) []string {
	var out []string
	for i := range list {
		if text := said(&list[i]); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
