package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// DecodeManifest reads manifest.json strictly: it must have the form of its
// schema, hold no key twice, and end after the document.
func DecodeManifest(b []byte) (*Manifest, error) {
	return decodeAs[Manifest](none(), "manifest", b)
}

// DecodeReplay reads replay.json as strictly as DecodeManifest.
func DecodeReplay(b []byte) (*Replay, error) {
	return decodeAs[Replay](none(), "replay", b)
}

// DecodeReproduction reads reproduce.json as strictly as DecodeManifest.
func DecodeReproduction(b []byte) (*Reproduction, error) {
	return decodeAs[Reproduction](none(), "reproduce", b)
}

// DecodePlan reads a plan.json and refuses one that does not have its form.
func DecodePlan(b []byte) (*Plan, error) { return decodeAs[Plan](none(), "plan", b) }

// decodeAs reads a document of a schema. The schema is looked at first: it
// alone tells a missing key from a zero, and encoding/json would take "Schema"
// for "schema".
func decodeAs[T any](c *Catalogue, name string, b []byte) (*T, error) {
	schema, err := c.compile(name, "")
	if err != nil {
		return nil, err
	}
	return decodePart[T](schema, name, b)
}

// decodePart is decodeAs with a compiled schema.
func decodePart[T any](schema *jsonschema.Schema, name string, b []byte) (*T, error) {
	if err := wellFormed(b); err != nil {
		return nil, fmt.Errorf("schemas: %s.json: %w: %w", name, ErrInvalid, err)
	}
	if err := conforms(schema, name, b); err != nil {
		return nil, err
	}
	v := new(T)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return nil, fmt.Errorf("schemas: %s.json: %w: %w", name, ErrInvalid, err)
	}
	return v, nil
}

// wellFormed reports what encoding/json lets pass: text that is not UTF-8, a
// key that stands twice in an object, and anything after the document.
func wellFormed(b []byte) error {
	if !utf8.Valid(b) {
		return errors.New("the text is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := uniqueKeys(d); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows the document at byte %d", d.InputOffset())
	}
	return nil
}

// uniqueKeys walks one JSON value without recursion, so that nesting costs no
// stack.
func uniqueKeys(d *json.Decoder) error {
	type level struct {
		keys map[string]bool // nil in an array
		key  bool            // the next string is a key
	}
	var open []level
	for {
		t, err := d.Token()
		if err != nil {
			return fmt.Errorf("not JSON: %w", err)
		}
		switch {
		case t == json.Delim('{'):
			open = append(open, level{keys: map[string]bool{}, key: true})
			continue
		case t == json.Delim('['):
			open = append(open, level{})
			continue
		case t == json.Delim('}'), t == json.Delim(']'):
			open = open[:len(open)-1]
		case len(open) > 0 && open[len(open)-1].key:
			top := &open[len(open)-1]
			name, _ := t.(string)
			if top.keys[name] {
				return fmt.Errorf("the key %s stands twice at byte %d", shown(name), d.InputOffset())
			}
			top.keys[name], top.key = true, false
			continue
		}
		if len(open) == 0 {
			return nil
		}
		open[len(open)-1].key = open[len(open)-1].keys != nil
	}
}
