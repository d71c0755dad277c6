package schemas

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"banditaudit/schemas/param"
	"banditaudit/schemas/tree"
)

// union decodes the types that have more than one form in YAML. It reports
// whether v is one of them.
func (r *reader) union(n *tree.Node, v any, path string) bool {
	switch v := v.(type) {
	case *Rational:
		r.rational(n, v, path)
	case *Context:
		r.context(n, v, path)
	case *ContextColumn:
		r.contextColumn(n, v, path)
	case *Parameters:
		r.parameters(n, v, path)
	case *Policy:
		r.policy(n, v, path)
	case *Floor:
		r.floor(n, v, path)
	case *Update:
		r.update(n, v, path)
	case *By:
		r.by(n, v, path)
	case *Draw:
		r.draw(n, v, path)
	case *Draws:
		r.draws(n, v, path)
	case *KeepProb:
		r.keepProb(n, v, path)
	case *Permute:
		r.permute(n, v, path)
	case *Seed:
		r.seed(n, v, path)
	case *Covariance:
		r.covariance(n, v, path)
	case *Target:
		r.target(n, v, path)
	default:
		return false
	}
	return true
}

// form decodes a mapping into a struct that stands for one form of a union.
func (r *reader) form(n *tree.Node, v any, path string) {
	r.structure(n, reflect.ValueOf(v).Elem(), path)
}

// rationalMend names no inf, which few keys may have.
const rationalMend = "write a decimal (0.25), a quotient (1/3) or a power (2^-20)"

func (r *reader) rational(n *tree.Node, v *Rational, path string) {
	if n.Kind != tree.Scalar {
		r.mistyped(n, path, "a number", rationalMend)
		return
	}
	x, err := ParseRational(n.Text)
	if err != nil {
		r.mistyped(n, path, fmt.Sprintf("an exact number, with exponents within ±%d", param.MaxExponent), rationalMend)
		return
	}
	*v = x
}

func (r *reader) context(n *tree.Node, v *Context, path string) {
	switch n.Kind {
	case tree.Sequence:
		r.list(n, reflect.ValueOf(&v.Columns).Elem(), path)
	case tree.Mapping:
		var list struct {
			List string `json:"list"`
		}
		r.form(n, &list, path)
		v.List = list.List
	default:
		r.mistyped(n, path, "a list of columns, or {list: column}", "write [column, ...]")
	}
}

func (r *reader) contextColumn(n *tree.Node, v *ContextColumn, path string) {
	switch n.Kind {
	case tree.Scalar:
		r.text(n, reflect.ValueOf(&v.Column).Elem(), path)
	case tree.Mapping:
		r.structure(n, reflect.ValueOf(v).Elem(), path)
	default:
		r.mistyped(n, path, "a column, or {column: ..., levels: [...]}", "write the column's name")
	}
}

// floor reads a number, or {kind: ..., value: ...}.
func (r *reader) floor(n *tree.Node, v *Floor, path string) {
	switch n.Kind {
	case tree.Scalar:
		v.Kind = param.FloorMix
		r.number(n, reflect.ValueOf(&v.Value).Elem(), path)
	case tree.Mapping:
		r.form(n, v, path)
	default:
		r.mistyped(n, path, "a probability, or {kind: ..., value: ...}", "write 0.05, or {kind: clip, value: 0.01}")
	}
}

// by reads the name of a column, or {column: ...}.
func (r *reader) by(n *tree.Node, v *By, path string) {
	switch n.Kind {
	case tree.Scalar:
		r.text(n, reflect.ValueOf(v).Elem(), path)
	case tree.Mapping:
		var by struct {
			Column string `json:"column"`
		}
		r.form(n, &by, path)
		*v = By(by.Column)
	default:
		r.mistyped(n, path, "a column", "write the column's name")
	}
}

// draw reads {by: ...}, or {hash: ...} and its keys. A word alone is refused with the
// form that it stands for.
func (r *reader) draw(n *tree.Node, v *Draw, path string) {
	if n.Kind == tree.Mapping {
		r.form(n, v, path)
		return
	}
	mend := "write {by: round} where every round drew anew, or {by: unit} where a unit keeps its arm"
	if n.Kind == tree.Scalar && (n.Text == DrawByRound || n.Text == DrawByUnit) {
		mend = "write " + path + ": {by: " + n.Text + "}"
	}
	r.mistyped(n, path, "a mapping", mend)
}

// seed reads {file: ...}, {column: ...}, {sha256: ...} or 64 hex digits. The
// digits of a seed stand in no message.
func (r *reader) seed(n *tree.Node, v *Seed, path string) {
	switch n.Kind {
	case tree.Mapping:
		r.structure(n, reflect.ValueOf(v).Elem(), path)
	case tree.Scalar:
		master, ok := parseSeed(n.Text)
		if !ok {
			r.faults.mark(path)
			r.report(path, n.At, path+" is a text that is not a seed", seedForm, "write {file: seed.hex}, with the digits in that file")
			return
		}
		v.Inline = true
		v.keep(master)
		r.warnings = append(r.warnings, Problem{
			File: r.file, Line: n.At.Line, Col: n.At.Col, Path: path, What: path + " stands in the protocol itself",
			Why: "whoever reads the protocol can remove the noise", Mend: "move it to a file and write {file: seed.hex}",
		})
	default:
		r.mistyped(n, path, "{file: ...}, {column: ...} or 64 hex digits", "write {file: seed.hex}")
	}
}

