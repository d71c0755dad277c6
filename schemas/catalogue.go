package schemas

import (
	"encoding/json"
	"fmt"
	"slices"

	"banditaudit/schemas/param"
)

// Values are the keys that a policy has of its own; see param.Values.
type Values = param.Values

// Catalogue lists what a protocol may name. Whoever reads a protocol, or a
// document that holds one, is handed it: the reader knows no policy and no
// counter by name. It is not changed once it is in use.
type Catalogue struct {
	Policies []param.Policy  // in the order in which they are shown
	Counters []param.Counter // in the order in which they are shown
}

// Policy returns the policy of a name; nil where there is none.
func (c *Catalogue) Policy(name string) *param.Policy {
	i := slices.IndexFunc(c.Policies, func(p param.Policy) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Policies[i]
}

// Counter returns the counter of a name; nil where there is none.
func (c *Catalogue) Counter(name string) *param.Counter {
	i := slices.IndexFunc(c.Counters, func(k param.Counter) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Counters[i]
}

// policyNames lists the names of policies.
func (c *Catalogue) policyNames() []string {
	names := make([]string, len(c.Policies))
	for i := range c.Policies {
		names[i] = c.Policies[i].Name
	}
	return names
}

// CounterNames lists the names of counters.
func (c *Catalogue) CounterNames() []string {
	names := make([]string, len(c.Counters))
	for i := range c.Counters {
		names[i] = c.Counters[i].Name
	}
	return names
}

// OwnKeys lists the keys that some policy has of its own, in the order in which
// a protocol is written.
func (c *Catalogue) OwnKeys() []string {
	var keys []string
	for i := range c.Policies {
		keys = append(keys, param.Names(c.Policies[i].Keys)...)
	}
	slices.Sort(keys)
	return param.InOrder(slices.Compact(keys))
}

// PolicyKeys lists the keys that policy may have in a protocol, in the order in
// which it is written: those of all policies and those of some.
func (c *Catalogue) PolicyKeys() []string {
	return param.InOrder(append(keysOf(policyType()), c.OwnKeys()...))
}

// key returns a key of the named policy's own, or else of the first policy that
// has it; nil where none has.
func (c *Catalogue) key(policy, name string) *param.Key {
	if p := c.Policy(policy); p != nil {
		if key := param.Find(p.Keys, name); key != nil {
			return key
		}
	}
	for i := range c.Policies {
		if key := param.Find(c.Policies[i].Keys, name); key != nil {
			return key
		}
	}
	return nil
}

// JSONSchema returns the JSON Schema (draft 2020-12) of a document, as the
// function of that name does; that of the protocol has the policies and counters
// of the catalogue.
func (c *Catalogue) JSONSchema(name string) ([]byte, error) {
	b, err := JSONSchema(name)
	if err != nil || name != protocolSchema {
		return b, err
	}
	var schema map[string]any
	if err := json.Unmarshal(b, &schema); err != nil {
		return nil, fmt.Errorf("schemas: the schema %s: %w", name, err)
	}
	c.describe(schema["$defs"].(map[string]any))
	return Encode(schema)
}

// describe writes the policies and counters into the definitions of the
// protocol's schema.
func (c *Catalogue) describe(defs map[string]any) {
	properties := func(def string) map[string]any {
		return defs[def].(map[string]any)["properties"].(map[string]any)
	}
	named := func(def string, names []string) { properties(def)["name"].(map[string]any)["enum"] = names }
	named("Policy", c.policyNames())
	named("EvaluationSpec", c.policyNames())
	named("Counter", c.CounterNames())
	for _, name := range c.OwnKeys() {
		key := c.key("", name)
		properties("Policy")[name] = param.Properties([]param.Key{*key})[name]
	}
}
