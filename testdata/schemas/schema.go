package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"strings"

	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

type object = param.Object

// of returns an object of keys, each before its value.
func of(pairs ...any) object {
	var out object
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, member(pairs[i].(string), pairs[i+1])) //nolint:forcetypeassert // every call writes its keys out
	}
	return out
}

// member is a member of an object.
func member(key string, value any) param.Member { return param.Member{Key: key, Value: value} }

// form is a type that writes its own schema.
type form interface{ SchemaForm() string }

// writer makes the schema of one document.
type writer struct {
	comments *source
	declared bool // the document is one that people write: words may be any scalar
	defs     object
	seen     map[string]bool
	err      error
}

// schemaOf returns the schema of a document.
func schemaOf(d document, from *source) ([]byte, error) {
	w := &writer{comments: from, declared: d.name == "protocol", seen: map[string]bool{d.root.Name(): true}}
	body := w.structure(d.root)
	all := of("$schema", "https://json-schema.org/draft/2020-12/schema", "$id", "urn:banditaudit:"+d.name+":v1", "title", d.title)
	all = append(all, body...)
	if w.declared {
		for _, name := range []string{"PolicyName", "LikeName", "CounterName", "TestName", "CorrectionName", "AlsoName", "ClaimKind"} {
			w.defs = append(w.defs, member(name, of("type", "string"))) // the catalogue has the words
		}
		w.defs = append(w.defs, member("Text", json.RawMessage(textForm)),
			member("Fraction", of("description", "a fraction: a quotient of whole numbers, 1/30, or a power of two, 2^-20", "type", "string", "pattern", param.FractionPattern)))
	}
	if len(w.defs) > 0 {
		all = append(all, member("$defs", w.defs))
	}
	if w.err != nil {
		return nil, w.err
	}
	return schemas.Encode(all)
}

// textForm is a name in a protocol: any scalar that is not empty, since arms and
// columns may be called 1 or true without quotes.
const textForm = `{"description": "a name, with or without quotes", "anyOf": [{"type": "string", "minLength": 1}, {"type": ["number", "boolean"]}]}`

// named is a type as comments name it.
func named(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }

// structure returns the schema of a struct: its keys and no others.
func (w *writer) structure(t reflect.Type) object {
	properties, required, either := w.members(t)
	out := object{}
	if text := w.comments.texts[named(t)]; text != "" {
		out = append(out, member("description", text))
	}
	out = append(out, member("type", "object"), member("additionalProperties", false))
	if len(required) > 0 {
		out = append(out, member("required", required))
	}
	if either != nil {
		out = append(out, member("anyOf", either))
	}
	return append(out, member("properties", properties))
}

// members are the keys of a struct, those of what it embeds in its place, and which of
// them must be there; either is what one of two must.
func (w *writer) members(t reflect.Type) (properties object, required []string, either []any) {
	properties, required = object{}, []string{}
	for f := range t.Fields() {
		key, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && key == "":
			inner, needed, _ := w.members(f.Type)
			properties, required = append(properties, inner...), append(required, needed...)
			continue
		case key == "-" || key == "":
			continue
		case !strings.Contains(rest, "omit"):
			required = append(required, key)
		}
		if tag, err := readTag(f.Tag.Get("schema")); err == nil && tag.either != "" {
			either = []any{of("required", []string{key}), of("required", []string{tag.either})}
		}
		properties = append(properties, member(key, w.property(t, f)))
	}
	return properties, required, either
}

// property returns the schema of a field.
func (w *writer) property(t reflect.Type, f reflect.StructField) any {
	tag, err := readTag(f.Tag.Get("schema"))
	if err != nil {
		w.err = cmp.Or(w.err, fmt.Errorf("%s.%s: %w", t.Name(), f.Name, err))
	}
	value := w.value(f.Type, tag, f.Tag.Get("shape") == "one-or-list")
	if text := w.comments.texts[named(t)+"."+f.Name]; text != "" {
		value = append(of("description", text), value...)
	}
	return value
}

