package schemas

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"banditaudit/schemas/tree"
)

// Encode writes a document as every JSON file of this module is written:
// indented by two spaces, keys in the order of the Go fields, no HTML
// escaping, a newline at the end. The same value gives the same bytes. A nil
// slice is written as [], so that a reader can loop over it; v itself is not
// changed.
//
// The error is not nil where v holds a NaN, or an infinity outside a field of
// type Extended.
func Encode(v any) ([]byte, error) { return EncodeBelow(v, "") }

// EncodeBelow is Encode of a value that stands inside a document: every line
// but the first begins with prefix.
func EncodeBelow(v any, prefix string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	if err := e.Encode(filled(reflect.ValueOf(v))); err != nil {
		return nil, fmt.Errorf("schemas: encoding %T: %w", v, err)
	}
	return b.Bytes(), nil
}

// EncodeTo writes what EncodeBelow returns, without the newline at its end, in pieces: a
// list of thousands is never held as text. Members of v, and of objects in it, and the
// elements of their lists are pieces. The error has ErrInvalid in its chain where v cannot
// be encoded; every other error is of w.
func EncodeTo(w io.Writer, v any, prefix string) error {
	return encodeTo(w, reflect.ValueOf(v), prefix)
}

func encodeTo(w io.Writer, v reflect.Value, prefix string) error {
	const indent = "  "
	switch t := v.Type(); {
	case v.Kind() == reflect.Pointer && !v.IsNil() && namesAll(t.Elem()):
		return encodeTo(w, v.Elem(), prefix)
	case namesAll(t):
		return pieces(w, "{}", v.NumField(), prefix+indent, func(i int) error {
			if _, err := fmt.Fprintf(w, "%q: ", t.Field(i).Tag.Get("json")); err != nil {
				return err
			}
			return encodeTo(w, v.Field(i), prefix+indent)
		})
	case v.Kind() == reflect.Slice && t.Name() == "" && t.Elem().Kind() == reflect.Struct:
		return pieces(w, "[]", v.Len(), prefix+indent, func(i int) error { return encodeWhole(w, v.Index(i), prefix+indent) })
	}
	return encodeWhole(w, v, prefix)
}

// namesAll reports whether t is an object whose members are its fields, all of them, by
// the names in their tags.
func namesAll(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || writesItself(t) {
		return false
	}
	for f := range t.Fields() {
		if name := f.Tag.Get("json"); name == "" || name == "-" || strings.Contains(name, ",") {
			return false
		}
	}
	return true
}

// pieces writes n pieces between brackets, each on a line of its own.
func pieces(w io.Writer, brackets string, n int, prefix string, piece func(i int) error) error {
	between := brackets[:1]
	for i := range n {
		if _, err := io.WriteString(w, between+"\n"+prefix); err != nil {
			return err
		}
		if err := piece(i); err != nil {
			return err
		}
		between = ","
	}
	end := "\n" + prefix[:len(prefix)-2] + brackets[1:]
	if n == 0 {
		end = brackets
	}
	_, err := io.WriteString(w, end)
	return err
}

func encodeWhole(w io.Writer, v reflect.Value, prefix string) error {
	b, err := EncodeBelow(v.Interface(), prefix)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	_, err = w.Write(bytes.TrimSuffix(b, []byte("\n")))
	return err
}

// compact is json.Marshal without HTML escaping.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// filled returns v with every nil slice replaced by an empty one.
func filled(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	return fill(v).Interface()
}

func fill(v reflect.Value) reflect.Value {
	if writesItself(v.Type()) {
		return v
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return fillPointer(v)
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(fill(v.Field(i)))
			}
		}
		return out
	case reflect.Slice:
		return fillSlice(v)
	default:
		return v
	}
}

func fillPointer(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	inner := fill(v.Elem())
	if v.Kind() == reflect.Interface {
		return inner
	}
	out := reflect.New(v.Type().Elem())
	out.Elem().Set(inner)
	return out
}

func fillSlice(v reflect.Value) reflect.Value {
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		out.Index(i).Set(fill(v.Index(i)))
	}
	return out
}

// writesItself reports whether values of a type decide on their own form.
func writesItself(t reflect.Type) bool {
	for _, form := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(form) || reflect.PointerTo(t).Implements(form) {
			return true
		}
	}
	return false
}

