package schemas

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"sync"

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
func Encode(v any) ([]byte, error) {
	x := &text{line: []byte{'\n'}}
	if err := x.whole(v); err != nil {
		return nil, err
	}
	return append(x.b, '\n'), nil
}

// whole writes a document.
func (x *text) whole(v any) error {
	x.value(reflect.ValueOf(v))
	if x.invalid != nil {
		return fmt.Errorf("schemas: encoding %T: %w", v, x.invalid)
	}
	return nil
}

// texts are used again.
var texts = sync.Pool{New: func() any { return new(text) }} //nolint:gochecknoglobals // memory, and nothing in it

// EncodeTo writes what Encode returns, without the newline at its end, of a value that stands
// inside a document: every line but the first begins with prefix. It is written in pieces, at
// the latest behind an element of a list: a list of thousands is never held as text. The error
// has ErrInvalid in its chain where v cannot be encoded; every other error is of w.
func EncodeTo(w io.Writer, v any, prefix string) error {
	x, _ := texts.Get().(*text)
	defer func() {
		x.to = nil
		texts.Put(x)
	}()
	*x = text{to: w, b: x.b[:0], line: append(append(x.line[:0], '\n'), prefix...)}
	if err := x.whole(v); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	x.hand(0)
	return x.failed
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
