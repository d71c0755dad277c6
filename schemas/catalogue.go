package schemas

import (
	"encoding/json"
	"fmt"
	"slices"

	"banditaudit/schemas/param"
	"banditaudit/schemas/tree"
)

// Values are the keys that a policy has of its own; see param.Values.
type Values = param.Values

// Catalogue lists what a protocol may name. Whoever reads a protocol, or a
// document that holds one, is handed it: the reader knows no policy, counter,
// test, correction or claim by name. It is not changed once it is in use.
type Catalogue struct {
	param.Mechanisms
	param.Asked
}

// ownKeys lists the keys that some policy has of its own, in the order in which
// a protocol is written.
func (c *Catalogue) ownKeys() []string {
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
	return param.InOrder(append(keysOf(policyType()), c.ownKeys()...))
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

// JSONSchema returns the JSON Schema (draft 2020-12) of a document that Names lists. The
// schema of the protocol describes what the program reads, with what the catalogue lists.
// The schema of the results holds the schema of the protocol, and stands alone.
func (c *Catalogue) JSONSchema(name string) ([]byte, error) {
	b, err := c.schema(name)
	if err != nil || name != resultsSchema {
		return b, err
	}
	protocol, err := c.schema(protocolSchema)
	if err != nil {
		return nil, err
	}
	o, err := param.ParseObject(b)
	if err != nil {
		return nil, fmt.Errorf("schemas: the schema %s: %w", name, err)
	}
	defs, _ := o.At("$defs").(param.Object)
	return Encode(o.With("$defs", defs.With("Protocol", json.RawMessage(protocol))))
}

// schema returns the schema of one document, which may refer to that of another.
func (c *Catalogue) schema(name string) ([]byte, error) {
	b, err := schemaFile(name)
	if err != nil || name != protocolSchema {
		return b, err
	}
	return c.Describe(b)
}

// Describe returns the protocol's schema with what the catalogue lists in
// the place of what it has.
func (c *Catalogue) Describe(schema []byte) ([]byte, error) {
	o, err := param.ParseObject(schema)
	if err != nil {
		return nil, fmt.Errorf("schemas: the schema of a protocol: %w", err)
	}
	defs, _ := o.At("$defs").(param.Object)
	for _, list := range []struct {
		def, what string
		names     []string
	}{
		{"PolicyName", "a policy", c.PolicyNames()},
		{"LikeName", "a policy of a library", c.LikeNames()},
		{"CounterName", "a counter", c.CounterNames()},
		{"TestName", "a test", c.TestNames()},
		{"CorrectionName", "a correction", c.HeadlineNames()},
		{"AlsoName", "a form that is printed on request", c.AlsoNames()},
		{"ClaimKind", "a kind of claim", c.ClaimKinds()},
		{"DecideWord", "what decides a test", c.DecideWords()},
	} {
		defs = defs.With(list.def, param.Object{{Key: "description", Value: "the name of " + list.what}, {Key: "enum", Value: list.names}})
	}
	policy, _ := defs.At("Policy").(param.Object)
	all, _ := policy.At("properties").(param.Object)
	own := map[string]any{}
	for _, name := range c.ownKeys() {
		own[name] = param.Properties([]param.Key{*c.key("", name)})[0].Value
	}
	properties := param.Object{}
	for _, key := range c.PolicyKeys() {
		value := own[key]
		if value == nil {
			value = all.At(key)
		}
		properties = append(properties, param.Member{Key: key, Value: value})
	}
	counter, _ := defs.At("Counter").(param.Object)
	defs = defs.With("Policy", c.policyForms(policy.With("properties", properties))).With("Counter", c.counterForms(counter))
	return Encode(o.With("$defs", defs))
}

// needing is the condition that what has a name, and is not like that of a library, has
// some keys.
func needing(name string, keys []string) any {
	return param.Object{
		{Key: "if", Value: param.Object{
			{Key: "properties", Value: named(name)},
			{Key: "required", Value: []string{"name"}},
			{Key: "not", Value: param.Object{{Key: "required", Value: []string{likeKey}}}},
		}},
		{Key: "then", Value: param.Object{{Key: "required", Value: keys}}},
	}
}

// named are the properties of what has one of some names.
func named(names ...string) param.Object {
	return param.Object{{Key: "name", Value: param.Object{{Key: "enum", Value: names}}}}
}

// belonging is the condition that a key stands beside one of some names alone.
func belonging(key string, names []string) param.Member {
	return param.Member{Key: key, Value: param.Object{{Key: "properties", Value: named(names...)}}}
}

// policyForms adds the conditions on the keys that policies have of their own.
func (c *Catalogue) policyForms(policy param.Object) param.Object {
	all := []any{}
	for i := range c.Policies {
		var needed []string
		for _, key := range c.Policies[i].Keys {
			if key.Needed && key.Unless == nil {
				needed = append(needed, key.Name)
			}
		}
		if needed != nil {
			all = append(all, needing(c.Policies[i].Name, needed))
		}
	}
	of := param.Object{}
	for _, key := range c.ownKeys() {
		names := []string{}
		for i := range c.Policies {
			if param.Find(c.Policies[i].Keys, key) != nil {
				names = append(names, c.Policies[i].Name)
			}
		}
		of = append(of, belonging(key, names))
	}
	return conditional(policy, all, of)
}

// counterForms adds the conditions on the parameters of counters.
func (c *Catalogue) counterForms(counter param.Object) param.Object {
	all, noisy, powered := []any{}, []string{}, []string{}
	for i := range c.Counters {
		k, needed := &c.Counters[i], []string{"epsilon"}
		if k.Horizon == param.HorizonNeeded {
			needed = append(needed, "horizon")
		}
		if k.Exponent {
			powered = append(powered, k.Name)
		}
		if k.Noise {
			noisy, all = append(noisy, k.Name), append(all, needing(k.Name, needed))
		}
	}
	of := param.Object{}
	for _, key := range counterParameters() {
		of = append(of, belonging(key, map[bool][]string{false: noisy, true: powered}[key == "exponent"]))
	}
	return conditional(counter, all, of)
}

// conditional sets the conditions on what a schema describes; a list of none is no schema.
func conditional(schema param.Object, all []any, dependent param.Object) param.Object {
	if len(all) == 0 {
		all = []any{true}
	}
	return schema.With("allOf", all).With("dependentSchemas", dependent)
}

// ReadEffective reads the protocol that results hold, as Effective wrote it. Nothing
// is judged again, and no default is filled in. The error says that b is not JSON, or
// is a Problems where it has not the form of a protocol.
func (c *Catalogue) ReadEffective(b []byte) (*Protocol, error) {
	root, err := tree.ParseJSON(b)
	if err != nil {
		return nil, err
	}
	r, p := newReader(c, ""), &Protocol{}
	r.decode(root, p)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	undeclared(p)
	return p, nil
}
