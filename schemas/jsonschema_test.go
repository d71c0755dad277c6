package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/schemas/param"
)

// roots are the documents with a schema and their Go types.
func roots() map[string]reflect.Type {
	return map[string]reflect.Type{
		"protocol": reflect.TypeFor[Protocol](), "results": reflect.TypeFor[Results](),
		"manifest": reflect.TypeFor[Manifest](), "replay": reflect.TypeFor[Replay](),
		"summary": reflect.TypeFor[Summary](), "census": reflect.TypeFor[Census](),
	}
}

// schemaDoc is a parsed schema file.
type schemaDoc struct {
	name string
	root map[string]any
}

func loadSchema(t *testing.T, name string) *schemaDoc {
	t.Helper()
	b, err := standard().JSONSchema(name)
	if err != nil {
		t.Fatal(err)
	}
	s := &schemaDoc{name: name}
	if err := json.Unmarshal(b, &s.root); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// resolve follows references and takes the first form of a choice that is not
// null.
func (s *schemaDoc) resolve(n map[string]any) map[string]any {
	if ref, ok := n["$ref"].(string); ok {
		def, _ := strings.CutPrefix(ref, "#/$defs/")
		defs, _ := s.root["$defs"].(map[string]any)
		next, _ := defs[def].(map[string]any)
		return s.resolve(next)
	}
	if forms, ok := n["anyOf"].([]any); ok && len(forms) == 2 && reflect.DeepEqual(forms[1], map[string]any{"type": "null"}) {
		first, _ := forms[0].(map[string]any)
		return s.resolve(first)
	}
	return n
}

// TestClosedLists: the rules find the words of a field in its tag, and constants
// name words that are there.
func TestClosedLists(t *testing.T) {
	for path, want := range map[string][]string{
		"experiment.stopping": {StoppingFixed, StoppingReleased, StoppingUnknown}, "log.ties": {TiesError, TiesFileOrder},
		"log.missing_reward": {MissingError, MissingExclude, MissingIndependent}, "reward.out_of_range": {OutOfRangeError, OutOfRangeClip},
		"policy.ties": {param.TiesFirst, param.TiesLast, param.TiesSeeded, param.TiesRandom, param.TiesAny, param.TiesShared, param.TiesName}, "policy.draw.by": {DrawByRound, DrawByUnit}, "privacy.definition": {DefinitionPure, DefinitionApproximate, DefinitionZCDP}, "privacy.unit": {UnitRound, UnitUser},
		"analysis.chosen":               {ChosenBefore, ChosenFromActions, ChosenAfterRewards},
		"analysis.multiplicity":         {AdjustNone, AdjustBonferroni, AdjustHolm, AdjustBH, AdjustBY, AdjustEBH},
		"analysis.tests[3].alternative": {TwoSided, Greater, Less}, "claims[0].severity": {SeverityRequired, SeverityAdvisory}, "claims[1].finding": {DecisionRejected},
		"log.order": nil,
	} {
		if diff := cmp.Diff(want, closedList(path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// example sets every field of v to something that its schema allows.
func example(s *schemaDoc, n map[string]any, v reflect.Value) {
	n = s.resolve(n)
	switch typ := v.Type(); {
	case typ == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(smallestProtocol))
	case typ == reflect.TypeFor[Rational]():
		v.Set(reflect.ValueOf(MustRational("1/3")))
	case typ.Kind() == reflect.Pointer:
		v.Set(reflect.New(typ.Elem()))
		example(s, n, v.Elem())
	case typ.Kind() == reflect.Struct:
		properties, _ := n["properties"].(map[string]any)
		for i := range typ.NumField() {
			if next, _ := properties[jsonKey(typ.Field(i))].(map[string]any); typ.Field(i).Tag.Get("json") != "-" {
				example(s, next, v.Field(i))
			}
		}
	case typ.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(typ, 1, 1))
		items, _ := n["items"].(map[string]any)
		example(s, items, v.Index(0))
	case typ.Kind() == reflect.Array:
		v.Index(1).SetFloat(1)
	case typ.Kind() == reflect.String:
		v.SetString(exampleText(n))
	case typ.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(3)
	case v.CanFloat():
		v.SetFloat(0.5)
	}
}

func exampleText(n map[string]any) string {
	if words, ok := n["enum"].([]any); ok {
		return fmt.Sprint(words[0])
	}
	if word, ok := n["const"].(string); ok {
		return word
	}
	switch pattern := fmt.Sprint(n["pattern"]); {
	case strings.Contains(pattern, "{64}"):
		return strings.Repeat("0f", 32)
	case strings.HasPrefix(pattern, "^H"):
		return "H01"
	case strings.Contains(pattern, OverallClean):
		return OverallExceptions + " (12)"
	}
	return "text"
}

const smallestProtocol = `{"version":1,"experiment":{"id":"x"},"log":{"order":["t"],"action":"a","reward":"r"},"reward":{"range":[0,1]}}`

// validating returns the validator of a document that holds no protocol.
func validating(name string) func([]byte) error {
	return func(b []byte) error { return none().validate(name, b) }
}

// documents are the JSON documents with their validators and readers.
func documents() map[string]struct {
	validate func([]byte) error
	decode   func([]byte) (any, error)
} {
	type both = struct {
		validate func([]byte) error
		decode   func([]byte) (any, error)
	}
	return map[string]both{
		"results":  {standard().ValidateResults, func(b []byte) (any, error) { return decodeAs[Results](standard(), "results", b) }},
		"manifest": {ValidateManifest, func(b []byte) (any, error) { return decodeAs[Manifest](none(), "manifest", b) }},
		"replay":   {validating("replay"), func(b []byte) (any, error) { return DecodeReplay(b) }},
		"summary":  {validating("summary"), func(b []byte) (any, error) { return decodeAs[Summary](none(), "summary", b) }},
		"census":   {validating("census"), func(b []byte) (any, error) { return decodeAs[Census](none(), "census", b) }},
	}
}

// exampleJSON is a document in which every field is set.
func exampleJSON(t *testing.T, name string) (value any, text []byte) {
	t.Helper()
	v := reflect.New(roots()[name])
	s := loadSchema(t, name)
	example(s, s.root, v.Elem())
	b, err := Encode(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return v.Interface(), b
}

func TestExampleWithEveryFieldSet(t *testing.T) {
	for name, doc := range documents() {
		want, b := exampleJSON(t, name)
		if err := doc.validate(b); err != nil {
			t.Errorf("%s: %v\n%s", name, err, b)
			continue
		}
		got, err := doc.decode(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := Encode(got)
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: reading and writing changes the document: %v\n%s", name, err, cmp.Diff(string(b), string(again)))
		}
		if name != "results" { // its protocol is text, indented anew
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-before +after):\n%s", name, d)
			}
		}
	}
}

// mayBeAbsent reports whether the field at a JSON pointer is left out where it is empty.
func mayBeAbsent(of reflect.Type, pointer string) bool {
	absent := false
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		for of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			if of.Kind() != reflect.Slice && of.Kind() != reflect.Array && of.Kind() != reflect.Map {
				return false
			}
			of, absent = of.Elem(), false
			continue
		}
		found := false
		for f := range of.Fields() {
			if tag, options, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name {
				of, absent, found = f.Type, strings.Contains(options, "omitempty"), true
				break
			}
		}
		if !found {
			return false
		}
	}
	return absent
}

