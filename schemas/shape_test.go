package schemas

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestShape: what audit writes fits the shapes of its schemas, so that it is read fast; and
// of texts in which some bytes are others none that fits is one that [Form.Check] and
// wellFormed refuse. The texts are seeded: the test never fails by chance.
func TestShape(t *testing.T) {
	t.Parallel()
	bundles, err := filepath.Glob("../testdata/bundles/*/results.json")
	if err != nil || len(bundles) == 0 {
		t.Fatal(bundles, err)
	}
	b, err := os.ReadFile(bundles[len(bundles)-1]) // of the present version
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Claims, Experiments []json.RawMessage
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name   string
		texts  []json.RawMessage
		strict func(b []byte) error
	}{{"Finding", r.Claims, strictly[Finding]}, {"Experiment", r.Experiments, strictly[Experiment]}} {
		form, err := none().ResultsForm("#/$defs/" + part.name)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 2))
		fitted := 0
		for i, text := range part.texts {
			if !form.shape.fits(text) {
				t.Errorf("%s %d does not fit", part.name, i)
			}
			for range 1000 / len(part.texts) {
				other := mistaken(random, text)
				if !form.shape.fits(other) || part.strict(other) != nil {
					continue
				}
				fitted++
				if err := wellFormed(other); err != nil {
					t.Errorf("%s fits: %v", part.name, err)
				}
				if err := conforms(form.schema, form.name, other); err != nil {
					t.Errorf("%s fits: %v", part.name, err)
				}
			}
		}
		if fitted < 100 {
			t.Errorf("%s: %d texts of 1,000 fit", part.name, fitted)
		}
	}
}

func strictly[T any](b []byte) error {
	_, err := decodeStrictly[T](b)
	return err
}

// mistaken is a text in which a byte, or a piece, is another one.
func mistaken(random *rand.Rand, text []byte) []byte {
	at := random.IntN(len(text))
	to := min(len(text), at+1+random.IntN(3))
	pieces := []string{"", "0", "1", "-", ".5", "e9", "\"", "\\", "\xff", "null", "true", "[]", "{}", ",", " ", "\n", "a", "A", string(text[at:to]) + string(text[at:to])}
	return slices.Concat(text[:at], []byte(pieces[random.IntN(len(pieces))]), text[to:])
}

// TestShapeSays: the keywords one by one, where the text fits and where it does not, or
// where that is not known.
func TestShapeSays(t *testing.T) {
	t.Parallel()
	above := 1.0
	s := &shape{
		types: []string{"object"}, most: -1, required: 1,
		properties: map[string]property{
			"n": {1, &shape{types: []string{"number", "null"}, most: -1, ends: []end{{0, -1, false}, {above, 1, true}}}},
			"i": {2, &shape{types: []string{"integer"}, most: -1}},
			"l": {4, &shape{types: []string{"array"}, least: 1, most: 2, items: &shape{types: []string{"string"}, runes: 1, most: -1}}},
			"w": {8, &shape{any: []*shape{{types: []string{"string"}, words: []any{"a", "b"}, most: -1}, {types: []string{"null"}, most: -1}}, most: -1}},
			"b": {16, &shape{types: []string{"boolean"}, most: -1}},
		},
	}
	for text, want := range map[string]bool{
		`{"n": 0}`: true, `{"n":0.999999999999999}`: true, ` { "n" : null , "b" : false } `: true, `{"n": 0.5, "i": 12, "l": ["x", "é"], "w": "b", "b": true}`: true, `{"n":0,"w":null}`: true,
		`{}`: false, `{"n": 1}`: false, `{"n": -0.1}`: false, `{"n": 0.99999999999999999999}`: false, `{"n": -1e-400}`: false, `{"n": 1e999}`: false, `{"n": "0"}`: false, `{"n": true}`: false,
		`{"n": 0, "n": 0}`: false, `{"n": 0, "x": 0}`: false, `{"N": 0}`: false, `{"n": 0, "i": 1.0}`: false, `{"n": 0, "i": 1e2}`: false,
		`{"n": 0, "l": []}`: false, `{"n": 0, "l": ["x", "y", "z"]}`: false, `{"n": 0, "l": [""]}`: false, `{"n": 0, "w": "c"}`: false, `{"n": 0, "b": null}`: false,
		`{"n": 0} {}`: false, `{"n": 0`: false, `{"n": 0,}`: false, `{"n" 0}`: false, "{\"n\": 0, \"l\": [\"\xff\"]}": false, `[]`: false, ``: false,
	} {
		if got := s.fits([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if s := (*shape)(nil); s.fits([]byte("{}")) {
		t.Error("no shape fits")
	}
	if form, err := ManifestForm("#/$defs/ManifestExperiment"); err != nil || form.shape == nil {
		t.Error(err)
	}
}