// Effective returns the protocol that was audited as compact JSON: defaults
// applied, keys in the order of the Go fields, a seed that is known replaced
// by {"sha256": ...}. Parsing it gives the same declarations again.
func (d *Document) Effective() ([]byte, error) {
	b, err := compact(d.Protocol.effective())
	if err != nil {
		return nil, fmt.Errorf("schemas: encoding the effective protocol: %w", err)
	}
	return b, nil
}

// EffectiveYAML returns what Effective returns, as YAML to be read.
func (d *Document) EffectiveYAML() ([]byte, error) {
	b, err := d.Effective()
	if err != nil {
		return nil, err
	}
	const head = "# The protocol as it was audited: defaults filled in, a seed replaced by its SHA-256.\n"
	body, err := tree.FromJSON(b)
	if err != nil {
		return nil, err
	}
	return append([]byte(head), body...), nil
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

// effective returns a copy without the seed's file and bytes.
func (p Protocol) effective() Protocol {
	p.Policy, p.Program = sealed(p.Policy), sealed(p.Program)
	return p
}

// sealed is a policy whose seed is its digest alone.
func sealed(p *Policy) *Policy {
	if p == nil || p.Seed == nil || p.Seed.SHA256 == "" {
		return p
	}
	policy := *p
	policy.Seed = &Seed{SHA256: p.Seed.SHA256}
	return &policy
}

// declaration are the parts of a protocol that a stage depends on.
type declaration struct {
	ID, Column string
	Log        Log
	Arms       []string
	Reward     RewardSpec
	Policy     *Policy
	Counter    *Counter
	Privacy    *Privacy
	Targets    []string `json:",omitempty"` // columns of the log that hold probabilities of evaluated policies
	Strata     string   `json:",omitempty"` // column of policy.by
	Clock      *Update  `json:",omitempty"` // by whose clock batches end
	Hashed     []string `json:",omitempty"` // hash, seed and unit by which positions are computed
}

// LogDigest is the SHA-256, in lower-case hex, of what decides how a log is
// read: experiment id or column, log, arms and reward, with defaults applied, and the
// columns of evaluated policies. A
// tableau carries it, so that it is not analysed under another declaration. The
// resolution of propensities is not part of it: it changes how they are compared,
// not how they are read. The hash by which units have positions is, with its seed, and
// how much of the ranges is covered is not. Nor is the number of draws by which they were estimated,
// where it is no column, or with which probability all rows were kept; that an action was drawn by one more draw is, for its
// propensity may then be 0. Nor is what whoever set a column may have read.
func (p Protocol) LogDigest() string {
	p.Log = withoutSetBy(p.Log)
	p.Log.PropensityResolution = nil
	if d := p.Log.PropensityDraws; d != nil && d.Column == "" {
		p.Log.PropensityDraws = nil
	}
	if k := p.Log.KeepProb; k != nil && k.Column == "" {
		p.Log.KeepProb = nil
	}
	p.Log.KeepBy = ""
	if p.Log.Drawn != DrawnOneMore {
		p.Log.Drawn = ""
	}
	return digestOf(declaration{ID: p.Experiment.ID, Column: p.Experiment.Column, Log: p.Log, Arms: p.Arms, Reward: p.Reward, Targets: p.TargetColumns(), Strata: p.Strata(), Clock: p.Clock(), Hashed: p.positions()})
}

// positions says how a unit gets its position; nil where it has none.
func (p Protocol) positions() []string {
	d := p.Hashed()
	if d == nil {
		return nil
	}
	return []string{d.Hash, d.SeedText(), d.Unit}
}

// MechanismDigest is the SHA-256, in lower-case hex, of what decides a replay:
// what LogDigest covers, the resolution of propensities, what whoever set a column may have read, policy with the digest of its seed, counter and
// privacy. replay.json carries it.
func (p Protocol) MechanismDigest() string {
	e := p.effective()
	return digestOf(declaration{
		ID: e.Experiment.ID, Column: e.Experiment.Column, Log: e.Log, Arms: e.Arms, Reward: e.Reward,
		Policy: cmp.Or(e.Policy, e.Program), Counter: e.Counter, Privacy: e.Privacy,
	})
}

func digestOf(d declaration) string {
	b, err := compact(d)
	if err != nil { // a number that has no JSON form passes no protocol check
		b = []byte(err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
