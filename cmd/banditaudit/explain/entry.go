// Package explain says what a name means that a report, a protocol or the help uses: a
// claim, a check, a test, a method, a number, a word. Its texts come from the descriptors,
// the manual, the schemas and the glossary; it has none of its own.
package explain

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/report/digest"
	"banditaudit/report/sources"
	"banditaudit/schemas"
	"banditaudit/schemas/near"
)

// Known is what a program knows by name.
type Known struct {
	Format  *schemas.Catalogue
	Checks  []check.Check
	Columns []Column
	Page    func(topic string) string // a page of the manual, in Markdown

	Assumptions []schemas.Assumption // of corrected answers
}

// Column is a role that a column of a log can have: the key that names it, and what the
// column has to be.
type Column struct{ Key, Needs string }

// Entry is everything that explain says of a name.
type Entry struct {
	Kind string `json:"kind"`
	Name string `json:"name"`

	About   string   `json:"about"`  // in a line
	Facts   []Fact   `json:"facts"`  // of its descriptor
	Manual  []string `json:"manual"` // passages of the help, in Markdown
	Made    []Made   `json:"made"`   // how it is made, and after whom
	Changes string   `json:"changes"`
	See     []string `json:"see"`

	of    string   // the kind of a claim of a run
	forms []string // in which a word stands, beside its name
}

// ID names the entry alone.
func (e *Entry) ID() string { return e.Kind + ":" + e.Name }

// Fact is a value with its name.
type Fact struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Made is a formula with its source.
type Made struct {
	Number string `json:"number"`
	How    string `json:"how"`
	After  string `json:"after"`
}

// kind is what names can be of.
type kind struct {
	word    string
	entries func(k *Known) ([]Entry, error)
	had     func(r *Run, e *Entry) ([]Found, error) // what a run had of one
}

// kinds lists what names can be of, in the order in which entries are listed.
func kinds() []kind {
	return []kind{
		{"claim", claims, hadClaims},
		{"check", checks, hadChecks},
		{"test", tests, hadTests},
		{"method", methods, hadMethods},
		{"correction", corrections, declaredAt("analysis.correction.method", "analysis.correction.also")},
		{"policy", policies, declaredAt("policy.name", "analysis.evaluate.target.policy.name")},
		{"counter", counters, declaredAt("counter.name")},
		{"library", libraries, declaredAt("policy.like")},
		{"key", keys, hadKey},
		{"number", numbers, hadNumbers},
		{"verdict", verdicts, hadVerdicts},
		{"assumption", assumptions, hadAssumptions},
		{"word", words, hadWords},
	}
}

// All are all entries, by kind.
func (k *Known) All() ([]Entry, error) {
	var out []Entry
	for _, of := range kinds() {
		list, err := of.entries(k)
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].Kind = of.word
		}
		out = append(out, list...)
	}
	return k.withSources(out)
}

// withSources adds how what entries name is made.
func (k *Known) withSources(entries []Entry) ([]Entry, error) {
	made, err := k.sources()
	if err != nil {
		return nil, err
	}
	for i := range entries {
		e := &entries[i]
		for _, s := range made {
			if slices.Contains(s.Of, e.ID()) {
				e.Made = append(e.Made, Made{s.Number, s.How, s.After})
			}
		}
	}
	return entries, nil
}

// sources are how numbers are made where a protocol declares nothing else.
func (k *Known) sources() ([]sources.Source, error) {
	return sources.All(&digest.Digest{Results: &schemas.Results{}, Catalogue: *k.Format})
}

// UnknownError says that a name is nothing that is known, or several things.
type UnknownError struct{ says string }

// Error is the sentence.
func (e *UnknownError) Error() string { return e.says }

// Find is the entry that a name means: "check:H05", or "H05" where nothing else is called
// so; where nothing is, in other letters, or as another form of a word; else as the last
// part of a key, of several the one that is least deep. The names that a run has beside
// those that are known are more. The error is an UnknownError, or of the run.
func Find(entries []Entry, id string, run *Run) (*Entry, error) {
	own, err := run.entries(entries, id)
	if err != nil {
		return nil, err
	}
	entries = append(entries, own...)
	found := meant(entries, func(e *Entry) bool { return e.ID() == id || e.Name == id })
	if len(found) == 0 {
		found = meant(entries, func(e *Entry) bool {
			return strings.EqualFold(e.ID(), id) || strings.EqualFold(e.Name, id) || slices.ContainsFunc(e.forms, func(form string) bool { return strings.EqualFold(form, id) })
		})
	}
	if len(found) == 0 {
		found = leastDeep(meant(entries, func(e *Entry) bool { return e.Kind == "key" && strings.HasSuffix(e.Name, "."+id) }))
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, &UnknownError{unknown(id, entries, run)}
	}
	ids := make([]string, len(found))
	for i, e := range found {
		ids[i] = schemas.Named(schemas.Printable(e.ID()))
	}
	says := ""
	if i := slices.IndexFunc(found, func(e *Entry) bool { return e.Kind == "word" }); i >= 0 {
		says = "; the word: " + found[i].About
	}
	return nil, &UnknownError{fmt.Sprintf("%s means several things; one of: %s%s", schemas.Quoted(id), strings.Join(ids, ", "), says)}
}

// leastDeep are the keys whose paths have the fewest parts.
func leastDeep(keys []*Entry) []*Entry {
	least := 0
	for i, e := range keys {
		if n := strings.Count(e.Name, "."); i == 0 || n < least {
			least = n
		}
	}
	return slices.DeleteFunc(keys, func(e *Entry) bool { return strings.Count(e.Name, ".") > least })
}

// meant are the entries that are.
func meant(entries []Entry, is func(*Entry) bool) []*Entry {
	var out []*Entry
	for i := range entries {
		if is(&entries[i]) {
			out = append(out, &entries[i])
		}
	}
	return out
}

// unknown says that nothing is called so, and what is nearest.
func unknown(id string, entries []Entry, run *Run) string {
	const most = 3
	prefix, name, _ := strings.Cut(id, ":")
	closest := meant(entries, func(e *Entry) bool { return e.Kind == prefix })
	if len(closest) == 0 {
		name, closest = id, meant(entries, func(*Entry) bool { return true })
	}
	slices.SortStableFunc(closest, func(a, b *Entry) int { return near.EditDistance(name, a.Name) - near.EditDistance(name, b.Name) })
	var ids []string
	for _, e := range closest[:min(most, len(closest))] {
		ids = append(ids, schemas.Named(schemas.Printable(e.ID())))
	}
	hint := ""
	if run == nil {
		hint = "; a claim or test of an audit is explained with its directory behind it"
	}
	return fmt.Sprintf("nothing is called %s; near it: %s%s", schemas.Quoted(id), strings.Join(ids, ", "), hint)
}
