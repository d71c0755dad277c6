package schemas_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// What testdata/schemas/agree.py asks for.
var (
	corpus  = flag.String("corpus", "", "`FILE` that gets every document, a line of JSON each")
	mutants = flag.Int("mutants", 150, "documents of each kind that the schema accepts, and as many that it refuses")
)

// gone takes the place of a value that is taken away.
type gone struct{}

// mutator changes documents in one place.
type mutator struct {
	*rand.Rand

	values map[string][]any // what stood under a key in a document that is right
}

// scalars are what may stand anywhere.
func scalars() []any {
	var far []any
	if *corpus != "" { // numbers on which readers of JSON may differ
		far = []any{json.Number("1.0"), json.Number("2.00e1"), json.Number("9223372036854775808"), json.Number("1e300"), json.Number("1e400")}
	}
	return append(far,
		nil, true, false, 0, -1, 1, 2, 3, 0.5, 1.5, -0.25, json.Number("9007199254740993"),
		"", " ", "x", "a", "b\n", "1", "1/3", "1/0", "0.5", "-1", "2^-20", "2^20", "each", "all", "none", "each-played", "unknown", "batch", "before", "exact", "2026-01-01T00:00:00Z", "x\u0000", "\u202e")
}

// learn adds what stands under the keys of a document.
func (m *mutator) learn(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			m.values[k] = append(m.values[k], v[k])
			m.learn(v[k])
		}
	case []any:
		for _, e := range v {
			m.learn(e)
		}
	}
}

// changed is a document with one place of it changed.
func (m *mutator) changed(v any) any {
	at := m.IntN(size(v))
	return m.rewrite(v, "", &at)
}

// size is the number of values in a document.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += size(e)
		}
	case []any:
		for _, e := range v {
			n += size(e)
		}
	}
	return n
}

// rewrite copies a document; the value that stands at is replaced.
func (m *mutator) rewrite(v any, key string, at *int) any {
	*at--
	if *at == -1 {
		return m.another(v, key)
	}
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if e := m.rewrite(v[k], k, at); e != (gone{}) {
				out[k] = e
			}
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			if e = m.rewrite(e, key, at); e != (gone{}) {
				out = append(out, e)
			}
		}
		return out
	}
	return v
}

// another is what takes the place of a value under a key.
func (m *mutator) another(v any, key string) any {
	pick := func(of []any) any { return of[m.IntN(len(of))] }
	switch of, n := m.values[key], m.IntN(10); {
	case n < 2:
		return gone{}
	case n < 5 && len(of) > 0:
		return pick(of)
	case n == 5:
		return pick([]any{[]any{}, map[string]any{}, []any{v}, []any{v, v}, map[string]any{"name": v}})
	case n > 5:
		switch v := v.(type) {
		case map[string]any:
			out, keys := maps.Clone(v), slices.Sorted(maps.Keys(m.values))
			k := keys[m.IntN(len(keys))]
			out[k] = pick(m.values[k])
			return out
		case []any:
			return append(slices.Clone(v), pick(append(slices.Clone(v), scalars()...)))
		}
	}
	return pick(scalars())
}

// judged is what is said of a document.
type judged struct {
	Document string          `json:"document"`
	Text     json.RawMessage `json:"text"`
	Schema   bool            `json:"schema"`  // an independent validator accepts it
	Program  bool            `json:"program"` // the program does
	Form     bool            `json:"form"`    // the program could not read it
	Rule     string          `json:"rule"`    // the first thing that the program has against it
}

// numbers and quoted texts differ between two that break one rule.
var differing = regexp.MustCompile(`"[^"]*"|-?[0-9][0-9.e+-]*`)

// rule is what an error says, without what was written.
func rule(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	if p, ok := err.(schemas.Problems); ok { //nolint:errorlint // as the program returns it
		text = p[0].Path + " " + strings.TrimPrefix(p[0].What, p[0].Path) + " (" + p[0].Why + ")"
	}
	return differing.ReplaceAllString(text, "…")
}

// TestSchemaAgreesWithTheProgram: of protocols and results that were right until one or two
// places were changed, the program accepts none that an independent validator refuses by
// the printed schema. Of results it accepts all others. What else it has against protocols
// is listed by testdata/schemas/agree.py.
func TestSchemaAgreesWithTheProgram(t *testing.T) {
	lines := json.NewEncoder(&bytes.Buffer{})
	if *corpus != "" {
		f, err := os.Create(*corpus)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines = json.NewEncoder(f)
	}
	_, whole := schemas.WholeJSON(t, "results")
	for name, right := range map[string][]string{"protocol": schemas.DrawnProtocols(t, 200), "results": {string(whole)}} {
		validate := schemas.Independent(t, name)
		m := &mutator{rand.New(rand.NewPCG(1, 2)), map[string][]any{}}
		documents := make([]any, len(right))
		for i, text := range right {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			if err := d.Decode(&documents[i]); err != nil {
				t.Fatal(err)
			}
			m.learn(documents[i])
		}
		counts := map[bool]int{}
		most := *mutants
		if name == "results" && *corpus == "" {
			most /= 10 // each is large
		}
		for counts[true] < most || counts[false] < most {
			v := m.changed(documents[m.IntN(len(documents))])
			if m.IntN(3) == 0 {
				v = m.changed(v)
			}
			text, err := json.Marshal(v)
			if err != nil {
				continue // gone, all of it
			}
			j := judged{Document: name, Text: text, Schema: validate(text) == nil}
			if counts[j.Schema]++; counts[j.Schema] > most {
				continue
			}
			if name == "protocol" {
				j.Form = !schemas.Readable(text)
				_, err = schemas.Standard().ParseProtocol("p.yaml", text)
			} else {
				_, err = decoded(t, text)
				j.Form = err != nil
			}
			if j.Program = err == nil; !j.Program {
				j.Rule = rule(err)
			}
			zero := bytes.Contains(text, []byte(`\u0000`)) // refused in any text, which the schema does not say
			if *corpus == "" && (j.Program && !j.Schema || j.Form && j.Schema && !zero) {
				t.Errorf("%s: the schema says %.300v, the program %.300v\n%.300s", name, validate(text), err, text)
			}
			if err := lines.Encode(j); err != nil {
				t.Fatal(err)
			}
		}
	}
}
