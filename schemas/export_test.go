package schemas

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/goccy/go-yaml"
	"pgregory.net/rapid"

	"banditaudit/schemas/tree"
)

// What tests of package resultsfile, and of both, take from those of this one.
var (
	Standard   = standard
	WholeJSON  = exampleJSON
	WriteFiles = writeFiles
)

// Independent is what another validator has against a document by its printed schema.
func Independent(t *testing.T, name string) func(text []byte) error {
	t.Helper()
	schema := independent(t, name)
	return func(text []byte) error {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		return schema.Validate(v)
	}
}

// DrawnProtocols are random protocols that the program accepts, in JSON.
func DrawnProtocols(t *testing.T, n int) []string {
	t.Helper()
	sources := []string{formatExample}
	gen := rapid.Custom(drawn)
	for seed := 0; len(sources) < n; seed++ {
		if source := gen.Example(seed); len(source) > 0 {
			sources = append(sources, source)
		}
	}
	out := sources[:0]
	for _, source := range sources {
		if _, err := standard().ParseProtocol("p.yaml", []byte(source)); err != nil {
			continue
		}
		text, err := yaml.YAMLToJSON([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

// EncodeProtocol writes a protocol as YAML that ParseProtocol reads. A seed is
// written as the file, column or digest it names, never as its bytes.
func EncodeProtocol(p *Protocol) ([]byte, error) {
	b, err := compact(p)
	if err != nil {
		return nil, fmt.Errorf("schemas: encoding a protocol: %w", err)
	}
	return tree.FromJSON(b)
}

// ValidateProtocol reports every place where b is not a protocol as JSON, in the form that
// Effective writes. It looks at form only; ParseProtocol judges the rules between keys.
func (c *Catalogue) ValidateProtocol(b []byte) error { return c.validate(protocolSchema, b) }

// Readable reports whether a text has the form of a protocol, whatever the rules say.
func Readable(text []byte) bool {
	_, r := standard().read("p.yaml", text)
	return len(r.problems) == 0
}
