package bundle

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"banditaudit/cmd/banditaudit/attest"
	"banditaudit/cmd/banditaudit/attest/compare"
	"banditaudit/cmd/kit"
	"banditaudit/ingest/fault"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Commitment is the file of a commitment, with the key by which it is judged.
type Commitment struct {
	Text     []byte
	Envelope *attest.Envelope
	Protocol []byte // the text of the committed protocol
	tool     schemas.Tool
	key      ed25519.PublicKey // nil: none was given
}

// ReadCommitment reads a commitment and its key; nil where no path is given.
func ReadCommitment(path, keyPath string) (*Commitment, error) {
	if path == "" && keyPath != "" {
		return nil, kit.Usagef("--commitment-key is given, and no --commitment whose signature it would check")
	}
	if path == "" {
		return nil, nil //nolint:nilnil // none is given
	}
	text, err := kit.ReadDocument(path)
	if err != nil {
		return nil, kit.BadInput(err)
	}
	c := &Commitment{Text: text}
	if c.Envelope, err = attest.Decode(text); err == nil {
		c.Protocol, c.tool, err = attest.Committed(c.Envelope.Payload)
	}
	if err != nil {
		return nil, kit.BadInput(fmt.Errorf("%s is no commitment: %w", schemas.Printable(path), err))
	}
	if keyPath == "" {
		return c, nil
	}
	keys, err := PublicKeys([]string{keyPath})
	if err != nil {
		return nil, err
	}
	c.key = keys[0]
	return c, nil
}

// Judge holds a protocol against the commitment; nil where there is none.
func (c *Commitment) Judge(format *schemas.Catalogue, doc *schemas.Document) (*schemas.Commitment, error) {
	if c == nil {
		return nil, nil //nolint:nilnil // none is given
	}
	audited, err := doc.Effective()
	if err != nil {
		return nil, err
	}
	out := &schemas.Commitment{SHA256: Sum(c.Text), Protocol: Sum(c.Protocol), Tool: c.tool, PublicKey: hex.EncodeToString(c.key)}
	for _, s := range c.Envelope.Signatures {
		out.KeyIDs = append(out.KeyIDs, s.KeyID)
	}
	out.Signed = c.key != nil && len(c.Envelope.Signed([]ed25519.PublicKey{c.key})) == 1
	committed, err := c.effective(format)
	if err != nil {
		out.Differs = &schemas.CommittedKey{Key: "/", Committed: "a protocol that this version cannot read: " + err.Error(), Audited: "the protocol"}
		return out, nil //nolint:nilerr // that is what was found
	}
	if d := compare.Meaning(bytes.NewReader(committed), bytes.NewReader(audited), sameNumber); d != nil {
		out.Differs = &schemas.CommittedKey{Key: cmp.Or(d.At, "/"), Committed: d.A, Audited: d.B}
	}
	return out, nil
}

// ExactKeys are the keys of a protocol whose numbers are kept as they are spelled.
func ExactKeys() []string {
	return []string{"epsilon", "rho", "grid", "exponent", "sensitivity", "near_ties", "threshold", param.ContextBound}
}

// sameNumber reports whether a key has one exact number in two spellings: 1/4 is 0.25.
// What is handed to a program as its parameters is text.
func sameNumber(at, a, b string) bool {
	if !slices.Contains(ExactKeys(), at[strings.LastIndex(at, "/")+1:]) || strings.Contains(at, "/parameters/") {
		return false
	}
	x, errX := schemas.ParseRational(strings.Trim(a, `"`))
	y, errY := schemas.ParseRational(strings.Trim(b, `"`))
	return errX == nil && errY == nil && x.Equal(y)
}

// effective is the committed protocol as this version reads it: keys that the version
// which signed it did not have get their defaults.
func (c *Commitment) effective(format *schemas.Catalogue) ([]byte, error) {
	doc, err := format.ParseProtocol(filepath.Base(kit.EffectiveFile), c.Protocol)
	if err != nil {
		return nil, err
	}
	return doc.Effective()
}

// Sum is the SHA-256 of a text in lower-case hex.
func Sum(text []byte) string {
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// committedIn is what is known of the commitment in a bundle.
type committedIn struct {
	There  bool   `json:"there"`  // the bundle was audited under one
	Judged bool   `json:"judged"` // --commitment-key is given
	KeyID  string `json:"keyid"`  // of the key by which the audit judged it, as the bundle says; "" where it had none
	Fault  string `json:"fault"`  // why it does not hold by --commitment-key; "" where it does, or no key was given

	limit bool // it was not judged: that would take more memory than is allowed
}

// committed says by which key the audit judged its commitment, and holds the commitment
// in the bundle against the protocol and the key that is given, if any.
func (b *Dir) committed(keys []ed25519.PublicKey) committedIn {
	var out committedIn
	if b.Fault == nil && b.results.Head.Commitment != nil {
		out.There = true
		if key, err := hex.DecodeString(b.results.Head.Commitment.PublicKey); err == nil && len(key) > 0 {
			out.KeyID = attest.KeyID(key)
		}
	}
	if len(keys) == 0 {
		return out
	}
	out.Judged = true
	c, err := ReadCommitment(filepath.Join(b.Dir, kit.CommitmentFile), "")
	if err == nil {
		err = b.Fault
	}
	if err != nil {
		out.Fault, out.limit = err.Error(), errors.Is(err, fault.ErrResource)
		return out
	}
	committed, err := c.effective(b.Format)
	var audited bytes.Buffer
	switch {
	case len(c.Envelope.Signed(keys)) == 0:
		out.Fault = kit.CommitmentFile + " has no good signature by --commitment-key"
	case err != nil:
		out.Fault = err.Error()
	case json.Compact(&audited, b.results.Head.Protocol) != nil:
		out.Fault = kit.ResultsFile + " holds no protocol"
	default:
		if d := compare.Meaning(bytes.NewReader(committed), &audited, sameNumber); d != nil {
			out.Fault = fmt.Sprintf("the protocol differs from the committed one at %s: committed to was %s, audited was %s", d.At, d.A, d.B)
		}
	}
	return out
}

// words says what is known of a commitment.
func (c *committedIn) words() string {
	switch {
	case c.Fault != "":
		return c.Fault
	case c.Judged:
		return "signed by the given key, and of the protocol that was audited"
	case c.KeyID == "":
		return "one is there, which was not judged by any key; give --commitment-key"
	}
	return "the audit judged it by key " + c.KeyID + ", as the bundle says; give --commitment-key to judge it by one of yours"
}