// seedForm says what a seed is.
const seedForm = "a master seed is 32 bytes, written as 64 hex digits"

// parseSeed reads 64 hex digits.
func parseSeed(text string) (master [32]byte, ok bool) {
	if len(text) != hex.EncodedLen(len(master)) {
		return master, false
	}
	_, err := hex.Decode(master[:], []byte(text))
	return master, err == nil
}

// keep stores the master seed and its digest.
func (s *Seed) keep(master [32]byte) {
	sum := sha256.Sum256(master[:])
	s.Bytes, s.SHA256 = master[:], hex.EncodeToString(sum[:])
}

func (r *reader) covariance(n *tree.Node, v *Covariance, path string) {
	switch n.Kind {
	case tree.Scalar:
		r.text(n, reflect.ValueOf(&v.Kind).Elem(), path)
	case tree.Mapping:
		var cluster struct {
			Cluster string `json:"cluster"`
			Kind    string `json:"kind"`
		}
		r.form(n, &cluster, path)
		v.Cluster, v.Kind = cluster.Cluster, cluster.Kind
	default:
		r.mistyped(n, path, "a word, or {cluster: unit}", "write HC3")
	}
}

// policy reads the keys that every policy has by their fields, and the others by
// the forms that the catalogue gives them: those of the named policy, or of
// another, whose keys the rules then refuse.
func (r *reader) policy(n *tree.Node, v *Policy, path string) {
	known := r.catalogue.PolicyKeys()
	if n.Kind != tree.Mapping {
		r.mistyped(n, path, "a mapping", "write its keys: "+strings.Join(known, ", "))
		return
	}
	n = r.liked(n, path)
	name := ""
	for _, f := range n.Fields {
		if f.Key == "name" {
			name = f.Value.Text
		}
	}
	fields := reflect.ValueOf(v).Elem()
	for _, f := range n.Fields {
		at := join(path, f.Key)
		if i := fieldOf(fields.Type(), f.Key); i >= 0 {
			r.value(f.Value, fields.Field(i), at)
		} else if key := r.catalogue.key(name, f.Key); key != nil {
			v.Own = v.Own.With(f.Key, r.declared(f.Value, key.Form, at))
		} else {
			r.unknown(f, known, path)
		}
	}
}

// declared reads a value of a form. Where it cannot be read it is the zero of
// that form.
func (r *reader) declared(n *tree.Node, form param.Form, path string) any {
	switch form := form.(type) {
	case param.Number:
		return read[float64](r, n, path)
	case param.NumberOr:
		if n.Kind == tree.Scalar && slices.Contains(form.Words, n.Text) {
			return read[string](r, n, path)
		}
		if n.Kind == tree.Scalar && !numberText.MatchString(n.Text) && !param.Fraction(n.Text) {
			words := strings.Join(form.Words, ", ")
			r.mistyped(n, path, "a number, or "+words, "write a number, or "+words)
			return nil
		}
		return read[float64](r, n, path)
	case param.Exact:
		return read[Rational](r, n, path)
	case param.Word:
		return read[string](r, n, path)
	case param.Flag:
		return read[bool](r, n, path)
	case param.Shares, param.Numbers:
		return read[[]float64](r, n, path)
	case param.Group:
		r.places[path] = n.At
		return r.group(n, form.Keys, path)
	case param.Choice:
		return grouped[string](r, n, &form.Group, path, form.Want, form.Mend)
	case param.Either:
		return grouped[float64](r, n, &form.Group, path, form.Want, form.Mend)
	}
	return nil
}

// grouped reads a scalar of a type, or a group.
func grouped[T any](r *reader, n *tree.Node, group *param.Group, path, want, mend string) any {
	r.places[path] = n.At
	switch n.Kind {
	case tree.Scalar:
		return read[T](r, n, path)
	case tree.Mapping:
		return r.group(n, group.Keys, path)
	default:
		r.mistyped(n, path, want, mend)
	}
	return nil
}

// read reads a value of a Go type.
func read[T any](r *reader, n *tree.Node, path string) T {
	var x T
	r.value(n, reflect.ValueOf(&x).Elem(), path)
	return x
}

// group reads a mapping of keys.
func (r *reader) group(n *tree.Node, keys []param.Key, path string) Values {
	names, out := param.Names(keys), Values{}
	if n.Kind != tree.Mapping {
		r.mistyped(n, path, "a mapping", "write its keys: "+strings.Join(names, ", "))
		return out
	}
	for _, f := range n.Fields {
		if key := param.Find(keys, f.Key); key != nil {
			out[f.Key] = r.declared(f.Value, key.Form, join(path, f.Key))
		} else {
			r.unknown(f, names, path)
		}
	}
	return out
}
