package explain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"banditaudit/report"
)

// node is a part of a JSON Schema.
type node struct {
	Description string           `json:"description"`
	Ref         string           `json:"$ref"`
	Type        any              `json:"type"`
	Enum        []any            `json:"enum"`
	Const       any              `json:"const"`
	Minimum     *float64         `json:"minimum"`
	Maximum     *float64         `json:"maximum"`
	Above       *float64         `json:"exclusiveMinimum"`
	Below       *float64         `json:"exclusiveMaximum"`
	Properties  map[string]*node `json:"properties"`
	Items       *node            `json:"items"`
	AnyOf       []*node          `json:"anyOf"`
	Defs        map[string]*node `json:"$defs"`
}

// schema is the JSON Schema of a document.
func (k *Known) schema(name string) (*node, error) {
	b, err := k.Format.JSONSchema(name)
	if err != nil {
		return nil, err
	}
	root := &node{}
	if err := json.Unmarshal(b, root); err != nil {
		return nil, fmt.Errorf("explain: the schema %s: %w", name, err)
	}
	return root, nil
}

// meant is the definition that a reference names, else n itself.
func (n *node) meant(root *node) *node {
	if name, ok := strings.CutPrefix(n.Ref, "#/$defs/"); ok && root.Defs[name] != nil {
		return root.Defs[name]
	}
	return n
}

// keys lists the keys of a protocol, by their paths, with what the schema and the report say.
func keys(k *Known) ([]Entry, error) {
	root, err := k.schema("protocol")
	if err != nil {
		return nil, err
	}
	found := map[string]*Entry{}
	keysBelow(root, root, nil, func(path []string, n *node) {
		at := strings.Join(path, ".")
		e := found[at]
		if e == nil {
			e = &Entry{Name: at, About: n.Description, See: []string{"topic:" + pageOf(path[0])}}
			found[at] = e
		}
		e.fact("value", n.form(root))
	})
	for _, c := range k.Columns {
		if found[c.Key] == nil {
			found[c.Key] = &Entry{Name: c.Key, See: []string{"topic:log"}}
		}
		found[c.Key].fact("needs", c.Needs)
	}
	meanings := report.Meanings(k.Format)
	for at, e := range found {
		k.mean(e, meanings[at])
	}
	var out []Entry
	for _, at := range slices.Sorted(maps.Keys(found)) {
		out = append(out, *found[at])
	}
	return out, nil
}

// mean adds what a key means in words, and what policies say of it.
func (k *Known) mean(e *Entry, meaning string) {
	if meaning != "" && meaning != e.About {
		e.fact("in the schema", e.About)
	}
	e.About = cmp.Or(meaning, e.About, "a key of the protocol")
	name, ok := strings.CutPrefix(e.Name, "policy.")
	for i := range k.Format.Policies {
		p := &k.Format.Policies[i]
		for _, key := range p.Keys {
			if ok && key.Name == name {
				e.fact("policy", p.Name)
				if key.Needed {
					e.fact("needed", p.Name+" "+key.Why)
					e.Changes = "It is declared by: " + key.Mend + "."
				}
			}
		}
	}
	if name, ok := strings.CutPrefix(e.Name, "log."); ok {
		e.Manual = itemsOf(k.Page("log"), name)
	}
}

// pageOf is the page of the manual on the keys below one of the first level.
func pageOf(first string) string {
	return cmp.Or(map[string]string{"log": "log", "policy": "policies", "counter": "counters", "analysis": "tests", "claims": "verdicts"}[first], "protocol")
}

// deepest bounds paths: a policy can stand in a policy.
const deepest = 5

// keysBelow visits the keys below a node, with their paths. Entries of lists have the path
// of the list.
func keysBelow(root, n *node, path []string, visit func([]string, *node)) {
	if n == nil || len(path) > deepest {
		return
	}
	n = n.meant(root)
	for name, child := range n.Properties {
		at := append(slices.Clone(path), name)
		described := *child
		if described.Description == "" {
			described.Description = child.meant(root).Description
		}
		visit(at, &described)
		keysBelow(root, child, at, visit)
	}
	keysBelow(root, n.Items, path, visit)
	for _, of := range n.AnyOf {
		keysBelow(root, of, path, visit)
	}
}

// form says what a value may be.
func (n *node) form(root *node) string {
	m := n.meant(root)
	switch {
	case len(m.Enum) > 0:
		var words []string
		for _, w := range m.Enum {
			words = append(words, fmt.Sprint(w))
		}
		return "one of " + strings.Join(words, ", ")
	case m.Const != nil:
		return fmt.Sprint(m.Const)
	case len(m.AnyOf) > 0:
		var of []string
		for _, one := range m.AnyOf {
			if text := one.form(root); text != "" && !slices.Contains(of, text) {
				of = append(of, text)
			}
		}
		return strings.Join(of, ", or ")
	}
	switch m.Type {
	case "object":
		return "a mapping of " + strings.Join(slices.Sorted(maps.Keys(m.Properties)), ", ")
	case "array":
		if m.Items == nil {
			return "a list"
		}
		return strings.TrimSuffix("a list: "+m.Items.form(root), ": ")
	case "number", "integer":
		return m.number()
	case "boolean":
		return "true or false"
	case "string":
		return cmp.Or(m.Description, "a text")
	}
	return ""
}

// number says which numbers a value may be.
func (n *node) number() string {
	words := []string{"a number"}
	if n.Type == "integer" {
		words[0] = "a whole number"
	}
	for _, bound := range []struct {
		words string
		at    *float64
	}{{"from", n.Minimum}, {"above", n.Above}, {"at most", n.Maximum}, {"below", n.Below}} {
		if bound.at != nil {
			words = append(words, fmt.Sprintf("%s %g", bound.words, *bound.at))
		}
	}
	return strings.Join(words, " ")
}

// numbers are the fields of results.json that hold numbers, by their names, with what the
// schema says of each.
func numbers(k *Known) ([]Entry, error) {
	root, err := k.schema("results")
	if err != nil {
		return nil, err
	}
	found := map[string]*Entry{}
	for _, def := range slices.Sorted(maps.Keys(root.Defs)) {
		in := root.Defs[def]
		for name, field := range in.Properties {
			if def == "Protocol" || !field.holdsNumber(root) {
				continue
			}
			if found[name] == nil {
				found[name] = &Entry{Name: name, About: "a field of results.json in several places", See: []string{"topic:reading"}}
			}
			found[name].fact("of "+def, cmp.Or(field.Description, in.Description))
		}
	}
	var out []Entry
	for _, name := range slices.Sorted(maps.Keys(found)) {
		e := found[name]
		if len(e.Facts) == 1 {
			e.About, e.Facts = fmt.Sprintf("%s (%s)", e.Facts[0].Value, strings.TrimPrefix(e.Facts[0].Name, "of ")), nil
		}
		out = append(out, *e)
	}
	return out, nil
}

// holdsNumber reports whether a value can be a number, or two.
func (n *node) holdsNumber(root *node) bool {
	if n.Type == "number" || n.Type == "integer" || n.Ref == "#/$defs/Interval" || n.Ref == "#/$defs/Extended" {
		return true
	}
	return slices.ContainsFunc(n.AnyOf, func(of *node) bool { return of.holdsNumber(root) })
}
