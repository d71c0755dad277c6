package schemas

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:generate go run ../testdata/schemas $GOPACKAGE
//go:embed *.schema.json
var schemaFiles embed.FS

// protocolSchema is the document whose schema depends on the catalogue.
const protocolSchema = "protocol"

// resultsSchema is the document that holds a protocol.
const resultsSchema = "results"

// Names lists the documents that have a JSON Schema.
func Names() []string {
	return []string{protocolSchema, resultsSchema, "manifest", "replay", "summary", "census", "fragment", "merged"}
}

// schemaFile returns the schema that is kept of a document.
func schemaFile(name string) ([]byte, error) {
	b, err := schemaFiles.ReadFile(name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("schemas: no schema is called %s; there are: %s", shown(name), strings.Join(Names(), ", "))
	}
	return b, nil
}

// ValidateResults reports every place where b is not a results.json. The keys
// must all be there, and no others.
func (c *Catalogue) ValidateResults(b []byte) error { return c.validate("results", b) }

// ValidateManifest reports every place where b is not a manifest.json.
func ValidateManifest(b []byte) error { return none().validate("manifest", b) }

// ValidateMerged reports every place where b is not the manifest.json of a merge.
func ValidateMerged(b []byte) error { return none().validate("merged", b) }

// ValidateFragment reports every place where b is not the first line of a fragment.
func ValidateFragment(b []byte) error { return none().validate("fragment", b) }

// ErrInvalid is in the chain of an error that says that a JSON document does
// not have the form of its schema.
var ErrInvalid = errors.New("not a valid document")

// none is the catalogue of documents that hold no protocol.
func none() *Catalogue { return &Catalogue{} }

func (c *Catalogue) validate(name string, b []byte) error {
	schema, err := c.compile(name, "")
	if err != nil {
		return err
	}
	return conforms(schema, name, b)
}

// conforms reports every place where b does not have the form of a compiled
// schema; name is that of the document for the message.
func conforms(schema *jsonschema.Schema, name string, b []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return fmt.Errorf("schemas: %s.json: %w: %w", name, ErrInvalid, err)
	}
	err = schema.Validate(doc)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return fmt.Errorf("schemas: %s.json: %w:\n%s", name, ErrInvalid, places(invalid))
	}
	return err
}

// compilers keep the schemas that were compiled, by name and the text of the protocol's, which
// is the one that depends on the catalogue. To compile a schema takes many times as
// long as to hold a document against it.
var compilers = struct { //nolint:gochecknoglobals // what is kept follows from its key alone
	sync.Mutex

	of map[string]*jsonschema.Compiler
}{of: map[string]*jsonschema.Compiler{}}

// compile returns the schema of a document, or of the part of it that a fragment
// such as "#/$defs/Experiment" names, from the embedded files alone. It is safe for
// concurrent use, as the schema is.
func (c *Catalogue) compile(name, fragment string) (*jsonschema.Schema, error) {
	needed := []string{name}
	if name == resultsSchema {
		needed = append(needed, protocolSchema)
	}
	texts := map[string][]byte{}
	for _, n := range needed {
		b, err := c.schema(n)
		if err != nil {
			return nil, err
		}
		texts[n] = b
	}
	key := name + "\n" + string(texts[protocolSchema]) // what is read of other documents never differs
	compilers.Lock()
	defer compilers.Unlock()
	compiler := compilers.of[key]
	if compiler == nil {
		var err error
		if compiler, err = newCompiler(texts); err != nil {
			return nil, err
		}
		compilers.of[key] = compiler
	}
	schema, err := compiler.Compile(schemaURL(name) + fragment)
	if err != nil {
		return nil, fmt.Errorf("schemas: the schema %s: %w", name, err)
	}
	return schema, nil
}

// newCompiler returns a compiler of schemas that may refer to each other, by name.
func newCompiler(texts map[string][]byte) (*jsonschema.Compiler, error) {
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	for name, text := range texts {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("schemas: the schema %s: %w", name, err)
		}
		if err := compiler.AddResource(schemaURL(name), doc); err != nil {
			return nil, fmt.Errorf("schemas: the schema %s: %w", name, err)
		}
	}
	return compiler, nil
}

// schemaURL is the identifier of a schema; nothing is ever fetched from it.
func schemaURL(name string) string { return "urn:banditaudit:" + name + ":v1" }

// noLoader refuses every schema that is not embedded.
type noLoader struct{}

// Load returns an error always.
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("schemas: the schema %s is not part of this program", url)
}

// maxPlaces bounds the lines of a validation error.
const maxPlaces = 20

