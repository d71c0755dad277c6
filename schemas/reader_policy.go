package schemas

import (
	"reflect"
	"strings"

	"banditaudit/schemas/param"
)

// policy reads the keys that every policy has by their fields, and the others by
// the forms that the catalogue gives them: those of the named policy, or of
// another, whose keys the rules then refuse.
func (r *reader) policy(n *node, v *Policy, path string) {
	known := r.catalogue.PolicyKeys()
	if n.kind != mappingNode {
		r.mistyped(n, path, "a mapping", "write its keys: "+strings.Join(known, ", "))
		return
	}
	name := ""
	for _, f := range n.fields {
		if f.key == "name" {
			name = f.value.text
		}
	}
	fields := reflect.ValueOf(v).Elem()
	for _, f := range n.fields {
		at := join(path, f.key)
		if i := fieldOf(fields.Type(), f.key); i >= 0 {
			r.value(f.value, fields.Field(i), at)
		} else if key := r.catalogue.key(name, f.key); key != nil {
			v.Own = v.Own.With(f.key, r.declared(f.value, key.Form, at))
		} else {
			r.unknown(f, known, path)
		}
	}
}

// declared reads a value of a form. Where it cannot be read it is the zero of
// that form.
func (r *reader) declared(n *node, form param.Form, path string) any {
	switch form := form.(type) {
	case param.Number:
		return read[float64](r, n, path)
	case param.Exact:
		return read[Rational](r, n, path)
	case param.Word:
		return read[string](r, n, path)
	case param.Shares, param.Numbers:
		return read[[]float64](r, n, path)
	case param.Group:
		r.places[path] = n.at
		return r.group(n, form.Keys, path)
	case param.Choice:
		r.places[path] = n.at
		switch n.kind {
		case scalarNode:
			return read[string](r, n, path)
		case mappingNode:
			return r.group(n, form.Group.Keys, path)
		default:
			r.mistyped(n, path, form.Want, form.Mend)
		}
	case param.Either:
		r.places[path] = n.at
		switch n.kind {
		case scalarNode:
			return read[float64](r, n, path)
		case mappingNode:
			return r.group(n, form.Group.Keys, path)
		default:
			r.mistyped(n, path, form.Want, form.Mend)
		}
	}
	return nil
}

// read reads a value of a Go type.
func read[T any](r *reader, n *node, path string) T {
	var x T
	r.value(n, reflect.ValueOf(&x).Elem(), path)
	return x
}

// group reads a mapping of keys.
func (r *reader) group(n *node, keys []param.Key, path string) Values {
	names, out := param.Names(keys), Values{}
	if n.kind != mappingNode {
		r.mistyped(n, path, "a mapping", "write its keys: "+strings.Join(names, ", "))
		return out
	}
	for _, f := range n.fields {
		if key := param.Find(keys, f.key); key != nil {
			out[f.key] = r.declared(f.value, key.Form, join(path, f.key))
		} else {
			r.unknown(f, names, path)
		}
	}
	return out
}
