package param

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is a key of an Object with its value.
type Member struct {
	Key   string
	Value any
}

// At returns the value of a key; nil where there is none.
func (o Object) At(key string) any {
	for _, m := range o {
		if m.Key == key {
			return m.Value
		}
	}
	return nil
}

// With returns the object with a key set to a value: in its place where the key
// is there, else at the end.
func (o Object) With(key string, value any) Object {
	for i := range o {
		if o[i].Key == key {
			o[i].Value = value
			return o
		}
	}
	return append(o, Member{key, value})
}

// MarshalJSON writes the members in their order, and <, > and & as they are.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := errors.Join(e.Encode(m.Key), b.WriteByte(':'), e.Encode(m.Value)); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// ParseObject reads a JSON object and all objects in it as Objects, lists as
// []any, and numbers as json.Number.
func ParseObject(b []byte) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	v, err := parse(d)
	if err != nil {
		return nil, err
	}
	o, ok := v.(Object)
	if !ok {
		return nil, fmt.Errorf("param: the document is no JSON object but %T", v)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("param: something follows the JSON object")
	}
	return o, nil
}

// parse reads one value.
func parse(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			var v any
			if v, err = parse(d); err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	case json.Delim('{'):
		o := Object{}
		for d.More() {
			var key, v any
			if key, err = d.Token(); err != nil {
				return nil, err
			}
			if v, err = parse(d); err != nil {
				return nil, err
			}
			o = append(o, Member{key.(string), v}) //nolint:forcetypeassert // a key of JSON is a string
		}
		_, err = d.Token()
		return o, err
	}
	return t, nil
}