// TestEveryKeyIsRequiredAndNoOtherAllowed takes each key of the example away,
// and adds one to each object: neither may pass.
func TestEveryKeyIsRequiredAndNoOtherAllowed(t *testing.T) {
	for name, doc := range documents() {
		_, b := exampleJSON(t, name)
		var root map[string]any
		if err := json.Unmarshal(b, &root); err != nil {
			t.Fatal(err)
		}
		tried := 0
		spoil(root, "", func(pointer string) {
			tried++
			changed, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			if err := doc.validate(changed); !errors.Is(err, ErrInvalid) && !mayBeAbsent(roots()[name], pointer) {
				t.Errorf("%s: spoilt at %s and still valid: %v", name, pointer, err)
			}
		})
		if tried < 9 {
			t.Errorf("%s: only %d keys tried", name, tried)
		}
	}
}

// spoil makes one change at a time, calls judge, and takes it back.
func spoil(v any, pointer string, judge func(string)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			spoil(item, pointer+"/0", judge)
		}
	case map[string]any:
		v["zz"] = 1
		judge(pointer + "/zz")
		delete(v, "zz")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			was := v[key]
			if !absent(pointer + "/" + key) {
				delete(v, key)
				judge(pointer + "/" + key)
				v[key] = was
			}
			if pointer+"/"+key != "/protocol" { // its keys are optional; ParseProtocol judges them
				spoil(was, pointer+"/"+key, judge)
			}
		}
	}
}