// value returns the schema of a value of a type, with what a tag says of it.
func (w *writer) value(t reflect.Type, tag tag, alone bool) object {
	if t.Kind() == reflect.Pointer {
		inner := w.value(t.Elem(), tag, alone)
		if w.declared {
			return inner // a key that is absent is not null
		}
		return of("anyOf", []any{inner, of("type", "null")})
	}
	if tag.ref != "" && t.Kind() != reflect.Slice || t == reflect.TypeFor[json.RawMessage]() {
		return of("$ref", tag.ref)
	}
	if len(tag.words) > 0 && t.Kind() == reflect.String {
		return of("enum", tag.words)
	}
	if t.Kind() == reflect.Struct || t.Name() != "" && t.PkgPath() != "" {
		return of("$ref", "#/$defs/"+w.define(t))
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return w.list(t, tag, alone)
	case reflect.Map:
		return of("type", "object", "additionalProperties", w.value(t.Elem(), tag, false))
	case reflect.String:
		return w.text(tag)
	case reflect.Bool:
		return of("type", "boolean")
	case reflect.Int, reflect.Int64:
		return append(of("type", "integer"), cmp.Or(tag.bounds, "[0,inf)").members()...)
	case reflect.Float64:
		number := append(of("type", "number"), tag.bounds.members()...)
		if w.declared {
			return param.Fractional(number)
		}
		return number
	}
	w.err = cmp.Or(w.err, fmt.Errorf("no schema for the type %s", t))
	return nil
}

// list returns the schema of a list; alone says that its only element may stand
// without brackets.
func (w *writer) list(t reflect.Type, tag tag, alone bool) object {
	element := tag
	element.count, element.unique = "", false
	items := w.value(t.Elem(), element, false)
	out := of("type", "array")
	if t.Kind() == reflect.Array {
		tag.count = bounds(fmt.Sprintf("[%d,%d]", t.Len(), t.Len()))
	}
	for _, m := range tag.count.members() {
		out = append(out, member(map[string]string{"minimum": "minItems", "maximum": "maxItems"}[m.Key], m.Value))
	}
	if tag.unique {
		out = append(out, member("uniqueItems", true))
	}
	out = append(out, member("items", items))
	if alone {
		return of("anyOf", []any{items, out})
	}
	return out
}

// text returns the schema of a text. What people write as a name may be any
// scalar.
func (w *writer) text(tag tag) object {
	switch {
	case tag.constant != "":
		return of("const", tag.constant)
	case tag.pattern != "" && w.declared:
		return of("anyOf", []any{of("type", "string", "pattern", tag.pattern), of("type", "number")})
	case tag.pattern != "":
		return of("type", "string", "pattern", tag.pattern)
	case w.declared && !tag.empty:
		return of("$ref", "#/$defs/Text")
	case w.declared:
		return of("type", []string{"string", "number", "boolean"})
	case tag.named:
		return of("type", "string", "minLength", 1)
	}
	return of("type", "string")
}

// define adds a type to the definitions and returns its name there.
func (w *writer) define(t reflect.Type) string {
	name := t.Name()
	if w.seen[name] {
		return name
	}
	w.seen[name] = true
	at := len(w.defs)
	w.defs = append(w.defs, member(name, nil))
	w.defs[at].Value = w.definition(t)
	return name
}

// definition returns the schema of a type of its own.
func (w *writer) definition(t reflect.Type) any {
	zero := reflect.Zero(t).Interface()
	if f, ok := zero.(form); ok {
		for _, inner := range mentioned(t) {
			w.define(inner)
		}
		return json.RawMessage(f.SchemaForm())
	}
	switch t.Kind() {
	case reflect.Struct:
		return w.structure(t)
	case reflect.String:
		return of("enum", w.comments.constants[t.Name()])
	case reflect.Array:
		return append(of("description", w.comments.texts[named(t)]), w.list(t, tag{}, false)...)
	}
	w.err = cmp.Or(w.err, fmt.Errorf("the type %s has no SchemaForm", t))
	return nil
}

// mentioned lists the struct types in the fields of a type that writes its own
// schema, which may refer to them.
func mentioned(t reflect.Type) []reflect.Type {
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []reflect.Type
	for f := range t.Fields() {
		in := f.Type
		for in.Kind() == reflect.Slice || in.Kind() == reflect.Pointer {
			in = in.Elem()
		}
		if in.Kind() == reflect.Struct && f.IsExported() && in.PkgPath() != "" {
			out = append(out, in)
		}
	}
	return out
}
