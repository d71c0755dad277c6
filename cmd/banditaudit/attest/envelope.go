package attest

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// PayloadType is the media type of every payload that is signed here.
const PayloadType = "application/vnd.in-toto+json"

// ErrEnvelope says that a text is not the encoding of an envelope that Encode writes.
var ErrEnvelope = errors.New("not an envelope as banditaudit writes it")

// Envelope holds a payload with the signatures of it, in the order of their key ids. A
// payload is signed by a key once.
type Envelope struct {
	Payload    []byte      `json:"payload"`
	Type       string      `json:"payloadType"`
	Signatures []Signature `json:"signatures"`
}

// Signature is one of an envelope's.
type Signature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// keyID is the form of the id of a key.
var keyID = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Encode writes an envelope: one line of JSON.
func (e *Envelope) Encode() ([]byte, error) { return line(e) }

// line is a value as one line of JSON.
func line(v any) ([]byte, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	if err := w.Encode(v); err != nil {
		return nil, fmt.Errorf("attest: encoding: %w", err)
	}
	return b.Bytes(), nil
}

// Decode reads an envelope. It takes nothing but what Encode writes, byte for byte: a
// member of another name or in another place, other white space, unused bits of base64,
// a doubled key id and keys in another order are an ErrEnvelope.
func Decode(text []byte) (*Envelope, error) {
	e := &Envelope{}
	if err := exact(text, e); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEnvelope, err)
	}
	if e.Type != PayloadType {
		return nil, fmt.Errorf("%w: payload of another type", ErrEnvelope)
	}
	if len(e.Signatures) == 0 {
		return nil, fmt.Errorf("%w: no signature", ErrEnvelope)
	}
	for i, s := range e.Signatures {
		if !keyID.MatchString(s.KeyID) || len(s.Sig) != ed25519.SignatureSize {
			return nil, fmt.Errorf("%w: no signature of Ed25519", ErrEnvelope)
		}
		if i > 0 && e.Signatures[i-1].KeyID >= s.KeyID {
			return nil, fmt.Errorf("%w: a key signs twice, or keys are out of order", ErrEnvelope)
		}
	}
	return e, nil
}

// exact decodes a text that must be what encoding the value again gives.
func exact(text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return errors.New("no JSON of that form")
	}
	again, err := line(into)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, text) {
		return errors.New("encoding it again gives other bytes")
	}
	return nil
}

// encoding is the pre-authentication encoding of DSSE v1, which is what is signed.
func (e *Envelope) encoding() []byte {
	out := append([]byte("DSSEv1 "), strconv.Itoa(len(e.Type))+" "+e.Type+" "+strconv.Itoa(len(e.Payload))+" "...)
	return append(out, e.Payload...)
}

// Seal puts a payload into an envelope without signatures.
func Seal(payload []byte) *Envelope { return &Envelope{Payload: payload, Type: PayloadType} }

// Sign adds the signature of a key. A key that has signed already changes nothing, for
// Ed25519 gives the same bytes again.
func (e *Envelope) Sign(key ed25519.PrivateKey) {
	id := KeyID(key.Public().(ed25519.PublicKey)) // that is its type
	e.Signatures = slices.DeleteFunc(e.Signatures, func(s Signature) bool { return s.KeyID == id })
	e.Signatures = append(e.Signatures, Signature{id, ed25519.Sign(key, e.encoding())})
	slices.SortFunc(e.Signatures, func(a, b Signature) int { return cmp.Compare(a.KeyID, b.KeyID) })
}

// Spoilt returns the ids of the keys that the envelope names beside a signature which the
// key did not make.
func (e *Envelope) Spoilt(keys []ed25519.PublicKey) []string {
	var out []string
	for _, s := range e.Signatures {
		if slices.ContainsFunc(keys, func(k ed25519.PublicKey) bool {
			return s.KeyID == KeyID(k) && !ed25519.Verify(k, e.encoding(), s.Sig)
		}) {
			out = append(out, s.KeyID)
		}
	}
	return out
}

// Signed returns the keys of which the envelope has a good signature, each public key once
// however often it is given. A signature counts under the id that its key has, and under no
// other.
func (e *Envelope) Signed(keys []ed25519.PublicKey) []ed25519.PublicKey {
	var out []ed25519.PublicKey
	for _, key := range keys {
		if slices.ContainsFunc(out, func(k ed25519.PublicKey) bool { return k.Equal(key) }) {
			continue
		}
		for _, s := range e.Signatures {
			if s.KeyID == KeyID(key) && ed25519.Verify(key, e.encoding(), s.Sig) {
				out = append(out, key)
			}
		}
	}
	return out
}