// absent reports whether a document need not have a key: those that came later, and are
// written only where they say something.
func absent(pointer string) bool {
	return slices.Contains([]string{
		"/targets", "/hash", "/ids", "/columns/0/unpadded", "/experiments/0/estimates/0/clip_bias", "/commitment", "/experiments/0/means", "/experiments/0/steering", "/experiments/0/first_time", "/experiments/0/last_time",
		"/experiments/0/privacy/user_loss", "/experiments/0/privacy/user_loss/of", "/experiments/0/privacy/user_loss/shown", "/experiments/0/privacy/user_loss/shown/path",
	}, pointer)
}

func TestValuesThatTheSchemaRefuses(t *testing.T) {
	_, b := exampleJSON(t, "results")
	good := string(b)
	for _, tc := range []struct{ old, new, where string }{
		{`"results.v1"`, `"results.v2"`, "at '/schema'"},
		{`"verdict": "VERIFIED"`, `"verdict": "CERTIFIED"`, "at '/claims/0/verdict'"},
		{`"verdict": "CONSISTENT"`, `"verdict": "VERIFIED"`, "at '/experiments/0/tests/0/verdict'"},
		{`"verdict": "CONSISTENT"`, `"verdict": "VIOLATED"`, "at '/experiments/0/tests/0/verdict'"},
		{`"verdict": "CONSISTENT"`, `"verdict": "NOT RUN"`, "at '/experiments/0/tests/0/verdict'"},
		{`"overall": "EXCEPTIONS NOTED (12)"`, `"overall": "EXCEPTIONS NOTED (0)"`, "at '/overall'"},
		{`"overall": "EXCEPTIONS NOTED (12)"`, `"overall": "FINE"`, "at '/overall'"},
		{`"epsilon_claimed": 0.5`, `"epsilon_claimed": "infinite"`, "at '/experiments/0/privacy/epsilon_claimed'"},
		{`"rounds": 3`, `"rounds": 3.5`, "at '/experiments/0/rounds'"},
		{`"rounds": 3`, `"rounds": -3`, "at '/experiments/0/rounds'"},
		{`"mode": "seed"`, `"mode": "guess"`, "at '/experiments/0/replay/mode'"},
		{`"warnings": [`, `"warnings": null, "zz": [`, "at '/experiments/0'"},
		{`"run_id": "0f`, `"run_id": "0F`, "at '/run_id'"},
		{`"range": [`, `"range": [2,`, "at '/protocol/reward/range'"},
	} {
		if !strings.Contains(good, tc.old) {
			t.Errorf("the example has no %s", tc.old)
			continue
		}
		err := standard().ValidateResults([]byte(strings.Replace(good, tc.old, tc.new, 1)))
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), tc.where) {
			t.Errorf("%s: %v, want one %s", tc.new, err, tc.where)
		}
	}
}

func TestJSONSchemaNames(t *testing.T) {
	for _, name := range Names() {
		if _, err := standard().compile(name, ""); err != nil {
			t.Error(err)
		}
	}
	_, err := standard().JSONSchema("reslts")
	if err == nil || err.Error() != `schemas: no schema is called "reslts"; there are: protocol, results, manifest, replay, summary, census, fragment, merged` {
		t.Error(err)
	}
	if _, err := new(noLoader).Load("https://example.org"); err == nil {
		t.Error("a schema was fetched")
	}
}

// A schema is compiled once for each catalogue, and that of another catalogue is
// another one: a policy that it does not list is no policy of its protocols.
func TestSchemasAreKeptByCatalogue(t *testing.T) {
	all, fewer := standard(), standard()
	fewer.Policies = fewer.Policies[:1]
	for _, name := range []string{"protocol", "results", "manifest"} {
		once, err := all.compile(name, "")
		if err != nil {
			t.Fatal(err)
		}
		again, err := standard().compile(name, "")
		if err != nil || again != once {
			t.Errorf("%s: another schema of the same catalogue, error %v", name, err)
		}
		other, err := fewer.compile(name, "")
		if err != nil || (other == once) != (name == "manifest") {
			t.Errorf("%s: same schema %t of another catalogue, error %v", name, other == once, err)
		}
	}
}

func TestLongValidationErrorsAreCut(t *testing.T) {
	err := ValidateManifest([]byte(`{"arms": [` + strings.Repeat("1,", 99) + `1]}`))
	if err == nil || strings.Count(err.Error(), "\n") != maxPlaces+1 || !strings.Contains(err.Error(), " more") {
		t.Error(err)
	}
	if err := ValidateManifest([]byte(`{`)); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}