// places lists where a document differs from its schema.
func places(e *jsonschema.ValidationError) string {
	_, text, _ := strings.Cut(e.Error(), "\n")
	lines := strings.Split(text, "\n")
	if more := len(lines) - maxPlaces; more > 0 {
		lines = append(lines[:maxPlaces], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// DecodeReplay reads replay.json strictly: it must have the form of its
// schema, hold no key twice, and end after the document.
func DecodeReplay(b []byte) (*Replay, error) {
	return decodeAs[Replay](none(), "replay", b)
}

// decodeAs reads a document of a schema. The schema is looked at first: it
// alone tells a missing key from a zero, and encoding/json would take "Schema"
// for "schema".
func decodeAs[T any](c *Catalogue, name string, b []byte) (*T, error) {
	f, err := c.form(name, "")
	if err != nil {
		return nil, err
	}
	return DecodeForm[T](f, b)
}

// Form is the form of a document, or of a part of it. It is safe for concurrent use.
type Form struct {
	schema *jsonschema.Schema
	shape  *shape // of the schema; nil: it has none
	name   string // of the document
}

// form returns the form of a document, or of the part of it that a fragment such as
// "#/$defs/Experiment" names.
func (c *Catalogue) form(name, fragment string) (*Form, error) {
	schema, err := c.compile(name, fragment)
	if err != nil {
		return nil, err
	}
	return formOf(schema, name), nil
}

// formOf returns the form that a compiled schema gives a document.
func formOf(schema *jsonschema.Schema, name string) *Form {
	return &Form{schema, newShape(schema, map[*jsonschema.Schema]*shape{}), name}
}

// NewForm returns the form of a document whose schema is given: one of another package. The
// schema refers to no other document. Messages name the document.
func NewForm(name string, schema []byte) (*Form, error) {
	compiler, err := newCompiler(map[string][]byte{name: schema})
	if err != nil {
		return nil, err
	}
	compiled, err := compiler.Compile(schemaURL(name))
	if err != nil {
		return nil, fmt.Errorf("schemas: the schema %s: %w", name, err)
	}
	return formOf(compiled, name), nil
}

// ResultsForm is the form of the part of results.json that a fragment such as
// "#/$defs/Experiment" names; "" is the whole.
func (c *Catalogue) ResultsForm(fragment string) (*Form, error) {
	return c.form(resultsSchema, fragment)
}

// ManifestForm is the same of manifest.json.
func ManifestForm(fragment string) (*Form, error) { return none().form("manifest", fragment) }

// Check reports every place where b does not have the form. The error has ErrInvalid
// in its chain.
func (f *Form) Check(b []byte) error {
	if f.shape.fits(b) && json.Valid(b) {
		return nil
	}
	return conforms(f.schema, f.name, b)
}

// DecodeForm reads a document that has a form as strictly as DecodeReplay.
func DecodeForm[T any](f *Form, b []byte) (*T, error) {
	if f.shape.fits(b) {
		if v, err := decodeStrictly[T](b); err == nil {
			return v, nil
		}
	}
	if err := wellFormed(b); err != nil {
		return nil, fmt.Errorf("schemas: %s.json: %w: %w", f.name, ErrInvalid, err)
	}
	if err := f.Check(b); err != nil {
		return nil, err
	}
	v, err := decodeStrictly[T](b)
	if err != nil {
		return nil, fmt.Errorf("schemas: %s.json: %w: %w", f.name, ErrInvalid, err)
	}
	return v, nil
}

// decodeStrictly reads a text that has no keys but those of T.
func decodeStrictly[T any](b []byte) (*T, error) {
	v := new(T)
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return v, d.Decode(v)
}

// wellFormed reports what encoding/json lets pass: text that is not UTF-8, a
// key that stands twice in an object, and anything after the document.
func wellFormed(b []byte) error {
	if !utf8.Valid(b) {
		return errors.New("the text is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := uniqueKeys(d, nil); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows the document at byte %d", d.InputOffset())
	}
	return nil
}

// PlainKeys reports, of a document that is not held in memory, what encoding/json lets pass
// where no form is checked: a key that stands twice in an object, and one that is not of
// small letters of ASCII, digits and _, which it may take for one that is.
func PlainKeys(r io.Reader) error {
	d := json.NewDecoder(r)
	d.UseNumber()
	return uniqueKeys(d, func(key string) bool {
		return strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
	})
}

// KeyTwice says that a key stands twice in an object.
func KeyTwice(key string, at int64) error {
	return fmt.Errorf("the key %s stands twice at byte %d", shown(key), at)
}

// uniqueKeys walks one JSON value without recursion, so that nesting costs no
// stack. Keys must be plain; nil: they may be anything.
func uniqueKeys(d *json.Decoder, plain func(key string) bool) error {
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
				return KeyTwice(name, d.InputOffset())
			}
			if plain != nil && !plain(name) {
				return fmt.Errorf("there is no key %s, at byte %d", shown(name), d.InputOffset())
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
